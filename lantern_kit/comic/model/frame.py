"""Frames: panels that clip what lies in them."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal

from pydantic import Field

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.paper import Edge
from lantern_kit.comic.model.values import Colour, EntryId, Record, Shape, Stroke, later

MOST_DESCRIBED = 4_000  # characters


class Keep(StrEnum):
    """What of a frame stays as it is when edges move and pages are laid out anew."""

    RATIO = "ratio"
    """Width over height of its bounds."""
    SIZE = "size"


class Light(Record):
    """The light in a panel, as its author means it."""

    angle: Annotated[int, Field(ge=0, lt=360_000)] | None = None
    """Where it comes from: millidegrees clockwise, 0 from above; None: from nowhere in particular."""
    kind: Annotated[str, Field(max_length=40)] = ""
    """In a word: night, lamp, overcast."""


class Presence(Record):
    """A character or a prop that is seen in a panel."""

    who: EntryId
    look: Annotated[str, Field(max_length=120)] = ""
    """Which of its looks; empty is its usual one."""


class Frame(Node):
    """A panel: an outline that clips its pictures and effects, with a border."""

    kind: Literal["frame"] = "frame"
    shape: Shape
    border: Stroke = Stroke(width=500)
    background: Colour | None = "#ffffff"
    bleed: tuple[Edge, ...] = ()
    """Edges of the paper past which the frame runs out to the bleed, sorted."""
    keep: Keep | None = later(None)
    """None: its outline may change in every way."""
    description: Annotated[str, Field(max_length=MOST_DESCRIBED)] = later("")
    """What is to be seen, as a script says it; never drawn."""
    scene: EntryId | None = later(None)
    """Where it is: an entry of the library."""
    light: Light | None = later(None)
    cast: tuple[Presence, ...] = later(())
    """Who and what is to be seen, each once."""

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "fr"
    unseen: ClassVar[tuple[str, ...]] = ("description", "scene", "light", "cast")
