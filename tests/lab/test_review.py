"""A review in a real JupyterLab: the verdict, what a reload keeps, and where a passphrase never is."""

from __future__ import annotations

from typing import Any

import pytest

from lantern_kit import Workspace
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from tests.lab.server import READY, Lab, run_all

pytestmark = pytest.mark.lab

OPEN = "import lantern_kit as lk\nws = lk.open_workspace('..')"
PASSPHRASE = "a lantern in the fog"
AGENT = Actor.agent("claude-code")


@pytest.fixture
def notebook(lab: Lab, ws: Workspace) -> str:
    """A notebook that shows an agent's proposal: two pages, the second with a frame."""
    ws.enrol("ann", PASSPHRASE)
    chapter = ws.comics.chapters()[0].id
    operations: list[dict[str, Any]] = [
        {"op": "unit.add", "as": "one", "args": {"kind": "page", "name": "One"}},
        {"op": "unit.add", "as": "two", "args": {"kind": "page", "name": "Two"}},
        {"op": "frame.add", "target": "@two", "args": {"rect": [10, 10, 60, 60]}},
    ]
    with ws.journal.write() as connection:
        draft, moment = ws.drafts.begin(connection, chapter, title="try", actor=AGENT)
    expected = moment.revision.number
    planned = ws.drafts.plan(draft.id, expected, operations)
    with ws.journal.write() as connection:
        ws.drafts.commit(connection, draft.id, planned, expected, operations, message="two pages", actor=AGENT)
    head = ws.drafts.head(draft.id).revision.number
    with ws.journal.write() as connection:
        ws.proposal_service.freeze(connection, draft.id, head, summary="Two pages", actor=AGENT)
    return lab.write(f"{ws.path.name}/notebooks/review.ipynb", OPEN, "review = lk.ProposalReview('p1', ws)\nreview")


def save(page: Any) -> None:
    page.evaluate("() => jupyterapp.commands.execute('docmanager:save')")
    page.wait_for_function("() => !jupyterapp.shell.currentWidget.context.model.dirty")


def test_a_verdict_given_in_a_notebook_leaves_its_passphrase_nowhere(
    lab: Lab, ws: Workspace, notebook: str, page: Any
) -> None:
    lab.open(page, notebook)
    run_all(page)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    boxes = page.locator("[data-testid=review-part] input[type=checkbox]")
    boxes.last.click()
    page.locator("[data-testid=review-reason]").fill("no frame yet")
    page.locator("[data-testid=review-tally]", has_text="left out").wait_for()
    page.locator("[data-testid=review][data-kept=true]").wait_for()
    save(page)
    page.reload()
    page.wait_for_function(READY, timeout=60_000)
    page.locator("[data-testid=review-apply]:enabled").wait_for()
    assert page.locator("[data-testid=review-reason]").input_value() == "no frame yet", "choices survive a reload"

    page.locator("[data-testid=review-apply]:enabled").click()
    page.get_by_test_id("review-passphrase").fill("certainly wrong words")
    page.get_by_test_id("review-give").click()
    page.get_by_test_id("review-wrong").wait_for()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-hold").check()
    page.get_by_test_id("review-give").click()
    page.locator("[data-testid=review-decided][data-state=applied]").wait_for()
    save(page)

    book = ChapterWork(ws, ws.comics.chapters()[0].id).book
    assert [len(unit.objects) for unit in book.units()] == [0, 0]
    assert ws.verify().clean
    kept = {file: file.read_bytes() for root in (lab.folder, lab.home) for file in root.rglob("*") if file.is_file()}
    assert any(b"no frame yet" in data for data in kept.values()), "the search sees what was kept"
    for file, data in kept.items():
        for secret in (PASSPHRASE, "certainly wrong words"):
            assert secret.encode() not in data, file
