"""Pictures as they are placed: in frames, free on the paper, and bound breakouts."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Literal, Self

from pydantic import Field, model_validator

from lantern_kit.comic.model.node import Band, Node
from lantern_kit.comic.model.values import MILLION, Angle, EntryId, Fraction, Length, Record, Rect, later


class Transform(Record):
    """A change on top of where a placement puts a picture, about the centre of its box."""

    dx: Length = 0
    dy: Length = 0
    scale: Annotated[int, Field(ge=10_000, le=100 * MILLION)] = MILLION
    rotate: Angle = 0
    flip_x: bool = False
    flip_y: bool = False


class Fit(StrEnum):
    """How a picture meets its box."""

    COVER = "cover"
    CONTAIN = "contain"
    STRETCH = "stretch"


class Placement(Record):
    """How a picture lies in its box."""

    box: Rect | None = None
    """The box in page space; None is the bounds of the parent frame."""
    fit: Fit = Fit.COVER
    focus: tuple[Fraction, Fraction] = (500_000, 500_000)
    """The point of the picture that ``cover`` keeps in view."""
    crop: tuple[Fraction, Fraction, Fraction, Fraction] = (0, 0, MILLION, MILLION)
    """The part of the picture that is used: left, top, right, bottom."""
    transform: Transform = Transform()


class MarkKind(StrEnum):
    """What an author marks in a picture."""

    FOCUS = "focus"
    """What the eye is to find."""
    FACE = "face"


class Mark(Record):
    """A place in a picture that its author marked; it is never drawn."""

    kind: MarkKind
    area: tuple[Fraction, Fraction, Fraction, Fraction]
    """Left, top, right, bottom in millionths of the whole picture, whatever is cropped."""
    who: EntryId | None = None

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if self.area[0] >= self.area[2] or self.area[1] >= self.area[3]:
            raise ValueError("a mark reaches from left to right and from top to bottom")
        return self


Marks = Annotated[tuple[Mark, ...], Field(max_length=40)]


class Image(Node):
    """A placed picture: in a frame, or free on the paper when the unit is its parent."""

    kind: Literal["image"] = "image"
    asset: str
    """Id of an AssetVersion."""
    placement: Placement = Placement()
    clip: bool = True
    """Cut to the parent frame's outline; without a frame it has no meaning."""
    opacity: Fraction = MILLION
    marks: Marks = later(())

    default_band: ClassVar[Band] = Band.PAPER
    prefix: ClassVar[str] = "im"
    unseen: ClassVar[tuple[str, ...]] = ("marks",)


class Foreground(Node):
    """A bound breakout: the cut-out subject of one image, drawn past the frame. Its parent is that image.

    It has no coordinates of its own: the image's placement drives it (seed 000, bound breakout).
    """

    kind: Literal["foreground"] = "foreground"
    asset: str
    """AssetVersion with real alpha, of the image's own pixel size and origin."""

    default_band: ClassVar[Band] = Band.FOREGROUNDS
    prefix: ClassVar[str] = "fg"


class Overlay(Node):
    """A free paper object above the borders: an ordinary breakout, or an object across a spread's gutter."""

    kind: Literal["overlay"] = "overlay"
    asset: str
    placement: Placement
    opacity: Fraction = MILLION
    marks: Marks = later(())

    default_band: ClassVar[Band] = Band.OVERLAYS
    prefix: ClassVar[str] = "ov"
    unseen: ClassVar[tuple[str, ...]] = ("marks",)
