"""How characters stand in a column (UAX #50, JLREQ 3.2.5): upright, turned, or several in one place."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from lantern_kit.comic.typeset import characters as kind


class Standing(Enum):
    """How something stands."""

    FLAT = auto()
    """In a line, not in a column."""
    UPRIGHT = auto()
    """In the column form the font has for it."""
    TRANSFORMED = auto()
    """In that form, or turned when the font has none."""
    TURNED = auto()
    """Set as in a line, and turned a quarter clockwise."""
    ONE_PLACE = auto()
    """Several side by side in one place (tate-chu-yoko)."""


FLAT, UPRIGHT, TRANSFORMED = Standing.FLAT, Standing.UPRIGHT, Standing.TRANSFORMED
TURNED, ONE_PLACE = Standing.TURNED, Standing.ONE_PLACE


def standings(
    text: str, wide: Sequence[bool], shown: list[str], asked: Sequence[tuple[int, int, str]], combine: int
) -> dict[int, tuple[int, Standing]]:
    """How what begins at each place stands, and where it ends when several characters share one place.

    Args:
        text: the words.
        wide: which of them are full width.
        shown: what is shown for each; marks that share a place become slim.
        asked: stretches that a person wants in one place (``tcy``) or ``upright``.
        combine: so many digits at most share one place.
    """
    found: dict[int, tuple[int, Standing]] = {}
    at = 0
    while at < len(text):
        character = text[at]
        if character == "\n":
            at += 1
        elif wide[at] or kind.is_hangul(character):
            at = _full(text, at, wide, shown, found, combine)
        elif character.isspace():
            found[at] = (at + 1, TURNED)
            at += 1
        else:
            at = _narrow(text, at, wide, found, combine)
    for start, end, column in asked:
        if column == "upright":
            found.update({place: (place + 1, UPRIGHT) for place in range(start, end)})
        elif text[start:end].strip():
            found[start] = (end, ONE_PLACE)
    return found


def _full(
    text: str,
    at: int,
    wide: Sequence[bool],
    shown: list[str],
    found: dict[int, tuple[int, Standing]],
    combine: int,
) -> int:
    end = at
    while end < len(text) and text[end] in kind.NARROW:
        end += 1
    if end > at:
        pairs = combine and (end - at) % 2 == 0
        for place in range(at, end, 2 if pairs else 1):
            found[place] = (place + 2, ONE_PLACE) if pairs else (place + 1, UPRIGHT)
        if pairs:
            shown[at:end] = [kind.NARROW[c] for c in text[at:end]]
        return end
    how = kind.orientation(shown[at])
    found[at] = (at + 1, {"R": TURNED, "Tr": TRANSFORMED}.get(how, UPRIGHT))
    return at + 1


def _narrow(text: str, at: int, wide: Sequence[bool], found: dict[int, tuple[int, Standing]], combine: int) -> int:
    """A stretch of letters, digits and their marks, without spaces."""
    end = at
    while end < len(text) and not (wide[end] or text[end].isspace() or kind.is_hangul(text[end])):
        end += 1
    core = end
    while core > at and text[core - 1] in "!?":
        core -= 1
    words = text[at:core]
    alone = not (_letters_beside(text, at, wide, -1) or _letters_beside(text, end, wide, 1))
    digits = words.isascii() and words.isdigit()
    shared = alone and digits and 2 <= len(words) <= combine
    if shared:
        found[at] = (core, ONE_PLACE)
    single = alone and len(words) == 1
    for place in range(at, core):
        how = kind.orientation(text[place])
        if not shared:
            found[place] = (place + 1, UPRIGHT if single or how in ("U", "Tu") else TURNED)
    if words and not (shared or single):
        found.update({place: (place + 1, TURNED) for place in range(core, end)})
    elif (end - core) % 2 == 0 and combine:
        found.update({place: (place + 2, ONE_PLACE) for place in range(core, end, 2)})
    else:
        found.update({place: (place + 1, UPRIGHT) for place in range(core, end)})
    return end


def _letters_beside(text: str, at: int, wide: Sequence[bool], step: int) -> bool:
    """Whether, past spaces, letters or digits stand on that side of a place."""
    place = at if step > 0 else at - 1
    start = place
    while 0 <= place < len(text) and text[place].isspace() and text[place] not in "\n\u3000":
        place += step
    return place != start and 0 <= place < len(text) and not wide[place] and kind.is_letter(text[place])
