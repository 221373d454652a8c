"""``outline.read``, ``outline.create`` and ``outline.revise``: what is meant to be written."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import Field

from lantern_kit.kernel.answer import BUDGET, In, Key, Out, Start, cut
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import authors, observes
from lantern_kit.novel.capabilities.services import desk, services
from lantern_kit.novel.capabilities.shapes import OutcomesArg, OverridesArg, PlanArg, read_all, read_as
from lantern_kit.novel.capabilities.telling import told
from lantern_kit.novel.model import InstructionState
from lantern_kit.novel.service import Moment
from lantern_kit.novel.whole import Novel


class OutlineIn(In):
    """Which part of the outline."""

    part: Annotated[
        Literal["chapters", "contents", "story", "people", "foreshadows", "revisions"],
        Field(description="chapters: whole; contents: titles and states"),
    ] = "chapters"
    first: Annotated[int, Field(ge=1, description="chapters: from this number")] = 1
    last: Annotated[int, Field(ge=0, description="chapters: to this one; 0: to the last")] = 0
    most: Annotated[int, Field(ge=100, le=BUDGET, description="tokens at most")] = BUDGET
    start: Start = 1


class OutlineOut(Out):
    """A part of the outline."""

    outline: int
    chapters: int
    rows: list[dict[str, Any]]
    next: int | None = None


@observes("outline.read", summary="A part of the outline, by range and page.", input=OutlineIn, output=OutlineOut)
def read(call: Call) -> Reply:
    """Carry it out."""
    args, novel = call.args, services(call).now
    taken, more = cut(_rows(novel, args), args.start, budget=args.most)
    answer = OutlineOut(outline=novel.head.outline_revision, chapters=len(novel.chapters), rows=taken, next=more)
    return Reply(answer.facts(), scope=novel.head.id, target=novel.head.id, summary=f"outline: {args.part}")


def _rows(novel: Novel, args: Any) -> Iterable[dict[str, Any]]:
    match args.part:
        case "story":
            return [] if novel.story is None else [told(novel.story)]
        case "people":
            return (told(item) for item in novel.people.values())
        case "foreshadows":
            return (told(item) for item in novel.foreshadows.values())
        case "revisions":
            return (told(item) for item in novel.plans.values())
    chosen = list(enumerate(novel.chapters.values(), start=1))[args.first - 1 : args.last or None]
    if args.part == "contents":
        return (
            {"number": number, "id": item.id, "title": item.title, "state": item.state.value} for number, item in chosen
        )
    return ({"number": number, **told(item)} for number, item in chosen)


class CreateIn(In):
    """The first outline, to its end, and what it makes of the first instructions."""

    plan: PlanArg
    outcomes: OutcomesArg
    reason: Annotated[str, Field(max_length=4_000, description="why it is so")]
    overrides: OverridesArg = Field(default_factory=list)
    idempotency_key: Key


class ReviseIn(In):
    """What changes of the outline; what is not sent stays."""

    plan: PlanArg
    outcomes: OutcomesArg
    reason: Annotated[str, Field(max_length=4_000, description="why it is so")]
    expected_outline: Annotated[int, Field(ge=0, description="outline revision you went by")]
    overrides: OverridesArg = Field(default_factory=list)
    idempotency_key: Key


class PlannedOut(Out):
    """The outline's new version, and the ids of what the plan named."""

    plan: str
    outline: int
    watermark: int
    status: str
    ids: dict[str, str]
    effective: dict[str, str] | None = None
    """Of each instruction that was applied: the chapter from which it shows, or ``next unit``."""


@authors(
    "outline.create",
    summary="Keep the first outline; it deals with the first instructions.",
    input=CreateIn,
    output=PlannedOut,
)
def create(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    moment, names = desk(call).create_outline(
        read_as("plan", args.plan),
        read_all("outcomes", args.outcomes),
        args.reason,
        read_all("overrides", args.overrides),
        call.transaction,
    )
    return _planned(moment, names)


@authors(
    "outline.revise",
    summary="Change the outline as an overlay and say what came of the next instructions.",
    input=ReviseIn,
    output=PlannedOut,
)
def revise(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    moment, names = desk(call).revise_outline(
        read_as("plan", args.plan),
        read_all("outcomes", args.outcomes),
        args.reason,
        args.expected_outline,
        read_all("overrides", args.overrides),
        call.transaction,
    )
    return _planned(moment, names)


def _planned(moment: Moment, names: dict[str, str]) -> Reply:
    novel = moment.novel
    plan = next(reversed(list(novel.plans.values())))
    answer = PlannedOut(
        plan=plan.id,
        outline=novel.head.outline_revision,
        watermark=novel.head.watermark,
        status=novel.head.run.status.value,
        ids={name.removeprefix("@"): value for name, value in names.items()},
        effective={
            name: held.outcome.effective or "next unit"
            for name in plan.instructions
            if (held := novel.instruction(name)).outcome is not None and held.state is InstructionState.APPLIED
        }
        or None,
    )
    return Reply(
        answer.facts(),
        scope=novel.head.id,
        target=plan.id,
        summary=f"outline revision {plan.number}: {counted(len(novel.chapters), 'chapter')}",
        revision=moment.revision.number,
    )
