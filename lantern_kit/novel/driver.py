"""The driver: looks at a novel, asks its author for the next piece of work, and accounts for it (seed 004, 12, 13).

It holds no model and decides nothing of the story. Whoever wakes it twice gets no word twice: work is noted before it
is asked for, claimed once and committed once. Where it cannot know, it pauses and says so. Limits of turns, time and
tokens are looked at between turns; a turn that runs is ended by a person's stop alone.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Protocol

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import Corrupt, LanternError, Unexpected, WrongState
from lantern_kit.kernel.leases import is_dead, this_process
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.brief import brief
from lantern_kit.novel.desk import AuthorDesk
from lantern_kit.novel.edit.work import Usage, progress
from lantern_kit.novel.errors import (
    NovelCapability,
    NovelLengthLimit,
    NovelOwnership,
    NovelPaused,
    NovelRevisionConflict,
    NovelStaleUnit,
)
from lantern_kit.novel.host import AuthorHost, Cancelled, Guarantee, HostFailed, HostReport, Order
from lantern_kit.novel.model import Reason, Status
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import Moment, NovelService
from lantern_kit.novel.steps import Ended, Step, Warned, logged
from lantern_kit.novel.turns import Turns, unprojected
from lantern_kit.novel.watch import EVERY, Watch
from lantern_kit.novel.whole import Novel

_SLICE = 1.0
"""Seconds of a wait after which it is looked whether the work is still wanted."""
_SETTLING = (NovelStaleUnit, NovelRevisionConflict, NovelPaused, NovelLengthLimit)
"""What happens where several hands are at one novel, or is bounded by its own count: neither a failure nor a fault."""


class Projector(Protocol):
    """Brings what is read of a novel up to its newest content."""

    def bring_up(self, novel: str) -> object:
        """Does nothing where it is up already; raises a LanternError where it cannot."""
        ...


class Driver:
    """Drives one novel with one host. One thread at a time takes a step.

    Args:
        service: where novels are kept.
        host: whoever writes.
        novel: which one; may be left out with a seat.
        seat: a seat that is held already, and stays its holder's; None: the driver takes one, and gives it back.
        holder: names the driver among those of its process; None: a name of its own.
        projector: brought up after each turn; None: nothing is projected.
        tell: told of each step.
        warn: told of what went wrong and is tried again; Python's log by default.
        sleep: waits some seconds.
        every: seconds between two looks whether a running turn is still wanted.
    """

    def __init__(
        self,
        service: NovelService,
        host: AuthorHost,
        novel: str | None = None,
        *,
        seat: AuthorSeat | None = None,
        holder: str | None = None,
        projector: Projector | None = None,
        tell: Callable[[Step], None] | None = None,
        warn: Callable[[Warned], None] = logged,
        sleep: Callable[[float], None] = time.sleep,
        every: float = EVERY,
    ) -> None:
        name = novel or ("" if seat is None else seat.novel)
        self._service = service
        self._host = host
        self._novel = service.find(name).id
        self._given = seat
        self._seat = seat
        self._holder = holder
        self._projector = projector
        self._projected = 0
        self._tell = tell
        self._warn = warn
        self._sleep = sleep
        self._every = every
        self._one = threading.Lock()
        self._reader = Reader(service, self._novel)

    # the run

    def run(self, until: Callable[[Step], bool] | None = None) -> Ended:
        """Go on until the novel is completed or paused, or ``until`` says so of a step.

        The driver's own seat is given back however it ends. What ended it is told, and in the novel's pause.

        Raises NovelCapability (before anything is touched), NovelOwnership, NovelStorageCorruption, NotFound.
        """
        count = 0
        try:
            self.recover()
            while True:
                step = self.step()
                count += 1
                if step.halt is not None or (until is not None and until(step)):
                    return Ended(step.moment, step.halt, count, step.error)
                self._wait(step)
        finally:
            self.close()

    def close(self) -> None:
        """Give back the seat that the driver took; one that it was handed stays its holder's."""
        seat, self._seat = self._seat, self._given
        if seat is not None and seat is not self._given:
            self._service.authors.release(seat)

    def recover(self) -> Moment:
        """Take the seat, look whether all is sound, and settle what was under way (seed 004, 12.3).

        What a provably dead author left is taken back. Where a turn of another process may still run, the novel
        pauses: nothing is guessed.

        Raises NovelCapability, NovelOwnership, NovelStorageCorruption, NotFound.
        """
        report = self._capable(self._service.head(self._novel).novel)
        if self._seat is None:
            holder = self._holder or self._service.ids.new("dr")
            earlier = self._service.authors.before(self._novel)
            self._seat = self._service.authors.take(self._novel, report.name, holder)
        else:
            earlier = this_process()
        now = self._service.head(self._novel)
        try:
            self._service.require_sound(now.novel)
        except Corrupt as error:
            self._turns.halt(_invalid(error))
            raise
        head = now.novel.head
        if head.run.status is not Status.COMPLETED:
            report.fits(now.novel, self._reader)
        if head.run.status is Status.COMPLETED or (head.run.intent is None and head.claimed is None):
            return now
        turn = "" if head.run.intent is None else head.run.intent.turn
        if turn and self._may_run(turn, earlier, claimed=head.claimed is not None):
            self._warn(Warned("recovery", "An earlier turn may still run.", head.id, now.id, turn, head.claimed or ""))
            return self._turns.halt(
                Halt(
                    "A turn of before may still run, and this cannot be told from here.",
                    Reason.RECOVERY_REQUIRED,
                    tuple(filter(None, (head.claimed, turn))),
                    "Make sure that nobody writes there any more, then resume.",
                )
            )
        moment = self._turns.recover()
        if head.claimed is not None:
            unit = now.novel.unit(head.claimed)
            told = "What an author left unfinished was taken back; the unit is asked for anew."
            self._warn(Warned("recovery", told, head.id, moment.id, turn, unit.id, unit.attempts[-1].id))
        return moment

    def _may_run(self, turn: str, earlier: str, *, claimed: bool) -> bool:
        """Whether a turn of before may still run."""
        runs = self._host.running(turn)
        if runs is not None:
            return runs
        gone = earlier in {"", this_process()} or is_dead(earlier)
        return claimed and not gone

    # one step

    def step(self) -> Step:
        """Take one step: one turn of the author's, or why there is none. The seat is taken if it is not held yet.

        Raises NovelOwnership when the seat was lost, NovelStorageCorruption, NotFound.
        """
        with self._one:
            if self._seat is None:
                self.recover()
            step = self._step()
        if self._tell is not None:
            self._tell(step)
        return step

    def _step(self) -> Step:
        held = self._project() or self._lacks()
        if held is not None:
            return held
        now, work = self._turns.prepare()
        if isinstance(work, Halt):
            return Step(now, halt=work)
        report = self._host.report()
        try:
            told = brief(now.novel, work, self._reader, room=report.room, deed=report.deed)
        except LanternError as error:
            return Step(self._turns.halt(_invalid(error)), halt=_invalid(error), error=error)
        if isinstance(told, Halt):
            return Step(self._turns.halt(told), halt=told)
        turn = self._service.ids.new("tn")
        try:
            sent, work = self._turns.send(work.id, turn)
        except WrongState:
            return Step(self._service.head(self._novel))  # something came in since; the next step sees to it
        seat = self._owned.at(turn)
        desk = AuthorDesk(self._service, seat, Actor.agent(report.name))
        with Watch(self._service, seat, sent.novel, self._host.cancel, every=self._every) as watch:
            step = self._turn(Order(work, desk, told, self._reader, watch.alive), sent, watch)
        return self._project(step) or step

    def _turn(self, order: Order, sent: Moment, watch: Watch) -> Step:
        """Have the host work, and account for it, however that ends."""
        began = self._service.clock.now()
        error: LanternError | None = None
        usage = Usage(0)
        try:
            usage = self._host.work(order)
        except NovelOwnership:
            raise
        except (HostFailed, Cancelled) as caught:
            error, usage = caught, caught.usage or usage
        except LanternError as caught:
            error = caught
        except Exception as caught:  # noqa: BLE001  whatever a host does, the novel is accounted for and says why
            error = Unexpected(f"the author's host failed with {type(caught).__name__}", ids=[order.intent.id])
            error.__cause__ = caught
        except BaseException:
            with suppress(LanternError):
                self._turns.ended(sent.novel, self._timed(usage, began), excused="The run was interrupted.")
            raise
        usage = self._timed(usage, began)
        settling = error is None or isinstance(error, (Cancelled, *_SETTLING))
        passing = "" if error is None or settling or not error.retryable else error.message
        moment = self._turns.ended(sent.novel, usage, failed=passing, excused=watch.why if settling else "")
        if error is None or settling:
            return Step(moment, order.intent, usage=usage, error=error)
        if passing:
            return self._failed(order, moment, usage, error, sent)
        return Step(self._turns.halt(_invalid(error)), order.intent, usage=usage, error=error, halt=_invalid(error))

    def _failed(self, order: Order, moment: Moment, usage: Usage, error: LanternError, sent: Moment) -> Step:
        """After a failure that may pass: wait and try again, or pause with the last error."""
        limits, tries = moment.novel.config.limits, moment.novel.head.spent.failures
        if progress(sent.novel, moment.novel):
            return Step(moment, order.intent, usage=usage, error=error)
        halt = None
        wait = limits.retries.wait_ms << max(0, min(tries, 16) - 1)
        if tries >= min(limits.retries.attempts, limits.failures):
            halt = Halt(
                f"The author's host failed {tries} times in a row, at last with: {error.message}"[:3_000],
                Reason.EXTERNAL,
                (order.intent.id, error.code),
                "Look at the host's error, then resume.",
            )
            moment, wait = self._turns.halt(halt), 0
        unit = None if order.intent.unit is None else moment.novel.units.get(order.intent.unit)
        self._warn(
            Warned(
                "turn",
                error.message,
                self._novel,
                moment.id,
                order.turn,
                order.intent.unit or "",
                unit.attempts[-1].id if unit is not None and unit.attempts else "",
                error.code,
                tries,
                wait,
            )
        )
        return Step(moment, order.intent, halt, usage, error, wait)

    def _timed(self, usage: Usage, began: int) -> Usage:
        took = max(usage.milliseconds, self._service.clock.now() - began)
        return Usage(took, usage.requests, usage.input_tokens, usage.output_tokens)

    def _wait(self, step: Step) -> None:
        """Wait out a failure, as long as the novel may go on at all."""
        rest = step.wait / 1000
        while rest > 0:
            self._sleep(min(rest, _SLICE))
            rest -= _SLICE
            if self._service.head(self._novel).novel.head.run.status is not Status.ACTIVE:
                return

    # what is looked at round a turn

    def _project(self, after: Step | None = None) -> Step | None:
        """Bring the projections up to the content there is; a failure pauses the novel, and nothing is written anew."""
        if self._projector is None:
            return None
        now = self._service.head(self._novel)
        revision = now.novel.head.content_revision
        if revision == self._projected:
            return None
        try:
            self._projector.bring_up(self._novel)
        except LanternError as error:
            self._warn(Warned("projection", error.message, self._novel, now.id, code=error.code))
            halt = unprojected(self._novel, error)
            moment = self._turns.halt(halt)
            if after is None:
                return Step(moment, halt=halt, error=error)
            return Step(moment, after.intent, halt, after.usage, error)
        self._projected = revision
        return None

    def _lacks(self) -> Step | None:
        """Pause where the host no longer guarantees what the novel asks for since."""
        novel = self._service.head(self._novel).novel
        if novel.head.run.status is not Status.ACTIVE:
            return None
        try:
            self._capable(novel).fits(novel, self._reader)
        except NovelCapability as error:
            halt = Halt(error.message, Reason.CAPABILITY, error.ids, error.recovery)
            return Step(self._turns.halt(halt), halt=halt, error=error)
        return None

    def _capable(self, novel: Novel) -> HostReport:
        """The host's report. Raises NovelCapability for what the novel needs and it does not guarantee."""
        report = self._host.report()
        missing = report.missing()
        if missing:
            raise NovelCapability(
                f"{report.name} cannot write novels: {'; '.join(row.reason for row in missing)}",
                expected=[row.guarantee.value for row in missing],
                ids=[novel.head.id],
                details={"host": report.facts()},
            )
        if novel.config.limits.tokens is not None and not (report.counts_tokens and report.ok(Guarantee.USAGE)):
            why = report.row(Guarantee.USAGE)
            raise NovelCapability(
                f"{report.name} cannot hold a limit of tokens" + ("" if why.ok else f": {why.reason}"),
                expected="a host that counts them, or no such limit",
                ids=[novel.head.id],
                recovery="Take the limit of tokens away, or choose a host that counts them.",
                details={"host": report.facts()},
            )
        return report

    @property
    def _owned(self) -> AuthorSeat:
        if self._seat is None:
            raise NovelOwnership("this driver has no seat", ids=[self._novel])
        return self._seat

    @property
    def _turns(self) -> Turns:
        return Turns(self._service, self._owned)


def _invalid(error: LanternError) -> Halt:
    return Halt(
        f"{error.message} [{error.code}]"[:3_000],
        Reason.INVALID,
        tuple(name[:200] for name in error.ids[:20]),
        error.recovery or "Look at the error, then resume.",
    )
