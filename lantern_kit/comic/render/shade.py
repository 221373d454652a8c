"""Smooth shades: gradients along a line, and vignettes about a point."""

from __future__ import annotations

import math
from typing import Any

from lantern_kit.comic.model import MILLION, Effect, Rect
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import colour

STEPS = 16
"""Straight pieces that a vignette's soft curve is made of."""


def gradient(effect: Effect, box: Rect) -> Any:
    """From nothing to ``density`` of the colour along the angle, over the whole of the box."""
    return ramp(effect, box, effect.angle, 0, effect.density)


def ramp(effect: Effect, box: Rect, angle: int, first: int, last: int) -> Any:
    """A paint from one share of the effect's colour to another, in millionths, along an angle over the whole box."""
    start, end = ends(box, angle)
    paint = skia.Paint(AntiAlias=True)
    paint.setShader(
        skia.GradientShader.MakeLinear(
            [skia.Point(*start), skia.Point(*end)], [_shade(effect, first), _shade(effect, last)]
        )
    )
    return paint


def ends(box: Rect, angle: int) -> tuple[tuple[float, float], tuple[float, float]]:
    """Where something that runs over a box in a direction (millidegrees clockwise) begins and ends."""
    turn = math.radians(angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = box.x + box.w / 2, box.y + box.h / 2
    along = (abs(box.w * cos) + abs(box.h * sin)) / 2
    return (x - cos * along, y - sin * along), (x + cos * along, y + sin * along)


def vignette(effect: Effect, box: Rect) -> Any:
    """A paint that darkens from an ellipse of the box's own form to ``density`` at the corner furthest off."""
    x = box.x + box.w * effect.centre[0] / MILLION
    y = box.y + box.h * effect.centre[1] / MILLION
    far = math.hypot(*(max(place, MILLION - place) / MILLION for place in effect.centre))
    clear = min(effect.clear, MILLION - 1) / MILLION
    shares = [step / STEPS for step in range(STEPS + 1)]
    shades = [_shade(effect, round(effect.density * share * share * (3 - 2 * share))) for share in shares]
    places = [clear + (1 - clear) * share for share in shares]
    paint = skia.Paint(AntiAlias=True)
    own = skia.Matrix.MakeAll(box.w * far, 0, x, 0, box.h * far, y, 0, 0, 1)
    paint.setShader(
        skia.GradientShader.MakeRadial(
            skia.Point(0, 0), 1.0, [shades[0], *shades], [0.0, *places], skia.TileMode.kClamp, 0, own
        )
    )
    return paint


def _shade(effect: Effect, share: int) -> int:
    return colour(effect.colour, effect.opacity * share // MILLION)
