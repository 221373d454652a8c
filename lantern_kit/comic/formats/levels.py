"""Pages in colour, in greys, or in black and white alone: what of them is put on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Literal

from numpy.typing import NDArray

from lantern_kit.imaging.picture import Pixels
from lantern_kit.imaging.screening import Screen, screened, to_grey

Colour = Literal["rgb", "grey", "bitonal"]
LPI = 60
"""Rows of dots in an inch, as manga is screened; fewer where a dot would have less than five pixels a side."""


def inked(pixels: Pixels, colour: Colour, *, dpi: int) -> NDArray[Any]:
    """A page's pixels as they are printed.

    Args:
        pixels: (h, w, 4) uint8, straight alpha.
        colour: ``rgb`` leaves them, ``grey`` gives (h, w) uint8, ``bitonal`` (h, w) bool, True for white.
        dpi: pixels an inch; a screen's dots go by it.
    """
    if colour == "rgb":
        return pixels
    return to_grey(pixels) if colour == "grey" else ~screened(pixels, dpi, lpi=_lpi(dpi))


def inked_bands(bands: Iterable[Pixels], colour: Colour, *, dpi: int) -> Iterator[NDArray[Any]]:
    """The same for a page that comes from the top down, some rows at a time; the rows are cut where they like."""
    if colour == "rgb":
        yield from bands
    elif colour == "grey":
        yield from (to_grey(rows) for rows in bands)
    else:
        yield from (~rows for rows in Screen(dpi, lpi=_lpi(dpi)).bands(bands))


def _lpi(dpi: int) -> float:
    return min(LPI, dpi / 5)
