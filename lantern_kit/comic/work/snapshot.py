"""Saved versions as people hold them: what a person called a state of the work, and its pages."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.saved import Snapshot
from lantern_kit.comic.work import show
from lantern_kit.comic.work.unit import Units, UnitWork
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


@dataclass(frozen=True, repr=False)
class SnapshotWork(Snapshot):
    """A saved version that shows its pages."""

    host: Host = field(kw_only=True, repr=False, compare=False)

    @classmethod
    def of(cls, host: Host, saved: Snapshot) -> SnapshotWork:
        """A saved version of a workspace."""
        return cls(**vars(saved), host=host)

    @property
    def units(self) -> Units:
        """The units as they were saved."""
        moment = self.host.comics.at(self.revision)
        return Units((UnitWork(self.host, moment, unit) for unit in moment.book.order), f"{self.id} “{self.title}”")

    def told(self) -> str:
        """Which revision it is, and who saved it when, with what proposal."""
        came = f", with proposal p{self.proposal}" if self.proposal is not None else ""
        return f"r{self.revision}, saved by {self.actor} at {to_the_minute(self.at)}{came}"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self.units.html() + show.small(self.told()))


class Snapshots(Listed[SnapshotWork]):
    """Saved versions, as a list that shows itself as a table."""

    heads = ("saved version", "title", "revision", "time", "by", "proposal")
    empty = "no version was saved yet"

    def row(self, item: SnapshotWork) -> tuple[str, ...]:
        """Id, title, revision, time, who saved it, and the proposal it came with."""
        proposal = "" if item.proposal is None else f"p{item.proposal}"
        return (item.id, item.title, f"r{item.revision}", to_the_minute(item.at), item.actor, proposal)

    def line(self, item: SnapshotWork) -> str:
        """A saved version on one line."""
        return repr(item)

    def picture(self, item: SnapshotWork) -> str:
        """Its first page."""
        first = item.units.items[:1]
        return first[0].render(long_edge=120).picture(f"first page of {item.title}") if first else ""
