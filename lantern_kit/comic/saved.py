"""Saved versions: revisions that a person put a title to."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Snapshot:
    """A version that a person saved."""

    number: int
    chapter: str
    revision: int
    title: str
    proposal: int | None
    actor: str
    at: int

    @property
    def id(self) -> str:
        """As people say it: ``s3``."""
        return f"s{self.number}"

    def __repr__(self) -> str:
        return f"<Saved version {self.id} “{self.title}”: r{self.revision}, by {self.actor}>"
