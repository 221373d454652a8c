"""The ids of a script against the chapter: what they name, and refusals that name what is near."""

from __future__ import annotations

from collections.abc import Mapping

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Balloon, BalloonShape, Unit, UnitKind
from lantern_kit.comic.script.faults import fault
from lantern_kit.comic.script.model import Line, Script, Sheet
from lantern_kit.kernel.errors import nearest


def check(book: Book, script: Script) -> dict[str, str]:
    """The unit on which everything lies that the script's units hold, by id.

    Raises:
        BadInput: an id that is nothing there, or something that a script cannot change; with its line.
    """
    units: dict[str, Unit] = {}
    for sheet in script.sheets:
        if sheet.id:
            if sheet.id not in book:
                raise _unknown(sheet.id, sheet.at, book.order, "a unit")
            units[sheet.id] = book.unit(sheet.id)
            _same_sort(sheet, units[sheet.id])
    homes = {name: unit.id for unit in units.values() for name in unit.index}
    for sheet in script.sheets:
        for panel in sheet.panels:
            if panel.id:
                _here(panel.id, panel.at, homes, book, "a panel")
            for line in panel.lines:
                if line.id:
                    _here(line.id, line.at, homes, book, "a line")
                    _drawn(line, units[homes[line.id]].index[line.id])
                elif line.shape is BalloonShape.PATH:
                    raise fault(line.at, "an outline of its own is drawn, not written", "another way to say it")
    return homes


def _same_sort(sheet: Sheet, unit: Unit) -> None:
    spread = UnitKind.SPREAD
    if sheet.kind is not unit.kind and spread in (sheet.kind, unit.kind):
        raise fault(
            sheet.at,
            f"{unit.id} is a {unit.kind}, and the script calls it a {sheet.kind}",
            f"{unit.kind}; spread.join and spread.split make one of the other",
            ids=[unit.id],
        )


def _drawn(line: Line, item: object) -> None:
    if isinstance(item, Balloon) and line.shape is BalloonShape.PATH and item.shape is not BalloonShape.PATH:
        raise fault(line.at, "an outline of its own is drawn, not written", "another way to say it", ids=[line.id])


def _here(name: str, at: int, homes: Mapping[str, str], book: Book, what: str) -> None:
    if name in homes:
        return
    other = next((unit.id for unit in book.units() if name in unit.index), None)
    if other is not None:
        raise fault(
            at,
            f"{name} lies on {other}, which this script does not name",
            f"the whole of {other} in the script too, or the line without an id for a new one",
            ids=[name, other],
        )
    raise _unknown(name, at, [known for known in homes if known[:2] == name[:2]], what)


def _unknown(name: str, at: int, known: Mapping[str, str] | list[str] | tuple[str, ...], what: str) -> Exception:
    close = nearest(name, known)
    return fault(
        at,
        f"{name} is nothing in this chapter",
        f"{what} of it" + (f", nearest: {', '.join(close)}" if close else "") + "; no id for a new one",
        ids=[name],
    )
