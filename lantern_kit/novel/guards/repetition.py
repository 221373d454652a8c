"""How much a chapter repeats itself: the share of its word runs that are new, and runs that go round in circles."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lantern_kit.novel.finding import Finding, Severity

_TOKEN = re.compile(r"[㐀-鿿豈-﫿\U00020000-\U0003ffff぀-ヿ]|[^\W_]+(?:['’][^\W_]+)*")
"""A Han or kana character, or a word."""
LEAST = 200
"""Tokens below which shares say nothing."""
POOR = 0.75
"""Share of new runs of four tokens below which a chapter is noted."""
_LONGEST, _TURNS, _ROUND = 60, 3, 12
"""Tokens of one turn of a loop at most, turns, and tokens of all turns at least."""


@dataclass(frozen=True)
class Loop:
    """A run of words that comes several times in a row."""

    paragraph: int
    """In which it begins, from 0."""
    words: str
    """One turn of it, shortened."""
    times: int


@dataclass(frozen=True)
class Repetition:
    """How much some prose repeats itself."""

    tokens: int
    """Words; of Han and kana, characters."""
    distinct: tuple[float, float, float, float]
    """Share of different ones among all runs of one, two, three and four tokens; 1.0: nothing comes twice."""
    loops: tuple[Loop, ...]


def chapter_repetition(paragraphs: Sequence[str]) -> Repetition:
    """How much the paragraphs of a chapter repeat themselves."""
    words: list[str] = []
    starts: list[int] = []
    for paragraph in paragraphs:
        starts.append(len(words))
        words += _TOKEN.findall(paragraph.casefold())
    if not words:
        return Repetition(0, (1.0, 1.0, 1.0, 1.0), ())
    numbers = np.unique(np.array(words, dtype=object), return_inverse=True)[1].astype(np.int64)
    one, two, three, four = (_distinct(numbers, size) for size in (1, 2, 3, 4))
    return Repetition(len(words), (one, two, three, four), _loops(words, numbers, starts))


def repetition_findings(before: Sequence[str], written: Sequence[str]) -> list[Finding]:
    """What is noticed in a chapter with its newest prose; paragraphs count within that.

    Args:
        before: the chapter's paragraphs so far.
    """
    own = chapter_repetition(written)
    found = [
        Finding(
            "repetition.loop",
            Severity.NOTE,
            f"“{loop.words}” comes {loop.times} times in a row",
            (),
            loop.paragraph,
        )
        for loop in own.loops
    ]
    whole = chapter_repetition([*before, *written])
    if whole.tokens >= LEAST and whole.distinct[3] < POOR:
        told = f"{1 - whole.distinct[3]:.0%} of the chapter's runs of four words came before in it"
        found.append(Finding("repetition.poor", Severity.NOTE, told, (), 0))
    return found


def _distinct(numbers: np.ndarray[tuple[int], np.dtype[np.int64]], size: int) -> float:
    count = len(numbers) - size + 1
    if count < 1:
        return 1.0
    made = np.zeros(count, np.uint64)
    for at in range(size):
        made = made * np.uint64(1_099_511_628_211) + numbers[at : at + count].astype(np.uint64) + np.uint64(1)
    return float(len(np.unique(made)) / count)


def _loops(
    words: Sequence[str], numbers: np.ndarray[tuple[int], np.dtype[np.int64]], starts: Sequence[int]
) -> tuple[Loop, ...]:
    """Loops from the first on; of several at one place that with the shortest turn."""
    found: dict[int, Loop] = {}
    taken = np.zeros(len(words), bool)
    for size in range(1, min(_LONGEST, len(words) // _TURNS) + 1):
        same = np.concatenate([[False], numbers[size:] == numbers[:-size], [False]]).astype(np.int8)
        edges = np.flatnonzero(np.diff(same))
        for first, last in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
            length = last - first + size
            times = length // size
            if times < _TURNS or length < _ROUND or taken[first : first + length].any():
                continue
            taken[first : first + length] = True
            paragraph = int(np.searchsorted(starts, first, side="right")) - 1
            found[first] = Loop(paragraph, " ".join(words[first : first + size])[:60], times)
    return tuple(found[first] for first in sorted(found))
