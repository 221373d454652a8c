"""Candidates: change sets kept beside a draft's line, to be looked at and compared, until one of them is adopted.

A candidate fixes its task, the things that it is about as they were, and the draft's revision that it was worked out
on. It changes no line. Adopted, its operations become one revision of the draft, with the same ids for what they make;
where something that it is about changed meanwhile, it is stale and refused.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.candidate import (
    ADOPTED,
    COLUMNS,
    DROPPED,
    WAITING,
    Candidate,
    Moved,
    adoption_message,
    candidate_number,
)
from lantern_kit.comic.contract import is_order
from lantern_kit.comic.drafts import Draft, DraftService, Edited, edited
from lantern_kit.comic.faults import compare_faults
from lantern_kit.comic.handle import fingerprint_of, handle_of, parse_handle
from lantern_kit.comic.planning import Planned, order_in, plan_on, seen_at, thing_in
from lantern_kit.comic.service import ComicService, Moment
from lantern_kit.comic.tally import counted
from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotFound, StaleCandidate, StaleHandle, WrongState
from lantern_kit.kernel.wording import MESSAGE, said

MOST_WAITING = 40
"""Candidates of one draft that may wait at once."""


@dataclass(frozen=True)
class Given(Moment):
    """The content that a candidate gives, under the revision that it was worked out on."""

    name: str = ""

    @property
    def id(self) -> str:
        """The candidate's name, ``cd4``: it is no revision."""
        return self.name


