"""Screentones: dots, lines or grain that cover a share of the paper, even or graded.

Every screen hangs on the page's own origin, never on a box, so that tones in neighbouring frames line up. Dots are
polygons of exactly the area they stand for: skia's own circles are up to four hundredths too light or too dark.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lantern_kit.comic.geometry import Edges
from lantern_kit.comic.model import MILLION, Effect, Rect, Screen
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.grain import SIZES, grain_radii, grains
from lantern_kit.comic.render.ink import colour, fill
from lantern_kit.comic.render.shade import ends, ramp

FINEST = 2.5
"""A screen finer than this many pixels from dot to dot is drawn as the grey it amounts to: it would only shimmer."""
MOST_AT_ONCE = 16_384
"""Dots that are held in memory at a time, about."""
LEVELS = 512
"""Sizes between nothing and solid."""
_FINER = 8
"""An even tone is as exact as this many steps between two levels."""
TOUCHING = 0.7
"""Dots that cover less than this do not touch each other."""

Floats = NDArray[np.float64]
Number = TypeVar("Number", float, Floats)


class _Spots(NamedTuple):
    """Dots in page micrometres."""

    x: Floats
    y: Floats
    kind: NDArray[np.int64]
    """Which of the sizes."""


def draw_tone(canvas: Any, effect: Effect, box: Rect, scale: float, seen: Rect | None) -> None:
    """Draw a tone inside the clip that holds, on a canvas of ``scale`` pixels a micrometre.

    A canvas without pixels of its own (a PDF's) gets every dot, as a round stroke. ``seen`` is all of the page that
    will be looked at, where that is less than the clip.
    """
    first, last = _densities(effect)
    area = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    vector = canvas.imageInfo().colorType() == skia.kUnknown_ColorType
    if first == last in (0, MILLION):
        if first:
            canvas.drawRect(area, fill(effect.colour, effect.opacity))
    elif effect.pitch * scale < FINEST and not vector:
        if first == last:
            canvas.drawRect(area, fill(effect.colour, effect.opacity * first // MILLION))
        else:
            canvas.drawRect(area, ramp(effect, box, effect.ramp, first, last))
    elif effect.screen is Screen.LINES:
        window = _window(canvas, box, seen, effect.pitch)
        if window is not None:
            paint = fill(effect.colour, effect.opacity)
            for line in _lines(effect, box, window):
                canvas.drawPath(line, paint)
    else:
        _draw_spots(canvas, effect, box, scale, seen, vector=vector)


def _draw_spots(canvas: Any, effect: Effect, box: Rect, scale: float, seen: Rect | None, *, vector: bool) -> None:
    window = _window(canvas, box, seen, effect.pitch)
    if window is None:
        return
    grain = effect.screen is Screen.GRAIN
    spots = _grains(effect, box, window) if grain else _dots(effect, box, window)
    paint = fill(effect.colour, effect.opacity)
    ink = colour(effect.colour, effect.opacity) >> 24
    overlapping = grain or max(_densities(effect)) > TOUCHING * MILLION
    layered = ink < 255 and overlapping  # dots that overlap must not darken each other
    if layered:
        canvas.saveLayerAlpha(skia.Rect.MakeLTRB(*window), ink)
        paint.setAlpha(255)
    radii = (grain_radii(LEVELS * _FINER) if grain else _dot_radii()) * effect.pitch
    if vector:
        paint.setStrokeCap(skia.Paint.kRound_Cap)
        paint.setStyle(skia.Paint.kStroke_Style)
        for some in spots:
            for kind in np.unique(some.kind):
                mine = some.kind == kind
                paint.setStrokeWidth(2 * radii[kind])
                strokes = skia.Path()  # skia writes points as closed ones, which some readers of PDF leave out
                for x, y in zip(some.x[mine].tolist(), some.y[mine].tolist(), strict=True):
                    strokes.moveTo(x, y)
                    strokes.lineTo(x, y)
                canvas.drawPath(strokes, paint)
    else:
        shapes: dict[int, Any] = {}
        for some in spots:
            for x, y, kind in zip(some.x.tolist(), some.y.tolist(), some.kind.tolist(), strict=True):
                shape = shapes.get(kind)
                if shape is None:
                    shape = shapes[kind] = _round(float(radii[kind]), scale)
                canvas.save()
                canvas.translate(x, y)
                canvas.drawPath(shape, paint)
                canvas.restore()
    if layered:
        canvas.restore()


def _window(canvas: Any, box: Rect, seen: Rect | None, pitch: int) -> Edges | None:
    """What of a box is looked at."""
    clip = canvas.getLocalClipBounds()
    left, top = max(box.x, clip.left()), max(box.y, clip.top())
    right, bottom = min(box.right, clip.right()), min(box.bottom, clip.bottom())
    if seen is not None:
        left, top = max(left, seen.x - pitch), max(top, seen.y - pitch)
        right, bottom = min(right, seen.right + pitch), min(bottom, seen.bottom + pitch)
    return (left, top, right, bottom) if left < right and top < bottom else None


def _round(radius: float, scale: float) -> Any:
    """A disc as a polygon of the same area whose edge strays from the circle by less than a tenth of a pixel."""
    pixels = radius * scale
    sides = 16 if pixels < 4 else 24 if pixels < 12 else 48 if pixels < 48 else 96 if pixels < 190 else 240
    step = 2 * math.pi / sides
    reach = radius * math.sqrt(step / math.sin(step))
    corners = [
        skia.Point(reach * math.cos((corner + 0.5) * step), reach * math.sin((corner + 0.5) * step))
        for corner in range(sides)
    ]
    shape = skia.Path.Polygon(corners, isClosed=True)
    shape.setIsVolatile(False)
    return shape


def _levels(effect: Effect, box: Rect, x: Floats, y: Floats) -> NDArray[np.int64]:
    """The share that is covered about points, in ``LEVELS`` steps."""
    first, last = (density / MILLION for density in _densities(effect))
    if first == last:
        return np.full(len(x), round(first * LEVELS * _FINER), np.int64)
    share = first + (last - first) * np.clip(_way(box, effect.ramp, x, y), 0.0, 1.0)
    return np.rint(share * LEVELS).astype(np.int64) * _FINER


def _densities(effect: Effect) -> tuple[int, int]:
    """The shares that are covered where a tone begins and where it ends, in millionths."""
    return effect.density, effect.density if effect.density_to is None else effect.density_to


def _way(box: Rect, angle: int, x: Number, y: Number) -> Number:
    """How far points lie along a direction over a box: 0 where it begins, 1 where it ends."""
    (sx, sy), (ex, ey) = ends(box, angle)
    return ((x - sx) * (ex - sx) + (y - sy) * (ey - sy)) / ((ex - sx) ** 2 + (ey - sy) ** 2)


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


@lru_cache(maxsize=1)
def _dot_radii() -> Floats:
    steps = LEVELS * _FINER
    radii = np.array([dot_radius(step / steps) for step in range(steps + 1)])
    radii[-1] = 0.75  # solid: no speck of paper where four dots meet
    return radii


def _dots(effect: Effect, box: Rect, window: Edges) -> Iterator[_Spots]:
    """Dots of a square grid, turned about the page's origin, that reach into a window; row by row, some at a time."""
    pitch = effect.pitch
    turn = math.radians(effect.angle % 90_000 / 1_000)  # a quarter turn leaves the grid as it was
    for x, y in _lattice(window, pitch, turn):
        levels = _levels(effect, box, x, y)
        there = levels > 0
        yield _Spots(x[there], y[there], levels[there])


def _lattice(window: Edges, pitch: int, turn: float) -> Iterator[tuple[Floats, Floats]]:
    cos, sin = math.cos(turn), math.sin(turn)
    left, top, right, bottom = (
        window[0] / pitch - 1,
        window[1] / pitch - 1,
        window[2] / pitch + 1,
        window[3] / pitch + 1,
    )
    rows = [y * cos - x * sin for x in (left, right) for y in (top, bottom)]
    row, last = math.floor(min(rows)), math.ceil(max(rows))
    longest = math.hypot(right - left, bottom - top)
    many = max(1, int(MOST_AT_ONCE / longest))
    while row <= last:
        v = np.arange(row, min(last, row + many - 1) + 1, dtype=np.float64)
        low, high = (left + v * sin) / cos, (right + v * sin) / cos
        if sin > 1e-9:
            low, high = np.maximum(low, (top - v * cos) / sin), np.minimum(high, (bottom - v * cos) / sin)
        first = np.ceil(low)
        count = np.maximum(0, np.floor(high) - first + 1).astype(np.int64)
        vs = np.repeat(v, count)
        us = np.repeat(first - (np.cumsum(count) - count), count) + np.arange(len(vs))
        yield (us * cos - vs * sin) * pitch, (us * sin + vs * cos) * pitch
        row += many


def _grains(effect: Effect, box: Rect, window: Edges) -> Iterator[_Spots]:
    for x, y, size in grains(window, effect.pitch, effect.seed, MOST_AT_ONCE):
        levels = _levels(effect, box, x, y)
        there = levels > 0
        yield _Spots(x[there], y[there], levels[there] * len(SIZES) + size[there])


def _lines(effect: Effect, box: Rect, window: Edges) -> Iterator[Any]:
    """Parallel lines, one of them through the page's origin; in a graded tone they swell along the ramp.

    Only those that touch a window, but each over the whole of the box: half a line has not quite the same edge.
    """
    turn = math.radians(effect.angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    left, top, right, bottom = window
    aside = [y * cos - x * sin for x in (left, right) for y in (top, bottom)]
    pitch = effect.pitch
    first, last = (density / MILLION for density in _densities(effect))

    def half(x: float, y: float) -> float:
        return pitch * min(1.0, max(0.0, first + (last - first) * _way(box, effect.ramp, x, y))) / 2

    for number in range(math.floor(min(aside) / pitch) - 1, math.ceil(max(aside) / pitch) + 2):
        off = number * pitch
        reach = _inside(box, pitch, (-sin * off, cos * off), (cos, sin))
        if reach is None:
            continue
        (ax, ay), (bx, by) = ((cos * at - sin * off, sin * at + cos * off) for at in reach)
        one, two = half(ax, ay), half(bx, by)
        if one or two:
            yield skia.Path.Polygon(
                [
                    skia.Point(ax - sin * one, ay + cos * one),
                    skia.Point(bx - sin * two, by + cos * two),
                    skia.Point(bx + sin * two, by - cos * two),
                    skia.Point(ax + sin * one, ay - cos * one),
                ],
                isClosed=True,
            )


def _inside(box: Rect, spare: int, point: tuple[float, float], way: tuple[float, float]) -> tuple[float, float] | None:
    """From where to where a line runs inside a box with ``spare`` round it; None when it passes by."""
    first, last = -math.inf, math.inf
    for at, step, low, high in (
        (point[0], way[0], box.x - spare, box.right + spare),
        (point[1], way[1], box.y - spare, box.bottom + spare),
    ):
        if abs(step) > 1e-9:
            one, two = sorted(((low - at) / step, (high - at) / step))
            first, last = max(first, one), min(last, two)
        elif not low <= at <= high:
            return None
    return (first, last) if first < last else None
