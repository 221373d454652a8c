"""The outline: what is meant to be written, in layers (seed 004, 6.1). It says nothing of what was written."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.novel.model.run import Why
from lantern_kit.novel.model.unit import FindingOverride
from lantern_kit.novel.model.values import Count, Id, Line, Lines, Name, Positive, Record, Source, Text


class PlanRevision(Record):
    """One revision of the outline, as it is told of."""

    id: Id
    number: Positive
    """The outline revision that it made."""
    why: Why
    reason: Text
    instructions: Annotated[tuple[Id, ...], Field(max_length=500)]
    """Those that it dealt with."""
    chapters: Annotated[tuple[Id, ...], Field(max_length=600)]
    """Those that it added, changed or dropped."""
    changed: Annotated[tuple[Line, ...], Field(max_length=40)]
    """What it changed, in the kit's words."""
    overrides: Annotated[tuple[FindingOverride, ...], Field(max_length=20)]
    by: Line
    at: Count


class Override(Record):
    """Where the novel keeps away from a card or a book, by an author's instruction."""

    setting: Text
    instruction: Id
    asset: Id | None


class Story(Record):
    """The whole in a few words."""

    title: Name
    premise: Text
    theme: Text
    conflict: Text
    ending: Text
    view: Line
    style: Text
    taboos: Lines
    overrides: Annotated[tuple[Override, ...], Field(max_length=200)]


class Bond(Record):
    """How somebody stands to another when the story begins."""

    to: Id
    what: Text


class Person(Record):
    """Somebody of the story, as planned."""

    id: Id
    name: Name
    aliases: Annotated[tuple[Name, ...], Field(max_length=20)]
    card: Id | None
    """The asset they come from."""
    role: Line
    initial: Text
    motive: Text
    bonds: Annotated[tuple[Bond, ...], Field(max_length=60)]
    arc: Text
    choices: Lines
    knows: Lines
    """What only those know who are told, and this person knows from the start."""


class SceneState(StrEnum):
    """How far a scene is."""

    PLANNED = "planned"
    WRITING = "writing"
    DONE = "done"


class Scene(Record):
    """A scene of the current detail."""

    id: Id
    goal: Text
    people: Annotated[tuple[Id, ...], Field(max_length=40)]
    place: Line
    time: Line
    cause: Text
    """What it follows from."""
    conflict: Text
    change: Text
    """What is to be otherwise after it."""
    anchor: Text
    """Where it takes the story up; of a scene under way, where its last fragment left it."""
    state: SceneState


class ChapterState(StrEnum):
    """How far a chapter is; only commits and completions move it."""

    PLANNED = "planned"
    WRITING = "writing"
    COMPLETED = "completed"


class Completion(Record):
    """Why a chapter is complete."""

    evidence: Text
    open: Lines
    content_revision: Count
    at: Count


class Chapter(Record):
    """A chapter: its plan and, once it is near, its scenes."""

    id: Id
    title: Name
    purpose: Text
    events: Lines
    people: Annotated[tuple[Id, ...], Field(max_length=60)]
    characters: Count
    """Its planned length in effective characters; 0: its fair part."""
    entry: Text
    exit: Text
    scenes: Annotated[tuple[Scene, ...], Field(max_length=60)]
    state: ChapterState
    completion: Completion | None


class ForeshadowState(StrEnum):
    """How far a foreshadow is; only commits move it, but for one that was dropped."""

    PLANNED = "planned"
    PLANTED = "planted"
    RESOLVED = "resolved"
    DROPPED = "dropped"


class Foreshadow(Record):
    """Something planted to be taken up again."""

    id: Id
    what: Text
    plant: Id | None
    """Chapter in which it is to be planted."""
    resolve: Id | None
    """Chapter in which it is to be taken up again at the latest."""
    required: bool
    state: ForeshadowState
    planted: Source | None
    resolved: Source | None
