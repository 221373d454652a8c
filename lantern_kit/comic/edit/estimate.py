"""How big a balloon or a caption should be for its words, before anything is typeset: a good guess, always the same.

The renderer fits the words into whatever shape they get; this only has to come near enough that they fit at full size.
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterator

from lantern_kit.comic.balloons.rim import rim
from lantern_kit.comic.geometry import bounds, safe_areas, surface_of
from lantern_kit.comic.markup import Marked, parse
from lantern_kit.comic.model import MILLION, BalloonShape, Frame, Paper, Point, TextStyle, Unit, Writing
from lantern_kit.kernel.errors import BadInput

_LEADING = 1.15
_TALL_LEADING = 1.3  # ideographs, kana, Arabic
_BESIDE = 0.45  # em: what ruby and emphasis marks take beside each line
_WIDE = 1.0  # em: ideographs, kana, full-width forms
_UPPER = 0.72
_LOWER = 0.54
_SPACE = 0.3
_THIN = 0.32
_ENDS = 0.15  # em: what ascenders and descenders take beyond the line pitch
_LEAST_RATIO = 1.1  # along a block's lines over across them, where it is more than one
_READING = 0.5  # em of ruby over that of its base
_LONGEST = {"hiragana": 7, "katakana": 14, "ideograph": 4}  # characters of one kind that stay together
_LEAST_EMS = 2.4  # a balloon with hardly any words still looks like one

# A long word alone would make a balloon like a sausage.
_FLATTEST = {
    BalloonShape.ELLIPSE: 2.2,
    BalloonShape.ROUNDED: 3.0,
    BalloonShape.CLOUD: 2.2,
    BalloonShape.BURST: 2.2,
    BalloonShape.THOUGHT: 2.2,
    BalloonShape.WHISPER: 2.2,
    BalloonShape.BOX: 4.0,
    BalloonShape.NONE: 4.0,
    BalloonShape.PATH: 2.2,
}

# Room that an outline needs beyond the block of words. Lines in an ellipse are shorter at the top and bottom, so the
# block need not fit whole: between √2 (whole) and 1. Bulges and spikes stand round that room (see ``rim``).
_ROOM = {
    BalloonShape.ELLIPSE: 1.32,
    BalloonShape.ROUNDED: 1.1,
    BalloonShape.CLOUD: 1.32,
    BalloonShape.BURST: 1.32,
    BalloonShape.THOUGHT: 1.32,
    BalloonShape.WHISPER: 1.32,
    BalloonShape.BOX: 1.04,
    BalloonShape.NONE: 1.04,
    BalloonShape.PATH: 1.45,
}


def advance(text: str, tracking: int = 0) -> float:
    """Width of a line of text in em, about right for any lettering font; ``tracking`` in millionths of an em."""
    total = len(text) * tracking / MILLION
    for character in text:
        if _is_wide(character):
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


def block(words: str, style: TextStyle, ratio: float) -> tuple[int, int]:
    """Extent along and across the lines of words set at full size, in lines that make a block of about ``ratio`` to 1.

    Along is the width of horizontal lines and the height of columns.
    """
    marked = parse(words)
    lines = _lines(marked, style)
    widths = [sum(line) for line in lines]
    pitch = _pitch(marked, style)
    longest = max(max(line, default=0.0) for line in lines)
    area = sum(widths) * pitch
    wide = max(longest, math.sqrt(area * ratio), _LEAST_EMS / 1.5)
    if len(widths) > 1:
        wide = max(wide, *widths)
    wide = min(wide, max(*widths, longest, _LEAST_EMS / 1.5))
    bold = 1.06 if style.bold else 1.0
    while True:
        rows = sum(_rows(line, wide) for line in lines)
        high = rows * pitch + _ENDS + _beside(marked)
        if rows == len(lines) or wide * bold >= high * _LEAST_RATIO:
            break
        wide *= 1.05
    return math.ceil(wide * bold * style.size), math.ceil(high * style.size)


def _rows(phrases: list[float], wide: float) -> int:
    """Lines that phrases take when each holds as many as it can; never filled to the last bit."""
    rows, left = 1, wide
    for phrase in phrases:
        if phrase > left + 1e-9:
            rows, left = rows + 1, wide
        left -= phrase
    even = max(1, math.ceil(sum(phrases) / wide * (1.08 if sum(phrases) > wide else 1.0) - 1e-9))
    return max(rows, even)


def _widths(marked: Marked, style: TextStyle) -> list[float]:
    """Extent of each written line in em."""
    return [sum(line) for line in _lines(marked, style)]


def _lines(marked: Marked, style: TextStyle) -> list[list[float]]:
    """Of each written line its phrases' extents in em: larger stretches and long readings counted."""
    text = marked.text
    sizes = [stretch.look.size / MILLION for stretch in marked.stretches for _ in range(stretch.start, stretch.end)]
    cells = [advance(character, style.tracking) * size for character, size in zip(text, sizes, strict=True)]
    ends = set(_phrase_ends(text))
    for ruby in marked.rubies:
        base = sum(cells[ruby.start : ruby.end])
        reading = _READING * sum(map(advance, ruby.readings)) * max(sizes[ruby.start : ruby.end], default=1.0)
        cells[ruby.start] += max(0.0, reading - base)
        ends -= set(range(ruby.start + 1, ruby.end))
    lines: list[list[float]] = [[]]
    extent = 0.0
    for at, character in enumerate(text):
        if character == "\n":
            lines[-1].append(extent)
            lines.append([])
            extent = 0.0
            continue
        extent += cells[at]
        if at + 1 in ends:
            lines[-1].append(extent)
            extent = 0.0
    lines[-1].append(extent)
    return lines


