"""The author's ledger: what people asked for, in order, and what came of each (seed 004, 9.1)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.novel.model.values import Count, Id, Instructing, Name, Positive, Record, Source, Text


class InstructionSource(StrEnum):
    """What sort of word of the author's."""

    CREATION = "creation"
    INSTRUCTION = "instruction"
    CLARIFICATION = "clarification"
    """It says what a blocked one means."""
    WITHDRAWAL = "withdrawal"
    """It takes a blocked one back."""


class InstructionState(StrEnum):
    """What came of an instruction."""

    PENDING = "pending"
    APPLIED = "applied"
    SUPERSEDED = "superseded"
    BLOCKED = "blocked"


class Conflict(Record):
    """Why an instruction cannot be followed; kept when it is solved."""

    reason: Text
    sources: Annotated[tuple[Source, ...], Field(max_length=40)]
    at: Count
    after: Positive
    """The newest sequence when it was found; only what comes later answers it."""
    solved_by: Id | None
    """The clarification or withdrawal that a later revision went by."""


class Outcome(Record):
    """What came of an instruction that was dealt with."""

    note: Text
    outline_revision: Count
    effective: Id | None
    """The chapter from which it shows; None: from the next unit on."""
    superseded_by: Id | None
    at: Count


class Instruction(Record):
    """One word of the author's."""

    id: Id
    message: Name
    """A name its sender gave it, the same when it is sent again."""
    sequence: Positive
    text: Instructing
    source: InstructionSource
    answers: Id | None
    """The instruction that it is about: of a clarification a blocked one, of a withdrawal any that holds or waits."""
    by: Name
    received_at: Count
    during: Id | None
    """The unit that was claimed when it came."""
    state: InstructionState
    outcome: Outcome | None
    conflict: Conflict | None
    """The newest there was."""
    earlier: Annotated[tuple[Conflict, ...], Field(max_length=20)]
    """Those before it, when a clarification did not help."""
    replaced_by: Id | None
    """The later instruction that took its place after it was applied; None: none did."""

    @property
    def settled(self) -> bool:
        """Whether the watermark may pass it."""
        return self.state in {InstructionState.APPLIED, InstructionState.SUPERSEDED}

    @property
    def in_force(self) -> bool:
        """Whether the prose that is still to come keeps to it: applied, and replaced by nothing since."""
        return self.state is InstructionState.APPLIED and self.replaced_by is None
