"""``draft.*``: begin a draft, edit it, see how it stands, go back in it, discard it."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.candidate import Candidate
from lantern_kit.comic.capabilities.answer import LONGEST_NAME, DraftRef, Expected, In, Key, Out, clip, cut
from lantern_kit.comic.capabilities.check import finding_row
from lantern_kit.comic.capabilities.noted import operations, pictures
from lantern_kit.comic.capabilities.place import chapter_in, unit_names
from lantern_kit.comic.capabilities.registry import CAPABILITIES, changes_draft, observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.capabilities.told import summary
from lantern_kit.comic.capabilities.whereabouts import explained
from lantern_kit.comic.contract import Contract
from lantern_kit.comic.diff import diff
from lantern_kit.comic.drafts import Draft, Edited
from lantern_kit.comic.edit.changeset import MOST
from lantern_kit.comic.follow_up import Plan, follow_up, plan_follow_up
from lantern_kit.comic.handle import Thing, handle_of, parse_handle
from lantern_kit.comic.planning import Planned
from lantern_kit.comic.proposal import UNDECIDED
from lantern_kit.comic.tally import counted
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
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.revision import revision_number

FINDINGS_SHOWN = 20
CHANGED_SHOWN = 50
LOCKS_SHOWN = 50
STALE_SHOWN = 5
ORDERS = frozenset({"objects", "reading", "units"})
"""Properties that are no part of a fingerprint."""
Message = Annotated[str, Field(max_length=200, description="what it does, in a few words")]


Names = Annotated[list[Annotated[str, Field(max_length=LONGEST_NAME)]], Field(max_length=50)]


class BeginIn(In):
    """On which chapter to begin."""

    chapter: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME, description="handle or id, ch_…")]
    title: Annotated[str, Field(max_length=120, description="the task, in a few words")] = ""
    from_proposal: Annotated[
        str, Field(max_length=LONGEST_NAME, description="p12: with what a person did not take of it")
    ] = ""
    units: Annotated[Names, Field(description="all that the draft may change; places too")] = Field(
        default_factory=list
    )
    objects: Annotated[Names, Field(description="with what lies in them")] = Field(default_factory=list)
    properties: Annotated[Names, Field(description="only these, such as text")] = Field(default_factory=list)
    idempotency_key: Key


class BeginOut(Out):
    """The new draft."""

    draft: str
    revision: str
    base: str
    chapter: str
    contract: dict[str, list[str]] | None = None
    words: list[dict[str, Any]] | None = None
    conflicts: list[dict[str, Any]] | None = None
    more_conflicts: int | None = None


def _plan_follow_up(call: Call) -> Plan | None:
    args, held = call.args, services(call)
    chapter = held.comics.find_chapter(chapter_in(args.chapter)).id
    return plan_follow_up(held.proposals, args.from_proposal, chapter) if args.from_proposal else None


@CAPABILITIES.capability(
    "draft.begin",
    summary="Begin a draft: an isolated copy of a chapter's working line to edit in.",
    input=BeginIn,
    output=BeginOut,
    applies_to=("chapter",),
    scope=Scope.DRAFT,
    effect=Effect.DIRECT_CHANGE,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.NONE,
    prepare=_plan_follow_up,
)
def begin(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    chapter = held.comics.find_chapter(chapter_in(args.chapter)).id
    if args.from_proposal:
        return _follow(call, chapter)
    draft, moment = held.drafts.begin(
        call.transaction, chapter, title=args.title, actor=call.actor, contract=_contract(call, chapter)
    )
    answer = BeginOut(
        draft=draft.id,
        revision=moment.id,
        base=f"r{draft.base}",
        chapter=chapter,
        contract=draft.contract.facts() or None,
    )
    return _reply(draft, answer, "draft begun", moment.revision.number)


def _contract(call: Call, chapter: str) -> Contract:
    """What a draft is opened for. Raises BadInput, NotFound."""
    args, comics = call.args, services(call).comics
    named = unit_names(args.units, lambda: comics.head(chapter, call.transaction).book)
    units, objects = ([parse_handle(name)[0] for name in names] for names in (named, args.objects))
    return Contract.of(units=units, objects=objects, properties=args.properties)


def _follow(call: Call, chapter: str) -> Reply:
    """Begin with what a person did not take of a proposal."""
    args, held = call.args, services(call)
    begun = follow_up(
        held.proposals,
        call.transaction,
        args.from_proposal,
        chapter,
        title=args.title,
        actor=call.actor,
        contract=_contract(call, chapter),
        plan=call.prepared,
    )
    rows = [
        {"object": item.object, "property": item.property or "the whole object", "proposed": _plain(item.theirs)}
        for item in begun.conflicts[:FINDINGS_SHOWN]
    ]
    answer = BeginOut(
        draft=begun.draft.id,
        revision=begun.moment.id,
        base=f"r{begun.draft.base}",
        chapter=chapter,
        contract=begun.draft.contract.facts() or None,
        words=summary(held, begun.changes, begun.base.book, begun.moment.book) or None,
        conflicts=rows or None,
        more_conflicts=len(begun.conflicts) - len(rows) or None,
    )
    told = f"begun from {args.from_proposal}: {counted(begun.changes, begun.moment.book) or 'nothing brought in'}"
    return _reply(begun.draft, answer, told, begun.moment.revision.number)


def _plain(value: Any) -> str:
    return clip(value if isinstance(value, str) else json.dumps(value, ensure_ascii=False), 200)


class EditIn(In):
    """One change set."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    message: Message = ""
    operations: Annotated[
        list[dict[str, Any]],
        Field(
            min_length=1,
            max_length=MOST,
            description='{"op", "target": handle or @name, "as"?: name, "args": {…}}',
        ),
    ]


