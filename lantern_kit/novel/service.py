"""Novels of one workspace: every change of one is one step of its line, made on the newest content under the lock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from typing import TypeVar

from pydantic import ValidationError

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.blobs import BlobStore
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.documents import Documents
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import Corrupt, NotFound, nearest
from lantern_kit.kernel.history import History
from lantern_kit.kernel.ids import IdSource
from lantern_kit.kernel.problems import refused
from lantern_kit.kernel.revision import Revision
from lantern_kit.kernel.wording import MESSAGE, said
from lantern_kit.novel.authors import Authors, AuthorSeat
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.errors import NovelStorageCorruption
from lantern_kit.novel.model import Record
from lantern_kit.novel.model.values import as_line
from lantern_kit.novel.prose import Prose, paragraphs_of
from lantern_kit.novel.store import KIND, NovelStore, Stored, change_rows, missing_blobs
from lantern_kit.novel.whole import Novel, committed

T = TypeVar("T")
Step = Callable[[Novel, Stamp], tuple[Novel, T]]
"""A pure edit: the novel after it, and what it gives."""


@dataclass(frozen=True)
class Moment:
    """A revision together with the novel it holds."""

    revision: Revision
    stored: Stored

    @property
    def novel(self) -> Novel:
        """The novel as it was then."""
        return self.stored.novel

    @property
    def id(self) -> str:
        """The revision's name, ``r41``."""
        return self.revision.id


@dataclass(frozen=True)
class NovelRecord:
    """A novel in the list of works."""

    id: str
    title: str
    created_at: int


class NovelService:
    """Novels and their lines.

    Args:
        journal, documents, history: the kernel's.
        blobs: where prose and assets lie.
        clock, ids: injected.
    """

    def __init__(
        self,
        journal: Journal,
        documents: Documents,
        history: History,
        blobs: BlobStore,
        clock: Clock,
        ids: IdSource,
    ) -> None:
        self.journal = journal
        self.history = history
        self.blobs = blobs
        self.clock = clock
        self.ids = ids
        self.store = NovelStore(documents)
        self.authors = Authors(journal, clock)

    # works

    def novels(self) -> list[NovelRecord]:
        """All novels, oldest first."""
        with self.journal.read() as connection:
            rows = connection.exec_driver_sql("SELECT id, title, created_at FROM novels ORDER BY created_at, id")
            return [NovelRecord(*row) for row in rows.fetchall()]

    def find(self, name: str) -> NovelRecord:
        """A novel by id, or by a title that only one has. Raises NotFound."""
        known = self.novels()
        found = [item for item in known if item.id == name] or [item for item in known if item.title == name]
        if len(found) == 1:
            return found[0]
        close = [] if found else nearest(name, [item.title for item in known])
        raise NotFound(
            f"{name[:60]} is {'the title of several novels' if found else 'no novel of this workspace'}",
            expected=[f"{item.id} “{item.title}”" for item in (found or known)[:20]],
            ids=[item.id for item in found[:20]],
            recovery=f"nearest: {', '.join(close)}" if close else "Use the id of a novel.",
        )

    # moments

    def head(self, novel: str, connection: Connection | None = None) -> Moment:
        """Where a novel stands. Raises NotFound, NovelStorageCorruption."""
        with self.journal.read() if connection is None else nullcontext(connection) as opened:
            return self._moment(opened, self.history.head(opened, novel))

    def at(self, number: int) -> Moment:
        """A novel at one revision. Raises NotFound, NovelStorageCorruption."""
        with self.journal.read() as connection:
            revision = self.history.revision(connection, number)
            if self.history.line(connection, revision.line).kind != KIND:
                raise NotFound(f"r{number} is a revision of no novel", ids=[f"r{number}"])
            return self._moment(connection, revision)

    def _moment(self, connection: Connection, revision: Revision) -> Moment:
        return Moment(revision, self.store.load(connection, revision.document))

    # prose

    def keep(self, written: Prose) -> None:
        """Keep prose durably, before anything names it."""
        self.blobs.put(written.body)

    def paragraphs(self, novel: Novel, commit: str) -> tuple[str, ...]:
        """The prose of a commit. Raises NotFound, NovelStorageCorruption."""
        unit = novel.commits.get(commit)
        if unit is None:
            raise NotFound(f"{commit[:40]} is no commit of this novel", ids=[commit[:40]])
        held = committed(unit)
        try:
            found = paragraphs_of(self.blobs.get(bytes.fromhex(held.body)))
        except NovelStorageCorruption:
            raise
        except (Corrupt, NotFound) as error:
            raise NovelStorageCorruption(
                "the prose of a commit is missing or damaged", ids=[held.id, held.body[:16], *error.ids[:1]]
            ) from error
        if len(found) != held.paragraphs:
            raise NovelStorageCorruption(
                "the prose of a commit is not what it says",
                expected=f"{held.paragraphs} paragraphs",
                found=len(found),
                ids=[held.id],
            )
        return found

    def require_sound(self, novel: Novel) -> None:
        """Refuse a novel whose prose or assets are not all there. Raises NovelStorageCorruption."""
        missing = list(missing_blobs(novel, self.blobs.has))
        if missing:
            raise NovelStorageCorruption(
                f"bodies or assets are missing: {len(missing)}",
                ids=[novel.head.id, *(name[:16] for name in missing[:10])],
            )

    # steps

    def step(
        self,
        novel: str,
        make: Step[T],
        *,
        actor: Actor,
        cause: str,
        message: str = "",
        seat: AuthorSeat | None = None,
        connection: Connection | None = None,
    ) -> tuple[Moment, T]:
        """Append what a pure edit makes of the newest content; nothing is appended where it changes nothing.

        Args:
            seat: of an author; checked in the same transaction. None for people and the kit.
            connection: the write transaction to do it in; None opens one.

        Raises what the edit raises, BadInput for what its records cannot hold, NovelOwnership, NotFound,
        NovelStorageCorruption.
        """
        with self.journal.write() if connection is None else nullcontext(connection) as opened:
            if seat is not None:
                self.authors.check(opened, seat)
            now = self.head(novel, opened)
            stamp = Stamp(self.clock.now(), as_line(actor.name), self.ids, "" if seat is None else seat.turn)
            try:
                made, given = make(now.novel, stamp)
            except ValidationError as error:  # a record that does not hold what was sent
                raise refused(error, Record) from error
            if made is now.novel:
                return now, given
            stored = self.store.write(opened, now.stored, made)
            revision = self.history.advance(
                opened,
                novel,
                expected_head=now.revision.number,
                document=stored.document,
                actor=actor,
                cause=cause,
                message=said(message, "a message", longest=MESSAGE),
                changes=change_rows(now.novel, made),
            )
            return Moment(revision, stored), given

    def create(self, novel: Novel, *, actor: Actor, connection: Connection) -> Moment:
        """Begin a novel's line, in a write transaction."""
        stored = self.store.write(connection, None, novel)
        revision = self.history.create(
            connection,
            novel.head.id,
            kind=KIND,
            root=novel.head.id,
            document=stored.document,
            actor=actor,
            message=novel.head.title,
            changes=change_rows(None, novel),
        )
        connection.exec_driver_sql(
            "INSERT INTO novels (id, title, created_at) VALUES (?,?,?)",
            (novel.head.id, novel.head.title, novel.head.created_at),
        )
        return Moment(revision, stored)

    def log(self, novel: str, limit: int = 1_000) -> Sequence[Revision]:
        """A novel's revisions, newest first."""
        with self.journal.read() as connection:
            return self.history.log(connection, novel, limit=limit)
