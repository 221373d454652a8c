"""A novel in memory: immutable, all that one revision says; prose and assets stay in their blobs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Literal, TypeVar

from lantern_kit.kernel.errors import NotFound
from lantern_kit.novel.model import (
    Asset,
    Chapter,
    ChapterState,
    Commit,
    Config,
    Finished,
    Foreshadow,
    Id,
    Instruction,
    InstructionState,
    Person,
    PlanRevision,
    Record,
    Run,
    Scene,
    SceneState,
    Spent,
    Story,
    Unit,
    UnitState,
)
from lantern_kit.novel.model.values import Count, Name, Positive

T = TypeVar("T", bound=Record)


class Head(Record):
    """What a novel's document says of itself: small, for it is written at each step. Its versions never mix."""

    id: Id
    layout: Literal[1]
    """Of this document."""
    title: Name
    created_at: Count
    created_by: Name
    outline_revision: Count
    """0: there is no outline yet."""
    approved: Count
    """The outline revision that was let begin; 0: none yet."""
    received: Positive
    """Sequence of the newest instruction."""
    watermark: Count
    """Up to which sequence all instructions are dealt with."""
    generation: Count
    """Tokens of earlier ones are worth nothing."""
    content_revision: Count
    """Of the prose and its canon."""
    characters: Count
    punctuated: Count
    commits: Count
    units: Count
    """How many were ever prepared."""
    claimed: Id | None
    """The unit that somebody writes at."""
    run: Run
    spent: Spent
    finished: Finished | None
    """None until the novel is completed."""


