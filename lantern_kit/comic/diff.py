"""What differs between two states of a chapter, as rows that apply, turn back and add up.

The laws, for all books a, b, c: ``apply(a, diff(a, b)) == b``; ``apply(b, reverse(diff(a, b))) == a``;
``apply(a, squash(diff(a, b), diff(b, c))) == c``. An object that moved to another unit is removed there and added here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from enum import Enum
from functools import cache
from typing import Any, TypeVar

from pydantic import TypeAdapter
from pydantic_core import to_jsonable_python

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change, Kind
from lantern_kit.comic.model import OBJECT_TYPES, AnyObject, Chapter, Node, Record, Unit
from lantern_kit.kernel import canonical
from lantern_kit.kernel.errors import WrongState

_OBJECT: TypeAdapter[Any] = TypeAdapter(AnyObject)
_FIELDS: dict[type[Record], tuple[str, ...]] = {}
_CHILDREN = {"objects", "reading"}
_OPPOSITE: dict[Kind, Kind] = {"added": "removed", "removed": "added", "changed": "changed"}
_Thing = TypeVar("_Thing", Chapter, Unit, Node)


def own_fields(thing: Chapter | Unit | Node) -> dict[str, Any]:
    """The thing's own fields as plain data; a unit's without its objects and reading order."""
    return thing.model_dump(mode="json", exclude=_CHILDREN if isinstance(thing, Unit) else None)


def field_names(kind: type[Record]) -> tuple[str, ...]:
    """Names of the fields a model compares by, in order."""
    names = _FIELDS.get(kind)
    if names is None:
        names = tuple(name for name in kind.model_fields if not (kind is Unit and name in _CHILDREN))
        _FIELDS[kind] = names
    return names


def diff(old: Book, new: Book) -> tuple[Change, ...]:
    """Everything that must change to make ``old`` into ``new``: the chapter's facts, then units in the new order."""
    rows: list[Change] = []
    chapter = new.chapter.id
    if old.chapter is not new.chapter:
        if old.chapter.id != chapter:
            raise WrongState("two chapters cannot be compared row by row", ids=[old.chapter.id, chapter])
        rows.extend(_fields(chapter, "chapter", old.chapter, new.chapter))
    if old.order is not new.order and old.order != new.order:
        rows.append(Change(chapter, chapter, "chapter", "changed", "units", list(old.order), list(new.order)))
        rows.extend(row for unit in old.order if unit not in new for row in reverse(_whole(old.unit(unit))))
        fresh = [unit for unit in new.order if unit not in old]
        rows.extend(row for unit in fresh for row in _whole(new.unit(unit)))
    for unit in new.differing(old):
        rows.extend(diff_unit(old.unit(unit), new.unit(unit)))
    return tuple(rows)


def _whole(unit: Unit) -> Iterator[Change]:
    """A unit that was added, with everything on it."""
    yield Change(unit.id, unit.id, "unit", "added", None, None, own_fields(unit))
    for item in unit.objects:
        yield Change(unit.id, item.id, item.kind, "added", None, None, own_fields(item))
    yield from _order(unit.id, "objects", [], [item.id for item in unit.objects])
    yield from _order(unit.id, "reading", [], list(unit.reading))


def diff_unit(old: Unit, new: Unit) -> Iterator[Change]:
    """The rows of one unit that is in both states."""
    if old is new:
        return
    yield from _fields(new.id, "unit", old, new)
    if old.objects is not new.objects:
        before, after = old.index, new.index
        for item in old.objects:
            now = after.get(item.id)
            if now is None or now.kind != item.kind:
                yield Change(new.id, item.id, item.kind, "removed", None, own_fields(item), None)
        for item in new.objects:
            was = before.get(item.id)
            if was is item:
                continue
            if was is None or was.kind != item.kind:
                yield Change(new.id, item.id, item.kind, "added", None, None, own_fields(item))
            else:
                yield from _fields(new.id, item.kind, was, item)
        yield from _order(new.id, "objects", [item.id for item in old.objects], [item.id for item in new.objects])
    if old.reading is not new.reading:
        yield from _order(new.id, "reading", list(old.reading), list(new.reading))