def _phrase_ends(text: str) -> Iterator[int]:
    """Where a line may end: between words; in Japanese and Chinese where the kind of character says so."""
    start = 0
    for at in range(1, len(text)):
        before, after = _kind(text[at - 1]), _kind(text[at])
        if before == after == "word" or after in ("mark", "space") or before == "opening":
            continue
        long = at - start >= _LONGEST[before] if before in _LONGEST and before == after else False
        joined = before == after or (before == "ideograph" and after == "hiragana")
        joined = joined or (before == "katakana" and after == "hiragana")
        if long or before in ("mark", "space") or not (joined or "word" in (before, after)):
            yield at
            start = at


def _kind(character: str) -> str:
    if character.isspace():
        return "space"
    if not _is_wide(character):
        return "mark" if character in "…—‥”’" else "word"
    code = ord(character)
    if 0x3041 <= code <= 0x3096:
        return "hiragana"
    if 0x30A1 <= code <= 0x30FA or character in "ーヽヾ":
        return "katakana"
    if character in "（「『【〔〈《［｛":
        return "opening"
    return "ideograph" if character.isalnum() or character in "々〆" else "mark"


def _pitch(marked: Marked, style: TextStyle) -> float:
    """From line to line in em."""
    if style.leading is not None:
        pitch = style.leading / MILLION
    else:
        pitch = (_TALL_LEADING if any(map(_is_tall, marked.text)) else _LEADING) + _beside(marked) / 1.5
    return pitch * max((stretch.look.size / MILLION for stretch in marked.stretches), default=1.0)


def _beside(marked: Marked) -> float:
    """What stands beside the first line, in em."""
    return _BESIDE if marked.rubies or any(stretch.look.marks for stretch in marked.stretches) else 0.0


def _is_wide(character: str) -> bool:
    """Whether it is as wide as the em, and lines may end beside it."""
    return unicodedata.east_asian_width(character) in "WF"


def _is_tall(character: str) -> bool:
    return _is_wide(character) or unicodedata.bidirectional(character) == "AL"


def _as_written(along: int, across: int, style: TextStyle) -> tuple[int, int]:
    """Width and height from the extents along and across the lines."""
    return (across, along) if style.writing is Writing.VERTICAL else (along, across)


def balloon_size(words: str, style: TextStyle, shape: BalloonShape, padding: int) -> tuple[int, int]:
    """Width and height of a balloon for its words, about three to two; of columns two to three."""
    room = _ROOM[shape]
    wide, high = block(words, style, 1.6)
    least = round(_LEAST_EMS * style.size)
    along = max(round(wide * room) + 2 * padding, least)
    across = max(round(high * room) + 2 * padding, round(least / 1.5), round(along / _FLATTEST[shape]))
    taken = 2 * rim(shape, min(along, across))
    return _as_written(along + taken, across + taken, style)


def caption_size(words: str, style: TextStyle, padding: int) -> tuple[int, int]:
    """Width and height of a caption box for its words, longer along its lines than across."""
    wide, high = block(words, style, 3.2)
    return _as_written(wide + 2 * padding + style.size // 2, high + 2 * padding, style)


def words_size(words: str, style: TextStyle) -> tuple[int, int]:
    """Width and height of lettering on the paper, set in the lines that it is written in."""
    marked = parse(words)
    widths = _widths(marked, style)
    wide = max(widths) * 1.08 + 0.2
    high = len(widths) * _pitch(marked, style) + _beside(marked)
    return _as_written(math.ceil(wide * style.size), math.ceil(high * style.size), style)


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
