"""What of the library a chapter uses, and where: scenes, casts, marks, styles, speakers, reference pictures."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Balloon, Frame, Image, Overlay, Unit
from lantern_kit.library import Entry, Kind
from lantern_kit.library.entry import folded


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


def uses_of(book: Book, entries: Mapping[str, Entry]) -> Iterator[Use]:
    """Every use in a chapter, in its order.

    A speaker's name means the characters and props of the chapter's comic that are called so, or else those of the
    whole workspace; where several are, each of them is said.

    Args:
        book: the chapter.
        entries: all there are, by id.
    """
    index = _Index(book.chapter.comic, entries)
    for style in book.chapter.styles:
        yield Use(style, How.STYLE, "", book.chapter.id)
    for unit in book.units():
        yield from index.on(unit)


class _Index:
    """Who is meant by a name, and whose a picture is."""

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

    def on(self, unit: Unit) -> Iterator[Use]:
        """The uses on a unit."""
        for item in unit.objects:
            if isinstance(item, Frame):
                if item.scene is not None:
                    yield Use(item.scene, How.SCENE, unit.id, item.id)
                for one in item.cast:
                    yield Use(one.who, How.CAST, unit.id, item.id, one.look)
            elif isinstance(item, Image | Overlay):
                for mark in item.marks:
                    if mark.who is not None:
                        yield Use(mark.who, How.MARK, unit.id, item.id, mark.kind.value)
                for entry in self._sheets.get(item.asset, ()):
                    yield Use(entry, How.SHEET, unit.id, item.id, item.asset)
            elif isinstance(item, Balloon) and item.speaker:
                for entry in self._speakers.get(folded(item.speaker), ()):
                    yield Use(entry, How.SPEAKER, unit.id, item.id, item.speaker)
