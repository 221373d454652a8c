"""How a long action says how far it has come, and how it is told to stop.

An action takes ``progress=`` and wraps its work in ``reporting``. It reports to the first of: who was handed in, the
action it is a part of, the face that this process uses, nobody. Whoever is told may raise, ``Stopped`` as a rule: an
action reports only where it can end at once and leave nothing half written.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator, Sized
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from threading import Lock
from typing import TypeVar

__all__ = ["PACE", "Face", "Progress", "quiet", "reporting", "steps", "use", "used"]

T = TypeVar("T")
PACE = 0.1
"""Seconds between two reports from a loop; a single step that takes longer is reported when it is done."""
Progress = Callable[[str, int, int], None]
"""(what is worked on, steps done, of how many). Of 0 where that is not known. May raise, which ends the action.

A part of an action that is only still at it says "", and leaves the words to the whole."""
Face = Callable[[str], AbstractContextManager[Progress]]
"""Shows an action to a person: given what it does ("Exporting"), it is told of its progress while the block lasts."""


def quiet(what: str, done: int, total: int) -> None:
    """Report to nobody."""


class _Action:
    """An action that runs in this context: whom it reports to, and how far it was."""

    def __init__(self, told: Progress) -> None:
        self._told = told
        self._what = ""
        self._done = self._total = 0

    def report(self, what: str, done: int, total: int) -> None:
        """Its own progress."""
        self._what, self._done, self._total = what, done, total
        self._told(what, done, total)

    def part(self, what: str, done: int, total: int) -> None:
        """The progress of an action inside it: the part's words, with the figures of the whole where it has any."""
        self._told(what or self._what, *((self._done, self._total) if self._total else (done, total)))


class _Used:
    """The face of this process."""

    def __init__(self) -> None:
        self._lock = Lock()
        self.face: Face | None = None

    def swap(self, face: Face | None) -> Face | None:
        with self._lock:
            before, self.face = self.face, face
        return before


_used = _Used()
_running: ContextVar[_Action | None] = ContextVar("running", default=None)
_UNHEARD = _Action(quiet)


def _aside(told: Progress) -> Progress:
    """The same, but what whoever is told does meanwhile is no part of the action."""

    def tell(what: str, done: int, total: int) -> None:
        token = _running.set(_UNHEARD)
        try:
            told(what, done, total)
        finally:
            _running.reset(token)

    return tell


def use(face: Face | None) -> Face | None:
    """Show the actions of this process by a face, where nobody else is told of them; gives the one used before."""
    return _used.swap(face)


def used() -> Face | None:
    """The face by which they are shown; None where they are not."""
    return _used.face


@contextmanager
def reporting(progress: Progress | None = None, doing: str = "") -> Iterator[Progress]:
    """What an action reports to while the block lasts.

    Args:
        progress: who was handed in by the caller, if anybody.
        doing: what the action does, as a heading in English: "Exporting".
    """
    outer = _running.get()
    shown: AbstractContextManager[Progress]
    if progress is not None:
        shown = nullcontext(progress)
    elif outer is not None:
        shown = nullcontext(outer.part)
    else:
        face = _used.face
        shown = nullcontext(quiet) if face is None else face(doing)
    with shown as told:
        action = _Action(told if outer is not None and progress is None else _aside(told))
        token = _running.set(action)
        try:
            yield action.report
        finally:
            _running.reset(token)


def steps(
    items: Iterable[T], report: Progress, what: str | Callable[[T], str], total: int | None = None
) -> Iterator[T]:
    """Go through items and report how many are done: before the first, then at the kit's pace, and after the last.

    Args:
        what: what they are, or what to call each.
        total: how many; need not be given for what knows its length.
    """
    count = total if total is not None else len(items) if isinstance(items, Sized) else 0
    done, due, words = 0, 0.0, what if isinstance(what, str) else ""
    for done, item in enumerate(items, 1):
        now = time.monotonic()
        if now >= due:
            words = what if isinstance(what, str) else what(item)
            report(words, done - 1, count)
            due = now + PACE
        yield item
    report(words, done, count)
