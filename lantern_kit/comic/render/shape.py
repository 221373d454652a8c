"""The outlines of balloons, and the room inside them for words. Plain geometry: no drawing library is needed."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lantern_kit.comic.model import BalloonShape, Rect

FULLNESS = 2.25
"""Exponent of the superellipse that an ``ellipse`` balloon is: 2 is a plain ellipse, more is fuller."""
HANDLE = (8 * 2 ** (-1 / FULLNESS) - 4) / 3
"""Length of a Bézier handle over the half axis, so that the curve's middle lies on that superellipse."""
CORNER = 0.42
"""Corner radius of a ``rounded`` balloon over its shorter side."""
CORNER_HANDLE = 0.6

Dot = tuple[float, float]
Segment = tuple[Dot, Dot, Dot]


@dataclass(frozen=True, slots=True)
class Contour:
    """A closed outline of cubic Bézier segments in page micrometres, clockwise."""

    start: Dot
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class Room:
    """Where words may stand in a shape, from its centre; left and right are alike, and so are top and bottom."""

    reach: float
    """Half the height."""
    half: Callable[[float], float]
    """Half the free width at a distance above or below the centre; below zero where there is none."""
    straight: bool
    """The sides are upright, so that lines may be set flush against them."""

    def band(self, top: float, bottom: float) -> float:
        """Half the width that is free over the whole band between two heights (y down, centre 0)."""
        return min(self.half(abs(top)), self.half(abs(bottom)))


def body(shape: BalloonShape, box: Rect) -> Contour:
    """The outline of a balloon without its tails, filling ``box``."""
    x, y, a, b = box.x + box.w / 2, box.y + box.h / 2, box.w / 2, box.h / 2
    if shape is BalloonShape.ELLIPSE:
        return _superellipse(x, y, a, b)
    radius = corner_radius(box.w, box.h) if shape is BalloonShape.ROUNDED else 0.0
    return _rounded(x, y, a, b, radius)


def corner_radius(width: float, height: float) -> float:
    """Corner radius of a ``rounded`` balloon of that size."""
    return CORNER * min(width, height)


def edge_towards(shape: BalloonShape, box: Rect, inside: Dot, target: Dot) -> float:
    """Where the straight line from a point inside to ``target`` leaves the body, as a fraction of its length."""
    low, high = 0.0, 1.0
    if contains(shape, box, target):
        return 1.0
    for _ in range(40):
        middle = (low + high) / 2
        point = (inside[0] + (target[0] - inside[0]) * middle, inside[1] + (target[1] - inside[1]) * middle)
        if contains(shape, box, point):
            low = middle
        else:
            high = middle
    return low


def contains(shape: BalloonShape, box: Rect, point: Dot) -> bool:
    """Whether a point lies inside the body."""
    a, b = box.w / 2, box.h / 2
    x, y = abs(point[0] - box.x - a), abs(point[1] - box.y - b)
    if x > a or y > b:
        return False
    return x <= room(shape, box.w, box.h, 0).half(y)


@lru_cache(maxsize=1024)
def room(shape: BalloonShape, width: int, height: int, padding: int) -> Room:
    """The room for words in a body of that size, everywhere at least ``padding`` away from its outline."""
    a, b = width / 2, height / 2
    if shape is BalloonShape.ELLIPSE:
        return _oval_room(a, b, padding)
    radius = corner_radius(width, height) if shape is BalloonShape.ROUNDED else 0.0
    return _rounded_room(a - padding, b - padding, max(radius - padding, 0.0))


def _superellipse(x: float, y: float, a: float, b: float) -> Contour:
    ha, hb = a * HANDLE, b * HANDLE
    return Contour(
        (x + a, y),
        (
            ((x + a, y + hb), (x + ha, y + b), (x, y + b)),
            ((x - ha, y + b), (x - a, y + hb), (x - a, y)),
            ((x - a, y - hb), (x - ha, y - b), (x, y - b)),
            ((x + ha, y - b), (x + a, y - hb), (x + a, y)),
        ),
    )


def _rounded(x: float, y: float, a: float, b: float, r: float) -> Contour:
    """A box; its corners are drawn a little fuller than a circle's, so that they meet the sides softly."""
    k = r * (1 - CORNER_HANDLE)
    left, top, right, bottom = x - a, y - b, x + a, y + b

    def line(start: Dot, end: Dot) -> Segment:
        (sx, sy), (ex, ey) = start, end
        return ((sx * 2 + ex) / 3, (sy * 2 + ey) / 3), ((sx + ex * 2) / 3, (sy + ey * 2) / 3), end

    corners: tuple[tuple[Dot, Segment], ...] = (
        ((right - r, top), ((right - k, top), (right, top + k), (right, top + r))),
        ((right, bottom - r), ((right, bottom - k), (right - k, bottom), (right - r, bottom))),
        ((left + r, bottom), ((left + k, bottom), (left, bottom - k), (left, bottom - r))),
        ((left, top + r), ((left, top + k), (left + k, top), (left + r, top))),
    )
    start = at = (left + r, top)
    segments: list[Segment] = []
    for before, corner in corners:
        if before != at:
            segments.append(line(at, before))
        if r:
            segments.append(corner)
        at = corner[2]
    if at != start:
        segments.append(line(at, start))
    return Contour(start, tuple(segments))


def _rounded_room(a: float, b: float, r: float) -> Room:
    def half(y: float) -> float:
        if y > b or a <= 0:
            return -1.0
        over = y - (b - r)
        return a if over <= 0 else a - r + math.sqrt(max(r * r - over * over, 0.0))

    return Room(b, half, straight=True)


def _oval_room(a: float, b: float, padding: float) -> Room:
    """The inner parallel curve of the superellipse, as a table of half widths."""
    t = np.linspace(0.0, 1.0, 257)
    s = 1 - t
    x = a * (s**3 + 3 * s**2 * t + 3 * s * t**2 * HANDLE)
    y = b * (3 * s**2 * t * HANDLE + 3 * s * t**2 + t**3)
    dx, dy = np.gradient(x), np.gradient(y)
    length = np.hypot(dx, dy)
    x, y = x - padding * dy / length, y + padding * dx / length
    inside = (x >= 0) & (y >= 0)
    reach = b - padding
    if reach <= 0 or a <= padding or not inside.any():
        return Room(reach, lambda _: -1.0, straight=False)
    order = np.argsort(y[inside])
    steps = 256
    grid = np.linspace(0.0, reach, steps + 1)
    widths = np.interp(grid, y[inside][order], x[inside][order], right=0.0)
    # Near the pointed ends the parallel curve folds over itself: only the part nearer to the centre is free.
    table: list[float] = np.minimum.accumulate(np.minimum(widths, a - padding)).tolist()
    scale = steps / reach

    def half(distance: float) -> float:
        place = distance * scale
        index = int(place)
        if index >= steps:
            return 0.0 if distance <= reach else -1.0
        return table[index] + (table[index + 1] - table[index]) * (place - index)

    return Room(reach, half, straight=False)
