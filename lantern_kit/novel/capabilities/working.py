"""``work.next``: how a host that is not the kit's own is given its work, one intent after the other (seed 004, 12)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from lantern_kit.kernel.answer import In, Key, Out
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.novel.brief import ROOM, Brief, brief
from lantern_kit.novel.capabilities.registry import authors
from lantern_kit.novel.capabilities.services import NovelServices, services
from lantern_kit.novel.model import Intent
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.whole import Novel

DEEDS: Mapping[str, str] = {
    "create_outline": "outline_create",
    "revise_outline": "outline_revise",
    "block": "requirement_block",
    "claim": "unit_claim",
    "commit": "body_commit",
    "supersede": "unit_supersede",
    "complete_chapter": "chapter_complete",
    "finish": "finish",
}
"""Tools by the desk's deeds that they do."""
USUAL = 20_000
"""Characters of a brief in an answer, unless what must be told takes more."""


class NextIn(In):
    """Nothing but the key."""

    idempotency_key: Key


class NextOut(Out):
    """One piece of work with its brief, or why there is none."""

    intent: str | None = None
    kind: str | None = None
    why: str | None = None
    unit: str | None = None
    chapter: str | None = None
    outline: int
    watermark: int
    content: int
    brief: str | None = None
    halt: str | None = None
    reason: str | None = None
    resume: str | None = None
    ids: list[str] | None = None


@dataclass(frozen=True)
class _Told:
    """A brief, kept until it is answered with."""

    held: NovelServices

    def __call__(self, novel: Novel, intent: Intent) -> Brief | Halt:
        told = brief(novel, intent, self.held.reader, room=USUAL, deed=name_of, whole=True)
        return told if isinstance(told, Brief) else brief(novel, intent, self.held.reader, room=ROOM, deed=name_of)


def name_of(deed: str) -> str:
    """The tool that does a deed of the desk."""
    return DEEDS.get(deed, deed)


def _ready(call: Call) -> None:
    """The seat taken, and what is read beside the novel brought up, before the lock."""
    services(call).served.take(call.actor)


@authors(
    "work.next",
    summary="End the work before, and give the next one with its brief; or say why there is none.",
    input=NextIn,
    output=NextOut,
    prepare=_ready,
)
def following(call: Call) -> Reply:
    """Carry it out."""
    held = services(call)
    moment, given = held.served.next(call.transaction, _Told(held))
    head = moment.novel.head
    facts: dict[str, Any] = {
        "outline": head.outline_revision,
        "watermark": head.watermark,
        "content": head.content_revision,
    }
    if isinstance(given, Halt):
        pause = head.run.pause
        reason = given.reason or (None if pause is None else pause.reason)
        facts |= {
            "halt": given.told,
            "reason": head.run.status.value if reason is None else reason.value,
            "resume": given.resume or (None if pause is None else pause.resume),
            "ids": list(given.ids) or None,
        }
        summary, target = "no work", head.id
    else:
        intent, told = given
        facts |= {
            "intent": intent.id,
            "kind": intent.kind.value,
            "why": intent.why.value,
            "unit": intent.unit,
            "chapter": intent.chapter,
            "brief": told.text,
        }
        summary, target = f"work: {intent.kind.value}", intent.id
    answer = NextOut(**facts)
    return Reply(answer.facts(), scope=head.id, target=target, summary=summary, revision=moment.revision.number)
