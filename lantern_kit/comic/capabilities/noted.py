"""What activity notes of a change: counts in the kit's own words, and the pictures that were put to use."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change

_ORDERS = frozenset({"objects", "reading", "units"})
_PLACES = 3
_PICTURE = "asset"


def counted(changes: Iterable[Change], book: Book) -> str:
    """``2 balloons changed, 1 frame added on page 3``: never a word of the work or of the agent."""
    changes = tuple(changes)
    things = {item.object: (item.object_kind, item.change) for item in changes if item.property not in _ORDERS}
    orders = {item.object: (item.object_kind, "put in another order") for item in changes}
    counts = Counter((things or orders).values())  # orders follow from what came and went; alone they are the change
    told = ", ".join(f"{number} {_plural(kind, number)} {verb}" for (kind, verb), number in counts.items())
    units = dict.fromkeys(item.unit for item in changes if item.unit in book)
    where = [f"{book.unit(unit).kind.value} {book.position(unit) + 1}" for unit in units]
    more = len(where) - _PLACES
    return told + (f" on {', '.join(where[:_PLACES])}" if where else "") + (f" and {more} more" if more > 0 else "")


def operations(given: Sequence[Any]) -> str:
    """The names of the operations of a change set that was carried out, each once."""
    return ", ".join(dict.fromkeys(str(item["op"]) for item in given))


def pictures(changes: Iterable[Change]) -> tuple[str, ...]:
    """The fixed asset versions that changes bring in, each once."""
    found: dict[str, None] = {}
    for change in changes:
        if change.property == _PICTURE and change.after:
            found[str(change.after)] = None
        elif change.change == "added" and isinstance(change.after, dict) and change.after.get(_PICTURE):
            found[str(change.after[_PICTURE])] = None
    return tuple(found)


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"
