"""A further draft from what a person did not take: the work as it stands, with the rejected parts brought in again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lantern_kit.comic import approvals
from lantern_kit.comic.book import Book
from lantern_kit.comic.change import Change
from lantern_kit.comic.choices import Choices
from lantern_kit.comic.contract import Contract
from lantern_kit.comic.diff import diff
from lantern_kit.comic.drafts import Draft
from lantern_kit.comic.merge import Conflict, merge
from lantern_kit.comic.parts import chosen, parts
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput, WrongState

if TYPE_CHECKING:
    from lantern_kit.comic.proposal import Proposal
    from lantern_kit.comic.proposals import ProposalService


@dataclass(frozen=True)
class FollowUp:
    """A draft that began with what was rejected."""

    draft: Draft
    base: Moment
    """The work it was forked from."""
    moment: Moment
    """Where it stands: with what could be brought in."""
    changes: tuple[Change, ...]
    """What was brought in."""
    conflicts: tuple[Conflict, ...]
    """What was not, because the work says otherwise there now: *ours* is the work, *theirs* the proposal."""


@dataclass(frozen=True)
class Plan:
    """A follow-up worked out on one state of the work, before the lock is taken."""

    proposal: int
    base: Moment
    book: Book
    changes: tuple[Change, ...]
    conflicts: tuple[Conflict, ...]


def plan_follow_up(
    proposals: ProposalService, proposal: str, chapter: str, connection: Connection | None = None
) -> Plan:
    """What of a proposal was not taken, merged into the work as it stands.

    Raises:
        NotFound: there is no such proposal or chapter.
        BadInput: it is of another chapter.
        WrongState: it waits for its verdict, or nothing of it was rejected.
    """
    if connection is None:
        with proposals.comics.journal.read() as own:
            return plan_follow_up(proposals, proposal, chapter, own)
    found = proposals.get(proposal, connection)
    if found.chapter != chapter:
        raise BadInput(f"{found.id} is of another chapter", expected=found.chapter, found=chapter, ids=[found.id])
    comics = proposals.comics
    base, frozen = comics.at(found.base, connection).book, comics.at(found.frozen, connection).book
    current = comics.head(chapter, connection)
    merged = merge(_landed(connection, found, base, frozen), current.book, frozen)
    return Plan(found.number, current, merged.book, diff(current.book, merged.book), merged.conflicts)


def follow_up(
    proposals: ProposalService,
    connection: Connection,
    proposal: str,
    chapter: str,
    *,
    title: str,
    actor: Actor,
    contract: Contract | None = None,
    plan: Plan | None = None,
) -> FollowUp:
    """Begin a draft from a proposal that was not taken whole, in a write transaction.

    Of an applied one the rejected parts are brought in, of a discarded or superseded one all of it: merged into the
    work as it stands, which keeps its own wherever the two conflict.

    Args:
        plan: worked out before the lock was taken; made anew if the work just moved.

    Raises:
        OutOfScope, Locked: what was rejected goes past the contract, or alters what a person locked.
        NotFound, BadInput, WrongState: see ``plan_follow_up``.
    """
    comics, drafts = proposals.comics, proposals.drafts
    if plan is None or plan.base.revision.number != comics.history.head(connection, chapter).number:
        plan = plan_follow_up(proposals, proposal, chapter, connection)
    draft, moment = drafts.begin(
        connection, chapter, title=title, actor=actor, contract=contract, from_proposal=plan.proposal
    )
    if plan.changes:
        drafts.require_allowed(connection, draft, plan.base.book, plan.book, plan.changes, actor=actor)
        moment = comics.advance(
            connection,
            draft.id,
            moment,
            plan.book,
            actor=actor,
            cause="follow",
            message=f"what was not taken of p{plan.proposal}",
            changes=plan.changes,
        )
    return FollowUp(draft, plan.base, moment, plan.changes, plan.conflicts)


def _landed(connection: Connection, proposal: Proposal, base: Book, frozen: Book) -> Book:
    """What of a decided proposal was taken, on its own base. Raises WrongState when there is nothing left to follow."""
    if proposal.state in {"discarded", "superseded"}:
        return base
    if proposal.undecided:
        raise WrongState(
            f"{proposal.id} waits for its verdict",
            expected="applied by parts, discarded or superseded",
            found=proposal.state,
            ids=[proposal.id, f"d{proposal.draft}"],
            recovery=f"Go on in its draft, d{proposal.draft}, and freeze that again.",
        )
    texts = [item.choices for item in approvals.of_proposal(connection, proposal.number) if item.choices]
    if not texts:
        raise WrongState(
            f"{proposal.id} was taken whole", ids=[proposal.id], recovery="Begin a draft without from_proposal."
        )
    rejected = {*Choices.read(texts[-1]).rejected}
    found = parts(diff(base, frozen), base, frozen)
    return chosen(base, frozen, found, [part.id for part in found if part.id not in rejected])
