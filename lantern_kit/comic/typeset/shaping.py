"""Items to glyphs: HarfBuzz per run, everything in ems of the whole, so that one shaping serves every size.

Places are counted along a line (``u``: to the right, or down a column) and across it (``v``: down, or towards the next
column at the left), from the line's axis: the baseline of a line, the middle of a column.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import uharfbuzz as hb

from lantern_kit.comic.typeset import characters as kind
from lantern_kit.comic.typeset.fonts import EMOJI, Face
from lantern_kit.comic.typeset.items import Item
from lantern_kit.comic.typeset.standing import ONE_PLACE, TRANSFORMED, TURNED, UPRIGHT, Standing

ASCENT, DESCENT = 0.88, 0.12
"""Reach of an ideograph's place above and below the baseline."""
CENTRE = 0.38
"""Height of the middle of an ideograph's place above its baseline."""
CAP = 0.7
"""Height of capitals where a font does not tell."""
LETTERS = 0.9
"""Of their capitals' height, what letters turned in a column are centred by: most of them are lower."""
ONE_PLACE_WIDTH = 0.96
"""What several characters in one place of a column are squeezed into."""
STOP_SHIFT = 0.6
PICTURE_RISE = 0.09
"""How much pictures among characters are raised from where their font has them."""
HEAVY = 0.05
"""From this added weight on, over the em, glyphs take so much more room too."""
AXIAL = kind.LEADERS | kind.OPENING | kind.CLOSING | frozenset("ー〜～")
"""Marks that stand on the axis of a column, also where its characters slant."""
CONTEXT = 6
"""Characters on either side of a run that HarfBuzz looks at to join its ends."""
JOINING = frozenset({"Arab", "Syrc", "Nkoo", "Mand", "Mong"})
"""Scripts whose letters join: space between them would tear words apart."""


class Part(StrEnum):
    """What a run of glyphs is of its text."""

    TEXT = "text"
    RUBY = "ruby"
    DOTS = "dots"
    """Emphasis marks."""


class Pen(NamedTuple):
    """What the glyphs of one run have in common."""

    face: Face
    scale: float
    """Em size over that of the whole."""
    weight: float = 0.0
    lean: float = 0.0
    stretch: float = 1.0
    colour: str = ""
    part: Part = Part.TEXT


class Glyph(NamedTuple):
    """One glyph, in ems from the start of its cell and the axis of its line."""

    pen: Pen
    glyph: int
    u: float
    v: float
    turn: float
    upright: bool
    """It stands upright in a column; else its own right is the way of the line."""
    at: int


@dataclass(slots=True)
class Cell:
    """What is placed as one."""

    start: int
    end: int
    advance: float
    glyphs: list[Glyph]
    level: int
    scale: float
    wide: bool
    script: str
    stand: Standing
    lead: float = 0.0
    """Free before its ink, trimmed at a line's start."""
    trail: float = 0.0
    """Free after its ink, trimmed at a line's end."""
    over: float = -math.inf
    """Reach of its ink above the line's axis, or to the right of a column's."""
    under: float = -math.inf
    blank: bool = True
    """Nothing of it is seen."""
    picture: bool = False
    """An emoji."""
    gap: float = 0.0
    """Added between it and the next cell when both stand on one line."""
    hang: float = 0.0
    """How far it reaches past the line when it hangs at its end; 0 when it may not."""
    beside: list[Glyph] = field(default_factory=list)
    """Readings and emphasis marks."""

    @property
    def full(self) -> bool:
        """It fills its place: an ideograph, a mark among them, or a syllable of Hangul."""
        return self.wide or self.script == "Hang"


def cells(items: Sequence[Item], language: str, *, columns: bool, tracking: float = 0.0) -> list[Cell]:
    """Shape items. Glyphs of a cell stand where they do from its left edge, or from its top in a column."""
    found: list[Cell] = []
    text, place = _shown(items)
    for start, end in _runs(items, language):
        run = items[start:end]
        _shape(run, text, place[start], language, tight=not tracking, found=found)
    for cell in found:
        measure(cell)
        if tracking:
            cell.gap = tracking * cell.scale
    if tracking:
        for cell, after in pairwise(found):
            joined = cell.end == after.start and not (cell.blank or after.blank)
            if joined and cell.script in JOINING and after.script == cell.script:
                cell.gap = 0.0
    return found


