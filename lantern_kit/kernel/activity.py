"""The audit projection of agents' capability calls: what was done to which objects, never how it was asked.

Events are told in ``activity_event``, the groups they belong to in ``activity_groups``.
Seed 000, activity: no prompts, arguments, keys, secrets or local paths; a person's plain edits are no activity.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Sequence

from lantern_kit.kernel.activity_event import Event, append, attributed
from lantern_kit.kernel.activity_groups import join
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import LanternError

__all__ = ["Event", "Outbox", "record"]

BATCH = 16
KEPT = 1_000


def record(connection: Connection, event: Event) -> None:
    """Append an event to the group it belongs to, in a write transaction."""
    if event.outcome == "failed":
        event = attributed(connection, event)
    append(connection, event, join(connection, event))


class Outbox:
    """Events that may wait a moment, the newest thousand at most, so that a look costs an agent no transaction.

    Args:
        journal: where they go.
        seconds: how long an event waits at most.
    """

    def __init__(self, journal: Journal, *, seconds: float = 2.0) -> None:
        self._journal = journal
        self._seconds = seconds
        self._waiting: list[Event] = []
        self._lock = threading.Lock()
        self._timer: threading.Timer | None = None

    def add(self, event: Event) -> None:
        """Let an event wait; many at once are kept at once."""
        self._hold((), (event,))
        if len(self._waiting) >= BATCH:
            self.try_flush()

    def put_back(self, events: Sequence[Event]) -> None:
        """Let events that were taken wait again, before those that came meanwhile."""
        self._hold(events, ())

    def _hold(self, before: Sequence[Event], after: Sequence[Event]) -> None:
        with self._lock:
            self._waiting = [*before, *self._waiting, *after][-KEPT:]
            if self._waiting and self._timer is None:
                self._timer = threading.Timer(self._seconds, self.try_flush)
                self._timer.daemon = True
                self._timer.start()

    def take(self) -> list[Event]:
        """The waiting events, oldest first; they wait no longer."""
        with self._lock:
            events, self._waiting = self._waiting, []
            if self._timer is not None:
                self._timer.cancel()
                self._timer = None
        return events

    def flush(self) -> None:
        """Keep the waiting events, in a transaction of their own. Raises LanternError, and lets them wait on then."""
        events = self.take()
        try:
            if events:
                with self._journal.write() as connection:
                    for event in events:
                        record(connection, event)
        except BaseException:
            self.put_back(events)
            raise

    def try_flush(self) -> None:
        """Keep the waiting events if the journal lets us; what could not be kept waits for the next time."""
        with contextlib.suppress(LanternError):
            self.flush()
