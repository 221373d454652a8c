"""A chapter's document in memory: immutable, its units read from the store only when asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lantern_kit.comic.brief import Brief
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.kernel.errors import NotFound


@dataclass(eq=False)
class Source:
    """Where unchanged units come from, shared by all books derived from one reading of the store."""

    load: Callable[[str], Unit]
    stamps: Mapping[str, bytes] = field(default_factory=dict)
    """What each stored unit is known by: equal stamps, equal units."""
    read: dict[str, Unit] = field(default_factory=dict)
    glance: Callable[[Sequence[str]], Mapping[str, Brief]] | None = None
    """Tells of units without reading all of them."""

    def unit(self, unit: str) -> Unit:
        """The unit as stored, read once."""
        found = self.read.get(unit)
        if found is None:
            found = self.read[unit] = self.load(unit)
        return found

    def briefs(self, units: Sequence[str]) -> Mapping[str, Brief]:
        """What is told of units as stored."""
        return {unit: Brief.of(self.unit(unit)) for unit in units} if self.glance is None else self.glance(units)


def _nothing(unit: str) -> Unit:
    raise NotFound(f"{unit} is not a unit of this chapter", ids=[unit])


class Book:
    """A chapter and its units in order. Every method that changes something returns a new book."""

    __slots__ = ("_changed", "_places", "_source", "chapter", "order")

    def __init__(
        self, chapter: Chapter, order: tuple[str, ...], source: Source, changed: Mapping[str, Unit] | None = None
    ) -> None:
        self.chapter = chapter
        self.order = order
        self._source = source
        self._changed: Mapping[str, Unit] = changed or {}
        self._places: dict[str, int] | None = None

    @classmethod
    def of(cls, chapter: Chapter, units: Iterable[Unit] = ()) -> Book:
        """A book that lives in memory only."""
        held = {unit.id: unit for unit in units}
        return cls(chapter, tuple(held), Source(_nothing), held)

    def __len__(self) -> int:
        return len(self.order)

    def __contains__(self, unit: object) -> bool:
        return unit in self._index()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Book):
            return NotImplemented
        return (
            self.chapter == other.chapter
            and self.order == other.order
            and all(self.unit(unit) == other.unit(unit) for unit in self.differing(other))
        )

    __hash__ = None  # type: ignore[assignment]

    def _index(self) -> dict[str, int]:
        if self._places is None:
            self._places = {unit: place for place, unit in enumerate(self.order)}
        return self._places

    def position(self, unit: str) -> int:
        """Place of a unit, from 0. Raises NotFound."""
        place = self._index().get(unit)
        if place is None:
            raise NotFound(f"{unit} is not a unit of this chapter", ids=[unit])
        return place

    def unit(self, unit: str) -> Unit:
        """One unit. Raises NotFound."""
        found = self._changed.get(unit)
        if found is not None:
            return found
        self.position(unit)
        return self._source.unit(unit)

    def units(self) -> Iterator[Unit]:
        """All units in order."""
        return (self.unit(unit) for unit in self.order)

    def briefs(self, units: Sequence[str] | None = None) -> tuple[Brief, ...]:
        """What lists tell of units, or of all of them, in order; none is read whole for it. Raises NotFound."""
        wanted = self.order if units is None else units
        for unit in wanted if units is not None else ():
            self.position(unit)
        stored = self._source.briefs([unit for unit in wanted if unit not in self._changed])
        return tuple(stored[unit] if unit not in self._changed else Brief.of(self._changed[unit]) for unit in wanted)

    def stamp(self, unit: str) -> bytes | None:
        """The hash under which a unit is stored as it is here; None when it is not known to be. Raises NotFound."""
        self.position(unit)
        return None if unit in self._changed else self._source.stamps.get(unit)

    def differing(self, other: Book) -> tuple[str, ...]:
        """Units of both books that may differ, in this book's order; cheap when one book was made from the other."""
        if self._source is other._source:
            own, others = self._changed, other._changed
            ids = [unit for unit, held in own.items() if others.get(unit) is not held]
            ids += [unit for unit in others if unit not in own]
            found = [unit for unit in ids if unit in self and unit in other and self.unit(unit) is not other.unit(unit)]
            return tuple(sorted(found, key=self.position))
        mine, theirs = self._source.stamps, other._source.stamps
        return tuple(
            unit
            for unit in self.order
            if unit in other
            and (
                unit in self._changed
                or unit in other._changed
                or mine.get(unit) is None
                or mine.get(unit) != theirs.get(unit)
            )
        )

    def replace(self, unit: Unit) -> Book:
        """The same book with one unit in a new state. Raises NotFound."""
        self.position(unit.id)
        book = Book(self.chapter, self.order, self._source, {**self._changed, unit.id: unit})
        book._places = self._places
        return book

    def insert(self, unit: Unit, place: int) -> Book:
        """The same book with a new unit at ``place`` (0 … len)."""
        order = (*self.order[:place], unit.id, *self.order[place:])
        return Book(self.chapter, order, self._source, {**self._changed, unit.id: unit})

    def remove(self, unit: str) -> Book:
        """The same book without one unit. Raises NotFound."""
        place = self.position(unit)
        changed = {key: value for key, value in self._changed.items() if key != unit}
        return Book(self.chapter, self.order[:place] + self.order[place + 1 :], self._source, changed)

    def reorder(self, order: tuple[str, ...]) -> Book:
        """The same units in another order; ``order`` is a permutation."""
        if sorted(order) != sorted(self.order):
            raise NotFound("a new order must name each unit of the chapter once", ids=set(order) ^ set(self.order))
        return Book(self.chapter, order, self._source, self._changed)

    def settled(self, source: Source) -> Book:
        """The same content, told to come from ``source`` whole."""
        book = Book(self.chapter, self.order, source)
        book._places = self._places
        return book

    def with_chapter(self, chapter: Chapter) -> Book:
        """The same units under other chapter facts."""
        book = Book(chapter, self.order, self._source, self._changed)
        book._places = self._places
        return book
