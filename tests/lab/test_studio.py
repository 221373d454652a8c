"""The studio's promises, in a real JupyterLab: the shipped review, annotations between a person and an agent."""

from __future__ import annotations

import json
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.client import Client
from mcp.client.stdio import StdioServerParameters, stdio_client

from lantern_kit import Workspace
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.actor import Actor
from tests.lab.server import READY, Lab, run_all

pytestmark = pytest.mark.lab

PASSPHRASE = "a lantern in the fog"
AGENT = Actor.agent("claude-code")
MODES = ("side", "swipe", "blink", "onion", "difference")


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    """A page with a frame and a balloon."""
    made = ws.works()[0].chapter(1)
    with made.edit("one page") as edit:
        frame = edit.add_page(name="One").add_frame(rect=(6, 6, 93, 136))
        frame.say("Is that… mine?", at=(50, 30), speaker="Chelsea", tail=(40, 60))
    return made


def propose(ws: Workspace, chapter: ChapterWork) -> None:
    """An agent rewords the balloon and adds another."""
    frame, balloon = (item.id for item in chapter[0].model.objects)
    operations: list[dict[str, Any]] = [
        {"op": "balloon.set", "target": balloon, "args": {"text": "It is mine."}},
        {"op": "balloon.add", "target": frame, "args": {"text": "It is not.", "at": [50, 100], "tail": [60, 120]}},
    ]
    with ws.journal.write() as connection:
        draft, moment = ws.drafts.begin(connection, chapter.id, title="words", actor=AGENT)
    head = moment.revision.number
    planned = ws.drafts.plan(draft.id, head, operations)
    with ws.journal.write() as connection:
        done = ws.drafts.commit(connection, draft.id, planned, head, operations, message="words", actor=AGENT)
    with ws.journal.write() as connection:
        number = done.moment.revision.number
        ws.proposal_service.freeze(connection, draft.id, number, summary="Whose is it?", actor=AGENT)


def test_the_shipped_review_is_read_looked_at_in_every_way_and_applied_without_one_object(
    lab: Lab, ws: Workspace, chapter: ChapterWork, page: Any
) -> None:
    ws.enrol("ann", PASSPHRASE)
    propose(ws, chapter)
    ws.copy_notebooks()
    lab.open(page, f"{ws.path.name}/notebooks/02-review.ipynb")
    run_all(page)
    parts = page.get_by_test_id("review-part")
    parts.first.wait_for()
    assert "It is mine." in " ".join(parts.all_inner_texts())
    for number, mode in enumerate(MODES):
        page.get_by_test_id("review-modes").get_by_role("radio").nth(number).click()
        page.locator(f"[data-testid=viewer][data-mode={mode}]").wait_for()
    unwanted = page.locator("[data-testid=review-part]", has_text="It is not.")
    unwanted.locator("input[type=checkbox]").click()
    unwanted.get_by_test_id("review-reason").fill("nobody says that")
    page.locator("[data-testid=review-tally]", has_text="left out").wait_for()
    page.locator("[data-testid=review-apply]:enabled").click()
    page.get_by_test_id("review-passphrase").fill(PASSPHRASE)
    page.get_by_test_id("review-give").click()
    page.locator("[data-testid=review-decided][data-state=applied]").wait_for()
    said = [item.text for item in chapter[0].model.objects if isinstance(item, Balloon)]
    assert said == ["It is mine."]
    assert len(chapter.snapshots()) == 1
    report = ws.verify()
    assert report.clean
    assert report.checked["approvals"] == 1


def read_by_a_client(ws: Workspace, chapter: str) -> dict[str, Any]:
    """What an agent at a real server of its own reads of a chapter's annotations."""

    async def ask() -> dict[str, Any]:
        command = [sys.executable, "-m", "lantern_kit.mcp_server", str(ws.path)]
        server = StdioServerParameters(command=command[0], args=command[1:])
        async with Client(stdio_client(server)) as client:
            answer = await client.call_tool("annotations", {"action": "list", "chapter": chapter})
        found: dict[str, Any] = json.loads(answer.content[0].text)
        return found

    with ThreadPoolExecutor(1) as beside:  # the browser's loop runs in this thread
        return beside.submit(anyio.run, ask).result()


def test_an_annotation_written_in_the_browser_is_read_by_an_mcp_client_and_its_fate_is_shown_back(
    lab: Lab, ws: Workspace, chapter: ChapterWork, page: Any
) -> None:
    opening = "import lantern_kit as lk\nchapter = lk.open_workspace('..').works()[0].chapter(1)"
    lab.open(page, lab.write(f"{ws.path.name}/notebooks/notes.ipynb", opening, "lk.AnnotationPanel(chapter)"))
    run_all(page)
    page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
    page.get_by_test_id("notes-write").click()
    page.get_by_test_id("viewer-canvas").click()
    page.get_by_test_id("notes-aim").wait_for()
    page.get_by_test_id("notes-body").fill("Leave more air here.")
    page.get_by_test_id("notes-save").click()
    page.get_by_test_id("notes-card").wait_for()
    assert "Leave more air here." in json.dumps(read_by_a_client(ws, chapter.id))
    (note,) = chapter.annotations()
    with chapter.edit("more air") as edit:
        edit[note.references[0].target].reshape(rect=(16, 16, 70, 110))
    page.locator("[data-testid=notes-reference][data-resolution=changed]").wait_for()


def test_a_server_that_is_gone_is_said_and_what_was_seen_stays(
    ws: Workspace, chapter: ChapterWork, browser: Any, tmp_path: Path
) -> None:
    (tmp_path / "home").mkdir()
    own = Lab(ws.path, tmp_path / "home").start()
    context = browser.new_context()
    try:
        page = context.new_page()
        opening = "import lantern_kit as lk\nchapter = lk.open_workspace('..').works()[0].chapter(1)"
        own.open(page, own.write("notebooks/gone.ipynb", opening, "lk.PageView(chapter)"))
        run_all(page)
        page.wait_for_selector("[data-testid=viewer-canvas][data-whole=true]")
        page.wait_for_function(READY)
        own.stop()
        badge = page.get_by_test_id("link-badge")
        badge.wait_for(timeout=60_000)
        assert "kernel" in badge.inner_text()
        assert page.get_by_test_id("viewer-canvas").is_visible()
        assert page.get_by_test_id("page-annotate").is_disabled()
    finally:
        context.close()
        own.stop()
