"""Objects with words: balloons with their tails, captions, and lettering on the paper."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.style import TextStyle
from lantern_kit.comic.model.values import (
    MILLION,
    Angle,
    Colour,
    Id,
    Point,
    Record,
    Rect,
    Shape,
    Stroke,
    later,
)


class TailStyle(StrEnum):
    """What a tail is made of."""

    POINTED = "pointed"
    BUBBLES = "bubbles"
    """Ever smaller bubbles, as thoughts have them."""


class Tail(Record):
    """A balloon's tail, from the balloon's edge to ``tip``."""

    tip: Point
    width: Annotated[int, Field(gt=0, le=100_000)] = 4_000
    """Width where it leaves the balloon."""
    bend: Annotated[int, Field(ge=-MILLION, le=MILLION)] = 0
    """Sideways swing of the middle, as a fraction of the length; positive is clockwise from root to tip."""
    style: TailStyle | None = later(None)
    """None goes by the balloon: bubbles for a thought, pointed for all others."""


class BalloonShape(StrEnum):
    """Outline of a balloon."""

    ELLIPSE = "ellipse"
    ROUNDED = "rounded"
    CLOUD = "cloud"
    BURST = "burst"
    """Spikes: a shout, a radio, a machine."""
    THOUGHT = "thought"
    WHISPER = "whisper"
    """An ellipse in a broken line."""
    BOX = "box"
    NONE = "none"
    """Words alone; only their tails are drawn."""
    PATH = "path"
    """A free outline of its own."""


MOST_WORDS = 12_000


class Lettering(Node):
    """What all objects with words have."""

    box: Rect
    text: Annotated[str, Field(max_length=MOST_WORDS)]
    """Words with their marks (``comic.markup``): ``{漢字|かんじ}`` is ruby, ``[so]{.bold}`` a style of its own."""
    style: TextStyle = TextStyle()


class Balloon(Lettering):
    """Speech: a shape, tails joined to it without a seam, and words. Its parent is its frame, or the unit."""

    kind: Literal["balloon"] = "balloon"
    shape: BalloonShape = BalloonShape.ELLIPSE
    tails: tuple[Tail, ...] = Field(default=(), max_length=8)
    speaker: Annotated[str, Field(max_length=80)] = ""
    padding: Annotated[int, Field(ge=0, le=50_000)] = 1_200
    """Least distance of the words from the outline."""
    fill: Colour = "#ffffff"
    stroke: Stroke = Stroke(width=350)
    outline: Shape | None = later(None)
    """The outline of a ``path``, stretched so that its bounds are the box."""
    seed: Annotated[int, Field(ge=0, le=2**31 - 1)] = later(1)
    """cloud, thought, burst: another number, other bulges and spikes."""
    joined: Id | None = later(None)
    """Another balloon of the unit with which it makes one outline: one speaker, several breaths."""
    gutter_safe: bool = True
    """On a spread, keep clear of the gutter (checked)."""

    default_band: ClassVar[Band] = Band.BALLOONS
    prefix: ClassVar[str] = "bl"


class Narration(Lettering):
    """A caption box. Its parent is a frame or the unit."""

    kind: Literal["narration"] = "narration"
    padding: Annotated[int, Field(ge=0, le=50_000)] = 1_200
    fill: Colour | None = "#fff8dc"
    stroke: Stroke = Stroke(width=300)

    default_band: ClassVar[Band] = Band.BALLOONS
    prefix: ClassVar[str] = "na"


class Text(Lettering):
    """Lettering on the paper itself: titles and sound effects."""

    kind: Literal["text"] = "text"
    rotate: Angle = 0
    """About the centre of the box."""
    arc: Angle = later(0)
    """Angle through which the line of the words bends: positive arches up, negative sags."""
    skew: Annotated[int, Field(ge=-60_000, le=60_000)] = later(0)
    """Lean of the upright strokes, in millidegrees: positive to the right."""

    default_band: ClassVar[Band] = Band.TEXT
    prefix: ClassVar[str] = "tx"
