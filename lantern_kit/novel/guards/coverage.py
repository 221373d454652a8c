"""Outlines that stop early: lists a model did not finish are no plans (seed 004, 6.1)."""

from __future__ import annotations

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.model import ForeshadowState
from lantern_kit.novel.whole import Novel, next_scene


def outline_findings(before: Novel, after: Novel) -> list[Finding]:
    """What an outline lacks: chapters that were asked for, a scene to begin with, places for what must be taken up."""
    found = []
    wanted, there = after.config.chapters, len(after.chapters)
    if wanted is not None and there != wanted and (not before.chapters or len(before.chapters) == wanted):
        found.append(
            Finding(
                "coverage.chapters",
                Severity.OVERRIDE,
                f"{there} chapters are planned, where {wanted} were asked for",
                (after.head.id,),
            )
        )
    if not after.chapters:
        found.append(Finding("coverage.none", Severity.REFUSED, "the outline has no chapter", (after.head.id,)))
    current = after.current
    if not before.chapters and current is not None and next_scene(current) is None:
        found.append(
            Finding("coverage.scene", Severity.REFUSED, "the first chapter has no scene to begin with", (current.id,))
        )
    place = {name: at for at, name in enumerate(after.chapters)}
    for item in after.foreshadows.values():
        if not item.required or item.state in {ForeshadowState.RESOLVED, ForeshadowState.DROPPED}:
            continue
        if item.resolve is None or (item.plant is not None and place[item.plant] > place[item.resolve]):
            told = f"“{item.what[:60]}” must be taken up, and no later chapter is planned for that"
            found.append(Finding("coverage.foreshadow", Severity.OVERRIDE, told, (item.id,)))
    return found
