"""What functions made of texts, remembered under a bound that long texts use up sooner than short ones."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from functools import update_wrapper
from typing import Any, Concatenate, Generic, ParamSpec, TypeVar

P = ParamSpec("P")
T = TypeVar("T")
EACH = 40
"""Characters for which each text counts beside its own."""


class Remembered(Generic[P, T]):
    """A function of a text, and of more that can be hashed; what was asked for least recently is forgotten first.

    Args:
        function: gives the same for the same arguments; may be called twice when threads meet.
        characters: how long all texts may be that are remembered; what is made of a longer one is not kept.
    """

    def __init__(self, function: Callable[Concatenate[str, P], T], characters: int) -> None:
        self._function = function
        self._most = characters
        self._made: OrderedDict[tuple[Any, ...], T] = OrderedDict()
        self._held = 0
        self._lock = threading.Lock()
        update_wrapper(self, function)

    def __call__(self, text: str, *args: P.args, **kwargs: P.kwargs) -> T:
        """What the function makes of it."""
        key: tuple[Any, ...] = (text, *args, *kwargs.items())
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
        made = self._function(text, *args, **kwargs)
        with self._lock:
            if key not in self._made and len(text) + EACH <= self._most:
                self._made[key] = made
                self._held += len(text) + EACH
                while self._held > self._most:
                    oldest, _ = self._made.popitem(last=False)
                    self._held -= len(oldest[0]) + EACH
        return made

    def cache_clear(self) -> None:
        """Forget everything."""
        with self._lock:
            self._made.clear()
            self._held = 0


def remembered(characters: int) -> Callable[[Callable[Concatenate[str, P], T]], Remembered[P, T]]:
    """Remember what a function makes of texts of so many characters in all."""
    return lambda function: Remembered(function, characters)
