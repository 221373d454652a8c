"""Files for reading that were made anew, and what had been wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from lantern_kit import showing as show
from lantern_kit.kernel.wording import counted
from lantern_kit.novel.deviation import Deviation
from lantern_kit.novel.projection import Projected, Projection
from lantern_kit.novel.work.running import projections

if TYPE_CHECKING:
    from lantern_kit.novel.work.host import Host


@dataclass(frozen=True)
class Rebuilt:
    """What came of making them anew."""

    folder: Path
    """Where they lie."""
    facts: Projected
    wrong: tuple[Deviation, ...]
    """What had not been as the commits have it."""

    def __repr__(self) -> str:
        told = [f"{item.file}: {item.fault.value}" for item in self.wrong]
        return "\n".join([f"{counted(len(self.facts.written), 'file')} in {self.folder}", *told])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        rows = [(item.file, item.fault.value) for item in self.wrong]
        table = show.table(("file", "was"), rows, empty="nothing had been wrong")
        return show.bundle(repr(self), show.facts([("folder", str(self.folder))]) + table)


def rebuilt(host: Host, novel: str) -> Rebuilt:
    """Look at them, and make them anew. Raises ProjectionFailed, NovelStorageCorruption."""
    projection = Projection(projections(host), host.novel_service)
    wrong = tuple(projection.verify(novel))
    return Rebuilt(projection.folder / novel, projection.bring_up(novel, anew=True), wrong)
