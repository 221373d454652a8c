"""What a browser may ask a widget for: handlers by name, arguments checked, answered on worker threads."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from lantern_kit.comic.phrases import LANGUAGES, Language
from lantern_kit.kernel.errors import LanternError, NotFound, nearest
from lantern_kit.kernel.problems import refused
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.widgets.progress_words import spoken

A = TypeVar("A", bound=BaseModel)
Report = Callable[[int, int, str], None]
LARGEST = 8_000_000
"""Bytes of one message: front ends drop what is longer than ten million."""
PATIENCE = 0.5
"""Seconds before a browser is told of an action that answers it; what answers may say more by itself."""
PACE = 0.2
"""Seconds between two such reports."""
log = logging.getLogger(__name__)


class Args(BaseModel):
    """What an ask brings. Unknown keys are refused, and numbers that are none."""

    model_config = ConfigDict(extra="forbid", allow_inf_nan=False)


class Nothing(Args):
    """Arguments of an ask that has none."""


@dataclass(frozen=True)
class Ask(Generic[A]):
    """One question of a browser."""

    args: A
    language: Language
    report: Report
    """Tells the browser how far the answer is: done, total, words."""
    buffers: Sequence[bytes] = field(default=(), repr=False)
    """Bytes that came beside the arguments: what is large, or must be in no log of messages."""

    def progress(self, done: int, total: int, words: str = "") -> None:
        """Say how far the answer is; a total of 0 when that is not known."""
        self.report(done, total, words)


@dataclass(frozen=True)
class Answer:
    """Plain data and, beside it, bytes such as pictures."""

    data: Mapping[str, Any] = field(default_factory=dict)
    buffers: Sequence[bytes] = ()


@dataclass(frozen=True)
class Handler:
    """What answers one kind of ask."""

    name: str
    args: type[BaseModel]
    method: str
    aside: bool = False
    """Whether it is answered beside the others; see ``answers``."""


def answers(
    name: str, args: type[BaseModel] = Nothing, *, aside: bool = False
) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Mark a method as what answers an ask: ``method(self, ask) -> Answer | dict``.

    ``aside`` is for what decides, which must not wait behind pictures, and for what takes long, which must not hold
    them up.
    """

    def mark(method: Callable[..., Any]) -> Callable[..., Any]:
        method.__dict__["_answers"] = (name, args, aside)
        return method

    return mark


def handlers(kind: type) -> dict[str, Handler]:
    """What a class answers, by the names of asks. Raises TypeError when two methods answer one."""
    found: dict[str, Handler] = {}
    methods = {name: value for base in reversed(kind.__mro__) for name, value in vars(base).items()}
    for name, method in methods.items():
        marked = getattr(method, "_answers", None) if callable(method) else None
        if marked is None:
            continue
        ask, args, aside = marked
        if ask in found:
            raise TypeError(f"{kind.__name__} answers {ask} twice")
        found[ask] = Handler(ask, args, name, aside)
    return found


def answer(
    target: object,
    known: Mapping[str, Handler],
    message: Mapping[str, Any],
    report: Report,
    buffers: Sequence[bytes] = (),
) -> Answer:
    """Answer one message of a browser. Raises NotFound, UnknownKey, BadInput, or what the handler raises."""
    name = str(message.get("ask", ""))
    handler = known.get(name)
    if handler is None:
        raise NotFound(
            f"this view answers no {name[:40]}",
            expected=nearest(name, known),
            recovery="Run the cell again: the page may hold an older version of the view.",
        )
    try:
        args = handler.args.model_validate(message.get("args", {}))
    except ValidationError as error:
        raise refused(error, handler.args, root=name) from error
    given = message.get("language")
    language: Language = next((item for item in LANGUAGES if item == given), "en")
    with reporting(_passed_on(report, language)):
        made = getattr(target, handler.method)(Ask(args, language, report, buffers))
    return made if isinstance(made, Answer) else Answer(made)


def _passed_on(report: Report, language: Language) -> Progress:
    """Tells a browser of the actions that answering takes, once they take a while."""
    due = time.monotonic() + PATIENCE

    def tell(what: str, done: int, total: int) -> None:
        nonlocal due
        now = time.monotonic()
        if now >= due:
            due = now + PACE
            report(done, total, spoken(what)[LANGUAGES.index(language)])

    return tell


def refusal(error: BaseException) -> dict[str, Any]:
    """An error as a browser is told of it; of one that nobody foresaw only its kind, the rest goes to the log."""
    if isinstance(error, LanternError):
        return error.payload()
    log.error("a widget's answer failed", exc_info=error)
    return {
        "code": "internal",
        "message": f"the kit failed with {type(error).__name__}",
        "retryable": False,
        "recovery": "Try once more; if it stays, run lantern verify and report what the kernel's log says.",
    }


class Desk:
    """Where asks are answered: a few threads for all widgets of a process, so that the kernel stays free."""

    THREADS = 3

    def __init__(self) -> None:
        self._pool = ThreadPoolExecutor(self.THREADS, thread_name_prefix="lantern-widget")
        self._aside = ThreadPoolExecutor(self.THREADS, thread_name_prefix="lantern-widget-aside")

    def take(self, work: Callable[[], None], *, aside: bool = False) -> Future[None]:
        """Do something soon; ``aside`` on threads that pictures never use."""
        return (self._aside if aside else self._pool).submit(work)


_lock = threading.Lock()


@cache
def _desk() -> Desk:
    return Desk()


def desk() -> Desk:
    """The desk of this process."""
    with _lock:
        return _desk()
