from __future__ import annotations

import math

import pytest
import shapely
from hypothesis import assume, example, given
from hypothesis import strategies as st

from lantern_kit.comic.geometry import (
    area,
    bleed_rect,
    bounds,
    contains,
    crossing,
    cubics,
    distance,
    gap,
    gutter,
    is_simple,
    moved,
    outline,
    outline_points,
    polygon_of,
    rect_of,
    safe_areas,
    surface_of,
    trim,
)
from lantern_kit.comic.knife import cut
from lantern_kit.comic.model import Curve, Direction, Edge, Frame, Paper, Polygon, Rect, Surface, Unit, UnitKind
from lantern_kit.kernel.errors import BadInput

COORDINATE = st.integers(-50_000, 150_000)
POINT = st.tuples(COORDINATE, COORDINATE)
SMALL = st.tuples(st.integers(0, 6), st.integers(0, 6))
PAPER = Paper(width=105_000, height=148_000)
CIRCLE = Curve(  # radius 10 mm about (50, 50) mm, the usual four arcs
    start=(60_000, 50_000),
    segments=(
        ((60_000, 55_523), (55_523, 60_000), (50_000, 60_000)),
        ((44_477, 60_000), (40_000, 55_523), (40_000, 50_000)),
        ((40_000, 44_477), (44_477, 40_000), (50_000, 40_000)),
        ((55_523, 40_000), (60_000, 44_477), (60_000, 50_000)),
    ),
)


def page(kind: UnitKind = UnitKind.PAGE, space: int = 0) -> Unit:
    surfaces = [Surface(id="sf_0001", x=0, width=105_000, height=148_000)]
    if kind is UnitKind.SPREAD:
        surfaces.append(Surface(id="sf_0002", x=105_000 + space, width=105_000, height=148_000))
    return Unit(kind=kind, id="un_0001", gutter=space, surfaces=tuple(surfaces))


def rectangle(x: int, y: int, w: int, h: int) -> Polygon:
    return polygon_of(Rect(x=x, y=y, w=w, h=h))


@given(st.lists(st.one_of(SMALL, POINT), min_size=3, max_size=9, unique=True))
@example([(0, 0), (4, 0), (4, 4), (2, 0)])  # touches itself in a corner
@example([(0, 0), (4, 0), (2, 0), (2, 3)])  # folds back
def test_crossing_agrees_with_geos(points: list[tuple[int, int]]) -> None:
    ring = shapely.LinearRing(points)
    assert (crossing(points) is None) == (ring.is_simple and shapely.Polygon(points).is_valid)


@given(st.lists(POINT, min_size=3, max_size=8, unique=True), POINT)
def test_area_containment_and_distance_agree_with_geos(points: list[tuple[int, int]], at: tuple[int, int]) -> None:
    shape = Polygon(points=tuple(points))
    assume(is_simple(shape))
    other = shapely.Polygon(points)
    assert area(shape) == math.floor(other.area)
    assert contains(shape, at) == other.covers(shapely.Point(at))
    assert abs(distance(shape, at) - other.distance(shapely.Point(at))) <= 1
    left, top, right, bottom = other.bounds
    assert bounds(shape) == Rect(x=int(left), y=int(top), w=int(right - left), h=int(bottom - top))


def test_a_point_on_an_edge_or_corner_is_inside() -> None:
    shape = rectangle(0, 0, 10, 10)
    assert contains(shape, (0, 0))
    assert contains(shape, (5, 10))
    assert not contains(shape, (11, 5))


def test_a_circle_of_curves_has_a_circles_bounds_area_and_distance() -> None:
    assert bounds(CIRCLE) == Rect(x=40_000, y=40_000, w=20_000, h=20_000)
    assert area(CIRCLE) == pytest.approx(math.pi * 10_000**2, rel=1e-3)
    assert distance(CIRCLE, (70_000, 50_000)) == 10_000
    assert distance(CIRCLE, (50_000, 50_000)) == 0
    assert is_simple(CIRCLE)


@given(st.tuples(POINT, POINT, POINT, POINT))
def test_flattened_curves_stay_near_the_curve(points: tuple[tuple[int, int], ...]) -> None:
    start, first, second, end = points
    assume(start != end)
    curve = Curve(start=start, segments=((first, second, end), (end, start, start)))
    line = shapely.LineString([*outline_points(curve), outline_points(curve)[0]])
    segment = next(iter(cubics(curve)))
    for i in range(21):
        t = i / 20
        weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
        at = [sum(w * p[axis] for w, p in zip(weights, segment, strict=True)) for axis in (0, 1)]
        assert line.distance(shapely.Point(at)) <= 11.5
    box = bounds(curve) if len({x for x, _ in points}) > 1 and len({y for _, y in points}) > 1 else None
    if box is not None:
        assert box.x <= min(x for x, _ in outline_points(curve))
        assert box.bottom >= max(y for _, y in outline_points(curve))


