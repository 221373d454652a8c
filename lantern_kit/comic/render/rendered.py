"""A rendered unit with the facts to act on it: where the page lies in its pixels, and what was drawn where."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from lantern_kit.comic.model import Rect
from lantern_kit.comic.placement import MICROMETRES_PER_INCH, Affine
from lantern_kit.imaging.encode import encode_jpeg, encode_png
from lantern_kit.imaging.picture import Pixels


class Drawn(NamedTuple):
    """One object as it was drawn."""

    id: str
    kind: str
    bounds: Rect
    """In page micrometres; what its frame cuts off is left out."""
    pixels: tuple[int, int, int, int]
    """Left, top, right, bottom in the picture, inside it."""


@dataclass(frozen=True, eq=False)
class Rendered:
    """A rendered unit, or a part of one."""

    unit: str
    pixels: Pixels
    """(height, width, 4) uint8 RGBA, straight alpha, read-only."""
    opaque: bool
    scale: float
    """Pixels a micrometre."""
    visible: tuple[float, float, float, float]
    """The part of the page that is seen: x, y, width, height in micrometres."""
    objects: tuple[Drawn, ...]
    """What is seen of the unit's objects, in the order of drawing."""
    missing: tuple[str, ...]
    """Assets whose picture was not there; a stand-in is drawn."""
    unknown_fonts: tuple[str, ...]
    """Families that are not installed; their words are set as dialogue."""

    @property
    def width(self) -> int:
        """In pixels."""
        return int(self.pixels.shape[1])

    @property
    def height(self) -> int:
        """In pixels."""
        return int(self.pixels.shape[0])

    @property
    def dpi(self) -> float:
        """Pixels an inch of paper."""
        return self.scale * MICROMETRES_PER_INCH

    @property
    def page_to_pixel(self) -> Affine:
        """Page micrometres → pixels."""
        x, y, _, _ = self.visible
        return Affine(self.scale, 0.0, 0.0, self.scale, -x * self.scale, -y * self.scale)

    @property
    def pixel_to_page(self) -> Affine:
        """Pixels → page micrometres."""
        x, y, _, _ = self.visible
        return Affine(1 / self.scale, 0.0, 0.0, 1 / self.scale, x, y)

    @cached_property
    def sha256(self) -> str:
        """Hash of the pixels with their size."""
        found = hashlib.sha256(f"{self.width}x{self.height}:".encode())
        found.update(np.ascontiguousarray(self.pixels).data)
        return found.hexdigest()

    def png(self, *, fast: bool = True) -> bytes:
        """As PNG with its resolution; ``fast`` off for the smaller file of a master."""
        return encode_png(self.pixels, fast=fast, dpi=max(1, round(self.dpi)))

    def jpeg(self, quality: int = 85) -> bytes:
        """As JPEG with its resolution. Raises BadInput for pixels that are not opaque."""
        return encode_jpeg(self.pixels, quality, dpi=max(1, round(self.dpi)))
