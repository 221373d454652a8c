"""Bodies, tails and necks as plain geometry."""

from __future__ import annotations

import hashlib
import math
from itertools import pairwise

import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.balloons.body import Form, body, form_of, polygon, ragged, room
from lantern_kit.comic.balloons.contour import Contour, edges, flattened
from lantern_kit.comic.balloons.groups import Group, groups
from lantern_kit.comic.balloons.outline import balloon_outline, group_outline, neck, outline
from lantern_kit.comic.balloons.rim import rim
from lantern_kit.comic.balloons.tails import bubbles, pointed, spikes_taken
from lantern_kit.comic.model import Balloon, BalloonShape, Curve, Polygon, Rect, Tail, TailStyle
from tests.render.pages import rect

BODIES = [shape for shape in BalloonShape if shape is not BalloonShape.NONE]
RAGGED = [BalloonShape.CLOUD, BalloonShape.THOUGHT, BalloonShape.BURST]
POINTED, BUBBLES = TailStyle.POINTED, TailStyle.BUBBLES
PINNED = {
    BalloonShape.CLOUD: "41c435536a7e4df8",
    BalloonShape.THOUGHT: "26b3d2bd1fef5b3f",
    BalloonShape.BURST: "bd2e529f07376ff6",
}
sizes = st.integers(6_000, 90_000)
seeds = st.integers(0, 10_000)


def form(shape: BalloonShape, box: Rect | None = None, seed: int = 1) -> Form:
    return Form(shape, box or rect(30, 30, 40, 24), None, seed)


def ring(contour: Contour) -> shapely.LinearRing:
    return shapely.LinearRing(flattened(contour, 4.0))


def balloon(number: int, box: Rect, shape: BalloonShape = BalloonShape.ELLIPSE, **more: object) -> Balloon:
    values = {"id": f"bl_{number:04d}", "parent": "un_page1", "box": box, "text": "", "shape": shape, **more}
    return Balloon.model_validate(values)


@given(st.sampled_from(BODIES), sizes, sizes, seeds)
def test_a_body_fills_its_box_and_never_crosses_itself(shape: BalloonShape, width: int, height: int, seed: int) -> None:
    box = Rect(x=-7_000, y=3_000, w=width, h=height)
    made = body(form(shape, box, seed))
    assert edges(made) == pytest.approx((box.x, box.y, box.right, box.bottom), abs=0.1)
    whole = ring(made)
    assert whole.is_simple
    assert whole.is_ccw  # where y runs up: clockwise on the page
    assert shapely.Polygon(whole).area > 0.4 * width * height


@pytest.mark.parametrize("shape", RAGGED)
def test_a_seed_always_makes_the_same_outline_and_another_seed_another(shape: BalloonShape) -> None:
    made = body(form(shape, seed=7))
    assert hashlib.sha256(repr(made).encode()).hexdigest()[:16] == PINNED[shape]
    assert body(form(shape, seed=8)) != made
    further = body(form(shape, rect(130, 30, 40, 24), seed=7))
    moved = [(x - 100_000, y) for x, y in flattened(further, 4.0)]
    assert moved == [pytest.approx(dot, abs=0.2) for dot in flattened(made, 4.0)]


@given(st.sampled_from(RAGGED), sizes, sizes, seeds)
def test_words_have_a_smooth_room_inside_of_all_valleys(
    shape: BalloonShape, width: int, height: int, seed: int
) -> None:
    made = form(shape, Rect(x=0, y=0, w=width, h=height), seed)
    free, whole = room(made, 0), ragged(made)
    assert whole is not None
    side = min(width, height)
    taken = rim(shape, round(side * 0.6))
    assert free.height > height - 4.2 * taken
    assert free.width > width - 4.2 * taken
    outside = polygon(made).buffer(6)
    for y in (free.top, free.top / 2, 0.0, free.bottom / 2, free.bottom):
        span = free.span(y, y)
        if span is not None:
            assert all(outside.contains(shapely.Point(width / 2 + x, height / 2 + y)) for x in span)


def test_larger_clouds_have_larger_bulges_and_more_of_them() -> None:
    small, large = (ragged(form(BalloonShape.CLOUD, rect(0, 0, 20 * n, 12 * n))) for n in (1, 4))
    assert small is not None
    assert large is not None
    assert len(small.valleys) < len(large.valleys) < 4 * len(small.valleys)


