"""Lists that people hold: they show themselves as a table, the first of it where they are long."""

from __future__ import annotations

import copy
from collections.abc import Iterable, Sequence
from typing import Any, ClassVar, Generic, Self, TypeVar, overload

from lantern_kit import showing as show
from lantern_kit.kernel.errors import NotFound

T = TypeVar("T")
PICTURED = 12
"""Items of one list that come with a small picture."""


PICTURE = 120
"""The least width of such a picture, in pixels: a table would make it as narrow as it can."""


class Listed(Sequence[T], Generic[T]):
    """An unchanging list; a kind of it says how an item is told in a row, in a line and in a picture."""

    heads: ClassVar[tuple[str, ...]] = ()
    """What stands over the cells of a row."""
    empty: str = "nothing"
    """What is said of an empty list."""
    key: ClassVar[str] = "id"
    """The attribute that names an item."""

    def __init__(self, items: Iterable[T]) -> None:
        self.items = tuple(items)

    def __len__(self) -> int:
        return len(self.items)

    @overload
    def __getitem__(self, place: int | str) -> T: ...
    @overload
    def __getitem__(self, place: slice) -> Self: ...
    def __getitem__(self, place: int | str | slice) -> T | Self:
        """An item by its place from 0 or by its name, or a part of the list. Raises NotFound, IndexError."""
        if isinstance(place, slice):
            part = copy.copy(self)
            part.items = self.items[place]
            return part
        if isinstance(place, int):
            return self.items[place]
        for item in self.items:
            if getattr(item, self.key) == place:
                return item
        known = [str(getattr(item, self.key)) for item in self.items[: show.ROWS]]
        raise NotFound(
            f"{place[:80]} is not in this list", expected=known, ids=[place[:80]], recovery="Name one of it."
        )

    def _ipython_key_completions_(self) -> list[str]:
        return [str(name) for item in self.items[: show.ROWS] if isinstance(name := getattr(item, self.key), str)]

    # how an item is told

    def row(self, item: T) -> tuple[str, ...]:
        """The cells of an item, under ``heads``."""
        raise NotImplementedError

    def line(self, item: T) -> str:
        """An item in plain text."""
        return "  ".join(cell for cell in self.row(item) if cell)

    def picture(self, item: T) -> str:
        """A small picture of an item; nothing where there is none."""
        del item
        return ""

    # showing

    def rows(self) -> list[tuple[str, ...]]:
        """One row an item, under ``heads``."""
        return [self.row(item) for item in self.items]

    def rest(self) -> str:
        """How to see what is not shown; nothing where all is."""
        more = len(self) - show.ROWS
        return f"… and {more} more: a slice such as [{show.ROWS}:] shows them" if more > 0 else ""

    def __repr__(self) -> str:
        lines = [self.line(item) for item in self.items[: show.ROWS]]
        return "\n".join([*lines, self.rest()]).rstrip() or self.empty

    def html(self) -> str:
        """The table, its first items with pictures."""
        shown = self.items[: show.ROWS]
        pictures = [self.picture(item) for item in shown[:PICTURED]]
        if any(pictures):
            pictures += [""] * (len(shown) - len(pictures))
            cells = [
                show.Markup(f'<div style="min-width:{PICTURE}px">{drawn}</div>' if drawn else "") for drawn in pictures
            ]
            rows = [(cell, *self.row(item)) for cell, item in zip(cells, shown, strict=True)]
            return show.table(("", *self.heads), rows) + show.small(self.rest())
        return show.table(self.heads, map(self.row, shown), empty=self.empty) + show.small(self.rest())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.html())
