"""A proposal's parts: what a person can take or leave by itself, and the chapter that a choice of them makes.

A part is an object that comes or goes, a property that changed (or a few that only make sense together), or an order
that was turned. The laws, for any two sound states: all parts chosen give the frozen state, none the base; every closed
choice is sound; nothing of a rejected part is in the outcome, everything of an accepted one is.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from typing import Any, Literal

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.model import READABLE, Unit
from lantern_kit.comic.needs import Bare, Ground, needs, placed
from lantern_kit.comic.sequence import merge_order
from lantern_kit.kernel.errors import NotFound, WrongState

PartKind = Literal["added", "removed", "moved", "replaced", "changed", "turned"]
"""moved: to another unit. replaced: another kind under the same id. turned: an order of things that stay."""

ORDERS = ("objects", "reading", "units")
GLUED: Mapping[str, tuple[str, ...]] = {
    "unit": ("surfaces", "kind", "gutter"),
    "image": ("asset", "placement"),
    "overlay": ("asset", "placement"),
    "balloon": ("shape", "outline"),
    "effect": ("effect", "centre", "clear", "density", "density_to", "ramp", "pitch", "angle", "screen", "seed"),
}
"""Properties that are one part where the first of them changed: a crop of one picture says nothing about another."""


@dataclass(frozen=True)
class Part:
    """What a person can take or leave by itself."""

    id: str
    """The object's id where the whole object comes or goes, else ``object.property``."""
    unit: str
    """The unit it is on afterwards (of what is removed: before); the chapter for what lies above units."""
    object: str
    object_kind: str
    change: PartKind
    properties: tuple[str, ...]
    """The properties it changes; empty for whole objects."""
    needs: tuple[str, ...]
    """Parts it cannot be taken without, sorted."""
    rows: tuple[Change, ...] = field(repr=False)
    """The rows of the difference that it is made of."""


@dataclass(frozen=True)
class Choice:
    """Which parts are taken. Closed: nothing is taken without what it needs."""

    accepted: tuple[str, ...]
    rejected: tuple[str, ...]
    """Those that were rejected, and those that cannot stand without them, in the parts' order."""
    because: dict[str, str]
    """Of those that only went along: the rejected part that each of them needs."""


def parts(changes: Iterable[Change], base: Book, frozen: Book) -> tuple[Part, ...]:
    """The parts of a difference, in the order of its rows.

    Args:
        changes: ``diff(base, frozen)``, all of it.
        base, frozen: the states, both sound.
    """
    rows = tuple(changes)
    drawn = list(_drawn(rows))
    units = list(dict.fromkeys(row.unit for row in rows if row.unit != frozen.chapter.id))
    if any(part.object == frozen.chapter.id and "paper" in part.properties for part in drawn):
        units = list(dict.fromkeys((*base.order, *frozen.order)))  # paper lies under every unit
    bare = (Bare(part.id, part.object, part.properties) for part in drawn if part.change != "turned")
    needed = needs(Ground(base, frozen, units, bare))
    return tuple(
        Part(
            part.id,
            part.unit,
            part.object,
            part.object_kind,
            part.change,
            part.properties,
            tuple(sorted(needed.get(part.id, ()))),
            part.rows,
        )
        for part in drawn
    )


def _drawn(rows: Sequence[Change]) -> Iterator[Part]:
    """The parts, without what they need."""
    things: dict[str, list[Change]] = {}
    for row in rows:
        things.setdefault(row.object, []).append(row)
    for thing, own in things.items():
        whole = [row for row in own if row.change != "changed"]
        if whole:
            yield _whole(thing, whole)
            continue
        changed = {str(row.property): row for row in own if not _is_order(row)}
        for names in _groups(own[0].object_kind, changed):
            yield _part(f"{thing}.{names[0]}", "changed", names, tuple(changed[name] for name in names))
        for row in own:
            if _is_order(row) and _turned(row.before, row.after):
                yield _part(f"{thing}.{row.property}", "turned", (str(row.property),), (row,))


def _whole(thing: str, rows: list[Change]) -> Part:
    kinds = {row.change: row for row in rows}
    last = kinds.get("added", rows[-1])
    change: PartKind = "added" if "removed" not in kinds else "removed"
    if len(kinds) == 2:
        change = "replaced" if kinds["added"].unit == kinds["removed"].unit else "moved"
    return Part(thing, last.unit, thing, last.object_kind, change, (), (), tuple(rows))


def _part(name: str, change: PartKind, properties: tuple[str, ...], rows: tuple[Change, ...]) -> Part:
    row = rows[0]
    return Part(name, row.unit, row.object, row.object_kind, change, properties, (), rows)


def _groups(kind: str, changed: Mapping[str, Change]) -> Iterator[tuple[str, ...]]:
    glued = GLUED.get(kind, ())
    together = tuple(name for name in glued if name in changed) if glued and glued[0] in changed else ()
    if together:
        yield together
    for name in changed:
        if name not in together:
            yield (name,)


def _is_order(row: Change) -> bool:
    return row.property in ORDERS and row.object_kind in {"unit", "chapter"}


def _turned(before: list[str], after: list[str]) -> bool:
    """Whether an order changed beyond what was added and removed."""
    old, new = {*before}, {*after}
    return [name for name in before if name in new] != [name for name in after if name in old]


