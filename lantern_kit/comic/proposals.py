"""Change proposals: drafts frozen for a person's verdict, shown against the work as it stands, applied in one step."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from lantern_kit.comic import approvals, conflicts, reviewers
from lantern_kit.comic.approvals import ApplyMode, Approval, Verdict
from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.checks import Checker
from lantern_kit.comic.diff import diff
from lantern_kit.comic.drafts import Draft, DraftService
from lantern_kit.comic.faults import compare_faults
from lantern_kit.comic.locks import Lock, require_unlocked, touched
from lantern_kit.comic.merge import Conflict, merge
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.proposal import (
    COLUMNS,
    UNDECIDED,
    Decided,
    Proposal,
    Review,
    proposal_number,
    require_seen,
    require_undecided,
)
from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.comic.service import ComicService, require_valid
from lantern_kit.comic.shelf import called
from lantern_kit.comic.taking import take
from lantern_kit.comic.task_links import link_verdict
from lantern_kit.comic.touch import Touch, touches
from lantern_kit.comic.verdict import moved
from lantern_kit.comic.words import describe
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import NotFound, WrongState
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.kernel.revision import Revision
from lantern_kit.kernel.wording import said

REASON = 1_000
"""Characters of a reason at most."""


@dataclass
class ProposalService:
    """Proposals of one workspace.

    Args:
        workspace: the workspace's id, part of what is signed.
    """

    comics: ComicService
    drafts: DraftService
    checker: Checker
    workspace: str
    on_freeze: list[Callable[[Connection, Proposal], None]] = field(default_factory=list)
    """What else follows, in the same transaction, when a draft is frozen, be it as it was frozen before."""
    on_state: list[Callable[[Connection, Proposal], None]] = field(default_factory=list)
    """What else follows, in the same transaction, when a proposal is decided or superseded."""

    def __post_init__(self) -> None:
        self.drafts.on_discard.append(self._draft_discarded)
        self.on_state.append(link_verdict)

    # reading

    def get(self, proposal: str, connection: Connection | None = None) -> Proposal:
        """A proposal. Raises NotFound."""
        if connection is None:
            with self.comics.journal.read() as own:
                return self.get(proposal, own)
        row = connection.exec_driver_sql(
            f"SELECT {COLUMNS} FROM proposals WHERE id = ?",  # noqa: S608
            (proposal_number(proposal),),
        ).fetchone()
        if row is None:
            raise NotFound(f"there is no proposal {proposal}", ids=[proposal], recovery="List the proposals.")
        return Proposal.read(row)

    def all(self, *, chapter: str | None = None, states: tuple[str, ...] | None = None) -> list[Proposal]:
        """Proposals, newest first."""
        with self.comics.journal.read() as connection:
            rows = connection.exec_driver_sql(f"SELECT {COLUMNS} FROM proposals ORDER BY id DESC").fetchall()  # noqa: S608
        found = [Proposal.read(row) for row in rows]
        return [
            item
            for item in found
            if (chapter is None or item.chapter == chapter) and (states is None or item.state in states)
        ]

    def review(self, proposal: str, *, language: Language = "en", progress: Progress | None = None) -> Review:
        """A proposal against the work as it stands."""
        with reporting(progress, "Comparing") as tell, self.comics.journal.read() as connection:
            found = self.get(proposal, connection)
            base = self.comics.at(found.base, connection)
            frozen = self.comics.at(found.frozen, connection)
            current = self.comics.head(found.chapter, connection)
            verdicts = approvals.of_proposal(connection, found.number)
            tell("changes", 0, 2)
            changes = diff(base.book, frozen.book)
            with connection.told(tell, "what people changed", 1, 2):
                human, locked = self._people(connection, found, changes, base.book, frozen.book)
            tell("words", 2, 2)
            contract = self.drafts.get(f"d{found.draft}", connection).contract
        overwrites: tuple[str, ...] = ()
        open_choices: tuple[Conflict, ...] = ()
        if current.revision.document != base.revision.document and found.undecided:
            overwrites = moved(found.units, base.book, current.book)
            open_choices = tuple(merge(base.book, current.book, frozen.book).conflicts)
        words = tuple(describe(changes, base.book, frozen.book, language=language, titles=self._picture))
        return Review(
            found,
            base,
            frozen,
            current,
            changes,
            words,
            overwrites,
            open_choices,
            tuple(verdicts),
            touches_human=human,
            locked=locked,
            contract=contract,
            language=language,
            titles=self._picture,
        )

    def _people(
        self, connection: Connection, proposal: Proposal, changes: Sequence[Change], base: Book, frozen: Book
    ) -> tuple[tuple[Touch, ...], tuple[Lock, ...]]:
        """What of an undecided proposal touches what people made or locked."""
        if not proposal.undecided:
            return (), ()
        locks = self.drafts.locks.of_chapter(proposal.chapter, connection)
        return touches(connection, proposal.chapter, changes), touched(locks, changes, base, frozen)

    def _picture(self, asset: str) -> str:
        """What people call a picture, or an entry of the library; its id when it is not here."""
        return called(asset, self.comics.assets, self.comics.library)

    # freezing

    def freeze(
        self,
        connection: Connection,
        draft: str,
        expected: int,
        *,
        summary: str,
        actor: Actor,
        progress: Progress | None = None,
    ) -> tuple[Proposal, bool]:
        """Freeze a draft, in a write transaction; whether it was frozen in this state already is the second value.

        Raises StaleHead, WrongState when there is nothing to propose or the draft is closed, Locked when it changes
        what was locked meanwhile.
        """
        source = self.drafts.get(draft, connection)
        if source.state != "open":
            raise WrongState(f"{draft} is {source.state}", expected="open", found=source.state, ids=[draft])
        head = self.comics.head(draft, connection)
        if head.revision.number != expected:
            raise self.comics.history.stale(connection, draft, expected, head.revision)
        earlier = [item for item in self._of_draft(connection, source.number) if item.state in UNDECIDED]
        for item in earlier:
            if self.comics.history.revision(connection, item.frozen).document == head.revision.document:
                return _told(self.on_freeze, connection, item), True
        base = self.comics.at(source.base, connection)
        changes = diff(base.book, head.book)
        if not changes:
            raise WrongState(
                f"{draft} holds the same content as its base", ids=[draft], recovery="Edit the draft, then freeze it."
            )
        self.drafts.require_allowed(connection, source, base.book, head.book, changes, actor=actor)
        for item in earlier:
            self._set_state(connection, item.number, "superseded", self.comics.clock.now())
        units = _touched(changes, head.book)
        with reporting(progress, "Checking"):
            new, healed = compare_faults(self.checker, base.book, head.book, units)
        number = connection.exec_driver_sql(
            "INSERT INTO proposals (chapter, draft, base, frozen, state, summary, units, changes, new_findings,"
            " healed, actor_kind, actor, frozen_at) VALUES (?,?,?,?,'pending',?,?,?,?,?,?,?,?) RETURNING id",
            (
                source.chapter,
                source.number,
                source.base,
                head.revision.number,
                summary,
                json.dumps(units),
                len(changes),
                json.dumps([item.model_dump(mode="json") for item in new]),
                json.dumps([item.model_dump(mode="json") for item in healed]),
                actor.kind.value,
                actor.name,
                self.comics.clock.now(),
            ),
        ).scalar_one()
        return _told(self.on_freeze, connection, self.get(f"p{number}", connection)), False

    # verdicts: a person's alone

    def apply(
        self,
        proposal: str,
        reviewer: Reviewer,
        *,
        compared: int,
        mode: ApplyMode = ApplyMode.PLAIN,
        reason: str = "",
        reject: Mapping[str, str] | None = None,
        seen: int | None = None,
        progress: Progress | None = None,
    ) -> Decided:
        """Make a new working revision and a saved version of it in one step.

        Args:
            compared: the working revision the person just looked at.
            mode: how to meet a work that moved on.
            reject: what must not come, with the reasons: a part's, object's or unit's id → words.
            seen: how many verdicts the proposal had when the person looked; None does not ask.

        Raises:
            NotFound: what is rejected is no part of it.
            BadInput: nothing would be left of it.
            StaleHead: the work moved on since ``compared``; look again.
            WrongState: it is decided already, or it would overwrite and the mode does not say so.
            MergeConflict: both sides changed one fact of the chapter, and the mode does not say how to meet that.
            Locked: it would alter what a person locked.
            NotAllowed: the key is not enrolled.
        """
        with reporting(progress, "Applying") as tell, self.comics.journal.write() as connection:
            tell("changes", 0, 4)
            found = self._undecided(connection, proposal, seen)
            current = self.comics.head(found.chapter, connection)
            if current.revision.number != compared:
                raise self.comics.history.stale(connection, found.chapter, compared, current.revision)
            base = self.comics.at(found.base, connection)
            frozen = self.comics.at(found.frozen, connection)
            taken = take(found.id, base.book, frozen.book, found.units, reject or {})
            tell("merge", 1, 4)
            merged = taken.meet(current.book, mode)
            book = merged.book
            tell("rules", 2, 4)
            require_valid(book)
            changes = diff(current.book, book)
            locks = self.drafts.locks.of_chapter(found.chapter, connection)
            require_unlocked(touched(locks, changes, current.book, book), f"{found.id} would change it")
            tell("writing", 3, 4)
            moment = self.comics.advance(
                connection,
                found.chapter,
                current,
                book,
                actor=Actor.person(reviewer.name),
                cause="apply",
                message=f"{found.id}: {found.summary}"[:200],
                changes=changes,
            )
            conflicts.store(connection, found.chapter, found.number, moment.revision.number, merged.conflicts)
            snapshot = self.comics.snapshot(
                connection,
                found.chapter,
                moment.revision,
                title=found.summary[:120] or found.id,
                actor=Actor.person(reviewer.name),
                proposal=found.number,
            )
            approval = self._sign(
                connection,
                found,
                reviewer,
                Verdict.APPLY,
                mode.value,
                compared,
                moment.revision,
                reason,
                taken.choices.text(),
            )
            decided = self._set_state(connection, found.number, "applied", approval.at)
            self.drafts.close(connection, self.drafts.get(f"d{found.draft}", connection), "applied")
        return Decided(decided, approval, moment.revision, snapshot)

    def keep(
        self, proposal: str, reviewer: Reviewer, *, compared: int, reason: str = "", seen: int | None = None
    ) -> Decided:
        """Leave a proposal reviewable, with a signed note that it was looked at; arguments as of ``apply``."""
        return self._settle(proposal, reviewer, Verdict.KEEP, "kept", compared, reason, seen)

    def discard(
        self, proposal: str, reviewer: Reviewer, *, compared: int, reason: str = "", seen: int | None = None
    ) -> Decided:
        """Turn a proposal down; the reason goes back to the agent. Its draft stays open for another try."""
        return self._settle(proposal, reviewer, Verdict.DISCARD, "discarded", compared, reason, seen)

    # parts

    def _settle(
        self,
        proposal: str,
        reviewer: Reviewer,
        verdict: Verdict,
        state: str,
        compared: int,
        reason: str,
        seen: int | None,
    ) -> Decided:
        with self.comics.journal.write() as connection:
            found = self._undecided(connection, proposal, seen)
            head = self.comics.history.head(connection, found.chapter)
            if head.number != compared:
                raise self.comics.history.stale(connection, found.chapter, compared, head)
            approval = self._sign(connection, found, reviewer, verdict, "", compared, None, reason)
            return Decided(self._set_state(connection, found.number, state, approval.at), approval)

    def _sign(
        self,
        connection: Connection,
        proposal: Proposal,
        reviewer: Reviewer,
        verdict: Verdict,
        mode: str,
        compared: int,
        result: Revision | None,
        reason: str,
        choices: str = "",
    ) -> Approval:
        standing = result or self.comics.history.revision(connection, compared)
        enrolled = reviewers.find(connection, reviewer.key)
        unsigned = Approval(
            number=0,
            proposal=proposal.number,
            verdict=verdict,
            mode=mode,
            reviewer=enrolled.name,
            key=enrolled.key,
            compared=compared,
            content=standing.document,
            result=None if result is None else result.number,
            reason=said(reason, "a reason", longest=REASON),
            at=self.comics.clock.now(),
            signature=b"",
            choices=choices,
        )
        return approvals.record(connection, unsigned, self.workspace, reviewer)

    def _undecided(self, connection: Connection, proposal: str, seen: int | None) -> Proposal:
        found = self.get(proposal, connection)
        require_undecided(found)
        if seen is not None:
            require_seen(found, approvals.of_proposal(connection, found.number), seen)
        return found

    def _of_draft(self, connection: Connection, draft: int) -> list[Proposal]:
        rows = connection.exec_driver_sql(
            f"SELECT {COLUMNS} FROM proposals WHERE draft = ? ORDER BY id",  # noqa: S608
            (draft,),
        ).fetchall()
        return [Proposal.read(row) for row in rows]

    def _set_state(self, connection: Connection, number: int, state: str, at: int) -> Proposal:
        connection.exec_driver_sql("UPDATE proposals SET state = ?, decided_at = ? WHERE id = ?", (state, at, number))
        return _told(self.on_state, connection, self.get(f"p{number}", connection))

    def _draft_discarded(self, connection: Connection, draft: Draft) -> None:
        for item in self._of_draft(connection, draft.number):
            if item.state in UNDECIDED:
                self._set_state(connection, item.number, "discarded", self.comics.clock.now())


def _told(
    followers: list[Callable[[Connection, Proposal], None]], connection: Connection, proposal: Proposal
) -> Proposal:
    for also in followers:
        also(connection, proposal)
    return proposal


def _touched(changes: tuple[Change, ...], book: Book) -> list[str]:
    """Units that changes concern, in reading order, removed ones last; chapter facts are no unit."""
    named = {change.unit for change in changes if change.object_kind != "chapter"}
    return sorted(named, key=lambda unit: (book.position(unit) if unit in book else len(book), unit))
