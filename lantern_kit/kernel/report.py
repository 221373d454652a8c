"""What a check found: every problem with its place, what was expected there, and what to do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from html import escape
from typing import Any, ClassVar

NAMED = 4
"""How many ids of one sort a line of words names."""
_BACKUP = "Keep a copy of the folder as it is, then restore journal.sqlite and blobs/ from a backup."
REMEDIES = {
    "blob": "Restore blobs/ from a backup. A picture can be registered again and placed instead; prose cannot.",
    "asset": "Restore journal.sqlite and blobs/ from one backup, so that they fit each other.",
    "approval": "Do not rely on this verdict. Compare with a backup or an exported approval, and decide again.",
    "key": "Let nobody decide until it is clear who wrote this: compare lantern keys with what the reviewers say.",
    "entry": "Do not rely on what it says: compare with a backup, and keep it anew if it is not as it was meant.",
    "candidate": "Drop it, and have it proposed anew if it is wanted.",
    "proposal": "Do not decide on what it says now: compare with a backup, or have the draft frozen again.",
}
"""What to do about a problem, by its kind; the others are helped by a backup."""


@dataclass(frozen=True)
class Problem:
    """One thing that is not as it was written."""

    kind: str
    """document, revision, change, line, blob, asset, approval, key, proposal, draft, candidate, snapshot, conflict,
    entry, novel, journal"""
    id: str
    message: str
    where: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Ids by what they are: ``lines``, ``revisions``, ``units``, ``objects``, ``properties``, ``proposals``, …"""
    expected: str = ""
    found: str = ""

    @property
    def remedy(self) -> str:
        """What to do about it."""
        return REMEDIES.get(self.kind, _BACKUP)

    @property
    def place(self) -> str:
        """Where it is, in words."""
        return " · ".join(f"{name} {_named(ids)}" for name, ids in self.where.items())

    def data(self) -> dict[str, Any]:
        """The problem as plain data."""
        return {
            "kind": self.kind,
            "id": self.id,
            "message": self.message,
            "where": {name: list(ids) for name, ids in self.where.items()},
            "expected": self.expected,
            "found": self.found,
            "what_to_do": self.remedy,
        }

    def __str__(self) -> str:
        parts = [f"{self.kind} {self.id}: {self.message}", self.place]
        parts += [f"expected {self.expected}"] if self.expected else []
        parts += [f"found {self.found}"] if self.found else []
        return " · ".join(part for part in parts if part)


@dataclass
class Report:
    """What a check looked at and found."""

    checked: dict[str, int] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    """What a person should know although nothing is wrong."""
    heads: ClassVar = ("kind", "id", "what", "where", "expected", "found", "what to do")

    @property
    def clean(self) -> bool:
        """Nothing was found."""
        return not self.problems

    def add(
        self,
        kind: str,
        subject: str,
        message: str,
        *,
        expected: object = "",
        found: object = "",
        **where: str | Iterable[str],
    ) -> None:
        """Note a problem; ``where`` are ids by what they are, empty ones are left out."""
        places = {name: (ids,) if isinstance(ids, str) else tuple(ids) for name, ids in where.items() if ids}
        kept = {name: ids for name, ids in places.items() if ids}
        self.problems.append(Problem(kind, subject, message, kept, str(expected), str(found)))

    def count(self, kind: str, number: int = 1) -> None:
        """Note that things of a kind were looked at."""
        self.checked[kind] = self.checked.get(kind, 0) + number

    def data(self) -> dict[str, Any]:
        """The report as plain data."""
        return {
            "clean": self.clean,
            "checked": dict(self.checked),
            "notes": list(self.notes),
            "problems": [problem.data() for problem in self.problems],
        }

    def rows(self) -> list[tuple[str, ...]]:
        """One row a problem, under ``heads``."""
        return [
            (item.kind, item.id, item.message, item.place, item.expected, item.found, item.remedy)
            for item in self.problems
        ]

    def __repr__(self) -> str:
        looked = ", ".join(f"{number:,} {kind}" for kind, number in self.checked.items())
        lines = [f"checked {looked}" if looked else "checked nothing"]
        lines += self.notes
        lines += [str(problem) for problem in self.problems] or ["everything is as it was written"]
        return "\n".join(lines)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        lines = repr(self).splitlines()[: 1 + len(self.notes)]
        parts = [f"<p>{escape(line)}</p>" for line in lines]
        if self.clean:
            parts.append("<p><b>everything is as it was written</b></p>")
        else:
            body = "".join(f"<tr>{''.join(map(_cell, row))}</tr>" for row in self.rows())
            heads = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in self.heads)
            parts.append(f"<table><thead><tr>{heads}</tr></thead><tbody>{body}</tbody></table>")
        return {"text/plain": repr(self), "text/html": "".join(parts)}


def _named(ids: tuple[str, ...]) -> str:
    shown = ", ".join(ids[:NAMED])
    return shown if len(ids) <= NAMED else f"{shown} … {ids[-1]} ({len(ids)})"


def _cell(text: str) -> str:
    return f'<td style="text-align:left;vertical-align:top">{escape(text)}</td>'
