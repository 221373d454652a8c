"""Closed outlines of cubic Bézier segments: made, measured, stretched, and cut into straight pieces."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lantern_kit.comic.geometry import Dot, Edges, bernstein

Segment = tuple[Dot, Dot, Dot]
"""Two control points and the end."""
ROUND = 0.5522847498307936
"""Length of the handles of a quarter of a circle, over its radius."""


@dataclass(frozen=True, slots=True)
class Contour:
    """A closed outline of cubic Bézier segments in page micrometres, clockwise."""

    start: Dot
    segments: tuple[Segment, ...]

    def curves(self) -> Iterator[tuple[Dot, Dot, Dot, Dot]]:
        """The segments, each with the point it begins at."""
        at = self.start
        for first, second, end in self.segments:
            yield at, first, second, end
            at = end


def line(start: Dot, end: Dot) -> Segment:
    """A straight segment."""
    (sx, sy), (ex, ey) = start, end
    return ((sx * 2 + ex) / 3, (sy * 2 + ey) / 3), ((sx + ex * 2) / 3, (sy + ey * 2) / 3), end


def arch(start: Dot, by: Dot, end: Dot) -> Segment:
    """A quadratic curve with one control point, as a cubic."""
    (sx, sy), (bx, by_), (ex, ey) = start, by, end
    return ((sx + 2 * bx) / 3, (sy + 2 * by_) / 3), ((ex + 2 * bx) / 3, (ey + 2 * by_) / 3), end


def oval(x: float, y: float, a: float, b: float, handle: float = ROUND) -> Contour:
    """An ellipse about x, y with half axes a and b; longer handles make it fuller."""
    ha, hb = a * handle, b * handle
    return Contour(
        (x + a, y),
        (
            ((x + a, y + hb), (x + ha, y + b), (x, y + b)),
            ((x - ha, y + b), (x - a, y + hb), (x - a, y)),
            ((x - a, y - hb), (x - ha, y - b), (x, y - b)),
            ((x + ha, y - b), (x + a, y - hb), (x + a, y)),
        ),
    )


def edges(contour: Contour) -> Edges:
    """The upright rectangle round an outline, exactly."""
    reaches: tuple[list[float], list[float]] = ([], [])
    for curve in contour.curves():
        for axis, found in enumerate(reaches):
            a, b, c, d = (dot[axis] for dot in curve)
            found += [a, d]
            if not (min(a, d) <= min(b, c) and max(b, c) <= max(a, d)):
                found += [bernstein(a, b, c, d, t) for t in _turns(a, b, c, d)]
    return min(reaches[0]), min(reaches[1]), max(reaches[0]), max(reaches[1])


def _turns(a: float, b: float, c: float, d: float) -> list[float]:
    """Parameters where a cubic turns round, also where it is nearly a quadratic curve."""
    p, q, r = d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a
    under = q * q - 4 * p * r
    if under < 0:
        return []
    half = -(q + math.copysign(math.sqrt(under), q)) / 2
    return [t for over, by in ((half, p), (r, half)) if by and 0 < (t := over / by) < 1]


class Stretch:
    """A map that takes one upright rectangle to another; what has no width or height lands in the middle."""

    def __init__(self, source: Edges, target: Edges) -> None:
        self._x = _axis(source[0], source[2], target[0], target[2])
        self._y = _axis(source[1], source[3], target[1], target[3])

    def dot(self, at: Dot) -> Dot:
        """Where a point goes."""
        return at[0] * self._x[0] + self._x[1], at[1] * self._y[0] + self._y[1]

    def contour(self, made: Contour) -> Contour:
        """Where an outline goes."""
        segments = tuple((self.dot(first), self.dot(second), self.dot(end)) for first, second, end in made.segments)
        return Contour(self.dot(made.start), segments)


def _axis(low: float, high: float, to: float, end: float) -> tuple[float, float]:
    factor = (end - to) / (high - low) if high > low else 0.0
    return factor, (to + end) / 2 - factor * (low + high) / 2


def pieces(curve: Sequence[Dot], tolerance: float) -> int:
    """Straight pieces that stray from a curve by no more than ``tolerance``."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    bulge = max(math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy), math.hypot(bx - 2 * cx + dx, by - 2 * cy + dy))
    return max(1, math.ceil(math.sqrt(0.75 * bulge / tolerance) - 1e-6))


def sliced(curve: Sequence[Dot], count: int) -> list[Dot]:
    """The points at which so many pieces of a curve begin."""
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = curve
    found = [(ax, ay)]
    for number in range(1, count):
        t = number / count
        s = 1 - t
        one, two, three, four = s * s * s, 3 * s * s * t, 3 * s * t * t, t * t * t
        found.append((one * ax + two * bx + three * cx + four * dx, one * ay + two * by + three * cy + four * dy))
    return found


def flattened(contour: Contour, tolerance: float) -> list[Dot]:
    """The corners of an outline, each begun segment's start first, with its curves in straight pieces."""
    found: list[Dot] = []
    for curve in contour.curves():
        found += sliced(curve, pieces(curve, tolerance))
    return found


def stretch_of(curve: Sequence[Dot], begin: float, end: float) -> tuple[Dot, Dot, Dot, Dot]:
    """The part of a curve between two parameters, backwards when the second is less."""

    def polar(r: float, s: float, t: float) -> Dot:
        """The curve's blossom, after de Casteljau."""
        row = list(curve)
        for u in (r, s, t):
            row = [(px * (1 - u) + qx * u, py * (1 - u) + qy * u) for (px, py), (qx, qy) in itertools.pairwise(row)]
        return row[0]

    return polar(begin, begin, begin), polar(begin, begin, end), polar(begin, end, end), polar(end, end, end)


def even(at: Dot) -> Dot:
    """A point rounded to sixteenths of a micrometre, so that a last bit of arithmetic never shows."""
    return round(at[0] * 16) / 16, round(at[1] * 16) / 16
