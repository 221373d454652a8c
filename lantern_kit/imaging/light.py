"""Levels of sRGB and the light they stand for, both from 0 to 1 (IEC 61966-2-1)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


def light_of(level: float) -> float:
    """The light of a level. One at a time: what numpy makes of many has not the same last bit everywhere."""
    return level / 12.92 if level <= 0.04045 else ((level + 0.055) / 1.055) ** 2.4


def levels_of(light: Floats) -> Floats:
    """The levels of light."""
    found: Floats = np.where(light <= 0.0031308, 12.92 * light, 1.055 * light ** (1 / 2.4) - 0.055)
    return found
