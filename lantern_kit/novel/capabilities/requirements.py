"""``requirements.read`` and ``requirement.block``: what the author asked for, and what of it cannot be."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Key, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import authors, observes
from lantern_kit.novel.capabilities.services import desk, services
from lantern_kit.novel.capabilities.telling import LONGEST, told
from lantern_kit.novel.model import Source
from lantern_kit.novel.prose import paragraph_of

InstructionRef = Annotated[str, Field(max_length=60, description="in_…")]


class RequirementsIn(In):
    """Which instructions."""

    instruction: Annotated[str, Field(max_length=60, description="only this one, in_…")] = ""
    offset: Annotated[int, Field(ge=0, le=20_000, description="with instruction: read its words on from here")] = 0
    open_only: Annotated[bool, Field(description="those not dealt with")] = False
    start: Start = 1


class RequirementsOut(Out):
    """Instructions in their order."""

    watermark: int
    received: int
    instructions: list[dict[str, Any]]
    next: int | None = None


@observes(
    "requirements.read",
    summary="Instructions in the author's words, and what came of each.",
    input=RequirementsIn,
    output=RequirementsOut,
)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, novel = call.args, services(call).now
    found = list(novel.instructions.values())
    if args.instruction:
        found = [novel.instruction(args.instruction)]
    elif args.open_only:
        found = novel.open_instructions
    rows = []
    for item in found:
        facts = told(item)
        rest = item.text[args.offset if args.instruction else 0 :]
        facts["text"] = rest[:LONGEST]
        if len(rest) > LONGEST:
            facts["go_on_at"] = len(item.text) - len(rest) + LONGEST
        rows.append(facts)
    taken, more = cut(rows, args.start)
    answer = RequirementsOut(
        watermark=novel.head.watermark, received=novel.head.received, instructions=taken, next=more
    )
    return Reply(answer.facts(), scope=novel.head.id, target=novel.head.id, summary=counted(len(taken), "instruction"))


class BlockIn(In):
    """What contradicts an instruction, and where it stands."""

    instruction: InstructionRef
    reason: Annotated[str, Field(max_length=4_000, description="what contradicts it")]
    sources: Annotated[list[str], Field(max_length=40, description="paragraphs that do: cm_…:2")]
    expected_outline: Annotated[int, Field(ge=0, description="outline revision you went by")]
    idempotency_key: Key


class BlockOut(Out):
    """The instruction, and that the novel is paused for it."""

    blocked: str
    status: str


@authors(
    "requirement.block",
    summary="Say that an instruction contradicts what is written; the novel pauses until its author has spoken.",
    input=BlockIn,
    output=BlockOut,
)
def block(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    sources = [_source(text) for text in args.sources]
    moment, made = desk(call).block(args.instruction, args.reason, sources, args.expected_outline, call.transaction)
    head = moment.novel.head
    return Reply(
        BlockOut(blocked=made.id, status=head.run.status.value).facts(),
        scope=head.id,
        target=made.id,
        summary=f"instruction {made.sequence} is in conflict with what is written",
        revision=moment.revision.number,
    )


def _source(text: str) -> Source:
    commit, _, number = text.partition(":")
    place = paragraph_of(number)
    try:
        return Source(commit=commit, paragraph=-1 if place is None else place)
    except ValueError:
        raise BadInput("a source is a paragraph of committed prose", expected="cm_…:2", found=text[:60]) from None
