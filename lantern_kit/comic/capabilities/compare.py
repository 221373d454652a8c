"""``work.compare``: what changed between two states of a chapter, in words, in figures and in pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Any, Literal

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.answer import LONGEST_NAME, In, Out, Source, Start, cut
from lantern_kit.comic.capabilities.compared import compared, figures, shown, touched
from lantern_kit.comic.capabilities.pictures import DEFAULT_EDGE, Edge
from lantern_kit.comic.capabilities.place import Place, find_place, find_unit, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.capabilities.told import sections
from lantern_kit.comic.diff import diff
from lantern_kit.comic.measure import counted
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.progress import reporting, steps


class CompareIn(In):
    """Two states."""

    source: Source
    old: Annotated[
        str,
        Field(
            max_length=LONGEST_NAME,
            description="another state; absent: a draft's or candidate's base, or the revision before",
        ),
    ] = ""
    show: Literal["words", "regions", "difference", "beside"] = Field(
        "words",
        description="regions: in mm, with each object's distance; difference: a picture; beside: regions old and new",
    )
    unit: str = Field("", max_length=LONGEST_NAME, description="only this one; difference and beside need it")
    size: Edge = DEFAULT_EDGE
    start: Start = 1


class CompareOut(Out):
    """Changes from the old state to the new."""

    old: str
    new: str
    changes: int
    units: list[dict[str, Any]]
    next: int | None = None
    view: dict[str, Any] | None = None
    """The picture that goes with it, and how its pixels lie on the page."""


@observes(
    "work.compare",
    summary="What changed between two states of a chapter: in words, in regions and distances, or as a picture.",
    input=CompareIn,
    output=CompareOut,
    applies_to=("chapter", "draft", "revision", "unit"),
)
def compare(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    new = find_place(held, args.source)
    old = find_place(held, args.old) if args.old else _before(held, new)
    if old.chapter != new.chapter:
        raise BadInput("the two are not of one chapter", ids=[old.chapter, new.chapter])
    only = _unit(old.book, new.book, args.unit) if args.unit else ""
    changes = [row for row in diff(old.book, new.book) if not only or row.unit == only]
    if args.show in {"difference", "beside"}:
        return _picture(held, old, new, only, args, len(changes))
    if args.show == "regions":
        names = [only] if only else touched(changes, old.book, new.book)
        with reporting(None, "Comparing") as tell:
            told: Iterator[dict[str, Any]] = (
                figures(compared(held, old.book, new.book, name, args.size), old.book, new.book)
                for name in steps(names[args.start - 1 :], tell, "pages")
            )
            taken, more = cut(told)
        following = None if more is None else more + args.start - 1
    else:
        taken, following = cut(sections(held, changes, old.book, new.book), args.start)
    answer = CompareOut(old=old.revision, new=new.revision, changes=len(changes), units=taken, next=following)
    return seen(new, answer, target=only or new.chapter, summary=f"compared: {counted(len(changes), 'change')}")


def _picture(held: ComicServices, old: Place, new: Place, unit: str, args: CompareIn, changes: int) -> Reply:
    if not unit:
        raise BadInput(
            "a picture shows one unit", expected="unit", recovery="Say unit; show=regions tells of all that changed."
        )
    with reporting(None, "Comparing") as tell:
        tell("pages", 0, 2)
        found = compared(held, old.book, new.book, unit, args.size)
        row = figures(found, old.book, new.book)
        tell("writing", 1, 2)
        view, picture = shown(held, found, new.revision, args.size, beside=args.show == "beside")
    answer = CompareOut(old=old.revision, new=new.revision, changes=changes, units=[row], view=view)
    reply = seen(new, answer, target=unit, summary=f"compared as drawn: {counted(changes, 'change')}")
    reply.pictures = (picture,)
    return reply


def _unit(old: Book, new: Book, name: str) -> str:
    """The unit that is named, in the new state or else in the old one."""
    try:
        return find_unit(new, name).id
    except NotFound as error:
        try:
            return find_unit(old, name).id
        except NotFound:
            raise error from None


def _before(held: ComicServices, place: Place) -> Place:
    if place.candidate is not None:
        return find_place(held, f"r{place.candidate.base}")
    if place.draft is not None:
        return find_place(held, f"r{place.draft.base}")
    parent = place.moment.revision.parent
    return place if parent is None else find_place(held, f"r{parent}")
