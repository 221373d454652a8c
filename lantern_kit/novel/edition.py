"""A novel as it is read: chapters with their prose in order, at one revision, and nothing else that a novel holds."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.novel.model import Chapter, ChapterState, Status, Unit
from lantern_kit.novel.whole import Novel, committed

Read = Callable[[str], Sequence[str]]
"""Gives the paragraphs of a commit."""
FOLDER = "chapters"
_TAG = re.compile(
    r"[A-Za-z]{2,3}(-[A-Za-z]{4})?(-([A-Za-z]{2}|[0-9]{3}))?(-([A-Za-z0-9]{5,8}|[0-9][A-Za-z0-9]{3}))?"
    r"(-[a-wy-z](-[A-Za-z0-9]{2,8})+)?(-x(-[A-Za-z0-9]{1,8})+)?"
)
"""Language tags by RFC 5646, with one variant and one extension at most."""


@dataclass(frozen=True)
class Words:
    """What an edition says beside the prose."""

    unfinished: str
    written: str
    contents: str


ENGLISH = Words(
    "Unfinished: {done} of {all} chapters are complete, as of revision {revision}.", "Written by {names}.", "Contents"
)
_WORDS = {"zh": Words("未完结：共 {all} 章，已完成 {done} 章，截至修订 {revision}。", "撰写：{names}。", "目录")}


@dataclass(frozen=True)
class Section:
    """The prose of one scene."""

    scene: str
    sources: tuple[str, ...]
    """Of each paragraph, the place in the canon: ``cm_7kq2m9x4:3``."""
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
        done, there = self.novel.completed_chapters, len(self.novel.chapters)
        return words(self.novel).unfinished.format(done=done, all=there, revision=self.revision)

    @property
    def credit(self) -> str:
        """Who wrote it; empty where nobody did yet. A stand-in says of itself that it is one."""
        return words(self.novel).written.format(names=", ".join(self.writers)) if self.writers else ""

    @property
    def cover(self) -> tuple[str, ...]:
        """What stands under its title."""
        return tuple(line for line in (self.notice, self.credit) if line)

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
    parts = [part(chapter, number, units, read) for chapter, number, units in with_prose(novel)]
    return Edition(novel, revision, committed_at, tuple(parts))


def with_prose(novel: Novel) -> Iterator[tuple[Chapter, int, Sequence[Unit]]]:
    """Chapters that have prose, each with its place in the outline, from 1, and its units as they are read."""
    for number, chapter in enumerate(novel.chapters.values(), 1):
        if chapter.id in novel.units_by_chapter:
            yield chapter, number, novel.units_by_chapter[chapter.id]


def part(chapter: Chapter, number: int, units: Sequence[Unit], read: Read) -> Part:
    """A chapter with its prose."""
    held: dict[str, list[Unit]] = {}
    for unit in units:
        held.setdefault(unit.scene, []).append(unit)
    sections = []
    for scene, pieces in held.items():
        sources, texts = [], []
        for unit in pieces:
            name = committed(unit).id
            for place, text in enumerate(read(name)):
                sources.append(f"{name}:{place}")
                texts.append(text)
        sections.append(Section(scene, tuple(sources), tuple(texts)))
    return Part(
        id=chapter.id,
        number=number,
        title=chapter.title,
        completed=chapter.state is ChapterState.COMPLETED,
        sections=tuple(sections),
        characters=sum(committed(unit).characters for unit in units),
        punctuated=sum(committed(unit).punctuated for unit in units),
    )


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


def words(novel: Novel) -> Words:
    """What an edition says beside the prose, in the novel's language if there are words for it, else in English."""
    return _WORDS.get(novel.config.language.lower().partition("-")[0], ENGLISH)


def language_tag(novel: Novel) -> str:
    """The novel's language as books name it: a well-formed tag, or ``und``."""
    found = novel.config.language
    return found if _TAG.fullmatch(found) else "und"
