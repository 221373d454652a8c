"""What a driver tells of its doings: steps, warnings, and how a run ended."""

from __future__ import annotations

import logging
from dataclasses import asdict, dataclass, field
from typing import Any

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import Intent, Status
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import Moment

_LOG = logging.getLogger("lantern_kit.novel")
_LOG.addHandler(logging.NullHandler())  # faces show steps; whoever wants the log, configures it


@dataclass(frozen=True)
class Step:
    """One step: a turn of the author's that ended, or why there was none."""

    moment: Moment
    """The novel after it."""
    intent: Intent | None = None
    """The work of the turn; None: there was no turn."""
    halt: Halt | None = None
    """Why nothing goes on; None: there may be more to do."""
    usage: Usage = field(default_factory=lambda: Usage(0))
    error: LanternError | None = None
    """What the turn ended with, if it did not end well."""
    wait: int = 0
    """Milliseconds to wait before the next step, after a failure."""

    def facts(self) -> dict[str, Any]:
        """It as plain data, without prose, briefs or instructions."""
        head = self.moment.novel.head
        told: dict[str, Any] = {
            "novel": head.id,
            "revision": self.moment.id,
            "status": head.run.status.value,
            "phase": head.run.phase.value,
            "characters": head.characters,
            "commits": head.commits,
            "chapters": len(self.moment.novel.chapters),
            "completed": self.moment.novel.completed_chapters,
        }
        if self.intent is not None:
            told["work"] = {"kind": self.intent.kind.value, "why": self.intent.why.value, "unit": self.intent.unit}
        if self.halt is not None:
            reason = None if self.halt.reason is None else self.halt.reason.value
            told["halt"] = {"told": self.halt.told, "reason": reason, "resume": self.halt.resume}
        if self.error is not None:
            told["error"] = {"code": self.error.code, "message": self.error.message}
        return told


@dataclass(frozen=True)
class Warned:
    """Something that went wrong and is tried again, or is told once."""

    operation: str
    """What was done: turn, projection, recovery."""
    message: str
    novel: str
    revision: str
    turn: str = ""
    unit: str = ""
    attempt: str = ""
    code: str = ""
    """Of the error."""
    tries: int = 0
    """In a row, so far."""
    wait: int = 0
    """Milliseconds before it is tried again."""


def logged(warned: Warned) -> None:
    """Put a warning into Python's log, each fact a field of its own."""
    _LOG.warning(
        "novel: %s", warned.operation, extra={f"novel_{name}": value for name, value in asdict(warned).items()}
    )


@dataclass(frozen=True)
class Ended:
    """How a run ended."""

    moment: Moment
    """The novel then."""
    halt: Halt | None
    """Why nothing goes on; None: it was asked to end there."""
    steps: int
    error: LanternError | None = None
    """The last error, where that is why."""

    @property
    def completed(self) -> bool:
        """Whether the novel is completed."""
        return self.moment.novel.head.run.status is Status.COMPLETED
