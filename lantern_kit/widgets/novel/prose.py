"""Committed prose as the desk reads it, and the places in it that others point at."""

from __future__ import annotations

from typing import Any

from lantern_kit.novel.model import Source, Unit
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed

AT_ONCE = 300_000
"""Characters of prose in one answer; what comes after is asked for by its unit."""
QUOTED = 160


def chapter_prose(service: NovelService, novel: Novel, chapter: str, start: int) -> dict[str, Any]:
    """The prose of a chapter from one of its units on, as much as fits one answer. Raises NotFound, Corrupt."""
    units = novel.units_of(chapter)
    told: list[dict[str, Any]] = []
    size = 0
    for unit in units[start:]:
        held = committed(unit)
        if told and size + held.size > AT_ONCE:
            break
        size += held.size
        told.append(
            {
                "commit": held.id,
                "scene": unit.scene,
                "part": unit.part,
                "characters": held.characters,
                "author": held.author,
                "at": held.at,
                "paragraphs": list(service.paragraphs(novel, held.id)),
            }
        )
    end = start + len(told)
    return {
        "chapter": chapter,
        "title": novel.chapter(chapter).title,
        "units": told,
        "all": len(units),
        "next": end if end < len(units) else None,
    }


def place(service: NovelService, novel: Novel, source: Source | None) -> dict[str, Any] | None:
    """A paragraph that something points at: where it stands and how it begins."""
    if source is None or source.commit not in novel.commits:
        return None
    unit = novel.commits[source.commit]
    words = service.paragraphs(novel, source.commit)[source.paragraph]
    return {
        "commit": source.commit,
        "paragraph": source.paragraph,
        "chapter": unit.chapter,
        "title": novel.chapter(unit.chapter).title,
        "number": _number(novel, unit) + source.paragraph,
        "quote": words if len(words) <= QUOTED else f"{words[: QUOTED - 1]}…",
    }


def _number(novel: Novel, unit: Unit) -> int:
    """The number that the first paragraph of a piece has in its chapter, from 1."""
    before = 1
    for other in novel.units_of(unit.chapter):
        if other.id == unit.id:
            break
        before += committed(other).paragraphs
    return before
