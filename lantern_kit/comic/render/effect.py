"""Lines and tones as vectors: the same seed always draws the same marks, at every resolution."""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import Any

from lantern_kit.comic.model import MILLION, Effect, EffectType, Rect
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import colour, fill

FINEST = 1.6
"""Dots closer than this many pixels are drawn as the grey they amount to; a screen would only shimmer."""
MOST_DOTS = 400_000


def draw_effect(canvas: Any, effect: Effect, box: Rect, scale: float) -> None:
    """Draw an effect, cut off by its box (page micrometres), on a canvas of ``scale`` pixels a micrometre."""
    area = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    canvas.save()
    canvas.clipRect(area, skia.ClipOp.kIntersect, True)
    match effect.effect:
        case EffectType.FOCUS:
            canvas.drawPath(_focus(effect, box), fill(effect.colour, effect.opacity))
        case EffectType.SPEED:
            canvas.drawPath(_speed(effect, box), fill(effect.colour, effect.opacity))
        case EffectType.TONE:
            _draw_tone(canvas, effect, box, scale)
        case EffectType.GRADIENT:
            canvas.drawRect(area, _gradient(effect, box))
    canvas.restore()


@lru_cache(maxsize=256)
def _focus(effect: Effect, box: Rect) -> Any:
    """Wedges from outside the box towards a point, in bunches of uneven length as a brush leaves them."""
    pick = random.Random(effect.seed)  # noqa: S311 – a drawing, not a secret
    x = box.x + box.w * effect.centre[0] / MILLION
    y = box.y + box.h * effect.centre[1] / MILLION
    corners = ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    outside = max(math.dist((x, y), corner) for corner in corners) * 1.02
    half_diagonal = math.hypot(box.w, box.h) / 2
    clear = half_diagonal * effect.clear / MILLION
    # Half of the width a line may have is its mean; so many lines cover ``density`` of the outer circle.
    count = max(8, round(effect.density / MILLION * 2 * math.pi * outside / (0.62 * effect.pitch)))
    made = skia.Path()
    slot = 2 * math.pi / count
    bunch = 0.0
    for number in range(count):
        if number % 5 == 0:
            bunch = pick.random()
        angle = (number + 0.85 * (pick.random() - 0.5)) * slot
        reach = clear * (1 + 0.12 * bunch + 0.42 * pick.random() ** 3)
        width = effect.pitch * (0.24 + 0.76 * pick.random() ** 1.6)
        if reach >= outside:
            continue
        cos, sin = math.cos(angle), math.sin(angle)
        half = width / 2
        ox, oy = x + cos * outside, y + sin * outside
        made.moveTo(x + cos * reach, y + sin * reach)
        made.lineTo(ox - sin * half, oy + cos * half)
        made.lineTo(ox + sin * half, oy - cos * half)
        made.close()
    return made


@lru_cache(maxsize=256)
def _speed(effect: Effect, box: Rect) -> Any:
    """Lines along one direction, thick where they come from and running out to a point."""
    pick = random.Random(effect.seed)  # noqa: S311 – a drawing, not a secret
    turn = math.radians(effect.angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = box.x + box.w / 2, box.y + box.h / 2
    along = (abs(box.w * cos) + abs(box.h * sin)) / 2
    across = (abs(box.w * sin) + abs(box.h * cos)) / 2
    count = max(3, round(effect.density / MILLION * 2 * across / (0.62 * effect.pitch)))
    slot = 2 * across / count
    full = 2 * along * (1 - effect.clear / MILLION)
    made = skia.Path()
    for number in range(count):
        offset = -across + (number + 0.5 + 0.9 * (pick.random() - 0.5)) * slot
        length = full * (0.45 + 0.55 * pick.random() ** 0.7)
        half = effect.pitch * (0.24 + 0.76 * pick.random() ** 1.6) / 2
        sx, sy = x - cos * along - sin * offset, y - sin * along + cos * offset
        made.moveTo(sx - sin * half, sy + cos * half)
        made.lineTo(sx + cos * length, sy + sin * length)
        made.lineTo(sx + sin * half, sy - cos * half)
        made.close()
    return made


def dot_radius(density: float) -> float:
    """Radius of the dots on a square grid of pitch 1 that cover a share of the paper; past a half turn they overlap."""
    if density <= math.pi / 4:
        return math.sqrt(density / math.pi)
    low, high = 0.5, math.sqrt(0.5)
    for _ in range(40):
        radius = (low + high) / 2
        half = 0.5
        cut = radius * radius * math.acos(half / radius) - half * math.sqrt(radius * radius - half * half)
        if math.pi * radius * radius - 4 * cut < density:
            low = radius
        else:
            high = radius
    return high


@lru_cache(maxsize=64)
def _dots(box: Rect, pitch: int, angle: int) -> Any:
    """Centres of a screen's dots over a box: a grid turned about the page's origin, so that neighbours line up."""
    turn = math.radians(angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    corners = [
        ((x * cos + y * sin) / pitch, (y * cos - x * sin) / pitch)
        for x in (box.x, box.right)
        for y in (box.y, box.bottom)
    ]
    columns = range(math.floor(min(u for u, _ in corners)) - 1, math.ceil(max(u for u, _ in corners)) + 2)
    rows = range(math.floor(min(v for _, v in corners)) - 1, math.ceil(max(v for _, v in corners)) + 2)
    left, top, right, bottom = box.x - pitch, box.y - pitch, box.right + pitch, box.bottom + pitch
    points = []
    for row in rows:
        bx, by = -row * pitch * sin, row * pitch * cos
        for column in columns:
            px, py = bx + column * pitch * cos, by + column * pitch * sin
            if left <= px <= right and top <= py <= bottom:
                points.append(skia.Point(px, py))
    return points


def _draw_tone(canvas: Any, effect: Effect, box: Rect, scale: float) -> None:
    density = effect.density / MILLION
    area = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    dots = box.w * box.h / effect.pitch**2
    if density >= 1:
        canvas.drawRect(area, fill(effect.colour, effect.opacity))
    elif density > 0 and (effect.pitch * scale < FINEST or dots > MOST_DOTS):
        canvas.drawRect(area, fill(effect.colour, effect.opacity * effect.density // MILLION))
    elif density > 0:
        paint = fill(effect.colour)
        ink = colour(effect.colour, effect.opacity)
        through = ink >> 24 < 255
        if through:  # dots that overlap must not darken each other
            canvas.saveLayerAlpha(area, ink >> 24)
            paint.setAlpha(255)
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStrokeWidth(2 * dot_radius(density) * effect.pitch)
        canvas.drawPoints(skia.Canvas.kPoints_PointMode, _dots(box, effect.pitch, effect.angle), paint)
        if through:
            canvas.restore()


def _gradient(effect: Effect, box: Rect) -> Any:
    """From nothing to ``density`` of the colour along the angle, over the whole of the box."""
    turn = math.radians(effect.angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = box.x + box.w / 2, box.y + box.h / 2
    along = (abs(box.w * cos) + abs(box.h * sin)) / 2
    dark = colour(effect.colour, effect.opacity * effect.density // MILLION)
    paint = skia.Paint(AntiAlias=True)
    paint.setShader(
        skia.GradientShader.MakeLinear(
            [skia.Point(x - cos * along, y - sin * along), skia.Point(x + cos * along, y + sin * along)],
            [dark & 0x00FFFFFF, dark],
        )
    )
    return paint
