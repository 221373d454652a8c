"""Pictures drawn: from the level that suits the size, sampled without blur or shimmer."""

from __future__ import annotations

import math
from typing import Any

from lantern_kit.comic.model import MILLION
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import skia_matrix
from lantern_kit.comic.render.level import FACTORS, level
from lantern_kit.comic.render.plate import Plate
from lantern_kit.imaging.picture import Picture

SHARPEST = 0.62
"""A picture is reduced until what is left to shrink is no more than this; cubic sampling does the rest cleanly."""
SAMPLING = skia.SamplingOptions(skia.CubicResampler.Mitchell())


def reduction(matrix: Affine, scale: float) -> int:
    """By what whole factor a picture is reduced before it is sampled at ``scale`` pixels a micrometre."""
    shrink = scale * max(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
    return next((factor for factor in FACTORS if shrink * factor >= SHARPEST), FACTORS[-1])


def draw_picture(
    canvas: Any,
    picture: Picture | Plate,
    matrix: Affine,
    window: tuple[float, float, float, float],
    *,
    scale: float,
    opacity: int,
    cache: RenderCache | None,
    recording: bool = False,
) -> None:
    """Draw the ``window`` of a picture (left, top, right, bottom in its pixels) through pixels → page ``matrix``.

    Args:
        scale: pixels a micrometre.
        opacity: in millionths.
        cache: keeps the picture's levels.
        recording: the canvas is played back later, when nobody may hold the picture any more.
    """
    made = level(picture, reduction(matrix, scale), cache)
    canvas.save()
    canvas.concat(skia_matrix(matrix))
    target = skia.Rect.MakeLTRB(*window)
    factor = made.factor
    source = skia.Rect.MakeLTRB(*(edge / factor for edge in window))
    paint = skia.Paint(AntiAlias=True, Alphaf=opacity / MILLION)
    canvas.drawImageRect(
        made.lasting() if recording else made.image,
        source,
        target,
        SAMPLING,
        paint,
        skia.Canvas.SrcRectConstraint.kStrict_SrcRectConstraint,
    )
    canvas.restore()