@dataclass
class CandidateService:
    """The candidates of one workspace."""

    comics: ComicService
    drafts: DraftService

    def __post_init__(self) -> None:
        self.drafts.on_close.append(self._draft_closed)

    # reading

    def get(self, candidate: str, connection: Connection | None = None) -> Candidate:
        """A candidate. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.get(candidate, own)
        row = connection.exec_driver_sql(
            f"SELECT {COLUMNS} FROM candidates WHERE id = ?",  # noqa: S608
            (candidate_number(candidate),),
        ).fetchone()
        if row is None:
            raise NotFound(
                f"there is no candidate {candidate}", ids=[candidate], recovery="The draft's status lists those of it."
            )
        return Candidate.read(row)

    def of_draft(
        self, draft: str, *, state: str | None = WAITING, connection: Connection | None = None
    ) -> list[Candidate]:
        """A draft's candidates, oldest first; all of them when ``state`` is None. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.of_draft(draft, state=state, connection=own)
        number = self.drafts.get(draft, connection).number
        rows = connection.exec_driver_sql(
            f"SELECT {COLUMNS} FROM candidates WHERE draft = ? ORDER BY id",  # noqa: S608
            (number,),
        ).fetchall()
        return [item for item in map(Candidate.read, rows) if state in {None, item.state}]

    def moment(self, candidate: Candidate, connection: Connection | None = None) -> Given:
        """The content that it gives, under the revision that it was worked out on."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.moment(candidate, own)
        base = self.comics.at(candidate.base, connection)
        stored = self.comics.store.load(connection, candidate.document)
        self.comics.learn(stored.book, base.book)
        return Given(base.revision, stored, candidate.id)

    def moved(self, candidate: Candidate, book: Book) -> tuple[Moved, ...]:
        """What it is about and is not, in a book, as it was at its base."""
        found = []
        for handle in candidate.targets:
            name, fingerprint = parse_handle(handle)
            thing = thing_in(self.comics, book, name)
            if thing is None:
                found.append(Moved(name, "removed"))
            elif fingerprint_of(thing) != fingerprint:
                found.append(Moved(name, "changed", handle_of(thing)))
        gone = {item.object for item in found}
        for parent, fingerprint in candidate.orders.items():
            if parent not in gone and order_in(book, parent) != fingerprint:
                thing = thing_in(self.comics, book, parent)
                found.append(Moved(parent, "removed") if thing is None else Moved(parent, "order", handle_of(thing)))
        return tuple(found)

    def of_chapter(self, chapter: str, *, state: str | None = WAITING) -> list[Candidate]:
        """The candidates of all drafts of a chapter, oldest first; all of them when ``state`` is None."""
        with self.comics.journal.read() as connection:
            rows = connection.exec_driver_sql(
                f"SELECT {COLUMNS} FROM candidates WHERE chapter = ? ORDER BY id",  # noqa: S608
                (chapter,),
            ).fetchall()
        return [item for item in map(Candidate.read, rows) if state in {None, item.state}]

    # proposing

    def plan(self, draft: str, expected: int, operations: Sequence[Mapping[str, Any]]) -> Planned:
        """Work the change set out on the draft's head, exactly as an edit; nothing is written. Raises as an edit."""
        return self.drafts.plan(draft, expected, operations)

    def propose(
        self,
        connection: Connection,
        draft: str,
        expected: int,
        operations: Sequence[Mapping[str, Any]],
        *,
        task: str,
        targets: Sequence[str] = (),
        actor: Actor,
        planned: Planned | None = None,
    ) -> tuple[Candidate, Planned]:
        """Keep a change set as a candidate, in a write transaction; no line moves.

        Args:
            expected: the draft's revision that the proposer saw.
            operations: as of an edit.
            task: what it is for.
            targets: ids or handles of what else it depends on, though no operation names or changes it.
            planned: what ``plan`` gave; worked out anew if the draft just moved.

        Raises:
            what an edit raises: StaleHead, StaleHandle, BadInput, InvalidDocument, OutOfScope, Locked …
            StaleHandle: a target has another fingerprint than is said.
            WrongState: the draft is closed, or too many candidates wait in it.
        """
        found = self.drafts.require_open(draft, connection)
        said(task, "a task", longest=MESSAGE)
        waiting = connection.exec_driver_sql(
            "SELECT count(*) FROM candidates WHERE draft = ? AND state = ?", (found.number, WAITING)
        ).scalar_one()
        if waiting >= MOST_WAITING:
            raise WrongState(
                f"{waiting} candidates wait in {draft}",
                expected=f"up to {MOST_WAITING}",
                found=waiting,
                ids=[draft],
                recovery="Adopt or drop some of them first.",
            )
        head = self.comics.head(draft, connection)
        if planned is None or planned.seen.revision.number != head.revision.number:
            planned = plan_on(self.comics, head, expected, operations, connection)
            self._find_faults(planned)
        self.drafts.require_allowed(connection, found, head.book, planned.book, planned.changes, actor=actor)
        handles = self._targets(connection, planned, expected, targets)
        orders = {parent: order_in(head.book, parent) for parent in planned.ordered}
        stored = self.comics.store.write(connection, head.stored, planned.book)
        self.comics.learn(stored.book, head.book)
        number = connection.exec_driver_sql(
            "INSERT INTO candidates (draft, chapter, base, task, targets, orders, operations, fresh, document,"
            " summary, new_findings, healed, state, actor_kind, actor, at, looked_up)"
            " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?) RETURNING id",
            (
                found.number,
                found.chapter,
                head.revision.number,
                task,
                json.dumps(handles),
                json.dumps(orders),
                json.dumps([dict(item) for item in operations], allow_nan=False),
                json.dumps(planned.fresh),
                stored.document,
                counted(planned.changes, planned.book),
                json.dumps([item.model_dump(mode="json") for item in planned.new_findings]),
                json.dumps([item.model_dump(mode="json") for item in planned.healed]),
                WAITING,
                actor.kind.value,
                actor.name,
                self.comics.clock.now(),
                json.dumps(planned.looked_up),
            ),
        ).scalar_one()
        return self.get(f"cd{number}", connection), planned

    # settling

    def plan_adoption(self, candidate: str) -> Planned:
        """Work a candidate out on its draft's head as it stands. Raises StaleCandidate, WrongState, NotFound."""
        found = self.get(candidate)
        self._require_waiting(found)
        self.drafts.require_open(found.draft)
        return self._planned(found, self.comics.head(found.draft))

    def adopt(
        self, connection: Connection, candidate: str, expected: int, *, actor: Actor, planned: Planned | None = None
    ) -> tuple[Edited, Planned]:
        """Make a candidate's operations one revision of its draft, in a write transaction.

        Args:
            expected: the draft's revision that the caller saw; what others did since goes on beside it.
            planned: what ``plan_adoption`` gave; worked out anew if the draft just moved.

        Raises:
            StaleCandidate: something that it is about changed; ``details['moved']`` names all of it.
            StaleHead: ``expected`` is no revision of the draft.
            OutOfScope, Locked, InvalidDocument: as an edit does.
            WrongState: it is settled, or its draft is closed.
        """
        found = self.get(candidate, connection)
        self._require_waiting(found)
        draft = self.drafts.require_open(found.draft, connection)
        head = self.comics.head(found.draft, connection)
        seen_at(self.comics, head, expected, connection)
        if planned is None or planned.seen.revision.number != head.revision.number:
            planned = self._planned(found, head, connection)
        self.drafts.require_allowed(connection, draft, head.book, planned.book, planned.changes, actor=actor)
        moment = self.comics.advance(
            connection,
            found.draft,
            head,
            planned.book,
            actor=actor,
            cause="adopt",
            message=adoption_message(found),
            changes=planned.changes,
        )
        made = moment.revision
        self._settle(connection, found, ADOPTED, by=actor.name, at=made.at, result=made.number)
        return edited(self.comics, connection, moment, planned, found.base), planned

    def drop(self, connection: Connection, candidate: str, *, actor: Actor, expected: int | None = None) -> Candidate:
        """Put a candidate away, in a write transaction; agents only their own and those in their own drafts.

        ``expected`` is the draft's revision that the caller saw. Raises WrongState, NotFound, StaleHead.
        """
        found = self.get(candidate, connection)
        self._require_waiting(found)
        if expected is not None:
            seen_at(self.comics, self.comics.head(found.draft, connection), expected, connection)
        owner = self.drafts.get(found.draft, connection).actor
        if actor.kind is ActorKind.AGENT and actor.name not in {found.actor, owner}:
            raise WrongState(
                f"{found.id} belongs to {found.actor}", ids=[found.id], recovery="Leave it to them or to a person."
            )
        self._settle(connection, found, DROPPED, by=actor.name)
        return self.get(candidate, connection)

    # parts

    def _planned(self, found: Candidate, head: Moment, connection: Connection | None = None) -> Planned:
        """A candidate on a head, if nothing that it is about changed. Raises StaleCandidate."""
        moved = self.moved(found, head.book)
        if moved:
            more = f" (and {len(moved) - 1} more)" if len(moved) > 1 else ""
            raise StaleCandidate(
                f"{moved[0].words()} since {found.id} was proposed on r{found.base}{more}",
                ids=[found.id, *(item.object for item in moved)],
                details={"moved": [item.facts() for item in moved], "current_revision": head.id},
            )
        planned = plan_on(
            self.comics,
            head,
            found.base,
            found.operations,
            connection,
            kept=found.fresh,
            looked_up=found.looked_up,
        )
        self._find_faults(planned)
        return planned

    def _targets(self, connection: Connection, planned: Planned, expected: int, targets: Sequence[str]) -> list[str]:
        """Handles of all that a plan is about: what is said, what operations name, and what they change."""
        head = planned.seen
        seen = seen_at(self.comics, head, expected, connection)
        names: dict[str, None] = {}
        for target in targets:
            name, fingerprint = parse_handle(target)
            thing = thing_in(self.comics, head.book, name)
            if thing is None:
                raise NotFound(f"{name} is nothing in this chapter", ids=[name], recovery="Read the draft again.")
            before = thing_in(self.comics, seen.book, name)
            known = fingerprint or ("" if before is None else fingerprint_of(before))
            if fingerprint_of(thing) != known:
                raise StaleHandle(
                    f"target {name} changed since it was read",
                    ids=[name],
                    details={"handles": [handle_of(thing)], "current_revision": head.id},
                )
            names[name] = None
        names |= dict.fromkeys(planned.named)
        names |= dict.fromkeys(item.object for item in planned.changes if not is_order(item))
        things = (thing_in(self.comics, head.book, name) for name in names)
        return [handle_of(thing) for thing in things if thing is not None]

    def _find_faults(self, planned: Planned) -> None:
        planned.new_findings, planned.healed = compare_faults(
            self.drafts.checker, planned.seen.book, planned.book, planned.touched
        )

    def _require_waiting(self, found: Candidate) -> None:
        if not found.waits:
            where = "" if found.result is None else f" as r{found.result}"
            raise WrongState(
                f"{found.id} is {found.state}{where}",
                expected=WAITING,
                found=found.state,
                ids=[found.id],
                recovery="Nothing was changed; propose it anew if it is wanted again.",
            )

    def _settle(
        self,
        connection: Connection,
        found: Candidate,
        state: str,
        *,
        by: str | None,
        at: int | None = None,
        result: int | None = None,
    ) -> None:
        connection.exec_driver_sql(
            "UPDATE candidates SET state = ?, settled_by = ?, settled_at = ?, result = ? WHERE id = ?",
            (state, by, self.comics.clock.now() if at is None else at, result, found.number),
        )

    def _draft_closed(self, connection: Connection, draft: Draft) -> None:
        for item in self.of_draft(draft.id, connection=connection):
            self._settle(connection, item, DROPPED, by=None)
