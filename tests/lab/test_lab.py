"""Widgets in a real JupyterLab: what only the real thing can show."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from lantern_kit import Workspace
from tests.lab.server import Lab, run_all
from tests.widgets.agents import looks

pytestmark = pytest.mark.lab

OPEN = "import lantern_kit as lk\nws = lk.open_workspace('..')"


@pytest.fixture
def notebook(lab: Lab, ws: Workspace) -> str:
    """A notebook in which an agent's activity is shown."""
    looks(ws)
    return lab.write(f"{ws.path.name}/notebooks/a.ipynb", OPEN, "panel = lk.ActivityPanel(ws)\npanel")


def still(page: Any) -> Any:
    return page.locator("[data-lantern-still]")


def test_a_widget_answers_while_a_cell_runs(lab: Lab, ws: Workspace, page: Any) -> None:
    looks(ws)
    name = lab.write(
        f"{ws.path.name}/notebooks/b.ipynb",
        OPEN,
        "import threading\nasked = threading.Event()\nlook = ws.activity\n"
        "def activity(*args, **options):\n    asked.set()\n    return look(*args, **options)\nws.activity = activity",
        "panel = lk.ActivityPanel(ws)\ndisplay(panel)\nasked.clear()\n"
        "print('answered' if asked.wait(20) else 'never asked')",
    )
    lab.open(page, name)
    run_all(page)
    assert page.get_by_text("answered", exact=True).count() == 1


def test_a_live_widget_takes_the_place_of_its_still_picture_and_says_when_its_kernel_restarted(
    lab: Lab, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    run_all(page)
    page.get_by_test_id("activity-event").wait_for()
    assert not still(page).is_visible()
    page.evaluate("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.restart()")
    badge = page.get_by_test_id("link-badge")
    badge.wait_for()
    page.wait_for_function("() => document.querySelector('[data-testid=link-badge]')?.dataset.state === 'gone'")
    assert "Run the cell again" in badge.inner_text()


def test_a_notebook_opened_again_without_its_kernel_shows_the_still_pictures_and_what_to_do(
    lab: Lab, ws: Workspace, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    run_all(page)
    page.get_by_test_id("activity-event").wait_for()
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    page.evaluate("() => jupyterapp.serviceManager.sessions.shutdownAll()")
    lab.open(page, notebook)
    still(page).wait_for()
    assert "claude-code" in still(page).inner_text()
    assert "run the cell to have it live" in still(page).inner_text()
    saved = (lab.folder / notebook).read_text()
    assert len(saved) < 10_000
    assert "__lanternKit" not in saved  # no code in it
    assert nbformat.reads(saved, 4).cells[1].outputs
