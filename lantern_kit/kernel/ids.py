"""Short permanent ids, injectable so that the same input gives the same bytes."""

from __future__ import annotations

import random
import secrets
from typing import Protocol

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u, so that ids survive being read aloud."""
LENGTH = 8


class IdSource(Protocol):
    """Makes ids."""

    def new(self, prefix: str) -> str:
        """A fresh id such as ``fr_7kq2m9x4``."""
        ...


class RandomIds:
    """Ids from the operating system's randomness: 40 bits after the prefix."""

    def new(self, prefix: str) -> str:
        """A fresh id."""
        number = secrets.randbits(5 * LENGTH)
        return f"{prefix}_{encode(number, LENGTH)}"


class SeededIds:
    """The same ids for the same seed: tests and the demo."""

    def __init__(self, seed: int = 0) -> None:
        self._random = random.Random(seed)  # noqa: S311  the same ids again are the point

    def new(self, prefix: str) -> str:
        """The next id of the sequence."""
        return f"{prefix}_{encode(self._random.getrandbits(5 * LENGTH), LENGTH)}"


def encode(number: int, length: int) -> str:
    """``number`` in base 32, ``length`` characters, high digits first."""
    return "".join(ALPHABET[(number >> shift) & 31] for shift in range(5 * (length - 1), -1, -5))
