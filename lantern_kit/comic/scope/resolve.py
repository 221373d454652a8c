"""Readings looked up in a chapter: everything that fits, in the order of reading, and nothing that only nearly does."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.tree import box_of
from lantern_kit.comic.model import Direction, Frame, Node, Surface, Unit, UnitKind
from lantern_kit.comic.pages import page_numbers
from lantern_kit.comic.scope.matching import Found, Title, answers, lies_in, named, ordered, spoken
from lantern_kit.comic.scope.phrase import Noun, Phrase, Pick

__all__ = ["Found", "resolve"]

_Row = TypeVar("_Row")


def resolve(phrase: Phrase, book: Book, title: Title) -> list[Found]:
    """What a phrase means in a chapter; what it says of the chapter itself is the caller's to look at.

    Pages go by the numbers in their titles: a cover counts none, a spread two. Other things are counted in the order
    of reading inside what the phrase puts round them; where it puts nothing round them, on each unit by itself.
    """
    found = _Resolver(phrase, book, title).found()
    return list({item.key: item for item in found}.values())


@dataclass(frozen=True)
class _Spot:
    """Where to look: a unit, one page of a spread, or a frame."""

    unit: Unit
    surface: Surface | None = None
    frame: Frame | None = None

    @property
    def narrow(self) -> bool:
        """Whether it is less than a unit."""
        return self.surface is not None or self.frame is not None

    def holds(self, item: Node) -> bool:
        """Whether an object lies in it."""
        if self.frame is not None and not lies_in(self.unit, item, self.frame):
            return False
        return self.surface is None or _touches(self.unit, item, self.surface)


class _Resolver:
    def __init__(self, phrase: Phrase, book: Book, title: Title) -> None:
        self._phrase = phrase
        self._book = book
        self._title = title
        self._levels = [rank for rank in (1, 2, 3) if phrase.of_rank(rank)]

    def found(self) -> list[Found]:
        """Everything that answers to the phrase."""
        levels = self._levels
        if not levels:
            return []
        if levels[0] == self._phrase.head == 1 and len(levels) > 1:  # the last page with …: the last of those
            return [item for pick in self._phrase.of_rank(1) for item in self._holding(pick)]
        if levels[0] == 1:
            rows = [(Found(spot.unit), spot) for pick in self._phrase.of_rank(1) for spot in self._spots(pick)]
            return self._deeper(rows, 1)
        units = [_Spot(unit) for unit in self._book.units()]
        groups = [units] if self._phrase.of_rank(0) else [[spot] for spot in units]
        return [item for group in groups for item in self._inside(group, 0)]

    def _holding(self, pick: Pick) -> list[Found]:
        """Units that answer to a pick and hold what the phrase says besides."""
        spots = self._spots(replace(pick, ordinal=0))
        return _at(self._deeper([(Found(spot.unit), spot) for spot in spots], 1), pick.ordinal)

    # levels

    def _inside(self, spots: Sequence[_Spot], level: int) -> list[Found]:
        """What answers to the phrase from a level on, in some places counted through."""
        found: list[Found] = []
        for pick in self._phrase.of_rank(self._levels[level]):
            rows = self._members(pick, spots)
            if self._levels[level] == self._phrase.head and level + 1 < len(self._levels):
                holding = [row for row in self._fitting(pick, rows) if self._inside([_within(row)], level + 1)]
                found += _chosen(pick, holding, rows, spots)
                continue
            chosen = _chosen(pick, self._fitting(pick, rows), rows, spots)
            found += self._deeper([(row, _within(row)) for row in chosen], level + 1)
        return found

    def _deeper(self, rows: Iterable[tuple[Found, _Spot]], level: int) -> list[Found]:
        """The rows themselves where the phrase ends with them, else what it means inside each."""
        if level == len(self._levels):
            return [row for row, _ in rows]
        if level and self._levels[level - 1] == self._phrase.head:
            return [row for row, spot in rows if self._inside([spot], level)]
        return [item for _, spot in rows for item in self._inside([spot], level)]

    def _members(self, pick: Pick, spots: Sequence[_Spot]) -> list[Found]:
        """Objects of the kind that lie in some places."""
        return [
            Found(spot.unit, item)
            for spot in spots
            for item in ordered(spot.unit)
            if answers(pick.noun, item) and spot.holds(item)
        ]

    def _fitting(self, pick: Pick, rows: list[Found]) -> list[Found]:
        """Those of which holds what is said."""
        if pick.speaker or pick.said:
            rows = spoken(rows, pick)
        return named(rows, pick.name, self._title) if pick.name else rows

    # units

    def _spots(self, pick: Pick) -> list[_Spot]:
        """The units, or pages of spreads, that answer to a pick."""
        units = list(self._book.units())
        pages = dict(zip(self._book.order, page_numbers(unit.kind for unit in units), strict=True))
        total = max((last for _, last in pages.values()), default=0)
        fitting = {row.unit.id for row in self._fitting(pick, [Found(unit) for unit in units])}
        wanted = pick.number
        described = bool(pick.name or pick.speaker or pick.said)
        if pick.noun is Noun.PAGE and pick.ordinal and not described:
            place = pick.ordinal if pick.ordinal > 0 else total + 1 + pick.ordinal
            wanted = (place, place)
        if pick.noun is Noun.PAGE or pick.paged:
            kinds = set(UnitKind) - {UnitKind.COVER} if pick.noun is Noun.PAGE else {UnitKind(pick.noun.value)}
            rows = [unit for unit in units if unit.id in fitting and (unit.kind in kinds)]
            if wanted is None:
                return [_Spot(unit) for unit in _at(rows, pick.ordinal)]
            low, high = wanted
            return [
                _Spot(unit, self._side(unit, pages[unit.id], wanted))
                for unit in rows
                if pages[unit.id][0] <= high and pages[unit.id][1] >= low
            ]
        rows = [unit for unit in units if unit.kind.value == pick.noun.value and unit.id in fitting]
        if wanted is not None:
            rows = rows[max(0, wanted[0] - 1) : wanted[1]]
        return [_Spot(unit) for unit in _at(rows, pick.ordinal)]

    def _side(self, unit: Unit, pages: tuple[int, int], wanted: tuple[int, int]) -> Surface | None:
        """The page of a spread that is meant; None where both are, or where there is but one."""
        if len(unit.surfaces) == 1 or (wanted[0] <= pages[0] and wanted[1] >= pages[1]):
            return None
        first = max(wanted[0], pages[0]) == pages[0]
        rightwards = self._book.chapter.direction is not Direction.RTL
        return unit.surfaces[0 if first == rightwards else 1]


def _within(row: Found) -> _Spot:
    """The inside of what was found."""
    return _Spot(row.unit, frame=row.thing if isinstance(row.thing, Frame) else None)


def _chosen(pick: Pick, fitting: list[Found], members: list[Found], spots: Sequence[_Spot]) -> list[Found]:
    """Of what fits, that which stands at the place that is said.

    A number after the noun counts all of the kind, a word before it those that fit: *balloon 3* of all balloons, *the
    third balloon of hers* of hers. What has no such place inside a frame goes by its number on the whole unit; on one
    page of a spread both ways count, as people use both.
    """
    if pick.ordinal:
        found = _at(fitting, pick.ordinal)
        beside = _numbered(pick, (pick.ordinal, pick.ordinal), fitting, spots) if pick.ordinal > 0 else []
    elif pick.number is not None:
        low, high = pick.number
        there = {row.key for row in members[max(0, low - 1) : high]}
        found = [row for row in fitting if row.key in there]
        beside = _numbered(pick, pick.number, fitting, spots)
    else:
        return fitting
    if any(spot.surface is not None for spot in spots) or (pick.number is not None and not found):
        keys = {row.key for row in (*found, *beside)}
        return [row for row in fitting if row.key in keys]
    return found


def _numbered(pick: Pick, wanted: tuple[int, int], fitting: list[Found], spots: Sequence[_Spot]) -> list[Found]:
    """Those that bear a number on their whole unit, where less than a unit was looked at."""
    keys: set[str] = set()
    for spot in spots:
        if spot.narrow:
            kind = [item for item in ordered(spot.unit) if answers(pick.noun, item)]
            keys.update(item.id for item in kind[max(0, wanted[0] - 1) : wanted[1]])
    return [row for row in fitting if row.key in keys]


def _at(rows: list[_Row], ordinal: int) -> list[_Row]:
    """The row at a place from 1, or from -1 backwards; all of them where none is said."""
    if not ordinal:
        return rows
    place = ordinal - 1 if ordinal > 0 else len(rows) + ordinal
    return [rows[place]] if 0 <= place < len(rows) else []


def _touches(unit: Unit, item: Node, surface: Surface) -> bool:
    """Whether an object, or what it lies in, has a part on a page of a spread."""
    box = box_of(item)
    if box is None:
        parent = unit.index.get(item.parent)
        return parent is None or _touches(unit, parent, surface)
    left, right = unit.surfaces
    return box.x < left.x + left.width if surface is left else box.right > right.x
