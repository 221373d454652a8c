"""How different two pictures look to a person, by NVIDIA's FLIP: nothing of it is ours."""

from __future__ import annotations

import numpy as np
import pytest

from lantern_kit.imaging.picture import Pixels

TILE = 12
"""Pixels of the squares that are looked at one by one: a small change must not drown in white paper."""
TOLERANCE = 0.12
"""Mean of FLIP's error over the worst square; 0 is the same, 1 as different as can be."""


def worst(expected: Pixels, found: Pixels) -> float:
    """FLIP's mean error over the square in which two pictures of one size differ most."""
    flip = pytest.importorskip("flip_evaluator", reason="NO FLIP: the pictures were not judged; install flip-evaluator")
    if expected.shape != found.shape:
        return 1.0
    one, other = (np.ascontiguousarray(item[..., :3], np.float32) / 255 for item in (expected, found))
    errors, _, _ = flip.evaluate(one, other, "LDR", applyMagma=False, computeMeanError=False)
    rows, columns = errors.shape[0] // TILE * TILE, errors.shape[1] // TILE * TILE
    tiles = errors[:rows, :columns].reshape(rows // TILE, TILE, columns // TILE, TILE, -1)
    return float(tiles.mean(axis=(1, 3, 4)).max())
