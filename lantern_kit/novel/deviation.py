"""What can be wrong with a projection: files that are not as the canon would have them."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Fault(StrEnum):
    """What can be wrong with a projected file."""

    MISSING = "missing"
    STALE = "stale"
    """What was written there is of before."""
    DAMAGED = "damaged"
    """It is not what was written there."""
    STRAY = "stray"
    """It belongs to no chapter any more."""


@dataclass(frozen=True)
class Deviation:
    """A file that is not as the canon would have it."""

    file: str
    """Below the novel's folder."""
    fault: Fault