def test_an_open_curve_is_closed_by_a_straight_line() -> None:
    half = Curve(start=CIRCLE.start, segments=CIRCLE.segments[:2])
    assert area(half) == pytest.approx(math.pi * 10_000**2 / 2, rel=1e-3)
    assert is_simple(half)


def test_a_figure_of_eight_and_a_flat_line_are_not_simple() -> None:
    assert not is_simple(Polygon(points=((0, 0), (10, 10), (10, 0), (0, 10))))
    assert not is_simple(Polygon(points=((0, 0), (10, 10), (20, 20))))
    loop = Curve(start=(0, 0), segments=(((60, 60), (-30, 60), (30, 0)), ((30, -10), (0, -10), (0, 0))))
    assert not is_simple(moved(Curve(start=loop.start, segments=loop.segments), 100, 100))
    with pytest.raises(BadInput):
        bounds(Polygon(points=((0, 0), (10, 0), (20, 0))))


def test_only_an_upright_rectangle_is_a_rectangle() -> None:
    box = Rect(x=1, y=2, w=3, h=4)
    assert rect_of(polygon_of(box)) == box
    assert rect_of(Polygon(points=((0, 0), (0, 5), (5, 5), (5, 0)))) == Rect(x=0, y=0, w=5, h=5)
    assert rect_of(Polygon(points=((0, 0), (5, 1), (5, 5), (0, 5)))) is None
    assert rect_of(Polygon(points=((0, 0), (5, 5), (5, 0), (0, 5)))) is None
    assert rect_of(CIRCLE) is None


def test_the_gap_of_shapes_is_their_least_distance() -> None:
    left = rectangle(0, 0, 10_000, 10_000)
    assert gap(left, rectangle(14_000, 20_000, 5_000, 5_000)) == math.isqrt(4_000**2 + 10_000**2)
    assert gap(left, rectangle(10_000, 0, 5_000, 5_000)) == 0
    assert gap(left, rectangle(-5_000, 4_000, 50_000, 1_000)) == 0
    assert gap(rectangle(2_000, 2_000, 10, 10), left) == 0
    assert gap(left, CIRCLE) == gap(CIRCLE, left)


def test_an_upright_cut_leaves_the_gutter_exactly() -> None:
    whole = rectangle(10_000, 10_000, 162_000, 110_000)
    line = ((91_000, 10_000), (91_000, 120_000))
    left, right = cut(whole, line, 4_000, Direction.LTR)
    assert rect_of(left) == Rect(x=10_000, y=10_000, w=79_000, h=110_000)
    assert rect_of(right) == Rect(x=93_000, y=10_000, w=79_000, h=110_000)
    assert gap(left, right) == 4_000
    assert cut(whole, line, 4_000, Direction.RTL) == (right, left)
    assert cut(whole, line[::-1], 4_000, Direction.LTR) == (left, right)
    top, bottom = cut(whole, ((0, 50_000), (9, 50_000)), 3_001, Direction.RTL)
    assert (rect_of(top), rect_of(bottom)) == (
        Rect(x=10_000, y=10_000, w=162_000, h=38_500),
        Rect(x=10_000, y=51_501, w=162_000, h=68_499),
    )


@given(POINT, POINT, st.integers(0, 8_000), st.sampled_from(list(Direction)), st.booleans())
def test_parts_of_a_cut_lie_inside_apart_and_make_up_the_whole(
    a: tuple[int, int], b: tuple[int, int], space: int, direction: Direction, curved: bool
) -> None:
    whole = (
        CIRCLE if curved else Polygon(points=((5_000, 5_000), (95_000, 20_000), (80_000, 130_000), (10_000, 90_000)))
    )
    try:
        first, second = cut(whole, (a, b), space, direction)
    except BadInput:
        return
    assert type(first) is type(second) is type(whole)
    assert is_simple(first)
    assert is_simple(second)
    # A curve's pieces are rounded to whole micrometres, and its flattened outline strays a little.
    slack = 25 if curved else 2
    assert gap(first, second) >= space - slack
    outer = shapely.Polygon(outline_points(whole)).buffer(slack)
    assert all(outer.covers(shapely.Point(at)) for part in (first, second) for at in outline_points(part))
    length = shapely.Polygon(outline_points(whole)).length
    assert area(first) + area(second) <= area(whole) + slack * length
    if space == 0:
        assert area(first) + area(second) >= area(whole) - slack * length


