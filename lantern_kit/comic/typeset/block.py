"""A block of lines in its room: where each line stands, and how long it may be. Columns are lines of a turned room."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from lantern_kit.comic.balloons.room import Room
from lantern_kit.comic.model import Align, TextStyle, Writing
from lantern_kit.comic.typeset.composing import CLEAR, Words
from lantern_kit.comic.typeset.shaping import DESCENT

RISE, COLUMN_RISE = 0.8, 0.5
"""Share of a line's pitch above its axis."""
LOW = 0.05
"""How far below the middle of the room a block of columns may hang, over the room's height."""
EPSILON = 1e-6

Row = tuple[int, int]
"""First piece of a line, and the one after its last."""
Span = tuple[float, float]
TALLEST: tuple[Row, ...] = ((-1, -1),)
"""In place of rows: all lines are as tall as the tallest could be."""


class Tall(NamedTuple):
    """How tall a line is, in ems."""

    scale: float
    over: float
    under: float
    beside: bool
    """Readings or marks stand beside it."""
    foot: float
    """What the next line must keep clear of."""


class Side(Enum):
    """From where lines are measured."""

    MIDDLE = auto()
    START = auto()
    END = auto()


class Block:
    """The lines of one text in one room."""

    def __init__(self, words: Words, style: TextStyle, free: Room, slack: float) -> None:
        self.words = words
        self.style = style
        self.room = free
        self.columns = style.writing is Writing.VERTICAL
        self.slack = slack
        """How far marks may hang out of the room, and readings beside a column reach, in micrometres."""
        self.read = self.columns and any(cell.beside for cell in words.cells)
        self.side = {Align.LEFT: Side.START, Align.RIGHT: Side.END}.get(
            style.align, Side.START if self.columns else Side.MIDDLE
        )
        self.longest = free.width
        self.hung = self.columns and style.align is Align.CENTRE
        """Columns hang from one height, and the block of them is centred."""
        self.least = float(min(style.smallest, style.size) if style.fit else style.size)
        self._talls: dict[Row, Tall] = {}
        self.stand(_middle(free))

    def stand(self, middle: float) -> None:
        """Centre the block about a height of the room."""
        self.middle = middle
        self.reach = min(middle - self.room.top, self.room.bottom - middle)

    def axes(self, lines: int, rows: Sequence[Row] | None) -> list[tuple[float, float, float]]:
        """Of every line its axis from the middle of the block, and its reach above and below it, in ems."""
        words = self.words
        if rows is None or rows is TALLEST or not words.varied:
            pitch, scale = words.leading, 1.0
            if rows is TALLEST:
                scale = words.largest / words.unit
                pitch = max(words.leading * scale, words.over + max(words.under, words.largest / 2) + CLEAR)
            high = (words.cap * scale - words.descent * scale - (lines - 1) * pitch) / 2
            return [(high + line * pitch, words.over, words.under) for line in range(lines)]
        tall = [self._tall(row) for row in rows]
        rise = COLUMN_RISE if self.columns else RISE
        axis, axes = 0.0, [0.0]
        for above, below in pairwise(tall):
            pitch = words.leading * (rise * below.scale + (1 - rise) * above.scale)
            if below.beside:
                pitch = max(pitch, above.foot + below.over + CLEAR)
            axis += pitch
            axes.append(axis)
        high = (words.cap * tall[0].scale - words.descent * tall[-1].scale - axis) / 2
        return [(high + place, t.over, t.under) for place, t in zip(axes, tall, strict=True)]

    def _tall(self, row: Row) -> Tall:
        found = self._talls.get(row)
        if found is None:
            found = self._talls[row] = self._measured(*row)
        return found

    def _measured(self, first: int, end: int) -> Tall:
        words, pieces = self.words, self.words.pieces
        seen = [cell for cell in words.cells[pieces[first].first : pieces[end - 1].last] if not cell.blank]
        if not seen:
            return Tall(1.0, 0.0, 0.0, beside=False, foot=0.0)
        scale = max(cell.scale for cell in seen) / words.unit
        foot = max(cell.scale / 2 if self.columns else max(cell.under, DESCENT * cell.scale) for cell in seen)
        beside = any(cell.beside for cell in seen)
        return Tall(scale, max(cell.over for cell in seen), max(cell.under for cell in seen), beside, foot)

    def spans(self, lines: int, size: float, rows: Sequence[Row] | None = None) -> list[Span] | None:
        """The free piece of every line, in micrometres; None when the block is too tall."""
        found: list[Span] = []
        least, spare = (self.words.largest / 2, self.slack / size) if self.read else (0.0, 0.0)
        for axis, over, under in self.axes(lines, rows):
            at = self.middle + axis * size
            reach = max(min(over, least), over - spare)
            span = self.room.span(at - reach * size, at + under * size)
            if span is None:
                return None
            found.append(span)
        return found

    def measure(self, spans: Sequence[Span]) -> tuple[float, list[float]]:
        """Where lines are measured from, and how long each may be, in micrometres."""
        if self.side is Side.START:
            origin = max(low for low, _ in spans)
            return origin, [high - origin for _, high in spans]
        if self.side is Side.END:
            origin = min(high for _, high in spans)
            return origin, [origin - low for low, _ in spans]
        origin = middle_of(spans)
        return origin, [2 * min(origin - low, high - origin) for low, high in spans]

    def limits(self, lines: int, size: float, rows: Sequence[Row] | None = None) -> list[float] | None:
        """How long every line may be, in ems; None when the block does not stand in the room."""
        spans = self.spans(lines, size, rows)
        if spans is None:
            return None
        origin, lengths = self.measure(spans)
        if self.hung and size > self.least:  # columns that would hang too low are made smaller
            most = 2 * (middle_of(spans) - origin + LOW * self.longest)
            lengths = [min(length, most) for length in lengths]
        found = [limit / size + EPSILON for limit in lengths]
        return found if min(found) > EPSILON else None


def middle_of(spans: Sequence[Span]) -> float:
    """The middle of the free pieces of all lines together."""
    wide = sum(end - begin for begin, end in spans)
    return sum((end - begin) * (end + begin) for begin, end in spans) / (2 * wide) if wide else 0.0


@lru_cache(maxsize=256)
def _middle(room: Room) -> float:
    """The height about which a block is centred: that of the room's area."""
    if room.height <= 0:
        return 0.0
    count = len(room.lefts) - 1
    weights = [max(0.0, right - left) for left, right in zip(room.lefts, room.rights, strict=True)]
    area = sum(weights)
    if area <= 0:
        return (room.top + room.bottom) / 2
    share = sum(place * weight for place, weight in enumerate(weights)) / area / count
    middle = room.top + share * room.height
    # What is as good as the middle of the box is the middle of the box.
    return 0.0 if abs(middle) < 0.002 * room.height else middle
