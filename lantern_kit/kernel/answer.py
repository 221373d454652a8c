"""The shapes of requests and answers of capabilities, and how long answers are cut."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, ConfigDict, Field

BUDGET = 7_000
"""Tokens, as ``tokens_of`` estimates them, after which a long answer stops and says where to go on."""

_Row = TypeVar("_Row")


class In(BaseModel):
    """Arguments of a capability: flat, and strict in type; no key that is not known."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, allow_inf_nan=False)


class Out(BaseModel):
    """An answer: plain JSON data."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    def facts(self) -> dict[str, Any]:
        """The answer with what is absent left out."""
        return self.model_dump(mode="json", exclude_none=True)


Start = Annotated[int, Field(ge=1, le=1_000_000, description="next of the last answer")]
Key = Annotated[str, Field(min_length=1, max_length=120, description="new for each request, the same for its retry")]


def tokens_of(text: str) -> int:
    """About how many tokens a text costs, rather too many: handles and numbers take one for every two characters."""
    plain = sum(1 for character in text if character < "\u2e80")
    return len(text) - plain + (plain * 5 + 10) // 11


def cut(
    rows: Iterable[_Row], start: int = 1, *, budget: int = BUDGET, text: Callable[[_Row], str] | None = None
) -> tuple[list[_Row], int | None]:
    """The rows from place ``start`` (1 is the first) that an answer has room for, and the place to go on from.

    At least one row is given; no more are asked for than are needed. The second value is None at the end.
    """
    taken: list[_Row] = []
    spent = 0
    for row in islice(rows, start - 1, None):
        spent += tokens_of(json.dumps(row, ensure_ascii=False) if text is None else text(row)) + 2
        if taken and spent > budget:
            return taken, start + len(taken)
        taken.append(row)
    return taken, None


def clip(text: str, most: int = 80) -> str:
    """A text on one line and no longer than ``most`` characters."""
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
