"""How much prose there is to be: for a unit, a chapter and the whole, as things stand (seed 004, 7.2)."""

from __future__ import annotations

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
    """The length of a chapter: as planned, else its fair part of what is left, the ending's share kept back."""
    if chapter.characters:
        return chapter.characters
    length = novel.config.length
    if not isinstance(length, Target):
        return _CHARACTERS_A_SCENE * max(1, len(chapter.scenes))
    waiting = [item for item in novel.chapters.values() if item.state is not ChapterState.COMPLETED]
    last = waiting[-1:] == [chapter]
    written = sum(_written(novel, item) for item in novel.chapters.values() if item.state is ChapterState.COMPLETED)
    whole = max(0, length.characters - written - sum(item.characters for item in waiting))
    ending = length.characters * novel.config.shares.ending // MILLION
    unplanned = [item for item in waiting if not item.characters]
    if len(unplanned) == 1:
        return max(1, whole)
    if last:
        return max(1, ending, whole // len(unplanned))
    kept = max(ending, whole // len(unplanned)) if not waiting[-1].characters else 0
    rest = len(unplanned) - (1 if kept else 0)
    return max(1, (whole - kept) // max(1, rest))


def unit_room(novel: Novel, chapter: Chapter) -> Room:
    """How long the chapter's next unit is to be: a fair part of what its chapter still has room for."""
    waiting = [scene for scene in chapter.scenes if scene.state is not SceneState.DONE]
    rest = max(0, planned(novel, chapter) - _written(novel, chapter))
    fair = max(1, rest // max(1, len(waiting)))
    shares, whole = novel.config.shares, left(novel)
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
