"""``%load_ext lantern_kit`` in a real JupyterLab: what the page itself adds to it."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit import Workspace
from tests.lab.server import Lab, run_all
from tests.notebook.conftest import PASSPHRASE, balloon, propose

pytestmark = pytest.mark.lab

OPEN = (
    "%load_ext lantern_kit\nimport lantern_kit as lk\nws = lk.open_workspace('..')\nchapter = ws.works()[0].chapter(1)"
)


@pytest.fixture
def work(ws: Workspace) -> Workspace:
    """A page with a balloon, a proposal for other words in it, and Ann's key."""
    ws.enrol("ann", PASSPHRASE)
    with ws.works()[0].chapter(1).edit("one page") as edit:
        edit.add_page().add_frame(rect=(6, 6, 93, 136)).say("Is that… mine?", at=(50, 30), speaker="Chelsea")
    propose(ws)
    return ws


def test_a_verdict_is_typed_into_the_page(lab: Lab, work: Workspace, page: Any) -> None:
    name = lab.write(f"{work.path.name}/notebooks/decide.ipynb", OPEN, "%lantern apply p1 --reason funnier")
    lab.open(page, name)
    page.evaluate("() => void jupyterapp.commands.execute('notebook:run-all-cells')")
    box = page.locator("input.jp-Stdin-input:not([type=password])")
    box.wait_for()
    box.fill("y")
    box.press("Enter")
    secret = page.locator("input.jp-Stdin-input[type=password]")
    secret.wait_for()
    secret.fill(PASSPHRASE)
    secret.press("Enter")
    page.get_by_text("Applied p1").wait_for()
    assert balloon(work).text == "It is mine."
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")
    assert PASSPHRASE not in (lab.folder / name).read_text()


def test_a_chapter_shows_its_live_page_and_a_tab_offers_tables_and_ids(lab: Lab, work: Workspace, page: Any) -> None:
    name = lab.write(f"{work.path.name}/notebooks/tab.ipynb", OPEN, "chapter", "")
    lab.open(page, name)
    run_all(page)
    page.locator("[data-testid^=page-]").first.wait_for()
    editor = page.locator(".jp-Notebook-cell .cm-content").last
    for typed, wanted in (("%lantern show ", "p1proposal"), ("%%lantern_sql\nselect * from rev", "revisionstable")):
        editor.click()
        page.keyboard.press("Control+A")
        page.keyboard.insert_text(typed)
        page.keyboard.press("Tab")
        first = page.locator(".jp-Completer-item").first
        first.wait_for()
        assert first.inner_text().replace("\n", "").endswith(wanted)
        page.keyboard.press("Escape")
        first.wait_for(state="hidden")
