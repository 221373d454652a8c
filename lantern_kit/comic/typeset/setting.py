"""Lettering set into the real shape of its balloon: shaped once, fitted, centred by eye, with its place on the page."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lantern_kit.comic.balloons.body import Form, box_form, form_of, room
from lantern_kit.comic.geometry import spanning
from lantern_kit.comic.markup import parse
from lantern_kit.comic.model import Align, Balloon, Lettering, Narration, Rect, Text, TextStyle, Writing
from lantern_kit.comic.typeset.bent import bent_to_fit
from lantern_kit.comic.typeset.characters import LINE_ENDS
from lantern_kit.comic.typeset.composing import Words, compose
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.comic.typeset.layout import GlyphRun, Layout, Line, Placed
from lantern_kit.comic.typeset.placing import place
from lantern_kit.comic.typeset.shaping import Part
from lantern_kit.comic.typeset.whole import Keep, fitted
from lantern_kit.kernel.remembered import remembered

__all__ = ["GlyphRun", "Layout", "Line", "Part", "Placed", "SetText", "forget_layouts", "set_text"]

MOST_REMEMBERED = 400_000
"""Characters of all texts that are kept set: of long ones, each takes about a kilobyte."""
HANGING = 0.6
"""Share of the padding that marks may hang into."""


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
        columns = self.layout.writing is Writing.VERTICAL
        return tuple(line.moved(self.x, self.y, columns=columns) for line in self.layout.lines)

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
        return spanning(x, y, max(x + 1, math.ceil(right + self.x)), max(y + 1, math.ceil(bottom + self.y)))


def set_text(lettering: Lettering, *, fonts: Fonts | None = None) -> SetText:
    """Set the words of a balloon, a caption or a text into their real shape.

    Args:
        lettering: the object; its text, style, box, shape and padding decide.
        fonts: the fonts to use; None is those that come with the kit.

    Returns:
        The lines in page micrometres. What does not fit or has no glyph is said there, never left out.
    """
    box = lettering.box
    form, padding, edge, rotate, skew = box_form(box.w, box.h), 0, 0, 0, 0
    if isinstance(lettering, Balloon):
        form, padding, edge = form_of(lettering).about_its_middle(), lettering.padding, lettering.stroke.width // 2
    elif isinstance(lettering, Narration):
        padding, edge = lettering.padding, lettering.stroke.width // 2
    elif isinstance(lettering, Text):
        rotate, skew = lettering.rotate, lettering.skew
    words = lettering.text.replace("\r\n", "\n").replace("\r", "\n").translate(_LINE_ENDS).strip("\n")

    keep = Keep.SIZE
    if isinstance(lettering, Text):
        keep = Keep.LINES if lettering.arc else Keep.PHRASES if lettering.style.font == "sound" else keep
        if lettering.arc:  # a line is longer than the box it is bent into
            half = min(math.radians(abs(lettering.arc) / 2_000), math.pi / 2)
            along = half / math.sin(half)
            columns = lettering.style.writing is Writing.VERTICAL
            form = box_form(box.w, round(box.h * along)) if columns else box_form(round(box.w * along), box.h)

    def laid(style: TextStyle) -> Layout:
        return _layout(words, style, form, padding, edge, fonts or packaged_fonts(), keep)

    layout = laid(lettering.style)
    if isinstance(lettering, Text):
        layout = bent_to_fit(layout, lettering, laid)
    return SetText(layout, box.x + box.w / 2, box.y + box.h / 2, rotate, skew)


_LINE_ENDS = str.maketrans(dict.fromkeys(LINE_ENDS, "\n"))


def forget_layouts() -> None:
    """Forget every text that was set, as a measurement of a first setting needs it."""
    _layout.cache_clear()
    _composed.cache_clear()


@remembered(MOST_REMEMBERED)
def _layout(words: str, style: TextStyle, form: Form, padding: int, edge: int, fonts: Fonts, keep: Keep) -> Layout:
    outline = style.outline.width if style.outline is not None else 0
    free = room(form, padding + edge + outline)
    if style.writing is Writing.VERTICAL:
        free = free.turned()
    setting = style.model_copy(
        update={
            "size": 1_000,
            "smallest": 1_000,
            "fit": True,
            "colour": "#000000",
            "align": Align.CENTRE,
            "outline": None,
        }
    )
    ready = _composed(words, setting, fonts)
    search, size, rows = fitted(ready, style, free, HANGING * padding, keep)
    return place(search, rows, size, overflow=search.overflow)


@remembered(MOST_REMEMBERED)
def _composed(words: str, style: TextStyle, fonts: Fonts) -> Words:
    return compose(parse(words), style, fonts)
