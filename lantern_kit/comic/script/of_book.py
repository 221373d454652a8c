"""The script of a chapter: everything that is lettered, once, in the order in which it is read."""

from __future__ import annotations

from collections.abc import Iterable

from lantern_kit.comic.book import Book
from lantern_kit.comic.geometry import distance
from lantern_kit.comic.model import Balloon, Frame, Lettering, Narration, Unit, UnitKind
from lantern_kit.comic.pages import page_numbers
from lantern_kit.comic.script.cues import label_of
from lantern_kit.comic.script.headings import sheet_name
from lantern_kit.comic.script.model import (
    Line,
    Panel,
    Script,
    Sheet,
    Voice,
    tidy_description,
    tidy_name,
    tidy_title,
    tidy_words,
)

AT_THE_EDGE = 600
"""A tail that ends no further inside of its frame's outline than this, in micrometres, points out of the panel."""
_TITLES = frozenset({"dialogue", "narration", "sans", "marker"})
"""Fonts in which lettering on the paper is no sound."""


def script_of(book: Book, units: Iterable[str] | None = None) -> Script:
    """The script of some units, or of all of them with the chapter's title.

    What lies in a frame stands in its panel, what lies on the page itself where it is read between them. Raises
    NotFound.
    """
    numbers = page_numbers(brief.kind for brief in book.briefs())
    chosen = book.order if units is None else units
    sheets = (sheet_of(book.unit(unit), numbers[book.position(unit)]) for unit in chosen)
    return Script(tuple(sheets), tidy_title(book.chapter.title) if units is None else "")


def sheet_of(unit: Unit, pages: tuple[int, int] | None = None) -> Sheet:
    """One unit's part of a script; ``pages`` are the first and the last that it is."""
    index = unit.index
    inside: dict[str, list[Line]] = {}
    for name in unit.reading:
        item = index[name]
        if isinstance(item, Lettering):
            inside.setdefault(item.parent, []).append(line_of_item(item, unit))
    loose = {line.id: line for line in inside.get(unit.id, ())}
    panels: list[Panel] = []
    waiting: list[Line] = []
    for name in unit.reading:
        item = index[name]
        if name in loose:
            waiting.append(loose[name])
        elif isinstance(item, Frame):
            panels += _loose(waiting)
            waiting = []
            lines = tuple(inside.get(name, ()))
            panels.append(Panel(lines, tidy_description(item.description), name))
    panels += _loose(waiting)
    return Sheet(tuple(panels), unit.kind, sheet_name(unit.name), unit.id, _number(unit.kind, pages))


def _loose(lines: list[Line]) -> list[Panel]:
    return [Panel(tuple(lines), framed=False)] if lines else []


def _number(kind: UnitKind, pages: tuple[int, int] | None) -> str:
    if pages is None or kind is UnitKind.COVER:
        return ""
    return str(pages[0]) if pages[0] == pages[1] else f"{pages[0]}–{pages[1]}"


def line_of_item(item: Lettering, unit: Unit) -> Line:
    """A balloon, caption or piece of lettering as a line."""
    words = tidy_words(item.text)
    if isinstance(item, Balloon):
        return Line(
            words,
            Voice.BALLOON,
            tidy_name(tidy_name(item.speaker).upper()),
            item.shape,
            points_out(item, unit),
            item.joined is not None,
            label_of(item.name, Voice.BALLOON),
            item.id,
        )
    voice = Voice.CAPTION
    if not isinstance(item, Narration):
        voice = Voice.TITLE if item.style.font in _TITLES else Voice.SOUND
    return Line(words, voice, label=label_of(item.name, voice), id=item.id)


def points_out(balloon: Balloon, unit: Unit) -> bool:
    """Whether a tail of a balloon leads to the edge of its frame, or past it."""
    frame = unit.index.get(balloon.parent)
    if not isinstance(frame, Frame) or not balloon.tails:
        return False
    inner = [tail for tail in balloon.tails if deep_inside(frame, tail.tip)]
    return not inner


def deep_inside(frame: Frame, at: tuple[int, int]) -> bool:
    """Whether a point lies in a frame, and not at its edge."""
    reach = AT_THE_EDGE
    return all(
        distance(frame.shape, (at[0] + dx, at[1] + dy)) == 0
        for dx, dy in ((-reach, 0), (reach, 0), (0, -reach), (0, reach))
    )
