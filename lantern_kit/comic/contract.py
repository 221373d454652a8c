"""What a draft was opened for: the units, objects and properties that it may change."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import field_names
from lantern_kit.comic.model import OBJECT_TYPES, Chapter, Record, Unit
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.errors import BadInput, OutOfScope, nearest

ORDERS = frozenset({"units", "objects", "reading"})
"""Properties that are orders: of the chapter's units, of what is drawn and of what is read on a unit."""
_NAMED = 10
"""Changes that a refusal names; there may be more."""


def _properties() -> frozenset[str]:
    kinds: tuple[type[Record], ...] = (Chapter, Unit, *OBJECT_TYPES.values())
    return ORDERS | {name for kind in kinds for name in field_names(kind)} - {"id"}


PROPERTIES = _properties()
"""Every property that a change may be of."""


@dataclass(frozen=True, slots=True)
class Contract:
    """What may be changed. Without units and objects it is anywhere, without properties anything."""

    units: tuple[str, ...] = ()
    """With all that lies on them."""
    objects: tuple[str, ...] = ()
    """With all that lies in them."""
    properties: tuple[str, ...] = ()
    """Only these; then nothing can be added or removed."""

    def __bool__(self) -> bool:
        return bool(self.units or self.objects or self.properties)

    def facts(self) -> dict[str, list[str]]:
        """As plain data, empty parts left out."""
        parts = {"units": self.units, "objects": self.objects, "properties": self.properties}
        return {name: list(part) for name, part in parts.items() if part}

    def text(self) -> str:
        """Canonical JSON for the journal; empty when anything may be changed."""
        return dumps(self.facts()).decode() if self else ""

    @classmethod
    def parse(cls, text: str) -> Contract:
        """What ``text`` wrote."""
        return cls(**{name: tuple(part) for name, part in json.loads(text).items()}) if text else cls()

    @classmethod
    def of(cls, *, units: Sequence[str] = (), objects: Sequence[str] = (), properties: Sequence[str] = ()) -> Contract:
        """A contract of bare ids, each said once. Raises BadInput for a property that nothing has."""
        for name in properties:
            if name not in PROPERTIES:
                close = nearest(name, PROPERTIES)
                raise BadInput(
                    f"{name[:40]} is a property of nothing",
                    expected=sorted(PROPERTIES),
                    recovery=f"nearest: {', '.join(close)}" if close else "Use one that is expected.",
                )
        return cls(*(tuple(dict.fromkeys(part)) for part in (units, objects, properties)))

    def words(self) -> str:
        """In one line, such as ``un_4tq8w2pa; only text``."""
        places = ", ".join((*self.units, *self.objects))
        only = f"only {', '.join(self.properties)}" if self.properties else ""
        return "; ".join(part for part in (places, only) if part) or "anything"


def require_inside(held: Contract, changes: Iterable[Change], before: Book, after: Book, *, draft: str) -> None:
    """Refuse changes that a contract does not cover. Raises OutOfScope, naming them."""
    if not held:
        return
    outside = breaches(held, changes, before, after)
    if outside:
        raise OutOfScope(
            f"{draft} was opened for {held.words()}, and this changes {_named(outside[0])}",
            expected=held.facts(),
            ids=dict.fromkeys(item.object for item in outside),
            details={
                "contract": held.facts(),
                "outside": [
                    {"unit": item.unit, "object": item.object, "property": item.property or item.change}
                    for item in outside[:_NAMED]
                ],
            },
        )


def breaches(held: Contract, changes: Iterable[Change], before: Book, after: Book) -> tuple[Change, ...]:
    """Those of the changes from ``before`` to ``after`` that lie outside a contract.

    A thing is covered when it or anything it lies in is named; what is moved must be covered at both ends. An order
    that changes only because covered things came, went or moved among the others is inside.
    """
    found = []
    named = {*held.units, *held.objects}
    lies = {"removed": (before,), "added": (after,), "changed": (before, after)}
    for change in changes:
        covered = not named or all(named & set(lineage(book, change)) for book in lies[change.change])
        if is_order(change):
            if not (covered or not _turned(change, named, before, after)) or not _allowed_order(held, change):
                found.append(change)
        elif not covered or (held.properties and change.property not in held.properties):
            found.append(change)
    return tuple(found)


def is_order(change: Change) -> bool:
    """Whether a change is of an order."""
    return change.property in ORDERS and change.object_kind in {"unit", "chapter"}


def turns(change: Change, names: Iterable[str] | None = None) -> bool:
    """Whether an order's change turns things round that were there before and still are, of the named ones if given."""
    common = {*change.before} & {*change.after}
    if names is not None:
        common &= {*names}
    return [item for item in change.before if item in common] != [item for item in change.after if item in common]


def lineage(book: Book, change: Change) -> tuple[str, ...]:
    """The changed thing and everything it lies in, up to the chapter, as a book has them."""
    chapter = book.chapter.id
    if change.object == chapter:
        return (chapter,)
    line = line_up(book, change.unit, change.object)
    return (*line, chapter) if line[-1] == change.unit else (*line, change.unit, chapter)


def line_up(book: Book, unit: str, thing: str) -> tuple[str, ...]:
    """A thing on a unit and everything it lies in, up to the unit where the book has it."""
    index: Mapping[str, Any] = book.unit(unit).index if unit in book else {}
    line = [thing]
    while line[-1] in index:
        line.append(index[line[-1]].parent)
    return tuple(line)


def _turned(change: Change, named: set[str], before: Book, after: Book) -> bool:
    """Whether an order's change turns things round that are not covered."""
    listed = {*change.before, *change.after}
    inside = {
        item for item in listed for book in (before, after) if named.intersection(line_up(book, change.unit, item))
    }
    return turns(change, listed - inside)


def _allowed_order(held: Contract, change: Change) -> bool:
    return not held.properties or change.property in held.properties or not turns(change)


def _named(change: Change) -> str:
    return f"{change.object}.{change.property}" if change.property else f"{change.object} ({change.change})"
