"""What a novel was begun with: language, manner, length and the limits of its run (seed 004, 4.1, 7.1, 13)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Literal, Self

from pydantic import Field, model_validator

from lantern_kit.kernel.problems import PATTERNS
from lantern_kit.novel.model.values import MILLION, MOST_CHARACTERS, Count, Line, Positive, Record, Share, Text

COUNT_POLICY = 1
LEAST_UNIT = 50
"""Effective characters: a unit of fewer is none."""
_LANGUAGE = r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$"
PATTERNS[_LANGUAGE] = "a language tag such as en or zh-Hans"


def is_chinese(language: str) -> bool:
    """Whether a language tag is of Chinese: such novels have their words for readers and authors in Chinese."""
    return language.lower().partition("-")[0] == "zh"


class Approval(StrEnum):
    """Who lets the first outline begin."""

    AUTOMATIC = "automatic"
    MANUAL = "manual"


class Unbounded(Record):
    """No length is aimed at; the run's limits still end it."""

    kind: Literal["unbounded"]


class Target(Record):
    """A length to aim at, in effective characters."""

    kind: Literal["target"]
    characters: Annotated[int, Field(ge=1, le=MOST_CHARACTERS)]
    tolerance: Annotated[int, Field(ge=0, lt=MILLION)]
    """How far off it may end, in millionths of it."""
    hard_maximum: Annotated[int, Field(ge=1, le=MOST_CHARACTERS)] | None
    """Never more than this; None: no such limit."""

    @model_validator(mode="after")
    def _agree(self) -> Self:
        if self.hard_maximum is not None and self.hard_maximum < self.characters:
            raise ValueError("a hard maximum of at least the target")
        return self

    @property
    def low(self) -> int:
        """The least that is within the tolerance."""
        return -(-self.characters * (MILLION - self.tolerance) // MILLION)

    @property
    def high(self) -> int:
        """The most that is within the tolerance and the hard maximum."""
        most = self.characters * (MILLION + self.tolerance) // MILLION
        return most if self.hard_maximum is None else min(most, self.hard_maximum)


Length = Annotated[Unbounded | Target, Field(discriminator="kind")]


class Shares(Record):
    """How length is shared out, in millionths (seed 004, 7.2)."""

    ending: Share
    """Of the whole, kept for the last chapter."""
    low: Share
    """The least of a unit, of its fair part."""
    high: Annotated[int, Field(ge=MILLION, le=10 * MILLION)]
    """The most of a unit, of its fair part."""


class Retries(Record):
    """How often a failing request of the host's is made again."""

    attempts: Annotated[int, Field(ge=1, le=20)]
    wait_ms: Annotated[int, Field(ge=0, le=600_000)]
    """Before the second attempt; doubled before each further one."""


class Deductions(Record):
    """What acting a scene out by its characters may cost (seed 004, 8.1)."""

    characters: Annotated[int, Field(ge=1, le=12)]
    rounds: Annotated[int, Field(ge=1, le=6)]
    total: Count
    """How often in the whole run; 0: never."""


class Limits(Record):
    """What ends or pauses a run."""

    turns: Positive
    """Of the host, of whatever kind."""
    planning_turns: Positive
    minutes: Positive
    """Spent in the host's turns."""
    failures: Positive
    """In a row."""
    stalled: Positive
    """Turns in a row without progress."""
    corrections: Count
    """How often a unit that breaks the hard maximum may be tried again."""
    retries: Retries
    deductions: Deductions
    tokens: Positive | None
    """Of input and output, sub-agents included; None: no such limit, the only choice where the host cannot count."""


class Config(Record):
    """All that was decided when the novel was begun. A person may change length, chapters and limits later."""

    language: Annotated[str, Field(pattern=_LANGUAGE, max_length=35)]
    """BCP 47 tag."""
    genre: Line
    view: Line
    """The narrative point of view."""
    style: Text
    approval: Approval
    length: Length
    chapters: Annotated[int, Field(ge=1, le=500)] | None
    """How many the outline is to have; None: as it comes."""
    unit_maximum: Annotated[int, Field(ge=LEAST_UNIT, le=100_000)]
    """Effective characters of one unit at most."""
    shares: Shares
    limits: Limits
    count_policy: Literal[1]

    @model_validator(mode="after")
    def _agree(self) -> Self:
        chapters = self.chapters or 1
        least = chapters * 2 + 2  # an outline, a unit and a check for each chapter, the end
        if isinstance(self.length, Target):
            least = max(least, -(-self.length.low // self.unit_maximum) + chapters + 2)
            if self.length.high < chapters * LEAST_UNIT:
                raise ValueError(
                    f"a length of at least {chapters * LEAST_UNIT:,}: {LEAST_UNIT} characters a chapter; it is "
                    f"{self.length.high:,} at most, so raise it or plan fewer chapters"
                )
        if self.limits.turns < least:
            raise ValueError(f"limits.turns of at least {least}: fewer cannot reach this length in these chapters")
        return self


PRESET_SHARES = Shares(ending=120_000, low=600_000, high=1_500_000)
PRESET_LIMITS = Limits(
    turns=2_000,
    planning_turns=600,
    minutes=24 * 60,
    failures=3,
    stalled=6,
    corrections=3,
    retries=Retries(attempts=3, wait_ms=2_000),
    deductions=Deductions(characters=4, rounds=2, total=200),
    tokens=None,
)
"""What forms propose; the kernel of novels itself presumes nothing."""
