"""Comics of one workspace: chapters, their working lines, and how content is added to a line."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property

from lantern_kit.assets import AssetLibrary
from lantern_kit.comic.beginning import chapter_facts
from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import diff
from lantern_kit.comic.merge import merge
from lantern_kit.comic.model import Direction, Paper
from lantern_kit.comic.pick import pick
from lantern_kit.comic.saved import Snapshot
from lantern_kit.comic.shelf import LibraryShelf
from lantern_kit.comic.store import KIND, ChapterStore, Stored, change_rows
from lantern_kit.comic.validate import validate_book
from lantern_kit.comic.words import unit_titles
from lantern_kit.kernel.actor import Actor, require_person
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.documents import Documents
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import BadInput, InvalidDocument, NotFound, WrongState
from lantern_kit.kernel.history import History
from lantern_kit.kernel.ids import IdSource, numbered
from lantern_kit.kernel.revision import Revision
from lantern_kit.kernel.wording import MESSAGE, said
from lantern_kit.library import Library

CHAPTERS_NAMED = 20
"""Chapters that an error names."""


@dataclass(frozen=True)
class Moment:
    """A revision together with the book it holds."""

    revision: Revision
    stored: Stored

    @property
    def book(self) -> Book:
        """The chapter as it was then."""
        return self.stored.book

    @property
    def id(self) -> str:
        """The revision's name, ``r41``."""
        return self.revision.id

    @cached_property
    def titles(self) -> dict[str, str]:
        """What people call each unit: pages are counted, a spread as two of them."""
        return unit_titles(self.book)


@dataclass(frozen=True)
class ChapterRecord:
    """A chapter in the list of works."""

    id: str
    comic: str
    number: int
    created_at: int


