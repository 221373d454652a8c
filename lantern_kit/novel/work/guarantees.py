"""What whoever writes guarantees, as people read it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from lantern_kit import showing as show
from lantern_kit.novel.host import CORE, Guarantee, HostReport


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
        lines = [f"{ok:3} {name:20} {needed:8} {reason}" for name, needed, ok, reason in self._rows()]
        return "\n".join([f"{self.report.name}{self._labelled}", *lines])

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        title = show.heading(f"{self.report.name}{self._labelled}")
        return show.bundle(
            repr(self),
            title + show.table(("what", "needed", "guaranteed", "how it is known, or why not"), self._rows()),
        )

    def _rows(self) -> list[tuple[str, str, str, str]]:
        """What, whether no novel is written without it, whether it is given, and how that is known."""
        return [
            (
                row.guarantee.value,
                "core" if row.guarantee in CORE else "optional",
                "yes" if row.ok else "no",
                row.reason,
            )
            for row in map(self.report.row, Guarantee)
        ]

    @property
    def _labelled(self) -> str:
        return " (a stand-in, no model)" if self.report.stand_in else ""
