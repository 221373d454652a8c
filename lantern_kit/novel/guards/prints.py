"""What a text is compared by: the grams of its letters, a MinHash of them, and a sample of them.

A text is its letters and numbers alone, in small ones, as UTF-8: three bytes a Han character, one a Latin letter, so
that a length in bytes says about as much in either.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

GRAM = 24
"""Bytes of a gram of passages: eight Han characters, some five English words."""
SHINGLE = 12
"""Bytes of a gram of a whole unit."""
HASHES = 64
_SAMPLE = 4
"""One gram in so many is looked up; which, its own hash says."""
_ODD = np.uint64(0x9E3779B97F4A7C15)
Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class Prints:
    """What a unit is compared by."""

    minhash: Hashes
    """Shape (64,); of the shingles of the whole."""
    samples: tuple[frozenset[int], ...]
    """Hashes of some grams of each paragraph."""


def plain(text: str) -> bytes:
    """The letters and numbers of a text, without what tells them apart only in how they look."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return "".join(character for character in folded if character.isalnum()).encode()


def grams(text: bytes, size: int) -> set[bytes]:
    """All runs of so many bytes."""
    return {text[at : at + size] for at in range(len(text) - size + 1)}


def prints(paragraphs: Sequence[str]) -> Prints:
    """What a unit is compared by."""
    bodies = [plain(paragraph) for paragraph in paragraphs]
    return Prints(
        _minhash(_hashes(b"".join(bodies), SHINGLE)),
        tuple(frozenset(_sampled(_hashes(body, GRAM)).tolist()) for body in bodies),
    )


def likeness(one: Hashes, others: Hashes) -> NDArray[np.float64]:
    """How alike a unit is to others by their MinHashes, each 0 to 1."""
    return np.asarray((others == one).mean(axis=1), dtype=np.float64)


def _hashes(text: bytes, size: int) -> Hashes:
    """A hash of each run of so many bytes."""
    values = np.frombuffer(text, np.uint8).astype(np.uint64)
    if len(values) < size:
        return np.empty(0, np.uint64)
    count = len(values) - size + 1
    made = np.zeros(count, np.uint64)
    for at in range(size):
        made = made * np.uint64(1_099_511_628_211) + values[at : at + count] + np.uint64(1)
    made ^= made >> np.uint64(29)
    made *= _ODD
    return np.asarray(made ^ (made >> np.uint64(32)), dtype=np.uint64)


def _sampled(hashes: Hashes) -> Hashes:
    return np.asarray(hashes[hashes % np.uint64(_SAMPLE) == 0], dtype=np.uint64)


def _minhash(hashes: Hashes) -> Hashes:
    if not len(hashes):
        return np.full(HASHES, np.iinfo(np.uint64).max, np.uint64)
    factors, shifts = _permutations()
    return np.asarray((hashes[:, None] * factors + shifts).min(axis=0), dtype=np.uint64)


@lru_cache(maxsize=1)
def _permutations() -> tuple[Hashes, Hashes]:
    """Odd factors and shifts, the same for ever."""
    drawn = np.random.Generator(np.random.PCG64(20_260_101)).integers(0, 2**63, (2, HASHES), dtype=np.uint64)
    return drawn[0] * np.uint64(2) + np.uint64(1), drawn[1]
