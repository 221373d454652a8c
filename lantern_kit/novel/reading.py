"""What authors read: the novel, its prose, its cards and books; nothing here writes (seed 004, 8.1, 11).

Cards and books are those the novel was begun with. All of it is material for a story: words in it that speak to a
model are handed on as words.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.cards import Book, Card, active, read_any, search
from lantern_kit.kernel.errors import Corrupt, NotFound, WrongState
from lantern_kit.novel.canon import Canon, canon
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.lore import content
from lantern_kit.novel.model import Asset, AssetKind, Source
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel


@dataclass(frozen=True)
class LoreEntry:
    """An entry of a book, as the novel has it."""

    asset: str
    digest: str
    """Of the book: the version it is of."""
    id: str
    """Within its book."""
    title: str
    keys: tuple[str, ...]
    content: str
    why: tuple[str, ...] = ()
    """What woke it; empty where it was looked up."""

    @property
    def ref(self) -> str:
        """What it is cited by: ``ns_7kq2m9x4:3``."""
        return f"{self.asset}:{self.id}"


@dataclass(frozen=True)
class Passage:
    """A paragraph of committed prose."""

    source: Source
    text: str


class Reader:
    """The read side of one novel, each time as it stands now.

    Args:
        service: where it is kept.
        novel: which one; authors name no other.
    """

    def __init__(self, service: NovelService, novel: str) -> None:
        self._service = service
        self._novel = novel
        self._books: dict[str, Book] = {}

    @property
    def novel(self) -> Novel:
        """The novel as it stands. Raises NovelStorageCorruption."""
        return self._service.head(self._novel).novel

    # prose

    def paragraphs(self, commit: str) -> tuple[str, ...]:
        """The prose of a commit. Raises NotFound, NovelStorageCorruption."""
        return self._service.paragraphs(self.novel, commit)

    def recent(self, characters: int, novel: Novel | None = None) -> list[Passage]:
        """The last paragraphs that were written, oldest first: at least one if there are any, up to some characters."""
        held = self.novel if novel is None else novel
        found: list[Passage] = []
        for name in reversed(list(held.commits)):
            texts = self._service.paragraphs(held, name)
            for number in range(len(texts) - 1, -1, -1):
                characters -= len(texts[number])
                if characters < 0 and found:
                    return found[::-1]
                found.append(Passage(Source(commit=name, paragraph=number), texts[number]))
        return found[::-1]

    def canon(self, novel: Novel | None = None) -> Canon:
        """What is true so far."""
        return canon(self.novel if novel is None else novel)

    # cards and books

    def assets(self, kind: AssetKind | None = None) -> list[Asset]:
        """Cards and books, in order."""
        return [asset for asset in self.novel.assets.values() if kind is None or asset.kind is kind]

    def character(self, asset: str) -> dict[str, Any]:
        """What a card tells of its character. Raises NotFound, WrongState, NovelStorageCorruption."""
        held = self.novel.asset(asset)
        if held.kind is not AssetKind.CARD:
            raise WrongState(f"{asset} is a book", expected="a card", ids=[asset], recovery="Search the lore for it.")
        return content(held, self._service.blobs)

    def entries(self, asset: str) -> list[LoreEntry]:
        """All entries of a book, in its order. Raises NotFound, NovelStorageCorruption."""
        held = self.novel.asset(asset)
        return [_entry(held, entry) for entry in self._book(held).entries if entry.enabled]

    def lore(self, words: str, limit: int = 10) -> list[LoreEntry]:
        """Entries that hold each of some words, the best of each book first. Raises NovelStorageCorruption."""
        found = []
        for asset in self.assets(AssetKind.BOOK):
            found += [_entry(asset, entry) for entry in search(self._book(asset), words) if entry.enabled]
        return found[: max(0, limit)]

    def woken(self, texts: Sequence[str]) -> list[LoreEntry]:
        """Entries that some texts wake, newest text last, as each book has it. Raises NovelStorageCorruption."""
        found = []
        for asset in self.assets(AssetKind.BOOK):
            found += [_entry(asset, item.entry, item.why) for item in active(self._book(asset), texts)]
        return found

    def contested(self) -> dict[str, tuple[str, ...]]:
        """Keys under which several books say different things, with the entries. Raises NovelStorageCorruption."""
        held: dict[str, list[LoreEntry]] = {}
        for asset in self.assets(AssetKind.BOOK):
            for entry in self.entries(asset.id):
                for key in dict.fromkeys(key.strip().casefold() for key in entry.keys):
                    held.setdefault(key, []).append(entry)
        return {
            key: tuple(entry.ref for entry in entries)
            for key, entries in held.items()
            if key and len({entry.asset for entry in entries}) > 1 and len({entry.content for entry in entries}) > 1
        }

    def _book(self, asset: Asset) -> Book:
        if asset.id not in self._books:
            try:
                read = read_any(self._service.blobs.get(bytes.fromhex(asset.original)), name=asset.file)
            except (Corrupt, NotFound) as error:
                raise NovelStorageCorruption("a book of the novel is missing or damaged", ids=[asset.id]) from error
            book = read.book if isinstance(read, Card) else read
            if book is None or book.digest != asset.digest:
                raise NovelStorageCorruption("a book of the novel is not what it was fixed as", ids=[asset.id])
            self._books[asset.id] = book
        return self._books[asset.id]


def _entry(asset: Asset, entry: Any, why: tuple[str, ...] = ()) -> LoreEntry:
    keys = (*entry.keys, *entry.secondary_keys)
    return LoreEntry(asset.id, asset.digest, entry.id, entry.title, keys, entry.content, why)
