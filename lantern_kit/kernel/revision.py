"""Revisions, their change rows and their lines, as values; chained so that tampering shows."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.kernel.ids import numbered

GENESIS = bytes(32)


class Mode(StrEnum):
    """How a line may move."""

    LINEAR = "linear"
    """Forward only; going back copies earlier content forward."""
    BRANCHING = "branching"
    """The head may be checked out at any node."""


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """One changed property, as it is kept. ``before`` and ``after`` are canonical JSON text or None."""

    unit: str
    object: str
    object_kind: str
    change: str
    property: str | None
    before: str | None
    after: str | None

    def cells(self) -> tuple[str | None, ...]:
        """The row's values in the table's order."""
        return (self.unit, self.object, self.object_kind, self.change, self.property, self.before, self.after)


@dataclass(frozen=True, slots=True)
class Revision:
    """One immutable point of a line."""

    number: int
    line: str
    seq: int
    parent: int | None
    document: bytes
    actor: Actor
    cause: str
    message: str
    at: int
    changes_from: int
    changes_count: int
    changes_digest: bytes
    chain: bytes

    @property
    def id(self) -> str:
        """As people and agents say it: ``r41``."""
        return f"r{self.number}"

    def link(self, chain: bytes) -> bytes:
        """The chain hash this revision must carry after ``chain``: its parent's, or its line's opening."""
        facts = [
            self.number,
            self.line,
            self.seq,
            self.parent,
            self.document.hex(),
            self.actor.kind.value,
            self.actor.name,
            self.cause,
            self.message,
            self.at,
            self.changes_from,
            self.changes_count,
            self.changes_digest.hex(),
        ]
        return digest(chain + dumps(facts))


@dataclass(frozen=True, slots=True)
class Next:
    """What an update makes of a line's newest content."""

    document: bytes
    changes: Sequence[ChangeRow] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """A named history of one document."""

    id: str
    kind: str
    mode: Mode
    root: str
    base: int | None
    head: int
    created_at: int


def opening(line: Sequence[str], chain: bytes) -> bytes:
    """What a line's first revision is chained to: the line's id, kind, mode and root, after ``chain``."""
    return digest(chain + dumps(list(line)))


def revision_number(text: str) -> int:
    """41 from ``r41``. Raises BadInput."""
    return numbered(text, "r41", "a revision")


def changes_digest(rows: Iterable[ChangeRow]) -> bytes:
    """Digest of change rows in order."""
    return digest(dumps([list(row.cells()) for row in rows]))
