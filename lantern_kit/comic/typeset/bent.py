"""Lettering along an arc: every glyph turned with the line it stands on, several lines about one centre."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import replace

from lantern_kit.comic.geometry import Dot, Edges
from lantern_kit.comic.model import Text, TextStyle, Writing
from lantern_kit.comic.typeset.layout import GlyphRun, Layout, Line, Placed

TIGHTEST = 0.25
"""Least radius of a line, in ems."""
WAIST = 0.35
"""Height over the baseline, in ems, at which characters keep their distance: they part above it and meet below."""


def bend(layout: Layout, arc: int) -> Layout:
    """A set text along an arc, its ink still centred where it was.

    Args:
        layout: the text as it is set straight.
        arc: angle through which the line bends, in millidegrees: positive arches up, a column to the right; negative
            sags, a column bulges to the left. Of several lines the one that bends most does so by this angle.
    """
    if not arc or not layout.lines:
        return layout
    kept = layout.drawing.get("bent")  # lives as long as the straight one, and no longer
    if kept is None or kept[0] != arc:
        kept = layout.drawing["bent"] = (arc, _bent(layout, arc))
    made: Layout = kept[1]
    return made


def _bent(layout: Layout, arc: int) -> Layout:
    circle = _Circle(layout, math.radians(arc / 1_000))
    lines = [circle.bent(line) for line in layout.lines]
    extent = _ink(lines)
    if extent is not None and layout.extent is not None:
        lower, upper = (0, 2) if circle.columns else (1, 3)
        shift = (layout.extent[lower] + layout.extent[upper] - extent[lower] - extent[upper]) / 2
        x, y = (shift, 0.0) if circle.columns else (0.0, shift)
        lines = [line.moved(x, y, columns=circle.columns) for line in lines]
        extent = (extent[0] + x, extent[1] + y, extent[2] + x, extent[3] + y)
    return replace(layout, lines=tuple(lines), extent=extent, drawing={})


def bent_to_fit(layout: Layout, text: Text, laid: Callable[[TextStyle], Layout]) -> Layout:
    """A text along its own arc; where it is fitted, smaller until its ink, outline included, is no larger than its box.

    Args:
        layout: the text as it is set straight.
        text: the object it belongs to.
        laid: sets the same words straight in another style.
    """
    style, found = text.style, bend(layout, text.arc)
    spare = 2 * style.outline.width if style.outline is not None else 0
    while text.arc and style.fit and not found.overflow and found.extent is not None:
        left, top, right, bottom = found.extent
        share = min((text.box.w - spare) / (right - left), (text.box.h - spare) / (bottom - top))
        if share >= 1:
            break
        size = max(style.smallest, math.floor(layout.size * share))
        if size >= layout.size:
            return replace(found, overflow=True)
        layout = laid(style.model_copy(update={"size": size}))
        found = bend(layout, text.arc)
    return found


class _Circle:
    """The circle on which the longest line of a layout is bent."""

    def __init__(self, layout: Layout, angle: float) -> None:
        self.columns = layout.writing is Writing.VERTICAL
        self._way = math.copysign(1.0, angle)
        self._waist = 0.0 if self.columns else WAIST * layout.size
        longest = max(layout.lines, key=self._length)
        self._middle = sum(self._ends(longest)) / 2
        self._baseline = longest.baseline
        tightest = TIGHTEST * layout.size
        self._radius = max(
            max(tightest, self._length(line) / abs(angle)) - self._way * self._above(line) for line in layout.lines
        )

    def bent(self, line: Line) -> Line:
        """A line on its own circle about the same centre."""
        radius = self._radius + self._way * self._above(line)

        def place(along: float, over: float) -> tuple[Dot, float]:
            """Where a point of the straight line comes to lie, and the turn there, clockwise."""
            part = (along - self._middle) / radius
            reach = radius + self._way * (over - self._waist)
            at = self._middle + reach * math.sin(part)
            up = self._way * (reach * math.cos(part) - self._radius) + self._waist
            return (self._baseline + up, at) if self.columns else (at, self._baseline - up), self._way * part

        runs = tuple(run._replace(glyphs=tuple(self._turned(run, line, place))) for run in line.runs)
        return line._replace(runs=runs, box=self._box(line, place))

    def _turned(
        self, run: GlyphRun, line: Line, place: Callable[[float, float], tuple[Dot, float]]
    ) -> Iterator[Placed]:
        middles = [self._middle_of(run, item) for item in run.glyphs]
        # What takes no room, such as an accent, turns with the character it belongs to.
        hosts = {item.at: middle for item, middle in zip(run.glyphs, middles, strict=True) if middle is not None}
        for item, own in zip(run.glyphs, middles, strict=True):
            middle = own if own is not None else hosts.get(item.at, item.y if self.columns else item.x)
            (x, y), turn = place(middle, 0.0)
            across, down = item.x - middle, item.y - line.baseline
            if self.columns:
                across, down = item.x - line.baseline, item.y - middle
            cos, sin = math.cos(turn), math.sin(turn)
            yield item._replace(
                x=x + across * cos - down * sin, y=y + across * sin + down * cos, turn=item.turn + math.degrees(turn)
            )

    def _middle_of(self, run: GlyphRun, item: Placed) -> float | None:
        """The middle of what a glyph takes of its line; None when it takes nothing."""
        advance = run.face.advance(item.glyph) * run.size * run.stretch
        if not advance:
            return None
        if not self.columns:
            return item.x + advance / 2
        if abs(item.turn) > 45:
            return item.y + advance / 2
        ink = run.face.ink(item.glyph)
        return item.y - (ink.top + ink.bottom) / 2 * run.size

    def _box(self, line: Line, place: Callable[[float, float], tuple[Dot, float]]) -> Edges:
        left, top, right, bottom = line.box
        first, last = self._ends(line)
        below, above = (left, right) if self.columns else (line.baseline - bottom, line.baseline - top)
        if self.columns:
            below, above = below - line.baseline, above - line.baseline
        dots = [place(first + (last - first) * step / 16, over)[0] for step in range(17) for over in (below, above)]
        xs, ys = [x for x, _ in dots], [y for _, y in dots]
        return min(xs), min(ys), max(xs), max(ys)

    def _above(self, line: Line) -> float:
        """How far a line lies over the longest one."""
        return (line.baseline - self._baseline) * (1 if self.columns else -1)

    def _ends(self, line: Line) -> tuple[float, float]:
        return (line.box[1], line.box[3]) if self.columns else (line.box[0], line.box[2])

    def _length(self, line: Line) -> float:
        first, last = self._ends(line)
        return last - first


def _ink(lines: list[Line]) -> Edges | None:
    """What turned glyphs cover, not less."""
    xs: list[float] = []
    ys: list[float] = []
    for line in lines:
        for run in line.runs:
            for item in run.glyphs:
                ink = run.face.ink(item.glyph)
                if ink.right <= ink.left:
                    continue
                extra = run.weight / 2
                turn = math.radians(item.turn)
                cos, sin = math.cos(turn) * run.size, math.sin(turn) * run.size
                for up in (ink.bottom - extra, ink.top + extra):
                    for aside in (ink.left - extra, ink.right + extra):
                        x = (aside + run.lean * up) * run.stretch
                        xs.append(item.x + x * cos + up * sin)
                        ys.append(item.y + x * sin - up * cos)
    return (min(xs), min(ys), max(xs), max(ys)) if xs else None