class ComicService:
    """Chapters and their lines.

    Args:
        journal, documents, history: the kernel's.
        assets: where pictures are.
        clock, ids: injected.
        library: where characters, scenes, styles and layouts are kept.
    """

    def __init__(
        self,
        journal: Journal,
        documents: Documents,
        history: History,
        assets: AssetLibrary,
        clock: Clock,
        ids: IdSource,
        library: Library,
    ) -> None:
        self.journal = journal
        self.history = history
        self.assets = assets
        self.library = library
        self.clock = clock
        self.ids = ids
        self.store = ChapterStore(journal, documents)
        self._homes: dict[str, str] = {}

    def shelf(self, comic: str) -> LibraryShelf:
        """The library as edits of a comic see it; nothing is read before it is asked."""
        return LibraryShelf(self.library, comic)

    # works

    def create_chapter(
        self,
        *,
        comic: str,
        number: int,
        actor: Actor,
        paper: Paper,
        title: str = "",
        direction: Direction = Direction.LTR,
        language: str = "en",
    ) -> ChapterRecord:
        """Begin an empty chapter; person-only. Raises WrongState when it exists already."""
        require_person(actor, "begin a chapter")
        chapter = chapter_facts(
            self.ids.new("ch"),
            comic=comic,
            number=number,
            paper=paper,
            title=title,
            direction=direction,
            language=language,
        )
        book = Book.of(chapter)
        with self.journal.write() as connection:
            taken = connection.exec_driver_sql(
                "SELECT id FROM chapters WHERE comic = ? AND number = ?", (comic, number)
            ).fetchone()
            if taken is not None:
                raise WrongState(
                    f"chapter {number} of {comic} exists already",
                    ids=[taken[0]],
                    recovery="Open it, or choose another number.",
                )
            stored = self.store.write(connection, None, book)
            revision = self.history.create(
                connection,
                chapter.id,
                kind=KIND,
                root=chapter.id,
                document=stored.document,
                actor=actor,
                message=f"{comic}, chapter {number}",
            )
            connection.exec_driver_sql(
                "INSERT INTO chapters (id, comic, number, created_at) VALUES (?,?,?,?)",
                (chapter.id, comic, number, revision.at),
            )
        return ChapterRecord(chapter.id, comic, number, revision.at)

    def chapters(self) -> list[ChapterRecord]:
        """All chapters, by comic and number."""
        with self.journal.read() as connection:
            rows = connection.exec_driver_sql(
                "SELECT id, comic, number, created_at FROM chapters ORDER BY comic, number"
            ).fetchall()
        return [ChapterRecord(*row) for row in rows]

    def find_chapter(self, chapter: str) -> ChapterRecord:
        """A chapter by id. Raises NotFound."""
        known = self.chapters()
        for record in known:
            if record.id == chapter:
                return record
        raise NotFound(
            f"{chapter[:40]} is not a chapter of this workspace",
            expected=[f"{record.id} ({record.comic} {record.number})" for record in known[:CHAPTERS_NAMED]],
            ids=[chapter[:40]],
            recovery="Use the id of a chapter, as the outline lists them.",
        )

    # moments

    def head(self, line: str, connection: Connection | None = None) -> Moment:
        """Where a line stands. Raises NotFound."""
        if connection is None:
            with self.journal.read() as own:
                return self.head(line, own)
        revision = self.history.head(connection, line)
        return Moment(revision, self.store.load(connection, revision.document))

    def at(self, number: int, connection: Connection | None = None) -> Moment:
        """The chapter at one revision, whatever line it is on. Raises NotFound."""
        if connection is None:
            with self.journal.read() as own:
                return self.at(number, own)
        revision = self.history.revision(connection, number)
        return Moment(revision, self.store.load(connection, revision.document))

    def of_chapter(self, chapter: str, number: int, connection: Connection | None = None) -> Moment:
        """A chapter at one revision of its working line or of a draft. Raises NotFound for another chapter's."""
        then = self.at(number, connection)
        if then.book.chapter.id != chapter:
            raise NotFound(f"r{number} is not a revision of {chapter}", ids=[f"r{number}", chapter])
        return then

    def unit_of(self, book: Book, thing: str) -> str | None:
        """The unit of a book that holds an object (or is it), or None."""
        if thing in book:
            return thing
        known = self._homes.get(thing)
        if known is not None and known in book and thing in book.unit(known).index:
            return known
        with self.journal.read() as connection:
            rows = connection.exec_driver_sql("SELECT DISTINCT unit FROM changes WHERE object = ?", (thing,)).fetchall()
        for (unit,) in rows:
            if unit in book and thing in book.unit(unit).index:
                self._homes[thing] = str(unit)
                return str(unit)
        return None

    def learn(self, book: Book, base: Book) -> None:
        """Note on which units a book, that no revision may have, holds what it has and its base has not there."""
        added = [unit for unit in book.order if unit not in base] if book.order != base.order else []
        for unit in (*book.differing(base), *added):
            known = base.unit(unit).index if unit in base else {}
            self._homes.update({thing: unit for thing in book.unit(unit).index if thing not in known})

    # adding content

    def advance(
        self,
        connection: Connection,
        line: str,
        seen: Moment,
        book: Book,
        *,
        actor: Actor,
        cause: str,
        message: str,
        changes: Sequence[Change] | None = None,
    ) -> Moment:
        """Append a book to a line whose head is ``seen``, in a write transaction.

        ``changes`` is the difference if the caller has it already. Raises StaleHead.
        """
        stored = self.store.write(connection, seen.stored, book)
        revision = self.history.advance(
            connection,
            line,
            expected_head=seen.revision.number,
            document=stored.document,
            actor=actor,
            cause=cause,
            message=said(message, "a message", longest=MESSAGE),
            changes=change_rows(diff(seen.book, book) if changes is None else changes),
        )
        return Moment(revision, stored)

    def commit(self, line: str, seen: Moment, book: Book, *, actor: Actor, cause: str, message: str) -> Moment:
        """A person's own edit: one revision, others' changes merged in. Raises StaleHead where they conflict."""
        require_person(actor, "edit the working chapter directly")
        require_valid(book, [*book.differing(seen.book), *(unit for unit in book.order if unit not in seen.book)])
        with self.journal.write() as connection:
            current = self.head(line, connection)
            if current.revision.number != seen.revision.number:
                merged = merge(seen.book, current.book, book)
                if merged.conflicts:
                    raise self.history.stale(connection, line, seen.revision.number, current.revision)
                book = merged.book
                require_valid(book)
            return self.advance(connection, line, current, book, actor=actor, cause=cause, message=message)

    def restore(self, chapter: str, number: int, *, actor: Actor, reason: str, expected: int | None = None) -> Moment:
        """Copy the content of an earlier revision forward as a new one; person-only.

        ``expected`` is the head that was looked at. Raises StaleHead when the work moved on from it, NotFound.
        """
        then = self.at(number)
        if then.revision.line != chapter:
            other = then.revision.line
            raise NotFound(
                f"r{number} is a revision of {other}, not of the chapter",
                ids=[f"r{number}", chapter],
                recovery="Restore a revision that the chapter's history lists; what lies in a draft reaches the work"
                " by a verdict on its proposal.",
            )
        return self._copy_forward(
            chapter, lambda _, __: then, actor=actor, cause="restore", message=reason, expected=expected
        )

    def pick(
        self,
        chapter: str,
        number: int,
        things: Sequence[str],
        *,
        actor: Actor,
        reason: str = "",
        expected: int | None = None,
    ) -> Moment:
        """Bring objects and units into the work as they were at a revision, and nothing else; person-only.

        ``expected`` is the head that was looked at. The message names the revision picked from, after the reason.

        Raises StaleHead when the work moved on from ``expected``, NotFound, InvalidDocument when they do not fit what
        is there, BadInput when the work has them as they were.
        """
        require_person(actor, "pick into the working chapter")
        with self.journal.write() as connection:
            current = self._expected_head(connection, chapter, expected)
            then = self.of_chapter(chapter, number, connection)
            book = pick(current.book, then.book, things, find=self.unit_of)
            if book == current.book:
                raise nothing_picked(then.id)
            words = f"{reason} · from {then.id}" if reason else f"picked from {then.id}: {', '.join(things)}"[:200]
            return self.advance(connection, chapter, current, book, actor=actor, cause="pick", message=words)

    def undo(self, chapter: str, *, actor: Actor, expected: int | None = None) -> Moment:
        """Take back the last change of the working line by copying what was there before it.

        Raises WrongState when there is none, StaleHead when the head is not the ``expected`` one.
        """
        return self._copy_forward(chapter, self.before_last, actor=actor, cause="undo", message="", expected=expected)

    def redo(self, chapter: str, *, actor: Actor, expected: int | None = None) -> Moment:
        """Bring back what the last undo took. Raises as ``undo`` does."""
        return self._copy_forward(chapter, self.before_undo, actor=actor, cause="redo", message="", expected=expected)

    def save(self, chapter: str, *, actor: Actor, title: str, expected: int | None = None) -> Snapshot:
        """Save the working line's head as a version; person-only. Raises StaleHead when it is not the expected one."""
        require_person(actor, "save a version")
        said(title, "a saved version's title", longest=MESSAGE)
        with self.journal.write() as connection:
            head = self.history.head(connection, chapter)
            self._require_expected(connection, head, expected)
            return self.snapshot(connection, chapter, head, title=title, actor=actor)

    def snapshot(
        self,
        connection: Connection,
        chapter: str,
        revision: Revision,
        *,
        title: str,
        actor: Actor,
        proposal: int | None = None,
    ) -> Snapshot:
        """Record a saved version in a write transaction."""
        at = self.clock.now()
        number = connection.exec_driver_sql(
            "INSERT INTO snapshots (chapter, revision, title, proposal, actor, at) VALUES (?,?,?,?,?,?) RETURNING id",
            (chapter, revision.number, title, proposal, actor.name, at),
        ).scalar_one()
        return Snapshot(number, chapter, revision.number, title, proposal, actor.name, at)

    def snapshots(self, chapter: str) -> list[Snapshot]:
        """Saved versions, newest first."""
        with self.journal.read() as connection:
            rows = connection.exec_driver_sql(
                "SELECT id, chapter, revision, title, proposal, actor, at FROM snapshots"
                " WHERE chapter = ? ORDER BY id DESC",
                (chapter,),
            ).fetchall()
        return [Snapshot(*row) for row in rows]

    def snapshot_of(self, snapshot: str) -> Snapshot:
        """A saved version, ``s3``. Raises BadInput, NotFound."""
        number = numbered(snapshot, "s3", "a saved version")
        with self.journal.read() as connection:
            row = connection.exec_driver_sql(
                "SELECT id, chapter, revision, title, proposal, actor, at FROM snapshots WHERE id = ?", (number,)
            ).fetchone()
        if row is None:
            raise NotFound(f"there is no saved version {snapshot}", ids=[snapshot], recovery="outline lists them.")
        return Snapshot(*row)

    def before_last(self, connection: Connection, line: str) -> Moment:
        """What an undo would copy forward. Raises WrongState when there is nothing to undo."""
        undone = 0
        for item in self.history.back(connection, line):
            if item.cause == "undo":
                undone += 1
            elif item.cause == "redo" or undone:
                undone -= 1
            elif item.parent is not None and item.seq > 0:
                return self.at(item.parent, connection)
        raise WrongState("there is nothing to undo", ids=[line], recovery="")

    def before_undo(self, connection: Connection, line: str) -> Moment:
        """What a redo would copy forward. Raises WrongState when there is nothing to redo."""
        redone = 0
        for item in self.history.back(connection, line):
            if item.cause == "redo":
                redone += 1
            elif item.cause != "undo":
                break
            elif redone:
                redone -= 1
            elif item.parent is not None:
                return self.at(item.parent, connection)
        raise WrongState("there is nothing to redo", ids=[line], recovery="")

    # parts

    def _copy_forward(
        self,
        line: str,
        choose: Callable[[Connection, str], Moment],
        *,
        actor: Actor,
        cause: str,
        message: str,
        expected: int | None,
    ) -> Moment:
        require_person(actor, f"{cause} on the working chapter")
        with self.journal.write() as connection:
            current = self._expected_head(connection, line, expected)
            then = choose(connection, line)
            words = message or f"back to {then.id}"
            return self.advance(connection, line, current, then.book, actor=actor, cause=cause, message=words)

    def _expected_head(self, connection: Connection, line: str, expected: int | None) -> Moment:
        current = self.head(line, connection)
        self._require_expected(connection, current.revision, expected)
        return current

    def _require_expected(self, connection: Connection, head: Revision, expected: int | None) -> None:
        if expected is not None and head.number != expected:
            raise self.history.stale(connection, head.line, expected, head)


def nothing_picked(revision: str) -> BadInput:
    """What is said of a pick that changes nothing."""
    return BadInput(
        f"it is all as it was at {revision} already", recovery="Nothing was changed; pick other things or revisions."
    )


def require_valid(book: Book, units: list[str] | None = None) -> None:
    """Refuse a book with errors. Raises InvalidDocument with all of them."""
    errors = validate_book(book, units)
    if errors:
        raise InvalidDocument(
            errors[0].message,
            ids=[errors[0].object],
            details={"findings": [finding.model_dump(mode="json") for finding in errors[:20]]},
        )
