"""``annotation.*``: read what people wrote about the work, claim it into a draft, say how it was dealt with.

Settling, editing and deleting annotations belong to the person: there is no capability for them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field

from lantern_kit.comic.annotation import Annotation, Kind, Resolution, Resolved, State
from lantern_kit.comic.annotations import Inspected
from lantern_kit.comic.capabilities.answer import DraftRef, In, Key, Out, Start, clip, cut, review_command
from lantern_kit.comic.capabilities.assets import short_facts
from lantern_kit.comic.capabilities.registry import CAPABILITIES, observes
from lantern_kit.comic.capabilities.services import services
from lantern_kit.comic.handle import parse_handle
from lantern_kit.comic.measure import counted, millimetres
from lantern_kit.comic.service import Moment
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

SHOWN = 300
"""Characters of a body that a list shows."""
TALK = 2_500
"""Tokens that messages may take, the newest first."""
MOST = 25

Id = Annotated[str, Field(min_length=4, max_length=40)]
Stage = Literal["open", "claimed", "awaiting", "resolved", "shelved"]
Several = Annotated[list[Id], Field(min_length=1, max_length=MOST, description="claim, note: one or more an_…")]


class ListIn(In):
    """Of which chapter, and how far they have come."""

    chapter: Annotated[str, Field(min_length=4, max_length=40, description="list: ch_…")]
    states: Annotated[list[Stage], Field(max_length=5, description="list: absent: open")] = Field(default_factory=list)
    start: Start = 1


class ListOut(Out):
    """Annotations, oldest first."""

    annotations: list[dict[str, Any]]
    next: int | None = None


@observes(
    "annotation.list",
    summary="List what people wrote about a chapter: the annotations that wait for somebody, or those in other states.",
    input=ListIn,
    output=ListOut,
    applies_to=("chapter",),
)
def listing(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    chapter, _ = parse_handle(args.chapter)
    held.comics.find_chapter(chapter)
    states = tuple(State(state) for state in args.states) or (State.OPEN,)
    found = held.annotations.of_chapter(chapter, states=states)
    rows, more = cut([_row(item) for item in found], args.start)
    answer = ListOut(annotations=rows, next=more)
    return Reply(answer.facts(), scope=chapter, target=chapter, summary=f"list of {counted(len(found), 'annotation')}")


class InspectIn(In):
    """Which annotation."""

    annotation: Annotated[str, Field(min_length=4, max_length=40, description="inspect: an_…")]


class InspectOut(Out):
    """An annotation with its evidence: each reference against the work as it stands."""

    annotation: str
    chapter: str
    state: str
    body: str
    by: str
    at: str
    draft: str | None = None
    proposal: str | None = None
    review: str | None = None
    revision: str
    references: list[dict[str, Any]]
    attachments: list[dict[str, Any]]
    messages: list[dict[str, str]]
    older_messages: int | None = None


@observes(
    "annotation.inspect",
    summary="Inspect one annotation: every reference with its current place and handles, pictures and messages.",
    input=InspectIn,
    output=InspectOut,
    applies_to=("annotation",),
)
def inspect(call: Call) -> Reply:
    """Carry it out."""
    seen: Inspected = services(call).annotations.inspect(call.args.annotation)
    item = seen.annotation
    newest = [{"by": said.actor, "at": stamp(said.at), "words": said.body} for said in reversed(item.messages)]
    talk, more = cut(newest, budget=TALK)
    answer = InspectOut(
        annotation=item.id,
        chapter=item.chapter,
        state=item.state.value,
        body=item.body,
        by=item.actor,
        at=stamp(item.created_at),
        **_links(item),
        revision=seen.moment.id,
        references=[reference_facts(place, found, seen.moment) for place, found in enumerate(seen.references, 1)],
        attachments=[short_facts(asset) for asset in seen.attachments],
        messages=talk[::-1],
        older_messages=None if more is None else len(newest) - len(talk),
    )
    return Reply(
        answer.facts(),
        scope=item.chapter,
        draft=answer.draft or "",
        target=item.id,
        summary=f"inspected an annotation with {counted(len(seen.references), 'reference')}",
        revision=seen.moment.revision.number,
    )


class ClaimIn(In):
    """Which annotations, into which draft."""

    annotations: Several
    draft: DraftRef
    idempotency_key: Key


class NoteIn(In):
    """What to say about which annotations."""

    annotations: Several
    text: Annotated[str, Field(min_length=1, max_length=2_000, description="note: for the person who wrote them")]
    idempotency_key: Key


class HandledOut(Out):
    """How the annotations stand now."""

    annotations: list[dict[str, Any]]


@CAPABILITIES.capability(
    "annotation.claim",
    summary="Bind annotations to a draft of one's own in which they are dealt with; the draft stays as it is.",
    input=ClaimIn,
    output=HandledOut,
    applies_to=("annotation", "draft"),
    scope=Scope.DRAFT,
    effect=Effect.COLLABORATION_CHANGE,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.NONE,
)
def claim(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    claimed = held.annotations.claim(call.transaction, args.annotations, args.draft, actor=call.actor)
    return _handled(claimed, args.draft, f"claimed {len(claimed)} annotations into {args.draft}")


@CAPABILITIES.capability(
    "annotation.note",
    summary="Say to the person who wrote annotations how they were dealt with, or what is unclear.",
    input=NoteIn,
    output=HandledOut,
    applies_to=("annotation",),
    scope=Scope.DRAFT,
    effect=Effect.COLLABORATION_CHANGE,
    risk=Risk.LOW,
    confirmation=Confirmation.NONE,
    idempotency=Idempotency.KEY,
    precondition=Precondition.NONE,
)
def note(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    noted = held.annotations.note(call.transaction, args.annotations, args.text, actor=call.actor)
    return _handled(noted, "", f"added a note to {len(noted)} annotations")


def reference_facts(place: int, found: Resolved, moment: Moment) -> dict[str, Any]:
    """A reference for agents: what became of it, where it is now in millimetres, and the handles to act on.

    A missing target has no handle and no box; ``fallback`` is where it once was.
    """
    made = found.reference
    facts: dict[str, Any] = {"n": place, "kind": made.kind.value, "resolution": found.resolution.value}
    if made.kind is Kind.ELEMENT:
        facts |= {"target": made.target, "of": made.target_kind}
    elif made.surface:
        facts["surface"] = made.surface
    if found.handle is not None:
        facts["handle"] = found.handle
    if found.frame is not None:
        facts["frame"] = found.frame
    if found.unit is not None:
        facts |= {"unit": found.page, "page": moment.titles[found.unit.id]}
    if found.box is not None:
        box = found.box
        facts["box"] = [millimetres(part) for part in (box.x, box.y, box.w, box.h)]
    if found.point is not None:
        key = "fallback" if found.resolution is Resolution.MISSING else "at"
        facts[key] = [millimetres(part) for part in found.point]
    return facts


def _row(item: Annotation) -> dict[str, Any]:
    row: dict[str, Any] = {
        "annotation": item.id,
        "state": item.state.value,
        "body": clip(item.body, SHOWN),
        "by": item.actor,
        "references": len(item.references),
        "attachments": len(item.attachments),
        "messages": len(item.messages),
        **_links(item),
    }
    return {key: value for key, value in row.items() if value is not None}


def _links(item: Annotation) -> dict[str, str | None]:
    proposal = None if item.proposal is None else f"p{item.proposal}"
    return {
        "draft": None if item.draft is None else f"d{item.draft}",
        "proposal": proposal,
        "review": None if proposal is None else review_command(proposal),
    }


def _handled(found: list[Annotation], draft: str, summary: str) -> Reply:
    rows = [{key: value for key, value in _row(item).items() if key not in {"body", "by"}} for item in found]
    return Reply(
        HandledOut(annotations=rows).facts(),
        scope=found[0].chapter,
        draft=draft,
        target=",".join(item.id for item in found[:5]),
        summary=summary,
    )
