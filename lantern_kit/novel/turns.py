"""The kit's own deeds with a novel: work is prepared, sent, accounted for and taken back after a crash."""

from __future__ import annotations

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import LanternError
from lantern_kit.kernel.verify import KIT
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.edit import work
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.model import AttemptEnd, Intent, Reason
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.service import Moment, NovelService
from lantern_kit.novel.whole import Novel


class Turns:
    """Prepares, sends and ends the work of one author. Every method raises NovelOwnership when the seat was lost.

    ``connection``: the write transaction to do it in; None opens one.
    """

    def __init__(self, service: NovelService, seat: AuthorSeat) -> None:
        self._service = service
        self._seat = seat

    def prepare(self, connection: Connection | None = None) -> tuple[Moment, Intent | Halt]:
        """The next work, durably noted before anybody is asked for it; or why there is none."""
        return self._service.step(
            self._seat.novel, work.prepare, actor=KIT, cause="prepare", seat=self._seat, connection=connection
        )

    def send(self, intent: str, turn: str, connection: Connection | None = None) -> tuple[Moment, Intent]:
        """Note that the author is asked, in a turn of their host. Raises WrongState."""
        return self._service.step(
            self._seat.novel,
            lambda novel, stamp: work.send(novel, intent, stamp),
            actor=KIT,
            cause="send",
            seat=self._seat.at(turn),
            connection=connection,
        )

    def ended(
        self,
        before: Novel,
        usage: Usage,
        *,
        failed: str = "",
        excused: str = "",
        connection: Connection | None = None,
    ) -> Moment:
        """Account for a turn that ended. Raises nothing of its own."""
        moment, _ = self._service.step(
            self._seat.novel,
            lambda novel, stamp: (
                work.ended(novel, before, usage, failed=failed, stamp=stamp, excused=excused),
                None,
            ),
            actor=KIT,
            cause="turn ended",
            seat=self._seat,
            connection=connection,
        )
        return moment

    def halt(self, halt: Halt, connection: Connection | None = None) -> Moment:
        """Pause the novel for a reason of the kit's."""

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, None]:
            return work.paused(novel, halt, stamp), None

        moment, _ = self._service.step(
            self._seat.novel, make, actor=KIT, cause="pause", seat=self._seat, connection=connection
        )
        return moment

    def recover(self) -> Moment:
        """Take back what an author left who is provably gone; called once, when the seat was taken anew.

        Its token is worth nothing from then on; the unit is prepared again, and what was sent is asked for anew.
        """

        def make(novel: Novel, stamp: Stamp) -> tuple[Novel, None]:
            after = work.given_back(novel, AttemptEnd.LOST, "Its author is gone.", stamp)
            return (after.with_run(intent=None) if after.head.run.intent is not None else after), None

        moment, _ = self._service.step(self._seat.novel, make, actor=KIT, cause="recover", seat=self._seat)
        return moment


def unprojected(novel: str, error: LanternError) -> Halt:
    """Why a novel does not go on whose reading files or index could not be brought up."""
    return Halt(
        f"What is read of the novel could not be brought up: {error.message}"[:3_000],
        Reason.PROJECTION_PENDING,
        (novel, error.code),
        f"{error.recovery or 'Mend what keeps it from being written.'} Then resume; the prose is safe.",
    )
