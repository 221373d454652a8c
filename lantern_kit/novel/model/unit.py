"""Units: the pieces of prose that are prepared, claimed and committed (seed 004, 6.2, 10.1)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.novel.model.canon import Delta
from lantern_kit.novel.model.values import Count, Digest, Id, Line, Positive, Record, Text

ATTEMPTS_KEPT = 8
"""Attempts a unit tells of; earlier ones are in the history."""


class UnitState(StrEnum):
    """How far a unit is."""

    PREPARED = "prepared"
    CLAIMED = "claimed"
    COMMITTED = "committed"
    SUPERSEDED = "superseded"


class AttemptEnd(StrEnum):
    """How an attempt to write a unit ended."""

    COMMITTED = "committed"
    FAILED = "failed"
    STOPPED = "stopped"
    """A person stopped it at once."""
    LOST = "lost"
    """Its author is provably gone."""


class Attempt(Record):
    """One claim of a unit."""

    id: Id
    token: Id
    generation: Count
    """The novel's generation when it was claimed; a stop or a recovery raises that, and the token is worth nothing."""
    turn: Line
    """The author's turn, as its host names it."""
    author: Line
    outline_revision: Count
    watermark: Count
    at: Count
    end: AttemptEnd | None
    reason: Line


class FindingOverride(Record):
    """A finding that was committed over, and why."""

    finding: Annotated[Line, Field(min_length=1)]
    """Its rule."""
    reason: Annotated[Text, Field(min_length=1)]


class Commit(Record):
    """The prose of a unit and all that came with it."""

    id: Id
    digest: Digest
    """Of the business content: the same again is answered from here."""
    body: Digest
    """The blob of the prose."""
    size: Positive
    """Bytes of the body."""
    paragraphs: Positive
    characters: Count
    """Effective ones."""
    punctuated: Count
    """Letters, numbers and punctuation."""
    scene_done: bool
    remaining: Text
    """What of the scene's goal is not reached yet."""
    evidence: Text
    """Why the scene is done."""
    anchor: Text
    """Where the next piece takes the story up."""
    delta: Delta
    overrides: Annotated[tuple[FindingOverride, ...], Field(max_length=20)]
    attempt: Id
    generation: Count
    outline_revision: Count
    watermark: Count
    content_revision: Positive
    author: Line
    at: Count


class Unit(Record):
    """A piece of prose of one scene."""

    id: Id
    number: Positive
    """Of all units, in the order in which they were prepared."""
    chapter: Id
    scene: Id
    part: Positive
    """Which piece of the scene."""
    state: UnitState
    outline_revision: Count
    watermark: Count
    low: Count
    high: Positive
    """How many effective characters are aimed at."""
    corrections: Count
    """How often it was refused for breaking the hard maximum."""
    attempts: Annotated[tuple[Attempt, ...], Field(max_length=ATTEMPTS_KEPT)]
    commit: Commit | None
