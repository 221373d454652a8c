"""How the names of those who speak are spelt: scripts have them in capitals, works as their authors write them."""

from __future__ import annotations

from functools import cached_property

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.model import Balloon, Unit
from lantern_kit.kernel.errors import BadInput, NotFound


class Speakers:
    """Who speaks in a chapter, and in the library.

    Args:
        book: the chapter as it was before its script was written back.
        ctx: its library.
    """

    def __init__(self, book: Book, ctx: EditContext) -> None:
        self._book = book
        self._ctx = ctx

    def spelt(self, name: str, unit: Unit) -> str:
        """A name as its page spells it; else as the chapter does, or the library; else as it is."""
        wanted = name.upper()
        return (_names(unit).get(wanted) or self._others.get(wanted) or self._kept(name)) if name else name

    @cached_property
    def _others(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for unit in self._book.units():
            found = _names(unit) | found
        return found

    def _kept(self, name: str) -> str:
        try:
            kept = self._ctx.library.entry(name).name
        except (BadInput, NotFound):
            return name
        return kept if kept.upper() == name.upper() else name


def _names(unit: Unit) -> dict[str, str]:
    """Names of a unit's speakers by the same in capitals; the first spelling counts."""
    spelt = [item.speaker for item in unit.objects if isinstance(item, Balloon) and item.speaker]
    return {name.upper(): name for name in reversed(spelt)}
