"""Three-way merge of a chapter: property by property, orders as orders, conflicts listed and never guessed.

Both sides are sound states made from one base. An object is followed by its id, also to another unit. Where both sides
changed one thing in different ways there is a conflict and the merged book holds *ours* there; whatever else would not
fit together (a child whose parent went, a second foreground, anything that validation refuses) is a conflict too.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import field_names, own_fields, plain
from lantern_kit.comic.model import READABLE, Chapter, Foreground, Image, Node, Overlay, Unit
from lantern_kit.comic.sequence import merge_order
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import WrongState

_SHEET = ("kind", "gutter", "surfaces")
"""Facts of a unit that only make sense together."""
_MARKED = ("asset", "marks")
"""A picture and what is marked in it, and in no other."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Something both sides changed in different ways. The values are plain JSON-able data; None is "not there"."""

    unit: str
    """The unit it lies on in ours, else in theirs; the chapter for what lies above units."""
    object: str
    property: str | None
    """None when it is about the whole object: removed here and changed there, or added where its parent went."""
    base: Any
    ours: Any
    theirs: Any


@dataclass(frozen=True, slots=True)
class Merged:
    """The outcome of a merge."""

    book: Book
    """Holds ours wherever there is a conflict."""
    conflicts: tuple[Conflict, ...]


class _Placed(NamedTuple):
    """An object and the unit it lies on."""

    unit: str
    item: Node


class _Side(NamedTuple):
    """One state, as far as it may differ: units that are looked at, and their objects by id."""

    book: Book
    units: dict[str, Unit]
    objects: dict[str, _Placed]


def merge(base: Book, ours: Book, theirs: Book) -> Merged:
    """Both sides' changes in one book.

    Args:
        base: the state both sides started from.
        ours: one side; kept where the two conflict.
        theirs: the other side.
    """
    if not base.chapter.id == ours.chapter.id == theirs.chapter.id:
        raise WrongState("three states of one chapter can be merged", ids=[ours.chapter.id, theirs.chapter.id])
    return _Merge(base, ours, theirs).merged()


