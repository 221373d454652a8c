"""Panels and lines that go from one unit of a script to another, under their ids and with all that hangs on them."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.tree import drop, family, loose
from lantern_kit.comic.model import Balloon
from lantern_kit.comic.script.model import Script


def transferred(
    book: Book, script: Script, units: list[str], homes: dict[str, str]
) -> tuple[Book, set[str], list[str]]:
    """The book with everything on the unit on which the script has it.

    Args:
        book: before.
        script: its panels and lines.
        units: the unit of each sheet.
        homes: where each thing lies; brought up to date.

    Returns:
        The book, the units whose panels are others now, and what to tell.
    """
    touched: set[str] = set()
    notes: list[str] = []
    for unit, sheet in zip(units, script.sheets, strict=True):
        for panel in sheet.frames:
            if panel.id and homes[panel.id] != unit:
                touched |= {unit, homes[panel.id]}
                book = _handed_on(book, panel.id, homes, unit, notes)
    for unit, sheet in zip(units, script.sheets, strict=True):
        for line in sheet.lines:
            if line.id and homes[line.id] != unit:
                book = _handed_on(book, line.id, homes, unit, notes)
    return book, touched, notes


def _handed_on(book: Book, name: str, homes: dict[str, str], unit: str, notes: list[str]) -> Book:
    here, there = book.unit(homes[name]), book.unit(unit)
    going = {*family(here, name)}
    notes += [f"{item.id} is no longer joined to {item.joined}" for item in loose(here, going)]
    items: list[Any] = []
    for item in (here.index[other] for other in family(here, name)):
        update: dict[str, Any] = {"parent": unit} if item.id == name else {}
        if isinstance(item, Balloon) and item.joined is not None and item.joined not in going:
            update["joined"] = None
        items.append(item.model_copy(update=update) if update else item)
    reading = [other for other in here.reading if other in going]
    there = there.model_copy(update={"objects": (*there.objects, *items), "reading": (*there.reading, *reading)})
    homes |= dict.fromkeys(going, unit)
    return book.replace(drop(here, going)).replace(there)
