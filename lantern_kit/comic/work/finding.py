"""What checks found, as people see it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.comic.finding import Finding
from lantern_kit.comic.work import show


@dataclass(frozen=True)
class Findings(Sequence[Finding]):
    """What checks found, as a list that shows itself as a table."""

    items: tuple[Finding, ...]
    names: Mapping[str, str] = field(default_factory=dict)
    """What people call the objects, by id."""

    def __getitem__(self, place: Any) -> Any:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def __repr__(self) -> str:
        lines = [f"{severity} {rule} {what}: {message}" for severity, rule, what, message in self.rows()]
        return "\n".join(lines) or "no findings"

    def rows(self) -> list[tuple[str, ...]]:
        """One row a finding: severity, rule, object, what."""
        return [(item.severity, item.rule, self._called(item.object), item.message) for item in self.items]

    def _called(self, thing: str) -> str:
        name = self.names.get(thing, "")
        return f"{name} ({thing})" if name else thing

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        heads = ("severity", "rule", "object", "what")
        return show.bundle(repr(self), show.table(heads, self.rows(), empty="no findings"))
