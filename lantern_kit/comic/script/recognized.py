"""What a script says without ids and the chapter says already is taken for that: written twice, it adds nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace

from lantern_kit.comic.book import Book
from lantern_kit.comic.measure import counted
from lantern_kit.comic.script.model import Line, Panel, Script, Sheet, Voice, tidy_name
from lantern_kit.comic.script.of_book import sheet_of

MOST_TOLD = 5
"""Units that are named of those that were recognized."""


@dataclass
class Taken:
    """What was recognized, to be told."""

    units: list[str] = field(default_factory=list)
    panels: Counter[str] = field(default_factory=Counter)
    lines: Counter[str] = field(default_factory=Counter)
    """By unit."""

    def told(self) -> tuple[str, ...]:
        """In words; whole units together."""
        found: list[str] = []
        if self.units:
            more = len(self.units) - MOST_TOLD
            names = ", ".join(self.units[:MOST_TOLD]) + (f" and {more} more" if more > 0 else "")
            found.append(f"{counted(len(self.units), 'unit')} without an id taken for what says the same: {names}")
        for numbers, noun in ((self.panels, "panel"), (self.lines, "line")):
            found += [
                f"{unit}: {counted(number, noun)} without an id taken for what says the same there"
                for unit, number in numbers.items()
            ]
        return tuple(found)


def recognized(book: Book, script: Script, free: Callable[[str], bool] = lambda _: True) -> tuple[Script, Taken]:
    """The script with the ids of what it says without one and a chapter says already.

    A unit or a panel is taken for one that shows and says exactly the same, a line for one of the same panel with the
    same speaker, kind and words; each for the first that no other part of the script is, by its id or otherwise.
    Where tails lead is not compared, and stays.

    Args:
        book: the chapter.
        script: some or all of it.
        free: whether a thing of the chapter may be taken, by its id.
    """
    seeker = _Seeker(book, script, free)
    sheets = tuple(map(seeker.sheet, script.sheets))
    return (replace(script, sheets=sheets) if sheets != script.sheets else script), seeker.taken


def without_known(script: Script, then: Book, now: Book) -> tuple[Script, Taken]:
    """A script of an earlier state without what it adds to that and is there by now; and what that is.

    Where that is nothing, the script is the same object.
    """
    first, _ = recognized(then, script)
    homes = {*then.order, *(name for unit in then.units() for name in unit.index)}
    second, taken = recognized(now, first, lambda name: name not in homes)
    if not (taken.units or taken.panels or taken.lines):
        return script, taken
    sheets: list[Sheet] = []
    for sheet, known in zip(first.sheets, second.sheets, strict=True):
        if sheet.id != known.id:
            continue
        panels: list[Panel] = []
        for panel, other in zip(sheet.panels, known.panels, strict=True):
            if panel.id != other.id:
                continue
            pairs = zip(panel.lines, other.lines, strict=True)
            lines = tuple(line for line, found in pairs if line.id == found.id)
            if panel.framed or lines:
                panels.append(replace(panel, lines=lines))
        sheets.append(replace(sheet, panels=tuple(panels)))
    return replace(first, sheets=tuple(sheets)), taken


def _has_ids(sheet: Sheet) -> bool:
    return any(panel.id or any(line.id for line in panel.lines) for panel in sheet.panels)


def _speaks(line: Line) -> tuple[Voice, str, str]:
    return line.voice, tidy_name(tidy_name(line.speaker).upper()), line.text


def _whole_line(line: Line) -> tuple[object, ...]:
    return *_speaks(line), line.shape, line.joined, line.label


def _whole_panel(panel: Panel) -> tuple[object, ...]:
    return panel.framed, panel.description, tuple(map(_whole_line, panel.lines))


def _whole(sheet: Sheet) -> tuple[object, ...]:
    return sheet.kind, sheet.name, tuple(map(_whole_panel, sheet.panels))


def _filled(line: Line, was: Line) -> Line:
    """A line with the id and the tail of one that says the same: it may have had no room for one that leads out."""
    return replace(line, id=was.id, off=was.off)


class _Seeker:
    def __init__(self, book: Book, script: Script, free: Callable[[str], bool]) -> None:
        self._book, self._free = book, free
        self._named = {sheet.id for sheet in script.sheets}
        self._named |= {panel.id for sheet in script.sheets for panel in sheet.panels}
        self._named |= {line.id for sheet in script.sheets for line in sheet.lines}
        self._others: dict[tuple[object, ...], list[Sheet]] | None = None
        self._known = {
            sheet.id: sheet_of(book.unit(sheet.id)) for sheet in script.sheets if sheet.id and sheet.id in book
        }
        self._framed = {panel.id: panel for sheet in self._known.values() for panel in sheet.frames}
        self.taken = Taken()

    def _may(self, name: str) -> bool:
        return name not in self._named and self._free(name)

    def sheet(self, sheet: Sheet) -> Sheet:
        """A unit with the ids that were found for it and in it."""
        if not sheet.id:
            return self._unit(sheet)
        if sheet.id not in self._known:
            return sheet
        known = self._known[sheet.id]
        panels = tuple(self._panel(panel, known) for panel in sheet.panels)
        return replace(sheet, panels=panels) if panels != sheet.panels else sheet

    def _unit(self, sheet: Sheet) -> Sheet:
        if _has_ids(sheet):
            return sheet
        if self._others is None:
            self._others = {}
            for unit in self._book.order:
                if self._may(unit):
                    known = sheet_of(self._book.unit(unit))
                    self._others.setdefault(_whole(known), []).append(known)
        found = self._others.get(_whole(sheet))
        if not found:
            return sheet
        known = found.pop(0)
        self._named.add(known.id)
        self.taken.units.append(known.id)
        panels = zip(sheet.panels, known.panels, strict=True)
        return replace(sheet, id=known.id, panels=tuple(self._same(panel, other) for panel, other in panels))

    def _same(self, panel: Panel, known: Panel) -> Panel:
        lines = zip(panel.lines, known.lines, strict=True)
        return replace(panel, id=known.id, lines=tuple(_filled(line, was) for line, was in lines))

    def _panel(self, panel: Panel, sheet: Sheet) -> Panel:
        if not panel.framed:
            loose = [line for other in sheet.panels if not other.framed for line in other.lines]
            return self._lines(panel, loose, sheet.id)
        if panel.id:
            known = self._framed.get(panel.id)
            return panel if known is None else self._lines(panel, known.lines, sheet.id)
        if any(line.id for line in panel.lines):
            return panel
        for other in sheet.frames:
            free = self._may(other.id) and not any(line.id in self._named for line in other.lines)
            if free and _whole_panel(other) == _whole_panel(panel):
                self._named |= {other.id, *(line.id for line in other.lines)}
                self.taken.panels[sheet.id] += 1
                return self._same(panel, other)
        return panel

    def _lines(self, panel: Panel, there: Iterable[Line], unit: str) -> Panel:
        free = [line for line in there if self._may(line.id)]
        if not free or all(line.id for line in panel.lines):
            return panel
        lines: list[Line] = []
        for line in panel.lines:
            was = next((other for other in free if not line.id and _speaks(other) == _speaks(line)), None)
            if was is not None:
                free.remove(was)
                self._named.add(was.id)
                self.taken.lines[unit] += 1
            lines.append(line if was is None else _filled(line, was))
        return replace(panel, lines=tuple(lines))