def test_a_free_outline_is_stretched_to_the_box() -> None:
    triangle = Polygon(points=((0, 0), (10, 0), (5, 20)))
    made = Form(BalloonShape.PATH, rect(10, 10, 30, 20), triangle)
    assert {body(made).start, *(segment[2] for segment in body(made).segments)} == {
        (10_000, 10_000),
        (40_000, 10_000),
        (25_000, 30_000),
    }
    lens = Curve(start=(0, 0), segments=(((0, 40), (90, 40), (90, 0)), ((90, -40), (0, -40), (0, 0))))
    assert edges(body(Form(BalloonShape.PATH, rect(10, 10, 30, 20), lens))) == pytest.approx(
        (10_000, 10_000, 40_000, 30_000)
    )
    crossed = Polygon(points=((0, 0), (10, 10), (10, 0), (0, 10)))
    drawn = outline(Form(BalloonShape.PATH, rect(10, 10, 30, 20), crossed), ())
    assert len(drawn.contours) == 2
    assert all(ring(contour).is_simple for contour in drawn.contours)


tails = st.builds(
    Tail,
    tip=st.tuples(st.integers(-150_000, 250_000), st.integers(-150_000, 250_000)),
    width=st.integers(500, 12_000),
    bend=st.integers(-500_000, 500_000),
    style=st.just(POINTED),
)


@settings(max_examples=150)
@given(st.sampled_from(BODIES), tails, sizes, sizes, seeds)
def test_a_body_with_a_tail_is_one_outline_that_covers_both(
    shape: BalloonShape, tail: Tail, width: int, height: int, seed: int
) -> None:
    made = form(shape, Rect(x=20_000, y=20_000, w=width, h=height), seed)
    (whole,) = outline(made, (tail,)).contours
    drawn = ring(whole)
    covered = shapely.Polygon(drawn).buffer(12)
    assert covered.contains(shapely.Point(tail.tip)) or polygon(made).buffer(700).contains(shapely.Point(tail.tip))
    part = pointed(made, tail)
    if part is not None:
        assert covered.contains(shapely.Polygon(flattened(part, 4.0)).buffer(0))
    taken = spikes_taken(made, tail)
    if taken is None:  # a tail of a burst takes the place of a spike
        assert covered.contains(polygon(made))


@given(st.sampled_from([BalloonShape.BOX, BalloonShape.ROUNDED]), st.integers(0, 359), st.integers(30_000, 200_000))
def test_a_tail_leaves_a_box_from_an_edge_and_leaves_its_corners_alone(
    shape: BalloonShape, angle: int, far: int
) -> None:
    box = rect(30, 30, 40, 24)
    turn = math.radians(angle)
    tail = Tail(tip=(round(50_000 + far * math.cos(turn)), round(42_000 + far * math.sin(turn))))
    made = form(shape, box)
    (drawn,) = outline(made, (tail,)).contours
    sticking_out = shapely.difference(shapely.Polygon(ring(drawn)), polygon(made).buffer(20))
    for corner in ((box.x, box.y), (box.right, box.y), (box.right, box.bottom), (box.x, box.bottom)):
        foot = shapely.intersection(sticking_out, polygon(made).buffer(60))
        assert foot.distance(shapely.Point(corner)) > 500


def test_a_tail_of_a_cloud_leaves_between_two_bulges() -> None:
    made = form(BalloonShape.CLOUD)
    valleys = ragged(made)
    assert valleys is not None
    for tip in ((40_000, 90_000), (110_000, 60_000), (0, 0), (60_000, -20_000)):
        tail = pointed(made, Tail(tip=tip))
        assert tail is not None
        foot = shapely.Polygon(flattened(tail, 4.0)).buffer(100)
        assert any(foot.contains(shapely.Point(valley)) for valley in valleys.valleys)


def test_a_tail_of_a_burst_takes_the_place_of_its_nearest_spike() -> None:
    made = form(BalloonShape.BURST)
    tail = Tail(tip=(50_000, 120_000))
    taken = spikes_taken(made, tail)
    assert taken is not None
    assert taken.amount == 1
    (drawn,) = outline(made, (tail,)).contours
    assert len(drawn.segments) == len(body(made).segments)  # one spike less, one tail more
    wide = spikes_taken(made, tail.model_copy(update={"width": 12_000}))
    assert wide is not None
    assert wide.amount == 3


@given(st.sampled_from(BODIES), st.integers(0, 359), st.integers(16_000, 120_000), st.integers(-400_000, 400_000))
def test_thoughts_lead_to_who_thinks_them_in_ever_smaller_bubbles(
    shape: BalloonShape, angle: int, far: int, bend: int
) -> None:
    turn = math.radians(angle)
    tip = (round(50_000 + (20_000 + far) * math.cos(turn)), round(42_000 + (12_000 + far) * math.sin(turn)))
    made, tail = form(shape), Tail(tip=tip, style=BUBBLES, bend=bend)
    found = bubbles(made, tail)
    assert 2 <= len(found) <= 4
    boxes = [edges(bubble) for bubble in found]
    assert all(one[2] - one[0] > two[2] - two[0] for one, two in pairwise(boxes))
    assert min(math.dist(tip, dot) for dot in flattened(found[-1], 4.0)) < 400
    drawn = outline(made, (tail,))
    assert len(drawn.contours) == 1
    shapes = [polygon(made), *(shapely.Polygon(flattened(bubble, 4.0)) for bubble in drawn.bubbles)]
    assert all(not one.intersects(two) for one, two in pairwise(shapes))