def _shown(items: Sequence[Item]) -> tuple[str, list[int]]:
    """All that is shown, and where each item begins in it."""
    parts: list[str] = []
    places: list[int] = []
    length, end = 0, 0
    for item in items:
        if item.start != end:
            parts.append("\n")
            length += 1
        places.append(length)
        parts.append(item.text)
        length += len(item.text)
        end = item.end
    return "".join(parts), places


def _runs(items: Sequence[Item], language: str) -> Iterator[tuple[int, int]]:
    """Stretches that are shaped at once."""
    start = 0
    for at, item in enumerate(items):
        if item.stand is TRANSFORMED:
            item.stand = UPRIGHT if _has_column_form(item.face, item.text, item.script, language) else TURNED
        if at == 0:
            continue
        last = items[at - 1]
        if not (
            last.face is item.face
            and last.dress is item.dress
            and last.stand is item.stand
            and last.script == item.script
            and last.end == item.start
            and (last.level ^ item.level) & 1 == 0
            and item.stand is not ONE_PLACE
            and (last.wide == item.wide or item.stand is not TURNED)
        ):
            yield start, at
            start = at
    if items:
        yield start, len(items)


@lru_cache(maxsize=2048)
def _has_column_form(face: Face, text: str, script: str, language: str) -> bool:
    """Whether a font stands a character otherwise in a column than in a line."""
    if not face.has_columns:
        return False
    flat, column = (
        [info.codepoint for info in _shaped(text, 0, len(text), face, script, language, way, tight=True).glyph_infos]
        for way in ("ltr", "ttb")
    )
    return flat != column


def _shaped(text: str, start: int, end: int, face: Face, script: str, language: str, way: str, *, tight: bool) -> Any:
    """HarfBuzz's answer; clusters count from a few characters before the start, at which its context begins."""
    low, high = max(0, start - CONTEXT), min(len(text), end + CONTEXT)
    buffer = hb.Buffer()
    buffer.add_codepoints([ord(c) for c in text[low:high]], start - low, end - start)
    buffer.direction = way
    buffer.script = script
    buffer.language = language
    hb.shape(face.shaper, buffer, _TIGHT if tight else _LOOSE)
    return buffer


_TIGHT = {"kern": True, "liga": True}
_LOOSE = {"kern": True, "liga": False, "clig": False}


