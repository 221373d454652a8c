"""``proposal.*``: freeze a draft for a person's verdict, and hear what became of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Literal

from pydantic import Field

from lantern_kit.comic import approvals
from lantern_kit.comic.approvals import Approval
from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.answer import (
    LONGEST_NAME,
    DraftRef,
    Expected,
    In,
    Key,
    Out,
    Start,
    clip,
    cut,
    review_command,
)
from lantern_kit.comic.capabilities.check import finding_row
from lantern_kit.comic.capabilities.place import chapter_in
from lantern_kit.comic.capabilities.registry import changes_draft, observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.capabilities.told import summary
from lantern_kit.comic.choices import Choices, Told
from lantern_kit.comic.conflicts import ConflictService, name_of
from lantern_kit.comic.diff import diff
from lantern_kit.comic.measure import counted
from lantern_kit.comic.proposal import Proposal
from lantern_kit.kernel.capability import (
    Call,
    Reply,
)
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.revision import revision_number

SHOWN = 20
REASONS = 2_500
"""Tokens that the rejected parts of one proposal may take in an answer."""
State = Literal["pending", "kept", "applied", "discarded", "superseded"]


class FreezeIn(In):
    """Which draft to propose."""

    draft: DraftRef
    expected_revision: Expected
    idempotency_key: Key
    summary: Annotated[str, Field(min_length=1, max_length=400, description="for the person who decides")]


class FreezeOut(Out):
    """The proposal."""

    proposal: str
    state: str
    frozen: str
    base: str
    changes: int
    words: list[dict[str, Any]]
    new_findings: list[dict[str, Any]]
    healed: int
    frozen_before: bool
    note: str | None = None
    review: str


@dataclass(frozen=True)
class _Told:
    """What a freeze would propose, in words, worked out before the lock is taken."""

    book: Book
    words: list[dict[str, Any]]


def _tell(call: Call) -> _Told:
    args, held = call.args, services(call)
    draft = held.drafts.get(args.draft)
    base, head = held.comics.at(draft.base).book, held.drafts.head(draft.id).book
    return _Told(head, summary(held, diff(base, head), base, head))


@changes_draft(
    "proposal.freeze",
    summary="Freeze a draft as a proposal for a person to decide on; nothing reaches the work before that.",
    input=FreezeIn,
    output=FreezeOut,
    applies_to=("draft",),
    prepare=_tell,
)
def freeze(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    told: _Told = call.prepared
    expected = revision_number(args.expected_revision)
    words = clip(args.summary, 400)
    made, before = held.proposals.freeze(call.transaction, args.draft, expected, summary=words, actor=call.actor)
    answer = FreezeOut(
        proposal=made.id,
        state=made.state,
        frozen=f"r{made.frozen}",
        base=f"r{made.base}",
        changes=made.changes,
        words=told.words,
        new_findings=[finding_row(told.book, item) for item in made.new_findings[:SHOWN]],
        healed=len(made.healed),
        frozen_before=before,
        note=_note(made, words, len(held.candidates.of_draft(args.draft, connection=call.transaction))),
        review=review_command(made.id),
    )
    return Reply(
        answer.facts(),
        scope=made.chapter,
        draft=args.draft,
        target=made.id,
        summary=f"frozen as {made.id}: {counted(made.changes, 'change')} on {counted(len(made.units), 'unit')}",
        revision=made.frozen,
        link=made.id,
        kind="frozen",
        proposal=made.id,
    )


def _note(made: Proposal, words: str, waiting: int) -> str | None:
    """What the proposer may not expect: that an earlier summary stands, that candidates are no part of it."""
    notes = []
    if made.summary != words:
        notes.append(f"frozen before as {made.id}; its summary stands: {made.summary}")
    if waiting:
        verb = "waits" if waiting == 1 else "wait"
        notes.append(f"{counted(waiting, 'candidate')} still {verb} in the draft and {made.id} has nothing of them")
    return "; ".join(notes) or None


class ListIn(In):
    """Which proposals."""

    proposal: Annotated[str, Field(max_length=LONGEST_NAME, description="p12: that one, with its changes in words")] = (
        ""
    )
    chapter: Annotated[str, Field(max_length=LONGEST_NAME, description="only of this chapter, ch_…")] = ""
    states: Annotated[list[State], Field(max_length=5, description="absent: all")] = Field(default_factory=list)
    start: Start = 1


class ListOut(Out):
    """Proposals, newest first."""

    proposals: list[dict[str, Any]]
    next: int | None = None


@observes(
    "proposal.list",
    summary="What became of proposals: states, verdicts and the reasons that people gave.",
    input=ListIn,
    output=ListOut,
    applies_to=("workspace", "chapter", "proposal"),
)
def listing(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    if args.proposal:
        found = held.proposals.get(args.proposal)
        review = held.proposals.review(found.id)
        row = _row(found, list(review.approvals))
        row["words"] = summary(held, review.changes, review.base.book, review.frozen.book)
        row["new_findings"] = [finding_row(review.frozen.book, item) for item in found.new_findings[:SHOWN]]
        if review.rejected:
            row["rejected"], more = cut((_left(item) for item in review.rejected), budget=REASONS)
            if more is not None:
                row["rejected"].append({"part": "…", "words": f"and {len(review.rejected) - more + 1} more"})
        if review.overwrites:
            row["moved_on"] = list(review.overwrites)
        if review.contract:
            row["contract"] = review.contract.facts()
        if review.touches_human:
            row["touches_human"] = [item.facts() for item in review.touches_human[:SHOWN]]
        if review.locked:
            row["locked"] = [item.facts() for item in review.locked[:SHOWN]]
        answered = held.annotations.of_proposal(found.id)
        if answered:
            row["annotations"] = [{"annotation": item.id, "state": item.state.value} for item in answered[:SHOWN]]
        conflicts = _conflicts(held, found)
        if conflicts:
            row["conflicts"] = conflicts[:SHOWN]
        return Reply(
            ListOut(proposals=[row]).facts(),
            scope=found.chapter,
            draft=f"d{found.draft}",
            target=found.id,
            summary=f"{found.id} is {found.state}",
        )
    chapter = chapter_in(args.chapter) if args.chapter else None
    if chapter is not None:
        held.comics.find_chapter(chapter)
    items = held.proposals.all(chapter=chapter, states=tuple(args.states) or None)
    rows, more = cut(_rows(held, items[args.start - 1 :]))
    answer = ListOut(proposals=rows, next=None if more is None else args.start + more - 1)
    return Reply(answer.facts(), scope=chapter or "", summary=f"list of {counted(len(items), 'proposal')}")


def _conflicts(held: ComicServices, proposal: Proposal) -> list[dict[str, str]]:
    """What the work kept its own of when the proposal was merged, and what people chose since."""
    stored = ConflictService(held.comics).of_chapter(proposal.chapter, state=None)
    return [
        {"conflict": item.id, "about": name_of(item), "state": item.state}
        for item in stored
        if item.proposal == proposal.number
    ]


def _rows(held: ComicServices, items: list[Proposal]) -> list[dict[str, Any]]:
    with held.comics.journal.read() as connection:
        return [_row(item, approvals.of_proposal(connection, item.number)) for item in items[:200]]


def _row(item: Proposal, verdicts: list[Approval]) -> dict[str, Any]:
    row: dict[str, Any] = {
        "proposal": item.id,
        "state": item.state,
        "draft": f"d{item.draft}",
        "chapter": item.chapter,
        "by": item.actor,
        "summary": item.summary,
        "base": f"r{item.base}",
        "frozen": f"r{item.frozen}",
        "frozen_at": stamp(item.frozen_at),
        "units": len(item.units),
        "changes": item.changes,
    }
    if item.undecided:
        row["review"] = review_command(item.id)
    if verdicts:
        row["verdicts"] = [_verdict(approval) for approval in verdicts]
    return row


def _verdict(approval: Approval) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "verdict": approval.verdict.value,
        "by": approval.reviewer,
        "reason": approval.reason,
        "at": stamp(approval.at),
    }
    if approval.choices:
        facts["rejected_parts"] = len(Choices.read(approval.choices).rejected)
    if approval.result is not None:
        facts |= {"mode": approval.mode, "revision": f"r{approval.result}"}
    return facts


def _left(item: Told) -> dict[str, str]:
    """A rejected part: what it was, and why it was left out."""
    facts = {
        "part": item.part.id,
        "unit": item.title,
        "words": item.words,
        "reason": item.reason,
        "went_with": item.because,
    }
    return {name: value for name, value in facts.items() if value}
