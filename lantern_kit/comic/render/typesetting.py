"""Lettering set into the real shape of its balloon: shaped once, fitted, centred by eye, with its place on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from lantern_kit.comic.model import Align, Balloon, BalloonShape, Lettering, Narration, Rect, Text, TextStyle
from lantern_kit.comic.render.fitting import Fitting, Row
from lantern_kit.comic.render.fonts import Choice, Face, Fonts, packaged_fonts
from lantern_kit.comic.render.shape import room
from lantern_kit.comic.render.shaping import Shaped, shape


class GlyphRun(NamedTuple):
    """Glyphs of one face on one line."""

    face: Face
    glyphs: tuple[int, ...]
    points: tuple[tuple[float, float], ...]
    """Origin of each glyph on its baseline, in page micrometres before any turn."""
    clusters: tuple[int, ...]
    """Place in the text of the character each glyph begins to show."""
    weight: float
    """Ink added to the glyphs, over the em."""


class Line(NamedTuple):
    """One set line."""

    text: str
    runs: tuple[GlyphRun, ...]
    x: float
    """Left end of the ink."""
    width: float
    """Width of the ink."""
    baseline: float


@dataclass(frozen=True, eq=False)
class Layout:
    """A text set about the origin; shared by every object that says the same in a box of the same size."""

    size: int
    lines: tuple[Line, ...]
    overflow: bool
    missing: tuple[str, ...]
    unknown_font: str
    lean: float
    extent: tuple[float, float, float, float] | None
    """Ink: left, top, right, bottom."""
    drawing: dict[str, Any] = field(default_factory=dict, repr=False)
    """What a renderer keeps with it (prepared glyph runs)."""


@dataclass(frozen=True, slots=True, eq=False)
class SetText:
    """A lettering object's words as they stand on the page."""

    layout: Layout
    x: float
    """Centre of the box, in page micrometres."""
    y: float
    rotate: int
    """Turn about that centre, in millidegrees clockwise."""

    @property
    def size(self) -> int:
        """Em size, in micrometres."""
        return self.layout.size

    @property
    def overflow(self) -> bool:
        """The words do not fit at the smallest size; they are set at that size and stand over."""
        return self.layout.overflow

    @property
    def missing(self) -> tuple[str, ...]:
        """Characters that no font has, each once."""
        return self.layout.missing

    @property
    def unknown_font(self) -> str:
        """The family that was asked for when it is not installed; else empty."""
        return self.layout.unknown_font

    @property
    def lines(self) -> tuple[Line, ...]:
        """The lines in page micrometres, before any turn."""
        return tuple(
            line._replace(
                x=line.x + self.x,
                baseline=line.baseline + self.y,
                runs=tuple(
                    run._replace(points=tuple((x + self.x, y + self.y) for x, y in run.points)) for run in line.runs
                ),
            )
            for line in self.layout.lines
        )

    @property
    def ink(self) -> Rect | None:
        """Bounds of everything the words cover on the page, turned as drawn; None when they cover nothing."""
        if self.layout.extent is None:
            return None
        left, top, right, bottom = self.layout.extent
        if self.rotate:
            turn = math.radians(self.rotate / 1_000)
            cos, sin = math.cos(turn), math.sin(turn)
            corners = [(x * cos - y * sin, x * sin + y * cos) for x in (left, right) for y in (top, bottom)]
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        x, y = math.floor(left + self.x), math.floor(top + self.y)
        return Rect(x=x, y=y, w=max(1, math.ceil(right + self.x) - x), h=max(1, math.ceil(bottom + self.y) - y))


def set_text(lettering: Lettering, *, fonts: Fonts | None = None) -> SetText:
    """Set the words of a balloon, a caption or a text into their real shape.

    Args:
        lettering: the object; its text, style, box, shape and padding decide.
        fonts: the fonts to use; None is those that come with the kit.

    Returns:
        The lines in page micrometres. What does not fit or has no glyph is said there, never left out.
    """
    box = lettering.box
    outline, padding, rotate = BalloonShape.BOX, 0, 0
    if isinstance(lettering, Balloon):
        outline, padding = lettering.shape, lettering.padding + lettering.stroke.width // 2
    elif isinstance(lettering, Narration):
        padding = lettering.padding + lettering.stroke.width // 2
    elif isinstance(lettering, Text):
        rotate = lettering.rotate
    layout = _layout(lettering.text, lettering.style, outline, box.w, box.h, padding, fonts or packaged_fonts())
    return SetText(layout, box.x + box.w / 2, box.y + box.h / 2, rotate)


