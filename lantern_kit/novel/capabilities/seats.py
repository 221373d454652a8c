"""Where an author's deeds come from: the seat of whoever is connected, or the desk that a driver hands over."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.brief import Brief
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage, progress
from lantern_kit.novel.errors import NovelCapability, NovelOwnership
from lantern_kit.novel.model import Intent, Status
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import Moment, NovelService
from lantern_kit.novel.turns import Turns, unprojected
from lantern_kit.novel.whole import Novel


class Seats(Protocol):
    """Gives authors their desk."""

    def desk(self, actor: Actor) -> AuthorDesk:
        """The desk of whoever calls, in the turn that is on. Raises NovelOwnership where they have none."""


@dataclass
class HeldSeat:
    """The desk of a turn that a driver began: its work is given, and none is asked for."""

    novel: str
    held: AuthorDesk | None = None
    """None: no turn is on."""

    def desk(self, actor: Actor) -> AuthorDesk:
        """That desk, in the caller's name. Raises NovelOwnership where no turn is on."""
        if self.held is None:
            raise NovelOwnership("no work of this novel is on", ids=[self.novel], recovery="Stop here; the work ended.")
        return AuthorDesk(self.held.service, self.held.seat, actor)


@dataclass(frozen=True)
class _Turn:
    name: str
    before: Novel
    """The novel when the turn was sent."""
    begun: int


class ServedSeat:
    """The seat of a host that asks for its work: taken with a work, kept until there is none, or until it is closed.

    Turns are named here, never by the host. One turn is on at a time; asking for the next work ends it.

    Args:
        project: brings what is read beside the novel up to its content; the next work waits for it.
    """

    def __init__(self, service: NovelService, novel: str, project: Callable[[str], object]) -> None:
        self._service = service
        self._novel = novel
        self._project = project
        self._mark = secrets.token_hex(3)
        self._seat: AuthorSeat | None = None
        self._turn: _Turn | None = None
        self._last = 0

    def desk(self, actor: Actor) -> AuthorDesk:
        """The caller's desk. Raises NovelOwnership where no work was asked for, or somebody else was given it."""
        seat = self._seat
        if seat is None or self._turn is None or seat.author != actor.name:
            raise NovelOwnership(
                "no work of this novel was given to this author",
                found=seat.author if seat is not None and seat.author != actor.name else None,
                ids=[self._novel],
                recovery="Ask for the next work first; it gives the right to write, unless somebody else has it.",
            )
        self._last = self._service.clock.now()
        return AuthorDesk(self._service, seat.at(self._turn.name), actor)

    def take(self, actor: Actor) -> None:
        """Take the seat, or keep it. What another author left who is gone is taken back.

        Raises NovelOwnership, NovelStorageCorruption, NovelCapability.
        """
        held = self._seat
        if held is not None and held.author != actor.name and self._holds(held):
            raise NovelOwnership(
                "another author writes this novel",
                found=held.author,
                ids=[self._novel],
                recovery="Let that one end; only reading goes on beside it.",
            )
        seat = self._service.authors.take(self._novel, actor.name, self._mark)
        if held is None or held.lease.fence != seat.lease.fence:
            self._turn = None
            novel = self._service.head(self._novel).novel
            self._service.require_sound(novel)
            Turns(self._service, seat).recover()
        self._seat = seat
        self._bring_up(Turns(self._service, seat))

    def _bring_up(self, turns: Turns) -> None:
        """What is read beside the novel up to date; where it cannot be, the novel pauses (seed 004, 12.1, 13)."""
        try:
            self._project(self._novel)
        except LanternError as error:
            if self._service.head(self._novel).novel.head.run.status is not Status.ACTIVE:
                return
            turns.halt(unprojected(self._novel, error))

    def next(
        self, connection: Connection, briefing: Callable[[Novel, Intent], Brief | Halt]
    ) -> tuple[Moment, tuple[Intent, Brief] | Halt]:
        """End the turn that is on, prepare the next work, and send it in a new turn; all in one transaction.

        Args:
            briefing: what is told of the work; a halt pauses the novel instead.

        Raises NovelCapability (a limit on tokens, which no host of this sort tells), NovelOwnership.
        """
        if self._seat is None:
            raise AssertionError("the seat is taken before work is asked for")
        turns = Turns(self._service, self._seat)
        before = self._service.head(self._novel, connection).novel
        if before.config.limits.tokens is not None:
            raise NovelCapability(
                "the novel has a limit on tokens, and this host does not tell how many it takes",
                expected="limits without tokens",
                ids=[self._novel],
                recovery="A person can take that limit away, or have the kit's own agent write.",
            )
        turn, self._turn = self._turn, None
        if turn is not None and before.head.spent.turns >= turn.before.head.spent.turns:  # else it was never kept
            turns.ended(turn.before, self._usage(turn), excused=_outside(turn.before, before), connection=connection)
        moment, work = turns.prepare(connection)
        if isinstance(work, Halt):
            return self._leave(connection, moment, work)
        told = briefing(moment.novel, work)
        if isinstance(told, Halt):
            return self._leave(connection, turns.halt(told, connection), told)
        name, self._last = self._service.ids.new("tn"), self._service.clock.now()
        moment, sent = turns.send(work.id, name, connection)
        self._turn = _Turn(name, moment.novel, self._last)
        return moment, (sent, told)

    def _leave(self, connection: Connection, moment: Moment, halt: Halt) -> tuple[Moment, Halt]:
        """Give the seat back with the last turn: nobody is kept out by an author who has nothing to do."""
        if self._seat is not None:
            self._service.authors.release(self._seat, connection)
        self._seat = None
        return moment, halt

    def close(self) -> None:
        """Give the seat back: what was begun and not committed is prepared again for whoever comes next."""
        seat, turn = self._seat, self._turn
        self._seat = self._turn = None
        if seat is None or not self._holds(seat):
            return
        turns = Turns(self._service, seat)
        if turn is not None and progress(turn.before, self._service.head(self._novel).novel):
            turns.ended(turn.before, self._usage(turn))
        turns.recover()
        self._service.authors.release(seat)

    def _usage(self, turn: _Turn) -> Usage:
        return Usage(max(0, self._last - turn.begun))

    def _holds(self, seat: AuthorSeat) -> bool:
        try:
            with self._service.journal.read() as connection:
                self._service.authors.check(connection, seat)
        except NovelOwnership:
            return False
        return True


def _outside(before: Novel, now: Novel) -> str:
    """Why a turn without progress is no fault of its author's; empty where it is."""
    if now.head.run.status is not Status.ACTIVE:
        return "The novel was paused."
    if now.head.received > before.head.received or now.head.generation > before.head.generation:
        return "An instruction came in between, or a stop."
    return ""
