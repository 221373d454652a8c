"""The whole-workspace check on a work with drafts, proposals and verdicts."""

from __future__ import annotations

import sqlite3
from contextlib import closing

import pytest

from lantern_kit.comic.audit import verify_decisions
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.verify import Report, verify_kernel
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.kernel.damage import undetected
from tests.workspace.test_proposals import balloon, begin, edit, freeze, proposed, say

TABLES = ("approvals", "key_events", "revisions", "changes", "documents", "lines")


@pytest.fixture
def decided(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> Workspace:
    """One proposal applied, one kept, one discarded."""
    for text, verdict in (("It is mine.", "apply"), ("Is it?", "keep"), ("It is not.", "discard")):
        proposal = ws.proposals[proposed(ws, chapter, text).id]
        getattr(proposal, verdict)(reviewer=me, reason="so be it")
    assert ws.verify().clean
    return ws


def check(ws: Workspace, driver: sqlite3.Connection) -> Report:
    report = Report()
    connection = Connection(driver)
    with connection.lenient():
        verify_kernel(connection, ws.blobs, ws.history, report)
        verify_decisions(connection, ws.id, report)
    return report


def missed(ws: Workspace, table: str, sample: int | None) -> list[object]:
    driver = sqlite3.connect(ws.journal.path, isolation_level=None)
    lost: list[object] = [*undetected(driver, table, lambda: not check(ws, driver).clean, sample)]
    assert check(ws, driver).clean, "a damage was not undone"
    driver.close()
    return lost


@pytest.mark.parametrize("table", TABLES)
def test_a_changed_byte_of_a_work_or_a_verdict_is_found(decided: Workspace, table: str) -> None:
    assert missed(decided, table, 60) == []


@pytest.mark.prove
@pytest.mark.parametrize("table", TABLES)
def test_every_changed_byte_of_a_work_or_a_verdict_is_found(decided: Workspace, table: str) -> None:
    assert missed(decided, table, None) == []


@pytest.mark.parametrize("damage", ["changed", "gone"])
def test_a_damaged_picture_is_named_by_its_title(ws: Workspace, chapter: ChapterWork, damage: str) -> None:
    (asset,) = ws.assets.find("Chelsea")
    name = asset.blob.hex()
    path = ws.path / "blobs" / name[:2] / name
    path.chmod(0o644)
    path.write_bytes(b"changed") if damage == "changed" else path.unlink()
    told = {item.id: item.message for item in ws.verify().problems}
    assert "“Chelsea”" in told[asset.id]


RECORDS = {
    "a chapter's title": "UPDATE chapters SET comic = comic || 'x'",
    "a chapter's number": "UPDATE chapters SET number = number + 1",
    "a chapter's row gone": "DELETE FROM chapters",
    "a draft's chapter": "UPDATE drafts SET chapter = 'ch_00000000' WHERE id = 2",
    "a draft's base": "UPDATE drafts SET base = base + 1 WHERE id = 2",
    "a draft's author": "UPDATE drafts SET actor = 'mina', actor_kind = 'person' WHERE id = 2",
    "a draft's title": "UPDATE drafts SET title = title || 'x' WHERE id = 2",
    "a draft's row gone": "DELETE FROM drafts WHERE id = 3",
    "an applied draft opened again": "UPDATE drafts SET state = 'open' WHERE id = 1",
    "a draft closed under its proposal": "UPDATE drafts SET state = 'discarded' WHERE id = 2",
    "a draft of no state": "UPDATE drafts SET state = 7 WHERE id = 2",
    "an applied proposal pending again": "UPDATE proposals SET state = 'pending', decided_at = NULL WHERE id = 1",
    "a discarded proposal pending again": "UPDATE proposals SET state = 'pending', decided_at = NULL WHERE id = 3",
    "a kept proposal applied": "UPDATE proposals SET state = 'applied' WHERE id = 2",
    "a kept proposal superseded": "UPDATE proposals SET state = 'superseded' WHERE id = 2",
    "the time of a verdict": "UPDATE proposals SET decided_at = decided_at + 1 WHERE id = 2",
    "another frozen revision": "UPDATE proposals SET frozen = (SELECT head FROM lines WHERE id = 'd3') WHERE id = 2",
    "another base": "UPDATE proposals SET base = 1 WHERE id = 2",
    "the summary of an applied proposal": "UPDATE proposals SET summary = 'harmless' WHERE id = 1",
    "fewer units than it touches": "UPDATE proposals SET units = '[]' WHERE id = 2",
    "units that cannot be read": "UPDATE proposals SET units = x'00' WHERE id = 2",
    "fewer changes than it makes": "UPDATE proposals SET changes = changes - 1 WHERE id = 2",
    "a summary that is no text": "UPDATE proposals SET summary = 5 WHERE id = 1",
    "a proposal gone": "DELETE FROM proposals WHERE id = 3",
    "the last verdict gone": "DELETE FROM approvals WHERE id = 3",
    "a verdict in the middle gone": "DELETE FROM approvals WHERE id = 2",
    "a saved version of another revision": "UPDATE snapshots SET revision = 1",
    "a saved version's title": "UPDATE snapshots SET title = 'mine'",
    "a saved version's person": "UPDATE snapshots SET actor = 'eve'",
    "a saved version gone": "DELETE FROM snapshots",
    "a placed picture's row gone": "DELETE FROM assets",
    "a placed picture's id": "UPDATE assets SET id = id || 'x'",
    "a picture that is the foreground of nothing": "UPDATE assets SET source_of = 'as_00000000', kind = 'foreground'",
}


@pytest.mark.parametrize("damage", RECORDS.values(), ids=RECORDS)
def test_a_record_that_contradicts_the_history_or_the_verdicts_is_found(decided: Workspace, damage: str) -> None:
    with closing(sqlite3.connect(decided.journal.path, isolation_level=None)) as driver:
        assert driver.execute(damage).rowcount > 0
    assert not decided.verify().clean


def test_drafts_thrown_away_and_proposals_superseded_agree_with_the_history(
    decided: Workspace, chapter: ChapterWork
) -> None:
    thrown = proposed(decided, chapter, "First.")
    with decided.journal.write() as connection:
        decided.drafts.discard(connection, f"d{thrown.draft}", actor=decided.owner)
    draft, head = begin(decided, chapter)
    for text in ("Second.", "Third."):
        head = edit(decided, draft, head, [say(balloon(chapter).id, text)]).moment.revision.number
        freeze(decided, draft, head)
    states = [item.state for item in reversed(decided.proposal_service.all())]
    assert states == ["applied", "kept", "discarded", "discarded", "superseded", "pending"]
    assert decided.verify().clean
