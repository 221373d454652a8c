"""What words mean in some chapters: a phrase is read and looked up; other words are searched for. Never a guess."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field

from lantern_kit.comic.book import Book
from lantern_kit.comic.markup import parse
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Chapter, Foreground, Frame, Image, Lettering, Overlay
from lantern_kit.comic.pages import page_numbers
from lantern_kit.comic.scope.matching import Found, Title, names_of
from lantern_kit.comic.scope.near import meant_perhaps, tells
from lantern_kit.comic.scope.nouns import fold
from lantern_kit.comic.scope.phrase import Noun, Phrase
from lantern_kit.comic.scope.reading import read
from lantern_kit.comic.scope.resolve import resolve

_MARKS = '“”"「」『』《》«»'
Hit = tuple[Book, Found]
Using = Callable[[Book, str], Sequence[Found]]
"""What of a chapter shows, or says, the library's entry that goes by a name; empty for no entry's name."""


@dataclass
class Sought:
    """Everything that answers to some words, in the order of the chapters and of reading."""

    found: list[Hit] = field(default_factory=list)
    chapters: list[Book] = field(default_factory=list)
    """Those that the words may mean themselves."""
    note: str = ""
    """Why nothing was found, or which words were not understood."""


def seek(books: Sequence[Book], text: str, kinds: frozenset[str], title: Title, using: Using) -> Sought:
    """What words mean: what a phrase says, and what bears just these words; of other words, whatever holds them.

    What holds them are names, words, descriptions of panels, and whatever shows the library's entry of that name.

    Args:
        books: the chapters, each once.
        text: what was said.
        kinds: of objects, or ``unit``; empty for all.
        title: titles of pictures.
        using: what shows an entry of the library.
    """
    found: dict[tuple[str, str], Hit] = {}
    chapters: list[Book] = []
    reader = _Reader(text, title)
    for book in books if text else ():
        meant, whole = reader.read(book)
        found.update({(book.chapter.id, item.key): (book, item) for item in meant})
        if whole:
            chapters.append(book)
    if reader.understood:
        for book, item in _everything(books, text, title):
            if fold(text) in {fold(name) for name in (*names_of(item, title), *_words(item))}:
                found[book.chapter.id, item.key] = (book, item)
    hits = [hit for hit in found.values() if of_kind(hit[1], kinds)]
    if hits or (chapters and not kinds):
        return Sought(_sorted(books, hits), [] if kinds else chapters)
    if reader.firm:
        return Sought(note=_missing(books, text))
    holding = {(book.chapter.id, item.key): (book, item) for book, item in _everything(books, text, title)}
    for book in books if text else ():
        holding.update({(book.chapter.id, item.key): (book, item) for item in using(book, text)})
    searched = [hit for hit in holding.values() if of_kind(hit[1], kinds)]
    return Sought(_sorted(books, searched), note="" if searched else reader.note + _perhaps(books, reader, title))


def of_kind(item: Found, kinds: frozenset[str]) -> bool:
    """Whether something found is of one of some kinds, which are none for all."""
    return not kinds or ("unit" if item.thing is None else item.thing.kind) in kinds


class _Reader:
    """Reads one text for several chapters."""

    def __init__(self, text: str, title: Title) -> None:
        self.understood = False
        """Whether some reading made sense of all of it, beyond a mere name."""
        self.firm = False
        """Whether one says more than a bare noun, so that its words are hardly searched for."""
        self.note = ""
        self.strange: tuple[str, ...] = ()
        """Words that were not understood."""
        self._text = text
        self._title = title

    def read(self, book: Book) -> tuple[list[Found], bool]:
        """What the text means in a chapter, and whether it may mean the chapter itself."""
        found: list[Found] = []
        whole = False
        for said, titled in _about(book.chapter, self._text):
            whole = whole or (titled and not said)
            readings = read(said, _names(book, said, self._title))
            for phrase in readings.phrases:
                if all(pick.noun is Noun.ANY for pick in phrase.picks) and not any(mark in said for mark in _MARKS):
                    continue  # a name by itself: it is searched for
                self.understood = True
                self.firm = self.firm or _firm(phrase)
                if _of_chapter(phrase, book.chapter):
                    whole = whole or phrase.innermost == 0
                    found += resolve(phrase, book, self._title)
            if readings.strange and not self.note:
                self.strange = readings.strange
                self.note = f"not understood: {', '.join(readings.strange)}"
                if readings.without is not None:
                    left = len(resolve(readings.without, book, self._title))
                    self.note += f"; without it: {counted(left, 'candidate')}"
        self.understood = self.understood or whole
        return found, whole


# Reading


def _about(chapter: Chapter, text: str) -> Iterator[tuple[str, bool]]:
    """The text, and what is left of it when the work's own title is taken away; whether that was done."""
    yield text, False
    folded = fold(text)
    for title in dict.fromkeys((chapter.comic, chapter.title)):
        wanted = fold(title)
        if wanted and wanted in folded:
            rest = re.sub(f"[{_MARKS}]?{re.escape(wanted)}[{_MARKS}]?", " ", folded, count=1).strip(" ,.:·")
            if rest.isdigit():  # Chelsea Goes Up 2
                rest = f"chapter {rest}"
            yield rest, True


