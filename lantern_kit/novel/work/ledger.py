"""The author's ledger as people read it: what was asked for, what came of it, and from where on it shows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit import showing as show
from lantern_kit.kernel.clock import stamp, to_the_minute
from lantern_kit.listed import Listed
from lantern_kit.novel.model import Instruction, InstructionState, Source
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.host import clipped

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host


@dataclass(frozen=True)
class Place:
    """A paragraph of committed prose that something refers to."""

    source: Source
    chapter: str
    """The chapter's title."""
    words: str

    def told(self) -> str:
        """It with its beginning."""
        return f"{self.source} in “{self.chapter}”: {clipped(self.words, 120)}"


@dataclass(frozen=True)
class InstructionWork:
    """One word of the author's, with what became of it."""

    host: Host = field(repr=False, compare=False)
    novel: Novel = field(repr=False, compare=False)
    facts: Instruction
    revision: str = field(compare=False)
    """The novel's revision that this is read from; of a receipt, one in which it is kept."""

    @property
    def id(self) -> str:
        """Its id, ``in_…``."""
        return self.facts.id

    @property
    def text(self) -> str:
        """The words."""
        return self.facts.text

    @property
    def state(self) -> str:
        """pending, applied, superseded or blocked."""
        return self.facts.state.value

    @property
    def effect(self) -> str:
        """From where on it shows, or what it waits for."""
        held = self.facts
        if held.state is InstructionState.BLOCKED:
            reason = "" if held.conflict is None else f": {held.conflict.reason}"
            return f"contradicts what is written{reason}"
        if held.outcome is not None:
            taken = held.outcome
            if held.answers is not None:
                return f"dealt with, in outline revision {taken.outline_revision}"
            if taken.superseded_by is not None:
                return f"gave way to {taken.superseded_by}, in outline revision {taken.outline_revision}"
            chapter = self.novel.chapters.get(taken.effective or "")
            begins = "the next unit on" if chapter is None else f"“{chapter.title}” on"
            ends = "" if held.replaced_by is None else f", until {held.replaced_by}"
            return f"from {begins}{ends}, in outline revision {taken.outline_revision}"
        if held.during is not None and held.during == self.novel.head.claimed:
            return "after the unit that is being written"
        return "before the next unit"

    @property
    def places(self) -> list[Place]:
        """The paragraphs that it contradicts, of one that was blocked."""
        conflict = self.facts.conflict
        return [] if conflict is None else [place(self.host, self.novel, item) for item in conflict.sources]

    def data(self) -> dict[str, Any]:
        """It as plain data."""
        held = self.facts
        return {
            "id": held.id,
            "sequence": held.sequence,
            "source": held.source.value,
            "answers": held.answers,
            "by": held.by,
            "received_at": stamp(held.received_at),
            "during": held.during,
            "state": held.state.value,
            "effect": self.effect,
            "text": held.text,
            "note": None if held.outcome is None else held.outcome.note,
            "conflict": None
            if held.conflict is None
            else {
                "reason": held.conflict.reason,
                "sources": [str(item) for item in held.conflict.sources],
                "solved_by": held.conflict.solved_by,
            },
        }

    def __repr__(self) -> str:
        held = self.facts
        about = f" about {held.answers}" if held.answers else ""
        head = f"{held.sequence}  {held.id}  {held.state.value}  {held.source.value}{about}: {clipped(held.text)}"
        return "\n".join([head, f"   {self.effect}", *(f"   {item.told()}" for item in self.places)])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        held = self.facts
        rows = [
            ("instruction", f"{held.sequence} {held.id}"),
            ("state", held.state.value),
            ("takes effect", self.effect),
            ("note", "" if held.outcome is None else held.outcome.note),
            ("by", f"{held.by}, {to_the_minute(held.received_at)}"),
        ]
        told = show.paragraph(held.text) + show.facts(rows) + show.bullets(item.told() for item in self.places)
        return show.bundle(repr(self), told)


class Instructions(Listed[InstructionWork]):
    """The ledger, in the order in which it was received."""

    heads: ClassVar = ("no.", "id", "state", "sort", "text", "takes effect")
    empty = "no instructions"

    def row(self, item: InstructionWork) -> tuple[str, ...]:
        """Sequence, id, state, sort, words, and from where on it shows."""
        held = item.facts
        return (
            str(held.sequence),
            held.id,
            held.state.value,
            held.source.value,
            clipped(held.text),
            clipped(item.effect, 160),
        )

    def line(self, item: InstructionWork) -> str:
        """An instruction, and under it what became of it."""
        return repr(item)


def place(host: Host, novel: Novel, source: Source) -> Place:
    """A paragraph with its words. Raises NotFound, NovelStorageCorruption."""
    unit = novel.commits.get(source.commit)
    chapter = "" if unit is None else novel.chapter(unit.chapter).title
    return Place(source, chapter, host.novel_service.paragraphs(novel, source.commit)[source.paragraph])
