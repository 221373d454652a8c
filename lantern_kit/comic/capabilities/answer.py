"""The shapes of requests and answers, and how long answers are cut: those of every kind, and those of comics."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field

from lantern_kit.kernel.answer import BUDGET, In, Key, Out, Start, clip, cut, tokens_of

__all__ = [
    "BUDGET",
    "LONGEST_NAME",
    "DraftRef",
    "Expected",
    "In",
    "Key",
    "Out",
    "Source",
    "Start",
    "UnitRef",
    "clip",
    "cut",
    "review_command",
    "tokens_of",
]

LONGEST_NAME = 200
"""Characters of a handle, an id, a reference or a link."""
Source = Annotated[
    str,
    Field(
        min_length=1,
        max_length=LONGEST_NAME,
        description="draft d7, candidate cd4, ch_…, ch_…@saved, r41",
    ),
]
UnitRef = Annotated[
    str, Field(min_length=1, max_length=LONGEST_NAME, description="handle, id, or place in the chapter (1, 2 …)")
]
DraftRef = Annotated[str, Field(min_length=2, max_length=20, description="d7")]
Expected = Annotated[str, Field(min_length=2, max_length=20, description="revision of the draft you last saw: r41")]


def review_command(proposal: str) -> str:
    """What a person types to see a proposal and decide on it; a face says in which workspace."""
    return f"lantern review {proposal}"
