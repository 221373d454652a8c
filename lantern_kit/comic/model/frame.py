"""Frames: panels that clip what lies in them."""

from __future__ import annotations

from enum import StrEnum
from typing import ClassVar, Literal

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.paper import Edge
from lantern_kit.comic.model.values import Colour, Shape, Stroke, later


class Keep(StrEnum):
    """What of a frame stays as it is when edges move and pages are laid out anew."""

    RATIO = "ratio"
    """Width over height of its bounds."""
    SIZE = "size"


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

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "fr"
