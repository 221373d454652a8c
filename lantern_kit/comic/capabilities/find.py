"""``work.find``: what is meant by a name, a page's number, quoted words, a phrase, a reference or a link."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Literal

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, cut
from lantern_kit.comic.capabilities.meaning import Meant, pointed, told
from lantern_kit.comic.capabilities.place import Place, find_place, seen
from lantern_kit.comic.capabilities.read import titles
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.reference import parse_reference
from lantern_kit.comic.scope import candidate
from lantern_kit.comic.words import unit_titles
from lantern_kit.kernel.capability import Call, Reply

Kind = Literal["unit", "frame", "image", "foreground", "overlay", "balloon", "narration", "text", "effect"]
CLOSELY = 12
"""So many candidates are told apart by place, size and neighbours too."""


class FindIn(In):
    """What to look for."""

    source: Source = Field("", min_length=0, description="absent: all chapters")
    text: str = Field(
        "",
        max_length=400,
        description='words, names, ids, references, review links, or phrases: "page 3, last panel", 第3页最后一格',
    )
    kinds: list[Kind] = Field(default_factory=list, max_length=9)
    start: Start = 1


class FindOut(Out):
    """What was found, in the order of the chapter."""

    match: Literal["one", "several", "none"]
    revision: str | None = None
    found: list[dict[str, Any]]
    total: int
    note: str | None = None
    next: int | None = None


@observes(
    "work.find",
    summary="Find what is meant by words, a name, a page's number, a phrase, an id, a reference or a link.",
    input=FindIn,
    output=FindOut,
    applies_to=("workspace", "chapter", "draft"),
)
def find(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    text = args.text.strip()
    places = _places(held, args.source, text)
    pointed_at = pointed(held, places, text, frozenset(args.kinds), given=bool(args.source))
    meant = pointed_at if pointed_at is not None else told(held, places, text, frozenset(args.kinds))
    rows = _rows(held, meant, several=len(places) > 1)
    taken, more = cut(rows, args.start)
    total = len(meant.found) + len(meant.others)
    one = places[0] if len(places) == 1 else None
    answer = FindOut(
        match="none" if not total else "one" if total == 1 else "several",
        revision=None if one is None else one.revision,
        found=taken,
        total=total,
        note=meant.note or None,
        next=more,
    )
    if one is None:
        return Reply(answer.facts(), summary=f"found {total}")
    return seen(one, answer, target=one.chapter, summary=f"found {total}")


def _places(held: ComicServices, source: str, text: str) -> Sequence[Place]:
    """Where to look: the source, the chapter that a reference names, or the working lines of all chapters."""
    if source:
        return [find_place(held, source)]
    reference = parse_reference(text)
    if reference is not None:
        return [find_place(held, reference.chapter)]
    return [find_place(held, record.id) for record in held.comics.chapters()]


def _rows(held: ComicServices, meant: Meant, *, several: bool) -> Iterator[dict[str, Any]]:
    closely = 1 < len(meant.found) <= CLOSELY
    title = titles(held)
    pages: dict[int, dict[str, str]] = {}
    yield from meant.others
    for place, item in meant.found:
        named = pages.setdefault(id(place), {}) or pages[id(place)] | unit_titles(place.book)
        pages[id(place)] = named
        n = place.book.position(item.unit.id) + 1
        row = candidate(item, n=n, page=named[item.unit.id], title=title, closely=closely)
        yield (row | {"source": place.chapter} if several else row) | meant.marks
