"""Long actions on a workspace: what they report, and that they can be stopped wherever they do."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import Stopped
from lantern_kit.kernel.progress import Progress
from lantern_kit.keys import UnlockedKey
from lantern_kit.workspace import Workspace
from tests.workspace.test_proposals import proposed

Told = list[tuple[str, int, int]]


def everything(action: Callable[[Progress], object]) -> Told:
    """All that an action reports."""
    told: Told = []
    action(lambda what, done, total: told.append((what, done, total)))
    return told


def stopping(at: int) -> Progress:
    """One who stops an action at its report of this number."""
    left = at

    def tell(what: str, done: int, total: int) -> None:
        nonlocal left
        if not left:
            raise Stopped(f"stopped at {what}")
        left -= 1

    return tell


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Loops report every step, however short."""
    monkeypatch.setattr("lantern_kit.kernel.progress.PACE", 0.0)
    monkeypatch.setattr("lantern_kit.kernel.engine.PACE", 0.0)
    monkeypatch.setattr("lantern_kit.kernel.engine.LOOK_EVERY", 50)


@pytest.fixture
def decided(ws: Workspace, chapter: ChapterWork, me: UnlockedKey) -> Workspace:
    """Something of everything: a proposal applied without a part, one that waits, an annotation."""
    ws.proposals[proposed(ws, chapter, "It is mine.").id].apply(me)
    proposed(ws, chapter, "Is it?")
    chapter.annotate("Softer.", on=chapter[0].id)
    return ws


# verify


def test_a_check_reports_each_of_its_parts_to_its_end(decided: Workspace) -> None:
    told = everything(decided.verify)
    parts = dict.fromkeys(what for what, _, _ in told)
    assert {"file", "documents", "revisions", "trees", "blobs", "assets", "annotations", "approvals"} <= {*parts}
    count = decided.verify().checked["revisions"]
    last = {what: (done, total) for what, done, total in told}
    assert [what for what, (done, total) in last.items() if done != total] == []
    assert last["revisions"] == (count, count)


def test_a_check_can_be_stopped_at_any_of_its_reports(decided: Workspace) -> None:
    count = len(everything(decided.verify))
    for at in range(count):
        with pytest.raises(Stopped):
            decided.verify(stopping(at))
    assert decided.verify().clean