class EditOut(Out):
    """What the change set did."""

    revision: str
    objects: dict[str, str]
    changed: list[str] | None = None
    new_findings: list[dict[str, Any]]
    healed: int
    more_findings: int | None = None
    notes: list[str] | None = None
    since: list[dict[str, str]] | None = None


def _plan(call: Call) -> Planned:
    args, held = call.args, services(call)
    try:
        return held.drafts.plan(args.draft, revision_number(args.expected_revision), args.operations)
    except NotFound as error:
        raise explained(held, error, held.drafts.get(args.draft).chapter) from None


@changes_draft(
    "draft.edit",
    summary="Change a draft by up to 25 operations, all or nothing, as one revision.",
    input=EditIn,
    output=EditOut,
    applies_to=("draft",),
    prepare=_plan,
)
def edit(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    edited = held.drafts.commit(
        call.transaction,
        args.draft,
        call.prepared,
        revision_number(args.expected_revision),
        args.operations,
        message=args.message,
        actor=call.actor,
    )
    return edit_reply(args.draft, edited, call.prepared, args.operations)


def edit_reply(draft: str, edited: Edited, planned: Planned, given: Sequence[Mapping[str, Any]]) -> Reply:
    """What a change set did that became a revision of a draft."""
    book = edited.moment.book
    new = [finding_row(book, item) for item in edited.new_findings[:FINDINGS_SHOWN]]
    answer = EditOut(
        revision=edited.moment.id,
        objects=edited.made,
        changed=_changed(planned, book, set(edited.made.values())) or None,
        new_findings=new,
        healed=edited.healed,
        more_findings=len(edited.new_findings) - len(new) or None,
        notes=list(edited.notes) or None,
        since=list(edited.since) or None,
    )
    return Reply(
        answer.facts(),
        scope=book.chapter.id,
        draft=draft,
        target=",".join(planned.touched),
        summary=counted(planned.changes, book),
        revision=edited.moment.revision.number,
        action=operations(given),
        assets=pictures(planned.changes),
    )


def _changed(planned: Planned, book: Book, made: set[str]) -> list[str]:
    """Current handles of what was there before and is known by another one now."""
    handles: dict[str, str] = {}
    for change in planned.changes:
        if change.change == "changed" and change.property not in ORDERS and change.object not in handles:
            thing: Thing | None = book.chapter if change.object == book.chapter.id else None
            if change.unit in book:
                unit = book.unit(change.unit)
                thing = unit if unit.id == change.object else unit.index.get(change.object)
            if thing is not None:
                handles[change.object] = handle_of(thing)
    return [handle for handle in handles.values() if handle not in made][:CHANGED_SHOWN]


class StatusIn(In):
    """Which draft."""

    draft: DraftRef


class StatusOut(Out):
    """How a draft stands."""

    draft: str
    state: str
    title: str
    by: str
    chapter: str
    base: str
    revision: str
    behind: int
    changes: int
    units: list[str]
    log: list[dict[str, Any]]
    proposals: list[dict[str, str]]
    candidates: list[dict[str, Any]] | None = None
    contract: dict[str, list[str]] | None = None
    locks: list[dict[str, str]] | None = None


@observes(
    "draft.status",
    summary="How a draft stands: its revisions, what it changes, and whether the work moved on since its base.",
    input=StatusIn,
    output=StatusOut,
    applies_to=("draft",),
)
def status(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    draft = held.drafts.get(args.draft)
    head = held.drafts.head(draft.id)
    history = held.comics.history
    with held.comics.journal.read() as connection:
        log = history.log(connection, draft.id, limit=60)
        working = history.log(connection, draft.chapter, limit=200)
    changes = diff(held.comics.at(draft.base).book, head.book)
    rows = [
        {"revision": item.id, "by": item.actor.name, "cause": item.cause, "message": item.message, "at": stamp(item.at)}
        for item in log
    ]
    shown, _ = cut(rows, budget=4_000)
    answer = StatusOut(
        draft=draft.id,
        state=draft.state,
        title=draft.title,
        by=draft.actor,
        chapter=draft.chapter,
        base=f"r{draft.base}",
        revision=head.id,
        behind=sum(1 for item in working if item.number > draft.base),
        changes=len(changes),
        units=list(dict.fromkeys(item.unit for item in changes))[:50],
        log=shown,
        proposals=[{"proposal": item.id, "state": item.state} for item in _proposals(held, draft)],
        candidates=[_waiting(held, item, head.book) for item in held.candidates.of_draft(draft.id)] or None,
        contract=draft.contract.facts() or None,
        locks=[lock.facts() for lock in held.drafts.locks.of_chapter(draft.chapter)[:LOCKS_SHOWN]] or None,
    )
    return _reply(draft, answer, f"{draft.state}, {len(changes)} changes", head.revision.number)


def _waiting(held: ComicServices, item: Candidate, book: Book) -> dict[str, Any]:
    """A candidate that waits, and what makes it stale where its draft stands now."""
    row: dict[str, Any] = {
        "candidate": item.id,
        "task": clip(item.task, 120),
        "by": item.actor,
        "base": f"r{item.base}",
        "changes": item.summary,
    }
    moved = held.candidates.moved(item, book)
    return {**row, "stale": [thing.words() for thing in moved[:STALE_SHOWN]]} if moved else row


class UndoIn(In):
    """How far to go back."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    to: Annotated[str, Field(min_length=2, max_length=20, description="undo: earlier revision of the draft, r38")]


class UndoOut(Out):
    """Where the draft stands now."""

    draft: str
    revision: str
    undone_to: str
    words: list[dict[str, Any]]


@changes_draft(
    "draft.undo",
    summary="Take a draft back to what it was at an earlier revision, as a new revision.",
    input=UndoIn,
    output=UndoOut,
    applies_to=("draft",),
)
def undo(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    expected, to = revision_number(args.expected_revision), revision_number(args.to)
    before = held.comics.at(expected, call.transaction).book
    moment = held.drafts.undo_to(call.transaction, args.draft, expected, to, actor=call.actor)
    draft = held.drafts.get(args.draft, call.transaction)
    words = summary(held, diff(before, moment.book), before, moment.book)
    answer = UndoOut(draft=draft.id, revision=moment.id, undone_to=f"r{to}", words=words)
    return _reply(draft, answer, f"back to r{to}", moment.revision.number)


class DiscardIn(In):
    """Which draft to close."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key


class DiscardOut(Out):
    """What was closed."""

    draft: str
    state: str
    discarded_proposals: list[str]
    dropped_candidates: list[str] | None = None


@CAPABILITIES.capability(
    "draft.discard",
    summary="Close a draft of one's own without a result; a proposal of it that is not decided is discarded too.",
    input=DiscardIn,
    output=DiscardOut,
    applies_to=("draft",),
    scope=Scope.DRAFT,
    effect=Effect.DIRECT_CHANGE,
    risk=Risk.MEDIUM,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.REVISION,
)
def discard(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    connection = call.transaction
    draft = held.drafts.get(args.draft, connection)
    head = held.comics.history.head(connection, draft.id)
    expected = revision_number(args.expected_revision)
    if head.number != expected:
        raise held.comics.history.stale(connection, draft.id, expected, head)
    pending = [item.id for item in _proposals(held, draft) if item.state in UNDECIDED]
    waiting = [item.id for item in held.candidates.of_draft(draft.id, connection=connection)]
    closed = held.drafts.discard(connection, draft.id, actor=call.actor)
    answer = DiscardOut(
        draft=closed.id, state="discarded", discarded_proposals=pending, dropped_candidates=waiting or None
    )
    return _reply(draft, answer, "draft discarded", head.number)


def _proposals(held: ComicServices, draft: Draft) -> list[Any]:
    return [item for item in held.proposals.all(chapter=draft.chapter) if item.draft == draft.number]


def _reply(draft: Draft, answer: Out, summary: str, revision: int) -> Reply:
    return Reply(
        answer.facts(), scope=draft.chapter, draft=draft.id, target=draft.id, summary=summary, revision=revision
    )
