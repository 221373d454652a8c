"""Grey and black-and-white pictures for print: what is pure stays crisp, what is between is screened.

Each pixel of the result depends on the picture within one pixel of it and on its own place alone; so a picture may be
given in bands of any height, and one computer makes the bits that another makes.

A grey of n % (its sRGB value, not its light) becomes n % of ink. Ink spreads on paper, by about a fifth at half cover,
and what is printed so comes out about as light as it was on the screen; and a tone that was drawn as a share of ink
keeps that share.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from lantern_kit.imaging.alpha import laid
from lantern_kit.imaging.light import light_of
from lantern_kit.imaging.picture import Pixels, check_pixels
from lantern_kit.kernel.errors import BadInput

Bits = NDArray[np.bool_]
"""(height, width); true is ink."""
BLACK, WHITE = 16, 239
"""What lies between neighbours as far out as these is the edge of a line."""
PURE = 2
"""Greys as near to black or white as this are taken for it: no dots for the paper of a scan."""
_ASKEW = 0.0037
"""Turn added to every screen, in radians: one whose dots lay alike on the pixels would have few levels of grey."""
_BAND = 1 << 20
"""Pixels that are worked on at once, about."""


def to_grey(pixels: Pixels) -> Pixels:
    """How light each pixel is: Rec. 709 luminance of linear light, given back as an sRGB grey.

    Args:
        pixels: (h, w, 3) or (h, w, 4) uint8 in sRGB; what is translucent is laid on white.

    Returns:
        (h, w) uint8.

    Raises:
        BadInput: other pixels.
    """
    check_pixels(pixels)
    height, width, channels = pixels.shape
    found = np.empty((height, width), np.uint8)
    light, grey = _tables()
    rows = max(1, _BAND // width)
    for top in range(0, height, rows):
        band = pixels[top : top + rows]
        colours = laid(band, 255) if channels == 4 else band
        # Weights of Rec. 709 in 65,536ths.
        sums = light[colours[..., 0]] * 13_933 + light[colours[..., 1]] * 46_871 + light[colours[..., 2]] * 4_732
        found[top : top + rows] = grey[(sums + 32_768) >> 16]
    return found


@lru_cache(maxsize=1)
def _tables() -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Linear light of each sRGB value in 65,535ths, and the nearest sRGB value of each light."""
    whole = np.array([round(light_of(value / 255) * 65_535) for value in range(256)], np.uint32)
    between = (whole[1:] + whole[:-1] + 1) // 2
    return whole, np.searchsorted(between, np.arange(65_536), side="right").astype(np.uint8)


class Screen:
    """A screen over one picture, which it is given in bands from the top: round dots that grow with the grey.

    From half on they are round holes that shrink.

    Args:
        dpi: resolution of the picture, in pixels per inch.
        lpi: rows of dots per inch.
        angle: of the rows, in degrees.

    Raises:
        BadInput: numbers that make no screen.
    """

    def __init__(self, dpi: float, *, lpi: float = 60, angle: float = 45) -> None:
        if not (1 <= dpi <= 65_535 and math.isfinite(angle)):
            raise BadInput("these numbers make no screen", expected="1 to 65,535 dpi, any angle", found=(dpi, angle))
        if not 1 <= lpi <= dpi / 3:
            raise BadInput(
                "a screen's dots need some pixels each",
                expected=f"1 to {dpi / 3:g} lines an inch at {dpi:g} dpi",
                found=lpi,
                recovery="Ask for a coarser screen, or a finer picture.",
            )
        self._pitch = dpi / lpi
        self._turn = math.radians(angle % 90) + _ASKEW

    def bands(self, bands: Iterable[Pixels]) -> Iterator[Bits]:
        """Bits of bands of greys or colours, as they come; a band's last row is given with the next band.

        Args:
            bands: (h, w) grey, or (h, w, 3 or 4) in sRGB, each as wide as the first, from the top down.
        """
        above: Pixels | None = None
        waiting: Pixels | None = None
        top = 0
        for band in bands:
            greys = band if band.ndim == 2 else to_grey(band)
            rows = greys if waiting is None else np.concatenate([waiting, greys])
            if len(rows) > 1:
                yield self._bits(rows[:-1], above, rows[-1:], top)
                top += len(rows) - 1
                above = rows[-2:-1].copy()
            waiting = rows[-1:].copy()
        if waiting is not None:
            yield self._bits(waiting, above, None, top)

    def _bits(self, greys: Pixels, above: Pixels | None, below: Pixels | None, top: int) -> Bits:
        found = greys <= PURE
        between = (greys > PURE) & (greys < 255 - PURE)
        around = np.concatenate([greys[:1] if above is None else above, greys, greys[-1:] if below is None else below])
        lines = between & _reaches(around <= BLACK) & _reaches(around >= WHITE)
        found |= lines & (greys < 128)
        rows, columns = np.nonzero(between & ~lines)
        share = (255 - greys[rows, columns].astype(np.int32)) * 257  # of 65,535
        found[rows, columns] = share > self._thresholds(rows + top, columns)
        return found

    def _thresholds(self, rows: NDArray[np.int64], columns: NDArray[np.int64]) -> NDArray[np.int32]:
        """How much ink it takes, of 65,536, for a pixel to be black."""
        cos, sin = math.cos(self._turn) / self._pitch, math.sin(self._turn) / self._pitch
        u, v = columns * cos + rows * sin, rows * cos - columns * sin
        ranks = _round_cell()
        side = len(ranks)
        across, down = (np.floor((part - np.floor(part)) * side).astype(np.int64) for part in (u, v))
        found: NDArray[np.int32] = ranks[down, across]
        return found


def screened(pixels: Pixels, dpi: float, *, lpi: float = 60, angle: float = 45) -> Bits:
    """A picture in black and white: lines and words keep their edges, greys and colours are screened.

    Args:
        pixels: (h, w) grey, or (h, w, 3 or 4) in sRGB, uint8.
        dpi: its resolution, in pixels per inch; 600 and more for print.
        lpi: rows of dots per inch.
        angle: of the rows, in degrees.

    Returns:
        (h, w); true is ink.

    Raises:
        BadInput: other pixels, or numbers that make no screen.
    """
    if pixels.dtype != np.uint8 or pixels.ndim != 2 or 0 in pixels.shape:
        check_pixels(pixels)
    height, width = pixels.shape[:2]
    rows = max(1, _BAND // width)
    found = np.empty((height, width), bool)
    at = 0
    for bits in Screen(dpi, lpi=lpi, angle=angle).bands(pixels[top : top + rows] for top in range(0, height, rows)):
        found[at : at + len(bits)] = bits
        at += len(bits)
    return found


def _reaches(rows: Bits) -> Bits:
    """Where one of a pixel's eight neighbours or itself is true; the first and last row are only neighbours."""
    tall = rows[:-2] | rows[1:-1] | rows[2:]
    wide = tall.copy()
    wide[:, 1:] |= tall[:, :-1]
    wide[:, :-1] |= tall[:, 1:]
    return wide


@lru_cache(maxsize=1)
def _round_cell(side: int = 256) -> NDArray[np.int32]:
    """Order in which the places of a screen's cell turn black, of 65,536: a round dot first, at last a round hole."""
    at = (np.arange(side) + 0.5) / side
    wave = np.array([round(math.cos(2 * math.pi * value) * (1 << 24)) for value in at], np.int64)
    height = wave[:, None] + wave[None, :]
    order = np.argsort(-height.ravel(), kind="stable")
    ranks = np.empty(side * side, np.int32)
    ranks[order] = (np.arange(side * side) * 65_535) // (side * side)
    return ranks.reshape(side, side)
