"""What an apply would make of the work, with some parts left out: computed before anybody decides."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.approvals import ApplyMode
from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.conflicts import StoredConflict
from lantern_kit.comic.diff import diff
from lantern_kit.comic.faults import compare_faults
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.locks import Lock, LockService, touched
from lantern_kit.comic.merge import Conflict
from lantern_kit.comic.proposal import Review
from lantern_kit.comic.service import require_valid
from lantern_kit.comic.taking import Taken
from lantern_kit.comic.verdict import moved
from lantern_kit.kernel.canonical import dumps
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.revision import Revision

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace


@dataclass(frozen=True)
class Overwritten:
    """A change of the work since the proposal's base that an overwrite would undo, and who made it."""

    change: Change
    revision: Revision


@dataclass(frozen=True)
class Outcome:
    """The work with a proposal in it, as an apply of these choices would leave it."""

    host: Workspace = field(repr=False, compare=False)
    review: Review
    taken: Taken
    modes: tuple[ApplyMode, ...]
    """The ways in which it may be applied with these choices."""
    mode: ApplyMode
    """The way that ``book`` was made in."""
    book: Book | None
    """None when it cannot be applied in that way; ``refused`` says why."""
    conflicts: tuple[Conflict, ...] = ()
    """What the merge leaves to choose."""
    refused: LanternError | None = None

    @property
    def current(self) -> Book:
        """The work as it stands."""
        return self.review.current.book

    @cached_property
    def changes(self) -> tuple[Change, ...]:
        """What the apply would change about the work."""
        return () if self.book is None else diff(self.current, self.book)

    @cached_property
    def units(self) -> tuple[str, ...]:
        """The units that it would change."""
        chapter = self.current.chapter.id
        return tuple(dict.fromkeys(row.unit for row in self.changes if row.unit != chapter))

    @cached_property
    def locks(self) -> tuple[Lock, ...]:
        """What it would alter although a person locked it: the apply is refused."""
        if self.book is None:
            return self.review.locked
        held = LockService(self.host.comics).of_chapter(self.current.chapter.id)
        return touched(held, self.changes, self.current, self.book)

    @cached_property
    def faults(self) -> tuple[tuple[Finding, ...], tuple[Finding, ...]]:
        """The faults that would come to the work, and those that would go."""
        if self.book is None:
            return (), ()
        return compare_faults(self.host.checker, self.current, self.book, self.units)

    @cached_property
    def moved(self) -> tuple[str, ...]:
        """Units that these choices touch and the work changed since the proposal's base."""
        return moved(self.taken.units, self.review.base.book, self.current)

    @cached_property
    def overwritten(self) -> tuple[Overwritten, ...]:
        """What of the work an overwrite would undo, whatever the mode is."""
        if ApplyMode.OVERWRITE not in self.modes:
            return ()
        try:
            over = self.taken.meet(self.current, ApplyMode.OVERWRITE).book
        except LanternError:
            return ()
        lost = {_about(row) for row in diff(self.current, over)}
        gone = {row.object for row in diff(self.current, over) if row.change != "changed"}
        makers = self._makers()
        return tuple(
            Overwritten(row, makers[_about(row)])
            for row in diff(self.review.base.book, self.current)
            if _about(row) in makers and (_about(row) in lost or row.object in gone)
        )

    def _makers(self) -> dict[tuple[str, str | None], Revision]:
        """Who last changed each property of the work since the proposal's base."""
        history, base = self.host.history, self.review.proposal.base
        found: dict[tuple[str, str | None], Revision] = {}
        with self.host.comics.journal.read() as connection:
            since = [item for item in history.log(connection, self.current.chapter.id) if item.number > base]
            for revision in reversed(since):
                for row in history.changes(connection, revision):
                    found[row.object, row.property] = revision
                    found.setdefault((row.object, None), revision)
        return found


def outcome(host: Workspace, review: Review, reject: Mapping[str, str], wanted: ApplyMode | None = None) -> Outcome:
    """What an apply of a reviewed proposal would make.

    Args:
        review: the proposal against the work as it stands.
        reject: reasons by part, object or unit.
        wanted: how to meet a work that moved on, where that is a question.

    Raises:
        NotFound: a name is none of its parts.
        BadInput: nothing would be left of it.
    """
    taken = review.taking(reject)
    current = review.current.book
    modes = taken.modes(current)
    mode = wanted if wanted in modes else modes[0]
    try:
        merged = taken.meet(current, mode)
        require_valid(merged.book)
    except LanternError as error:
        return Outcome(host, review, taken, modes, mode, None, refused=error)
    return Outcome(host, review, taken, modes, mode, merged.book, merged.conflicts)


class Outcomes:
    """The outcomes that were looked at lately, each by the name of the source that it is drawn from."""

    KEPT = 12
    PREFIX = "taking:"

    def __init__(self) -> None:
        self._books: dict[str, Book] = {}

    def keep(self, found: Outcome) -> str:
        """Remember an outcome; gives its source, "" when it has no book. Equal choices give equal sources."""
        if found.book is None:
            return ""
        rejected = sorted(found.taken.choices.rejected)
        facts = [found.review.proposal.id, found.review.current.revision.number, found.mode.value, rejected]
        source = f"{self.PREFIX}{hashlib.sha256(dumps(facts)).hexdigest()[:16]}"
        self._books.pop(source, None)
        self._books[source] = found.book
        for old in list(self._books)[: -self.KEPT]:
            self._books.pop(old, None)
        return source

    def get(self, source: str) -> Book | None:
        """What is drawn for a source, if it was looked at lately."""
        return self._books.get(source)


def meeting(rows: Iterable[Change], conflict: Conflict | StoredConflict) -> Iterator[Change]:
    """Those of some changes that a conflict is about."""
    for row in rows:
        if row.object == conflict.object and conflict.property in (None, row.property):
            yield row


def _about(row: Any) -> tuple[str, str | None]:
    return row.object, row.property
