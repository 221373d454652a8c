"""Where a novel stands: how far it is, what is being done, what it waits for, and what would let it go on."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from lantern_kit import showing as show
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.model import Instruction, Pause, Status, Target
from lantern_kit.novel.service import Moment
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.host import clipped
from lantern_kit.novel.work.ways import Way, ways


@dataclass(frozen=True)
class NovelStatus:
    """A novel at one moment, and who writes it."""

    moment: Moment
    author: str
    """Who has the author's seat, as they call themselves; empty: nobody."""

    @property
    def novel(self) -> Novel:
        """All of it."""
        return self.moment.novel

    @property
    def state(self) -> str:
        """active, paused or completed."""
        return self.novel.head.run.status.value

    @property
    def phase(self) -> str:
        """outlining, revising, writing or finishing."""
        return self.novel.head.run.phase.value

    @property
    def pause(self) -> Pause | None:
        """Why it does not go on."""
        return self.novel.head.run.pause if self.novel.head.run.status is Status.PAUSED else None

    @property
    def completed_chapters(self) -> int:
        """How many are."""
        return self.novel.completed_chapters

    @property
    def pending(self) -> list[Instruction]:
        """Instructions that no outline knows yet, blocked ones too."""
        return self.novel.open_instructions

    @property
    def blocked(self) -> list[Instruction]:
        """Those among them that contradict what is written."""
        return self.novel.blocked

    @property
    def work(self) -> str:
        """What an author is asked for now; empty: nothing."""
        intent = self.novel.head.run.intent
        return "" if intent is None else intent.kind.value

    @property
    def ways(self) -> tuple[Way, ...]:
        """What would let it go on."""
        return ways(self.novel, self.author)

    def length(self) -> str:
        """How much is written, and of how much."""
        head, aimed = self.novel.head, self.novel.config.length
        told = f"{head.characters:,} effective characters ({head.punctuated:,} with punctuation)"
        if not isinstance(aimed, Target):
            return told
        most = "" if aimed.hard_maximum is None else f", never more than {aimed.hard_maximum:,}"
        return f"{told}; {aimed.low:,} to {aimed.high:,} wanted{most}"

    def spent(self) -> list[tuple[str, int, int | None]]:
        """What the run took, and its limits: name, so far, at most."""
        spent, limits = self.novel.head.spent, self.novel.config.limits
        return [
            ("turns", spent.turns, limits.turns),
            ("planning_turns", spent.planning_turns, limits.planning_turns),
            ("minutes", spent.milliseconds // 60_000, limits.minutes),
            ("tokens", spent.input_tokens + spent.output_tokens, limits.tokens),
            ("failures", spent.failures, limits.failures),
            ("stalled", spent.stalled, limits.stalled),
        ]

    def data(self) -> dict[str, Any]:
        """It as plain data; times are ISO 8601, lengths effective characters."""
        novel, head, aimed = self.novel, self.novel.head, self.novel.config.length
        states = Counter(item.state.value for item in novel.units.values())
        intent, pause = head.run.intent, self.pause
        return {
            "id": head.id,
            "title": head.title,
            "language": novel.config.language,
            "revision": self.moment.id,
            "status": self.state,
            "phase": self.phase,
            "pause": None
            if pause is None
            else {
                "reason": pause.reason.value,
                "told": pause.told,
                "ids": list(pause.ids),
                "resume": pause.resume,
                "at": stamp(pause.at),
            },
            "next": [{"deed": way.deed.value, "target": way.target} for way in self.ways],
            "work": None
            if intent is None
            else {"id": intent.id, "kind": intent.kind.value, "why": intent.why.value, "state": intent.state.value},
            "author": self.author,
            "outline": {"revision": head.outline_revision, "approved": head.approved},
            "content_revision": head.content_revision,
            "generation": head.generation,
            "chapters": {"completed": self.completed_chapters, "planned": len(novel.chapters)},
            "units": {"committed": head.commits, "prepared": states["prepared"], "claimed": head.claimed},
            "length": {
                "effective": head.characters,
                "with_punctuation": head.punctuated,
                "count_policy": novel.config.count_policy,
                "low": aimed.low if isinstance(aimed, Target) else None,
                "high": aimed.high if isinstance(aimed, Target) else None,
                "hard_maximum": aimed.hard_maximum if isinstance(aimed, Target) else None,
            },
            "instructions": {
                "received": head.received,
                "watermark": head.watermark,
                "pending": [item.id for item in self.pending if item not in self.blocked],
                "blocked": [item.id for item in self.blocked],
            },
            "spent": {name: {"used": used, "limit": most} for name, used, most in self.spent()},
        }

    def _facts(self) -> list[tuple[str, str]]:
        novel, pause = self.novel, self.pause
        spent = [f"{used:,} of {most:,} {_plain(name)}" for name, used, most in self.spent() if most and used]
        waiting = [f"{item.sequence} {item.id} ({item.state.value}): {clipped(item.text, 60)}" for item in self.pending]
        return [
            ("state", f"{self.state}, {self.phase}" if self.state == "active" else self.state),
            ("why", "" if pause is None else f"{pause.reason.value}: {pause.told}"),
            ("what helps", "" if pause is None else pause.resume),
            ("next", "  ·  ".join(way.code for way in self.ways)),
            ("at work", " ".join(filter(None, (self.work, self.author and f"by {self.author}")))),
            ("chapters", f"{self.completed_chapters} of {counted(len(novel.chapters), 'chapter')} completed"),
            ("length", self.length()),
            ("outline", f"revision {novel.head.outline_revision}" if novel.head.outline_revision else "none yet"),
            ("open instructions", "; ".join(waiting)),
            ("spent", ", ".join(spent)),
        ]

    def __repr__(self) -> str:
        lines = [f"{name}: {words}" for name, words in self._facts() if words]
        return "\n".join([f"{self.novel.head.title}  ({self.novel.head.id} at {self.moment.id})", *lines])

    def html(self) -> str:
        """It as it is shown in a notebook; what it waits for stands out."""
        pause = self.pause
        told = "" if pause is None else show.warning(f"{pause.told} {pause.resume}".strip())
        return show.heading(self.novel.head.title) + told + show.facts(self._facts())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.html())


def _plain(name: str) -> str:
    return name.replace("_", " ")
