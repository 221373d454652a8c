"""How whole words stay: phrases first, at a smaller size if need be; torn only where nothing else is worth having."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto

from lantern_kit.comic.balloons.room import Room
from lantern_kit.comic.model import TextStyle
from lantern_kit.comic.typeset.block import Row
from lantern_kit.comic.typeset.breaking import IN_PHRASE, IN_WORD
from lantern_kit.comic.typeset.composing import Words
from lantern_kit.comic.typeset.fitting import Fitting

LONG_PHRASES, WORDS = 0.9, 0.4
"""Whole long phrases, and whole words, are had down to these shares of the size at which all may be torn."""
LOOSENED = (1.0, 0.4)
"""Words longer than these shares of the longest line are broken when nothing else fits."""

Found = tuple[Fitting, float, list[Row]]
"""The search in which lines were found, their size, and the lines."""


class Keep(Enum):
    """What stays on one line."""

    SIZE = auto()
    """Phrases, unless they would become too small beside torn ones."""
    PHRASES = auto()
    """Phrases, down to the smallest size."""
    LINES = auto()
    """Lines as they are written."""


def fitted(words: Words, style: TextStyle, free: Room, slack: float, keep: Keep) -> Found:
    """The words shared out over lines at their size; at the smallest, standing over, when they do not fit.

    Args:
        words: the text, with every line end there may be.
        style: its size, and the smallest.
        free: the room; for columns turned.
        slack: how far marks may hang out of it, in micrometres.
        keep: what is not torn.

    Returns:
        The search the lines were found in (its ``overflow`` says that nothing fits), the size, and the lines.
    """

    def tried(some: Words) -> Found | None:
        search = Fitting(some, style, free, slack)
        found = search.rows()
        return None if found is None else (search, *found)

    least = float(min(style.smallest, style.size) if style.fit else style.size)
    if keep is Keep.LINES:
        lines = words.kept(0.0)
        return tried(lines) or _spilt(Fitting(lines, style, free, slack))
    found = _whole(words, style, tried, keep)
    for share in LOOSENED:
        if found is None:
            loose = words.loosened(share * free.width / least)
            found = None if loose is words else tried(loose)
    if found is None:
        found = _spilt(Fitting(words.loosened(free.width / least), style, free, slack))
    return found


def _whole(words: Words, style: TextStyle, tried: Callable[[Words], Found | None], keep: Keep) -> Found | None:
    """Phrases whole if they can be; else words; else whatever fits."""
    torn: Found | None = None
    parts = words.kept(IN_WORD)
    for some, enough in ((words.kept(IN_PHRASE), LONG_PHRASES), (parts, WORDS), (words, 0.0)):
        found = torn if some is words and torn is not None else tried(some)
        if found is None:
            continue
        if len(some.pieces) == len(parts.pieces):
            enough = min(enough, WORDS)
        if keep is Keep.PHRASES or some is words or found[1] >= enough * style.size:
            return found
        torn = torn or tried(words)
        if torn is None or found[1] >= enough * torn[1]:
            return found
    return None


def _spilt(search: Fitting) -> Found:
    search.overflow = True
    return search, search.least, search.spill(search.least)
