"""``work.compare``: what changed between two states of a chapter, in words."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, cut
from lantern_kit.comic.capabilities.place import Place, find_place, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.capabilities.told import sections
from lantern_kit.comic.diff import diff
from lantern_kit.comic.measure import counted
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput


class CompareIn(In):
    """Two states."""

    source: Source
    old: Annotated[
        str, Field(max_length=80, description="another state; absent: a draft's base, or the revision before")
    ] = ""
    start: Start = 1


class CompareOut(Out):
    """Changes from the old state to the new."""

    old: str
    new: str
    changes: int
    units: list[dict[str, Any]]
    next: int | None = None


@observes(
    "work.compare",
    summary="What changed between two states of a chapter, in words, unit by unit.",
    input=CompareIn,
    output=CompareOut,
    applies_to=("chapter", "draft", "revision"),
)
def compare(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    new = find_place(held, args.source)
    old = find_place(held, args.old) if args.old else _before(held, new)
    if old.chapter != new.chapter:
        raise BadInput("the two are not of one chapter", ids=[old.chapter, new.chapter])
    changes = diff(old.book, new.book)
    rows = sections(held, changes, old.book, new.book)
    taken, more = cut(rows, args.start)
    answer = CompareOut(old=old.revision, new=new.revision, changes=len(changes), units=taken, next=more)
    return seen(new, answer, target=new.chapter, summary=f"compared: {counted(len(changes), 'change')}")


def _before(held: ComicServices, place: Place) -> Place:
    if place.draft is not None:
        return find_place(held, f"r{place.draft.base}")
    parent = place.moment.revision.parent
    return place if parent is None else find_place(held, f"r{parent}")
