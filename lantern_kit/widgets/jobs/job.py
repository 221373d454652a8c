"""Jobs: a long call on a thread of its own, with what it has done so far, and a way to stop it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import threading
import time
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from html import escape
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from lantern_kit.kernel.errors import BadInput, Busy, LanternError, Stopped, Unexpected, Unfinished, WrongState
from lantern_kit.kernel.progress import reporting
from lantern_kit.widgets.jobs.call import handed, let_go, name_of, said, short
from lantern_kit.widgets.jobs.cell import in_kernel
from lantern_kit.widgets.progress_words import Two, bar, figures, lasted, line, spoken

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)
_PACE = 0.2
"""Seconds between two calls of those who listen."""
_LOOK = 1.0
"""Seconds after which somebody who awaits a job looks whether its thread is still there."""


class JobState(StrEnum):
    """What has become of a job."""

    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


def start(call: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> Job[T]:
    """Run a call on a thread of its own, so that the notebook stays free: ``lk.start(chapter.export, "exports")``.

    A call with a parameter ``progress`` is handed one, beside the caller's own. The job shows itself as a cell's last
    line; ``job.result()`` waits for what the call gives, ``await job`` does so too without blocking.

    Raises:
        BadInput: what is given cannot be called with these arguments, or is an async function.
        Busy: the machine gives no further thread.
    """
    if not callable(call):
        raise BadInput(
            "a job is given the function itself, then its arguments",
            expected='such as lk.start(chapter.export, "exports")',
            found=type(call).__name__,
        )
    if inspect.iscoroutinefunction(call):
        raise BadInput("an async function is awaited, not started", recovery="Write: await the_function(…)")
    return Job(call, args, kwargs)


class Job(Generic[T]):
    """A call that runs, or ran. Made by ``start``."""

    def __init__(self, call: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        self.name = name_of(call)
        """What is called, as people read it."""
        self.what = ""
        """What it works on, in English."""
        self.done = 0
        """Steps it has done."""
        self.total = 0
        """Of how many; 0 when that is not known."""
        self._began = self._ended = time.monotonic()
        self._told = 0.0
        self._asked = False
        self._seen = False
        self._kernel = in_kernel()
        self._outcome: _Outcome | None = None
        self._where: TracebackType | None = None
        self._lock = threading.RLock()  # a view that is collected amid this forgets by the same thread
        self._listeners: dict[int, Callable[[], None]] = {}
        args, kwargs, self._reports = handed(call, self.name, args, kwargs, self._report)
        # No daemon: a script's end waits for it, as for any call; in a kernel that ends it is stopped (_report).
        self._thread = threading.Thread(target=self._run, args=(call, args, kwargs), name=f"lantern-job-{self.name}")
        try:
            self._thread.start()
        except RuntimeError as error:
            raise Busy("the machine gives no further thread", recovery="Wait for a job, or stop one.") from error

    # what it is

    @property
    def state(self) -> JobState:
        """Running, done, failed or stopped."""
        outcome = self._settled()
        return JobState.RUNNING if outcome is None else outcome.state

    @property
    def running(self) -> bool:
        """Whether it still runs."""
        return self._settled() is None

    @property
    def seconds(self) -> float:
        """How long it has run, or ran."""
        return (time.monotonic() if self.running else self._ended) - self._began

    @property
    def stoppable(self) -> bool:
        """Whether it can be stopped now: a call is stopped where it reports; one that never does runs to its end."""
        return self._reports and self.running

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and still runs."""
        return self._asked and self.running

    @property
    def error(self) -> LanternError | None:
        """Why it failed, or where it was stopped."""
        outcome = self._settled()
        self._seen = self._seen or outcome is not None
        return None if outcome is None else outcome.error

    # waiting and stopping

    def stop(self) -> None:
        """Ask it to stop: its next report raises inside the call, which then leaves nothing half written behind.

        One that ends before its next report is done; one that never reports runs to its end (see ``stoppable``).
        """
        with self._lock:
            self._asked = True
        self._notify()

    def result(self, timeout: float | None = None) -> T:
        """What the call gave, waited for; interrupting the kernel ends the waiting and not the job.

        Args:
            timeout: seconds to wait at most; None waits as long as it takes.

        Raises:
            Unfinished: it still runs.
            Stopped: it was stopped.
            LanternError: why it failed; ``Unexpected`` for an error that is none of the kit's.
        """
        if threading.current_thread() is self._thread:
            raise WrongState("a job cannot wait for itself", recovery="Wait for it where it was started.")
        self._thread.join(None if timeout is None else max(0.0, timeout))
        if self.running:
            raise Unfinished(
                f"{self.name} still runs", found=self._line().en, recovery="Wait longer, or stop it: job.stop()"
            )
        return self._given()

    def __await__(self) -> Generator[Any, None, T]:
        return self._awaited().__await__()

    async def _awaited(self) -> T:
        loop, ended = asyncio.get_running_loop(), asyncio.Event()

        def tell() -> None:
            if self._outcome is not None:
                with suppress(RuntimeError):  # the loop was closed meanwhile: nobody awaits any more
                    loop.call_soon_threadsafe(ended.set)

        forget = self.listen(tell)
        try:
            while self.running:
                with suppress(TimeoutError):
                    await asyncio.wait_for(ended.wait(), _LOOK)
        finally:
            forget()
        return self._given()

    def _given(self) -> T:
        outcome, error = self._settled(), self.error
        if error is not None:
            raise error.with_traceback(self._where)  # of the call alone: else each raise would add to it
        return cast(_Outcome, outcome).value  # type: ignore[no-any-return]

    # being told

    def listen(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Have something called when it reports and when it ends; gives the way to end that.

        Reports are passed on five times a second at most, on the thread of the job or of whoever stops it.
        """
        key = id(listener)
        with self._lock:
            self._listeners[key] = listener

        def forget() -> None:
            with self._lock:
                self._listeners.pop(key, None)

        return forget

    def _notify(self) -> None:
        with self._lock:
            listeners = list(self._listeners.values())
        for listener in listeners:
            try:
                listener()
            except Exception:
                log.exception("a view of the job %s failed", self.name)  # the call itself goes on

    # on its thread

    def _run(self, call: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        try:
            with reporting(self._report):
                outcome = _Outcome(JobState.DONE, call(*args, **kwargs))
        except BaseException as error:  # noqa: BLE001  whatever ends the call, whoever waits is told
            outcome = self._broken(error)
        with self._lock:
            self._ended = time.monotonic()
            self._outcome = outcome
        self._notify()

    def _report(self, what: str, done: int, total: int) -> None:
        now = time.monotonic()
        with self._lock:
            first, self._reports = not self._reports or not self._told, True
            self.what, self.done, self.total = what, done, total
            due = first or now - self._told >= _PACE
            if due:
                self._told = now
        if due:
            self._notify()
        if self._asked or (self._kernel and not threading.main_thread().is_alive()):
            at = line(spoken(what), figures(done, total)).en
            raise Stopped(f"{self.name} was stopped", found=f"at {at}" if at else None)

    def _broken(self, error: BaseException) -> _Outcome:
        let_go(error)
        self._where = error.__traceback__
        if isinstance(error, Stopped):
            return _Outcome(JobState.STOPPED, error=error)
        if isinstance(error, LanternError):
            return _Outcome(JobState.FAILED, error=error)
        kept = Unexpected(
            f"{self.name} failed", found=said(error), recovery="job.error.__cause__ is the error as it was raised."
        )
        kept.__cause__ = error
        return _Outcome(JobState.FAILED, error=kept)

    def _settled(self) -> _Outcome | None:
        """What came of it; of a thread that is gone without a word, that."""
        if self._outcome is None and not self._thread.is_alive():
            with self._lock:
                if self._outcome is None:
                    self._ended = time.monotonic()
                    self._outcome = _Outcome(
                        JobState.FAILED,
                        error=Unexpected(
                            f"{self.name} ended without a word: its thread is gone",
                            recovery="See what was written, then start it again.",
                        ),
                    )
        return self._outcome

    # showing

    def facts(self) -> dict[str, Any]:
        """What a view shows: plain data, words as pairs of English and Chinese."""
        outcome = self._settled()
        error = self.error
        return {
            "name": self.name,
            "state": "stopping" if self.stopping else self.state.value,
            "what": spoken(self.what),
            "done": self.done,
            "total": self.total,
            "seconds": round(self.seconds, 1),
            "stoppable": self.stoppable,
            "gave": short(outcome.value) if outcome is not None and outcome.state is JobState.DONE else "",
            "error": None if error is None else error.payload(),
        }

    def _line(self) -> Two:
        state = self.state
        running = state is JobState.RUNNING
        return line(
            Two(self.name, self.name),
            spoken("stopping" if self.stopping else state.value),
            spoken(self.what) if running else Two("", ""),
            figures(self.done, self.total) if state is not JobState.DONE else Two("", ""),
            lasted(self.seconds),
            spoken("it cannot be stopped") if running and not self.stoppable else Two("", ""),
        )

    def text(self) -> str:
        """Where it stands, and why it failed."""
        error = self.error
        lines = [
            self._line().en,
            *([] if error is None or self.state is JobState.STOPPED else error._render_traceback_()),
        ]
        return "\n".join(lines)

    def html(self) -> str:
        """The same with a bar, as HTML without script."""
        error = self.error
        far = (self.done, self.total or (self.state is not JobState.RUNNING))
        shown = bar(self._line(), *((1, 1) if self.state is JobState.DONE else far))
        if error is not None and self.state is JobState.FAILED:
            shown += f'<pre style="white-space:pre-wrap">{escape(chr(10).join(error._render_traceback_()))}</pre>'
        return shown

    def __repr__(self) -> str:
        return f"<Job {self._line().en}>"

    def _ipython_display_(self, **_: Any) -> None:
        """In a notebook, a view that lives as long as the job runs; elsewhere, and later, what stands below."""
        if not (in_kernel() and self.running):
            raise NotImplementedError  # how IPython is told to take another form
        from lantern_kit.widgets.jobs.view import JobView

        JobView(self)._ipython_display_()

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return {"text/plain": self.text(), "text/html": self.html()}

    def __del__(self) -> None:
        outcome = getattr(self, "_outcome", None)
        if outcome is not None and outcome.state is JobState.FAILED and not self._seen and not sys.is_finalizing():
            log.error("%s failed, and nobody asked what came of it: %s", self.name, outcome.error)


@dataclass(frozen=True, slots=True)
class _Outcome:
    """What came of a job."""

    state: JobState
    value: Any = None
    error: LanternError | None = None
