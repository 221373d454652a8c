"""What may be meant by what was typed."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple


class Suggestion(NamedTuple):
    """One thing that may be meant."""

    text: str
    kind: str
    """A word for it: command, option, proposal, table …"""


class Offer(NamedTuple):
    """What may stand in the place of what was typed."""

    typed: str
    """The end of the line that a suggestion takes the place of."""
    found: list[Suggestion]


def chosen(typed: str, kind: str, words: Iterable[str]) -> list[Suggestion]:
    """Those of some words that begin as was typed, whatever the case of the letters."""
    return [Suggestion(word, kind) for word in words if word.lower().startswith(typed.lower())]
