"""``library.*``: the characters, scenes, props, styles and layouts that works keep to: listed, read, kept, updated.

Restoring an earlier version and putting an entry away belong to the person: there is no capability for them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Key, Out, Start, cut
from lantern_kit.comic.capabilities.place import Place, find_place, find_unit
from lantern_kit.comic.capabilities.registry import CAPABILITIES, observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.layout.template import sketch
from lantern_kit.comic.layout.tracing import traced
from lantern_kit.comic.shelf import template_of
from lantern_kit.comic.uses import Use, uses_of
from lantern_kit.kernel.capability import (
    Call,
    Confirmation,
    Effect,
    Idempotency,
    Picture,
    Precondition,
    Reply,
    Risk,
    Scope,
)
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import BadInput
from lantern_kit.library.entry import LONGEST_NOTES, Kind

if TYPE_CHECKING:
    from lantern_kit.library import Entry

CONTENT = ("name", "aliases", "notes", "palette", "looks", "sheets", "comic")
"""Arguments of what an entry holds; those that are not given stay as they were."""
VERSIONS = 10
"""Versions that reading an entry tells, the newest first."""
USES_BUDGET = 2_000
"""Tokens that its uses may take."""

EntryRef = Annotated[str, Field(max_length=120, description="read: li_… or name; write: li_… to change")]
KindArg = Annotated[
    Literal["character", "scene", "prop", "style", "layout"] | None,
    Field(description="list: only these; write: of a new entry"),
]


class ListIn(In):
    """Which entries."""

    kind: KindArg = None
    search: Annotated[str, Field(max_length=120, description="list: words in names, notes, looks")] = ""
    chapter: Annotated[str, Field(max_length=200, description="list: what this ch_… or d7 uses")] = ""
    start: Start = 1


class ListOut(Out):
    """Entries, the best first."""

    entries: list[dict[str, Any]]
    total: int
    next: int | None = None


@observes(
    "library.list",
    summary="List the library: characters, scenes, props, styles and kept layouts; or what of it a chapter uses.",
    input=ListIn,
    output=ListOut,
    applies_to=("workspace", "chapter", "draft"),
)
def listing(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    found: Iterable[Entry] = held.comics.library.find(args.search, kind=args.kind)
    place = find_place(held, args.chapter) if args.chapter else None
    rows = [_row(item) for item in found]
    if place is not None:
        rows = _used(held, place, rows, whole=not args.search and args.kind is None)
    taken, more = cut(rows, args.start)
    answer = ListOut(entries=taken, total=len(rows), next=more)
    scope, draft = ("", "") if place is None else (place.chapter, place.draft_id)
    return Reply(answer.facts(), scope=scope, draft=draft, target=scope, summary=f"list of {_counted(len(rows))}")


class ReadIn(In):
    """Which entry."""

    entry: EntryRef


class ReadOut(Out):
    """An entry: all it holds, its versions, where it is used."""

    entry: str
    kind: str
    version: int
    archived: bool | None = None
    content: dict[str, Any]
    layout: str | None = None
    """What is above and beside what: layout.apply takes its name."""
    versions: list[dict[str, Any]]
    uses: list[dict[str, Any]]
    more_uses: int | None = None


@observes(
    "library.read",
    summary="Read one entry of the library: names, notes, palette, looks, sheets, versions, and where it is used.",
    input=ReadIn,
    output=ReadOut,
    applies_to=("entry",),
)
def read(call: Call) -> Reply:
    """Carry it out."""
    held = services(call)
    library = held.comics.library
    entry: Entry = library.resolve(call.args.entry)
    used = [row for record in held.comics.chapters() for row in _places(held, record.id, entry)]
    shown, _ = cut(used, budget=USES_BUDGET)
    answer = ReadOut(
        entry=entry.id,
        kind=entry.kind.value,
        version=entry.number,
        archived=entry.archived or None,
        content=_content(entry),
        layout=sketch(template_of(entry)) if entry.kind is Kind.LAYOUT else None,
        versions=[
            _known(version=item.number, how=item.cause.value, by=item.actor, at=stamp(item.at), message=item.message)
            for item in library.versions(entry.id)[: -VERSIONS - 1 : -1]
        ],
        uses=shown,
        more_uses=len(used) - len(shown) or None,
    )
    return Reply(answer.facts(), target=entry.id, summary=f"read {_of(entry)}", assets=tuple(entry.content.assets))


class WriteIn(In):
    """A new entry, or a new version of one: of that only the fields that are given change."""

    entry: EntryRef = ""
    seen: Annotated[int | None, Field(ge=1, description="with entry: its version you read")] = None
    kind: KindArg = None
    name: Annotated[str | None, Field(max_length=120)] = None
    aliases: list[str] | None = None
    notes: Annotated[str | None, Field(max_length=LONGEST_NOTES)] = None
    palette: Annotated[list[str] | None, Field(description="#rrggbb")] = None
    looks: Annotated[list[dict[str, Any]] | None, Field(description="name, notes, sheets: [as_…]")] = None
    sheets: Annotated[list[dict[str, Any]] | None, Field(description="asset, role, note")] = None
    comic: Annotated[str | None, Field(max_length=120, description="only this one's")] = None
    source: Annotated[str, Field(max_length=200, description="layout: where unit is")] = ""
    unit: Annotated[str, Field(max_length=200, description="layout: taken from this unit")] = ""
    message: Annotated[str, Field(max_length=1_000, description="why")] = ""
    idempotency_key: Key


class WriteOut(Out):
    """What was written."""

    entry: str
    kind: str
    version: int
    layout: str | None = None


def _facts(call: Call) -> dict[str, Any]:
    """What is to be written, the layout of a unit taken before the lock. Raises BadInput."""
    args, held = call.args, services(call)
    if bool(args.entry) is (args.seen is None):
        raise BadInput(
            "seen: a new version names the version that was read"
            if args.entry
            else "seen: without entry it is a new one",
            expected="entry and seen together, or neither",
        )
    if bool(args.entry) is (args.kind is not None):
        what = "kind: an entry keeps its kind" if args.entry else "kind is missing: of what is the new entry"
        raise BadInput(what, expected="kind for a new entry, and for no other")
    facts = {field: value for field in CONTENT if (value := getattr(args, field)) is not None}
    if not args.unit and not args.source:
        return facts
    if not args.unit or not args.source:
        raise BadInput("a layout is taken from a unit of a source", expected="source and unit, both")
    book = find_place(held, args.source).book
    unit = find_unit(book, args.unit, held)
    made = traced(unit, book.chapter.paper, book.chapter.direction, title=args.name or "Layout")
    return {**facts, "layout": made.model_dump(mode="json")}


@CAPABILITIES.capability(
    "library.write",
    summary="Keep a character, scene, prop, style or page layout in the library, or a new version of one.",
    input=WriteIn,
    output=WriteOut,
    applies_to=("workspace", "entry"),
    scope=Scope.DRAFT,
    effect=Effect.RESOURCE_MUTATION,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.NONE,
    prepare=_facts,
)
def write(call: Call) -> Reply:
    """Carry it out."""
    args, library = call.args, services(call).comics.library
    facts: dict[str, Any] = call.prepared
    made: Entry
    if args.entry:
        made = library.change(call.transaction, args.entry, args.seen, facts, actor=call.actor, message=args.message)
    else:
        made = library.add(call.transaction, Kind(args.kind), facts, actor=call.actor, message=args.message)
    answer = WriteOut(
        entry=made.id,
        kind=made.kind.value,
        version=made.number,
        layout=sketch(template_of(made)) if made.kind is Kind.LAYOUT else None,
    )
    words = f"kept {_of(made)}" if made.number == 1 else f"version {made.number} of {_of(made)}"
    return Reply(answer.facts(), target=made.id, summary=words, assets=tuple(made.content.assets))


@dataclass(frozen=True)
class Sheets:
    """An entry of the library on one picture."""

    entry: Entry
    facts: dict[str, Any]
    picture: Picture | None
    sent: dict[str, Any] | None


def sheets(held: ComicServices, name: str, edge: int) -> Sheets:
    """The reference pictures of an entry, its palette or its layout on one picture. Raises NotFound, BadInput."""
    from lantern_kit.comic.capabilities.pictures import fitting
    from lantern_kit.comic.entry_sheet import entry_sheet

    entry: Entry = held.comics.library.resolve(name)
    drawn = entry_sheet(entry, held.assets, edge=edge)
    picture, sent = (None, None) if drawn is None else fitting(drawn, edge)
    return Sheets(entry, _row(entry), picture, sent)


# parts


def _row(entry: Entry) -> dict[str, Any]:
    """What a list says of an entry."""
    held = entry.content
    return _known(
        entry=entry.id,
        kind=entry.kind.value,
        name=held.name,
        also=list(held.aliases),
        comic=held.comic,
        version=entry.number,
        looks=[look.name for look in held.looks],
        sheets=len(held.assets),
        palette=list(held.palette),
        layout=sketch(template_of(entry)) if entry.kind is Kind.LAYOUT else "",
    )


def _used(held: ComicServices, place: Place, rows: list[dict[str, Any]], *, whole: bool) -> list[dict[str, Any]]:
    """Those rows that a chapter uses, with how often in which way; if ``whole``, also what is no longer listed."""
    known = held.comics.library.entries()
    counts: dict[str, Counter[str]] = {}
    for use in uses_of(place.book, known):
        counts.setdefault(use.entry, Counter())[use.how.value] += 1
    found = [{**row, "uses": dict(counts.pop(row["entry"]))} for row in rows if row["entry"] in counts]
    if whole:
        for entry, uses in counts.items():
            facts = (
                {"entry": entry, "missing": True} if entry not in known else {**_row(known[entry]), "archived": True}
            )
            found.append({**facts, "uses": dict(uses)})
    return found


def _places(held: ComicServices, chapter: str, entry: Entry) -> list[dict[str, Any]]:
    """Where the working line of a chapter uses an entry."""
    moment = held.comics.head(chapter)
    uses: Iterable[Use] = uses_of(moment.book, held.comics.library.entries())
    return [
        _known(
            chapter=chapter,
            page=moment.titles[use.unit] if use.unit else "",
            object=use.object,
            how=use.how.value,
            detail=use.detail,
        )
        for use in uses
        if use.entry == entry.id
    ]


def _content(entry: Entry) -> dict[str, Any]:
    """All that an entry holds but its template, what is empty left out."""
    facts = entry.content.model_dump(mode="json", exclude={"layout"})
    for name in ("looks", "sheets"):
        facts[name] = [_known(**item) for item in facts[name]]
    return _known(**facts)


def _known(**facts: Any) -> dict[str, Any]:
    """Facts, those left out that say nothing."""
    return {name: value for name, value in facts.items() if value not in ("", None, [], (), 0)}


def _of(entry: Entry) -> str:
    return "a layout" if entry.kind is Kind.LAYOUT else f"a {entry.kind.value}"


def _counted(number: int) -> str:
    return "1 entry" if number == 1 else f"{number} entries"
