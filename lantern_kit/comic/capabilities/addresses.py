"""``resource.list``: what can be read by address: the pages of every chapter as they stand, and registered pictures."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.assets import AssetVersion
from lantern_kit.comic.capabilities.answer import In, Out
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.measure import counted
from lantern_kit.comic.pages import unit_labels
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput, NotFound

PAGE = 200
"""Rows of one answer."""
Row = tuple[str, dict[str, Any]]
"""Where a list goes on after it, and what is said of it."""


class ResourcesIn(In):
    """From where on."""

    after: Annotated[str, Field(max_length=60, description="next of the last answer")] = ""


class ResourcesOut(Out):
    """Rows: the capability that reads each, with its arguments, and what to call it."""

    resources: list[dict[str, Any]]
    next: str | None = None


@observes(
    "resource.list",
    summary="List what can be read by address: views of pages, and the originals of pictures.",
    input=ResourcesIn,
    output=ResourcesOut,
    applies_to=("workspace",),
)
def list_(call: Call) -> Reply:
    """Carry it out."""
    held = services(call)
    rows = list(islice(_rows(held, call.args.after), PAGE + 1))
    shown = rows[:PAGE]
    answer = ResourcesOut(resources=[row for _, row in shown], next=shown[-1][0] if len(rows) > PAGE else None)
    return Reply(answer.facts(), summary=f"list of {counted(len(shown), 'resource')}")


def _rows(held: ComicServices, after: str) -> Iterator[Row]:
    chapter, _, unit = after.partition("/")
    if unit or not after:
        yield from _units(held, chapter, unit)
        after = ""
    yield from _pictures(held, after)


def _units(held: ComicServices, chapter: str, unit: str) -> Iterator[Row]:
    """The units of every chapter, in order, after one of them."""
    records = held.comics.chapters()
    if chapter:
        begun = [record.id for record in records]
        records = records[begun.index(chapter) :] if chapter in begun else []
        if not records:
            raise _gone()
    for record in records:
        book = held.comics.head(record.id).book
        order = list(book.order)
        if record.id == chapter:
            if unit not in order:
                raise _gone()
            order = order[order.index(unit) + 1 :]
        for name, label in zip(order, unit_labels(book, order), strict=True):
            yield (
                f"{record.id}/{name}",
                {
                    "capability": "unit.look",
                    "given": {"source": record.id, "unit": name},
                    "name": name,
                    "title": f"{record.comic} {record.number}, {label}",
                },
            )


def _pictures(held: ComicServices, after: str) -> Iterator[Row]:
    try:
        found = held.assets.registered(after, limit=PAGE + 1)
    except NotFound:
        raise _gone() from None
    yield from ((asset.id, _picture(asset)) for asset in found)


def _picture(asset: AssetVersion) -> dict[str, Any]:
    return {
        "capability": "asset.original",
        "given": {"asset": asset.id},
        "name": asset.id,
        "title": asset.title,
        "media": asset.media,
        "bytes": asset.bytes,
    }


def _gone() -> BadInput:
    return BadInput("the list changed where it was to go on", recovery="List from the beginning.")
