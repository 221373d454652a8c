"""Pictures as skia draws them: prepared once per picture and size, sampled without blur or shimmer."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PIL import Image as Pillow

from lantern_kit.comic.model import MILLION
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.cache import RenderCache, recall
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.plate import Plate
from lantern_kit.imaging.picture import Picture

SHARPEST = 0.62
"""A picture is halved until what is left to shrink is no more than this; cubic sampling does the rest cleanly."""
SAMPLING = skia.SamplingOptions(skia.CubicResampler.Mitchell())


@dataclass(frozen=True, slots=True, eq=False)
class Sheet:
    """A skia image of a picture, reduced by a whole factor. The image owns its pixels, so recordings may outlive us."""

    image: Any
    factor: int
    source: Picture | None
    """Kept, so that its identity stays its own as long as this is remembered; a plate is known by its digest."""

    @property
    def size(self) -> int:
        """Bytes held."""
        pinned = 0 if self.source is None else self.source.pixels.nbytes
        return int(self.image.width() * self.image.height() * 4) + pinned


def sheet(picture: Picture | Plate, factor: int, cache: RenderCache | None) -> Sheet:
    """The picture reduced ``factor`` times, premultiplied where it has alpha."""
    if isinstance(picture, Plate):
        return _of_plate(picture, factor, cache)
    key = ("sheet", id(picture.pixels), factor)
    found: Sheet = recall(cache, key, lambda: _make(picture, factor), lambda made: made.size)
    if found.source is None or found.source.pixels is not picture.pixels:
        # The address of a picture that is gone was used again.
        found = _make(picture, factor)
        if cache is not None:
            cache.put(key, found, found.size)
    return found


def _of_plate(plate: Plate, factor: int, cache: RenderCache | None) -> Sheet:
    key = ("sheet", plate.digest, factor)
    held: Sheet | None = None if cache is None else cache.get(key)
    if held is not None:
        return held
    with plate.turn:
        made = recall(cache, key, lambda: replace(_make(plate.picture(), factor), source=None), lambda made: made.size)
        if factor == 1:  # it has every pixel: the decoded picture beside it would only take its room again
            plate.let_go()
        return made


def _make(picture: Picture, factor: int) -> Sheet:
    pixels = picture.pixels
    if not picture.opaque:
        alpha = pixels[..., 3:].astype(np.uint16)
        pixels = np.concatenate([((pixels[..., :3] * alpha + 127) // 255).astype(np.uint8), pixels[..., 3:]], axis=2)
    if factor > 1:
        size = (picture.width, picture.height)
        bands = "RGBX" if picture.opaque else "RGBa"  # the same numbers, and the first is reduced four times as fast
        whole = Pillow.frombuffer(bands, size, np.ascontiguousarray(pixels), "raw", bands, 0, 1)
        pixels = np.asarray(whole.reduce(factor))
    alpha_type = skia.kOpaque_AlphaType if picture.opaque else skia.kPremul_AlphaType
    image = skia.Image.fromarray(np.ascontiguousarray(pixels), skia.kRGBA_8888_ColorType, alpha_type, copy=True)
    return Sheet(image, factor, picture)


def reduction(matrix: Affine, scale: float) -> int:
    """By what whole factor a picture is reduced before it is sampled at ``scale`` pixels a micrometre."""
    shrink = scale * max(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
    factor = 1
    while shrink * factor < SHARPEST and factor < 64:
        factor += 1
    return factor


def draw_picture(
    canvas: Any,
    picture: Picture | Plate,
    matrix: Affine,
    window: tuple[float, float, float, float],
    *,
    scale: float,
    opacity: int,
    cache: RenderCache | None,
) -> None:
    """Draw the ``window`` of a picture (left, top, right, bottom in its pixels) through pixels → page ``matrix``."""
    made = sheet(picture, reduction(matrix, scale), cache)
    canvas.save()
    canvas.concat(skia_matrix(matrix))
    target = skia.Rect.MakeLTRB(*window)
    factor = made.factor
    source = skia.Rect.MakeLTRB(*(edge / factor for edge in window))
    paint = skia.Paint(AntiAlias=True, Alphaf=opacity / MILLION)
    canvas.drawImageRect(
        made.image, source, target, SAMPLING, paint, skia.Canvas.SrcRectConstraint.kStrict_SrcRectConstraint
    )
    canvas.restore()


def skia_matrix(matrix: Affine) -> Any:
    """The same transform for skia."""
    return skia.Matrix.MakeAll(matrix.a, matrix.c, matrix.e, matrix.b, matrix.d, matrix.f, 0, 0, 1)
