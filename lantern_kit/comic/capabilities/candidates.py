"""``candidate.*``: a change set that waits beside a draft, to be looked at and compared; adopted, or dropped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.candidate import Candidate
from lantern_kit.comic.capabilities.answer import DraftRef, Expected, In, Key, Out
from lantern_kit.comic.capabilities.check import finding_row
from lantern_kit.comic.capabilities.drafts import FINDINGS_SHOWN, EditOut, edit_reply
from lantern_kit.comic.capabilities.noted import operations, pictures
from lantern_kit.comic.capabilities.registry import CAPABILITIES, changes_draft
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.capabilities.told import summary
from lantern_kit.comic.drafts import handles_made
from lantern_kit.comic.edit.changeset import MOST
from lantern_kit.comic.planning import Planned
from lantern_kit.kernel.capability import (
    Call,
    Confirmation,
    Effect,
    Idempotency,
    Precondition,
    Reply,
    Risk,
    Scope,
)
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.revision import revision_number

CandidateRef = Annotated[str, Field(min_length=3, max_length=20, description="adopt, drop: cd4")]
Task = Annotated[str, Field(min_length=1, max_length=200, description="propose: what it is for")]


class ProposeIn(In):
    """A change set to keep beside a draft."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    task: Task
    operations: Annotated[
        list[dict[str, Any]], Field(min_length=1, max_length=MOST, description="propose: as edit takes them")
    ]


class ProposeOut(Out):
    """The candidate: look at it, read it and compare it as a source of its own."""

    candidate: str
    base: str
    objects: dict[str, str]
    words: list[dict[str, Any]]
    new_findings: list[dict[str, Any]]
    healed: int
    more_findings: int | None = None
    notes: list[str] | None = None


def _plan(call: Call) -> Planned:
    args = call.args
    return services(call).candidates.plan(args.draft, revision_number(args.expected_revision), args.operations)


@changes_draft(
    "candidate.propose",
    summary="Keep a change set beside a draft as a candidate that can be looked at; the draft stays as it is.",
    input=ProposeIn,
    output=ProposeOut,
    applies_to=("draft",),
    effect=Effect.CANDIDATE,
    prepare=_plan,
)
def propose(call: Call) -> Reply:
    """Carry it out."""
    return keep(call, call.args.operations, call.args.task)


def keep(call: Call, given: Sequence[Mapping[str, Any]], task: str) -> Reply:
    """Keep a change set that was worked out for a call, and tell what it would change."""
    args, held = call.args, services(call)
    made, planned = held.candidates.propose(
        call.transaction,
        args.draft,
        revision_number(args.expected_revision),
        given,
        task=task,
        actor=call.actor,
        planned=call.prepared,
    )
    return _proposed(held, made, planned)


def _proposed(held: ComicServices, made: Candidate, planned: Planned) -> Reply:
    """What a candidate would change."""
    new = [finding_row(planned.book, item) for item in made.new_findings[:FINDINGS_SHOWN]]
    answer = ProposeOut(
        candidate=made.id,
        base=f"r{made.base}",
        objects=handles_made(planned),
        words=summary(held, planned.changes, planned.seen.book, planned.book),
        new_findings=new,
        healed=len(made.healed),
        more_findings=len(made.new_findings) - len(new) or None,
        notes=list(planned.notes) or None,
    )
    return Reply(
        answer.facts(),
        scope=made.chapter,
        draft=made.draft,
        target=",".join(planned.touched),
        summary=f"{made.id}: {made.summary}",
        action=operations(made.operations),
        assets=pictures(planned.changes),
        link=made.id,
    )


class SettleIn(In):
    """Which candidate of which draft."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    candidate: CandidateRef


def _plan_adoption(call: Call) -> Planned:
    held, found = services(call), _found(call)
    return held.candidates.plan_adoption(found.id)


def _found(call: Call) -> Candidate:
    """The candidate that is named, of the draft that is named. Raises NotFound."""
    args = call.args
    found = services(call).candidates.get(args.candidate, call.connection)
    if found.draft != args.draft:
        raise NotFound(
            f"{found.id} is a candidate of {found.draft}, not of {args.draft}",
            expected=found.draft,
            found=args.draft,
            ids=[found.id, args.draft],
            recovery=f"Name the draft that it belongs to: {found.draft}.",
        )
    return found


@changes_draft(
    "candidate.adopt",
    summary="Make a candidate's change one revision of its draft; refused where what it is about changed since.",
    input=SettleIn,
    output=EditOut,
    applies_to=("candidate",),
    prepare=_plan_adoption,
)
def adopt(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    found = _found(call)
    edited, planned = held.candidates.adopt(
        call.transaction,
        found.id,
        revision_number(args.expected_revision),
        actor=call.actor,
        planned=call.prepared,
    )
    reply = edit_reply(found.draft, edited, planned, found.operations)
    reply.summary = f"{found.id} adopted: {reply.summary}"
    return reply


class DropOut(Out):
    """What was put away."""

    candidate: str
    state: str


@CAPABILITIES.capability(
    "candidate.drop",
    summary="Put away a candidate of one's own, or one in one's own draft; nothing else changes.",
    input=SettleIn,
    output=DropOut,
    applies_to=("candidate",),
    scope=Scope.DRAFT,
    effect=Effect.DIRECT_CHANGE,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.REVISION,
)
def drop(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    found = held.candidates.drop(
        call.transaction, _found(call).id, actor=call.actor, expected=revision_number(args.expected_revision)
    )
    answer = DropOut(candidate=found.id, state=found.state)
    return Reply(
        answer.facts(),
        scope=found.chapter,
        draft=found.draft,
        target=found.id,
        summary=f"{found.id} dropped",
    )
