"""A chapter's history in a real JupyterLab: its keys are its own, and its still picture stays."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit import Workspace
from tests.lab.server import Lab, run_all

pytestmark = pytest.mark.lab

OPEN = "import lantern_kit as lk\nws = lk.open_workspace('..')\nchapter = ws.comic('Chelsea Goes Up').chapter(1)"


@pytest.fixture
def notebook(lab: Lab, ws: Workspace) -> str:
    """A notebook that shows the history of a chapter with a page."""
    with ws.comic("Chelsea Goes Up").chapter(1).edit("a page") as edit:
        edit.add_page().add_frame(rect=(6, 6, 93, 136))
    return lab.write(f"{ws.path.name}/notebooks/h.ipynb", OPEN, "lk.HistoryView(chapter)")


def test_marking_two_revisions_by_keys_compares_them_inserts_no_cells_and_what_happens_elsewhere_shows(
    lab: Lab, ws: Workspace, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    run_all(page)
    page.get_by_test_id("history-row").first.wait_for()
    cells = "() => jupyterapp.shell.currentWidget.content.widgets.length"
    before = page.evaluate(cells)
    page.locator("[data-testid=history-row][data-id=r2]").click()
    page.get_by_test_id("history-list").focus()
    for key in ("b", "ArrowDown", "a"):
        page.keyboard.press(key)
    page.get_by_text("From r1 to r2").wait_for()
    page.wait_for_function("() => document.querySelector('[data-testid=viewer-canvas]')?.dataset.whole === 'true'")
    assert page.evaluate(cells) == before
    ws.comic("Chelsea Goes Up").chapter(1).undo()
    page.locator("[data-testid=history-row][data-id=r3]").wait_for()


def test_without_a_kernel_the_drawn_graph_and_the_table_stand_there(lab: Lab, notebook: str, page: Any) -> None:
    lab.open(page, notebook)
    run_all(page)
    page.get_by_test_id("history-row").first.wait_for()
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    page.evaluate("() => jupyterapp.serviceManager.sessions.shutdownAll()")
    lab.open(page, notebook)
    page.locator("[data-lantern-still] img").wait_for()
    assert page.locator("[data-lantern-still] img").evaluate("(img) => img.naturalWidth") > 50
    assert "a page" in page.locator("[data-lantern-still] table").inner_text()
    assert len((lab.folder / notebook).read_text()) < 20_000
