"""A person's key in a view: unlocked with a passphrase for one verdict, or until it is locked again."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol
from weakref import ref

from lantern_kit.comic.reviewers import Reviewer
from lantern_kit.kernel.errors import LanternError, NotAllowed

if TYPE_CHECKING:
    from lantern_kit.comic.keychain import Enrolled
    from lantern_kit.workspace import Workspace

IDLE = 600.0
"""Seconds for which a key stays unlocked that nobody decides with."""
TRIES = 3
"""Wrong passphrases before one begins anew; nothing is locked out."""


class Unlocked(Reviewer, Protocol):
    """A reviewer whose private half is in memory."""

    def lock(self) -> None:
        """Forget it."""
        ...


class Unlocking:
    """The keys with which a person may decide here, and the one that is unlocked.

    Args:
        host: the workspace.
        forgotten: called when the key was locked because nobody used it.
        idle: seconds for which it stays unlocked unused.
    """

    def __init__(self, host: Workspace, forgotten: Callable[[], None], *, idle: float = IDLE) -> None:
        self._host = host
        self._forgotten = forgotten
        self._idle = idle
        self._lock = threading.Lock()
        self._held: Unlocked | None = None
        self._until = 0.0
        self._timer: threading.Timer | None = None
        self._wrong = 0
        self._turn = 0

    def mine(self) -> list[Enrolled]:
        """The newest key of each person who may decide, as far as they are on this machine. Raises NotAllowed."""
        self._host.deciding()  # says what to do where there is none
        newest = {item.name: item for item in self._host.reviewers() if self._host.holds(item)}
        return sorted(newest.values(), key=lambda item: item.enrolled_at, reverse=True)

    def facts(self) -> dict[str, Any]:
        """Whose keys are here, whether one is unlocked, and for how long still; or why nobody can decide."""
        try:
            mine = self.mine()
        except LanternError as error:
            self.lock()
            return {"mine": [], "held": "", "left": 0, "missing": error.payload()}
        keys = [{"key": item.key, "name": item.name, "demo": item.demo} for item in mine]
        with self._lock:
            known = self._held is not None and any(item.key == self._held.key for item in mine)
            held = self._held.key if self._held is not None and known else ""
            return {"mine": keys, "held": held, "left": max(0, round(self._until - monotonic())) if held else 0}

    @contextmanager
    def key(self, name: str, passphrase: str | None, *, hold: bool) -> Iterator[Unlocked]:
        """Somebody's key, unlocked for the block.

        Args:
            name: whose.
            passphrase: what was typed; None uses the key that is unlocked already, or one that has no passphrase.
            hold: keep it unlocked afterwards, until ``lock`` or until nobody used it for a while.

        Raises:
            NotAllowed: the passphrase is wrong or missing, or no such key is here.
        """
        turn = self._turn
        found = self._taken(name) if passphrase is None else None
        if found is not None:
            hold = True
        else:
            found = self._unlocked(name, passphrase)
        try:
            yield found
        except NotAllowed:  # revoked, or replaced
            hold = False
            raise
        finally:
            if not hold or not self._keep(found, turn):
                found.lock()

    def lock(self) -> None:
        """Forget the private half; one that is in use is forgotten when the block ends."""
        with self._lock:
            self._turn += 1
            self._stop()
            held, self._held = self._held, None
        if held is not None:
            held.lock()

    # parts

    def _taken(self, name: str) -> Unlocked | None:
        """The key that is unlocked, if it is that person's; while it is used it does not run out."""
        with self._lock:
            if self._held is None or self._held.name != name or self._host.deciding(name).key != self._held.key:
                return None
            self._stop()
            held, self._held = self._held, None
            return held

    def _unlocked(self, name: str, passphrase: str | None) -> Unlocked:
        given = [] if passphrase is None else [passphrase]

        def ask(_: str) -> str:
            if given:
                return given.pop()
            raise _Wrong

        try:
            key = self._host.reviewer(name, ask=ask)
        except _Wrong:
            raise self._refused(typed=passphrase is not None) from None
        self._wrong = 0
        return key

    def _refused(self, *, typed: bool) -> NotAllowed:
        self._wrong = (self._wrong + 1) % TRIES if typed else self._wrong
        left = (TRIES - self._wrong) % TRIES if typed else TRIES - self._wrong
        return NotAllowed(
            "the passphrase is wrong" if typed else "the key needs its passphrase",
            recovery="Type it again; nothing was changed." if left else "Nothing was changed. Begin again.",
            details={"wrong": typed, "tries_left": left},
        )

    def _keep(self, key: Unlocked, turn: int) -> bool:
        with self._lock:
            if turn != self._turn:  # it was locked meanwhile
                return False
            self._stop()
            before, self._held = self._held, key
            self._until = monotonic() + self._idle
            self._timer = threading.Timer(self._idle, _run_out, (ref(self),))
            self._timer.daemon = True
            self._timer.start()
        if before is not None and before is not key:
            before.lock()
        return True

    def _stop(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def _run_out(weak: ref[Unlocking]) -> None:
    unlocking = weak()
    if unlocking is not None:
        unlocking.lock()
        unlocking._forgotten()


class _Wrong(Exception):
    """The passphrase that was given did not open the key."""
