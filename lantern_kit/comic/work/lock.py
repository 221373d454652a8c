"""Locks as people see them: what agents are kept from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from lantern_kit.comic.locks import Lock
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import stamp


@dataclass(frozen=True)
class Locks(Sequence[Lock]):
    """Locks, as a list that shows itself as a table."""

    items: tuple[Lock, ...]
    heads: ClassVar = ("locked", "by", "time", "reason")

    def __getitem__(self, place: Any) -> Any:
        return self.items[place]

    def __len__(self) -> int:
        return len(self.items)

    def rows(self) -> list[tuple[str, ...]]:
        """One row a lock, under ``heads``."""
        return [(item.object, item.actor, stamp(item.at), item.reason) for item in self.items]

    def __repr__(self) -> str:
        return "\n".join(item.words() for item in self.items) or "nothing is locked"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), show.table(self.heads, self.rows(), empty="nothing is locked"))
