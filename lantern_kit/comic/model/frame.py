"""Frames: panels that clip what lies in them."""

from __future__ import annotations

from typing import ClassVar, Literal

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.paper import Edge
from lantern_kit.comic.model.values import Colour, Shape, Stroke


class Frame(Node):
    """A panel: an outline that clips its pictures and effects, with a border."""

    kind: Literal["frame"] = "frame"
    shape: Shape
    border: Stroke = Stroke(width=500)
    background: Colour | None = "#ffffff"
    bleed: tuple[Edge, ...] = ()
    """Edges of the paper past which the frame runs out to the bleed, sorted."""

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "fr"
