from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from shapely.geometry import LinearRing, MultiPoint, Point, Polygon

from lantern_kit.comic.render.overlap import around, corners, overlap, thinned

at = st.tuples(st.integers(-100, 100), st.integers(-100, 100))


def star(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """A simple outline, hollow in places, through some points in the order of their angle."""
    x, y = (sum(point[axis] for point in points) / len(points) for axis in (0, 1))
    return sorted(set(points), key=lambda point: (math.atan2(point[1] - y, point[0] - x), point))


@given(st.lists(at, min_size=3, max_size=9), st.lists(at, min_size=3, max_size=7), st.booleans())
def test_the_overlap_is_as_large_as_another_librarys(
    points: list[tuple[int, int]], others: list[tuple[int, int]], turned: bool
) -> None:
    outline = star([*points])
    hull = MultiPoint(others).convex_hull
    assume(len(outline) > 2 and Polygon(outline).is_valid and Polygon(outline).area > 1 and hull.geom_type == "Polygon")
    convex = list(hull.exterior.coords)[:-1]
    found = overlap(outline, convex[::-1] if turned else convex)
    expected = Polygon(outline).intersection(hull).area
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(found, [*found[1:], *found[:1]], strict=True))) / 2
    assert area == pytest.approx(expected, abs=1e-6)


def test_outlines_apart_have_no_overlap() -> None:
    assert overlap(corners((0, 0, 10, 10)), corners((20, 0, 30, 10))) == []
    assert around(overlap(corners((0, 0, 10, 10)), corners((4, 5, 30, 40)))) == (4, 5, 10, 10)


@given(st.integers(3, 400), st.integers(4, 64), st.floats(0.01, 3))
def test_a_thinned_outline_has_few_corners_and_stays_near(count: int, most: int, within: float) -> None:
    ring = [(100 * math.cos(2 * math.pi * n / count), 60 * math.sin(2 * math.pi * n / count)) for n in range(count)]
    found = thinned(ring, most, within=within)
    assert 3 <= len(found) <= most
    assert set(found) <= set(ring)
    if most == 64:
        edge = LinearRing(found)
        assert max(edge.distance(Point(point)) for point in ring) <= max(within, 2.0)
