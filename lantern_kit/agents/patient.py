"""How long an answer may take, and how much it may be, whatever its server sends: pings, blanks, one line for ever."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import httpx2

LONGEST = 600.0
"""Seconds of one answer, from its first byte to its last."""
LARGEST = 16_000_000
"""Bytes of one answer."""


def bounded(answer: httpx2.Response, clock: Callable[[], float] = time.monotonic) -> None:
    """Have an answer end: reading further than that raises ReadTimeout.

    Args:
        clock: seconds that only grow.
    """
    if isinstance(answer.stream, httpx2.SyncByteStream):
        answer.stream = _Bounded(answer.stream, clock)


class _Bounded(httpx2.SyncByteStream):
    def __init__(self, stream: httpx2.SyncByteStream, clock: Callable[[], float]) -> None:
        self._stream = stream
        self._clock = clock

    def __iter__(self) -> Iterator[bytes]:
        end, left = self._clock() + LONGEST, LARGEST
        for piece in self._stream:
            left -= len(piece)
            if left < 0 or self._clock() > end:
                raise httpx2.ReadTimeout("the answer does not end")
            yield piece

    def close(self) -> None:
        self._stream.close()
