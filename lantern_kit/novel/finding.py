"""Findings: what a guard or a check noticed in a novel."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class Severity(StrEnum):
    """How much a finding weighs."""

    REFUSED = "refused"
    """Nothing that has it is kept."""
    OVERRIDE = "override"
    """Kept only with a stated reason."""
    NOTE = "note"


@dataclass(frozen=True)
class Finding:
    """One thing that was noticed."""

    rule: str
    """Such as ``duplicate.passage``."""
    severity: Severity
    told: str
    ids: tuple[str, ...] = ()
    paragraph: int | None = None
    """Of the prose that was looked at, from 0."""

    def facts(self) -> dict[str, Any]:
        """It as plain data."""
        told: dict[str, Any] = {"rule": self.rule, "severity": self.severity.value, "message": self.told}
        if self.ids:
            told["ids"] = list(self.ids)
        if self.paragraph is not None:
            told["paragraph"] = self.paragraph
        return told
