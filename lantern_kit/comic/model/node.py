"""What all objects of a unit have, and the bands they are drawn in."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar, Self

from pydantic import Field

from lantern_kit.comic.model.values import Id, Record


class Band(StrEnum):
    """Default layers of drawing, from the bottom to the top."""

    PAPER = "paper"
    FRAMES = "frames"
    OVERLAYS = "overlays"
    FOREGROUNDS = "foregrounds"
    BALLOONS = "balloons"
    TEXT = "text"


BANDS = tuple(Band)


class Node(Record):
    """What all objects of a unit have."""

    kind: str
    id: Id
    parent: Id
    name: Annotated[str, Field(max_length=120)] = ""
    """A label for people; never a key."""
    band: Band | None = None
    """None is the default band of the kind."""

    default_band: ClassVar[Band] = Band.FRAMES
    prefix: ClassVar[str] = "xx"
    unseen: ClassVar[tuple[str, ...]] = ()
    """Fields that are never drawn, and differ from object to object."""

    @property
    def layer(self) -> Band:
        """The band in which the object is drawn."""
        return self.default_band if self.band is None else self.band

    @property
    def drawn(self) -> Self:
        """The object with nothing said that is never drawn; the object itself where nothing is."""
        fields = type(self).model_fields
        said = {name: fields[name].default for name in self.unseen if getattr(self, name) != fields[name].default}
        return self.model_copy(update=said) if said else self