def _shape(run: Sequence[Item], text: str, start: int, language: str, *, tight: bool, found: list[Cell]) -> None:
    first = run[0]
    dress, face, stand = first.dress, first.face, first.stand
    upright = stand is UPRIGHT
    way = "ttb" if upright and face.has_columns else "rtl" if first.level & 1 else "ltr"
    scale = dress.scale
    shift = turn = 0.0
    if face.family == EMOJI:  # pictures take one place, whatever their font gives them, and stand at letters' height
        scale /= max(1.0, face.advance(face.glyph(ord(first.text[0]))))
        shift = -PICTURE_RISE * dress.scale
    if stand is TURNED:
        turn = 90.0
        shift += scale * (CENTRE if first.wide else LETTERS / 2 * face.height_of("H", CAP))
    weight = dress.choice.weight_of(face)
    wider = weight * scale if weight >= HEAVY else 0.0
    pen = Pen(face, scale, weight, dress.choice.lean_of(face), 1.0, dress.colour)
    straight = pen._replace(lean=0.0)
    owner: list[Cell] = []
    source: list[int] = []
    for item in run:
        cell = Cell(item.start, item.end, 0.0, [], item.level, dress.scale, item.wide, item.script, stand)
        cell.picture = face.family == EMOJI
        found.append(cell)
        owner.extend([cell] * len(item.text))
        source.extend(range(item.start, item.end))
    shaped = _shaped(text, start, start + len(owner), face, first.script, language, way, tight=tight)
    low = min(start, CONTEXT)
    unit = scale / face.upem
    for info, place in zip(shaped.glyph_infos, shaped.glyph_positions, strict=True):
        at = info.cluster - low
        if kind.is_invisible(text[start + at]):
            continue
        cell = owner[at]
        if upright and way == "ttb":  # from the middle of the column and the pen's height to the glyph's origin
            u, v = cell.advance - place.y_offset * unit, -place.x_offset * unit
            cell.advance -= place.y_advance * unit
        else:
            u, v = cell.advance + place.x_offset * unit, shift - place.y_offset * unit
            cell.advance += place.x_advance * unit
            if wider and place.x_advance:
                u += wider / 2
                cell.advance += wider
        own = straight if upright and text[start + at] in AXIAL else pen
        cell.glyphs.append(Glyph(own, info.codepoint, u, v, turn, upright, source[at]))
    if (upright and way != "ttb") or stand is ONE_PLACE:
        for item, cell in zip(run, found[-len(run) :], strict=True):
            if cell.glyphs:
                _stand(cell, face, letters=kind.is_letter(item.text[0]))
                if item.text in kind.STOPS:  # a font without forms for columns has them at the bottom left
                    up = STOP_SHIFT * cell.scale
                    cell.glyphs = [glyph._replace(u=glyph.u - up, v=glyph.v - up) for glyph in cell.glyphs]


def _stand(cell: Cell, face: Face, *, letters: bool) -> None:
    """Stand what was shaped for a line upright in the middle of its place in a column, squeezed where it must be."""
    inks = [face.ink(item.glyph) for item in cell.glyphs]
    top, bottom = max(ink.top for ink in inks), min(ink.bottom for ink in inks)
    scale, width = cell.glyphs[0].pen.scale, cell.advance
    middle = face.height_of("H", CAP) / 2 if letters else CENTRE if cell.wide else (top + bottom) / 2
    place = cell.scale if cell.stand is ONE_PLACE else max(cell.scale, (top - bottom) * scale)
    base = place / 2 + middle * scale
    most = ONE_PLACE_WIDTH * cell.scale
    squeeze = most / width if cell.stand is ONE_PLACE and width > most else 1.0
    shift = PICTURE_RISE * cell.scale if face.family == EMOJI else 0.0
    cell.glyphs = [
        item._replace(
            u=base + item.v + shift,
            v=(width / 2 - item.u) * squeeze,
            turn=0.0,
            upright=True,
            pen=item.pen._replace(stretch=squeeze) if squeeze < 1 else item.pen,
        )
        for item in cell.glyphs
    ]
    cell.advance = place


def measure(cell: Cell) -> None:
    """Find what a cell's ink covers and what is free beside it."""
    begin, stop, over, under = math.inf, -math.inf, -math.inf, -math.inf
    for item in cell.glyphs:
        edges = extent(item)
        if edges is not None:
            begin, stop = min(begin, edges[0]), max(stop, edges[1])
            over, under = max(over, -edges[2]), max(under, edges[3])
    if begin < stop:
        cell.lead, cell.trail, cell.over, cell.under, cell.blank = begin, cell.advance - stop, over, under, False


def extent(item: Glyph) -> tuple[float, float, float, float] | None:
    """What a glyph covers, with added weight and lean: from and to along the line, from and to across it."""
    pen = item.pen
    left, bottom, right, top = pen.face.ink(item.glyph)
    if right <= left:
        return None
    scale, lean, extra = pen.scale, pen.lean, pen.weight / 2
    if lean:
        left, right = left + min(lean * bottom, lean * top), right + max(lean * bottom, lean * top)
    wide = scale * pen.stretch
    left, right = (left - extra) * wide, (right + extra) * wide
    top, bottom = (top + extra) * scale, (bottom - extra) * scale
    if item.upright:
        return item.u - top, item.u - bottom, item.v - right, item.v - left
    return item.u + left, item.u + right, item.v - top, item.v - bottom
