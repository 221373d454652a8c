"""Acting a scene out by its people before it is written: counted, bounded, and never canon (seed 004, 8.1)."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.edit import work
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.model import Person, Reason, WorkKind
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.whole import Novel


def begin(novel: Novel, people: Sequence[str], rounds: int, stamp: Stamp) -> tuple[Novel, tuple[Person, ...]]:
    """Count one more deduction by some people. Nothing of what they will say becomes part of the novel.

    Raises NovelPaused, NovelStaleUnit, NotFound, BadInput (too many people or rounds), WrongState (all are used up).
    """
    most = novel.config.limits.deductions
    if not 1 <= len(people) <= most.characters or len(set(people)) != len(people):
        raise BadInput(
            "a deduction is acted by some people, each once",
            expected=f"1 to {most.characters} people",
            found=len(people),
        )
    require_round(novel, rounds)
    acting = tuple(novel.person(person) for person in people)
    return work.deduced(novel, stamp), acting


def require_round(novel: Novel, number: int) -> None:
    """Refuse more rounds than a deduction may have. Raises BadInput."""
    most = novel.config.limits.deductions.rounds
    if not 1 <= number <= most:
        raise BadInput("a deduction has a few rounds", expected=f"1 to {most}", found=number)


def given_up(novel: Novel, people: Sequence[str], stamp: Stamp) -> Novel:
    """The novel, paused because some people of a deduction failed however often they were asked."""
    require_work(novel, stamp, *WorkKind)
    told = f"A deduction failed for {len(people)} of its people, however often they were asked."
    halt = Halt(told, Reason.EXTERNAL, tuple(people), "Look at what the author's host says of it, then resume.")
    return work.paused(novel, halt, stamp)
