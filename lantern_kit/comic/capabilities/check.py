"""``work.check``: what is wrong with units of a chapter, or could be better."""

from __future__ import annotations

from collections import Counter
from typing import Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.answer import In, Out, Source, Start, UnitRef, cut
from lantern_kit.comic.capabilities.place import find_place, find_unit, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import services
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import counted
from lantern_kit.comic.pages import bound_at
from lantern_kit.comic.validate import validate_unit
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.progress import reporting, steps

_RANK = {"error": 0, "warning": 1, "note": 2}


class CheckIn(In):
    """What to check."""

    source: Source
    units: list[UnitRef] = Field(default_factory=list, max_length=100, description="absent: all units")
    notes: bool = Field(
        default=False, description="also matters of taste: composition, reading order, balance, continuity"
    )
    start: Start = 1


class CheckOut(Out):
    """Findings, the gravest first."""

    revision: str
    checked: int
    totals: dict[str, int]
    findings: list[dict[str, Any]]
    next: int | None = None


@observes(
    "work.check",
    summary="Check units for faults of lettering, pictures, frames and print; notes on composition and reading.",
    input=CheckIn,
    output=CheckOut,
    applies_to=("chapter", "draft", "unit"),
)
def check(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    place = find_place(held, args.source)
    book = place.book
    units = [find_unit(book, unit, held) for unit in args.units] if args.units else list(book.units())
    found: list[Finding] = [item for unit in units for item in validate_unit(unit, book.chapter)]
    with reporting(None, "Checking") as tell:
        each = steps(units, tell, "pages")
        if args.notes:
            found += held.checker.study(each, book.chapter, view=held.renderer.view, bound=bound_at(book))
        else:
            found += (item for unit in each for item in held.checker.check(unit, book.chapter))
    found.sort(key=lambda item: _RANK[item.severity])
    taken, more = cut([finding_row(book, item) for item in found], args.start)
    totals = Counter[str](item.severity for item in found)
    answer = CheckOut(
        revision=place.revision,
        checked=len(units),
        totals=dict(totals),
        findings=taken,
        next=more,
    )
    target = units[0].id if len(units) == 1 else place.chapter
    return seen(
        place, answer, target=target, summary=f"checked {counted(len(units), 'unit')}: {counted(len(found), 'finding')}"
    )


def finding_row(book: Book, finding: Finding) -> dict[str, Any]:
    """A finding for agents: the place of its unit and the current handles of its object, and of a second one."""
    row: dict[str, Any] = {"rule": finding.rule, "severity": finding.severity, "message": finding.message}
    if finding.unit in book:
        unit = book.unit(finding.unit)
        row["n"] = book.position(finding.unit) + 1
        row["object"] = handle_of(unit.index.get(finding.object, unit))
        if finding.other:
            other = unit.index.get(finding.other)
            row["with"] = finding.other if other is None else handle_of(other)
    else:
        row["object"] = finding.object
    data = {name: value for name, value in finding.data.items() if name != "with"}
    if data:
        row["data"] = data
    return row
