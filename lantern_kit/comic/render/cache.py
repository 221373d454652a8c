"""What a renderer remembers between pages, under a bound of memory. Leaving it out changes no pixel."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any, TypeVar, cast

MEGABYTE = 1_000_000
T = TypeVar("T")


class RenderCache:
    """Least recently used things go first. Keys say the whole content they stand for, so nothing ever goes stale.

    Args:
        limit: bytes to hold at most; a single thing larger than that is not kept.
        layers: keep finished pages and the art under their lettering, beside decoded and prepared pictures.
    """

    def __init__(self, limit: int = 256 * MEGABYTE, *, layers: bool = True) -> None:
        self.limit = limit
        self.layers = layers
        self.held = 0
        self.hits = 0
        self.misses = 0
        self._items: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()
        self._lock = threading.Lock()

    def get(self, key: Hashable) -> Any:
        """What is held under a key; None when nothing is."""
        with self._lock:
            found = self._items.get(key)
            if found is None:
                self.misses += 1
                return None
            self.hits += 1
            self._items.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, thing: Any, size: int, *, spare: bool = False) -> None:
        """Hold something of ``size`` bytes; what is ``spare`` only where there is room, and it is the first to go."""
        if size > self.limit:
            return
        with self._lock:
            before = self._items.pop(key, None)
            if before is not None:
                self.held -= before[1]
            self._items[key] = (thing, size)
            if spare:
                self._items.move_to_end(key, last=False)
            self.held += size
            while self.held > self.limit:
                _, (_, freed) = self._items.popitem(last=False)
                self.held -= freed

    def drop(self, key: Hashable) -> None:
        """Forget one thing."""
        with self._lock:
            found = self._items.pop(key, None)
            if found is not None:
                self.held -= found[1]

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()
            self.held = 0


def recall(
    cache: RenderCache | None, key: Hashable, make: Callable[[], T], size: Callable[[T], int], *, spare: bool = False
) -> T:
    """What ``make`` gives, kept under ``key`` when there is a cache."""
    if cache is None:
        return make()
    found = cache.get(key)
    if found is not None:
        return cast(T, found)
    made = make()
    cache.put(key, made, size(made), spare=spare)
    return made
