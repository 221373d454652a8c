"""A novel in a real JupyterLab: it shows itself as its desk, which follows and answers while a cell writes."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit import Workspace
from tests.lab.server import Lab, run_all

pytestmark = [pytest.mark.lab, pytest.mark.prove]

OPEN = "%load_ext lantern_kit\nimport lantern_kit as lk\nws = lk.open_workspace('..')\nnovel = ws.novels[0]"
WAITS = (  # an author that is at work for as long as it takes a person to say something
    "import time\n"
    "end = time.monotonic() + 30\n"
    "novel.run(until=lambda step: step.moment.novel.head.commits >= 2)\n"
    "while len(novel.instructions) < 2 and time.monotonic() < end:\n    time.sleep(0.05)\n"
    "print('heard', len(novel.instructions))\n"
    "done = novel.run(until=lambda step: step.moment.novel.head.commits >= 4)"
)


@pytest.fixture
def notebook(lab: Lab, ws: Workspace) -> str:
    """A notebook with a novel that is written in its second cell."""
    ws.novels.begin("The Lamp", "Write of a lamp.", chapters=2)
    return lab.write(f"{ws.path.name}/notebooks/n.ipynb", OPEN, "novel", WAITS)


def test_a_novel_is_read_and_instructed_while_a_cell_writes_it_and_stays_readable_without_a_kernel(
    lab: Lab, ws: Workspace, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
    page.get_by_test_id("novel-paragraph").first.wait_for()
    words = page.get_by_test_id("novel-words")
    cells = page.evaluate("() => jupyterapp.shell.currentWidget.content.widgets.length")
    words.press_sequentially("A storm, a bell.")  # keys that would insert cells elsewhere
    page.get_by_test_id("novel-send").click()
    page.wait_for_function("() => document.querySelector('[data-testid=novel-receipt]')?.dataset.state === 'received'")
    page.get_by_text("heard 2", exact=True).wait_for(state="attached")
    page.wait_for_function(
        "() => document.querySelector('[data-testid=novel-instruction]')?.dataset.state === 'applied'"
    )
    assert page.evaluate("() => jupyterapp.shell.currentWidget.content.widgets.length") == cells
    assert not page.locator("[data-lantern-still]").is_visible()
    run_all(page)
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    page.evaluate("() => jupyterapp.serviceManager.sessions.shutdownAll()")
    lab.open(page, notebook)
    page.locator("[data-lantern-still]").wait_for()
    assert "written by offline stand-in" in page.locator("[data-lantern-still]").inner_text()
    assert ws.novel("The Lamp").chapters[0].title in page.locator("[data-lantern-still]").inner_text()
    assert len((lab.folder / notebook).read_text()) < 20_000