class _Merge:
    def __init__(self, base: Book, ours: Book, theirs: Book) -> None:
        looked_at = {*ours.differing(base), *theirs.differing(base)}
        for side in (ours, theirs):
            if side.order != base.order:
                looked_at.update({*side.order} ^ {*base.order})
        self.base, self.ours, self.theirs = (_side(book, looked_at) for book in (base, ours, theirs))
        self.looked_at = looked_at
        self.conflicts: dict[tuple[str, str | None], Conflict] = {}
        self.units: dict[str, Unit | None] = {}
        self.objects: dict[str, _Placed] = {}
        self.kept: list[str] = []  # units that ours changed and theirs removed

    def merged(self) -> Merged:
        chapter = self._chapter()
        for name in sorted(self.looked_at):
            self.units[name] = self._unit(name)
        ids = {**self.base.objects, **self.ours.objects, **self.theirs.objects}
        for name in ids:
            placed = self._object(name)
            if placed is not None:
                self.objects[name] = placed
        for name in self.kept:
            self._unit_back(name)
        self._bound_to_their_pictures()
        self._fit()
        book = self._book(chapter)
        for _ in range(1 + len(ids)):
            if not self._mend(book):
                break
            self._fit()
            book = self._book(chapter)
        else:
            return self._give_up()
        if validate_book(book, [name for name in book.order if name in self.looked_at]):
            return self._give_up()
        return Merged(book, tuple(self.conflicts.values()))

    # One thing at a time

    def _chapter(self) -> Chapter:
        base, ours, theirs = self.base.book.chapter, self.ours.book.chapter, self.theirs.book.chapter
        return ours.model_copy(update=self._properties(ours.id, base, ours, theirs))

    def _properties(self, unit: str, base: Any, ours: Any, theirs: Any) -> dict[str, Any]:
        """What ours takes over from theirs; conflicts are noted."""
        taken: dict[str, Any] = {}
        together = _together(ours)
        groups = [*((name,) for name in field_names(type(ours)) if name not in together), together]
        for group in groups:
            was, mine, other = (tuple(getattr(side, name) for name in group) for side in (base, ours, theirs))
            if other in (was, mine):
                continue
            if mine == was:
                taken.update(zip(group, other, strict=True))
                continue
            for name in group:
                kept = group is _MARKED and getattr(theirs, name) == getattr(base, name)
                if getattr(theirs, name) != getattr(ours, name) and not kept:
                    self._conflict(unit, ours.id, name, *(plain(side, name) for side in (base, ours, theirs)))
        return taken

    def _unit(self, name: str) -> Unit | None:
        """The unit's own facts, merged; None when it is gone."""
        base, ours, theirs = (side.units.get(name) for side in (self.base, self.ours, self.theirs))
        if ours is not None and theirs is not None:
            if base is None:
                base = ours
                if own_fields(ours) != own_fields(theirs):
                    self._conflict(name, name, None, None, own_fields(ours), own_fields(theirs))
                    return ours
            return ours.model_copy(update=self._properties(name, base, ours, theirs))
        if base is None:
            return ours if ours is not None else theirs
        # Removed by a side, or by both. What became of the objects on it is seen with the objects.
        remaining = ours if ours is not None else theirs
        if remaining is not None and _changed(base, remaining):
            facts = [None if unit is None else own_fields(unit) for unit in (base, ours, theirs)]
            self._conflict(name, name, None, *facts)
            if ours is not None:
                self.kept.append(name)
        return None

    def _object(self, name: str) -> _Placed | None:
        base, ours, theirs = (side.objects.get(name) for side in (self.base, self.ours, self.theirs))
        if ours == theirs or theirs == base:
            return ours
        if ours == base:
            return theirs
        if ours is None or theirs is None or base is None or not _alike(base.item, ours.item, theirs.item):
            self._conflict_whole(name)
            return ours
        unit = ours.unit
        if theirs.unit not in (base.unit, ours.unit):
            if ours.unit == base.unit:
                unit = theirs.unit
            else:
                self._conflict(ours.unit, name, "unit", base.unit, ours.unit, theirs.unit)
        taken = self._properties(ours.unit, base.item, ours.item, theirs.item)
        return _Placed(unit, ours.item.model_copy(update=taken) if taken else ours.item)

    # What does not fit together

    def _bound_to_their_pictures(self) -> None:
        """Keep each foreground with the picture it was cut out of: one side may bind where the other replaces."""
        # Ours first: a picture that goes back to ours for its foreground no longer fits a foreground of theirs.
        for name, placed in sorted(self.objects.items(), key=lambda item: item[0] not in self.ours.objects):
            image = self.objects.get(placed.item.parent)
            if not isinstance(placed.item, Foreground) or image is None or not isinstance(image.item, Image):
                continue
            if self._cut_out_of(placed.item, image.item.asset):
                continue
            mine = self.ours.objects.get(image.item.id)
            if name in self.ours.objects and mine is not None and isinstance(mine.item, Image):
                sides = [side.objects.get(image.item.id) for side in (self.base, self.ours, self.theirs)]
                values = [plain(side.item, "asset") if side is not None else None for side in sides]
                self._conflict(image.unit, image.item.id, "asset", *values)
                self.objects[image.item.id] = image._replace(
                    item=image.item.model_copy(update={"asset": mine.item.asset})
                )
            else:
                self._conflict_whole(name)
                del self.objects[name]

    def _cut_out_of(self, foreground: Foreground, asset: str) -> bool:
        """Whether a side has the foreground on a picture of that asset."""
        for side in (self.ours, self.theirs):
            held, image = (side.objects.get(name) for name in (foreground.id, foreground.parent))
            if held is None or image is None:
                continue
            mine, under = held.item, image.item
            if not isinstance(mine, Foreground) or not isinstance(under, Image):
                continue
            if (mine.asset, under.asset) == (foreground.asset, asset):
                return True
        return False

    def _fit(self) -> None:
        """Bring back or leave out until every object lies on something; each step moves one object to ours."""
        moved = True
        while moved:
            moved = False
            for name, placed in list(self.objects.items()):
                if name in self.objects and not self._held(placed):
                    self._to_ours(name)
                    moved = True

    def _held(self, placed: _Placed) -> bool:
        unit = self.units.get(placed.unit)
        if unit is None:
            return False
        parent = placed.item.parent
        if parent == placed.unit:
            return True
        found = self.objects.get(parent)
        return found is not None and found.unit == placed.unit

    def _to_ours(self, name: str) -> None:
        """Keep an object as ours has it, along with what it lies on there; a conflict unless that was theirs too."""
        ours = self.ours.objects.get(name)
        if self.objects.get(name) != ours:
            if self.theirs.objects.get(name) != ours:
                self._conflict_whole(name)
            if ours is None:
                self.objects.pop(name, None)
                return
            self.objects[name] = ours
        if ours is None:
            return
        if self.units.get(ours.unit) is None:
            self._unit_back(ours.unit)
        parent = ours.item.parent
        if parent != ours.unit and self.objects.get(parent) != self.ours.objects[parent]:
            self._subtree_back(parent)

    def _unit_back(self, name: str) -> None:
        """Keep a unit that theirs removed, with all that ours has on it."""
        unit = self.ours.units[name]
        self.units[name] = unit
        base = self.base.units.get(name)
        self._conflict(name, name, None, None if base is None else own_fields(base), own_fields(unit), None)
        for item in unit.objects:
            self.objects.setdefault(item.id, self.ours.objects[item.id])

    def _subtree_back(self, name: str) -> None:
        """Keep an object that theirs removed or moved away, with what hung on it in ours and went along."""
        if self.theirs.objects.get(name) != self.ours.objects[name]:
            self._conflict_whole(name)
        self.objects[name] = self.ours.objects[name]
        for other, placed in self.ours.objects.items():
            if placed.item.parent == name and other not in self.objects:
                self._subtree_back(other)
        parent, unit = self.ours.objects[name].item.parent, self.ours.objects[name].unit
        if parent != unit and parent not in self.objects:
            self._subtree_back(parent)

    def _mend(self, book: Book) -> bool:
        """Turn one object that validation refuses to ours; whether there was one that differed."""
        for found in validate_book(book, [name for name in book.order if name in self.looked_at]):
            name = found.object
            placed = self.objects.get(name)
            if found.rule == "foreground.second" and placed is not None:
                pair = [other for other, at in self.objects.items() if _bound(at.item) == placed.item.parent]
                name = next((other for other in pair if other not in self.ours.objects), name)
            if name in self.objects and self.objects[name] != self.ours.objects.get(name):
                self._conflict_whole(name)
                self._to_ours(name)
                return True
            if self._partner_to_ours(found.data.get("joined")):
                return True
            # A surface that went over to another unit with one side's split or join is found on both.
            if any(self._sheet_to_ours(unit) for unit in found.data.get("units", [found.unit])):
                return True
        return False

    def _partner_to_ours(self, name: str | None) -> bool:
        """Keep the balloon that one of ours is joined to as ours has it; whether it was otherwise."""
        if name is None or name not in self.ours.objects or self.objects.get(name) == self.ours.objects[name]:
            return False
        self._conflict_whole(name)
        self._to_ours(name)
        return True

    def _sheet_to_ours(self, name: str) -> bool:
        """Give a unit the facts that ours has of it; whether it had others."""
        unit, ours = self.units.get(name), self.ours.units.get(name)
        base, theirs = self.base.units.get(name), self.theirs.units.get(name)
        if unit is None or (ours is not None and own_fields(unit) == own_fields(ours)):
            return False
        if ours is None:
            self._conflict(name, name, None, None, None, own_fields(unit))
        else:
            for fact in field_names(Unit):
                if getattr(unit, fact) != getattr(ours, fact):
                    values = [None if side is None else plain(side, fact) for side in (base, ours, theirs)]
                    self._conflict(name, name, fact, *values)
        self.units[name] = ours
        return True

    def _give_up(self) -> Merged:
        """Ours as it is, with everything theirs changed as conflicts: the last resort."""
        for name in {**self.base.objects, **self.theirs.objects}:
            if self.theirs.objects.get(name) not in (self.base.objects.get(name), self.ours.objects.get(name)):
                self._conflict_whole(name)
        for name in sorted(self.looked_at):
            base, ours, theirs = (side.units.get(name) for side in (self.base, self.ours, self.theirs))
            if theirs == ours or (base is None and theirs is None):
                continue
            if base is None or theirs is None or _changed(base, theirs):
                facts = (None if unit is None else own_fields(unit) for unit in (base, ours, theirs))
                self._conflict(name, name, None, *facts)
        base_chapter, theirs_chapter = self.base.book.chapter, self.theirs.book.chapter
        for name in field_names(Chapter):
            values = [plain(side, name) for side in (base_chapter, self.ours.book.chapter, theirs_chapter)]
            if values[2] not in (values[0], values[1]):
                self._conflict(base_chapter.id, base_chapter.id, name, *values)
        orders = [list(side.book.order) for side in (self.base, self.ours, self.theirs)]
        if orders[2] not in (orders[0], orders[1]):
            self._conflict(base_chapter.id, base_chapter.id, "units", *orders)
        return Merged(self.ours.book, tuple(self.conflicts.values()))

    # Orders, and the book

    def _book(self, chapter: Chapter) -> Book:
        book = self.ours.book.with_chapter(chapter)
        for name in self.looked_at:
            unit = self._whole(name)
            if unit is None:
                if name in book:
                    book = book.remove(name)
            elif name not in book:
                book = book.insert(unit, len(book))
            elif unit is not self.ours.units.get(name):
                book = book.replace(unit)
        sides = [list(side.book.order) for side in (self.base, self.ours, self.theirs)]
        order, whole = merge_order(sides[0], sides[1], sides[2], frozenset(book.order))
        if not whole:
            self._conflict(chapter.id, chapter.id, "units", *sides)
        return book if tuple(order) == book.order else book.reorder(tuple(order))

    def _whole(self, name: str) -> Unit | None:
        """A unit with its objects and orders."""
        unit = self.units[name]
        if unit is None:
            return None
        here = {item: placed.item for item, placed in self.objects.items() if placed.unit == name}
        objects = self._order(name, "objects", frozenset(here))
        reading = self._order(name, "reading", frozenset(item for item, at in here.items() if at.kind in READABLE))
        listed = tuple(here[item] for item in objects)
        for side in (self.ours, self.theirs):
            held = side.units.get(name)
            # The very same unit where nothing was merged, so that what is unchanged stays cheap to compare.
            if held is not None and listed == held.objects and tuple(reading) == held.reading and _same(unit, held):
                return held
        return unit.model_copy(update={"objects": listed, "reading": tuple(reading)})

    def _order(self, unit: str, name: str, held: frozenset[str]) -> list[str]:
        sides = [_listed(side.units.get(unit), name) for side in (self.base, self.ours, self.theirs)]
        known = {*sides[0], *sides[1], *sides[2]}
        order, whole = merge_order(sides[0], sides[1], sides[2], held & known)
        if not whole:
            self._conflict(unit, unit, name, *sides)
        # An object one side moved here while the other kept the unit from having it stands at the end.
        return [*order, *sorted(held - known)]

    # Conflicts

    def _conflict(self, unit: str, thing: str, name: str | None, base: Any, ours: Any, theirs: Any) -> None:
        self.conflicts.setdefault((thing, name), Conflict(unit, thing, name, base, ours, theirs))

    def _conflict_whole(self, name: str) -> None:
        sides = [side.objects.get(name) for side in (self.base, self.ours, self.theirs)]
        unit = next(placed.unit for placed in (sides[1], sides[2], sides[0]) if placed is not None)
        for key in [key for key in self.conflicts if key[0] == name and key[1] is not None]:
            del self.conflicts[key]
        self._conflict(unit, name, None, *(None if placed is None else own_fields(placed.item) for placed in sides))


