"""How big a balloon or a caption should be for its words, before anything is typeset: a good guess, always the same.

The renderer fits the words into whatever shape they get; this only has to come near enough that they fit at full size.
"""

from __future__ import annotations

import math
import unicodedata

from lantern_kit.comic.geometry import bounds, safe_areas, surface_of
from lantern_kit.comic.model import MILLION, BalloonShape, Frame, Paper, Point, TextStyle, Unit
from lantern_kit.kernel.errors import BadInput

_LEADING = 1_150_000
_WIDE = 1.0  # em: ideographs, kana, full-width forms
_UPPER = 0.72
_LOWER = 0.54
_SPACE = 0.3
_THIN = 0.32
_ENDS = 0.15  # em: what ascenders and descenders take beyond the line pitch
_LEAST_EMS = 2.4  # a balloon with hardly any words still looks like one

# A long word alone would make a balloon like a sausage.
_FLATTEST = {BalloonShape.ELLIPSE: 2.2, BalloonShape.ROUNDED: 3.0, BalloonShape.BOX: 4.0}

# Room that an outline needs beyond the block of words. Lines in an ellipse are shorter at the top and bottom, so the
# block need not fit whole: between √2 (whole) and 1.
_ROOM = {BalloonShape.ELLIPSE: 1.32, BalloonShape.ROUNDED: 1.1, BalloonShape.BOX: 1.04}


def advance(text: str) -> float:
    """Width of a line of text in em, about right for any lettering font."""
    total = 0.0
    for character in text:
        if unicodedata.east_asian_width(character) in "WF":
            total += _WIDE
        elif character.isspace():
            total += _SPACE
        elif unicodedata.category(character) in {"Mn", "Me", "Cf"}:
            continue
        elif character.isupper() or character in "mwMW@%…—":
            total += _UPPER
        elif character in ".,;:!|'‘’\"“”`ijlI()[]":
            total += _THIN
        else:
            total += _LOWER
    return total


def block(text: str, style: TextStyle, ratio: float) -> tuple[int, int]:
    """Width and height of the words set at full size in lines that make a block of about ``ratio`` to 1."""
    lines = text.split("\n") or [""]
    widths = [advance(line) for line in lines]
    pitch = (style.leading or _LEADING) / MILLION
    longest = max((advance(word) for word in text.split() if not _breaks_anywhere(word)), default=0.0)
    area = sum(widths) * pitch
    wide = max(longest, math.sqrt(area * ratio), _LEAST_EMS / 1.5)
    if len(lines) > 1:
        wide = max(wide, *widths)
    wide = min(wide, max(*widths, longest, _LEAST_EMS / 1.5))
    rows = 0
    for width in widths:
        # Lines are never filled to the last bit: a word that does not fit goes to the next one.
        rows += max(1, math.ceil(width / wide * (1.08 if width > wide else 1.0) - 1e-9))
    bold = 1.06 if style.bold else 1.0
    return math.ceil(wide * bold * style.size), math.ceil((rows * pitch + _ENDS) * style.size)


def _breaks_anywhere(word: str) -> bool:
    return any(unicodedata.east_asian_width(character) in "WF" for character in word)


def balloon_size(text: str, style: TextStyle, shape: BalloonShape, padding: int) -> tuple[int, int]:
    """Width and height of a balloon for its words, about three to two."""
    room = _ROOM[shape]
    wide, high = block(text, style, 1.6)
    least = round(_LEAST_EMS * style.size)
    width = max(round(wide * room) + 2 * padding, least)
    height = max(round(high * room) + 2 * padding, round(least / 1.5), round(width / _FLATTEST[shape]))
    return width, height


def caption_size(text: str, style: TextStyle, padding: int) -> tuple[int, int]:
    """Width and height of a caption box for its words, wider than high."""
    wide, high = block(text, style, 3.2)
    return wide + 2 * padding + style.size // 2, high + 2 * padding


def words_size(text: str, style: TextStyle) -> tuple[int, int]:
    """Width and height of lettering on the paper, set in the lines that it is written in."""
    pitch = (style.leading or _LEADING) / MILLION
    lines = text.split("\n")
    wide = max(advance(line) for line in lines) * 1.08 + 0.2
    return math.ceil(wide * style.size), math.ceil(len(lines) * pitch * style.size)


def capped(size: tuple[int, int], at: Point, unit: Unit, frame: Frame | None, paper: Paper) -> tuple[int, int]:
    """A size within nine tenths of the frame and within the safe area; width that is lost is made up in height."""
    most_wide, most_high = unit.width, unit.height
    if frame is not None:
        held = bounds(frame.shape)
        most_wide, most_high = max(1, held.w * 9 // 10), max(1, held.h * 9 // 10)
    try:
        areas = safe_areas(unit, paper)
    except BadInput:  # the paper leaves no safe area; validation says so
        areas = ()
    surface = surface_of(unit, at)
    for place, area in enumerate(areas):
        if surface is not None and unit.surfaces[place].id == surface.id:
            most_wide, most_high = min(most_wide, area.w), min(most_high, area.h)
    width, height = size
    if width > most_wide:
        width, height = most_wide, math.ceil(height * width / most_wide)
    return max(1, width), max(1, min(height, most_high))
