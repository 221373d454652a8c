"""Notices what any process commits to a workspace, for the widgets that show it."""

from __future__ import annotations

import logging
import sqlite3
import threading
import time
from typing import Protocol
from weakref import WeakKeyDictionary, ref

from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import LanternError

SECONDS = 0.5
"""Between two looks; one costs about ten microseconds."""
log = logging.getLogger(__name__)


class Watching(Protocol):
    """Who wants to know."""

    def moved(self) -> None:
        """Something was committed."""
        ...


class Watcher:
    """Looks at one journal for as long as anybody wants to know.

    Whoever wants to know may be collected at any moment, on any thread, in the midst of anything here: to be let go
    takes no lock.
    """

    def __init__(self, journal: Journal) -> None:
        self._journal = ref(journal)  # those who watch hold it; held here it would never be let go
        self._watching: dict[int, ref[Watching]] = {}
        self._lock = threading.RLock()  # a collection amid this may make and drop watchers
        self._thread: threading.Thread | None = None

    def add(self, who: Watching) -> None:
        """Tell somebody from now on."""
        with self._lock:
            self._watching[id(who)] = ref(who)
            if self._thread is not None:
                return
            # The first look is the caller's: what is committed from here on is told, however late a thread begins.
            connection, seen = self._look(None)
            self._thread = thread = threading.Thread(
                target=self._watch, args=(connection, seen), name="lantern-watch", daemon=True
            )
        try:
            thread.start()  # not under the lock: a thread that begins may collect what waits for it
        except RuntimeError:  # no more threads
            self._thread = None
            if connection is not None:
                connection.close()
            raise

    def remove(self, who: Watching) -> None:
        """Tell them no more; when nobody is left, the looking ends."""
        self._watching.pop(id(who), None)

    def _watch(self, connection: sqlite3.Connection | None, seen: int | None) -> None:
        try:
            while True:
                time.sleep(SECONDS)
                with self._lock:
                    if not self._who():
                        self._thread = None
                        return
                connection, version = self._look(connection)
                if version is not None:
                    if seen is not None and version != seen:
                        self._tell()
                    seen = version
        finally:
            if connection is not None:
                connection.close()

    def _who(self) -> list[Watching]:
        """Those who want to know, held while they are told and no longer."""
        return [who for held in list(self._watching.values()) if (who := held()) is not None]

    def _tell(self) -> None:
        """Tell them all; what fails for one is no reason to tell the others nothing."""
        for who in self._who():
            try:
                who.moved()
            except Exception:
                log.exception("a widget could not be told of a commit")

    def _look(self, connection: sqlite3.Connection | None) -> tuple[sqlite3.Connection | None, int | None]:
        """The connection to look through, and a number that is another one after each commit of others."""
        try:
            connection = connection or self._connected()
            return connection, int(connection.execute("PRAGMA data_version").fetchone()[0])
        except (sqlite3.Error, LanternError):  # gone, or busy: whoever asks next is told by the journal itself
            return connection, None

    def _connected(self) -> sqlite3.Connection:
        journal = self._journal()
        if journal is None:
            raise sqlite3.ProgrammingError("nobody holds the journal any more")
        return journal.connect()


_watchers: WeakKeyDictionary[Journal, Watcher] = WeakKeyDictionary()
_lock = threading.RLock()


def watcher(journal: Journal) -> Watcher:
    """The watcher of a journal."""
    with _lock:
        found = _watchers.get(journal)
        if found is None:
            found = _watchers[journal] = Watcher(journal)
        return found
