"""The time, injectable."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Tells the time."""

    def now(self) -> int:
        """Milliseconds since 1970 in UTC."""
        ...


class SystemClock:
    """The machine's clock."""

    def now(self) -> int:
        """Milliseconds since 1970 in UTC."""
        return time.time_ns() // 1_000_000


class SteppingClock:
    """A clock that moves on by a fixed step each time it is read: tests and reproducible demos."""

    def __init__(self, start: int = 1_780_000_000_000, step: int = 1_000) -> None:
        self._next = start
        self._step = step

    def now(self) -> int:
        """The next moment."""
        moment = self._next
        self._next += self._step
        return moment

    def skip(self, milliseconds: int) -> None:
        """Let time pass."""
        self._next += milliseconds


def moment(milliseconds: int) -> datetime:
    """The moment as an aware UTC datetime."""
    return datetime.fromtimestamp(milliseconds / 1000, tz=UTC)


def stamp(milliseconds: int) -> str:
    """The moment in ISO 8601, to the millisecond, with Z."""
    return moment(milliseconds).strftime("%Y-%m-%dT%H:%M:%S.") + f"{milliseconds % 1000:03d}Z"


def minute(milliseconds: int) -> str:
    """The moment as it stands in a table whose head says UTC: ``2026-05-01 14:30``."""
    return moment(milliseconds).strftime("%Y-%m-%d %H:%M")


def to_the_minute(milliseconds: int) -> str:
    """The moment as people read it: ``2026-05-01 14:30 UTC``."""
    return f"{minute(milliseconds)} UTC"
