"""A candidate: a change set that waits beside a draft's line, and what it is about as it was then."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.comic.finding import Finding
from lantern_kit.kernel.errors import BadInput

_NAME = re.compile(r"cd([0-9]{1,16})")
WAITING = "waiting"
ADOPTED = "adopted"
DROPPED = "dropped"
COLUMNS = (
    "id, draft, chapter, base, task, targets, orders, operations, fresh, document, summary, new_findings, healed,"
    " state, actor_kind, actor, at, settled_by, settled_at, result, looked_up"
)


@dataclass(frozen=True)
class Candidate:
    """A change set that waits beside a draft's line."""

    number: int
    draft: str
    """The draft it would change: ``d7``."""
    chapter: str
    base: int
    """The draft's revision that it was worked out on."""
    task: str
    """What it is for, in the proposer's words."""
    targets: tuple[str, ...]
    """Handles of all that it is about, as they were at its base."""
    orders: Mapping[str, str]
    """Fingerprints of the orders that it changes, by unit, or by chapter, as they were at its base."""
    operations: tuple[Mapping[str, Any], ...]
    fresh: tuple[str, ...]
    """Ids of what it makes, in the order in which its operations ask for them."""
    document: bytes
    """Root hash of the content that it gives."""
    summary: str
    """What it changes, in counts."""
    new_findings: tuple[Finding, ...]
    healed: tuple[Finding, ...]
    state: str
    """waiting | adopted | dropped"""
    actor_kind: str
    actor: str
    at: int
    settled_by: str | None
    """Who adopted or dropped it; None while it waits, and when it ended with its draft."""
    settled_at: int | None
    result: int | None
    """The draft's revision that its adoption made."""
    looked_up: Mapping[str, Mapping[str, Any]]
    """What the library answered its operations, by name: it is adopted on the same answers."""

    @property
    def id(self) -> str:
        """As people and agents say it: ``cd4``."""
        return f"cd{self.number}"

    @property
    def waits(self) -> bool:
        """Whether it can still be adopted or dropped."""
        return self.state == WAITING

    @classmethod
    def read(cls, row: Sequence[Any]) -> Candidate:
        """A row of the journal. Raises ValueError, TypeError, KeyError when a column of it cannot be read."""
        facts = dict(zip((name.strip() for name in COLUMNS.split(",")), row, strict=True))
        for name in ("targets", "operations", "fresh"):
            facts[name] = tuple(json.loads(facts[name]))
        for name in ("new_findings", "healed"):
            facts[name] = tuple(Finding.model_validate(item) for item in json.loads(facts[name]))
        for name in ("orders", "looked_up"):
            facts[name] = dict(json.loads(facts[name]))
        facts["draft"] = f"d{facts['draft']}"
        return cls(number=facts.pop("id"), **facts)


@dataclass(frozen=True)
class Moved:
    """Something that a candidate is about and that changed since."""

    object: str
    what: str
    """changed | removed | order"""
    now: str = ""
    """Its handle now; empty when it is gone."""

    def facts(self) -> dict[str, str]:
        """As plain data."""
        facts = {"object": self.object, "what": self.what, "handle": self.now}
        return {name: value for name, value in facts.items() if value}

    def words(self) -> str:
        """In one line."""
        return {
            "changed": f"{self.object} changed",
            "removed": f"{self.object} was removed",
            "order": f"the order of what lies in {self.object} changed",
        }[self.what]


def candidate_number(text: str) -> int:
    """4 from ``cd4``. Raises BadInput."""
    found = _NAME.fullmatch(text)
    if found is None:
        raise BadInput("that is not a candidate", expected="a candidate such as cd4", found=text[:40])
    return int(found[1])


def adoption_message(candidate: Candidate) -> str:
    """What the revision says that an adoption makes."""
    return (f"{candidate.id}: {candidate.task}" if candidate.task else candidate.id)[:200]
