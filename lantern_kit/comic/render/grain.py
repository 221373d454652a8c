"""Sand: one grain anywhere in every cell of the page, of one of a few sizes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lantern_kit.comic.geometry import Edges

Floats = NDArray[np.float64]
Whole = NDArray[np.int64]
SIZES = (0.72, 1.0, 1.28)
"""Radii of the grains, over the middling one."""


def grains(window: Edges, pitch: int, seed: int, most: int) -> Iterator[tuple[Floats, Floats, Whole]]:
    """The grains that reach into a window: x and y in page micrometres, and which of ``SIZES``.

    Where a grain lies and how large it is depends on its cell and the seed alone, so any two windows agree.

    Args:
        window: left, top, right, bottom in page micrometres.
        pitch: side of a cell.
        seed: another number, other grains.
        most: how many are given at a time, about.
    """
    left, right = math.floor(window[0] / pitch) - 2, math.floor(window[2] / pitch) + 2
    row, last = math.floor(window[1] / pitch) - 2, math.floor(window[3] / pitch) + 2
    many = max(1, most // (right - left + 1))
    while row <= last:
        across, down = np.meshgrid(
            np.arange(left, right + 1, dtype=np.int64), np.arange(row, min(last, row + many - 1) + 1, dtype=np.int64)
        )
        cells, rows = across.ravel(), down.ravel()
        mixed = _mixed(cells, rows, seed)
        x = (cells + (mixed & np.uint64(0xFFFFFF)).astype(np.float64) / (1 << 24)) * pitch
        y = (rows + ((mixed >> np.uint64(24)) & np.uint64(0xFFFFFF)).astype(np.float64) / (1 << 24)) * pitch
        yield x, y, (mixed >> np.uint64(48)).astype(np.int64) % len(SIZES)
        row += many


def _mixed(x: Whole, y: Whole, seed: int) -> NDArray[np.uint64]:
    """64 bits that look like chance, for each cell (the finaliser of SplitMix64, twice)."""
    found = x.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15) + np.uint64(seed)
    for part in (y.astype(np.uint64), np.uint64(0x632BE59BD9B4E019)):
        found = found ^ part if isinstance(part, np.ndarray) else found + part
        found = (found ^ (found >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        found = (found ^ (found >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        found = found ^ (found >> np.uint64(31))
    return found


@lru_cache(maxsize=1)
def grain_radii(steps: int) -> Floats:
    """Radii for a pitch of 1 with which grains cover 0, 1 … ``steps`` of so many parts of the paper, of every size."""
    radii = np.linspace(0.0, 1.5, 61)
    covered = np.array([_covered(float(radius)) for radius in radii])
    middle = np.interp(np.arange(steps + 1) / steps, covered, radii)
    found: Floats = np.outer(middle, SIZES).ravel()
    return found


def _covered(radius: float) -> float:
    """The share that grains of a middling radius cover: one anywhere in each cell of side 1, of any of the sizes."""
    if not radius:
        return 0.0
    at = (np.arange(8) + 0.5) / 8
    x, y = (part.ravel() for part in np.meshgrid(at, at))
    inner = ((np.arange(24) + 0.5) / 24)[:, None]
    free = np.ones_like(x)
    for column in range(-2, 3):
        for row in range(-2, 3):
            hit = np.zeros_like(x)
            for size in SIZES:
                half = np.sqrt(np.maximum(0.0, (radius * size) ** 2 - (column + inner - x) ** 2))
                above, below = np.maximum(row, y - half), np.minimum(row + 1, y + half)
                hit += np.where(half > 0, np.maximum(0.0, below - above), 0.0).mean(axis=0) / len(SIZES)
            free *= 1 - hit
    return 1 - float(free.mean())
