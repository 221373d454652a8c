"""What a chapter is printed on, and which way it is read."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.comic.model.values import Record, Size


class Direction(StrEnum):
    """Reading direction of a chapter."""

    LTR = "ltr"
    RTL = "rtl"
    TTB = "ttb"


class Binding(StrEnum):
    """The side on which the book is bound."""

    LEFT = "left"
    RIGHT = "right"
    TOP = "top"


class Edge(StrEnum):
    """An edge of the paper."""

    TOP = "top"
    RIGHT = "right"
    BOTTOM = "bottom"
    LEFT = "left"


class Paper(Record):
    """The paper of a chapter: what a printer needs to know about one page."""

    width: Size
    """Trim width."""
    height: Size
    """Trim height."""
    bleed: Annotated[int, Field(ge=0, le=50_000)] = 3_000
    """Drawn area past the trim, on every side."""
    safe: Annotated[int, Field(ge=0, le=100_000)] = 5_000
    """Inset from the trim inside which lettering stays."""
    dpi: Annotated[int, Field(ge=72, le=2_400)] = 600
    """Resolution of print exports."""
    binding: Binding = Binding.LEFT
