"""Claiming a unit: what was prepared is still right, and nobody else writes it (seed 004, 9.2, 10.4)."""

from __future__ import annotations

from lantern_kit.novel.edit.ledger import outline_moved
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.edit.work import with_attempt
from lantern_kit.novel.errors import NovelRevisionConflict, NovelStaleUnit
from lantern_kit.novel.model import Approval, Attempt, Unit, UnitState, WorkKind
from lantern_kit.novel.whole import Novel


def claim(
    novel: Novel, intent: str, unit: str, expected_outline: int, expected_watermark: int, stamp: Stamp
) -> tuple[Novel, Attempt]:
    """Claim the unit that is asked for, and get the token that commits it; asked again in one turn, the same one.

    Raises NovelPaused, NovelStaleUnit, NovelRevisionConflict, NotFound.
    """
    work = require_work(novel, stamp, WorkKind.WRITE_UNIT)
    held = novel.unit(unit)
    if work.id != intent or work.unit != unit:
        raise NovelStaleUnit(
            f"{unit} is not the unit that is asked for", expected=f"{work.unit} for {work.id}", ids=[unit, intent]
        )
    if held.state is UnitState.CLAIMED and held.attempts[-1].turn == stamp.turn:
        return novel, held.attempts[-1]
    if held.state is not UnitState.PREPARED:
        raise NovelStaleUnit(
            f"{unit} is {held.state.value}", expected=UnitState.PREPARED.value, found=held.state.value, ids=[unit]
        )
    head = novel.head
    if head.outline_revision != expected_outline or held.outline_revision != expected_outline:
        raise outline_moved(novel, expected_outline)
    if head.received > head.watermark or head.watermark != expected_watermark:
        raise NovelRevisionConflict(
            "instructions came in that are dealt with first",
            expected=f"watermark {expected_watermark}",
            found=f"{head.received} received, {head.watermark} dealt with",
            ids=[item.id for item in novel.open_instructions],
        )
    if novel.config.approval is Approval.MANUAL and not head.approved:
        raise NovelStaleUnit("the outline is not approved yet", ids=[unit])
    attempt = Attempt(
        id=stamp.ids.new("at"),
        token=stamp.ids.new("tk"),
        generation=head.generation,
        turn=stamp.turn,
        author=stamp.by,
        outline_revision=head.outline_revision,
        watermark=head.watermark,
        at=stamp.at,
        end=None,
        reason="",
    )
    return novel.put("units", with_attempt(held, attempt)).with_head(claimed=unit), attempt


def require_token(novel: Novel, unit: Unit, token: str, stamp: Stamp) -> Attempt:
    """The running attempt of a unit, if the token is its own and the turn that which claimed. Raises NovelStaleUnit."""
    attempt = unit.attempts[-1] if unit.attempts else None
    if attempt is None or unit.state is not UnitState.CLAIMED or novel.head.claimed != unit.id:
        raise NovelStaleUnit(
            f"{unit.id} is not claimed", expected=UnitState.CLAIMED.value, found=unit.state.value, ids=[unit.id]
        )
    if attempt.token != token or attempt.generation != novel.head.generation or attempt.turn != stamp.turn:
        raise NovelStaleUnit(
            "the token is no longer valid, or another turn's",
            expected=f"the token of generation {novel.head.generation}",
            found="another token" if attempt.token != token else f"a token of generation {attempt.generation}",
            ids=[unit.id],
        )
    return attempt
