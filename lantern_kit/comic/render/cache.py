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

    Of things larger than an eighth of the bound, the oldest goes before any small one as long as they take more than
    three quarters of it: else a page of large pictures drawn at their own size would push out the levels of all others.

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
        self._spare: set[Hashable] = set()
        self._large = 0  # bytes in large things
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
            self._spare.discard(key)
            return found[0]

    def put(self, key: Hashable, thing: Any, size: int, *, spare: bool = False) -> None:
        """Hold something of ``size`` bytes; what is ``spare`` only where there is room, and it is the first to go."""
        if size > self.limit:
            return
        with self._lock:
            self._remove(key)
            self._items[key] = (thing, size)
            if spare:
                self._items.move_to_end(key, last=False)
                self._spare.add(key)
            self.held += size
            self._large += 0 if self.small(size) else size
            while self.held > self.limit:
                self._remove(self._first_to_go(key))

    def small(self, size: int) -> bool:
        """Whether something of ``size`` bytes is small, next to all that may be held."""
        return size <= self.limit // 8

    def _first_to_go(self, newest: Hashable) -> Hashable:
        oldest: Hashable = next(iter(self._items))
        if oldest in self._spare or 4 * self._large <= 3 * self.limit:
            return oldest
        large = (key for key, (_, size) in self._items.items() if not self.small(size) and key != newest)
        return next(large, oldest)

    def _remove(self, key: Hashable) -> None:
        found = self._items.pop(key, None)
        self._spare.discard(key)
        if found is not None:
            self.held -= found[1]
            self._large -= 0 if self.small(found[1]) else found[1]

    def drop(self, key: Hashable) -> None:
        """Forget one thing."""
        with self._lock:
            self._remove(key)

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._items.clear()
            self._spare.clear()
            self.held = self._large = 0


def recall(cache: RenderCache | None, key: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
    """What ``make`` gives, kept under ``key`` when there is a cache."""
    if cache is None:
        return make()
    found = cache.get(key)
    if found is not None:
        return cast(T, found)
    made = make()
    cache.put(key, made, size(made))
    return made
