"""``work.find``: objects of a chapter by their words, name, picture or id."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, clip, cut
from lantern_kit.comic.capabilities.compact import Title
from lantern_kit.comic.capabilities.place import find_place, seen
from lantern_kit.comic.capabilities.read import titles
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import services
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.markup import parse
from lantern_kit.comic.model import AnyObject, Balloon, Foreground, Image, Lettering, Overlay, Unit
from lantern_kit.kernel.capability import Call, Reply

Kind = Literal["unit", "frame", "image", "foreground", "overlay", "balloon", "narration", "text", "effect"]


class FindIn(In):
    """What to look for."""

    source: Source
    text: str = Field(
        "", max_length=200, description="in words, speakers, names and titles of pictures; or an id of anything"
    )
    kinds: list[Kind] = Field(default_factory=list, max_length=9)
    start: Start = 1


class FindOut(Out):
    """What was found, in the order of the chapter."""

    revision: str
    found: list[dict[str, Any]]
    total: int
    next: int | None = None


@observes(
    "work.find",
    summary="Find objects of a chapter by words, speaker, name, picture or id.",
    input=FindIn,
    output=FindOut,
    applies_to=("chapter", "draft"),
)
def find(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    place = find_place(held, args.source)
    wanted = args.text.split("#")[0].casefold() if args.text[2:3] == "_" else args.text.casefold()
    kinds = frozenset(args.kinds)
    rows = [
        row
        for number, unit in enumerate(place.book.units(), 1)
        for row in _matches(number, unit, wanted, kinds, titles(held))
    ]
    taken, more = cut(rows, args.start)
    answer = FindOut(revision=place.revision, found=taken, total=len(rows), next=more)
    return seen(place, answer, target=place.chapter, summary=f"found {len(rows)}")


def _matches(number: int, unit: Unit, wanted: str, kinds: frozenset[str], title: Title) -> Iterator[dict[str, Any]]:
    if (not kinds or "unit" in kinds) and _hit(wanted, unit.id, unit.name):
        yield {"n": number, "handle": handle_of(unit), "kind": unit.kind.value, "name": unit.name}
    for item in unit.objects:
        if kinds and item.kind not in kinds:
            continue
        said, others = _words(item, title)
        if _hit(wanted, item.id, item.name, said, *others):
            row: dict[str, Any] = {"n": number, "handle": handle_of(item), "kind": item.kind}
            if said:
                row["text"] = clip(said)
            if item.name:
                row["name"] = item.name
            yield row


def _words(item: AnyObject, title: Title) -> tuple[str, tuple[str, ...]]:
    """What an object says or shows, and what else it may be known by."""
    if isinstance(item, Lettering):
        marked = parse(item.text)
        readings = ("".join(ruby.readings) for ruby in marked.rubies)
        speaker = item.speaker if isinstance(item, Balloon) else ""
        return marked.text, (item.text, speaker, *readings)
    if isinstance(item, Image | Overlay | Foreground):
        return title(item.asset), (item.asset,)
    return "", ()


def _hit(wanted: str, *words: str) -> bool:
    return any(wanted in word.casefold() for word in words)
