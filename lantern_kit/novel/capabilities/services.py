"""What the capabilities of novels are given to work with."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lantern_kit.kernel.capability import Call
from lantern_kit.novel.capabilities.deductions import Cast, Deductions
from lantern_kit.novel.capabilities.seats import Seats, ServedSeat

if TYPE_CHECKING:
    from lantern_kit.novel.desk import AuthorDesk
    from lantern_kit.novel.reading import Reader
    from lantern_kit.novel.search import Search
    from lantern_kit.novel.service import NovelService
    from lantern_kit.novel.whole import Novel


@dataclass(frozen=True)
class NovelServices:
    """One novel and its services, as the dispatcher hands them on."""

    service: NovelService
    novel: str
    """The one novel that all calls are about."""
    reader: Reader
    search: Search
    seats: Seats
    deductions: Deductions
    cast: Cast | None = None
    """Who plays the characters of a deduction; None: the host itself has somebody do it."""

    @property
    def now(self) -> Novel:
        """The novel as it stands."""
        return self.service.head(self.novel).novel

    @property
    def served(self) -> ServedSeat:
        """The seat of a host that asks for its work. Raises TypeError where work is given."""
        if not isinstance(self.seats, ServedSeat):
            raise TypeError("work is given to this author, and none is asked for")
        return self.seats


def services(call: Call) -> NovelServices:
    """The services of a call. Raises TypeError when a dispatcher was wired with others."""
    found = call.services
    if not isinstance(found, NovelServices):
        raise TypeError("novel capabilities need a dispatcher with NovelServices")
    return found


def desk(call: Call) -> AuthorDesk:
    """The caller's desk. Raises NovelOwnership."""
    return services(call).seats.desk(call.actor)
