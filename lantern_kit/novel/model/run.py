"""Whether and how a novel goes on (seed 004, 12.1, 13)."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from lantern_kit.novel.model.values import Count, Id, Line, Record, Text


class Status(StrEnum):
    """Whether it may go on."""

    ACTIVE = "active"
    PAUSED = "paused"
    COMPLETED = "completed"


class Phase(StrEnum):
    """What it is at."""

    OUTLINING = "outlining"
    REVISING = "revising"
    WRITING = "writing"
    FINISHING = "finishing"


class Reason(StrEnum):
    """Why it is paused; each row of seed 004, 13, and what 10 and 12 add."""

    REQUESTED = "requested"
    STOPPED = "stopped"
    AWAITING_APPROVAL = "awaiting-approval"
    REQUIREMENT_CONFLICT = "requirement-conflict"
    EXTERNAL = "external-error"
    INVALID = "invalid"
    """A check, a right or the store refused: never tried again by itself."""
    STALLED = "stalled"
    BUDGET = "budget"
    LENGTH = "length"
    PROJECTION_PENDING = "projection-pending"
    RECOVERY_REQUIRED = "recovery-required"
    CAPABILITY = "capability"


_CHOSEN = frozenset({Reason.REQUESTED, Reason.STOPPED, Reason.AWAITING_APPROVAL})


class Pause(Record):
    """Why it does not go on, and what would let it."""

    reason: Reason
    told: Text
    ids: Annotated[tuple[Line, ...], Field(max_length=40)]
    resume: Text
    """What has to be done before it can go on."""
    at: Count

    @property
    def chosen(self) -> bool:
        """Whether a person chose it: nothing is wrong, and the reason says all there is to say."""
        return self.reason in _CHOSEN


class WorkKind(StrEnum):
    """What an author is asked to do: a closed union, each kind opens only its own deeds."""

    OUTLINE_CREATE = "outline-create"
    OUTLINE_REVISE = "outline-revise"
    WRITE_UNIT = "write-unit"
    CHAPTER_COMPLETE = "chapter-complete"
    FINISH = "finish"


PLANNING = frozenset({WorkKind.OUTLINE_CREATE, WorkKind.OUTLINE_REVISE})


class Why(StrEnum):
    """What a piece of work is for."""

    BEGINNING = "beginning"
    INSTRUCTIONS = "instructions"
    REFINE = "refine"
    """The current chapter has no scene that could be written."""
    WRITING = "writing"
    COMPLETION = "completion"


class IntentState(StrEnum):
    """How far a piece of work is."""

    PREPARED = "prepared"
    SENT = "sent"


class Intent(Record):
    """A piece of work that is asked for; there is one at a time."""

    id: Id
    kind: WorkKind
    why: Why
    unit: Id | None
    chapter: Id | None
    outline_revision: Count
    watermark: Count
    generation: Count
    content_revision: Count
    state: IntentState
    sent: Count
    """How often the author was asked."""
    turn: Line
    """The author's turn it belongs to; empty until it was sent."""
    at: Count


class Finished(Record):
    """With what the novel was completed (seed 004, 10.4)."""

    ending: Id
    """The commit that holds the ending."""
    evidence: Text
    content_revision: Count
    outline_revision: Count
    characters: Count
    at: Count


class Run(Record):
    """Whether it goes on, with what, and why not."""

    status: Status
    phase: Phase
    pause: Pause | None
    intent: Intent | None


class Spent(Record):
    """What the run took so far; nothing resets it."""

    turns: Count
    planning_turns: Count
    milliseconds: Count
    requests: Count
    """Requests to models, retries included, where the host tells."""
    input_tokens: Count
    output_tokens: Count
    deductions: Count
    failures: Count
    """In a row, now."""
    stalled: Count
    """Turns without progress in a row, now."""


NOTHING_SPENT = Spent(
    turns=0,
    planning_turns=0,
    milliseconds=0,
    requests=0,
    input_tokens=0,
    output_tokens=0,
    deductions=0,
    failures=0,
    stalled=0,
)