def _side(book: Book, looked_at: set[str]) -> _Side:
    units = {name: book.unit(name) for name in book.order if name in looked_at}
    objects = {item.id: _Placed(name, item) for name, unit in units.items() for item in unit.objects}
    return _Side(book, units, objects)


def _changed(before: Unit, after: Unit) -> bool:
    """Whether a side changed a unit's own facts or turned its orders."""
    if own_fields(before) != own_fields(after):
        return True
    common = {*before.index} & {*after.index}
    one, two = ([item.id for item in unit.objects if item.id in common] for unit in (before, after))
    return one != two or [x for x in before.reading if x in common] != [x for x in after.reading if x in common]


def _together(thing: Any) -> tuple[str, ...]:
    """Properties of a thing that are one in a merge."""
    if isinstance(thing, Unit):
        return _SHEET
    return _MARKED if isinstance(thing, Image | Overlay) else ()


def _alike(*items: Node) -> bool:
    return len({item.kind for item in items}) == 1


def _bound(item: Node) -> str | None:
    return item.parent if isinstance(item, Foreground) else None


def _same(one: Unit, two: Unit) -> bool:
    return all(getattr(one, name) == getattr(two, name) for name in field_names(Unit))


def _listed(unit: Unit | None, name: str) -> list[str]:
    if unit is None:
        return []
    return [item.id for item in unit.objects] if name == "objects" else list(unit.reading)
