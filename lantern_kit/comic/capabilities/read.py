"""``unit.read``: everything on one unit, as a compact text or as full JSON."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities import compact
from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, UnitRef, clip, cut
from lantern_kit.comic.capabilities.facts import thing_facts, unit_facts
from lantern_kit.comic.capabilities.place import Place, find_place, find_unit, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.locks import Lock, locked_by
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Unit, UnitKind
from lantern_kit.comic.pages import unit_labels
from lantern_kit.comic.shelf import called
from lantern_kit.kernel.capability import Call, Reply


class ReadIn(In):
    """Which unit to read."""

    source: Source
    unit: UnitRef
    form: Literal["compact", "full"] = Field("compact", description="full: JSON of every field that is not its default")
    start: Start = 1


class ReadOut(Out):
    """A unit; ``text`` in the compact form, the rest in the full one."""

    text: str | None = None
    revision: str | None = None
    unit: dict[str, Any] | None = None
    objects: list[dict[str, Any]] | None = None
    next: int | None = None


@observes(
    "unit.read",
    summary="Read one unit: every object with its handle, place, words and picture.",
    input=ReadIn,
    output=ReadOut,
    applies_to=("unit",),
)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    place = find_place(held, args.source)
    unit = find_unit(place.book, args.unit, held)
    whole, locked = _locks(held, place, unit)
    if args.form == "compact":
        label = _label(place.book, unit)
        lines, more = cut(compact.lines(unit, titles(held), locked), args.start, text=str)
        head = compact.heading(unit, place.book.chapter, label=label, where=place.words)
        head = f"{head} · {whole}" if whole else head
        tail = [] if more is None else [f"… more: start {more}"]
        answer = ReadOut(text="\n".join([head, *lines, *tail]))
    else:
        objects, more = cut((_marked(thing_facts(item), locked.get(item.id)) for item in unit.objects), args.start)
        facts = _marked(unit_facts(unit), whole)
        answer = ReadOut(revision=place.revision, unit=facts, objects=objects, next=more)
    return seen(
        place, answer, target=unit.id, summary=f"read {unit.kind.value} with {counted(len(unit.objects), 'object')}"
    )


def _label(book: Book, unit: Unit) -> str:
    """What people call a unit, and its place in the chapter where that is another number."""
    pages, n = unit_labels(book, [unit.id])[0], book.position(unit.id) + 1
    kind = "" if unit.kind in {UnitKind.PAGE, UnitKind.COVER} else f"{unit.kind.value}, "
    return f"{kind}{pages}" + ("" if pages == f"page {n}" else f" (n {n})")


def _marked(facts: dict[str, Any], mark: str | None) -> dict[str, Any]:
    return {**facts, "locked": mark.removeprefix("locked ")} if mark else facts


def _locks(held: ComicServices, place: Place, unit: Unit) -> tuple[str, dict[str, str]]:
    """What keeps agents from a unit as a whole, and what from single objects on it, by id: who locked it, and why."""
    locks = held.drafts.locks.of_chapter(place.chapter)
    if not locks:
        return "", {}
    whole = next((lock for lock in locks if lock.object in {unit.id, place.chapter}), None)
    if whole is not None:
        return _said(whole), {}
    found = {item.id: locked_by(locks, place.book, unit.id, item.id) for item in unit.objects}
    return "", {name: _said(lock) for name, lock in found.items() if lock is not None}


def _said(lock: Lock) -> str:
    return f"locked by {lock.actor}" + (f": {clip(lock.reason)}" if lock.reason else "")


def titles(held: ComicServices) -> compact.Title:
    """Titles of assets and names of the library's entries; empty for one that is not there (a check says so)."""

    def title(name: str) -> str:
        found = called(name, held.assets, held.comics.library)
        return "" if found == name else found

    return title