def _of_chapter(phrase: Phrase, chapter: Chapter) -> bool:
    """Whether a chapter is one that the phrase speaks of."""
    picks = phrase.of_rank(0)
    return not picks or any(
        (pick.number is None or pick.number[0] <= chapter.number <= pick.number[1])
        and (not pick.name or fold(pick.name) in {fold(chapter.title), fold(chapter.comic)})
        and not pick.ordinal
        for pick in picks
    )


def _firm(phrase: Phrase) -> bool:
    """Whether a phrase says more than a single bare noun or name, so that its words are hardly searched for."""
    first = phrase.picks[0]
    return len(phrase.picks) > 1 or bool(first.ordinal or first.number or first.speaker or first.said)


def _missing(books: Sequence[Book], text: str) -> str:
    """Why nothing answers to a phrase that was understood."""
    if len(books) != 1:
        return "understood, and nothing answers to it"
    book = books[0]
    chapter = book.chapter
    phrases = read(text).phrases
    if phrases and not any(_of_chapter(phrase, chapter) for phrase in phrases):
        return f"it speaks of another chapter than {chapter.number} of {chapter.comic}, the only one looked at"
    pages = page_numbers(brief.kind for brief in book.briefs())
    last = max((end for _, end in pages), default=0)
    return f"nothing answers to it: pages are 1–{last}, in {counted(len(pages), 'unit')}"


def _names(book: Book, text: str, title: Title) -> set[str]:
    """Names of people, things, pages and pictures that stand in a text, folded."""
    folded = fold(text)
    found: set[str] = set()
    for unit in book.units():
        for item in (Found(unit), *(Found(unit, item) for item in unit.objects)):
            found.update(name for name in map(fold, names_of(item, title)) if name and name in folded)
    return found


# Searching


def _everything(books: Sequence[Book], text: str, title: Title) -> Iterator[Hit]:
    """All that holds a text, in the order of reading pages and drawing."""
    wanted = text.casefold()
    for book in books:
        for unit in book.units():
            if _holds(wanted, unit.id, unit.name):
                yield book, Found(unit)
            for item in unit.objects:
                row = Found(unit, item)
                pictures = (item.asset,) if isinstance(item, Image | Overlay | Foreground) else ()
                described = isinstance(item, Frame) and tells(item.description, text)
                if described or _holds(wanted, item.id, *pictures, *names_of(row, title), *_words(row)):
                    yield book, row


def _perhaps(books: Sequence[Book], reader: _Reader, title: Title) -> str:
    """What may have been meant by words that were not understood; empty where nothing is like them."""
    if not reader.strange:
        return ""
    rows = (
        row
        for book in books
        for unit in book.units()
        for row in (Found(unit), *(Found(unit, it) for it in unit.objects))
    )
    near = meant_perhaps(reader.strange, {name for row in rows for name in names_of(row, title)})
    return f"; did you mean {' or '.join(near)}?" if near else ""


def _words(row: Found) -> tuple[str, ...]:
    """Words of lettering as they are read, as they are written, and by their readings."""
    if not isinstance(row.thing, Lettering):
        return ()
    marked = parse(row.thing.text)
    return marked.text, row.thing.text, *("".join(ruby.readings) for ruby in marked.rubies)


def _holds(wanted: str, *words: str) -> bool:
    return any(wanted in word.casefold() for word in words) or not wanted


def _sorted(books: Sequence[Book], hits: list[Hit]) -> list[Hit]:
    """In the order of places, units, and reading or drawing."""
    order = {book.chapter.id: number for number, book in enumerate(books)}

    def key(hit: Hit) -> tuple[int, int, int]:
        book, item = hit
        unit, thing = item.unit, item.thing
        inside = -1 if thing is None else [other.id for other in unit.objects].index(thing.id)
        if thing is not None and thing.id in unit.reading:
            inside = unit.reading.index(thing.id)
        return order[book.chapter.id], book.position(unit.id), inside

    return sorted(hits, key=key)
