"""What keeps a chapter or the novel from being completed: looked at, never taken on trust (seed 004, 7.3)."""

from __future__ import annotations

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.model import Chapter, ChapterState, SceneState, Target
from lantern_kit.novel.pace import owed
from lantern_kit.novel.whole import Novel


def chapter_findings(novel: Novel, chapter: Chapter) -> list[Finding]:
    """Why a chapter is not complete yet."""
    found = []
    units = novel.units_of(chapter.id)
    waiting = [scene for scene in chapter.scenes if scene.state is not SceneState.DONE]
    if not units:
        found.append(_finding("completion.empty", f"“{chapter.title}” has no prose", chapter.id))
    found += [
        _finding("completion.scene", f"the scene “{scene.goal[:80]}” is not done", scene.id, chapter.id)
        for scene in waiting
    ]
    if novel.head.claimed is not None:
        found.append(_finding("completion.claimed", "a unit is being written", novel.head.claimed))
    return found


def novel_findings(novel: Novel, ending: str) -> list[Finding]:
    """Why the novel is not complete yet.

    Args:
        ending: the commit that is said to hold the ending.
    """
    found = [
        _finding("completion.chapter", f"“{chapter.title}” is {chapter.state.value}", chapter.id)
        for chapter in novel.chapters.values()
        if chapter.state is not ChapterState.COMPLETED
    ]
    if not novel.chapters:
        found.append(_finding("completion.outline", "there are no chapters", novel.head.id))
    found += [
        _finding(
            "completion.foreshadow", f"“{item.what[:80]}” must be taken up, and is only {item.state.value}", item.id
        )
        for item in owed(novel)
    ]
    found += [
        _finding("completion.instruction", f"instruction {item.sequence} is {item.state.value}", item.id)
        for item in novel.open_instructions
    ]
    if novel.head.claimed is not None:
        found.append(_finding("completion.claimed", "a unit is being written", novel.head.claimed))
    last = next(reversed(list(novel.chapters.values())), None)
    unit = novel.commits.get(ending)
    if unit is None or last is None or unit.chapter != last.id:
        found.append(_finding("completion.ending", "the ending is a commit of the last chapter", ending[:40]))
    return found + _length(novel)


def _length(novel: Novel) -> list[Finding]:
    length, done = novel.config.length, novel.head.characters
    if not isinstance(length, Target) or length.low <= done <= length.high:
        return []
    told = f"{done:,} characters, where {length.low:,} to {length.high:,} are wanted"
    return [_finding("completion.length", told, novel.head.id)]


def _finding(rule: str, told: str, *ids: str) -> Finding:
    return Finding(rule, Severity.REFUSED, told, ids)
