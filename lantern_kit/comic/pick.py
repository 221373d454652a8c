"""Cherry-pick: objects and units as they were in another state of the chapter, without the rest of that state.

A picked object comes with what lay in it. What it cannot stand without, and is not there any more, is brought as well:
its frame or picture without what else was in it, its page without what else was on it. A picked unit comes with
everything that was on it, in that order; what was put on it since goes, except what lay elsewhere then. What was hung
on a picked thing since stays with it. Everything else stays as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import READABLE, Balloon, Foreground, Image, Node, Unit
from lantern_kit.comic.sequence import merge_order
from lantern_kit.comic.validate import validate_book
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotFound

Find = Callable[[Book, str], str | None]
"""The unit of a book on which an object lies; None when it is not there."""
MOST = 100
"""Things in one pick."""


def pick(book: Book, source: Book, things: Iterable[str], *, find: Find | None = None) -> Book:
    """The book with some things as they are in another state of the same chapter.

    Args:
        book: what they are brought into.
        source: the state they are taken from.
        things: ids of objects and units of ``source``.
        find: where an object lies; without it all units are searched.

    Raises:
        BadInput: no things, or too many.
        NotFound: one of them is not in ``source``.
        InvalidDocument: they do not fit what is there; ``details['findings']`` says where.
    """
    wanted = list(dict.fromkeys(things))
    if not 1 <= len(wanted) <= MOST:
        raise BadInput(f"1 to {MOST} things are picked at once", expected=f"1 to {MOST}", found=len(wanted))
    run = _Pick(book, source, find or _search)
    # Units first: an object that is named beside its unit is then there already.
    for name in sorted(wanted, key=lambda name: name not in source):
        if name in source:
            run.take_unit(source.unit(name))
        else:
            run.take_object(name)
    made = run.freed()
    _require_sound(book, made)
    return made


class _Pick:
    def __init__(self, book: Book, source: Book, find: Find) -> None:
        self._put_here: set[str] = set()
        self.start = book
        self.book = book
        self.source = source
        self._find = find
        self._moved: dict[str, str | None] = {}  # where things lie that this run moved, brought or left out

    # objects

    def take_object(self, name: str) -> None:
        """An object with what lay in it."""
        home = self._find(self.source, name)
        if home is None:
            raise NotFound(f"{name} is nothing in the revision it is picked from", ids=[name])
        unit = self.source.unit(home)
        target = self._ground(unit, unit.index[name])
        for item in _family(unit, name):
            self._put(unit, item, target)

    def _ground(self, unit: Unit, item: Node) -> str:
        """The unit on which an object of ``unit`` will lie, brought with all between if it is not there."""
        if item.parent == unit.id:
            if unit.id not in self.book:
                self._insert(unit.model_copy(update={"objects": (), "reading": ()}))
            return unit.id
        parent = unit.index[item.parent]
        home = self._home(parent.id)
        if home is not None and _bears(self.book.unit(home).index[parent.id], parent, item):
            return home
        target = self._ground(unit, parent)
        self._put(unit, parent, target)
        return target

    def _put(self, unit: Unit, item: Node, target: str) -> None:
        """One object as it was on ``unit``, on the unit ``target``."""
        home = self._home(item.id)
        if home is not None and home != target:
            self._carry(item.id, home, target)
        held = self.book.unit(target)
        objects: dict[str, Node] = {other.id: other for other in held.objects}
        for other in _unbound(held, item, objects.get(item.id)):
            del objects[other]
            self._moved[other] = None
        objects[item.id] = item
        self._moved[item.id] = target
        self._put_here.add(item.id)
        drawn = _beside(held, "objects", unit, objects)
        read = _beside(held, "reading", unit, {key: other for key, other in objects.items() if other.kind in READABLE})
        changed = {"objects": tuple(objects[other] for other in drawn), "reading": tuple(read)}
        self.book = self.book.replace(held.model_copy(update=changed))

    def _carry(self, name: str, home: str, target: str) -> None:
        """Move an object with what hangs on it now from one unit to another."""
        old, new = self.book.unit(home), self.book.unit(target)
        family = _family(old, name)
        gone = {item.id for item in family}
        self._moved.update(dict.fromkeys(gone, target))
        read = [item for item in old.reading if item in gone]
        self.book = self.book.replace(_without(old, gone)).replace(
            new.model_copy(update={"objects": (*new.objects, *family), "reading": (*new.reading, *read)})
        )

    # units

    def take_unit(self, unit: Unit) -> None:
        """A unit with everything on it."""
        if unit.id not in self.book:
            self._insert(unit.model_copy(update={"objects": (), "reading": ()}))
        for item in unit.objects:
            home = self._home(item.id)
            if home is not None and home != unit.id:
                self._carry(item.id, home, unit.id)
        held = self.book.unit(unit.id)
        stays = self._guests(held, unit)
        gone = {name for name in held.index if name not in stays and name not in unit.index}
        self._moved.update(dict.fromkeys(gone, None))
        self._moved.update(dict.fromkeys(unit.index, unit.id))
        self._put_here.update(unit.index)
        objects = {**{name: held.index[name] for name in held.index if name in stays}, **unit.index}
        drawn = _order(unit, held, "objects", objects)
        read = _order(unit, held, "reading", {key for key, item in objects.items() if item.kind in READABLE})
        self.book = self.book.replace(
            unit.model_copy(update={"objects": tuple(objects[name] for name in drawn), "reading": tuple(read)})
        )

    def _guests(self, held: Unit, unit: Unit) -> set[str]:
        """What stays on a unit that is picked: what lay elsewhere then or hangs on something that was there."""
        bound = {item.parent for item in unit.objects if isinstance(item, Foreground)}
        stays: set[str] = set()
        for item in held.objects:
            if item.id in unit.index or (isinstance(item, Foreground) and item.parent in bound):
                continue
            carried = self._moved.get(item.id) == unit.id
            if carried or self._find(self.source, item.id) not in (None, unit.id):
                stays.update(other.id for other in _family(held, item.id))
                parent = item.parent
                while parent in held.index and parent not in unit.index:
                    stays.add(parent)
                    parent = held.index[parent].parent
        return stays - {*unit.index}

    # parts

    def freed(self) -> Book:
        """The book, with no balloon joined to one that is not beside it; of a circle, what was not picked is freed."""
        book = self.book
        for name in (*book.differing(self.start), *(unit for unit in book.order if unit not in self.start)):
            unit = book.unit(name)
            free = {item.id for item in unit.objects if isinstance(item, Balloon) and self._apart(item, unit)}
            if free:
                objects = tuple(
                    item.model_copy(update={"joined": None}) if item.id in free else item for item in unit.objects
                )
                book = book.replace(unit.model_copy(update={"objects": objects}))
        return book

    def _apart(self, item: Balloon, unit: Unit) -> bool:
        if item.joined is None:
            return False
        if not isinstance(unit.index.get(item.joined), Balloon):
            return True
        if item.id in self._put_here:
            return False
        seen: set[str] = set()
        other: Node | None = item
        while isinstance(other, Balloon) and other.joined is not None and other.id not in seen:
            seen.add(other.id)
            other = unit.index.get(other.joined)
        return other is item

    def _insert(self, unit: Unit) -> None:
        order = _fitted(self.book.order, self.source.order, {*self.book.order, unit.id})
        self.book = self.book.insert(unit, order.index(unit.id))

    def _home(self, name: str) -> str | None:
        return self._moved[name] if name in self._moved else self._find(self.start, name)


def _bears(there: Node, then: Node, item: Node) -> bool:
    """Whether what is there can hold an object as what held it then did: a foreground was cut out of one picture."""
    if isinstance(item, Foreground) and isinstance(there, Image) and isinstance(then, Image):
        return there.asset == then.asset
    return there.kind == then.kind


def _unbound(held: Unit, item: Node, before: Node | None) -> list[str]:
    """Foregrounds that cannot stay once an object is put on a unit: a second one, and those of another picture."""
    picture = item.parent if isinstance(item, Foreground) else None
    if isinstance(item, Image) and isinstance(before, Image) and before.asset != item.asset:
        picture = item.id
    return [
        other.id
        for other in held.objects
        if isinstance(other, Foreground) and other.parent == picture and other.id != item.id
    ]


def _family(unit: Unit, root: str) -> list[Node]:
    """An object and everything that lies in it, what holds before what is held."""
    found: list[Node] = [unit.index[root]]
    for item in found:
        found.extend(unit.children(item.id))
    return found


def _without(unit: Unit, gone: set[str]) -> Unit:
    objects = tuple(item for item in unit.objects if item.id not in gone)
    return unit.model_copy(
        update={"objects": objects, "reading": tuple(name for name in unit.reading if name not in gone)}
    )


def _listed(unit: Unit, name: str) -> list[str]:
    return [item.id for item in unit.objects] if name == "objects" else list(unit.reading)


def _beside(held: Unit, name: str, source: Unit, wanted: Iterable[str]) -> list[str]:
    """An order as it stands; what is new in it stands after what it stood after in the source."""
    return _fitted(_listed(held, name), _listed(source, name), wanted)


def _order(source: Unit, held: Unit, name: str, wanted: Iterable[str]) -> list[str]:
    """An order as it was; what else is there stands after what it stands after now."""
    return _fitted(_listed(source, name), _listed(held, name), wanted)


def _fitted(first: Sequence[str], second: Sequence[str], wanted: Iterable[str]) -> list[str]:
    """The first order, with what only the second has after what it stands after there."""
    held = {*wanted}
    other = [name for name in second if name in held]
    return merge_order(other, [name for name in first if name in held], other, held)[0]


def _search(book: Book, thing: str) -> str | None:
    return next((unit.id for unit in book.units() if thing in unit.index), None)


def _require_sound(old: Book, new: Book) -> None:
    """Refuse a result with faults. Raises InvalidDocument with all of them."""
    whole = old.order != new.order or any(
        old.unit(name).surfaces != new.unit(name).surfaces for name in new.differing(old)
    )
    findings = validate_book(new, None if whole else new.differing(old))
    if findings:
        raise InvalidDocument(
            f"what is picked does not fit what is there: {findings[0].message}",
            ids=dict.fromkeys(item.object for item in findings),
            recovery="Pick what it belongs to as well, or make room for it first; nothing was changed.",
            details={"findings": [item.model_dump(mode="json") for item in findings[:20]]},
        )
