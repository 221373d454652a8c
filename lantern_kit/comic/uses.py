"""What of the library a chapter uses, and where: scenes, casts, marks, styles, speakers, reference pictures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Balloon, Chapter, Foreground, Frame, Image, Overlay, Unit
from lantern_kit.comic.scope import Found
from lantern_kit.library import Entry, Kind
from lantern_kit.library.entry import folded

REMEMBERED = 20_000
"""Units of which it is remembered what they mention."""


class How(StrEnum):
    """In which way an entry is used."""

    STYLE = "style"
    """The chapter keeps to it."""
    SCENE = "scene"
    """A frame is set in it."""
    CAST = "cast"
    """It is to be seen in a frame."""
    MARK = "mark"
    """A place in a picture is marked as it."""
    SPEAKER = "speaker"
    """A balloon's speaker is called as it."""
    SHEET = "sheet"
    """One of its reference pictures is placed."""


@dataclass(frozen=True)
class Use:
    """One place in a chapter where an entry is used."""

    entry: str
    how: How
    unit: str
    """Empty: the chapter itself."""
    object: str
    """The frame, picture or balloon; or the chapter."""
    detail: str = ""
    """The look of a cast, the kind of a mark, the speaker's name, the picture."""


@dataclass(frozen=True)
class Mention:
    """Something on a unit that may use an entry."""

    how: How
    what: str
    """The entry's id; of a speaker the name, of a sheet the picture."""
    object: str
    detail: str


_REMEMBERED: dict[bytes, tuple[Mention, ...]] = {}


def uses_of(book: Book, entries: Mapping[str, Entry]) -> Iterator[Use]:
    """Every use in a chapter, in its order.

    A speaker's name means the characters and props of the chapter's comic that are called so, or else those of the
    whole workspace; where several are, each of them is said.

    Args:
        book: the chapter.
        entries: all there are, by id.
    """
    yield from styles_of(book.chapter)
    index = EntryIndex(book.chapter.comic, entries)
    for unit in book.order:
        for mention in _mentions_in(book, unit):
            yield from index.uses(unit, mention)


def placing(book: Book, asset: str) -> list[Found]:
    """The objects of a chapter that show a picture, in the order of its units."""
    return [
        Found(unit, item)
        for unit in book.units()
        for item in unit.objects
        if isinstance(item, Image | Overlay | Foreground) and item.asset == asset
    ]


def using(book: Book, entry: str, entries: Mapping[str, Entry]) -> list[Found]:
    """The objects of a chapter that use an entry, by its id, each once, in the order of its units."""
    used = ((use.unit, use.object) for use in uses_of(book, entries) if use.entry == entry and use.unit)
    return [Found(book.unit(unit), book.unit(unit).index[thing]) for unit, thing in dict.fromkeys(used)]


def showing(entries: Mapping[str, Entry]) -> Callable[[Book, str], list[Found]]:
    """How to find what uses the entries that go by a name in a chapter, archived ones left out.

    Args:
        entries: all there are, by id.
    """

    def using_called(book: Book, name: str) -> list[Found]:
        wanted = folded(name)
        called = [
            entry.id
            for entry in entries.values()
            if not entry.archived
            and entry.content.comic in {"", book.chapter.comic}
            and wanted in map(folded, entry.content.names)
        ]
        return [found for entry in called for found in using(book, entry, entries)]

    return using_called


def styles_of(chapter: Chapter) -> Iterator[Use]:
    """The styles that a chapter keeps to."""
    return (Use(style, How.STYLE, "", chapter.id) for style in chapter.styles)


def mentions(unit: Unit) -> Iterator[Mention]:
    """All on a unit that may use an entry, whatever entries there are."""
    for item in unit.objects:
        if isinstance(item, Frame):
            if item.scene is not None:
                yield Mention(How.SCENE, item.scene, item.id, "")
            for one in item.cast:
                yield Mention(How.CAST, one.who, item.id, one.look)
        elif isinstance(item, Image | Overlay):
            for mark in item.marks:
                if mark.who is not None:
                    yield Mention(How.MARK, mark.who, item.id, mark.kind.value)
            yield Mention(How.SHEET, item.asset, item.id, item.asset)
        elif isinstance(item, Balloon) and item.speaker:
            yield Mention(How.SPEAKER, item.speaker, item.id, item.speaker)


def _mentions_in(book: Book, unit: str) -> Iterable[Mention]:
    """Those of one unit; of a stored one they are remembered by its content, so that it is not read again."""
    stamp = book.stamp(unit)
    if stamp is None:
        return mentions(book.unit(unit))
    found = _REMEMBERED.get(stamp)
    if found is None:
        if len(_REMEMBERED) >= REMEMBERED:
            _REMEMBERED.clear()
        found = _REMEMBERED[stamp] = tuple(mentions(book.unit(unit)))
    return found


class EntryIndex:
    """Entries by what mentions them in a comic: their ids, the names of those who speak, their reference pictures."""

    def __init__(self, comic: str, entries: Mapping[str, Entry]) -> None:
        self._sheets: dict[str, list[str]] = {}
        named: dict[str, dict[str, list[str]]] = {}
        for entry in entries.values():
            for asset in entry.content.assets:
                self._sheets.setdefault(asset, []).append(entry.id)
            if entry.kind in {Kind.CHARACTER, Kind.PROP} and not entry.archived:
                for name in entry.content.names:
                    named.setdefault(entry.content.comic, {}).setdefault(folded(name), []).append(entry.id)
        self._speakers = {**named.get("", {}), **named.get(comic, {})}

    def uses(self, unit: str, mention: Mention) -> Iterator[Use]:
        """The uses that a mention on a unit comes to."""
        if mention.how is How.SHEET:
            meant = self._sheets.get(mention.what, [])
        elif mention.how is How.SPEAKER:
            meant = self._speakers.get(folded(mention.what), [])
        else:
            meant = [mention.what]
        return (Use(entry, mention.how, unit, mention.object, mention.detail) for entry in meant)
