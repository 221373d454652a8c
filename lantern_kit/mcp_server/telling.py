"""A call on its way: what its client is told of its progress, and what becomes of it when the client lets go.

Calls run on a worker thread. One that only reads stops where it next reports progress; one that writes is carried to
its end, so that it is either kept with its receipt or, if its turn had not come, never begun.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from threading import Event
from typing import Any, TypeVar

import anyio
from anyio import from_thread, to_thread
from anyio.lowlevel import EventLoopToken, current_token
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.server.context import ServerRequestContext

from lantern_kit.kernel.errors import Stopped
from lantern_kit.kernel.progress import Progress, quiet, reporting

PATIENCE = 1.0
"""Seconds after which a client is told of progress, if it asked for that."""
PACE = 0.5
"""Seconds between two notes."""
CREEP = 64
"""Part of what is left to the next step that a note adds which tells of no step: work goes on inside one."""
Context = ServerRequestContext[Any, Any]
_Result = TypeVar("_Result")
_Note = tuple[float, float | None, str]


class Watch:
    """What a call on a worker thread knows of its client."""

    def __init__(self, notes: MemoryObjectSendStream[_Note], loop: EventLoopToken) -> None:
        self._notes = notes
        self._loop = loop
        self._left = Event()
        self._due = time.monotonic() + PATIENCE
        self._count = Count()
        self.stops = True
        """Whether the call may be stopped where it reports: not one that writes."""

    def leave(self) -> None:
        """Note that the client waits no more."""
        self._left.set()

    def tell(self, what: str, done: int, total: int) -> None:
        """Pass progress on, once the call has taken a while. Raises Stopped where nobody waits for what it reads."""
        if self.stops and self._left.is_set():
            raise Stopped("the client cancelled the call")
        now = time.monotonic()
        if now < self._due:
            return
        note = self._count.note(what, done, total)
        if note is not None:
            self._due = now + PACE
            from_thread.run_sync(self._pass_on, note, token=self._loop)

    def _pass_on(self, note: _Note) -> None:
        try:
            self._notes.send_nowait(note)
        except (anyio.WouldBlock, anyio.BrokenResourceError, anyio.ClosedResourceError):
            return  # the client reads slowly, or no more; the next note says as much


class Count:
    """Progress that only grows, as the protocol wants it, from actions that each count anew."""

    def __init__(self) -> None:
        self._base = 0.0
        self._stage = ("", 0)
        self._said = 0.0
        self._done = 0

    def note(self, what: str, done: int, total: int) -> _Note | None:
        """Progress, total and words of a report; None where it cannot grow any more."""
        if (what, total) != self._stage or done < self._done:
            self._base, self._stage = self._said, (what, total)
        self._done = done
        progress = self._base + done
        if progress <= self._said:
            progress = self._said + (progress + 1 - self._said) / CREEP
        if progress <= self._said:
            return None
        self._said = progress
        words = f"{what}, {done} of {total}" if what and total else what
        return progress, self._base + total if total else None, words


def telling_to(watch: Watch | None) -> AbstractContextManager[Progress]:
    """While the block lasts, progress is told to a call's client, or to nobody."""
    return reporting(quiet if watch is None else watch.tell)


async def carried_out(context: Context, work: Callable[[Watch], _Result]) -> _Result:
    """Do a call's work on a worker thread, and meanwhile keep its client told. Raises what the work raises."""
    send, receive = anyio.create_memory_object_stream[_Note](1)
    watch = Watch(send, current_token())
    made: list[_Result] = []
    failed: list[Exception] = []
    with send, receive:
        async with anyio.create_task_group() as group:
            group.start_soon(_keep_told, context, watch, receive)
            with anyio.CancelScope(shield=True):
                try:
                    made.append(await to_thread.run_sync(work, watch))
                except Exception as error:  # noqa: BLE001  a task group would wrap it; it is raised below
                    failed.append(error)
            group.cancel_scope.cancel()
    if failed:
        raise failed[0]
    return made[0]


async def _keep_told(context: Context, watch: Watch, notes: MemoryObjectReceiveStream[_Note]) -> None:
    """Pass notes on for as long as the client waits."""
    try:
        async for progress, total, words in notes:
            await context.session.report_progress(progress, total, words or None)
    except anyio.get_cancelled_exc_class():
        watch.leave()
        raise
