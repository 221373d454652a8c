"""A novel as it is read: chapters with their prose in order, at one revision, and nothing else that a novel holds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.novel.model import Chapter, ChapterState, Status, Unit
from lantern_kit.novel.whole import Novel, committed

Read = Callable[[str], Sequence[str]]
"""Gives the paragraphs of a commit."""
BASE, FOLDER = "en", "chapters"
_WORDS: Mapping[str, tuple[str, str, str]] = {
    BASE: (
        "Unfinished: {done} of {all} chapters are complete, as of revision {revision}.",
        "Finished.",
        "Contents",
    ),
    "zh": ("未完结：共 {all} 章，已完成 {done} 章，截至修订 {revision}。", "已完结。", "目录"),
}


@dataclass(frozen=True)
class Section:
    """The prose of one scene."""

    scene: str
    commits: tuple[str, ...]
    paragraphs: tuple[str, ...]


@dataclass(frozen=True)
class Part:
    """A chapter that has prose."""

    id: str
    number: int
    """Its place in the outline, from 1."""
    title: str
    completed: bool
    sections: tuple[Section, ...]
    characters: int
    punctuated: int

    @property
    def paragraphs(self) -> tuple[str, ...]:
        """All its prose, in order."""
        return tuple(paragraph for section in self.sections for paragraph in section.paragraphs)

    @property
    def file(self) -> str:
        """The path of its Markdown, the program's own: nothing anybody wrote goes into it."""
        return chapter_file(self.number, self.id)


@dataclass(frozen=True)
class Edition:
    """A novel at one revision, ready to be set in any form."""

    novel: Novel
    revision: str
    """``r41``."""
    committed_at: int
    """When that revision was made, in milliseconds since 1970."""
    parts: tuple[Part, ...]

    @property
    def title(self) -> str:
        """What stands on its cover."""
        return title_of(self.novel)

    @property
    def finished(self) -> bool:
        """Whether the novel was completed."""
        return self.novel.head.run.status is Status.COMPLETED

    @property
    def notice(self) -> str:
        """That it is unfinished, and how far it is; empty of a finished one."""
        if self.finished:
            return ""
        chapters = self.novel.chapters.values()
        done = sum(1 for chapter in chapters if chapter.state is ChapterState.COMPLETED)
        return words(self.novel)[0].format(done=done, all=len(chapters), revision=self.revision)

    @property
    def writers(self) -> tuple[str, ...]:
        """Who wrote its prose, as they are called in its commits, in order."""
        return tuple(dict.fromkeys(committed(unit).author for unit in self.novel.commits.values()))

    def facts(self) -> dict[str, Any]:
        """What it says of itself, as plain data."""
        head, config = self.novel.head, self.novel.config
        return {
            "novel": head.id,
            "title": self.title,
            "language": config.language,
            "genre": config.genre,
            "view": config.view,
            "status": "completed" if self.finished else "unfinished",
            "revision": self.revision,
            "committed_at": self.committed_at,
            "content_revision": head.content_revision,
            "outline_revision": head.outline_revision,
            "count_policy": config.count_policy,
            "characters": head.characters,
            "punctuated": head.punctuated,
            "written_by": list(self.writers),
        }


def edition(novel: Novel, revision: str, committed_at: int, read: Read) -> Edition:
    """A novel with its prose. Raises what reading prose raises."""
    pieces = units_by_chapter(novel)
    parts = [
        part(chapter, number, pieces[chapter.id], read)
        for number, chapter in enumerate(novel.chapters.values(), 1)
        if chapter.id in pieces
    ]
    return Edition(novel, revision, committed_at, tuple(parts))


def part(chapter: Chapter, number: int, units: Sequence[Unit], read: Read) -> Part:
    """A chapter with its prose."""
    held: dict[str, list[Unit]] = {}
    for unit in units:
        held.setdefault(unit.scene, []).append(unit)
    sections = []
    for scene, pieces in held.items():
        names = tuple(committed(unit).id for unit in pieces)
        sections.append(Section(scene, names, tuple(text for name in names for text in read(name))))
    return Part(
        id=chapter.id,
        number=number,
        title=chapter.title,
        completed=chapter.state is ChapterState.COMPLETED,
        sections=tuple(sections),
        characters=sum(committed(unit).characters for unit in units),
        punctuated=sum(committed(unit).punctuated for unit in units),
    )


def units_by_chapter(novel: Novel) -> dict[str, list[Unit]]:
    """Committed units of each chapter that has any, as they are read; one pass over all units."""
    found: dict[str, list[Unit]] = {}
    for unit in novel.units.values():
        if unit.commit is not None:
            found.setdefault(unit.chapter, []).append(unit)
    for chapter, units in found.items():
        place = {scene.id: at for at, scene in enumerate(novel.chapter(chapter).scenes)}
        units.sort(key=lambda unit: (place.get(unit.scene, -1), unit.part))
    return found


def content_of(chapter: Chapter, number: int, units: Sequence[Unit]) -> str:
    """What all that is shown of a chapter is known by: equal names, equal pages."""
    pieces = [[unit.scene, committed(unit).id, committed(unit).body] for unit in units]
    return digest(dumps([number, chapter.title, pieces])).hex()


def chapter_file(number: int, chapter: str) -> str:
    """The path of a chapter's Markdown below its novel's folder."""
    return f"{FOLDER}/{number:04}-{chapter}.md"


def title_of(novel: Novel) -> str:
    """The title that the outline gives, or the one the novel was begun with."""
    return novel.head.title if novel.story is None else novel.story.title


def words(novel: Novel) -> tuple[str, str, str]:
    """What an edition says beside the prose, in the novel's language if there are words for it, else in English."""
    return _WORDS.get(novel.config.language.lower().partition("-")[0], _WORDS[BASE])
