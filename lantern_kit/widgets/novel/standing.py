"""Whether a novel goes on, with what, who writes it, and what that took so far against its limits."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.phrases import Language
from lantern_kit.novel.length import left
from lantern_kit.novel.model import MILLION, Target
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.configured import TOLERANCE
from lantern_kit.widgets.novel.words import paused

_MINUTE = 60_000
LIMITS = ("turns", "planning_turns", "minutes", "tokens", "failures", "stalled")
"""Limits that the desk offers to change."""


def run(novel: Novel, language: Language) -> dict[str, Any]:
    """Status, phase, why it is paused, and the work that is asked for."""
    held = novel.head.run
    told = None
    if held.pause is not None:
        title, more, todo = paused(held.pause, language)
        told = {"reason": held.pause.reason.value, "title": title, "told": more, "todo": todo, "at": held.pause.at}
    return {"status": held.status.value, "phase": held.phase.value, "pause": told, "work": _work(novel)}


def _work(novel: Novel) -> dict[str, Any] | None:
    intent = novel.head.run.intent
    if intent is None:
        return None
    chapter = None if intent.chapter is None else novel.chapters.get(intent.chapter)
    unit = None if intent.unit is None else novel.unit(intent.unit)
    scene = None
    if unit is not None and chapter is not None:
        scene = next((item for item in chapter.scenes if item.id == unit.scene), None)
    return {
        "kind": intent.kind.value,
        "why": intent.why.value,
        "sent": intent.sent,
        "at": intent.at,
        "chapter": None if chapter is None else {"id": chapter.id, "title": chapter.title},
        "unit": None
        if unit is None
        else {
            "id": unit.id,
            "number": unit.number,
            "part": unit.part,
            "low": unit.low,
            "high": unit.high,
            "state": unit.state.value,
            "author": unit.attempts[-1].author if unit.attempts else "",
            "tries": len(unit.attempts),
        },
        "scene": "" if scene is None else scene.goal,
    }


def length(novel: Novel) -> dict[str, Any]:
    """How much is written, aimed at, and left: effective characters by the novel's count policy."""
    aim, room = novel.config.length, left(novel)
    told: dict[str, Any] = {
        "written": novel.head.characters,
        "punctuated": novel.head.punctuated,
        "policy": novel.config.count_policy,
        "target": None,
    }
    if isinstance(aim, Target) and room is not None:
        told["target"] = {
            "characters": aim.characters,
            "low": aim.low,
            "high": aim.high,
            "hard": aim.hard_maximum,
            "left_low": room.low,
            "left_high": room.high,
            "left_hard": room.hard,
        }
    return told


def config(novel: Novel) -> dict[str, Any]:
    """What a person may change of it; lengths in effective characters, the tolerance as a part of the length.

    How many chapters there are to be is told as long as it can be changed.
    """
    held, limits = novel.config, novel.config.limits
    aim = held.length if isinstance(held.length, Target) else None
    told = {
        "length": None if aim is None else aim.characters,
        "tolerance": TOLERANCE if aim is None else aim.tolerance / MILLION,
        "hard_maximum": None if aim is None else aim.hard_maximum,
        "unit_maximum": held.unit_maximum,
        "limits": {name: getattr(limits, name) for name in LIMITS},
    }
    return told if novel.head.outline_revision else {**told, "chapters": held.chapters}


def spent(novel: Novel) -> list[dict[str, Any]]:
    """What the run took, each beside its limit; ``most`` is None where there is none."""
    used, limits = novel.head.spent, novel.config.limits
    rows: list[tuple[str, int, int | None]] = [
        ("turns", used.turns, limits.turns),
        ("planning_turns", used.planning_turns, limits.planning_turns),
        ("minutes", used.milliseconds // _MINUTE, limits.minutes),
        ("tokens", used.input_tokens + used.output_tokens, limits.tokens),
        ("requests", used.requests, None),
        ("deductions", used.deductions, limits.deductions.total),
        ("failures", used.failures, limits.failures),
        ("stalled", used.stalled, limits.stalled),
    ]
    return [{"what": what, "used": count, "most": most} for what, count, most in rows]


def assets(novel: Novel) -> list[dict[str, Any]]:
    """Cards and books, as they were fixed when the novel was begun."""
    return [
        {
            "id": item.id,
            "kind": item.kind.value,
            "name": item.name,
            "file": item.file,
            "form": item.form,
            "entries": item.entries,
            "within": "" if item.within is None else novel.asset(item.within).name,
            "digest": item.original[:12],
        }
        for item in novel.assets.values()
    ]
