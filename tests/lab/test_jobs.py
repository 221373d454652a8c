"""Long actions in a real JupyterLab: their line, and a job that is stopped while a cell waits for it."""

from __future__ import annotations

from typing import Any

import nbformat
import pytest

from lantern_kit import Workspace
from tests.lab.server import Lab

pytestmark = pytest.mark.lab

OPEN = """
import lantern_kit as lk
from pathlib import Path
from lantern_kit.widgets.jobs import progress_line
ws = lk.open_workspace(Path.cwd().parent)
chapter = ws.works()[0].chapter(1)
with chapter.edit("pages") as edit:
    for _ in range(3):
        edit.add_page()
"""
LINE = """
seen = []
class Seen(progress_line._Line):
    def _show(self, bundle):
        super()._show(bundle)
        seen.append(bundle.get("text/plain", ""))
progress_line._Line, progress_line.PATIENCE, progress_line.PACE = Seen, 0.0, 0.0
reports = chapter.export("../exports", dpi=72)
print(f"{len(seen) > 2}, then {seen[-1]!r}")
"""
LONG = """
def long(progress):
    step = 0
    while True:
        progress(f"Page {step}", min(step, 9), 10)
        step += 1
job = lk.start(long)
job
"""
WAIT = """
try:
    job.result(60)
except lk.LanternError as error:
    print(type(error).__name__, job.state)
"""


@pytest.fixture
def notebook(lab: Lab, ws: Workspace) -> str:
    return lab.write(f"{ws.path.name}/notebooks/jobs.ipynb", OPEN, LINE, LONG, WAIT)


def test_a_line_comes_and_goes_and_a_job_is_stopped_while_a_cell_waits_for_it(
    lab: Lab, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
    page.get_by_test_id("job-stop").click()
    page.wait_for_selector("[data-testid=job][data-state=stopped]")
    page.get_by_text("Stopped stopped", exact=True).wait_for()
    assert page.get_by_text("True, then ''", exact=True).count() == 1
    assert page.locator("progress:visible").count() == 0
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    saved = nbformat.read(lab.folder / notebook, 4)
    assert saved.cells[1].outputs[0].data == {}  # nothing of the line
    assert saved.cells[2].outputs[0].data["text/plain"].startswith("long · stopped")
