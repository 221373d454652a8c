"""How much one client may ask for: a bucket that fills again with time."""

from __future__ import annotations

import math
import time
from collections.abc import Callable
from dataclasses import dataclass

from lantern_kit.kernel.errors import BadInput, TooFast

PER_MINUTE = 1_200
"""Writes that a client may make in a minute unless the server was told otherwise, all at once or spread out."""
WRITE = 1
PICTURE = 4
"""What a picture counts, in writes."""


@dataclass
class _Bucket:
    left: float
    at: float


class Limits:
    """Counts what clients ask for.

    Args:
        per_minute: writes a minute; 0 is no limit.
        now: seconds that only grow.

    Raises BadInput.
    """

    def __init__(self, per_minute: int = PER_MINUTE, now: Callable[[], float] = time.monotonic) -> None:
        if per_minute < 0 or 0 < per_minute < PICTURE:
            raise BadInput("that is no rate", expected=f"0 for no limit, or at least {PICTURE}", found=per_minute)
        self._most = per_minute
        self._now = now
        self._buckets: dict[str, _Bucket] = {}

    def take(self, client: str, cost: int) -> None:
        """Count a call. One that is refused counts nothing. Raises TooFast with the seconds to wait."""
        if not self._most or not cost:
            return
        now = self._now()
        bucket = self._buckets.setdefault(client, _Bucket(self._most, now))
        bucket.left = min(self._most, bucket.left + (now - bucket.at) * self._most / 60)
        bucket.at = now
        if bucket.left < cost:
            wait = math.ceil((cost - bucket.left) * 60 / self._most)
            raise TooFast(
                "too many calls in too short a time; nothing was done",
                expected=f"at most {self._most} writes a minute, a picture counting as {PICTURE}",
                recovery=f"Wait {wait} s, then call again with the same arguments.",
                details={"retry_after": wait},
            )
        bucket.left -= cost
