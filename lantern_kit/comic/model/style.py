"""How lettering is set."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.comic.model.values import Colour, Record, Stroke, later


class Align(StrEnum):
    """How lines of text stand in their box."""

    LEFT = "left"
    CENTRE = "centre"
    RIGHT = "right"


class Writing(StrEnum):
    """Which way lines run."""

    HORIZONTAL = "horizontal"
    VERTICAL = "vertical"
    """In columns, the first at the right."""


class TextStyle(Record):
    """How lettering is set."""

    font: Annotated[str, Field(min_length=1, max_length=80)] = "dialogue"
    """A role (``dialogue``, ``narration``, ``sound``, ``sans``) or a family name of an installed font."""
    size: Annotated[int, Field(ge=500, le=200_000)] = 2_800
    """Em size; with ``fit`` it is the largest that is tried."""
    smallest: Annotated[int, Field(ge=300, le=200_000)] = 1_700
    """The size below which fitting gives up and overflow is a finding."""
    fit: bool = True
    """Search the largest size that fits the real shape; else ``size`` is used as it is."""
    colour: Colour = "#000000"
    bold: bool = False
    italic: bool = False
    align: Align = Align.CENTRE
    leading: Annotated[int, Field(ge=500_000, le=4_000_000)] | None = None
    """Line pitch over em size, in millionths; None goes by the script, and leaves room for ruby."""
    tracking: Annotated[int, Field(ge=-200_000, le=2_000_000)] = later(0)
    """Space added after every character, over the em, in millionths."""
    writing: Writing = later(Writing.HORIZONTAL)
    combine: Annotated[int, Field(ge=0, le=4)] = later(2)
    """In columns: runs of at most so many digits, and pairs of ! and ?, stand upright in one place (tate-chu-yoko)."""
    outline: Stroke | None = None
    """Drawn behind the glyphs."""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    """BCP 47 tag; picks the CJK forms."""
