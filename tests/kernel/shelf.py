"""A kernel in a folder, with documents of plain pages: what the kernel's tests share."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.blobs import FolderBlobs
from lantern_kit.kernel.canonical import dumps, loads
from lantern_kit.kernel.clock import Clock, SteppingClock
from lantern_kit.kernel.documents import Documents, Pending, Root, build
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.history import History
from lantern_kit.kernel.revision import ChangeRow, Mode, Revision
from lantern_kit.kernel.verify import Report, verify_kernel
from lantern_kit.migrations import bring_up

ANN = Actor.person("Ann")
BOT = Actor.agent("bot")
Pages = dict[str, dict[str, Any]]


@dataclass
class Shelf:
    """An open kernel."""

    folder: Path
    journal: Journal
    documents: Documents
    history: History
    blobs: FolderBlobs

    # documents

    def write(self, connection: Connection, pages: Pages) -> bytes:
        """A whole document, built from its pages."""
        pending = Pending()
        tree = build([(page, pending.add(dumps(facts))) for page, facts in pages.items()], pending)
        document = pending.add(Root("book", {"title": "Tides"}, tree, len(pages)).body())
        self.documents.put(connection, pending)
        return document

    def rewrite(self, connection: Connection, document: bytes, pages: Pages) -> tuple[bytes, Pending]:
        """A document with some pages in a new state, and what had to be written for it."""
        pending = Pending()

        def read(name: bytes) -> bytes:
            return self.documents.get(connection, name)

        root = Root.parse(read(document))
        assert root.tree is not None
        new = {page: pending.add(dumps(facts)) for page, facts in pages.items()}
        tree = self.documents.replace(read, root.tree, new, pending)
        made = pending.add(Root(root.kind, root.head, tree, root.count).body())
        self.documents.put(connection, pending)
        return made, pending

    def read(self, connection: Connection, document: bytes) -> Pages:
        """All pages of a document."""
        root = Root.parse(self.documents.get(connection, document))
        items = self.documents.items(lambda name: self.documents.get(connection, name), root.tree)
        return {page: loads(self.documents.get(connection, name)) for page, name in items}

    # lines

    def create(self, line: str = "ch", pages: Pages | None = None, *, mode: Mode = Mode.LINEAR) -> Revision:
        """A line with a first revision."""
        with self.journal.write() as connection:
            document = self.write(connection, {"un_0000": page(0)} if pages is None else pages)
            return self.history.create(
                connection, line, kind="book", root=line, document=document, actor=ANN, mode=mode
            )

    def edit(self, line: str, expected: int, pages: Pages, *, actor: Actor = ANN, cause: str = "edit") -> Revision:
        """Advance a line by giving some pages a new state."""
        with self.journal.write() as connection:
            return self.edit_on(connection, line, expected, pages, actor=actor, cause=cause)

    def edit_on(
        self, connection: Connection, line: str, expected: int, pages: Pages, *, actor: Actor = ANN, cause: str = "edit"
    ) -> Revision:
        """The same, in an open transaction."""
        head = self.history.head(connection, line)
        before = self.read(connection, head.document)
        document, _ = self.rewrite(connection, head.document, pages)
        changes = [changed(name, before[name], facts) for name, facts in pages.items()]
        return self.history.advance(
            connection,
            line,
            expected_head=expected,
            document=document,
            actor=actor,
            cause=cause,
            message=f"page {', '.join(pages)}",
            changes=changes,
        )

    def pages(self, revision: Revision) -> Pages:
        """All pages at a revision."""
        with self.journal.read() as connection:
            return self.read(connection, revision.document)

    def head(self, line: str = "ch") -> Revision:
        """Where a line stands."""
        with self.journal.read() as connection:
            return self.history.head(connection, line)

    def verify(self) -> Report:
        """The kernel's check."""
        report = Report()
        with self.journal.read() as connection:
            verify_kernel(connection, self.blobs, self.history, report)
        return report


def open_shelf(folder: Path, clock: Clock | None = None) -> Shelf:
    """Open or make a kernel in a folder."""
    journal = Journal(folder / "journal.sqlite")
    bring_up(journal)
    (folder / "blobs").mkdir(exist_ok=True)
    return Shelf(
        folder,
        journal,
        Documents(),
        History(SteppingClock() if clock is None else clock),
        FolderBlobs(folder / "blobs"),
    )


def page(number: int, words: str = "Once.") -> dict[str, Any]:
    """A page's facts."""
    return {"number": number, "objects": [{"id": f"bl_{number:04d}", "text": words}]}


def book(count: int) -> Pages:
    """So many pages."""
    return {f"un_{number:04d}": page(number) for number in range(count)}


def changed(name: str, before: dict[str, Any], after: dict[str, Any]) -> ChangeRow:
    """The row that says how a page changed."""
    return ChangeRow(name, name, "page", "changed", "facts", dumps(before).decode(), dumps(after).decode())


class _Undo(Exception):
    pass


@contextmanager
def undone(journal: Journal) -> Iterator[Connection]:
    """A write transaction that fails at its end."""
    with suppress(_Undo), journal.write() as connection:
        yield connection
        raise _Undo
