"""A reading of a phrase: which kinds of things it names, and what it says of each."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Noun(StrEnum):
    """Kinds that people name."""

    CHAPTER = "chapter"
    PAGE = "page"
    SPREAD = "spread"
    COVER = "cover"
    TRANSITION = "transition"
    FRAME = "frame"
    BALLOON = "balloon"
    NARRATION = "narration"
    TEXT = "text"
    PICTURE = "picture"
    OVERLAY = "overlay"
    FOREGROUND = "foreground"
    EFFECT = "effect"
    FOCUS = "focus"
    SPEED = "speed"
    TONE = "tone"
    GRADIENT = "gradient"
    FLASH = "flash"
    VIGNETTE = "vignette"
    ANY = "any"


UNITS = frozenset({Noun.PAGE, Noun.SPREAD, Noun.COVER, Noun.TRANSITION})
WORDS = frozenset({Noun.BALLOON, Noun.NARRATION, Noun.TEXT})
EFFECTS = frozenset({Noun.FOCUS, Noun.SPEED, Noun.TONE, Noun.GRADIENT, Noun.FLASH, Noun.VIGNETTE})


@dataclass(frozen=True, slots=True)
class Pick:
    """One noun with what is said of it. Several things may answer to it."""

    noun: Noun
    ordinal: int = 0
    """Its place among those that answer to all else, from 1; -1 is the last; 0 where none is said."""
    number: tuple[int, int] | None = None
    """A number after the noun, or a range: page 3, pages 4–5, balloon 2."""
    paged: bool = False
    """Whether the number counts pages although the noun is another: ``pages 4–5 (spread)``."""
    name: str = ""
    """A name, title or words in quotes."""
    speaker: str = ""
    said: str = ""
    """Words that are spoken."""

    @property
    def rank(self) -> int:
        """How far inside it lies: 0 chapter, 1 unit, 2 frame, 3 anything else."""
        if self.noun is Noun.CHAPTER:
            return 0
        if self.noun in UNITS:
            return 1
        return 2 if self.noun is Noun.FRAME else 3


@dataclass(frozen=True, slots=True)
class Phrase:
    """Picks from the outside inwards; those of one rank are alternatives."""

    picks: tuple[Pick, ...]
    head: int = 3
    """Rank of what is meant, where what lies in it only describes it: ``the panel with …``."""

    def of_rank(self, rank: int) -> tuple[Pick, ...]:
        """The alternatives of one rank."""
        return tuple(pick for pick in self.picks if pick.rank == rank)

    @property
    def innermost(self) -> int:
        """The rank that its last word on the matter has."""
        return max(pick.rank for pick in self.picks)
