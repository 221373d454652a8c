"""Fitted lines to glyphs with places, about the middle of the box."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.comic.geometry import Edges, enclosing
from lantern_kit.comic.typeset.bidi import visual_order
from lantern_kit.comic.typeset.block import Row, Side, middle_of
from lantern_kit.comic.typeset.fitting import Fitting
from lantern_kit.comic.typeset.layout import GlyphRun, Layout, Line, Placed
from lantern_kit.comic.typeset.shaping import ASCENT, DESCENT, Cell, Glyph, Pen, extent

BY_LENGTH = 0.6
"""A ragged block is centred by its longest line so much, and by its mean line for the rest."""


def place(search: Fitting, rows: list[Row], size: float, *, overflow: bool) -> Layout:
    """Place the glyphs of all rows."""
    words = search.words
    spans = None if overflow else search.spans(len(rows), size, rows)
    widths = [search.width(row) * size for row in rows]
    if spans is None:
        longest = max(widths, default=0.0)
        origin = {Side.MIDDLE: 0.0, Side.START: -longest / 2, Side.END: longest / 2}[search.side]
    else:
        origin, limits = search.measure(spans)
        widths = [search.width(row, limit / size + 1e-6) * size for row, limit in zip(rows, limits, strict=True)]
        if search.side is not Side.MIDDLE and not (search.room.straight and search.paragraph):
            origin += _drift(search.side, origin, widths, spans)
    lines: list[Line] = []
    inks: list[Edges] = []
    for (axis, _, _), (first, end), width in zip(search.axes(len(rows), rows), rows, widths, strict=True):
        left = origin - {Side.MIDDLE: width / 2, Side.START: 0.0, Side.END: width}[search.side]
        begin, stop = words.pieces[first], words.pieces[end - 1]
        setter = _Setter(search.middle + axis * size, size, columns=words.columns)
        setter.set(words.cells[begin.first : stop.last], left)
        inks.extend(setter.inks)
        lines.append(
            Line(
                begin.start, max(begin.start, stop.end), setter.runs(), setter.box(left, left + width), setter.baseline
            )
        )
    return Layout(
        text=words.text,
        writing=search.style.writing,
        size=round(size),
        lines=tuple(lines),
        overflow=overflow and bool(inks),
        missing=words.missing,
        unknown_font=words.unknown,
        extent=enclosing(inks),
    )


def _drift(side: Side, origin: float, widths: Sequence[float], spans: Sequence[tuple[float, float]]) -> float:
    """How far a block of lines that begin (or end) together is moved so that it stands in the middle by eye.

    Between the middle of the room, and where the block comes as near to the room's edge at one end as at the other.
    """
    length = BY_LENGTH * max(widths) + (1 - BY_LENGTH) * sum(widths) / len(widths)
    low, high = max(low for low, _ in spans), min(high for _, high in spans)
    middle = middle_of(spans) if any(begin < end for begin, end in spans) else (low + high) / 2
    if side is Side.START:
        free = min(end - origin - width for (_, end), width in zip(spans, widths, strict=True))
        return _between(middle - length / 2 - origin, free)
    free = min(origin - width - begin for (begin, _), width in zip(spans, widths, strict=True))
    return -_between(origin - length / 2 - middle, free)


def _between(wanted: float, free: float) -> float:
    wanted, free = max(0.0, wanted), max(0.0, free)
    return min(wanted, (min(wanted, free) + free / 2) / 2)


class _Setter:
    """Sets one line: places along and across it become places on the page."""

    def __init__(self, axis: float, size: float, *, columns: bool) -> None:
        self.columns = columns
        self.axis = axis
        self.size = size
        self.baseline = -axis if columns else axis
        self.inks: list[Edges] = []
        self._text: list[tuple[Pen, list[Placed]]] = []
        self._beside: dict[Pen, list[Placed]] = {}
        self._over = self._under = 0.0

    def set(self, cells: Sequence[Cell], left: float) -> None:
        """Put cells in their places, the first of them where the line begins."""
        if not cells:
            return
        size = self.size
        starts = [0.0] * len(cells)
        if any(cell.level for cell in cells):
            pen = left - cells[0].lead * size
            order = visual_order([cell.level for cell in cells])
            for number in order:
                cell = cells[number]
                gap = cell.gap * size if number + 1 < len(cells) else 0.0
                starts[number] = pen + (gap if cell.level & 1 else 0.0)
                pen += cell.advance * size + gap
        else:
            pen = left - cells[0].lead * size
            for number, cell in enumerate(cells):
                starts[number] = pen
                pen += (cell.advance + cell.gap) * size
        for cell, start in zip(cells, starts, strict=True):
            self._reach(cell)
            for item in cell.glyphs:
                placed = self._place(item, start)
                if not self._text or self._text[-1][0] != item.pen:
                    self._text.append((item.pen, []))
                self._text[-1][1].append(placed)
            for item in cell.beside:
                self._beside.setdefault(item.pen, []).append(self._place(item, start))

    def _reach(self, cell: Cell) -> None:
        if self.columns:
            self._over = self._under = max(self._over, cell.scale / 2)
        elif cell.full:
            self._over, self._under = max(self._over, ASCENT * cell.scale), max(self._under, DESCENT * cell.scale)
        else:
            edges = [edge for edge in map(extent, cell.glyphs) if edge is not None]
            self._over = max([self._over, *(-edge[2] for edge in edges)])
            self._under = max([self._under, *(edge[3] for edge in edges)])

    def _place(self, item: Glyph, start: float) -> Placed:
        size = self.size
        edges = extent(item)
        if edges is not None:
            low, high = start + edges[0] * size, start + edges[1] * size
            over, under = self.axis + edges[2] * size, self.axis + edges[3] * size
            self.inks.append((-under, low, -over, high) if self.columns else (low, over, high, under))
        along, across = start + item.u * size, self.axis + item.v * size
        if self.columns:
            return Placed(item.glyph, -across, along, item.turn, item.at)
        return Placed(item.glyph, along, across, item.turn, item.at)

    def runs(self) -> tuple[GlyphRun, ...]:
        """Words first, then what stands beside them."""
        return tuple(
            GlyphRun(
                pen.face, pen.scale * self.size, tuple(glyphs), pen.weight, pen.lean, pen.stretch, pen.colour, pen.part
            )
            for pen, glyphs in (*self._text, *self._beside.items())
        )

    def box(self, begin: float, end: float) -> Edges:
        """What the line's characters take."""
        over, under = self._over * self.size, self._under * self.size
        if self.columns:
            return -self.axis - under, begin, -self.axis + over, end
        return begin, self.axis - over, end, self.axis + under
