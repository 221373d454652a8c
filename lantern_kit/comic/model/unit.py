"""Units with everything on them, and the chapter they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from functools import cached_property
from typing import Annotated, Any, ClassVar, Literal, Self

from pydantic import Field

from lantern_kit.comic.model.effect import Effect
from lantern_kit.comic.model.frame import Frame
from lantern_kit.comic.model.lettering import Balloon, Narration, Text
from lantern_kit.comic.model.node import Node
from lantern_kit.comic.model.paper import Direction, Paper
from lantern_kit.comic.model.picture import Foreground, Image, Overlay
from lantern_kit.comic.model.values import Colour, EntryId, Length, Record, Size, later

MOST_OBJECTS = 2_000  # on one unit
MOST_LETTERS = 100_000  # of all words on one unit, marks included: some forty pages of a novel, set in ten seconds


class UnitKind(StrEnum):
    """What a reader meets as one thing."""

    PAGE = "page"
    COVER = "cover"
    TRANSITION = "transition"
    SPREAD = "spread"


AnyObject = Annotated[
    Frame | Image | Foreground | Overlay | Balloon | Narration | Text | Effect, Field(discriminator="kind")
]
OBJECT_TYPES: dict[str, type[Node]] = {
    "frame": Frame,
    "image": Image,
    "foreground": Foreground,
    "overlay": Overlay,
    "balloon": Balloon,
    "narration": Narration,
    "text": Text,
    "effect": Effect,
}


class Surface(Record):
    """One sheet side of a unit, in unit space."""

    id: Annotated[str, Field(pattern=r"^sf_[0-9a-z]{4,20}$")]
    x: Length
    """Left trim edge: 0, or the left page's width plus the gutter."""
    width: Size
    height: Size


class Unit(Record):
    """A page, cover, transition or true spread, with everything on it."""

    kind: UnitKind
    id: Annotated[str, Field(pattern=r"^un_[0-9a-z]{4,20}$")]
    name: Annotated[str, Field(max_length=120)] = ""
    background: Colour = "#ffffff"
    gutter: Annotated[int, Field(ge=0, le=200_000)] = 0
    """Width between the two surfaces of a spread; zero on other kinds."""
    surfaces: tuple[Surface, ...] = Field(min_length=1, max_length=2)
    objects: tuple[AnyObject, ...] = Field(default=(), max_length=MOST_OBJECTS)
    """Drawing order inside a band and a parent, bottom first."""
    reading: tuple[str, ...] = ()
    """Frames, balloons, narration and texts in reading order, each once."""

    prefix: ClassVar[str] = "un"

    @cached_property
    def index(self) -> dict[str, Any]:
        """Objects by id."""
        return {item.id: item for item in self.objects}

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy with some fields replaced; its index is its own (pydantic would hand on the cached one)."""
        copied = super().model_copy(update=update, deep=deep)
        copied.__dict__.pop("index", None)
        return copied

    @property
    def width(self) -> int:
        """Trim width of the whole unit, gutter included."""
        last = self.surfaces[-1]
        return last.x + last.width

    @property
    def height(self) -> int:
        """Trim height."""
        return max(surface.height for surface in self.surfaces)

    def children(self, parent: str) -> tuple[Any, ...]:
        """Objects whose parent is ``parent``, in drawing order."""
        return tuple(item for item in self.objects if item.parent == parent)


class Chapter(Record):
    """One episode: facts that hold for all its units. The units themselves follow it in the document."""

    kind: Literal["chapter"] = "chapter"
    id: Annotated[str, Field(pattern=r"^ch_[0-9a-z]{4,20}$")]
    comic: str
    """Title of the comic."""
    number: Annotated[int, Field(ge=0, le=100_000)] = 1
    title: Annotated[str, Field(max_length=200)] = ""
    language: Annotated[str, Field(pattern=r"^[a-z]{2,3}(-[A-Za-z0-9]{2,8})*$")] = "en"
    direction: Direction = Direction.LTR
    paper: Paper
    styles: tuple[EntryId, ...] = later(())
    """Entries of the library that the pictures keep to."""

    prefix: ClassVar[str] = "ch"


READABLE = frozenset({"frame", "balloon", "narration", "text"})
"""Kinds that stand in a unit's reading order."""
