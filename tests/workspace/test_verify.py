"""The whole-workspace check on a work with drafts, proposals and verdicts."""

from __future__ import annotations

import sqlite3

import pytest

from lantern_kit.comic.audit import verify_decisions
from lantern_kit.comic.work.comic import ChapterWork
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.verify import Report, verify_kernel
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.kernel.damage import undetected
from tests.workspace.test_proposals import proposed

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
