"""``status.read``: where the novel stands, what is asked for, and what is left of its limits."""

from __future__ import annotations

from typing import Any

from lantern_kit.kernel.answer import In, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.novel.capabilities.registry import observes
from lantern_kit.novel.capabilities.services import services
from lantern_kit.novel.capabilities.telling import told
from lantern_kit.novel.length import left
from lantern_kit.novel.model import Target
from lantern_kit.novel.whole import Novel


class StatusIn(In):
    """Nothing."""


class StatusOut(Out):
    """Where the novel stands."""

    novel: str
    title: str
    status: str
    phase: str
    pause: dict[str, Any] | None = None
    work: dict[str, Any] | None = None
    versions: dict[str, int]
    instructions: dict[str, int]
    written: dict[str, Any]
    limits: dict[str, Any]
    spent: dict[str, int]
    assets: list[dict[str, Any]]
    author: str | None = None


@observes(
    "status.read", summary="Where the novel stands and what is left of its limits.", input=StatusIn, output=StatusOut
)
def read(call: Call) -> Reply:
    """Carry it out."""
    held = services(call)
    novel = held.now
    head, config = novel.head, novel.config
    answer = StatusOut(
        novel=head.id,
        title=head.title,
        status=head.run.status.value,
        phase=head.run.phase.value,
        pause=None if head.run.pause is None else told(head.run.pause),
        work=_work(novel),
        versions={
            "outline": head.outline_revision,
            "approved": head.approved,
            "watermark": head.watermark,
            "content": head.content_revision,
            "generation": head.generation,
        },
        instructions={"received": head.received, "open": len(novel.open_instructions), "blocked": len(novel.blocked)},
        written=_written(novel),
        limits={**told(config.limits), "unit_maximum": config.unit_maximum},
        spent=told(head.spent),
        assets=[
            {"id": item.id, "kind": item.kind.value, "name": item.name, "entries": item.entries}
            for item in novel.assets.values()
        ],
        author=held.service.authors.holder(head.id) or None,
    )
    return Reply(answer.facts(), scope=head.id, target=head.id, summary=f"status: {head.run.status.value}")


def _work(novel: Novel) -> dict[str, Any] | None:
    intent = novel.head.run.intent
    if intent is None:
        return None
    facts = {"intent": intent.id, "kind": intent.kind.value, "why": intent.why.value, "state": intent.state.value}
    unit = None if intent.unit is None else novel.unit(intent.unit)
    if unit is not None:
        facts |= {"unit": unit.id, "unit_state": unit.state.value}
    return facts | ({"chapter": intent.chapter} if intent.chapter else {})


def _written(novel: Novel) -> dict[str, Any]:
    head, length, room = novel.head, novel.config.length, left(novel)
    facts: dict[str, Any] = {
        "characters": head.characters,
        "with_punctuation": head.punctuated,
        "commits": head.commits,
        "chapters": len(novel.chapters),
        "completed_chapters": novel.completed_chapters,
    }
    if isinstance(length, Target) and room is not None:
        facts |= {"target": length.characters, "low": length.low, "high": length.high}
        facts |= {"left_low": room.low, "left_high": room.high, "left_hard": room.hard}
    return facts
