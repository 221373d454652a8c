"""Colour profiles that are curves and a matrix, applied to 16-bit levels: LittleCMS is reached with eight bits only.

Most profiles of cameras, screens and working spaces are of this kind (ICC.1:2022, 8.3.4 and 8.4.3).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lantern_kit.imaging.light import Floats, levels_of
from lantern_kit.imaging.profile import PRIMARIES

_STEPS = 65_536


@dataclass(frozen=True, eq=False)
class Shaper:
    """Levels to light by a curve each, light to sRGB by a matrix."""

    curves: tuple[NDArray[np.float32], ...]
    """For each channel, the light of each of 65,536 levels."""
    matrix: NDArray[np.float32] | None
    """Light of the channels → linear sRGB; None for greys."""

    def applied(self, levels: NDArray[np.uint16]) -> NDArray[np.uint8]:
        """(h, w, channels) levels as (h, w, 3) sRGB, what lies outside cut off."""
        if self.matrix is None:
            grey = _encoded(self.curves[0])[levels[..., 0]]
            return np.stack([grey] * 3, axis=-1)
        red, green, blue = (curve[levels[..., place]] for place, curve in enumerate(self.curves))
        made = np.empty((*levels.shape[:2], 3), np.uint8)
        for place, row in enumerate(self.matrix):  # not by a product of matrices: its last bit is not everywhere alike
            made[..., place] = _encoded(red * row[0] + green * row[1] + blue * row[2])
        return made


@lru_cache(maxsize=8)
def shaper(icc: bytes) -> Shaper | None:
    """The curves and the matrix of a profile for RGB or grey; None when it has tables, or what is not understood."""
    try:
        tags = _tags(icc)
        if icc[20:24] != b"XYZ " or any(tag.startswith(b"A2B") for tag in tags):
            return None
        if icc[16:20] == b"GRAY":
            return Shaper((_curve(tags[b"kTRC"]),), None)
        if icc[16:20] != b"RGB ":
            return None
        columns = np.array([_xyz(tags[tag]) for tag in PRIMARIES]).T
        back = np.linalg.inv(np.array(list(PRIMARIES.values())).T)
        curves = tuple(_curve(tags[tag]) for tag in (b"rTRC", b"gTRC", b"bTRC"))
        return Shaper(curves, (back @ columns).astype(np.float32))
    except (KeyError, IndexError, ValueError, struct.error):
        return None


def _tags(icc: bytes) -> dict[bytes, bytes]:
    (count,) = struct.unpack_from(">I", icc, 128)
    found = {}
    for place in range(min(count, 200)):
        name, start, size = struct.unpack_from(">4sII", icc, 132 + 12 * place)
        found[name] = icc[start : start + size]
    return found


def _xyz(tag: bytes) -> tuple[float, ...]:
    if tag[:4] != b"XYZ ":
        raise ValueError(tag[:4])
    return tuple(value / 65_536 for value in struct.unpack_from(">3i", tag, 8))


def _curve(tag: bytes) -> NDArray[np.float32]:
    levels = np.arange(_STEPS) / (_STEPS - 1)
    if tag[:4] == b"curv":
        (count,) = struct.unpack_from(">I", tag, 8)
        if count == 0:
            made = levels
        elif count == 1:
            made = levels ** (struct.unpack_from(">H", tag, 12)[0] / 256)
        else:
            values = np.frombuffer(tag, ">u2", count, 12) / 65_535
            made = np.interp(levels, np.linspace(0, 1, count), values)
    elif tag[:4] == b"para":
        made = _parametric(tag, levels)
    else:
        raise ValueError(tag[:4])
    return np.clip(made, 0, 1).astype(np.float32)


def _parametric(tag: bytes, levels: Floats) -> Any:
    """ICC.1:2022, 10.18: one of five functions of up to seven numbers."""
    kind = struct.unpack_from(">H", tag, 8)[0]
    count = (1, 3, 4, 5, 7)[kind]
    stored = [value / 65_536 for value in struct.unpack_from(f">{count}i", tag, 12)]
    g, a, b, c, d, e, f = stored + [0.0] * (7 - count)
    if kind == 0:
        return levels**g
    power = np.maximum(a * levels + b, 0) ** g
    if kind == 1:
        return np.where(levels >= -b / a, power, 0.0)
    if kind == 2:
        return np.where(levels >= -b / a, power + c, c)
    return np.where(levels >= d, power + e, c * levels + f)


def _encoded(light: NDArray[np.float32]) -> NDArray[np.uint8]:
    """Linear light as levels of sRGB."""
    found: NDArray[np.uint8] = _LEVEL[np.rint(np.clip(light, 0, 1) * np.float32(_STEPS - 1)).astype(np.uint16)]
    return found


_LEVEL: NDArray[np.uint8] = np.rint(255 * levels_of(np.arange(_STEPS) / (_STEPS - 1))).astype(np.uint8)
"""sRGB's level for each of 65,536 steps of light."""