def _order(unit: str, name: str, before: list[str], after: list[str]) -> Iterator[Change]:
    if before != after:
        yield Change(unit, unit, "unit", "changed", name, before, after)


def _fields(unit: str, kind: str, old: Any, new: Any) -> Iterator[Change]:
    for name in field_names(type(new)):
        was, now = getattr(old, name), getattr(new, name)
        if was is not now and was != now:
            yield Change(unit, new.id, kind, "changed", name, plain(old, name), plain(new, name))


def plain(thing: Record, name: str) -> Any:
    """One field as plain JSON-able data."""
    value = getattr(thing, name)
    if type(value) in {str, int, bool} or value is None:
        return value
    if isinstance(value, Enum):
        return value.value
    return to_jsonable_python(value)


def reverse(changes: Iterable[Change]) -> tuple[Change, ...]:
    """The rows that lead back."""
    return tuple(
        replace(change, change=_OPPOSITE[change.change], before=change.after, after=change.before)
        for change in reversed(tuple(changes))
    )


def squash(first: Iterable[Change], second: Iterable[Change]) -> tuple[Change, ...]:
    """One set of rows for two that follow each other; what the second undoes is gone."""
    rows: dict[tuple[str, str], list[Change]] = {}
    for change in (*first, *second):
        rows.setdefault((change.unit, change.object), []).append(change)
    return tuple(row for group in rows.values() for row in _squashed(group))


def _squashed(group: list[Change]) -> Iterator[Change]:
    """The rows of one object, in order, as few as possible."""
    orders = [row for row in group if row.property in _ORDERS and row.object_kind in {"unit", "chapter"}]
    own = [row for row in group if not (row.property in _ORDERS and row.object_kind in {"unit", "chapter"})]
    yield from _net(own)
    for name in _ORDERS:
        rows = [row for row in orders if row.property == name]
        if rows and rows[0].before != rows[-1].after:
            yield replace(rows[0], after=rows[-1].after)


_ORDERS = ("units", "objects", "reading")


def _net(rows: list[Change]) -> Iterator[Change]:
    if not rows:
        return
    whole = [row for row in rows if row.change != "changed"]
    if not whole:
        yield from _properties(rows)
        return
    # Follow the object's fields backwards to its start and forwards to its end.
    start = _state(rows, first=True)
    end = _state(rows, first=False)
    unit, name = rows[0].unit, rows[0].object
    before_kind, after_kind = _kind(rows, start, 0), _kind(rows, end, -1)
    if start is not None and end is not None and before_kind == after_kind:
        unsaid = _unsaid(after_kind)
        start, end = {**unsaid, **start}, {**unsaid, **end}
        for field in [*start, *(key for key in end if key not in start)]:
            if start.get(field) != end.get(field):
                yield Change(unit, name, after_kind, "changed", field, start.get(field), end.get(field))
        return
    if start is not None:
        yield Change(unit, name, before_kind, "removed", None, start, None)
    if end is not None:
        yield Change(unit, name, after_kind, "added", None, None, end)


@cache
def _unsaid(kind: str) -> dict[str, Any]:
    """What the plain data of a kind of object leaves out where it is as usual."""
    found = OBJECT_TYPES[kind].model_fields if kind in OBJECT_TYPES else {}
    return {
        name: field.default.value if isinstance(field.default, Enum) else field.default
        for name, field in found.items()
        if field.exclude_if is not None
    }


def _kind(rows: Sequence[Change], state: dict[str, Any] | None, place: int) -> str:
    kind = rows[place].object_kind
    return kind if kind == "unit" or state is None else str(state["kind"])


def _state(rows: Sequence[Change], *, first: bool) -> dict[str, Any] | None:
    """The object's own fields before the first or after the last row; None when it does not exist there."""
    ordered = rows if first else rows[::-1]
    changed: dict[str, Any] = {}
    for row in ordered:
        value, gone = (row.before, "added") if first else (row.after, "removed")
        if row.change == "changed":
            changed.setdefault(str(row.property), value)
        elif row.change == gone:
            return None
        else:
            return {**value, **changed}
    raise WrongState("rows that follow each other do not fit", ids=[rows[0].object])


