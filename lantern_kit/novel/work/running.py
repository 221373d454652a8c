"""A run as people hold it: an author at work on a novel, and how that ended."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from lantern_kit import showing as show
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.driver import Driver
from lantern_kit.novel.projection import Projection
from lantern_kit.novel.steps import Ended, Step
from lantern_kit.novel.work.status import NovelStatus

if TYPE_CHECKING:
    from pathlib import Path

    from lantern_kit.novel.host import AuthorHost, HostReport
    from lantern_kit.novel.work.host import Host


@dataclass(frozen=True)
class RunWork:
    """How a run ended."""

    ended: Ended
    host: HostReport
    """Who wrote, and what that host guarantees."""
    status: NovelStatus
    """Where the novel stood then."""

    @property
    def completed(self) -> bool:
        """Whether the novel is completed."""
        return self.ended.completed

    def told(self) -> str:
        """What came of it, in a sentence."""
        why = "It was asked to end there." if self.ended.halt is None else self.ended.halt.told
        return f"{counted(self.ended.steps, 'step')} by {writer(self.host)}. {why}"

    def __repr__(self) -> str:
        return f"{self.told()}\n{self.status!r}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        label = show.warning(writer(self.host)) if self.host.stand_in else ""
        return show.bundle(repr(self), label + show.paragraph(self.told()) + self.status.html())


def writer(report: HostReport) -> str:
    """Who writes, with its label where it is no model."""
    return f"{report.name}, no model" if report.stand_in else report.name


def projections(host: Host) -> Path:
    """Where what is read of novels lies."""
    return host.path / "projections" / "novels"


def carried(
    host: Host,
    novel: str,
    author: AuthorHost,
    *,
    until: Callable[[Step], bool] | None,
    on_step: Callable[[Step], None] | None,
    progress: Progress | None,
) -> RunWork:
    """Let an author write on until the novel is completed or paused; raises as ``Driver.run``."""
    service = host.novel_service
    with reporting(progress, "Writing a novel") as tell:

        def heard(step: Step) -> None:
            held = step.moment.novel
            current = held.current
            if on_step is not None:
                on_step(step)
            tell("" if current is None else current.title, held.completed_chapters, len(held.chapters))

        projection = Projection(projections(host), service)
        driver = Driver(service, author, novel, projector=projection, tell=heard)
        ended = driver.run(until)
    return RunWork(ended, author.report(), NovelStatus(ended.moment, service.authors.holder(novel)))
