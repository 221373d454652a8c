"""How much prose there is to be: for a unit, a chapter and the whole, as things stand (seed 004, 7.2)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lantern_kit.novel.model import MILLION, Chapter, ChapterState, SceneState, Target
from lantern_kit.novel.whole import Novel, committed

_CHARACTERS_A_SCENE = 1_200
"""Aimed at where neither a length nor a plan says anything."""


@dataclass(frozen=True)
class Room:
    """Effective characters: aimed at, and still allowed."""

    low: int
    high: int
    hard: int | None
    """The most before the hard maximum; None: no such limit."""


def left(novel: Novel) -> Room | None:
    """What is left of the whole's length; None where none is aimed at."""
    length = novel.config.length
    if not isinstance(length, Target):
        return None
    done = novel.head.characters
    hard = None if length.hard_maximum is None else max(0, length.hard_maximum - done)
    return Room(max(0, length.low - done), max(0, length.high - done), hard)


def planned(novel: Novel, chapter: Chapter) -> int:
    """The length of a chapter, as things stand: its part of what is left, by what chapters were planned with.

    What earlier chapters took too much or too little is borne by all that are not completed. Chapters that were
    planned without a length share what the others leave, and the last of them keeps at least the ending's share.
    """
    length = novel.config.length
    if chapter.completion is not None:
        return _written(novel, chapter)
    if not isinstance(length, Target):
        return chapter.characters or _CHARACTERS_A_SCENE * max(1, len(chapter.scenes))
    waiting = [item for item in novel.chapters.values() if item.completion is None]
    done = sum(_written(novel, item) for item in novel.chapters.values() if item.completion is not None)
    whole = max(0, length.characters - done)
    parts = _parts(waiting, whole, length.characters * novel.config.shares.ending // MILLION)
    return max(1, whole * parts[chapter.id] // sum(parts.values()))


def _parts(waiting: Sequence[Chapter], whole: int, ending: int) -> dict[str, int]:
    """How chapters that are not completed share a length, each at least 1."""
    parts = {item.id: item.characters for item in waiting if item.characters}
    free = [item.id for item in waiting if not item.characters]
    rest = whole - sum(parts.values())
    if free and rest < len(free):  # the planned ones take it all: the others are as long as they are
        rest = len(free) * max(1, sum(parts.values()) // max(1, len(parts)))
    if len(free) > 1 and free[-1] == waiting[-1].id:
        last = free.pop()
        parts[last] = min(max(ending, rest // (len(free) + 1)), rest - len(free))
        rest -= parts[last]
    return {**parts, **{name: max(1, rest // len(free)) for name in free}}


def unit_room(novel: Novel, chapter: Chapter) -> Room:
    """How long the chapter's next unit is to be: a fair part of what its chapter still has room for.

    A chapter that is past its length still gets a tenth of it, to come to its end in.
    """
    whole, most = left(novel), planned(novel, chapter)
    waiting = [scene for scene in chapter.scenes if scene.state is not SceneState.DONE]
    rest = max(most - _written(novel, chapter), most // 10)
    fair = max(1, rest // max(1, len(waiting)))
    shares = novel.config.shares
    high = min(novel.config.unit_maximum, max(1, fair * shares.high // MILLION))
    low = min(high, fair * shares.low // MILLION)
    hard = None if whole is None else whole.hard
    if hard is not None:
        high, low = max(1, min(high, hard)), min(low, hard)
    return Room(low, high, hard)


def _written(novel: Novel, chapter: Chapter) -> int:
    if chapter.state is ChapterState.PLANNED:
        return 0
    return sum(committed(unit).characters for unit in novel.units_of(chapter.id))
