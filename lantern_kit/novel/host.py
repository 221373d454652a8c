"""The port to whoever writes: a model behind the kit's agent, a stand-in, or a person's own program (seed 004, 12, 16).

A host carries one piece of work through at a time, by the deeds of the desk that it is handed. What it guarantees it
says beforehand; what it does not guarantee is refused with its reason, never done a little.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.brief import ROOM, Brief
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import Intent
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.whole import Novel


class HostFailed(LanternError):
    """The host could not carry its work through, and the same may go well later: a service, a limit of rate, a wire.

    Raised when the host's own attempts are over: the driver's begin where those end, and never beside them.
    """

    code = "host_failed"
    retryable = True
    default_recovery = "It is tried again within the novel's limits; look at the host if it stays."

    def __init__(self, message: str, *, usage: Usage | None = None, status: int | None = None, **told: Any) -> None:
        """A failure.

        Args:
            usage: what it took all the same.
            status: the answer's status code, of a service.
            told: as of any error; never a secret, a prompt or a path.
        """
        details = dict(told.pop("details", None) or {})
        if status is not None:
            details["status"] = status
        super().__init__(message, details=details, **told)
        self.usage = usage


class Cancelled(LanternError):
    """The work is not wanted any more: stopped by a person, or the seat is another's."""

    code = "novel_cancelled"
    default_recovery = "Leave the work; nothing more of it is taken."

    def __init__(self, message: str, *, usage: Usage | None = None, **told: Any) -> None:
        """An end before the end; ``usage`` is what it took all the same."""
        super().__init__(message, **told)
        self.usage = usage


class Guarantee(StrEnum):
    """What a host may guarantee, each row of seed 004, 16."""

    FOLLOWUP = "followup"
    """One intent after the other, each turn its own, known by its intent."""
    BARRIER = "instruction-barrier"
    """No instruction reaches the author beside the ledger, or before it is in there."""
    CANCEL = "cancel"
    """A turn can be ended from outside."""
    RECOVERY = "recovery"
    """It can be told whether an earlier turn still runs."""
    SOURCE = "message-source"
    """What the kit asks can be told from what people say."""
    PERMISSIONS = "permissions"
    """The author has the desk's deeds alone; whoever it sends has none."""
    USAGE = "usage"
    """Requests and tokens are counted, those of sub-agents too."""
    PERSISTENCE = "persistence"
    """What it answered is kept, or not needed: nothing of the novel lies with the host alone."""


CORE = frozenset({Guarantee.FOLLOWUP, Guarantee.BARRIER, Guarantee.PERMISSIONS, Guarantee.PERSISTENCE})
"""Without these no novel is written at all; the rest each open something."""


@dataclass(frozen=True)
class Row:
    """Whether a host guarantees one thing."""

    guarantee: Guarantee
    ok: bool
    reason: str
    """How it is known, or why it cannot be."""


@dataclass(frozen=True)
class HostReport:
    """What a host guarantees. What has no row is not guaranteed."""

    name: str
    rows: tuple[Row, ...]
    counts_tokens: bool
    """Whether its counts can hold a hard limit of tokens."""
    stand_in: bool
    """Whether no model writes; said wherever its work shows."""
    room: int = ROOM
    """Characters of a brief that it can hold."""
    deed: Callable[[str], str] = str
    """What briefs call a deed of the desk, for who has tools."""
    fits: Callable[[Novel, Reader], None] = lambda novel, reader: None
    """Sees whether it can write a novel as it is configured; raises NovelCapability where it cannot."""

    def row(self, guarantee: Guarantee) -> Row:
        """What it says of one thing."""
        none = Row(guarantee, ok=False, reason="The host says nothing of it.")
        return next((row for row in self.rows if row.guarantee is guarantee), none)

    def ok(self, guarantee: Guarantee) -> bool:
        """Whether it guarantees one thing."""
        return self.row(guarantee).ok

    def missing(self) -> list[Row]:
        """What it does not give of that without which no novel is written, in the order of the seed."""
        return [row for row in map(self.row, Guarantee) if row.guarantee in CORE and not row.ok]

    def facts(self) -> dict[str, Any]:
        """It as plain data."""
        return {
            "name": self.name,
            "stand_in": self.stand_in,
            "counts_tokens": self.counts_tokens,
            "room": self.room,
            "guarantees": {
                row.guarantee.value: {"ok": row.ok, "core": row.guarantee in CORE, "reason": row.reason}
                for row in map(self.row, Guarantee)
            },
        }


@dataclass(frozen=True)
class Order:
    """One piece of work, as a host is given it."""

    intent: Intent
    desk: AuthorDesk
    """Already in the turn of this order."""
    brief: Brief
    reader: Reader
    alive: Callable[[], None]
    """To be called between steps of some length; raises Cancelled when the work is not wanted any more."""

    @property
    def turn(self) -> str:
        """The turn's name."""
        return self.desk.seat.turn


class AuthorHost(Protocol):
    """Whoever writes."""

    def report(self) -> HostReport:
        """What it guarantees."""
        ...

    def work(self, order: Order) -> Usage:
        """Carry one intent through by the desk's deeds, and say what that took.

        Raises HostFailed where trying again may help, Cancelled, and whatever the desk raised that could not be mended.
        """
        ...

    def cancel(self) -> None:
        """End the turn that runs as soon as can be; called from another thread, and does nothing where none runs."""
        ...

    def running(self, turn: str) -> bool | None:
        """Whether a turn of that name, possibly of an earlier process, still runs; None: it cannot tell."""
        ...
