"""``unit.claim``, ``unit.supersede`` and ``body.commit``: a piece of prose is claimed, written and committed once."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.kernel.answer import In, Key, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.capabilities.registry import authors
from lantern_kit.novel.capabilities.services import desk
from lantern_kit.novel.capabilities.shapes import FactsArg, OverridesArg, SceneArg, content
from lantern_kit.novel.capabilities.telling import told
from lantern_kit.novel.desk import Weighed
from lantern_kit.novel.model import Commit
from lantern_kit.novel.model.values import LONGEST_LINE
from lantern_kit.novel.prose import MOST_PARAGRAPHS
from lantern_kit.novel.whole import Novel, committed

UnitRef = Annotated[str, Field(max_length=60, description="nu_…")]


class ClaimIn(In):
    """Which unit, and the work and versions that its brief named."""

    intent: Annotated[str, Field(max_length=60, description="wi_… of the brief")]
    unit: UnitRef
    expected_outline: Annotated[int, Field(ge=0, description="outline revision of the brief")]
    expected_watermark: Annotated[int, Field(ge=0, description="watermark of the brief")]
    idempotency_key: Key


class ClaimOut(Out):
    """The token, and what is to be written."""

    unit: str
    token: str
    chapter: str
    scene: dict[str, Any]
    part: int
    low: int
    high: int


@authors("unit.claim", summary="Claim the unit that is asked for; gives the token.", input=ClaimIn, output=ClaimOut)
def claim(call: Call) -> Reply:
    """Carry it out."""
    args = call.args
    moment, attempt = desk(call).claim(
        args.intent, args.unit, args.expected_outline, args.expected_watermark, call.transaction
    )
    novel = moment.novel
    unit = novel.unit(args.unit)
    chapter = novel.chapter(unit.chapter)
    scene = next(item for item in chapter.scenes if item.id == unit.scene)
    answer = ClaimOut(
        unit=unit.id,
        token=attempt.token,
        chapter=unit.chapter,
        scene=told(scene),
        part=unit.part,
        low=unit.low,
        high=unit.high,
    )
    return Reply(
        answer.facts(),
        scope=novel.head.id,
        target=unit.id,
        summary=f"claimed unit {unit.number}",
        revision=moment.revision.number,
    )


class SupersedeIn(In):
    """Which unit."""

    unit: UnitRef
    idempotency_key: Key


class SupersedeOut(Out):
    """The unit, and how it is."""

    unit: str
    state: str


@authors(
    "unit.supersede",
    summary="Retire a unit that was prepared for a scene that is done or an outline of before.",
    input=SupersedeIn,
    output=SupersedeOut,
)
def supersede(call: Call) -> Reply:
    """Carry it out."""
    moment, unit = desk(call).supersede(call.args.unit, call.transaction)
    return Reply(
        SupersedeOut(unit=unit.id, state=unit.state.value).facts(),
        scope=moment.novel.head.id,
        target=unit.id,
        summary=f"retired unit {unit.number}",
        revision=moment.revision.number,
    )


class CommitIn(In):
    """Prose, how far its scene is with it, and what it makes true."""

    unit: UnitRef
    token: Annotated[str, Field(max_length=LONGEST_LINE, description="tk_… of unit_claim")]
    paragraphs: Annotated[
        list[str], Field(max_length=MOST_PARAGRAPHS, description="plain text, an item each; no titles, no Markdown")
    ]
    scene: SceneArg
    facts: FactsArg
    overrides: OverridesArg = Field(default_factory=list)
    idempotency_key: Key


class CommitOut(Out):
    """The commit."""

    commit: str
    body: str
    characters: int
    total: int
    content: int
    scene_done: bool
    notes: list[dict[str, Any]] | None = None


def _weigh(call: Call) -> Weighed:
    """Prose checked and kept, before the lock."""
    args = call.args
    return desk(call).weigh(args.unit, args.token, args.paragraphs, content(args.scene, args.facts, args.overrides))


@authors(
    "body.commit",
    summary="Commit the prose of a claimed unit with what it makes true; it ends the work.",
    input=CommitIn,
    output=CommitOut,
    prepare=_weigh,
)
def commit(call: Call) -> Reply:
    """Carry it out."""
    weighed: Weighed = call.prepared
    moment, made = desk(call).commit(call.args.token, weighed, call.transaction)
    head = moment.novel.head
    answer = CommitOut(
        commit=made.id,
        body=made.body,
        characters=made.characters,
        total=_total(moment.novel, made),
        content=made.content_revision,
        scene_done=made.scene_done,
        notes=[item.facts() for item in weighed.found] or None,
    )
    return Reply(
        answer.facts(),
        scope=head.id,
        target=made.id,
        summary=f"committed {counted(made.characters, 'character')}",
        revision=moment.revision.number,
    )


def _total(novel: Novel, made: Commit) -> int:
    """Characters up to a commit: those there were with it, however late it is asked for again."""
    total = novel.head.characters
    for unit in reversed([*novel.commits.values()]):
        later = committed(unit)
        if later.id == made.id:
            break
        total -= later.characters
    return total