def forget_layouts() -> None:
    """Forget every text that was set, as a measurement of a first setting needs it."""
    _layout.cache_clear()
    _shape.cache_clear()


@lru_cache(maxsize=4096)
def _layout(
    text: str, style: TextStyle, outline: BalloonShape, width: int, height: int, padding: int, fonts: Fonts
) -> Layout:
    choice = fonts.choice(style)
    if style.outline is not None:
        padding += style.outline.width
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    shaped = _shape(text, choice, style.language)
    search = Fitting(shaped, style, choice, room(outline, width, height, padding))
    found = search.rows()
    if found is None:
        size = float(style.smallest if style.fit else style.size)
        return _place(search, search.spill(size), size, overflow=True)
    return _place(search, found[1], found[0], overflow=False)


@lru_cache(maxsize=4096)
def _shape(text: str, choice: Choice, language: str) -> Shaped:
    return shape(text, choice, language)


def _place(search: Fitting, rows: list[Row], size: float, *, overflow: bool) -> Layout:
    shaped, choice = search.shaped, search.choice
    align = search.style.align
    widths = [search.width(first, end - 1) * size for first, end in rows]
    widest = max(widths, default=0.0)
    edge = search.room.half(0.0) if search.room.straight and not overflow else widest / 2
    lines: list[Line] = []
    extent: list[tuple[float, float, float, float]] = []
    for number, ((first, end), width) in enumerate(zip(rows, widths, strict=True)):
        baseline = search.baseline(number, len(rows), size)
        match align:
            case Align.CENTRE:
                left = -width / 2
            case Align.LEFT:
                left = -edge
            case Align.RIGHT:
                left = edge - width
        start, stop = search.pieces[first].start, search.pieces[end - 1].end
        origin = left + search.side * size
        if stop > start:
            origin -= (shaped.edges[start] + shaped.lefts[start]) * size
        runs, ink = _line_runs(shaped, choice, start, stop, origin, baseline, size)
        if ink is not None:
            extent.append(ink)
        lines.append(Line(shaped.text[start:stop], runs, left, width, baseline))
    return Layout(
        size=round(size),
        lines=tuple(lines),
        overflow=overflow and bool(extent),
        missing=shaped.missing,
        unknown_font=choice.unknown,
        lean=choice.lean,
        extent=(
            min(ink[0] for ink in extent),
            min(ink[1] for ink in extent),
            max(ink[2] for ink in extent),
            max(ink[3] for ink in extent),
        )
        if extent
        else None,
    )


def _line_runs(
    shaped: Shaped, choice: Choice, start: int, stop: int, origin: float, baseline: float, size: float
) -> tuple[tuple[GlyphRun, ...], tuple[float, float, float, float] | None]:
    """Glyphs of the characters start … stop, and the ink they cover."""
    runs: list[GlyphRun] = []
    face: Face | None = None
    glyphs: list[int] = []
    points: list[tuple[float, float]] = []
    clusters: list[int] = []
    left, top, right, bottom = math.inf, math.inf, -math.inf, -math.inf

    def close() -> None:
        if face is not None and glyphs:
            runs.append(GlyphRun(face, tuple(glyphs), tuple(points), tuple(clusters), choice.weight_of(face)))

    for glyph in shaped.glyphs:
        if not start <= glyph.cluster < stop:
            continue
        if glyph.face is not face:
            close()
            face, glyphs, points, clusters = glyph.face, [], [], []
        x, y = origin + glyph.x * size, baseline - glyph.y * size
        glyphs.append(glyph.glyph)
        points.append((x, y))
        clusters.append(glyph.cluster)
        ink = glyph.face.ink(glyph.glyph)
        if ink.right > ink.left:
            extra = choice.weight_of(glyph.face) / 2
            lean = choice.lean
            left = min(left, x + (ink.left + min(lean * ink.bottom, lean * ink.top) - extra) * size)
            right = max(right, x + (ink.right + max(lean * ink.bottom, lean * ink.top) + extra) * size)
            top = min(top, y - (ink.top + extra) * size)
            bottom = max(bottom, y - (ink.bottom - extra) * size)
    close()
    return tuple(runs), (left, top, right, bottom) if left < right else None
