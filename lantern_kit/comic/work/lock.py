"""Locks as people see them: what agents are kept from, drawn where it is on its page."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from lantern_kit.comic.locks import Lock
from lantern_kit.comic.work import show
from lantern_kit.comic.work.closeup import picture_of
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.listed import Listed

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host


@dataclass(frozen=True)
class LockWork(Lock):
    """A lock that shows what it holds."""

    host: Host = field(kw_only=True, repr=False, compare=False)
    held: bool = True
    """Whether it holds still; False of one that was just taken off."""

    @classmethod
    def of(cls, host: Host, lock: Lock, *, held: bool = True) -> LockWork:
        """A lock of a workspace."""
        return cls(lock.number, lock.chapter, lock.object, lock.reason, lock.actor, lock.at, held, host=host)

    def told(self) -> str:
        """What it keeps from agents, or no longer does."""
        if self.held:
            return f"{self.words()}. Agents leave it as it is, with all that lies in it."
        return f"{self.object} is free again; it was locked by {self.actor}" + (
            f": {self.reason}" if self.reason else ""
        )

    def picture(self) -> str:
        """What it holds, marked on its page as it stands; nothing for a chapter, or where it is gone."""
        book = self.host.comics.head(self.chapter).book
        home = self.host.comics.unit_of(book, self.object)
        return "" if home is None else picture_of(self.host, book.unit(home), book.chapter, self.object, self.object)

    def __repr__(self) -> str:
        return f"<{'Lock' if self.held else 'Unlocked'}: {self.told()}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        when = show.small(f"locked at {to_the_minute(self.at)}")
        return show.bundle(repr(self), show.paragraph(self.told()) + when + self.picture())


class Locks(Listed[LockWork]):
    """Locks, as a list that shows itself as a table."""

    heads = ("locked", "by", "time", "reason")
    empty = "nothing is locked"
    key = "object"

    def row(self, item: LockWork) -> tuple[str, ...]:
        """What is locked, by whom, when and why."""
        return (item.object, item.actor, to_the_minute(item.at), item.reason)

    def line(self, item: LockWork) -> str:
        """A lock on one line."""
        return item.words()

    def picture(self, item: LockWork) -> str:
        """What it holds."""
        return item.picture()
