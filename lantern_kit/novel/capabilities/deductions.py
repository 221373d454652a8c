"""Deductions of one author that are on, and who plays their people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from lantern_kit.kernel.errors import NotFound
from lantern_kit.novel.deduction import Answer, Deduction

KEPT = 8
"""Deductions that one author may have on at a time; the oldest is forgotten."""


class Cast(Protocol):
    """Plays the people of a deduction, each by itself and without any right to write."""

    def play(self, deduction: str, briefs: Mapping[str, str]) -> Sequence[Answer]:
        """What each of them does, by what each was told; whoever fails says so."""


class Deductions:
    """Deductions of one author that are on."""

    def __init__(self) -> None:
        self._held: dict[str, Deduction] = {}

    def begin(self, held: Deduction) -> Deduction:
        """Keep a new one."""
        self._held[held.id] = held
        while len(self._held) > KEPT:
            self._held.pop(next(iter(self._held)))
        return held

    def get(self, name: str) -> Deduction:
        """One that is on. Raises NotFound."""
        found = self._held.get(name)
        if found is None:
            raise NotFound(
                f"{name[:40]} is no deduction that is on", ids=[name[:40]], recovery="Begin one with its people."
            )
        return found
