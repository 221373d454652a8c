"""Outlines that stop early: lists a model did not finish are no plans (seed 004, 6.1)."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.novel.finding import Finding, Severity
from lantern_kit.novel.guards.unfinished import breaks_off, number_of, pairs, several, stands_for
from lantern_kit.novel.model import Chapter, ChapterState, ForeshadowState, Person, Scene
from lantern_kit.novel.whole import Novel, next_scene


def outline_findings(before: Novel, after: Novel) -> list[Finding]:
    """What an outline lacks; of what a revision left as it was, only what others rely on is looked at."""
    return [
        *_chapters(before, after),
        *_numbers(before, after),
        *_foreshadows(after),
        *(finding for item in _new(before, after) for finding in _told(item)),
        *_copies(before, after),
        *_people(before, after),
        *_ending(after),
    ]


def _chapters(before: Novel, after: Novel) -> Iterator[Finding]:
    wanted, there = after.config.chapters, len(after.chapters)
    if wanted is not None and there != wanted and (not before.chapters or len(before.chapters) == wanted):
        told = f"chapters planned: {there}; asked for: {wanted}"
        yield Finding("coverage.chapters", Severity.OVERRIDE, told, (after.head.id,))
    if not after.chapters:
        yield Finding("coverage.none", Severity.REFUSED, "the outline has no chapter", (after.head.id,))
    current = after.current
    if not before.chapters and current is not None and next_scene(current) is None:
        told = "the first chapter has no scene to begin with"
        yield Finding("coverage.scene", Severity.REFUSED, told, (current.id,))


def _numbers(before: Novel, after: Novel) -> Iterator[Finding]:
    """Titles that stand for several chapters, or whose numbers leave some out."""
    last: tuple[int, Chapter] | None = None
    for chapter in after.chapters.values():
        number = number_of(chapter.title)
        fresh = before.chapters.get(chapter.id) is not chapter
        if fresh and several(chapter.title):
            told = f"“{chapter.title[:60]}” stands for several chapters"
            yield Finding("coverage.range", Severity.REFUSED, told, (chapter.id,))
        elif number is not None and last is not None and number != last[0] + 1 and fresh:
            told = f"“{chapter.title[:60]}” follows “{last[1].title[:60]}”"
            yield Finding("coverage.contiguous", Severity.OVERRIDE, told, (last[1].id, chapter.id))
        last = last if number is None else (number, chapter)


def _foreshadows(after: Novel) -> Iterator[Finding]:
    place = {name: at for at, name in enumerate(after.chapters)}
    for item in after.foreshadows.values():
        if not item.required or item.state in {ForeshadowState.RESOLVED, ForeshadowState.DROPPED}:
            continue
        last = place.get(item.resolve or "")
        if last is None or place.get(item.plant or "", last) > last:
            told = f"“{item.what[:60]}” must be taken up, and no later chapter is planned for that"
            yield Finding("coverage.foreshadow", Severity.OVERRIDE, told, (item.id,))


def _new(before: Novel, after: Novel) -> Iterator[Chapter]:
    """Chapters that are new or changed, and not completed."""
    for chapter in after.chapters.values():
        if before.chapters.get(chapter.id) is not chapter and chapter.state is not ChapterState.COMPLETED:
            yield chapter


def _told(chapter: Chapter) -> Iterator[Finding]:
    """What of a chapter's plan was left out, or stops in its middle."""
    if not chapter.events:
        told = f"“{chapter.title[:60]}” has no event"
        yield Finding("coverage.events", Severity.OVERRIDE, told, (chapter.id,))
    lines = [("title", chapter.title), ("purpose", chapter.purpose)]
    lines += [("an event", event) for event in chapter.events]
    yield from _lines(chapter, lines)
    for scene in chapter.scenes:
        yield from _lines(scene, [("goal", scene.goal)])


def _lines(item: Chapter | Scene, lines: list[tuple[str, str]]) -> Iterator[Finding]:
    for what, text in lines:
        if stands_for(text):
            told = f"{what}: “{text[:60]}” stands for something that was left out"
            yield Finding("coverage.placeholder", Severity.REFUSED, told, (item.id,))
            return
        if breaks_off(text):
            told = f"{what}: “…{text[-40:]}” breaks off"
            yield Finding("coverage.broken", Severity.OVERRIDE, told, (item.id,))
            return


def _copies(before: Novel, after: Novel) -> Iterator[Finding]:
    """Chapters that are to tell what another tells."""
    seen: dict[tuple[str, tuple[str, ...]], Chapter] = {}
    for chapter in after.chapters.values():
        own = (chapter.purpose, chapter.events)
        first = seen.setdefault(own, chapter)
        if first is not chapter and chapter.events and before.chapters.get(chapter.id) is not chapter:
            told = f"“{chapter.title[:60]}” is to tell what “{first.title[:60]}” tells"
            yield Finding("coverage.copy", Severity.OVERRIDE, told, (first.id, chapter.id))


def _people(before: Novel, after: Novel) -> Iterator[Finding]:
    """People of whom nothing is planned."""
    for person in after.people.values():
        if before.people.get(person.id) is not person and not _planned(person):
            told = f"{person.name} has neither a role nor a motive nor an arc"
            yield Finding("coverage.person", Severity.NOTE, told, (person.id,))


def _planned(person: Person) -> bool:
    return bool(person.role or person.motive or person.arc)


def _ending(after: Novel) -> Iterator[Finding]:
    """An ending that nothing in the last chapters speaks of."""
    words = frozenset() if after.story is None else pairs(after.story.ending)
    chapters = list(after.chapters.values())
    last = chapters[-max(1, len(chapters) // 4) :]
    told = " ".join(
        " ".join((item.purpose, item.exit, *item.events, *(scene.goal for scene in item.scenes))) for item in last
    )
    if words and last and not words & pairs(told):
        message = "no word of the ending stands in the plan of the last chapters"
        yield Finding("coverage.ending", Severity.NOTE, message, (last[-1].id,))