def _properties(rows: list[Change]) -> Iterator[Change]:
    firsts: dict[str | None, Change] = {}
    lasts: dict[str | None, Change] = {}
    for row in rows:
        firsts.setdefault(row.property, row)
        lasts[row.property] = row
    for name, row in firsts.items():
        if row.before != lasts[name].after:
            yield replace(row, after=lasts[name].after)


def apply(book: Book, changes: Iterable[Change]) -> Book:
    """The book after the changes.

    Raises:
        WrongState: a row does not fit the book (an object that is missing or already there, an order of other ids).
    """
    chapter = book.chapter
    groups: dict[str, list[Change]] = {}
    order: tuple[str, ...] | None = None
    facts: dict[str, Any] = {}
    for change in changes:
        if change.object == chapter.id:
            if change.property == "units":
                order = tuple(change.after)
            else:
                facts[str(change.property)] = change.after
        else:
            groups.setdefault(change.unit, []).append(change)
    result = book
    if facts:
        result = result.with_chapter(_with(chapter, facts))
    for unit, rows in groups.items():
        old = book.unit(unit) if unit in book else None
        new = apply_unit(old, rows)
        if new is None:
            result = result.remove(unit)
        elif old is None:
            result = result.insert(new, len(result))
        else:
            result = result.replace(new)
    if order is not None:
        if sorted(order) != sorted(result.order):
            raise WrongState("the order of units does not fit the chapter", ids=sorted({*order} ^ {*result.order}))
        result = result.reorder(order)
    return result


def apply_unit(old: Unit | None, rows: Iterable[Change]) -> Unit | None:
    """One unit after its rows; None for one that is not there. Raises WrongState."""
    objects: dict[str, Any] = {} if old is None else dict(old.index)
    own: dict[str, Any] | None = None if old is None else {}
    order: list[str] | None = None
    reading: list[str] | None = None
    edits: dict[str, dict[str, Any]] = {}
    removed: list[Change] = []
    added: list[Change] = []
    gone = False
    for row in rows:
        if row.object != row.unit:
            if row.change == "changed":
                edits.setdefault(row.object, {})[str(row.property)] = row.after
            else:
                (added if row.change == "added" else removed).append(row)
        elif row.change == "removed":
            gone = True
        elif row.change == "added":
            own = row.after
        elif row.property == "objects":
            order = row.after
        elif row.property == "reading":
            reading = row.after
        elif own is not None:
            own = {**own, str(row.property): row.after}
    for row in removed:
        if objects.pop(row.object, None) is None:
            raise WrongState("a row removes an object that is not there", ids=[row.object])
    if gone:
        return None
    if own is None:
        raise WrongState("rows change a unit that is not there")
    for row in added:
        if row.object in objects:
            raise WrongState("a row adds an object that is there already", ids=[row.object])
        objects[row.object] = _OBJECT.validate_json(canonical.dumps(row.after))
    for name, fields in edits.items():
        if name not in objects:
            raise WrongState("a row changes an object that is not there", ids=[name])
        objects[name] = _with(objects[name], fields)
    if order is not None:
        if sorted(order) != sorted(objects):
            raise WrongState("the drawing order does not fit the unit", ids=sorted({*order} ^ {*objects}))
        objects = {name: objects[name] for name in order}
    elif old is not None and added:
        # An object that is another kind of thing under its old id keeps its place.
        objects = {name: objects[name] for name in (*(name for name in old.index if name in objects), *objects)}
    listed = tuple(objects.values())
    if old is None:
        base = Unit.model_validate_json(canonical.dumps(own))
        return base.model_copy(update={"objects": listed, "reading": tuple(reading or ())})
    update: dict[str, Any] = {}
    if added or removed or edits or order is not None:
        update["objects"] = listed
    if reading is not None:
        update["reading"] = tuple(reading)
    if own:
        update.update(_parsed(old, own))
    return old.model_copy(update=update)


def _parsed(thing: _Thing, fields: dict[str, Any]) -> dict[str, Any]:
    """Plain values of some fields, as the model holds them."""
    whole = {**own_fields(thing), **fields}
    made = type(thing).model_validate_json(canonical.dumps(whole))
    return {name: getattr(made, name) for name in fields}


def _with(thing: _Thing, fields: dict[str, Any]) -> _Thing:
    return thing.model_copy(update=_parsed(thing, fields))
