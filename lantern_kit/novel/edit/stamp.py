"""Who does something to a novel, when, and in which turn: what the pure functions are told of the world."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.kernel.ids import IdSource
from lantern_kit.novel.errors import NovelPaused, NovelStaleUnit
from lantern_kit.novel.model import Intent, Status, WorkKind
from lantern_kit.novel.whole import Novel


@dataclass(frozen=True)
class Stamp:
    """The world, as far as an edit may know it."""

    at: int
    """Milliseconds since 1970."""
    by: str
    """Whose deed it is."""
    ids: IdSource
    turn: str = ""
    """The author's turn; empty for people and the kit."""


def require_work(novel: Novel, stamp: Stamp, *kinds: WorkKind) -> Intent:
    """The work that is asked for, if a deed of these kinds belongs to it and to this turn.

    Raises NovelPaused, NovelStaleUnit.
    """
    intent = novel.head.run.intent
    require_active(novel)
    if intent is None or intent.kind not in kinds or intent.turn != stamp.turn or not stamp.turn:
        raise NovelStaleUnit(
            "this is not the work that is asked for now",
            expected="no work" if intent is None else f"{intent.kind.value} ({intent.id})",
            found=" or ".join(kind.value for kind in kinds),
            ids=[] if intent is None else [intent.id],
        )
    return intent


def require_active(novel: Novel) -> None:
    """Refuse what authors may not do while the novel is paused or completed. Raises NovelPaused."""
    run = novel.head.run
    if run.status is not Status.ACTIVE:
        pause = run.pause
        raise NovelPaused(
            f"the novel is {run.status.value}" if pause is None else f"the novel is paused: {pause.told}",
            expected=Status.ACTIVE.value,
            found=run.status.value if pause is None else pause.reason.value,
            ids=[novel.head.id],
        )
