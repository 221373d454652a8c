"""Who writes a novel: one author at a time, and only a provably dead one is succeeded (seed 004, 10.2).

The seat fences authors' deeds; what people decide goes through from any process.
"""

from __future__ import annotations

from contextlib import nullcontext
from dataclasses import dataclass, replace

from lantern_kit.kernel import leases
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import Corrupt, WrongState
from lantern_kit.kernel.leases import Lease
from lantern_kit.novel.errors import NovelOwnership


@dataclass(frozen=True)
class AuthorSeat:
    """The right to write a novel, held by one author of one process."""

    novel: str
    author: str
    """Whose deeds they are, as the journal names them."""
    lease: Lease
    turn: str = ""
    """The host's turn that is on."""

    def at(self, turn: str) -> AuthorSeat:
        """The seat in a turn."""
        return replace(self, turn=turn)


class Authors:
    """Seats of authors."""

    def __init__(self, journal: Journal, clock: Clock) -> None:
        self._journal = journal
        self._clock = clock

    def take(self, novel: str, author: str, holder: str) -> AuthorSeat:
        """Take the seat of a novel, or keep it.

        Args:
            author: whose deeds they will be.
            holder: tells this author from others of that name in one process; one word, and nobody else's.

        Raises NovelOwnership while somebody else has it, in this process or in one that may still live.
        """
        with self._journal.write() as connection:
            try:
                lease = leases.take(connection, _name(novel), f"{author} {holder}", now=self._clock.now(), ttl=None)
            except WrongState as error:
                raise NovelOwnership(
                    "another author writes this novel",
                    found=_author(str(error.details["holder"])),
                    ids=[novel],
                    recovery="Let that one end. If its process is surely gone and this cannot be seen from here, a "
                    "person can free the seat: lantern novel free.",
                ) from error
        return AuthorSeat(novel, author, lease)

    def check(self, connection: Connection, seat: AuthorSeat) -> None:
        """Refuse a deed of an author who has the seat no longer, or that of another novel. Raises NovelOwnership."""
        if seat.lease.name != _name(seat.novel):
            raise NovelOwnership("this seat is another novel's", found=seat.lease.name, ids=[seat.novel])
        try:
            leases.check(connection, seat.lease, now=self._clock.now())
        except WrongState as error:
            raise NovelOwnership(
                "this author no longer writes the novel", found=seat.author, ids=[seat.novel], recovery="Stop here."
            ) from error

    def has(self, seat: AuthorSeat) -> bool:
        """Whether a seat is still its author's. It looks at no clock: seats have no end of their own."""
        with self._journal.read() as connection:
            row = leases.read(connection, seat.lease.name)
        return row is not None and row[2] == seat.lease.fence and row[3] > 0

    def before(self, novel: str) -> str:
        """The process that had the seat last, as leases name it; empty when nobody ever had it."""
        with self._journal.read() as connection:
            row = leases.read(connection, _name(novel))
        return "" if row is None else row[1]

    def release(self, seat: AuthorSeat, connection: Connection | None = None) -> None:
        """Give the seat back; does nothing if it was lost."""
        with self._journal.write() if connection is None else nullcontext(connection) as opened:
            leases.release(opened, seat.lease)

    def free(self, novel: str) -> None:
        """Take the seat from whoever has it: a person vouches that they are gone."""
        with self._journal.write() as connection:
            leases.clear(connection, _name(novel))

    def is_doubtful(self, novel: str) -> bool:
        """Whether nobody but a person can say if the seat is taken: its process neither surely runs nor surely ended.

        So it is with a seat that is damaged.
        """
        with self._journal.read() as connection:
            try:
                row = leases.read(connection, _name(novel))
            except Corrupt:
                return True
        held = row is not None and row[3] > self._clock.now()
        return held and row is not None and not leases.is_alive(row[1]) and not leases.is_dead(row[1])

    def holder(self, novel: str) -> str:
        """Whose name has the seat; empty when nobody, or a process that is provably gone, has."""
        with self._journal.read() as connection:
            row = leases.read(connection, _name(novel))
        if row is None or row[3] <= self._clock.now() or leases.is_dead(row[1]):
            return ""
        return _author(row[0])


def _name(novel: str) -> str:
    return f"novel/{novel}"


def _author(holder: str) -> str:
    """The author's name in that of a lease's holder."""
    return holder.rpartition(" ")[0]
