"""A set text: its lines, and every glyph with its place."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from lantern_kit.comic.geometry import Edges
from lantern_kit.comic.model import Writing
from lantern_kit.comic.typeset.fonts import Face
from lantern_kit.comic.typeset.shaping import Part


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
    box: Edges
    """What its characters take, in micrometres; ruby and marks are beside it."""
    baseline: float
    """y of the baseline of a line; x of the middle of a column."""

    def moved(self, x: float, y: float, *, columns: bool) -> Line:
        """The same line elsewhere."""
        left, top, right, bottom = self.box
        runs = tuple(
            run._replace(glyphs=tuple(item._replace(x=item.x + x, y=item.y + y) for item in run.glyphs))
            for run in self.runs
        )
        box = left + x, top + y, right + x, bottom + y
        return self._replace(runs=runs, box=box, baseline=self.baseline + (x if columns else y))


@dataclass(frozen=True, eq=False)
class Layout:
    """A text set about the origin; shared by every object that says the same in the same style and shape."""

    text: str
    """The words as they are read, without marks."""
    writing: Writing
    size: int
    """Em size, in micrometres."""
    lines: tuple[Line, ...]
    overflow: bool
    missing: tuple[str, ...]
    unknown_font: str
    extent: Edges | None
    """Of its ink."""
    drawing: dict[str, Any] = field(default_factory=dict, repr=False)
    """What a renderer keeps with it: outlines of its words."""
