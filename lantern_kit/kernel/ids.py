"""Short permanent ids, injectable so that the same input gives the same bytes."""

from __future__ import annotations

import random
import re
import secrets
from typing import Protocol

from lantern_kit.kernel.errors import BadInput

ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"
"""Crockford's base 32: no i, l, o, u, so that ids survive being read aloud."""
LENGTH = 8
_NUMBER = re.compile(r"0|[1-9][0-9]{0,15}")
"""One way to write each number: names are compared as texts too."""


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


def numbered(text: object, like: str, what: str, *, typed: bool = False) -> int:
    """41 from ``r41``: the number in a short name.

    Args:
        like: such a name, whose first letter all of its sort have.
        what: what it names, with its article.
        typed: also take it as people type it: in capitals, amid blanks, or the number alone.

    Raises:
        BadInput.
    """
    if not isinstance(text, str):
        raise BadInput(f"that is not {what}", expected=f"{what} such as {like}, as text", found=_shown(text))
    name = like[0] + text.strip().lower().removeprefix(like[0]) if typed else text
    digits = re.sub("^0+(?=[0-9])", "", name[1:]) if typed else name[1:]
    if name[:1] == like[0] and _NUMBER.fullmatch(digits):
        return int(digits)
    raise BadInput(f"that is not {what}", expected=f"{what} such as {like}", found=text[:40])


def _shown(value: object) -> str:
    """What somebody gave instead of text: itself where it is short and plain, else what kind of thing it is."""
    return repr(value) if isinstance(value, int | float | None) else type(value).__name__
