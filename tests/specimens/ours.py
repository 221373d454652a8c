"""The kit's own setting of a sentence, in the measures in which a judge gives his."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from lantern_kit.comic.model import (
    Align,
    Chapter,
    Paper,
    Rect,
    Surface,
    Text,
    TextStyle,
    Unit,
    UnitKind,
    Writing,
)
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.typeset import SetText, set_text
from lantern_kit.comic.typeset.setting import GlyphRun, Part, Placed
from tests.specimens.corpus import Sentence

EM = 4_000
"""Micrometres, which are 80 pixels in the pictures."""
SCALE = 20.0
"""Pixels a millimetre."""
MARGIN = 2_000

Box = tuple[float, float, float, float]


class Ours(NamedTuple):
    """One sentence as the kit sets it; lengths in ems."""

    words: SetText
    ink: dict[int, Box]
    """Of each character that shows: left, top, right, bottom on the page."""
    turns: dict[int, float]
    """Degrees by which each was turned."""


def style_of(sentence: Sentence, **more: object) -> TextStyle:
    """Sans, at a fixed size: nothing is fitted."""
    writing = Writing.VERTICAL if sentence.vertical else Writing.HORIZONTAL
    facts = {"font": "sans", "fit": False, "size": EM, "align": Align.LEFT, "leading": 1_600_000} | more
    return TextStyle(language=sentence.language, writing=writing, **facts)


def lettering(sentence: Sentence, length: float = 80, **more: object) -> Text:
    """The sentence on lines of so many ems, with as much room across as so many lines want."""
    along, across = round(length * EM), round(EM * (3 + 1.6 * (4 + 2 * len(sentence.words) / length)))
    width, height = (across, along) if sentence.vertical else (along, across)
    box = Rect(x=MARGIN, y=MARGIN, w=width, h=height)
    return Text(id="tx_judged", parent="un_judged", box=box, text=sentence.words, style=style_of(sentence, **more))


def ours(sentence: Sentence, length: float = 80, **more: object) -> Ours:
    """Set a sentence on lines of so many ems."""
    words = set_text(lettering(sentence, length, **more))
    ink: dict[int, Box] = {}
    turns: dict[int, float] = {}
    for line in words.lines:
        for run in line.runs:
            if run.part is not Part.TEXT:
                continue
            for glyph in run.glyphs:
                box = ink_of(run, glyph)
                if box is not None:
                    ink[glyph.at] = _both(ink[glyph.at], box) if glyph.at in ink else box
                    turns.setdefault(glyph.at, glyph.turn)
    return Ours(words, ink, turns)


def ink_of(run: GlyphRun, glyph: Placed) -> Box | None:
    """What one glyph covers on the page, in ems; None when it is blank."""
    shape = run.face.ink(glyph.glyph)
    if shape.right <= shape.left:
        return None
    turn = math.radians(glyph.turn)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = []
    for across in (shape.left, shape.right):
        for up in (shape.bottom, shape.top):
            x, y = (across + run.lean * up) * run.stretch * run.size, -up * run.size
            corners.append(((glyph.x + x * cos - y * sin) / EM, (glyph.y + x * sin + y * cos) / EM))
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    extra = run.weight * run.size / EM / 2
    return min(xs) - extra, min(ys) - extra, max(xs) + extra, max(ys) + extra


def picture(sentence: Sentence, length: float = 80, **more: object) -> NDArray[np.uint8]:
    """The same, drawn in grey: 80 pixels an em, with the page's corner at the first pixel."""
    item = lettering(sentence, length, **more)
    surface = Surface(id="sf_judged", x=0, width=item.box.right, height=item.box.bottom)
    unit = Unit(kind=UnitKind.PAGE, id="un_judged", surfaces=(surface,), objects=(item,), reading=(item.id,))
    paper = Paper(width=surface.width, height=surface.height)
    drawn = render_unit(unit, Chapter(id="ch_judged", comic="Judged", paper=paper), lambda asset: None, scale=SCALE)
    return np.asarray(drawn.pixels[..., :3].mean(axis=2).astype(np.uint8))


def ends(sentence: Sentence, length: float) -> list[int]:
    """Where the lines of a sentence begin after the first, as places in its characters."""
    return [line.start for line in ours(sentence, length).words.lines[1:]]


def _both(one: Box, other: Box) -> Box:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
