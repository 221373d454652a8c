"""Whose turn it is to write: a queue in front of SQLite's lock, so that a busy writer cannot keep others waiting.

SQLite lets a waiting writer sleep longer and longer, so that one that asks again at once always wins: of four processes
that write without pause, one did 6,301 transactions and another 2. Here a writer first takes the place *next in line*,
waits there for the turn, and only then gives the place up: whoever just wrote must queue behind it. The system frees a
dead process's places. SQLite's own lock still decides what is correct.
"""

from __future__ import annotations

import errno
import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from lantern_kit.kernel.errors import Busy, WorkspaceProblem

if sys.platform != "win32":
    import fcntl

AT_THE_TURN = 0.0001  # seconds between two looks of the one that is next
IN_THE_QUEUE = 0.001  # and of the others
_UNSUPPORTED = {errno.ENOLCK, errno.ENOTSUP, errno.ENOSYS}


class Turn:
    """A seat in the queue, for one connection.

    Args:
        path: the journal's path; the lock files lie beside it.
        seconds: how long to wait at most.

    Raises:
        WorkspaceProblem: the folder takes no files, or no locks of them.
    """

    def __init__(self, path: Path, seconds: float) -> None:
        self._seconds = seconds
        self._next = _open(path, "next")
        self._turn = _open(path, "turn")

    @contextmanager
    def held(self, waits: Callable[[], object] | None = None) -> Iterator[None]:
        """Wait for the turn and keep it for the block; ``waits`` is called if it is another's first. Raises Busy."""
        self._take(waits)
        try:
            yield
        finally:
            _unlock(self._turn)

    def close(self) -> None:
        """Leave the queue for good."""
        os.close(self._next)
        os.close(self._turn)

    def _take(self, waits: Callable[[], object] | None) -> None:
        end = time.monotonic() + self._seconds
        self._wait(self._next, IN_THE_QUEUE, end, waits)
        try:
            self._wait(self._turn, AT_THE_TURN, end, waits)
        finally:
            _unlock(self._next)

    def _wait(self, handle: int, pause: float, end: float, waits: Callable[[], object] | None) -> None:
        while not _lock(handle):
            if waits is not None:
                waits()
                waits = None
            if time.monotonic() > end:
                raise Busy(f"the workspace stayed locked for {self._seconds:g} s")
            time.sleep(pause)


def _open(path: Path, word: str) -> int:
    try:
        return os.open(f"{path}.{word}", os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0), 0o666)
    except OSError as error:
        raise _unusable(error) from error


def _lock(handle: int) -> bool:
    if sys.platform == "win32":
        return True  # SQLite's own queue must do
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError as error:
        if error.errno not in _UNSUPPORTED:
            raise _unusable(error) from error
    return True


def _unlock(handle: int) -> None:
    if sys.platform != "win32":
        try:
            fcntl.flock(handle, fcntl.LOCK_UN)
        except OSError as error:
            if error.errno not in _UNSUPPORTED:
                raise _unusable(error) from error


def _unusable(error: OSError) -> WorkspaceProblem:
    return WorkspaceProblem(
        f"the workspace cannot be written to: {error.strerror}",
        recovery="Check the disk and the folder's permissions, then try again.",
    )
