"""Drivers for tests: hosts that do something odd at one place, and what is told meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.creation import CardFile
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.driver import Driver
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.host import HostReport, Order
from lantern_kit.novel.model import Config
from lantern_kit.novel.offline import OfflineAuthor
from lantern_kit.novel.steps import Step, Warned
from tests.novel.stage import Stage, config, stage

CARDS = Path(__file__).parents[3] / "datasets" / "cards"
FILES = {
    "en": ("mara-quill.charx", "tobias-fenn.json", "saltmarsh.json"),
    "zh": ("shen-yan.png", "lin-zhao.json", "wu-gang.json"),
}
Hook = Callable[[Order], None]


class Crash(BaseException):
    """The process ends here, as far as a test within it can."""


class Desk(AuthorDesk):
    """A desk that lets a test in."""

    order: Order
    host: Odd

    def claim(self, *given: Any, **more: Any) -> Any:
        made = super().claim(*given, **more)
        self.host.claimed(self.order)
        return made

    def commit(self, *given: Any, **more: Any) -> Any:
        made = super().commit(*given, **more)
        self.host.committed(self.order)
        return made


def nothing(order: Order) -> None:
    """Let it go on."""


class Odd(OfflineAuthor):
    """The stand-in, with a test's deeds before a turn, after a claim and after a commit."""

    def __init__(self, seed: int = 1, *, asked: Hook = nothing, claimed: Hook = nothing, committed: Hook = nothing):
        super().__init__(seed)
        self.asked, self.claimed, self.committed = asked, claimed, committed
        self.turns: list[str] = []
        """What was asked for, turn by turn."""
        self.cancelled = 0

    def work(self, order: Order) -> Usage:
        self.turns.append(order.intent.kind.value)
        self.asked(order)
        desk = Desk(order.desk.service, order.desk.seat, order.desk.actor)
        desk.order, desk.host = order, self
        return super().work(replace(order, desk=desk))

    def cancel(self) -> None:
        self.cancelled += 1
        super().cancel()


class Reported(Odd):
    """One that says something else of itself."""

    def __init__(self, change: Callable[[HostReport], HostReport], **hooks: Hook):
        super().__init__(**hooks)
        self.change = change

    def report(self) -> HostReport:
        return self.change(super().report())


class Projector:
    """Counts, and fails while it is told to."""

    def __init__(self) -> None:
        self.error: LanternError | None = None
        self.asked = 0

    def bring_up(self, novel: str) -> None:
        self.asked += 1
        if self.error is not None:
            raise self.error


@dataclass
class Rig:
    """A novel, and drivers of it."""

    stage: Stage
    steps: list[Step] = field(default_factory=list)
    warned: list[Warned] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)

    def driver(self, host: Any = None, **more: Any) -> Driver:
        """A driver under the stage's seat, or under one of its own with ``holder``."""
        own = {} if "holder" in more else {"seat": self.stage.seat}
        return Driver(
            self.stage.service,
            host or OfflineAuthor(1),
            self.stage.novel_id,
            tell=self.steps.append,
            warn=self.warned.append,
            sleep=self.waits.append,
            every=0.005,
            **own,
            **more,
        )

    def commits(self, count: int) -> Callable[[Step], bool]:
        """Until so many units are committed."""
        return lambda step: step.moment.novel.head.commits >= count

    @property
    def prose(self) -> list[str]:
        """All paragraphs, in the order of reading."""
        novel = self.stage.novel
        return [
            text
            for _, unit in novel.reading()
            if unit.commit is not None
            for text in self.stage.service.paragraphs(novel, unit.commit.id)
        ]


def rig(folder: Path, *, language: str = "en", cards: bool = False, **facts: Any) -> Rig:
    """A novel of one chapter that nobody wrote at yet; with cards: of twelve."""
    names = FILES[language] if cards else ()
    files = tuple(CardFile(name, (CARDS / name).read_bytes()) for name in names)
    facts.setdefault("chapters", 12 if cards else 1)
    configured: Config = config(language=language, **facts)
    return Rig(stage(folder, configured=configured, files=files))
