"""Lettering set into the real shape of its balloon: shaped once, fitted, centred by eye, with its place on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import Any, NamedTuple

from lantern_kit.comic.balloons.body import Form, box_form, form_of, room
from lantern_kit.comic.markup import plain
from lantern_kit.comic.model import Align, Balloon, Lettering, Narration, Rect, Text, TextStyle, Writing
from lantern_kit.comic.typeset.fitting import Fitting, Row
from lantern_kit.comic.typeset.fonts import Choice, Face, Fonts, packaged_fonts
from lantern_kit.comic.typeset.shaping import Shaped, shape


class Part(StrEnum):
    """What a run of glyphs is of its text."""

    TEXT = "text"
    RUBY = "ruby"
    DOTS = "dots"
    """Emphasis marks."""


class Placed(NamedTuple):
    """One glyph where it stands."""

    glyph: int
    x: float
    """Origin, in micrometres."""
    y: float
    turn: float
    """Degrees clockwise about the origin."""
    at: int
    """Place in the plain text of the character it begins to show, or stands beside."""


class GlyphRun(NamedTuple):
    """Glyphs of one face and one look on one line, in reading order."""

    face: Face
    size: float
    """Em size, in micrometres."""
    glyphs: tuple[Placed, ...]
    weight: float = 0.0
    """Ink added to the glyphs, over the em."""
    lean: float = 0.0
    """Synthetic italic: sideways over upwards, before the turn."""
    stretch: float = 1.0
    """Width over what the face gives, before the turn (digits squeezed into one place of a column)."""
    colour: str = ""
    """Empty: the style's."""
    part: Part = Part.TEXT


class Line(NamedTuple):
    """One set line, or column."""

    start: int
    """Its first character in the plain text."""
    end: int
    """After its last; what vanishes at a line's end is left out."""
    runs: tuple[GlyphRun, ...]
    box: tuple[float, float, float, float]
    """What its characters take, in micrometres: left, top, right, bottom; ruby and marks are beside it."""
    baseline: float
    """y of the baseline of a line; x of the middle of a column."""


@dataclass(frozen=True, eq=False)
class Layout:
    """A text set about the origin; shared by every object that says the same in a box of the same size."""

    text: str
    """The words as they are read, without marks."""
    writing: Writing
    size: int
    """Em size, in micrometres."""
    lines: tuple[Line, ...]
    overflow: bool
    missing: tuple[str, ...]
    unknown_font: str
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
    skew: int = 0
    """Lean of the upright strokes about that centre, before the turn: millidegrees, positive to the right."""

    @property
    def text(self) -> str:
        """The words as they are read, without marks."""
        return self.layout.text

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
        return tuple(_moved(line, self.x, self.y) for line in self.layout.lines)

    def words_of(self, line: Line) -> str:
        """What a line says."""
        return self.layout.text[line.start : line.end]

    @property
    def ink(self) -> Rect | None:
        """Bounds of everything the words cover on the page, turned as drawn; None when they cover nothing."""
        if self.layout.extent is None:
            return None
        left, top, right, bottom = self.layout.extent
        if self.skew:
            lean = math.tan(math.radians(self.skew / 1_000))
            left, right = min(left - lean * top, left - lean * bottom), max(right - lean * top, right - lean * bottom)
        if self.rotate:
            turn = math.radians(self.rotate / 1_000)
            cos, sin = math.cos(turn), math.sin(turn)
            corners = [(x * cos - y * sin, x * sin + y * cos) for x in (left, right) for y in (top, bottom)]
            left, right = min(x for x, _ in corners), max(x for x, _ in corners)
            top, bottom = min(y for _, y in corners), max(y for _, y in corners)
        x, y = math.floor(left + self.x), math.floor(top + self.y)
        return Rect(x=x, y=y, w=max(1, math.ceil(right + self.x) - x), h=max(1, math.ceil(bottom + self.y) - y))


def _moved(line: Line, x: float, y: float) -> Line:
    left, top, right, bottom = line.box
    runs = tuple(
        run._replace(glyphs=tuple(item._replace(x=item.x + x, y=item.y + y) for item in run.glyphs))
        for run in line.runs
    )
    return line._replace(runs=runs, box=(left + x, top + y, right + x, bottom + y), baseline=line.baseline + y)


def set_text(lettering: Lettering, *, fonts: Fonts | None = None) -> SetText:
    """Set the words of a balloon, a caption or a text into their real shape.

    Args:
        lettering: the object; its text, style, box, shape and padding decide.
        fonts: the fonts to use; None is those that come with the kit.

    Returns:
        The lines in page micrometres. What does not fit or has no glyph is said there, never left out.
    """
    box = lettering.box
    form, padding, rotate, skew = box_form(box.w, box.h), 0, 0, 0
    if isinstance(lettering, Balloon):
        form, padding = form_of(lettering).about_its_middle(), lettering.padding + lettering.stroke.width // 2
    elif isinstance(lettering, Narration):
        padding = lettering.padding + lettering.stroke.width // 2
    elif isinstance(lettering, Text):
        rotate, skew = lettering.rotate, lettering.skew
    layout = _layout(plain(lettering.text), lettering.style, form, padding, fonts or packaged_fonts())
    return SetText(layout, box.x + box.w / 2, box.y + box.h / 2, rotate, skew)


def forget_layouts() -> None:
    """Forget every text that was set, as a measurement of a first setting needs it."""
    _layout.cache_clear()
    _shape.cache_clear()


@lru_cache(maxsize=4096)
def _layout(text: str, style: TextStyle, form: Form, padding: int, fonts: Fonts) -> Layout:
    choice = fonts.choice(style)
    if style.outline is not None:
        padding += style.outline.width
    text = text.replace("\r\n", "\n").replace("\r", "\n").strip("\n")
    shaped = _shape(text, choice, style.language)
    search = Fitting(shaped, style, choice, room(form, padding))
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
    edge = search.room.width / 2 if search.room.straight and not overflow else widest / 2
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
        box = (left, baseline - search.top * size, left + width, baseline + search.bottom * size)
        lines.append(Line(start, stop, runs, box, baseline))
    return Layout(
        text=shaped.text,
        writing=search.style.writing,
        size=round(size),
        lines=tuple(lines),
        overflow=overflow and bool(extent),
        missing=shaped.missing,
        unknown_font=choice.unknown,
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
    glyphs: list[Placed] = []
    left, top, right, bottom = math.inf, math.inf, -math.inf, -math.inf
    lean = choice.lean

    def close() -> None:
        if face is not None and glyphs:
            runs.append(GlyphRun(face, size, tuple(glyphs), weight=choice.weight_of(face), lean=lean))

    for glyph in shaped.glyphs:
        if not start <= glyph.cluster < stop:
            continue
        if glyph.face is not face:
            close()
            face, glyphs = glyph.face, []
        x, y = origin + glyph.x * size, baseline - glyph.y * size
        glyphs.append(Placed(glyph.glyph, x, y, 0.0, glyph.cluster))
        ink = glyph.face.ink(glyph.glyph)
        if ink.right > ink.left:
            extra = choice.weight_of(glyph.face) / 2
            left = min(left, x + (ink.left + min(lean * ink.bottom, lean * ink.top) - extra) * size)
            right = max(right, x + (ink.right + max(lean * ink.bottom, lean * ink.top) + extra) * size)
            top = min(top, y - (ink.top + extra) * size)
            bottom = max(bottom, y - (ink.bottom - extra) * size)
    close()
    return tuple(runs), (left, top, right, bottom) if left < right else None