def named(found: Sequence[Part], name: str) -> tuple[Part, ...]:
    """The parts that a person means by a name: a part, an object or chapter (all its parts), a unit (all on it).

    Raises:
        NotFound: nothing of that name is a part.
    """
    thing, _, wanted = name.partition(".")
    if wanted:
        chosen = tuple(part for part in found if part.object == thing and wanted in part.properties)
    elif thing.startswith("un_"):
        chosen = tuple(part for part in found if part.unit == thing)
    else:
        chosen = tuple(part for part in found if part.object == thing)
    if chosen:
        return chosen
    known = [part.id for part in found]
    close = get_close_matches(name, known, n=3, cutoff=0.6)
    raise NotFound(
        f"{name[:60]} is not a part of the proposal",
        expected=known[:40],
        found=name[:60],
        recovery=f"Nearest: {', '.join(close)}." if close else "Look at the list of its parts.",
    )


def closed(found: Sequence[Part], rejected: Collection[str]) -> Choice:
    """The choice that rejecting some parts makes: what needs one of them is rejected too.

    Raises:
        NotFound: ``rejected`` names something that is no part.
    """
    known = {part.id for part in found}
    for name in rejected:
        if name not in known:
            named(found, name)
            raise NotFound(f"{name[:60]} names several parts, or is no part by itself", expected=sorted(known)[:40])
    followers: dict[str, list[str]] = {}
    for part in found:
        for other in part.needs:
            followers.setdefault(other, []).append(part.id)
    out = dict.fromkeys(rejected)
    because: dict[str, str] = {}
    waiting = list(out)
    while waiting:
        cause = waiting.pop(0)
        for name in followers.get(cause, ()):
            if name not in out:
                out[name] = None
                because[name] = cause
                waiting.append(name)
    return Choice(
        accepted=tuple(part.id for part in found if part.id not in out),
        rejected=tuple(part.id for part in found if part.id in out),
        because=because,
    )


def chosen(base: Book, frozen: Book, found: Sequence[Part], accepted: Collection[str]) -> Book:
    """The base with some parts of the way to the frozen state, and nothing of the others.

    Args:
        base, frozen: the states.
        found: ``parts(diff(base, frozen), base, frozen)``.
        accepted: ids of parts; closed, as ``closed`` makes it.

    Raises:
        WrongState: a part is to be taken without one that it needs.
    """
    taken = {*accepted}
    for part in found:
        lacking = [name for name in part.needs if name not in taken]
        if part.id in taken and lacking:
            raise WrongState(f"{part.id} cannot be taken without {lacking[0]}", ids=[part.id, *lacking])
    if len(taken) == len(found):
        return frozen
    return _Mix(base, frozen, found, taken).book() if taken else base


class _Mix:
    """Base and frozen state, part by part."""

    def __init__(self, base: Book, frozen: Book, found: Sequence[Part], taken: set[str]) -> None:
        self.base, self.frozen, self.taken = base, frozen, taken
        self.chapter = frozen.chapter.id
        self.whole = {part.object for part in found if not part.properties}
        self.updates: dict[str, list[str]] = {}
        for part in found:
            if part.change == "changed" and part.id in taken:
                self.updates.setdefault(part.object, []).extend(part.properties)
        named_units = dict.fromkeys(row.unit for part in found for row in part.rows if row.unit != self.chapter)
        self.units = tuple(named_units)
        self.objects: dict[str, dict[str, Any]] = {name: {} for name in self.units}
        before, after = placed(base, self.units), placed(frozen, self.units)
        for thing in {**before, **after}:
            held = after.get(thing) if thing in self.whole and thing in taken else before.get(thing)
            if held is None:
                continue
            item, now = held.item, after.get(thing)
            if thing in self.updates and now is not None:
                item = item.model_copy(update={name: getattr(now.item, name) for name in self.updates[thing]})
            self.objects[held.unit][thing] = item

    def book(self) -> Book:
        """The chapter with what was taken."""
        facts = {name: getattr(self.frozen.chapter, name) for name in self.updates.get(self.chapter, ())}
        book = self.base.with_chapter(self.base.chapter.model_copy(update=facts)) if facts else self.base
        for name in self.units:
            unit = self._unit(name)
            if unit is None:
                book = book.remove(name) if name in book else book
            elif name in book:
                book = book.replace(unit)
            else:
                book = book.insert(unit, len(book))
        order = self._order(self.chapter, "units", self.base.order, self.frozen.order, {*book.order})
        return book if order == book.order else book.reorder(order)

    def _unit(self, name: str) -> Unit | None:
        old = self.base.unit(name) if name in self.base else None
        new = self.frozen.unit(name) if name in self.frozen else None
        unit = new if name in self.whole and name in self.taken else old
        if unit is None:
            return None
        here = self.objects[name]
        readable = {thing for thing, item in here.items() if item.kind in READABLE}
        objects = self._order(name, "objects", _drawing(old), _drawing(new), here)
        update: dict[str, Any] = {
            "objects": tuple(here[thing] for thing in objects),
            "reading": self._order(name, "reading", _reading(old), _reading(new), readable),
        }
        if name not in self.whole:
            update |= {fact: getattr(new, fact) for fact in self.updates.get(name, ())}
        return unit.model_copy(update=update)

    def _order(
        self, thing: str, name: str, old: Sequence[str], new: Sequence[str], held: Collection[str]
    ) -> tuple[str, ...]:
        """The order of what is there: the new one where its turning was taken, else the old; the rest finds its place.

        A thing only one side has stands behind what it follows there.
        """
        first, second = (new, old) if f"{thing}.{name}" in self.taken else (old, new)
        there = {*held}
        kept = [item for item in first if item in there]
        rest = [item for item in second if item in there]
        return tuple(merge_order(rest, kept, rest, there)[0]) if rest != kept else tuple(kept)


def _drawing(unit: Unit | None) -> tuple[str, ...]:
    return () if unit is None else tuple(item.id for item in unit.objects)


def _reading(unit: Unit | None) -> tuple[str, ...]:
    return () if unit is None else unit.reading
