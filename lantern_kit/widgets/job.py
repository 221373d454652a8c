"""Jobs: a long call on a thread of its own, with what it has done so far, and a way to stop it."""

from __future__ import annotations

import asyncio
import inspect
import logging
import sys
import threading
import time
import traceback
from collections.abc import Callable, Generator
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from html import escape
from types import TracebackType
from typing import Any, Generic, ParamSpec, TypeVar, cast

from lantern_kit.kernel.errors import BadInput, Busy, LanternError, Stopped, Unexpected, Unfinished, WrongState
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.widgets.cell import in_kernel
from lantern_kit.widgets.told import Two, bar, figures, lasted, line, spoken

P = ParamSpec("P")
T = TypeVar("T")
log = logging.getLogger(__name__)
_PACE = 0.2
"""Seconds between two calls of those who listen."""
_SHORT = 200
"""Characters of what a call gave that are shown."""
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
        self.name = _name(call)
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
        self._lock = threading.Lock()
        self._listeners: dict[int, Callable[[], None]] = {}
        args, kwargs, self._reports = _handed(call, self.name, args, kwargs, self._report)
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
    def seconds(self) -> float:
        """How long it has run, or ran."""
        return (time.monotonic() if self._settled() is None else self._ended) - self._began

    @property
    def stoppable(self) -> bool:
        """Whether it can be stopped now: a call is stopped where it reports; one that never does runs to its end."""
        return self._reports and self._settled() is None

    @property
    def stopping(self) -> bool:
        """Whether it was asked to stop and still runs."""
        return self._asked and self._settled() is None

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
        if self._settled() is None:
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
            while self._settled() is None:
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
        _let_go(error)
        self._where = error.__traceback__
        if isinstance(error, Stopped):
            return _Outcome(JobState.STOPPED, error=error)
        if isinstance(error, LanternError):
            return _Outcome(JobState.FAILED, error=error)
        kept = Unexpected(
            f"{self.name} failed", found=_said(error), recovery="job.error.__cause__ is the error as it was raised."
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
            "gave": _short(outcome.value) if outcome is not None and outcome.state is JobState.DONE else "",
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


def _handed(
    call: Callable[..., Any], name: str, args: tuple[Any, ...], kwargs: dict[str, Any], report: Progress
) -> tuple[tuple[Any, ...], dict[str, Any], bool]:
    """Arguments with the job's report among them, and whether the call takes one.

    Raises BadInput when they do not fit the call.
    """
    try:
        signature = inspect.signature(call)
    except (TypeError, ValueError):  # some that are written in C do not say
        return args, kwargs, False
    wanted = signature.parameters.get("progress")
    takes = wanted is not None and wanted.kind not in {wanted.VAR_POSITIONAL, wanted.VAR_KEYWORD}
    try:
        given = signature.bind_partial(*args, **kwargs)
        if takes and "progress" in given.arguments:
            given.arguments["progress"] = _both(report, given.arguments["progress"])
            args, kwargs = given.args, given.kwargs
        elif takes:
            kwargs = {**kwargs, "progress": report}
        signature.bind(*args, **kwargs)
    except TypeError as error:
        raise BadInput(f"{name} does not take these arguments: {error}", expected=f"{name}{signature}") from error
    return args, kwargs, takes


def _both(report: Progress, own: Progress | None) -> Progress:
    """The job's report, and the caller's own."""
    if own is None:
        return report

    def both(what: str, done: int, total: int) -> None:
        own(what, done, total)
        report(what, done, total)

    return both


def _name(call: Callable[..., Any]) -> str:
    """What a call is named, without its folders: export."""
    while isinstance(call, partial):
        call = call.func
    name = str(getattr(call, "__name__", type(call).__name__))
    return "the call" if name == "<lambda>" else name


def _short(value: Any) -> str:
    """What a call gave, on a line."""
    if value is None:
        return ""
    words = " ".join(repr(value).split())
    return words if len(words) <= _SHORT else f"{words[: _SHORT - 1]}…"


def _said(error: BaseException) -> str:
    """What an error says, on a line, without this machine's folders."""
    words = (error.strerror or "") if isinstance(error, OSError) else str(error).strip().split("\n", 1)[0]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__


def _let_go(error: BaseException) -> None:
    """Free what the frames of a call held, in every error of the chain: a job may stay in a notebook for days."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and id(link) not in seen:
        seen.add(id(link))
        traceback.clear_frames(link.__traceback__)
        link = link.__cause__ or link.__context__
