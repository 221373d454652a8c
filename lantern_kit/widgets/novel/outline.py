"""The outline as the desk shows it: what is meant, beside how far it is."""

from __future__ import annotations

from collections import Counter
from typing import Any

from lantern_kit.comic.phrases import Language
from lantern_kit.novel.canon import canon
from lantern_kit.novel.formats.labels import changed
from lantern_kit.novel.length import planned
from lantern_kit.novel.model import PlanRevision, SceneState
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed
from lantern_kit.widgets.novel.prose import place

PLANS = 20
"""Revisions of the plan in one answer."""


def chapters(novel: Novel) -> list[dict[str, Any]]:
    """All chapters in a line each, in order; characters are effective ones."""
    written: Counter[str] = Counter()
    pieces: Counter[str] = Counter()
    for unit in novel.units.values():
        if unit.commit is not None:
            written[unit.chapter] += committed(unit).characters
            pieces[unit.chapter] += 1
    current = novel.current
    return [
        {
            "id": item.id,
            "title": item.title,
            "state": item.state.value,
            "current": item is current,
            "planned": planned(novel, item) if item is current else item.characters,
            "written": written[item.id],
            "pieces": pieces[item.id],
            "scenes": len(item.scenes),
            "done": sum(1 for scene in item.scenes if scene.state is SceneState.DONE),
        }
        for item in novel.chapters.values()
    ]


def chapter_plan(novel: Novel, chapter: str) -> dict[str, Any]:
    """What is planned for a chapter, with its scenes. Raises NotFound."""
    held = novel.chapter(chapter)
    claimed = None if novel.head.claimed is None else novel.unit(novel.head.claimed).scene
    return {
        "id": held.id,
        "purpose": held.purpose,
        "events": list(held.events),
        "people": [novel.person(name).name for name in held.people],
        "entry": held.entry,
        "exit": held.exit,
        "evidence": "" if held.completion is None else held.completion.evidence,
        "open": [] if held.completion is None else list(held.completion.open),
        "scenes": [
            {
                "id": scene.id,
                "goal": scene.goal,
                "state": scene.state.value,
                "claimed": scene.id == claimed,
                "people": [novel.person(name).name for name in scene.people],
                "place": scene.place,
                "time": scene.time,
            }
            for scene in held.scenes
        ],
    }


def cast(service: NovelService, novel: Novel) -> list[dict[str, Any]]:
    """The people: what is planned for them, and how they are by what is written, with its paragraphs."""
    known = canon(novel)
    return [
        {
            "id": item.id,
            "name": item.name,
            "aliases": list(item.aliases),
            "card": "" if item.card is None else novel.asset(item.card).name,
            "role": item.role,
            "motive": item.motive,
            "arc": item.arc,
            "choices": list(item.choices),
            "states": [
                {"aspect": aspect, "value": state.value, "at": place(service, novel, state.source)}
                for (person, aspect), state in known.states.items()
                if person == item.id
            ],
        }
        for item in novel.people.values()
    ]


def foreshadows(service: NovelService, novel: Novel) -> list[dict[str, Any]]:
    """What is planted to be taken up: planned where, and done where."""

    def title(chapter: str | None) -> str:
        return "" if chapter is None or chapter not in novel.chapters else novel.chapter(chapter).title

    return [
        {
            "id": item.id,
            "what": item.what,
            "required": item.required,
            "state": item.state.value,
            "plant": title(item.plant),
            "resolve": title(item.resolve),
            "planted": place(service, novel, item.planted),
            "resolved": place(service, novel, item.resolved),
        }
        for item in novel.foreshadows.values()
    ]


def plans(novel: Novel, before: int | None, language: Language) -> list[dict[str, Any]]:
    """Revisions of the plan, newest first, before one."""
    found = [item for item in novel.plans.values() if before is None or item.number < before]
    return [plan(novel, item, language) for item in reversed(found[-PLANS:])]


def plan(novel: Novel, revision: PlanRevision, language: Language) -> dict[str, Any]:
    """One revision of the plan, with what it changed."""
    return {
        "number": revision.number,
        "why": revision.why.value,
        "reason": revision.reason,
        "changed": [changed(line, language) for line in revision.changed],
        "chapters": [
            {"id": name, "title": novel.chapters[name].title if name in novel.chapters else ""}
            for name in revision.chapters[:60]
        ],
        "instructions": [novel.instruction(name).sequence for name in revision.instructions],
        "overrides": [{"finding": item.finding, "reason": item.reason} for item in revision.overrides],
        "by": revision.by,
        "at": revision.at,
    }
