"""Colours, pens, paths and transforms: from the model's values to skia's."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.balloons.contour import Contour
from lantern_kit.comic.model import MILLION, Polygon, Shape, Stroke
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.engine import skia

GRAIN = 100.0
"""Outlines are joined in tenths of a millimetre about a centre of their own, where skia's arithmetic is at its best."""
FINEST_DASHES = 100
"""Micrometres after which a pattern of dashes may begin again; finer ones are greys to the eye, and take minutes."""


def colour(value: str, opacity: int = MILLION) -> int:
    """A colour of the model (#rrggbb or #rrggbbaa) with an opacity in millionths, as skia's ARGB."""
    alpha = int(value[7:9], 16) if len(value) == 9 else 255
    alpha = (alpha * opacity + MILLION // 2) // MILLION
    return (alpha << 24) | int(value[1:7], 16)


def is_opaque(value: str) -> bool:
    """Whether a colour hides what is under it."""
    return len(value) == 7 or value.endswith("ff")


def fill(value: str, opacity: int = MILLION) -> Any:
    """A paint that fills."""
    return skia.Paint(AntiAlias=True, Color=colour(value, opacity))


def pen(stroke: Stroke, *, join: Any = skia.Paint.kRound_Join) -> Any:
    """A paint that draws a line; dashes begin and end round where the joins are round."""
    paint = skia.Paint(
        AntiAlias=True,
        Color=colour(stroke.colour),
        Style=skia.Paint.kStroke_Style,
        StrokeWidth=stroke.width,
        StrokeJoin=join,
        StrokeMiter=8,
    )
    if stroke.dash:
        dash = [float(length) for length in stroke.dash]
        if len(dash) % 2:
            dash *= 2
        if sum(dash) < FINEST_DASHES:
            dash = [length * FINEST_DASHES / sum(dash) for length in dash]
        paint.setPathEffect(skia.DashPathEffect.Make(dash, 0.0))
    return paint


def path(shape: Shape) -> Any:
    """The outline of a shape."""
    if isinstance(shape, Polygon):
        return skia.Path.Polygon([skia.Point(x, y) for x, y in shape.points], isClosed=True)
    made = skia.Path()
    made.moveTo(*shape.start)
    for first, second, end in shape.segments:
        made.cubicTo(*first, *second, *end)
    made.close()
    return made


def contour_path(contour: Contour) -> Any:
    """An outline of a balloon."""
    made = skia.Path()
    made.moveTo(*contour.start)
    for first, second, end in contour.segments:
        made.cubicTo(*first, *second, *end)
    made.close()
    return made


def scaling(factor: float) -> Any:
    """Everything larger by a factor, about the origin."""
    return skia.Matrix.MakeAll(factor, 0, 0, 0, factor, 0, 0, 0, 1)


def skia_matrix(matrix: Affine) -> Any:
    """The same transform for skia."""
    return skia.Matrix.MakeAll(matrix.a, matrix.c, matrix.e, matrix.b, matrix.d, matrix.f, 0, 0, 1)
