"""Short words set in balloons, and where their glyphs' ink lies."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from lantern_kit.comic.model import BalloonShape, TextStyle, Writing
from lantern_kit.comic.typeset import SetText, set_text
from lantern_kit.comic.typeset.layout import GlyphRun, Placed
from lantern_kit.comic.typeset.shaping import Part
from tests.render.pages import Maker

MAKE = Maker()


class Shown(NamedTuple):
    """One glyph on the page, in micrometres."""

    at: int
    left: float
    top: float
    right: float
    bottom: float
    run: GlyphRun
    item: Placed

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


def words(text: str, width: float = 40, height: float = 24, **more: Any) -> SetText:
    """A balloon's words; ``style`` is given as facts."""
    style = TextStyle(**more.pop("style", {}))
    return set_text(MAKE.balloon(20, 20, width, height, text, style=style, **more))


def columns(text: str, width: float = 30, height: float = 60, language: str = "ja", **style: Any) -> SetText:
    """Words of a large box in columns."""
    facts = {"writing": Writing.VERTICAL, "language": language, **style}
    return words(text, width, height, shape=BalloonShape.BOX, style=facts)


def line(text: str, width: float = 80, height: float = 20, language: str = "ja", **style: Any) -> SetText:
    """Words of a large box in lines."""
    return words(text, width, height, shape=BalloonShape.BOX, style={"language": language, **style})


def lines(found: SetText) -> list[str]:
    return [found.words_of(line) for line in found.lines]


def shown(found: SetText, part: Part | None = Part.TEXT) -> list[Shown]:
    """The glyphs with ink, in reading order."""
    made: list[Shown] = []
    for one in found.lines:
        for run in one.runs:
            if part is None or run.part is part:
                made.extend(s for item in run.glyphs if (s := _shown(run, item)) is not None)
    return made


def _shown(run: GlyphRun, item: Placed) -> Shown | None:
    ink = run.face.ink(item.glyph)
    if ink.right <= ink.left:
        return None
    turn = math.radians(item.turn)
    cos, sin = math.cos(turn) * run.size, math.sin(turn) * run.size
    xs, ys = [], []
    for right in (ink.left * run.stretch, ink.right * run.stretch):
        for up in (ink.bottom, ink.top):
            xs.append(item.x + right * cos + up * sin)
            ys.append(item.y + right * sin - up * cos)
    return Shown(item.at, min(xs), min(ys), max(xs), max(ys), run, item)


def one(found: SetText, at: int, part: Part = Part.TEXT) -> Shown:
    """The only glyph that shows the character at a place."""
    (only,) = [s for s in shown(found, part) if s.at == at]
    return only
