"""Pages in colour, in greys, or in black and white alone: what of them is put on paper."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Literal

from numpy.typing import NDArray

from lantern_kit.comic.formats.report import Loss
from lantern_kit.comic.model import Effect, EffectType, Image, Overlay, Unit
from lantern_kit.imaging.picture import Pixels
from lantern_kit.imaging.screening import Screen, screened, to_grey

Colour = Literal["rgb", "grey", "bitonal"]
ANGLE = 45.0
"""Of the rows of dots, in degrees."""
LPI = 60
"""Rows of dots in an inch, as manga is screened; fewer where a dot would have less than five pixels a side."""


def inked(pixels: Pixels, colour: Colour, *, dpi: int, lpi: float | None = None, angle: float = ANGLE) -> NDArray[Any]:
    """A page's pixels as they are printed.

    Args:
        pixels: (h, w, 4) uint8, straight alpha.
        colour: ``rgb`` leaves them, ``grey`` gives (h, w) uint8, ``bitonal`` (h, w) bool, True for white.
        dpi: pixels an inch; a screen's dots go by it.
        lpi: rows of a screen's dots an inch; None is 60, and fewer below 300 dpi.
        angle: of those rows, in degrees.
    """
    if colour == "rgb":
        return pixels
    return to_grey(pixels) if colour == "grey" else ~screened(pixels, dpi, lpi=lpi or _lpi(dpi), angle=angle)


def inked_bands(
    bands: Iterable[Pixels], colour: Colour, *, dpi: int, lpi: float | None = None, angle: float = ANGLE
) -> Iterator[NDArray[Any]]:
    """The same for a page that comes from the top down, some rows at a time; the rows are cut where they like."""
    if colour == "rgb":
        yield from bands
    elif colour == "grey":
        yield from (to_grey(rows) for rows in bands)
    else:
        yield from (~rows for rows in Screen(dpi, lpi=lpi or _lpi(dpi), angle=angle).bands(bands))


def _lpi(dpi: int) -> float:
    return min(LPI, dpi / 5)


def beating(unit: Unit) -> bool:
    """Whether a drawn tone may lie over a picture, whose own screen it would beat with: both are in one frame."""
    tones = {item.parent for item in unit.objects if isinstance(item, Effect) and item.effect is EffectType.TONE}
    pictures = {item.parent for item in unit.objects if isinstance(item, Image | Overlay)}
    return bool(tones & pictures) or (bool(pictures) and unit.id in tones) or (bool(tones) and unit.id in pictures)


def beating_loss(pages: Sequence[str]) -> tuple[Loss, ...]:
    """What a report says of pages with drawn tones over pictures that are screened; nothing where there are none."""
    if not pages:
        return ()
    message = "Drawn tones may lie over pictures here, whose greys are screened: give both one lpi and angle."
    return (Loss("beating", message, tuple(pages)),)
