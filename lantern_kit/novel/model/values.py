"""What novels are written down in: bounded text, ids, and places in committed prose."""

from __future__ import annotations

from typing import Annotated

from pydantic import AfterValidator, BaseModel, ConfigDict, Field

from lantern_kit.kernel.problems import PATTERNS
from lantern_kit.kernel.wording import one_line, said

MILLION = 1_000_000
LONGEST_NAME, LONGEST_LINE, LONGEST_TEXT, LONGEST_INSTRUCTION = 120, 240, 4_000, 20_000
MOST_CHARACTERS = 20_000_000
"""Effective characters of a novel at most."""
MOST_UNITS, MOST_INSTRUCTIONS, MOST_PLANS = 50_000, 10_000, 50_000
"""How many of each a novel holds; past that it pauses or refuses, and nothing of it is cleared away."""
_ID = r"^[a-z]{2}_[0-9a-z]{4,20}$"
_DIGEST = r"^[0-9a-f]{64}$"
PATTERNS[_ID] = "an id such as cp_7kq2m9x4"
PATTERNS[_DIGEST] = "a SHA-256 in hex"


class Record(BaseModel):
    """A frozen value; unknown keys are refused, and nothing has a default."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)


def _text(text: str) -> str:
    return said(text, "a text", longest=LONGEST_INSTRUCTION)


def as_line(text: str, longest: int = LONGEST_LINE) -> str:
    """Words of a host's or an error's as a line can hold them: on one line, printable, cut where it is too long."""
    plain = "".join(character if character.isprintable() else " " for character in text)
    return " ".join(plain.split())[:longest].strip()


Id = Annotated[str, Field(pattern=_ID)]
Digest = Annotated[str, Field(pattern=_DIGEST)]
Line = Annotated[str, Field(max_length=LONGEST_LINE), AfterValidator(one_line)]
Name = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME), AfterValidator(one_line)]
Text = Annotated[str, Field(max_length=LONGEST_TEXT), AfterValidator(_text)]
Instructing = Annotated[str, Field(min_length=1, max_length=LONGEST_INSTRUCTION), AfterValidator(_text)]
Lines = Annotated[tuple[Text, ...], Field(max_length=100)]
Count = Annotated[int, Field(ge=0, lt=2**53)]
Positive = Annotated[int, Field(ge=1, lt=2**53)]
Share = Annotated[int, Field(ge=0, le=MILLION)]
"""A part of one, in millionths."""


class Source(Record):
    """A paragraph of committed prose."""

    commit: Id
    paragraph: Count
    """Counted from 0."""

    def __str__(self) -> str:
        return f"{self.commit}:{self.paragraph}"
