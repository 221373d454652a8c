"""A watch over a turn: whether its work is still wanted, looked at from beside it (seed 004, 9.4, 13).

A person may stop the novel from any process while the author is at work. The watch notices and has the host told. It
reads no clock and writes nothing; its thread ends with the turn.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from types import TracebackType

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.authors import AuthorSeat
from lantern_kit.novel.edit.work import progress
from lantern_kit.novel.host import Cancelled
from lantern_kit.novel.model import Status
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel

EVERY = 0.5
"""Seconds between two looks."""


def unwanted(before: Novel, now: Novel) -> str:
    """Why the work of a turn is not wanted any more; empty: it is, or it is done.

    Args:
        before: the novel when the work was sent.
    """
    asked, held = before.head.run.intent, now.head.run.intent
    turn = "" if asked is None else asked.turn
    if now.head.generation != before.head.generation:
        return "The work was stopped."
    if progress(before, now) or now.head.outline_revision > before.head.outline_revision:
        return ""
    if held is None or held.turn != turn:
        return "The work stepped aside for what came in."
    if now.head.run.status is Status.PAUSED and now.head.claimed is None:
        return "The novel was paused."
    return ""


class Watch:
    """Looks at a novel while a turn runs, and tells its host once when the work is not wanted any more.

    Args:
        service, seat: whose turn it is.
        before: the novel when the work was sent.
        cancel: the host's.
        every: seconds between two looks.
    """

    def __init__(
        self,
        service: NovelService,
        seat: AuthorSeat,
        before: Novel,
        cancel: Callable[[], None],
        *,
        every: float = EVERY,
    ) -> None:
        self._service = service
        self._seat = seat
        self._before = before
        self._cancel = cancel
        self._every = every
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name=f"lantern-novel-{seat.novel}", daemon=True)
        self.why = ""
        """Why the work is not wanted any more, once that was seen."""

    def alive(self) -> None:
        """Raise Cancelled when the work is not wanted any more."""
        self.why = self.why or self._look()
        if self.why:
            raise Cancelled(self.why, ids=[self._seat.novel])

    def _look(self) -> str:
        if not self._service.authors.has(self._seat):
            return "The author's seat is another's."
        return unwanted(self._before, self._service.head(self._seat.novel).novel)

    def _run(self) -> None:
        while not self._over.wait(self._every):
            try:
                self.why = self.why or self._look()
            except LanternError as error:
                self.why = "" if error.retryable else error.message
            if self.why:
                self._cancel()
                return

    def __enter__(self) -> Watch:
        """Begin to look."""
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """End; the thread is gone afterwards."""
        self._over.set()
        self._thread.join()
