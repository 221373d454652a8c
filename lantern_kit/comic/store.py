"""Chapters between memory and the journal: books from documents, documents from books."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from lantern_kit.comic.book import Book, Source
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.change import Change
from lantern_kit.comic.handle import text_of
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.documents import Documents, Pending, Root, build
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.revision import ChangeRow

KIND = "chapter"
BOOKS_KEPT = 64
UNITS_KEPT = 4_096
BRIEFS_KEPT = 20_000
_T = TypeVar("_T")


@dataclass(frozen=True)
class Stored:
    """A book together with the document it was read from or written as."""

    book: Book
    document: bytes
    root: Root
    hashes: dict[str, bytes]
    """Document hash of each unit."""


class ChapterStore:
    """Reads and writes chapter documents. Parsed units and books are shared: they never change.

    Several threads may read at once.
    """

    def __init__(self, journal: Journal, documents: Documents) -> None:
        self._journal = journal
        self._documents = documents
        self._books: OrderedDict[bytes, Stored] = OrderedDict()
        self._units: OrderedDict[bytes, Unit] = OrderedDict()
        self._briefs: OrderedDict[bytes, Brief] = OrderedDict()
        self._lock = threading.Lock()

    def load(self, connection: Connection, document: bytes) -> Stored:
        """The book a document holds; its units are read when they are asked for. Raises Corrupt, NotFound."""
        with self._lock:
            found = self._books.get(document)
            if found is not None:
                self._books.move_to_end(document)
                return found

        def read(name: bytes) -> bytes:
            return self._documents.get(connection, name)

        root = Root.parse(read(document))
        if root.kind != KIND:
            raise NotFound(f"that revision is one of a {root.kind[:40]}, and of no chapter")
        hashes = dict(self._documents.items(read, root.tree))
        chapter = Chapter.model_validate_json(dumps(root.head))
        book = Book(chapter, tuple(hashes), self._source(hashes))
        return self._keep(Stored(book, document, root, hashes))

    def write(self, connection: Connection, base: Stored | None, book: Book) -> Stored:
        """Put what a book adds to its base into the journal, in a write transaction, and give its document."""
        pending = Pending()
        same_order = base is not None and book.order == base.book.order
        fresh: dict[str, bytes] = {}
        for unit in self._fresh(base, book, same_order=same_order):
            fresh[unit] = pending.add(unit_body(book.unit(unit)))
            self._remember(fresh[unit], book.unit(unit))
        if base is not None and same_order:
            hashes = {**base.hashes, **fresh}
            tree = base.root.tree
            if tree is not None:
                tree = self._documents.replace(lambda name: self._documents.get(connection, name), tree, fresh, pending)
        else:
            old = {} if base is None else base.hashes
            hashes = {unit: fresh.get(unit) or old[unit] for unit in book.order}
            tree = build(list(hashes.items()), pending)
        same_head = base is not None and book.chapter is base.book.chapter
        head = base.root.head if base is not None and same_head else book.chapter.model_dump(mode="json")
        root = Root(KIND, head, tree, len(book))
        document = pending.add(root.body())
        self._documents.put(connection, pending)
        # Content has one name, so remembering it before the transaction ends can never be wrong.
        return self._keep(Stored(book.settled(self._source(hashes)), document, root, hashes))

    # parts

    def _fresh(self, base: Stored | None, book: Book, *, same_order: bool) -> list[str]:
        if base is None:
            return list(book.order)
        changed = [unit for unit in book.differing(base.book) if book.unit(unit) != base.book.unit(unit)]
        return changed if same_order else changed + [unit for unit in book.order if unit not in base.hashes]

    def _source(self, hashes: dict[str, bytes]) -> Source:
        return Source(lambda unit: self._unit(hashes[unit]), hashes, glance=lambda units: self._glance(units, hashes))

    def _glance(self, units: Sequence[str], hashes: Mapping[str, bytes]) -> dict[str, Brief]:
        found: dict[str, Brief] = {}
        wanted = []
        for unit in units:
            brief = self._briefs.get(hashes[unit])
            if brief is None:
                wanted.append(unit)
            else:
                found[unit] = brief
        if wanted:
            with self._journal.read() as connection:
                for unit in wanted:
                    name = hashes[unit]
                    held = self._units.get(name)
                    made = Brief.parse(self._documents.get(connection, name)) if held is None else Brief.of(held)
                    found[unit] = made
                    with self._lock:
                        _keep(self._briefs, name, made, BRIEFS_KEPT)
        return found

    def _unit(self, name: bytes) -> Unit:
        found = self._units.get(name)
        if found is None:
            with self._journal.read() as connection:
                found = Unit.model_validate_json(self._documents.get(connection, name))
            self._remember(name, found)
        return found

    def _remember(self, name: bytes, unit: Unit) -> None:
        with self._lock:
            _keep(self._units, name, unit, UNITS_KEPT)

    def _keep(self, stored: Stored) -> Stored:
        with self._lock:
            _keep(self._books, stored.document, stored, BOOKS_KEPT)
        return stored


def _keep(held: OrderedDict[bytes, _T], name: bytes, thing: _T, most: int) -> None:
    held[name] = thing
    if len(held) > most:
        held.popitem(last=False)


def unit_body(unit: Unit) -> bytes:
    """A unit's canonical bytes: those of its own fields, with the objects', which were made before, in their place."""
    own = dumps({**unit.model_dump(mode="json", exclude={"objects"}), "objects": None})
    objects = b",".join([text_of(item) for item in unit.objects])
    # Quotes inside strings are escaped, so that only the key itself can look like this.
    return own.replace(b'"objects":null', b'"objects":[' + objects + b"]", 1)


def change_rows(changes: Sequence[Change]) -> list[ChangeRow]:
    """Changes as the journal keeps them."""
    return [
        ChangeRow(
            item.unit,
            item.object,
            item.object_kind,
            item.change,
            item.property,
            _text(item.before),
            _text(item.after),
        )
        for item in changes
    ]


def _text(value: Any) -> str | None:
    return None if value is None else dumps(value).decode()
