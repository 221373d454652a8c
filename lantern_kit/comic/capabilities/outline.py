"""``work.outline``: which works there are, or what one chapter holds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

from pydantic import Field

from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, cut
from lantern_kit.comic.capabilities.facts import chapter_facts
from lantern_kit.comic.capabilities.place import Place, find_place, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import READABLE, Unit
from lantern_kit.comic.proposal import UNDECIDED
from lantern_kit.comic.script import Form, write_script
from lantern_kit.comic.script.model import tidy_title
from lantern_kit.comic.script.of_book import script_of
from lantern_kit.kernel.capability import Call, Reply

SCRIPT_BUDGET = 8_000
"""Tokens of a script, after which it stops at the end of a unit."""
SHOWN = 20
"""Drafts, proposals and saved versions that an outline names; there may be more."""


class OutlineIn(In):
    """What to outline."""

    source: Source = Field("", min_length=0, description="d7, ch_… or r41; absent: list the chapters")
    form: Literal["list", "script", "fountain"] = Field("list", description="script: its words, for script.write")
    start: Start = 1


class OutlineOut(Out):
    """Chapters, or one chapter."""

    chapters: list[dict[str, Any]] | None = None
    chapter: dict[str, Any] | None = None
    revision: str | None = None
    draft: str | None = None
    units: list[dict[str, Any]] | None = None
    script: str | None = None
    drafts: list[dict[str, Any]] | None = None
    proposals: list[dict[str, Any]] | None = None
    saved: list[dict[str, Any]] | None = None
    locks: list[dict[str, str]] | None = None
    open_annotations: int | None = None
    next: int | None = None


@observes(
    "work.outline",
    summary="List the chapters of the workspace, or the units of one with its drafts and proposals, or its words.",
    input=OutlineIn,
    output=OutlineOut,
    applies_to=("workspace", "chapter", "draft"),
)
def outline(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    if not args.source:
        return _works(held, args.start)
    place = find_place(held, args.source)
    book = place.book
    if args.form != "list":
        return _script(place, args.form, args.start)
    places = range(args.start, len(book) + 1)
    units, more = cut(unit_row(number, book.unit(book.order[number - 1])) for number in places)
    first = args.start == 1
    answer = OutlineOut(
        chapter=chapter_facts(book.chapter) if first else {"chapter": handle_of(book.chapter)},
        revision=place.revision,
        draft=place.draft_id or None,
        units=units,
        drafts=_drafts(held, place) if first else None,
        proposals=_proposals(held, place) if first else None,
        saved=_saved(held, place) if first else None,
        locks=_locks(held, place) if first else None,
        open_annotations=len(held.annotations.open_of(place.chapter)) or None if first else None,
        next=None if more is None else args.start + more - 1,
    )
    return seen(place, answer, target=place.chapter, summary=f"outline of {counted(len(book), 'unit')}")


def _script(place: Place, form: str, start: int) -> Reply:
    """The words of a chapter, as many whole units of them as an answer has room for."""
    book = place.book
    written = Form.FOUNTAIN if form == "fountain" else Form.MARKDOWN
    language = book.chapter.language

    def part(number: int) -> str:
        script = script_of(book, [book.order[number - 1]])
        if number == 1:
            script = replace(script, title=tidy_title(book.chapter.title))
        return write_script(script, written, language=language)

    parts, more = cut((part(number) for number in range(start, len(book) + 1)), budget=SCRIPT_BUDGET, text=str)
    answer = OutlineOut(
        chapter={"chapter": handle_of(book.chapter)},
        revision=place.revision,
        draft=place.draft_id or None,
        script="\n".join(parts),
        next=None if more is None else start + more - 1,
    )
    return seen(place, answer, target=place.chapter, summary=f"script of {counted(len(parts), 'unit')}")


def unit_row(number: int, unit: Unit) -> dict[str, Any]:
    """A unit in a list: its place, handle, kind and what it holds."""
    row: dict[str, Any] = {"n": number, "unit": handle_of(unit), "kind": unit.kind.value}
    if unit.name:
        row["name"] = unit.name
    frames = sum(1 for item in unit.objects if item.kind == "frame")
    lettering = sum(1 for item in unit.objects if item.kind in READABLE) - frames
    others = len(unit.objects) - frames - lettering
    row.update(
        {key: count for key, count in (("frames", frames), ("lettering", lettering), ("other", others)) if count}
    )
    return row


def _works(held: ComicServices, start: int) -> Reply:
    rows: list[dict[str, Any]] = []
    for record in held.comics.chapters():
        head = held.comics.head(record.id)
        chapter = head.book.chapter
        row: dict[str, Any] = {
            "chapter": handle_of(chapter),
            "comic": record.comic,
            "number": record.number,
            "title": chapter.title,
            "units": len(head.book),
            "revision": head.id,
            "drafts": [draft.id for draft in held.drafts.of_chapter(record.id)[:SHOWN]],
            "pending": [item.id for item in held.proposals.all(chapter=record.id, states=UNDECIDED)[:SHOWN]],
        }
        rows.append({key: value for key, value in row.items() if value not in ("", [])})
    taken, more = cut(rows, start)
    answer = OutlineOut(chapters=taken, next=more)
    return Reply(answer.facts(), summary=f"list of {counted(len(rows), 'chapter')}")


def _drafts(held: ComicServices, place: Place) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    for draft in held.drafts.of_chapter(place.chapter)[:SHOWN]:
        row = {"draft": draft.id, "title": draft.title, "by": draft.actor, "revision": held.drafts.head(draft.id).id}
        rows.append({**row, "contract": draft.contract.facts()} if draft.contract else row)
    return rows


def _locks(held: ComicServices, place: Place) -> list[dict[str, str]] | None:
    return [lock.facts() for lock in held.drafts.locks.of_chapter(place.chapter)[:SHOWN]] or None


def _proposals(held: ComicServices, place: Place) -> list[dict[str, Any]]:
    return [
        {"proposal": item.id, "state": item.state, "draft": f"d{item.draft}", "summary": item.summary}
        for item in held.proposals.all(chapter=place.chapter)[:SHOWN]
    ]


def _saved(held: ComicServices, place: Place) -> list[dict[str, Any]]:
    return [
        {"saved": item.id, "title": item.title, "revision": f"r{item.revision}"}
        for item in held.comics.snapshots(place.chapter)[:SHOWN]
    ]
