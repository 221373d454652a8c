"""Cutting a shape in two along a line, leaving a gutter."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import pairwise

from lantern_kit.comic.geometry import Cubic, bernstein, cubics, distinct, is_simple, straight, turning_points
from lantern_kit.comic.model import Curve, Direction, Point, Polygon, Shape
from lantern_kit.kernel.errors import BadInput

_BITS = 20  # of fraction kept in the length of a line that runs neither upright nor level


@dataclass(frozen=True)
class _Side:
    """One side of the line, the half gutter taken off: ``at(point)`` is positive inside, 0 on the new edge."""

    origin: Point
    direction: Point
    sign: int
    threshold: int

    def at(self, point: Point) -> int:
        (x, y), (dx, dy) = self.origin, self.direction
        return self.sign * ((dx * (point[1] - y) - dy * (point[0] - x)) << (_BITS + 1)) - self.threshold


def cut(shape: Shape, line: tuple[Point, Point], gutter: int, direction: Direction) -> tuple[Shape, Shape]:
    """The two parts of the shape on either side of a line, ``gutter`` apart, in reading order.

    Args:
        shape: a polygon stays a polygon, a curve a curve.
        line: two points; the cut runs through both and on past them.
        gutter: width of the strip taken out along the line, half of it on each side.
        direction: parts beside each other are read left to right, or right to left when this is ``rtl``;
            parts above each other from the top.

    Raises:
        BadInput: the points are equal, the line misses the shape, a part would have no area, or there would be more
            than two.
    """
    origin, end = line
    dx, dy = end[0] - origin[0], end[1] - origin[1]
    if dx == 0 and dy == 0:
        raise BadInput("the line has no direction", expected="two different points")
    threshold = gutter * math.isqrt((dx * dx + dy * dy) << (2 * _BITS))
    parts = []
    for sign in (1, -1):
        side = _Side(origin, (dx, dy), sign, threshold)
        parts.append(_polygon(shape, side) if isinstance(shape, Polygon) else _curve(shape, side))
    first, second = parts
    # The first part lies towards the normal (-dy, dx).
    beside = abs(dy) > abs(dx)
    swap = (dy < 0) != (direction is Direction.RTL) if beside else dx > 0
    return (second, first) if swap else (first, second)


def _run(inside: list[bool]) -> list[int]:
    """Places of the one unbroken run of inside pieces on a closed path, in path order."""
    count = len(inside)
    starts = [i for i in range(count) if inside[i] and not inside[i - 1]]
    if not starts:
        raise BadInput(
            "the line does not cross the frame, or runs nearer to its edge than half the gutter",
            expected="a line through the frame",
        )
    if len(starts) > 1:
        raise BadInput("the line would cut the frame into more than two parts", expected="a line that crosses it once")
    places = []
    place = starts[0]
    while inside[place]:
        places.append(place)
        place = (place + 1) % count
    return places


def _checked(shape: Shape) -> Shape:
    if not is_simple(shape):
        raise BadInput(
            "a part of the cut frame would have no proper outline", expected="a line further from the corners"
        )
    return shape


def _polygon(shape: Polygon, side: _Side) -> Shape:
    pieces: list[tuple[Point, Point, bool]] = []
    points = shape.points
    for place, b in enumerate(points):
        a = points[place - 1]
        at_a, at_b = side.at(a), side.at(b)
        if (at_a > 0 and at_b < 0) or (at_a < 0 and at_b > 0):
            middle = (_between(a[0], b[0], at_a, at_b), _between(a[1], b[1], at_a, at_b))
            pieces += [(a, middle, at_a > 0), (middle, b, at_b > 0)]
        else:
            pieces.append((a, b, at_a + at_b > 0))
    run = _run([inside for _, _, inside in pieces])
    corners = distinct([pieces[run[0]][0], *(pieces[place][1] for place in run)])
    if len(corners) < 3:
        raise BadInput("a part of the cut frame would have no area", expected="a line further from the corners")
    return _checked(Polygon(points=corners))


def _between(a: int, b: int, at_a: int, at_b: int) -> int:
    """Where the side's value passes 0 between two coordinates, rounded half up."""
    numerator, denominator = at_a, at_a - at_b
    if denominator < 0:
        numerator, denominator = -numerator, -denominator
    return a + (2 * (b - a) * numerator + denominator) // (2 * denominator)


def _curve(shape: Curve, side: _Side) -> Shape:
    pieces: list[tuple[Cubic, bool]] = []
    for segment in cubics(shape):
        a, b, c, d = (float(side.at(point)) for point in segment)
        places = _crossings(a, b, c, d)
        rest, done = segment, 0.0
        for place in places:
            head, rest = _split(rest, (place - done) / (1 - done))
            pieces.append((head, bernstein(a, b, c, d, (done + place) / 2) > 0))
            done = place
        pieces.append((rest, bernstein(a, b, c, d, (done + 1) / 2) > 0))
    run = _run([inside for _, inside in pieces])
    kept = [pieces[place][0] for place in run]
    start, end = kept[0][0], kept[-1][3]
    if start != end:
        kept.append(straight(end, start))
    return _checked(Curve(start=start, segments=tuple((first, second, last) for _, first, second, last in kept)))


def _crossings(a: float, b: float, c: float, d: float) -> list[float]:
    """Parameters strictly between 0 and 1 where the cubic passes 0, by halving each stretch between turning points."""
    stops = [0.0, *turning_points(a, b, c, d), 1.0]
    found: list[float] = []
    for low, high in pairwise(stops):
        at_low, at_high = bernstein(a, b, c, d, low), bernstein(a, b, c, d, high)
        if at_low == 0 or at_high == 0 or (at_low > 0) == (at_high > 0):
            continue
        for _ in range(60):
            middle = (low + high) / 2
            if (bernstein(a, b, c, d, middle) > 0) == (at_low > 0):
                low = middle
            else:
                high = middle
        if 1e-9 < low < 1 - 1e-9:
            found.append(low)
    return found


def _split(segment: Cubic, t: float) -> tuple[Cubic, Cubic]:
    def mix(p: tuple[float, float], q: tuple[float, float]) -> tuple[float, float]:
        return p[0] + (q[0] - p[0]) * t, p[1] + (q[1] - p[1]) * t

    def whole(p: tuple[float, float]) -> Point:
        return math.floor(p[0] + 0.5), math.floor(p[1] + 0.5)

    a, b, c, d = segment
    ab, bc, cd = mix(a, b), mix(b, c), mix(c, d)
    abc, bcd = mix(ab, bc), mix(bc, cd)
    middle = whole(mix(abc, bcd))
    return (a, whole(ab), whole(abc), middle), (middle, whole(bcd), whole(cd), d)
