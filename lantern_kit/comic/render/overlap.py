"""Where outlines overlap: plain geometry on straight edges, in whatever unit they are given."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lantern_kit.comic.geometry import Dot, Edges


def overlap(outline: Sequence[Dot], convex: Sequence[Dot]) -> list[Dot]:
    """The part of an outline that lies inside a convex one, after Sutherland and Hodgman; empty when there is none.

    Where the outline is hollow and falls into several parts, they stay joined along the edges of the convex one.
    """
    left = list(outline)
    clockwise = _doubled_area(convex) > 0
    start = convex[-1]
    for end in convex:
        if not left:
            break
        left = _before(left, *((start, end) if clockwise else (end, start)))
        start = end
    return left if len(left) > 2 else []


def corners(edges: Edges) -> list[Dot]:
    """An upright rectangle's corners, clockwise on the page."""
    left, top, right, bottom = edges
    return [(left, top), (right, top), (right, bottom), (left, bottom)]


def around(outline: Sequence[Dot]) -> Edges:
    """The upright rectangle round an outline."""
    xs, ys = [x for x, _ in outline], [y for _, y in outline]
    return min(xs), min(ys), max(xs), max(ys)


def thinned(outline: Sequence[Dot], most: int, *, within: float) -> list[Dot]:
    """The outline with fewer corners: those that stray by less than ``within``, and more until ``most`` are left."""
    points = list(outline)
    while True:
        kept = _simplified(points, within)
        if len(kept) <= most:
            return kept
        within *= 1.5


def _doubled_area(points: Sequence[Dot]) -> float:
    total = 0.0
    x, y = points[-1]
    for next_x, next_y in points:
        total += x * next_y - next_x * y
        x, y = next_x, next_y
    return total


def _before(points: list[Dot], start: Dot, end: Dot) -> list[Dot]:
    """The part of an outline on the inner side of one edge."""
    (ax, ay), (bx, by) = start, end
    dx, dy = bx - ax, by - ay
    found: list[Dot] = []
    px, py = points[-1]
    was = dx * (py - ay) - dy * (px - ax)
    for x, y in points:
        side = dx * (y - ay) - dy * (x - ax)
        if (side >= 0) != (was >= 0):
            share = was / (was - side)
            found.append((px + (x - px) * share, py + (y - py) * share))
        if side >= 0:
            found.append((x, y))
        px, py, was = x, y, side
    return found


def _simplified(points: list[Dot], within: float) -> list[Dot]:
    """After Douglas and Peucker, on the two halves between the first corner and the one furthest from it."""
    if len(points) <= 4:
        return points
    x, y = points[0]
    far = max(range(len(points)), key=lambda place: (points[place][0] - x) ** 2 + (points[place][1] - y) ** 2)
    kept = [*_line(points[: far + 1], within)[:-1], *_line([*points[far:], points[0]], within)[:-1]]
    return kept if len(kept) > 2 else [points[0], points[len(points) // 3], points[2 * len(points) // 3]]


def _line(points: list[Dot], within: float) -> list[Dot]:
    kept = [False] * len(points)
    kept[0] = kept[-1] = True
    spans = [(0, len(points) - 1)]
    while spans:
        first, last = spans.pop()
        (ax, ay), (bx, by) = points[first], points[last]
        dx, dy = bx - ax, by - ay
        length = math.hypot(dx, dy)
        worst, place = within, 0
        for at in range(first + 1, last):
            x, y = points[at]
            off = abs(dx * (y - ay) - dy * (x - ax)) / length if length else math.hypot(x - ax, y - ay)
            if off > worst:
                worst, place = off, at
        if place:
            kept[place] = True
            spans += [(first, place), (place, last)]
    return [point for point, keep in zip(points, kept, strict=True) if keep]