@dataclass(frozen=True)
class Novel:
    """One revision of a novel. Mappings are by id and in order; they are never changed in place."""

    head: Head
    config: Config
    story: Story | None
    assets: Mapping[str, Asset]
    plans: Mapping[str, PlanRevision]
    people: Mapping[str, Person]
    foreshadows: Mapping[str, Foreshadow]
    chapters: Mapping[str, Chapter]
    instructions: Mapping[str, Instruction]
    units: Mapping[str, Unit]

    def with_head(self, **facts: Any) -> Novel:
        """The same with some facts of its head changed."""
        return self._handed(replace(self, head=changed(self.head, **facts)))

    def with_run(self, **facts: Any) -> Novel:
        """The same with some facts of its run changed."""
        return self.with_head(run=changed(self.head.run, **facts))

    def put(self, shelf: str, *items: Any) -> Novel:
        """The same with items of one mapping replaced or added at its end."""
        held: Any = {**getattr(self, shelf), **{item.id: item for item in items}}
        return self._handed(replace(self, **{shelf: held}), *(items if shelf in {"units", "chapters"} else ()))

    def _handed(self, made: Novel, *items: Unit | Chapter) -> Novel:
        """A novel that has some units and chapters otherwise than this one, with what is gathered here handed on to it.

        What is gathered only grows, for a committed unit is never written again; where one is, it is gathered anew.
        """
        if any(item.id in self.units and self.units[item.id].commit is not None for item in items):
            return made
        fresh = [item for item in items if isinstance(item, Unit) and item.commit is not None]
        commits, chapters = self.__dict__.get("commits"), self.__dict__.get("units_by_chapter")
        if commits is not None:
            made.__dict__["commits"] = {**commits, **{committed(unit).id: unit for unit in fresh}} if fresh else commits
        if chapters is not None:
            touched = {unit.chapter for unit in fresh} | {item.id for item in items if item.id in chapters}
            now = {
                name: _as_read(
                    made.chapters[name], [*chapters.get(name, ()), *(unit for unit in fresh if unit.chapter == name)]
                )
                for name in touched
            }
            held = {**chapters, **now} if now else chapters
            if not now.keys() <= chapters.keys():
                held = {name: held[name] for name in made.chapters if name in held}
            made.__dict__["units_by_chapter"] = held
        return made

    # finding

    def unit(self, unit: str) -> Unit:
        """A unit by id. Raises NotFound."""
        return _found(self.units, unit, "unit")

    def chapter(self, chapter: str) -> Chapter:
        """A chapter by id. Raises NotFound."""
        return _found(self.chapters, chapter, "chapter")

    def person(self, person: str) -> Person:
        """A person by id. Raises NotFound."""
        return _found(self.people, person, "person")

    def instruction(self, instruction: str) -> Instruction:
        """An instruction by id. Raises NotFound."""
        return _found(self.instructions, instruction, "instruction")

    def asset(self, asset: str) -> Asset:
        """A card or a book by id. Raises NotFound."""
        return _found(self.assets, asset, "asset")

    @cached_property
    def commits(self) -> Mapping[str, Unit]:
        """Units by the id of their commit, in the order of their commits."""
        done = [unit for unit in self.units.values() if unit.commit is not None]
        done.sort(key=lambda unit: committed(unit).content_revision)
        return {committed(unit).id: unit for unit in done}

    def units_of(self, chapter: str) -> list[Unit]:
        """Committed units of a chapter as they are read. Raises NotFound."""
        return list(self.units_by_chapter.get(self.chapter(chapter).id, ()))

    @cached_property
    def units_by_chapter(self) -> Mapping[str, Sequence[Unit]]:
        """Committed units of each chapter that has any, as they are read: by scene, then by part."""
        found: dict[str, list[Unit]] = {}
        for unit in self.units.values():
            if unit.commit is not None:
                found.setdefault(unit.chapter, []).append(unit)
        return {
            chapter.id: _as_read(chapter, found[chapter.id])
            for chapter in self.chapters.values()
            if chapter.id in found
        }

    def reading(self) -> Iterator[tuple[Chapter, Unit]]:
        """All committed units in the order of reading."""
        for chapter, units in self.units_by_chapter.items():
            for unit in units:
                yield self.chapters[chapter], unit

    @property
    def open_instructions(self) -> list[Instruction]:
        """Instructions past the watermark, in order."""
        return [item for item in self.instructions.values() if item.sequence > self.head.watermark]

    @property
    def blocked(self) -> list[Instruction]:
        """Instructions that are in conflict."""
        return [item for item in self.open_instructions if item.state is InstructionState.BLOCKED]

    @property
    def unanswered(self) -> list[Instruction]:
        """Blocked instructions that their author has not spoken of since they were found to be in conflict."""
        spoken = {item.answers: item.sequence for item in self.open_instructions if item.answers is not None}
        return [
            item
            for item in self.blocked
            if spoken.get(item.id, 0) <= (0 if item.conflict is None else item.conflict.after)
        ]

    @property
    def prepared(self) -> Unit | None:
        """The unit that is prepared and not claimed: always the newest, for another is made when it has given way."""
        newest = next(reversed([*self.units.values()]), None)
        return newest if newest is not None and newest.state is UnitState.PREPARED else None

    @property
    def completed_chapters(self) -> int:
        """How many chapters are completed."""
        return sum(1 for chapter in self.chapters.values() if chapter.state is ChapterState.COMPLETED)

    @property
    def current(self) -> Chapter | None:
        """The first chapter that is not completed."""
        return next((chapter for chapter in self.chapters.values() if chapter.completion is None), None)


def next_scene(chapter: Chapter) -> Scene | None:
    """The first scene of a chapter that is not done."""
    return next((scene for scene in chapter.scenes if scene.state is not SceneState.DONE), None)


def _as_read(chapter: Chapter, units: Iterable[Unit]) -> list[Unit]:
    """A chapter's units by scene, then by part."""
    place = {scene.id: at for at, scene in enumerate(chapter.scenes)}
    return sorted(units, key=lambda unit: (place.get(unit.scene, -1), unit.part))


def committed(unit: Unit) -> Commit:
    """The commit of a unit that has one."""
    if unit.commit is None:
        raise AssertionError(f"{unit.id} is not committed")
    return unit.commit


def changed(record: T, **facts: Any) -> T:
    """A record with some fields replaced, checked like any other."""
    return type(record)(**{**{name: getattr(record, name) for name in type(record).model_fields}, **facts})


def _found(held: Mapping[str, T], name: str, what: str) -> T:
    found = held.get(name)
    if found is None:
        raise NotFound(
            f"{name[:40]} is no {what} of this novel",
            expected=list(held)[:20],
            ids=[name[:40]],
            recovery="Read the outline or the status again and use an id it lists.",
        )
    return found
