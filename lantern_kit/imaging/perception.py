"""How far apart colours are to the eye: sRGB to OKLab, and the distance there.

OKLab after Björn Ottosson (2020), with the matrices of CSS Color 4; the distance is that specification's ΔE OK, times a
hundred: black and white are 100 apart, and less than 2 is hardly seen.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lantern_kit.imaging.alpha import laid
from lantern_kit.imaging.light import light_of
from lantern_kit.imaging.picture import Pixels

NOTICEABLE = 2.0
"""A difference that is just seen, side by side (CSS Color 4: a ΔE OK of 0.02)."""
FARTHEST = 100.0
"""From black to white."""

Lab = NDArray[np.float32]

_LIGHT = np.array([light_of(level / 255) for level in range(256)], np.float32)
_CONES = (
    (0.4122214694707629, 0.5363325372617349, 0.0514459932675022),
    (0.2119034958178251, 0.6806995506452344, 0.1073969535369405),
    (0.0883024591900564, 0.2817188391361215, 0.6299787016738222),
)
_OPPONENTS = (
    (0.2104542683093140, 0.7936177747023054, -0.0040720430116193),
    (1.9779985324311684, -2.4285922420485799, 0.4505937096174110),
    (0.0259040424655478, 0.7827717124575296, -0.8086757549230774),
)


def oklab(rgb: Pixels) -> Lab:
    """OKLab of sRGB colours: (…, 3) or (…, 4) uint8 to (…, 3) float32, lightness from 0 to 1, then a and b."""
    red, green, blue = (_LIGHT[rgb[..., channel]] for channel in range(3))
    cones = [np.cbrt(r * red + g * green + b * blue) for r, g, b in _CONES]
    found = np.empty((*rgb.shape[:-1], 3), np.float32)
    for place, (long, medium, short) in enumerate(_OPPONENTS):
        found[..., place] = long * cones[0] + medium * cones[1] + short * cones[2]
    return found


def difference(one: Pixels, other: Pixels) -> NDArray[np.float32]:
    """Distance of each colour from the other's: (…, 3) or (…, 4) uint8, of one shape, to (…) float32 from 0 to 100.

    Straight alpha, if there is one, is laid on white and on black, and the larger distance counts.
    """
    if one.shape[-1] == 4 and not (bool((one[..., 3] == 255).all()) and bool((other[..., 3] == 255).all())):
        on_white, on_black = (difference(laid(one, ground), laid(other, ground)) for ground in (255, 0))
        worse: NDArray[np.float32] = np.maximum(on_white, on_black)
        return worse
    apart = oklab(one)
    apart -= oklab(other)
    np.square(apart, out=apart)
    total = apart[..., 0] + apart[..., 1] + apart[..., 2]
    found: NDArray[np.float32] = np.minimum(np.sqrt(total) * np.float32(100), np.float32(FARTHEST))
    return found
