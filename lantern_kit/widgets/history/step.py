"""What a graph of a chapter's past is made of, as plain values."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

UNREAD = "?"
"""Stands for what cannot be read."""
COPYING = frozenset({"undo", "redo", "restore", "pick", "follow", "resolve"})
"""Causes of revisions whose content, or part of it, was somewhere before."""


@dataclass(frozen=True, slots=True)
class Step:
    """One revision, also one that is damaged: then ``damage`` says how, and the rest is what could be read."""

    number: int
    branch: int
    """0 on the working line, else the number of the draft."""
    seq: int
    parent: int | None
    document: bytes
    kind: str
    """Of the actor: person, agent or kit."""
    actor: str
    cause: str
    message: str
    at: int
    changes: int
    damage: str = ""
    """unreadable | missing"""

    @property
    def id(self) -> str:
        """As people say it: ``r41``."""
        return f"r{self.number}"


@dataclass(frozen=True, slots=True)
class DraftFacts:
    """A draft, as far as a history tells of it."""

    number: int
    title: str
    state: str
    base: int
    actor: str
    from_proposal: int | None


@dataclass(frozen=True, slots=True)
class ProposalFacts:
    """A proposal, as far as a history tells of it."""

    number: int
    draft: int
    frozen: int
    state: str
    summary: str


@dataclass(frozen=True, slots=True)
class VerdictFacts:
    """A verdict, as far as a history tells of it."""

    number: int
    proposal: int
    verdict: str
    mode: str
    by: str
    result: int | None
    left_out: int | None
    """Parts that were rejected, with those that went along; None when the choices cannot be read."""


@dataclass(frozen=True, slots=True)
class SavedFacts:
    """A saved version."""

    number: int
    revision: int
    title: str
    by: str


@dataclass(frozen=True)
class Tale:
    """A chapter's past at one moment."""

    stamp: str
    """Changes whenever anything here does."""
    chapter: str
    steps: Sequence[Step]
    """Oldest first."""
    by_number: Mapping[int, Step]
    head: int
    sources: Mapping[int, int]
    """The revision that a copying one took its content from."""
    drafts: Mapping[int, DraftFacts] = field(default_factory=dict)
    proposals: Mapping[int, ProposalFacts] = field(default_factory=dict)
    verdicts: Sequence[VerdictFacts] = ()
    saved: Sequence[SavedFacts] = ()
    marks: Mapping[int, Sequence[dict[str, Any]]] = field(default_factory=dict)
    """What hangs on revisions, as the browser is told: saved versions, proposals, verdicts, beginnings of drafts."""
