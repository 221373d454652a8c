"""The outline as authors send it: an overlay by stable ids (seed 004, 6.1).

What is sent replaces or adds, item by item; a field that is left out, or null, stays as it was; an empty text or list
clears it, where it may be empty; what is not sent stays whole.
Nothing goes away but what ``dropped_…`` names. New items take a name of the author's (``as``), by which others of the
same plan mean them (``@name``); the kit gives their ids.
"""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lantern_kit.novel.model.values import Line, Lines, Name, Text

Ref = Annotated[str, Field(min_length=1, max_length=60, description="an id, or @name of an item of this plan")]
As = Annotated[
    str | None,
    Field(alias="as", pattern=r"^[a-z][a-z0-9_]{0,39}$", description="of a new item: a name for @name"),
]
Chosen = Annotated[
    str | None, Field(max_length=60, description="a chapter, by id or @name; empty text: none; left out: as it is")
]
After = Annotated[
    str | None,
    Field(max_length=60, description="its place: after this one; empty text: first; left out: as it is, or last"),
]


class In(BaseModel):
    """A part of a plan; unknown keys are refused."""

    model_config = ConfigDict(frozen=True, extra="forbid", populate_by_name=True)


class OverrideIn(In):
    """Where the novel keeps away from a card or a book."""

    setting: Text
    instruction: Annotated[str, Field(description="in_… that asks for it")]
    asset: str | None = None


class StoryIn(In):
    """The whole; a first outline needs title, premise, theme, conflict and ending."""

    title: Name | None = None
    premise: Text | None = None
    theme: Text | None = None
    conflict: Text | None = None
    ending: Text | None = None
    view: Line | None = None
    style: Text | None = None
    taboos: Lines | None = None
    overrides: Annotated[
        tuple[OverrideIn, ...], Field(max_length=200, description="further ones; those that are there stay")
    ] = ()
    dropped_overrides: Annotated[
        tuple[str, ...], Field(max_length=200, description="in_… whose overrides no longer hold")
    ] = ()


class BondIn(In):
    """How somebody stands to another at the start."""

    to: Ref
    what: Text


class PersonIn(In):
    """Somebody; a new one needs a name."""

    id: str | None = None
    as_: As = None
    name: Name | None = None
    aliases: Annotated[tuple[Name, ...], Field(max_length=20)] | None = None
    card: Annotated[str | None, Field(description="ns_… of the card they come from; empty text: none")] = None
    role: Line | None = None
    initial: Text | None = None
    motive: Text | None = None
    bonds: Annotated[tuple[BondIn, ...], Field(max_length=60)] | None = None
    arc: Text | None = None
    choices: Lines | None = None
    knows: Annotated[Lines | None, Field(description="secrets known from the start")] = None


class SceneIn(In):
    """A scene; a new one needs a goal."""

    id: str | None = None
    as_: As = None
    after: After = None
    goal: Text | None = None
    people: Annotated[tuple[Ref, ...], Field(max_length=40)] | None = None
    place: Line | None = None
    time: Line | None = None
    cause: Text | None = None
    conflict: Text | None = None
    change: Text | None = None
    anchor: Text | None = None


class ChapterIn(In):
    """A chapter; a new one needs title, purpose and events."""

    id: str | None = None
    as_: As = None
    after: After = None
    title: Name | None = None
    purpose: Text | None = None
    events: Lines | None = None
    people: Annotated[tuple[Ref, ...], Field(max_length=60)] | None = None
    characters: Annotated[int | None, Field(ge=0, le=20_000_000, description="planned length; 0: a fair part")] = None
    entry: Text | None = None
    exit: Text | None = None
    scenes: Annotated[tuple[SceneIn, ...], Field(max_length=60)] = ()
    dropped_scenes: Annotated[tuple[str, ...], Field(max_length=60)] = ()


class ForeshadowIn(In):
    """Something planted to be taken up; a new one needs what."""

    id: str | None = None
    as_: As = None
    what: Text | None = None
    plant: Chosen = None
    resolve: Chosen = None
    required: bool | None = None


def _stated(reason: str) -> str:
    if not reason.strip():
        raise ValueError("why it is kept over, in words")
    return reason


class FindingOverrideIn(In):
    """A finding to be kept over, and why."""

    finding: Annotated[Line, Field(min_length=1)]
    reason: Annotated[Text, Field(min_length=1), AfterValidator(_stated)]


class Plan(In):
    """A change of the outline, or a first one; a field left out or null stays as it was, an empty one is cleared."""

    story: StoryIn | None = None
    people: Annotated[tuple[PersonIn, ...], Field(max_length=200)] = ()
    chapters: Annotated[tuple[ChapterIn, ...], Field(max_length=500)] = ()
    foreshadows: Annotated[tuple[ForeshadowIn, ...], Field(max_length=300)] = ()
    dropped_people: Annotated[tuple[str, ...], Field(max_length=200)] = ()
    dropped_chapters: Annotated[tuple[str, ...], Field(max_length=500)] = ()
    dropped_foreshadows: Annotated[tuple[str, ...], Field(max_length=300)] = ()


class OutcomeIn(In):
    """What comes of an instruction by a revision."""

    instruction: Annotated[str, Field(max_length=60)]
    result: Annotated[str, Field(pattern=r"^(applied|superseded)$", description="applied or superseded")]
    note: Text
    effective: Annotated[Ref | None, Field(description="chapter from which it shows; left out: the next unit")] = None
    superseded_by: Annotated[str | None, Field(max_length=60, description="later in_… that takes its place")] = None
    replaces: Annotated[
        tuple[str, ...], Field(max_length=100, description="earlier applied in_… that no longer hold since this one")
    ] = ()