def test_a_thought_has_bubbles_where_its_tail_says_nothing_else() -> None:
    tip = (50_000, 100_000)
    assert outline(form(BalloonShape.THOUGHT), (Tail(tip=tip),)).bubbles
    assert not outline(form(BalloonShape.THOUGHT), (Tail(tip=tip, style=POINTED),)).bubbles
    assert not outline(form(BalloonShape.CLOUD), (Tail(tip=tip),)).bubbles


def test_words_without_a_body_have_a_line_to_who_says_them() -> None:
    drawn = outline(form(BalloonShape.NONE), (Tail(tip=(50_000, 100_000)), Tail(tip=(120_000, 42_000))))
    assert drawn.contours == ()
    assert len(drawn.stems) == 2
    assert edges(drawn.stems[0])[3] == pytest.approx(100_000)
    assert outline(form(BalloonShape.NONE), ()).edges() is None


@given(st.sampled_from(BODIES), st.sampled_from(BODIES), st.integers(0, 359), st.integers(0, 120_000))
def test_joined_balloons_have_one_outline_however_far_apart(
    one: BalloonShape, two: BalloonShape, angle: int, far: int
) -> None:
    turn = math.radians(angle)
    first = balloon(1, rect(0, 0, 40, 24), one)
    x, y = round(far * math.cos(turn)), round(far * math.sin(turn))
    tail = Tail(tip=(x + 10_000, y + 60_000), style=POINTED)
    second = balloon(2, Rect(x=x, y=y, w=30_000, h=20_000), two, joined="bl_0001", tails=(tail,), seed=4)
    (group,) = groups([first, second])
    drawn = group_outline(group)
    round_it = [contour for contour in drawn.contours if shapely.Polygon(ring(contour)).exterior.is_ccw]
    assert len(round_it) == 1
    covered = shapely.Polygon(ring(round_it[0])).buffer(12)
    assert all(covered.contains(polygon(form_of(item))) for item in (first,))
    assert covered.contains(shapely.Point(x + 15_000, y + 10_000))


def test_balloons_that_lie_well_over_one_another_need_no_neck() -> None:
    one, apart, over = (form(BalloonShape.ELLIPSE, rect(x, 0, 40, 24)) for x in (0, 60, 25))
    assert neck(one, apart) is not None
    assert neck(one, over) is None


def test_a_chain_of_joined_balloons_is_one_group_with_its_end_as_root() -> None:
    first, second = balloon(1, rect(0, 0, 20, 12)), balloon(2, rect(30, 0, 20, 12), joined="bl_0001")
    third = balloon(3, rect(60, 0, 20, 12), joined="bl_0002")
    alone = balloon(4, rect(0, 50, 20, 12))
    (group,) = groups([third, alone, first, second])
    assert group == Group(first, (third, first, second))
    assert group.links == ((third, second), (second, first))


def test_what_joins_nothing_is_as_if_it_were_not_there() -> None:
    lost = balloon(1, rect(0, 0, 20, 12), joined="bl_0009")
    itself = balloon(2, rect(30, 0, 20, 12), joined="bl_0002")
    ring_one, ring_two = (
        balloon(3, rect(0, 30, 20, 12), joined="bl_0004"),
        balloon(4, rect(30, 30, 20, 12), joined="bl_0003"),
    )
    bare = balloon(5, rect(60, 0, 20, 12), BalloonShape.NONE)
    to_bare = balloon(6, rect(60, 30, 20, 12), joined="bl_0005")
    assert groups([lost, itself, ring_one, ring_two, bare, to_bare]) == ()
    into_the_ring = balloon(7, rect(60, 60, 20, 12), joined="bl_0003")
    (group,) = groups([lost, ring_one, ring_two, into_the_ring])
    assert group == Group(ring_one, (ring_one, into_the_ring))


def test_where_nothing_is_joined_curves_stay_the_curves_they_are() -> None:
    drawn = balloon_outline(balloon(1, rect(30, 30, 40, 24), tails=(Tail(tip=(50_000, 90_000)),)))
    (whole,) = drawn.contours
    assert len(whole.segments) <= 8
    assert set(body(form(BalloonShape.ELLIPSE)).segments) & set(whole.segments)
