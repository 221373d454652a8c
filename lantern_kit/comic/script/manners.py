"""Ways of speaking that are none: what stands in parentheses after a name, kept as a note and told."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Mapping

from lantern_kit.comic.book import Book
from lantern_kit.comic.script.cues import label_of, parts_of
from lantern_kit.comic.script.model import Line, Script, Voice
from lantern_kit.comic.script.tongues import JOINED, OFF, SHAPES

MOST_TOLD = 5
_LIKE = 0.6
_KNOWN = [*SHAPES, *sorted(OFF), *sorted(JOINED)]


def unknown_manners(book: Book, script: Script, homes: Mapping[str, str]) -> tuple[str, ...]:
    """Notes on new asides of balloons that read like a way of speaking: a single word, or nearly one that is known.

    Args:
        book: before the script is written.
        script: what is written.
        homes: the unit of each thing that it names.
    """
    found: list[str] = []
    for sheet in script.sheets:
        for line in sheet.lines:
            if line.voice is Voice.BALLOON and line.label and not _is_there(book, line, homes):
                found += _told(line)
    if len(found) > MOST_TOLD:
        found[MOST_TOLD:] = [f"and {len(found) - MOST_TOLD} more ways of speaking that are kept as notes"]
    return tuple(found)


def _is_there(book: Book, line: Line, homes: Mapping[str, str]) -> bool:
    return bool(line.id) and label_of(book.unit(homes[line.id]).index[line.id].name, Voice.BALLOON) == line.label


def _told(line: Line) -> Iterator[str]:
    for part in parts_of(line.label):
        near = difflib.get_close_matches(part.lower(), _KNOWN, n=1, cutoff=_LIKE)
        if near or (part.isalpha() and part.isascii()):
            nearest = f"; the nearest way of speaking is {near[0]}" if near else ""
            yield f"{line.speaker} ({part}): kept as a note for people{nearest}".lstrip()
