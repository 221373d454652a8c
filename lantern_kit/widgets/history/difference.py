"""What lies between two revisions, in words by unit, worked out once and read in pages."""

from __future__ import annotations

import threading
from collections import OrderedDict
from dataclasses import dataclass
from functools import partial
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.diff import diff
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.service import Moment
from lantern_kit.comic.words import UnitWords, describe, object_name, unit_titles
from lantern_kit.comic.work.host import Host
from lantern_kit.comic.work.unit import picture_title
from lantern_kit.kernel.errors import NotFound

SENTENCES = 20
"""Of one unit in one page; the rest is asked for by the unit."""
KEPT = 8


@dataclass(frozen=True)
class Difference:
    """What leads from one revision to another."""

    before: Moment
    after: Moment
    sections: tuple[UnitWords, ...]
    changes: int

    def page(self, start: int, count: int) -> dict[str, Any]:
        """Some units with their first sentences."""
        return {
            "before": self.before.id,
            "after": self.after.id,
            "changes": self.changes,
            "total": len(self.sections),
            "units": [self._told(section, 0, SENTENCES) for section in self.sections[start : start + count]],
        }

    def unit(self, unit: str, start: int, count: int) -> dict[str, Any]:
        """Some sentences of one unit. Raises NotFound when nothing of it changed."""
        for section in self.sections:
            if section.unit == unit:
                return self._told(section, start, count)
        raise NotFound(f"nothing of {unit[:40]} changed between {self.before.id} and {self.after.id}", ids=[unit[:40]])

    def _told(self, section: UnitWords, start: int, count: int) -> dict[str, Any]:
        return {
            "unit": section.unit,
            "title": section.title,
            "sentences": list(section.sentences[start : start + count]),
            "start": start,
            "count": len(section.sentences),
            "before": section.unit in self.before.book,
            "after": section.unit in self.after.book,
        }


class Differences:
    """Differences of one chapter. Safe to ask from several threads."""

    def __init__(self, host: Host) -> None:
        self._host = host
        self._lock = threading.Lock()
        self._known: OrderedDict[tuple[int, int, Language], Difference] = OrderedDict()

    def between(self, before: int, after: int, language: Language) -> Difference:
        """What leads from one revision to another. Raises NotFound, and Corrupt where content cannot be read."""
        key = (before, after, language)
        with self._lock:
            found = self._known.get(key)
            if found is not None:
                self._known.move_to_end(key)
                return found
        made = self._between(self._host.comics.at(before), self._host.comics.at(after), language)
        with self._lock:
            self._known[key] = made
            while len(self._known) > KEPT:
                self._known.popitem(last=False)
        return made

    def _between(self, before: Moment, after: Moment, language: Language) -> Difference:
        changes = diff(before.book, after.book)
        told = describe(changes, before.book, after.book, language=language, titles=partial(picture_title, self._host))
        return Difference(before, after, tuple(told), len(changes))


def name_of(host: Host, book: Book, thing: str, language: Language) -> str:
    """What people call a unit or an object of a book; its id when it is not there."""
    if thing in book:
        return unit_titles(book, language)[thing]
    home = host.comics.unit_of(book, thing)
    if home is None:
        return thing
    name = object_name(book.unit(home), thing, language=language, titles=partial(picture_title, host))
    return on(unit_titles(book, language)[home], name, language)


def on(place: str, words: str, language: Language) -> str:
    """Words about something on a page, after what the page is called."""
    return f"{place}：{words}" if language == "zh" else f"{place}: {words}"
