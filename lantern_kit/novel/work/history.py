"""A novel's past as people read it: every step that was ever made, newest first."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit.kernel.clock import stamp, to_the_minute
from lantern_kit.kernel.revision import ChangeRow, Revision
from lantern_kit.kernel.wording import counted
from lantern_kit.listed import Listed
from lantern_kit.novel.model import Instruction, Reason
from lantern_kit.novel.whole import Novel, committed
from lantern_kit.novel.work.host import clipped

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host

BOOKKEEPING = frozenset({"prepare", "send", "turn ended", "too long"})
"""Causes of steps by which the kit accounts for turns: nothing of the novel is otherwise after them."""


@dataclass(frozen=True)
class NovelStep:
    """A revision of a novel: who did what, and what it was about."""

    revision: Revision
    chapter: str = ""
    """Title of the chapter that was written at, claimed or completed; empty: none."""
    characters: int | None = None
    """Effective characters that it committed."""
    outline: int | None = None
    """The outline revision that it made or let begin."""
    instruction: Instruction | None = None
    """The one that it received, or found to be in conflict."""
    paused: Reason | None = None
    """Why the novel was paused by it; None: it was not."""

    @property
    def id(self) -> str:
        """``r41``, as export takes it."""
        return self.revision.id

    @property
    def cause(self) -> str:
        """What was done, such as commit, revise, instruct or pause."""
        return self.revision.cause

    @property
    def by(self) -> str:
        """Who did it."""
        return self.revision.actor.name

    @property
    def at(self) -> int:
        """When, in milliseconds since 1970."""
        return self.revision.at

    @property
    def bookkeeping(self) -> bool:
        """Whether it only accounts for a turn."""
        return self.cause in BOOKKEEPING and self.paused is None

    @property
    def about(self) -> str:
        """What it was about, in a few words."""
        asked = self.instruction
        told = [
            "" if self.outline is None else f"outline revision {self.outline}",
            f"“{self.chapter}”" if self.chapter else "",
            "" if self.characters is None else counted(self.characters, "character"),
            "" if asked is None else f"{asked.sequence} {asked.id}: {clipped(asked.text)}",
            "" if self.paused is None else f"paused: {self.paused.value}",
        ]
        return ", ".join(filter(None, told))

    def data(self) -> dict[str, Any]:
        """It as plain data."""
        return {
            "revision": self.id,
            "at": stamp(self.at),
            "by": self.by,
            "cause": self.cause,
            "chapter": self.chapter or None,
            "characters": self.characters,
            "outline": self.outline,
            "instruction": None if self.instruction is None else self.instruction.id,
            "paused": None if self.paused is None else self.paused.value,
            "changes": self.revision.changes_count,
        }

    def __repr__(self) -> str:
        return "  ".join(filter(None, (self.id, to_the_minute(self.at), self.by, self.cause, self.about)))


class NovelHistory(Listed[NovelStep]):
    """Revisions of a novel's line."""

    heads: ClassVar = ("revision", "time", "who", "what", "about", "changes")

    def row(self, item: NovelStep) -> tuple[str, ...]:
        """Revision, time, who did what, what about, and how much it changed."""
        return (item.id, to_the_minute(item.at), item.by, item.cause, item.about, str(item.revision.changes_count))

    def line(self, item: NovelStep) -> str:
        """A revision on one line."""
        return repr(item)


def history(host: Host, novel: str, last: int) -> NovelHistory:
    """The last revisions of a novel, newest first."""
    service = host.novel_service
    with service.journal.read() as connection:
        now = service.head(novel, connection).novel
        revisions = service.history.log(connection, novel, limit=last)
        return NovelHistory([_step(item, service.history.changes(connection, item), now) for item in revisions])


def _step(revision: Revision, rows: Sequence[ChangeRow], now: Novel) -> NovelStep:
    """A revision, told by what it changed; chapters and instructions are as they are called by now."""
    told: dict[str, Any] = {}
    for row in rows:
        match row.object_kind, row.property:
            case "unit", "state" if revision.cause in {"claim", "commit"}:
                told |= _unit(now, row, revision.cause)
            case "chapter", "completion":
                told["chapter"] = _title(now, row.object)
            case "novel", "outline_revision" | "approved" if row.after not in {None, "0"}:
                told["outline"] = int(row.after or "0")
            case "novel", "run":
                told["paused"] = _paused(row)
            case "instruction", "state" if revision.cause in {"create", "instruct", "block"}:
                told["instruction"] = now.instructions.get(row.object)
    return NovelStep(revision, **told)


def _unit(now: Novel, row: ChangeRow, cause: str) -> Mapping[str, Any]:
    unit = now.units.get(row.object)
    if unit is None:
        return {}
    told: dict[str, Any] = {"chapter": _title(now, unit.chapter)}
    return told | ({"characters": committed(unit).characters} if cause == "commit" else {})


def _paused(row: ChangeRow) -> Reason | None:
    """Why a run was paused that was not paused for it before."""
    before, after = (json.loads(text or "{}").get("pause") for text in (row.before, row.after))
    reasons = [None if pause is None else Reason(pause["reason"]) for pause in (before, after)]
    return reasons[1] if reasons[0] is not reasons[1] else None


def _title(now: Novel, chapter: str) -> str:
    return now.chapters[chapter].title if chapter in now.chapters else ""
