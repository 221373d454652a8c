"""Agent drafts: lines forked from a chapter's working line, edited by change sets, apart from the real work."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.checks import Checker
from lantern_kit.comic.contract import Contract, require_inside
from lantern_kit.comic.diff import diff
from lantern_kit.comic.faults import compare_faults
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.locks import LockService, require_unlocked, touched
from lantern_kit.comic.model import Unit
from lantern_kit.comic.pick import pick
from lantern_kit.comic.planning import Planned, plan_on, since
from lantern_kit.comic.service import ComicService, Moment, nothing_picked
from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotFound, WrongState
from lantern_kit.kernel.ids import numbered

_COLUMNS = "id, chapter, base, state, title, actor_kind, actor, created_at, contract, from_proposal"


@dataclass(frozen=True)
class Draft:
    """An isolated copy of a chapter that an agent works in."""

    number: int
    chapter: str
    base: int
    """The working revision it was forked from."""
    state: str
    """open | applied | discarded"""
    title: str
    actor_kind: str
    actor: str
    created_at: int
    scope: str = ""
    """What it was opened for, as the journal keeps it."""
    from_proposal: int | None = None
    """The proposal whose rejected parts it began with."""

    @property
    def id(self) -> str:
        """As people and agents say it, and the name of its line: ``d7``."""
        return f"d{self.number}"

    @property
    def contract(self) -> Contract:
        """What it may change."""
        return Contract.parse(self.scope)


@dataclass(frozen=True)
class Edited:
    """What one change set did."""

    moment: Moment
    made: dict[str, str]
    """Names given with ``as`` → current handles."""
    new_findings: tuple[Finding, ...]
    healed: int
    notes: tuple[str, ...]
    """What else happened that the caller may not expect, in words."""
    since: tuple[dict[str, str], ...] = ()
    """Revisions by others, made after the one the caller expected, that this edit went through beside."""


def draft_number(text: str) -> int:
    """7 from ``d7``. Raises BadInput."""
    return numbered(text, "d7", "a draft")


@dataclass
class DraftService:
    """Drafts of one workspace."""

    comics: ComicService
    checker: Checker
    on_discard: list[Callable[[Connection, Draft], None]] = field(default_factory=list)
    """What else ends with a discarded draft (its undecided proposal)."""
    on_close: list[Callable[[Connection, Draft], None]] = field(default_factory=list)
    """What else ends with a draft that is applied or discarded (its waiting candidates)."""

    def __post_init__(self) -> None:
        self.locks = LockService(self.comics)

    # reading

    def get(self, draft: str, connection: Connection | None = None) -> Draft:
        """A draft. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.get(draft, own)
        row = connection.exec_driver_sql(
            f"SELECT {_COLUMNS} FROM drafts WHERE id = ?",  # noqa: S608
            (draft_number(draft),),
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no draft {draft}", ids=[draft], recovery="Begin a draft, or list the open ones.")
        return Draft(*row)

    def of_chapter(self, chapter: str, *, state: str | None = "open") -> list[Draft]:
        """A chapter's drafts, newest first; all of them when ``state`` is None."""
        with self.comics.journal.read() as connection:
            rows = connection.exec_driver_sql(
                f"SELECT {_COLUMNS} FROM drafts WHERE chapter = ? ORDER BY id DESC",  # noqa: S608
                (chapter,),
            ).fetchall()
        return [draft for draft in (Draft(*row) for row in rows) if state in {None, draft.state}]

    def head(self, draft: str) -> Moment:
        """Where a draft stands. Raises NotFound."""
        draft_number(draft)
        return self.comics.head(draft)

    # writing

    def begin(
        self,
        connection: Connection,
        chapter: str,
        *,
        title: str,
        actor: Actor,
        contract: Contract | None = None,
        from_proposal: int | None = None,
    ) -> tuple[Draft, Moment]:
        """Fork a draft from the working line's head, in a write transaction.

        Args:
            contract: what it may change; nothing else will go through in it.
            from_proposal: the proposal that it follows up; ``follow_up`` brings in what was rejected of it.

        Raises:
            NotFound: the chapter, or something that the contract names, is not there.
        """
        base = self.comics.head(chapter, connection)
        scope = "" if contract is None else self._named(contract, base.book).text()
        at = self.comics.clock.now()
        facts = (chapter, base.revision.number, "open", title, actor.kind.value, actor.name, at, scope, from_proposal)
        number = connection.exec_driver_sql(
            "INSERT INTO drafts (chapter, base, state, title, actor_kind, actor, created_at, contract, from_proposal)"
            " VALUES (?,?,?,?,?,?,?,?,?) RETURNING id",
            facts,
        ).scalar_one()
        draft = Draft(number, *facts)
        revision = self.comics.history.fork(
            connection, draft.id, kind="draft", base=base.revision, root=chapter, actor=actor, message=title
        )
        return draft, Moment(revision, base.stored)

    def plan(self, draft: str, expected: int, operations: Sequence[Mapping[str, Any]]) -> Planned:
        """Work a change set out on the draft's newest content, without writing anything.

        Raises whatever is wrong with it: see ``apply_changeset``; StaleHandle when what it aims at moved; OutOfScope.
        """
        found = self.require_open(draft)
        head = self.head(draft)
        planned = plan_on(self.comics, head, expected, operations)
        require_inside(found.contract, planned.changes, head.book, planned.book, draft=draft)
        planned.new_findings, planned.healed = compare_faults(self.checker, head.book, planned.book, planned.touched)
        return planned

    def commit(
        self,
        connection: Connection,
        draft: str,
        planned: Planned,
        expected: int,
        operations: Sequence[Mapping[str, Any]],
        *,
        message: str,
        actor: Actor,
    ) -> Edited:
        """Advance the draft by a planned change set, in a write transaction; planned anew if the draft just moved.

        Raises OutOfScope, Locked.
        """
        found = self.require_open(draft, connection)
        head = self.comics.history.head(connection, draft)
        if head.number != planned.seen.revision.number:
            fresh = plan_on(self.comics, self.comics.head(draft, connection), expected, operations, connection)
            fresh.new_findings, fresh.healed = planned.new_findings, planned.healed
            planned = fresh
        self.require_allowed(connection, found, planned.seen.book, planned.book, planned.changes, actor=actor)
        moment = self.comics.advance(
            connection,
            draft,
            planned.seen,
            planned.book,
            actor=actor,
            cause="changeset",
            message=message,
            changes=planned.changes,
        )
        return edited(self.comics, connection, moment, planned, expected)

    def undo_to(self, connection: Connection, draft: str, expected: int, number: int, *, actor: Actor) -> Moment:
        """Copy the content of an earlier revision of the draft forward, in a write transaction.

        Raises:
            StaleHead, OutOfScope, Locked: as other edits do.
            NotFound: it is no revision of the draft.
            WrongState: the draft is closed, or is as it was then already.
        """
        found = self.require_open(draft, connection)
        head = self._at_head(connection, draft, expected)
        then = self.comics.at(number, connection)
        if then.revision.line != draft:
            raise NotFound(
                f"r{number} is not a revision of {draft}",
                ids=[f"r{number}", draft],
                recovery="The draft's status lists its revisions.",
            )
        changes = diff(head.book, then.book)
        if not changes:
            raise WrongState(
                f"{draft} is as it was at {then.id} already",
                ids=[draft, then.id],
                recovery="Nothing was changed; go back to a revision that differs from it.",
            )
        self.require_allowed(connection, found, head.book, then.book, changes, actor=actor)
        return self.comics.advance(
            connection,
            draft,
            head,
            then.book,
            actor=actor,
            cause="undo",
            message=f"back to {then.id}",
            changes=changes,
        )

    def pick(
        self, connection: Connection, draft: str, expected: int, number: int, things: Sequence[str], *, actor: Actor
    ) -> Moment:
        """Bring objects and units into the draft as they were at any revision of the chapter, in a write transaction.

        Raises:
            StaleHead, NotFound, OutOfScope, Locked: as other edits do.
            InvalidDocument: they do not fit what is there.
            BadInput: the draft has them as they were.
        """
        found = self.require_open(draft, connection)
        head = self._at_head(connection, draft, expected)
        then = self.comics.of_chapter(found.chapter, number, connection)
        book = pick(head.book, then.book, things, find=self.comics.unit_of)
        changes = diff(head.book, book)
        if not changes:
            raise nothing_picked(then.id)
        self.require_allowed(connection, found, head.book, book, changes, actor=actor)
        message = f"picked from {then.id}: {', '.join(things)}"[:200]
        return self.comics.advance(
            connection, draft, head, book, actor=actor, cause="pick", message=message, changes=changes
        )

    def discard(self, connection: Connection, draft: str, *, actor: Actor) -> Draft:
        """Close a draft without a result, in a write transaction; agents only their own. Raises WrongState."""
        found = self.require_open(draft, connection)
        if actor.kind is ActorKind.AGENT and actor.name != found.actor:
            raise WrongState(
                f"{draft} belongs to {found.actor}", ids=[draft], recovery="Leave it to its owner or to a person."
            )
        self.close(connection, found, "discarded")
        for also in self.on_discard:
            also(connection, found)
        return found

    def close(self, connection: Connection, draft: Draft, state: str) -> None:
        """Mark a draft applied or discarded, in a write transaction."""
        connection.exec_driver_sql("UPDATE drafts SET state = ? WHERE id = ?", (state, draft.number))
        for also in self.on_close:
            also(connection, draft)

    def require_allowed(
        self,
        connection: Connection,
        draft: Draft,
        before: Book,
        after: Book,
        changes: Sequence[Change],
        *,
        actor: Actor,
    ) -> None:
        """Hold a step of a draft to its contract, and to the locks unless a person takes it.

        What a step brings back to what the draft began with may be locked meanwhile.

        Raises:
            OutOfScope: the changes go past the contract.
            Locked: the changes alter what a person locked.
        """
        require_inside(draft.contract, changes, before, after, draft=draft.id)
        if actor.kind is ActorKind.PERSON:
            return
        hit = touched(self.locks.of_chapter(draft.chapter, connection), changes, before, after)
        if hit:
            base = self.comics.at(draft.base, connection).book
            require_unlocked(touched(hit, diff(base, after), base, after), f"{draft.id} would change it")

    # parts

    def _named(self, contract: Contract, book: Book) -> Contract:
        """A contract whose units and objects are there. Raises NotFound."""
        for unit in contract.units:
            book.position(unit)
        for thing in contract.objects:
            if thing != book.chapter.id and self.comics.unit_of(book, thing) is None:
                raise NotFound(f"{thing} is nothing in this chapter", ids=[thing])
        return contract

    def _at_head(self, connection: Connection, draft: str, expected: int) -> Moment:
        head = self.comics.head(draft, connection)
        if head.revision.number != expected:
            raise self.comics.history.stale(connection, draft, expected, head.revision)
        return head

    def require_open(self, draft: str, connection: Connection | None = None) -> Draft:
        """A draft that is open. Raises NotFound, WrongState."""
        found = self.get(draft, connection)
        if found.state != "open":
            raise WrongState(
                f"{draft} is {found.state}",
                expected="open",
                found=found.state,
                ids=[draft],
                recovery="Begin a new draft from the current work.",
            )
        return found


def edited(comics: ComicService, connection: Connection, moment: Moment, planned: Planned, expected: int) -> Edited:
    """What a plan did that became a revision."""
    line, head = moment.revision.line, planned.seen.revision.number
    return Edited(
        moment,
        handles_made(planned),
        planned.new_findings,
        len(planned.healed),
        planned.notes,
        since(comics, connection, line, expected, head),
    )


def handles_made(planned: Planned) -> dict[str, str]:
    """Names given with ``as`` to the handles of what a plan makes."""
    units = [planned.book.unit(unit) for unit in planned.touched if unit in planned.book]
    return {name: _handle(units, thing) for name, thing in planned.made.items()}


def _handle(units: Sequence[Unit], thing: str) -> str:
    for unit in units:
        if unit.id == thing:
            return handle_of(unit)
        if thing in unit.index:
            return handle_of(unit.index[thing])
    return thing