@given(POINT, POINT, st.sampled_from(list(Direction)))
def test_parts_come_in_reading_order(a: tuple[int, int], b: tuple[int, int], direction: Direction) -> None:
    try:
        first, second = cut(rectangle(0, 0, 100_000, 100_000), (a, b), 2_000, direction)
    except BadInput:
        return
    one, two = bounds(first).centre, bounds(second).centre
    if abs(b[1] - a[1]) > abs(b[0] - a[0]):
        assert (one[0] > two[0]) == (direction is Direction.RTL)
    else:
        assert one[1] <= two[1]


def test_cuts_that_make_no_two_parts_are_refused() -> None:
    whole = rectangle(0, 0, 50_000, 50_000)
    left, right = ((0, 0), (10_000, 0), (10_000, 40_000)), ((40_000, 40_000), (40_000, 0), (50_000, 0))
    u_shape = Polygon(points=(*left, *right, (50_000, 50_000), (0, 50_000)))
    for shape, line, space in (
        (whole, ((60_000, 0), (60_000, 1)), 0),  # misses
        (whole, ((1_000, 0), (1_000, 1)), 4_000),  # the gutter swallows the left part
        (whole, ((5, 5), (5, 5)), 0),  # no line
        (whole, ((0, 0), (50_000, 0)), 0),  # along an edge
        (u_shape, ((0, 10_000), (1, 10_000)), 1_000),  # three parts
        (CIRCLE, ((0, 61_000), (1, 61_000)), 0),
    ):
        with pytest.raises(BadInput):
            cut(shape, line, space, Direction.LTR)


def test_a_bleeding_frame_is_pushed_out_over_the_edges_it_names() -> None:
    unit = page()
    shape = rectangle(0, -1_000, 105_000, 50_000)
    frame = Frame(id="fr_0001", parent=unit.id, shape=shape, bleed=(Edge.LEFT, Edge.TOP))
    assert rect_of(outline(frame, unit, PAPER)) == Rect(x=-3_000, y=-3_000, w=108_000, h=52_000)
    assert outline(frame.model_copy(update={"bleed": ()}), unit, PAPER) is shape
    inner = Frame(id="fr_0001", parent=unit.id, shape=rectangle(100, 100, 500, 500), bleed=(Edge.LEFT,))
    assert outline(inner, unit, PAPER) == inner.shape
    far = Frame(
        id="fr_0001", parent=unit.id, shape=rectangle(90_000, 140_000, 30_000, 8_000), bleed=(Edge.BOTTOM, Edge.RIGHT)
    )
    assert rect_of(outline(far, unit, PAPER)) == Rect(x=90_000, y=140_000, w=30_000, h=11_000)
    round_frame = Frame(id="fr_0001", parent=unit.id, shape=moved(CIRCLE, -50_000, 0), bleed=(Edge.LEFT,))
    assert bounds(outline(round_frame, unit, PAPER)).x < -3_000 + 1


def test_a_spread_has_a_gutter_and_a_safe_area_on_each_side() -> None:
    spread = page(UnitKind.SPREAD, 6_000)
    assert gutter(spread) == Rect(x=105_000, y=0, w=6_000, h=148_000)
    assert gutter(page()) is None
    assert gutter(page(UnitKind.SPREAD)) is None
    assert trim(spread) == Rect(x=0, y=0, w=216_000, h=148_000)
    assert bleed_rect(page(), PAPER) == Rect(x=-3_000, y=-3_000, w=111_000, h=154_000)
    assert safe_areas(spread, PAPER) == (
        Rect(x=5_000, y=5_000, w=95_000, h=138_000),
        Rect(x=116_000, y=5_000, w=95_000, h=138_000),
    )
    with pytest.raises(BadInput):
        safe_areas(page(), PAPER.model_copy(update={"safe": 60_000}))
    left, right = spread.surfaces
    assert surface_of(spread, (-2_000, 5)) is left
    assert surface_of(spread, (105_000, 5)) is left
    assert surface_of(spread, (108_000, 5)) is None
    assert surface_of(spread, (500_000, 5)) is right
    assert surface_of(page(), (500_000, 5)) is not None
