"""Pictures drawn by name: a canvas that keeps drawings instead of pixels gets one coloured point for each.

Whoever reads the drawing finds the points in it, stretched to where the pictures belong, and puts the pictures there.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import skia_matrix
from lantern_kit.comic.render.plate import Plate

MOST_REDUCED = 64


class Use(NamedTuple):
    """What is needed of a picture at some place."""

    asset: str
    factor: int
    """It may be reduced by this whole factor before it is kept."""
    part: tuple[int, int, int, int]
    """Left, top, right, bottom, in whole pixels of the picture as it is."""


class Proxy:
    """A picture of which only the place is drawn."""

    def __init__(self, asset: str, plate: Plate, proxies: Proxies) -> None:
        self.asset = asset
        self.plate = plate
        self._proxies = proxies

    @property
    def width(self) -> int:
        """Pixels."""
        return self.plate.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self.plate.height

    @property
    def opaque(self) -> bool:
        """Whether every alpha is 255."""
        return self.plate.opaque

    def draw(
        self, canvas: Any, matrix: Affine, window: tuple[float, float, float, float], *, scale: float, opacity: float
    ) -> None:
        """Draw the point that stands for the ``window`` of it, through pixels → page ``matrix``."""
        left, top = max(0, math.floor(window[0])), max(0, math.floor(window[1]))
        right, bottom = min(self.width, math.ceil(window[2])), min(self.height, math.ceil(window[3]))
        if right <= left or bottom <= top:
            return
        shrink = scale * max(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
        factor = MOST_REDUCED if shrink * MOST_REDUCED < 1 else max(1, math.floor(1 / shrink))
        part = self._proxies.part(self, (left, top, right, bottom), factor)
        point = self._proxies.point(Use(self.asset, factor, part))
        canvas.save()
        canvas.concat(skia_matrix(matrix))
        if part != window:
            canvas.clipRect(skia.Rect.MakeLTRB(*window), skia.ClipOp.kIntersect, True)
        canvas.drawImageRect(
            point,
            skia.Rect.MakeWH(1, 1),
            skia.Rect.MakeLTRB(*(float(edge) for edge in part)),
            skia.SamplingOptions(),
            skia.Paint(AntiAlias=True, Alphaf=opacity),
            skia.Canvas.SrcRectConstraint.kStrict_SrcRectConstraint,
        )
        canvas.restore()


class Proxies:
    """The ``pictures`` for a drawing that is kept; what it needs of each stands in ``uses``, in order.

    Args:
        pictures: asset id → its plate, or None where there is none.
        whole: whether a picture is kept as it is rather than by the part that shows, of which the share is given.
    """

    def __init__(self, pictures: Callable[[str], Plate | None], whole: Callable[[str, float], bool]) -> None:
        self.uses: list[Use] = []
        self._pictures = pictures
        self._whole = whole
        self._made: dict[str, Proxy] = {}
        self._points: dict[Use, Any] = {}

    def __call__(self, asset: str) -> Proxy | None:
        """What stands for the picture of an asset."""
        plate = self._pictures(asset)
        if plate is None:
            return None
        made = self._made.get(asset)
        if made is None or made.plate is not plate:
            made = self._made[asset] = Proxy(asset, plate, self)
        return made

    def plate(self, asset: str) -> Plate:
        """The picture itself, of one that was drawn."""
        return self._made[asset].plate

    def part(self, proxy: Proxy, seen: tuple[int, int, int, int], factor: int) -> tuple[int, int, int, int]:
        """The part of a picture that is kept where this much of it shows."""
        left, top, right, bottom = seen
        everything = (0, 0, proxy.width, proxy.height)
        share = (right - left) * (bottom - top) / (proxy.width * proxy.height)
        return everything if factor == 1 and self._whole(proxy.asset, share) else seen

    def point(self, use: Use) -> Any:
        """The point that stands for a use: its place in ``uses``, as a colour."""
        point = self._points.get(use)
        if point is None:
            point = self._points[use] = numbered_point(len(self.uses))
            self.uses.append(use)
        return point


def numbered_point(number: int) -> Any:
    """An image of one pixel whose colour is a number."""
    colour = np.array([[[number >> 16 & 255, number >> 8 & 255, number & 255, 255]]], np.uint8)
    return skia.Image.fromarray(colour, skia.kRGBA_8888_ColorType, skia.kOpaque_AlphaType, copy=True)
