"""A change in counts: what of each kind came, went or changed, and where, in the kit's own words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.contract import ORDERS
from lantern_kit.comic.pages import unit_labels

_PLACES = 3


def counted(changes: Iterable[Change], book: Book) -> str:
    """``2 balloons changed, 1 frame added on page 3``: never a word of the work or of the agent."""
    changes = tuple(changes)
    things = {item.object: (item.object_kind, item.change) for item in changes if item.property not in ORDERS}
    orders = {item.object: (item.object_kind, "put in another order") for item in changes}
    counts = Counter((things or orders).values())  # orders follow from what came and went; alone they are the change
    told = ", ".join(f"{number} {_plural(kind, number)} {verb}" for (kind, verb), number in counts.items())
    units = dict.fromkeys(item.unit for item in changes if item.unit in book)
    where = unit_labels(book, units)
    more = len(where) - _PLACES
    return told + (f" on {', '.join(where[:_PLACES])}" if where else "") + (f" and {more} more" if more > 0 else "")


def _plural(noun: str, number: int) -> str:
    return noun if number == 1 else f"{noun}s"
