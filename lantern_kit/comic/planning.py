"""A change set worked out on a line's newest content, without writing anything."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.diff import diff
from lantern_kit.comic.edit.changeset import apply_changeset
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.handle import Thing, fingerprint_of, handle_of, order_fingerprint
from lantern_kit.comic.service import ComicService, Moment
from lantern_kit.comic.shelf import KeptAnswers
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, StaleHandle, StaleHead
from lantern_kit.kernel.ids import IdSource

NAMED = 10
"""Revisions since, that an error names."""


@dataclass
class Planned:
    """A change set worked out on one head, before the lock is taken."""

    seen: Moment
    book: Book
    made: dict[str, str]
    touched: tuple[str, ...]
    changes: tuple[Change, ...]
    notes: tuple[str, ...]
    named: tuple[str, ...]
    """What was there before and is named by an operation, by id."""
    ordered: tuple[str, ...]
    """The units, or the chapter, among whose children operations add, remove or move."""
    fresh: tuple[str, ...]
    """Ids of new things, in the order in which operations asked for them."""
    looked_up: Mapping[str, Mapping[str, Any]]
    """What the library answered operations, by name."""
    new_findings: tuple[Finding, ...] = ()
    healed: tuple[Finding, ...] = ()


@dataclass
class KeptIds:
    """Gives the ids that an earlier run made, each once, so that the same operations make the same things again.

    Where there is none left of a kind, ``source`` makes a fresh one.
    """

    source: IdSource
    kept: Sequence[str] = ()
    given: list[str] = field(default_factory=list)
    """All that were asked for, in order."""

    def __post_init__(self) -> None:
        self._left = list(self.kept)

    def new(self, prefix: str) -> str:
        """The next id."""
        made = next((name for name in self._left if name.startswith(f"{prefix}_")), "")
        if made:
            self._left.remove(made)
        else:
            made = self.source.new(prefix)
        self.given.append(made)
        return made


def plan_on(
    comics: ComicService,
    head: Moment,
    expected: int,
    operations: Sequence[Mapping[str, Any]],
    connection: Connection | None = None,
    *,
    kept: Sequence[str] = (),
    looked_up: Mapping[str, Mapping[str, Any]] | None = None,
) -> Planned:
    """Work a change set out on a line's head.

    Args:
        expected: the revision of that line that the caller saw; what it names must not have changed since.
        kept: ids of new things from an earlier run of the same operations.
        looked_up: what the library answered that run.

    Raises:
        StaleHead: ``expected`` is no revision of the line, or newer than the head.
        StaleHandle: what the operations name changed since.
        BadInput: they are wrong, or change nothing; and all that ``apply_changeset`` raises.
    """
    ids = KeptIds(comics.ids, kept)
    shelf = KeptAnswers(comics.shelf(head.book.chapter.comic), looked_up)
    guard = None
    if expected != head.revision.number:
        guard = _Guard(seen_at(comics, head, expected, connection), head, comics)
    result = apply_changeset(
        head.book,
        operations,
        EditContext(ids=ids, assets=comics.assets.get, library=shelf),
        find=lambda thing: comics.unit_of(head.book, thing),
        seen=None if guard is None else guard.seen,
        seen_order=None if guard is None else guard.seen_order,
    )
    changes = diff(head.book, result.book)
    if not changes:
        raise BadInput(
            "the operations change nothing", recovery="Nothing was written; leave them out or change something."
        )
    return Planned(
        head,
        result.book,
        dict(result.made),
        result.units,
        changes,
        result.notes,
        result.named,
        result.ordered,
        tuple(ids.given),
        shelf.given,
    )


def seen_at(comics: ComicService, head: Moment, expected: int, connection: Connection | None = None) -> Moment:
    """The revision of a line that a caller saw. Raises StaleHead, NotFound."""
    if expected == head.revision.number:
        return head
    base = comics.at(expected, connection)
    if base.revision.line != head.revision.line or expected > head.revision.number:
        raise StaleHead(
            f"r{expected} is not a revision of {head.revision.line}",
            expected=head.id,
            found=f"r{expected}",
            ids=[head.revision.line],
            details={"current_revision": head.id},
        )
    return base


def since(
    comics: ComicService, connection: Connection, line: str, expected: int, head: int
) -> tuple[dict[str, str], ...]:
    """The revisions of a line after one and up to another, newest first."""
    if expected == head:
        return ()
    return tuple(
        {"revision": item.id, "actor": item.actor.name, "message": item.message}
        for item in comics.history.log(connection, line, limit=50)
        if expected < item.number <= head
    )


def thing_in(comics: ComicService, book: Book, name: str) -> Thing | None:
    """What an id names in a book: the chapter, a unit or an object; None when it is not there."""
    if name == book.chapter.id:
        return book.chapter
    unit = comics.unit_of(book, name)
    if unit is None:
        return None
    found: Thing = book.unit(unit) if unit == name else book.unit(unit).index[name]
    return found


def order_in(book: Book, parent: str) -> str | None:
    """Fingerprint of the order in a unit, or of the chapter's units; None when the unit is not there."""
    if parent == book.chapter.id:
        return order_fingerprint(book)
    return order_fingerprint(book.unit(parent)) if parent in book else None


@dataclass(frozen=True)
class _Guard:
    """Compares what a caller saw with what is there, for things it names without a fingerprint and for orders."""

    base: Moment
    head: Moment
    comics: ComicService

    def seen(self, thing: str) -> None:
        """Refuse a bare id whose object changed since. Raises StaleHandle."""
        if self._fingerprint(self.base.book, thing) != self._fingerprint(self.head.book, thing):
            raise self._stale(
                thing,
                f"{thing} changed since {self.base.id}",
                f"Read it again, then use its current handle and expected_revision {self.head.id} (current).",
            )

    def seen_order(self, parent: str) -> None:
        """Refuse an order that changed since. Raises StaleHandle."""
        if order_in(self.base.book, parent) != order_in(self.head.book, parent):
            raise self._stale(
                parent,
                f"the order of what lies in {parent} changed since {self.base.id}",
                f"Look at what changed, then use expected_revision {self.head.id} (current); the handle may stay.",
            )

    def _fingerprint(self, book: Book, thing: str) -> str | None:
        found = thing_in(self.comics, book, thing)
        return None if found is None else fingerprint_of(found)

    def _stale(self, thing: str, message: str, recovery: str) -> StaleHandle:
        found = thing_in(self.comics, self.head.book, thing)
        line, seen, now = self.head.revision.line, self.base.revision.number, self.head.revision.number
        with self.comics.journal.read() as connection:
            rows = since(self.comics, connection, line, seen, now)
        return StaleHandle(
            message,
            ids=[thing],
            recovery=recovery,
            details={
                "current_revision": self.head.id,
                "handles": [] if found is None else [handle_of(found)],
                "since": list(rows[:NAMED]),
            },
        )
