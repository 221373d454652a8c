"""What whoever writes guarantees, as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lantern_kit import showing as show
from lantern_kit.novel.host import Guarantee, HostReport


@dataclass(frozen=True)
class Guarantees:
    """A host's report."""

    report: HostReport

    def ok(self, guarantee: Guarantee | str) -> bool:
        """Whether one thing is guaranteed, such as ``cancel``."""
        return self.report.ok(Guarantee(guarantee))

    @property
    def writes(self) -> bool:
        """Whether it guarantees what no novel is written without."""
        return not self.report.missing()

    def __repr__(self) -> str:
        rows = (self.report.row(item) for item in Guarantee)
        lines = [f"{'yes' if row.ok else 'no ':3} {row.guarantee.value:20} {row.reason}" for row in rows]
        return "\n".join([f"{self.report.name}{self._labelled}", *lines])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        rows = [(row.guarantee.value, "yes" if row.ok else "no", row.reason) for row in map(self.report.row, Guarantee)]
        title = show.heading(f"{self.report.name}{self._labelled}")
        return show.bundle(repr(self), title + show.table(("what", "guaranteed", "how it is known, or why not"), rows))

    @property
    def _labelled(self) -> str:
        return " (a stand-in, no model)" if self.report.stand_in else ""
