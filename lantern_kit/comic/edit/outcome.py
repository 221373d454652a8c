"""What an operation is given and what it gives back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.shelf import EmptyShelf, Shelf
from lantern_kit.comic.model import Chapter, Node, Unit
from lantern_kit.kernel.errors import WrongTarget
from lantern_kit.kernel.ids import IdSource

_Kind = TypeVar("_Kind", bound=Chapter | Unit | Node)


class AssetFacts(Protocol):
    """What edits need to know of a stored picture."""

    @property
    def width(self) -> int:
        """Pixels."""

    @property
    def height(self) -> int:
        """Pixels."""

    @property
    def alpha(self) -> bool:
        """It has real transparency."""

    @property
    def source_of(self) -> str | None:
        """For a foreground, the asset it was cut out of, as checked when it was registered; else None."""


@dataclass(frozen=True, slots=True)
class EditContext:
    """What operations may ask of the world: fresh ids, facts of pictures, and the library."""

    ids: IdSource
    assets: Callable[[str], AssetFacts]
    """Facts of an asset by id. Raises NotFound."""
    library: Shelf = field(default_factory=EmptyShelf)


@dataclass(frozen=True, slots=True)
class Target:
    """The thing an operation applies to, as it is now."""

    unit: Unit | None
    """The unit the object lies on, or is; None for the chapter."""
    object: Chapter | Unit | Node

    @property
    def id(self) -> str:
        """Id of the thing."""
        return self.object.id

    def expect(self, kind: type[_Kind]) -> _Kind:
        """The thing, when it is of a kind. Raises WrongTarget."""
        if not isinstance(self.object, kind):
            name = kind.__name__.lower()
            raise WrongTarget(f"{self.id} is no {name}", expected=name, found=str(self.object.kind), ids=[self.id])
        return self.object

    def sheet(self) -> Unit:
        """The unit. Raises WrongTarget for the chapter."""
        if self.unit is None:
            raise WrongTarget("the chapter itself is no unit", expected="a unit or an object on one", ids=[self.id])
        return self.unit


@dataclass(frozen=True, slots=True)
class Outcome:
    """What an operation did."""

    book: Book
    made: Mapping[str, str] = field(default_factory=dict)
    """Ids of new things: under ``""`` a single one, under ``1``, ``2`` … several."""
    notes: tuple[str, ...] = ()
    """What else happened that the caller may not expect, in words."""
