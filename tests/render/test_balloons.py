from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
import skia
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.balloons.body import Form, polygon, room
from lantern_kit.comic.balloons.tails import tail_sides
from lantern_kit.comic.model import Balloon, BalloonShape, Rect, Stroke, Tail
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.balloon import balloon_path
from tests.render.pages import CHAPTER, Maker, near, page, pictures, rect

SHAPES = st.sampled_from(BalloonShape)


def contours(path: skia.Path) -> int:
    return sum(verb == skia.Path.kMove_Verb for verb, _ in path)


def one(shape: BalloonShape, *tails: Tail, box: Rect | None = None) -> Balloon:
    return Balloon(id="bl_0001", parent="un_page1", box=box or rect(30, 30, 40, 24), text="", shape=shape, tails=tails)


tails = st.builds(
    Tail,
    tip=st.tuples(st.integers(-40_000, 140_000), st.integers(-40_000, 140_000)),
    width=st.integers(500, 12_000),
    bend=st.integers(-400_000, 400_000),
)


@given(SHAPES, tails, st.integers(8_000, 60_000), st.integers(6_000, 60_000))
def test_a_tail_and_its_balloon_are_one_outline(shape: BalloonShape, tail: Tail, width: int, height: int) -> None:
    balloon = one(shape, tail, box=Rect(x=20_000, y=20_000, w=width, h=height))
    outline = balloon_path(balloon)
    assert contours(outline) == 1
    x, y = tail.tip
    if not polygon(Form(shape, balloon.box)).buffer(5).contains(shapely.Point(x, y)):
        edge = outline.computeTightBounds()
        assert edge.left() - 5 <= x <= edge.right() + 5
        assert edge.top() - 5 <= y <= edge.bottom() + 5


@given(SHAPES, st.lists(tails, min_size=2, max_size=5))
def test_many_tails_join_without_a_hole_at_the_middle(shape: BalloonShape, several: list[Tail]) -> None:
    outline = balloon_path(one(shape, *several))
    assert outline.contains(50_000, 42_000)


def test_no_line_is_drawn_where_a_tail_leaves_its_balloon() -> None:
    for shape in BalloonShape:
        make = Maker()
        balloon = make.balloon(
            20, 20, 60, 40, "", shape=shape, tails=(Tail(tip=(50_000, 100_000), width=8_000),), stroke=Stroke(width=600)
        )
        drawn = render_unit(page(balloon, background="#808080"), CHAPTER, pictures, scale=8)
        column = near(drawn.pixels[(40 * 8) : (80 * 8), (50 * 8)], (255, 255, 255))
        assert column.all(), f"a seam in a {shape} balloon"


def test_the_outline_is_inked_all_round_with_its_own_width() -> None:
    make = Maker()
    balloon = make.balloon(20, 20, 60, 40, "", tip=(50, 100), stroke=Stroke(width=1_000))
    drawn = render_unit(page(balloon, background="#3399ff"), CHAPTER, pictures, scale=8)
    row = drawn.pixels[40 * 8, :, 2]
    black = np.nonzero(row < 20)[0]
    assert 7 <= (black < 400).sum() <= 9
    assert 7 <= (black >= 400).sum() <= 9
    white, paper = near(drawn.pixels, (255, 255, 255)), near(drawn.pixels, (0x33, 0x99, 0xFF))
    touching = white[:, :-1] & paper[:, 1:] | paper[:, :-1] & white[:, 1:]
    assert not touching.any(), "white meets the paper without ink between them"


def test_a_tail_bends_clockwise_from_root_to_tip_when_it_is_positive() -> None:
    def swing(bend: int) -> float:
        sides = tail_sides(Form(BalloonShape.ELLIPSE, rect(30, 30, 40, 24)), Tail(tip=(50_000, 100_000), bend=bend))
        assert sides is not None
        return (sides[2][0] + sides[4][0]) / 2 - 50_000

    assert abs(swing(0)) < 1
    assert swing(200_000) < -5_000  # downwards, clockwise is to the left
    assert swing(-200_000) > 5_000


def test_a_tail_that_points_into_its_balloon_is_not_drawn() -> None:
    plain, pointed = one(BalloonShape.ELLIPSE), one(BalloonShape.ELLIPSE, Tail(tip=(52_000, 40_000)))
    assert balloon_path(plain).getBounds() == balloon_path(pointed).getBounds()


@given(SHAPES, st.integers(8_000, 80_000), st.integers(8_000, 80_000), st.integers(0, 3_000), st.floats(0, 1))
def test_the_room_for_words_keeps_its_distance_from_the_outline(
    shape: BalloonShape, width: int, height: int, padding: int, share: float
) -> None:
    box = Rect(x=-width // 2, y=-height // 2, w=width, h=height)
    free = room(Form(shape, box), padding)
    y = free.top + share * free.height
    span = free.span(y, y)
    if span is None:
        return
    x, middle = box.x + box.w / 2, box.y + box.h / 2
    outline = balloon_path(one(shape, box=box))
    for angle in range(0, 360, 15):
        reach = padding * 0.985
        for side in span:
            px, py = side + math.cos(math.radians(angle)) * reach, y + math.sin(math.radians(angle)) * reach
            assert outline.contains(x + px * 0.998, middle + py * 0.998)


def test_an_ellipse_is_a_little_fuller_than_a_plain_one() -> None:
    width, height = 40_000, 20_000
    corner = 1 / math.sqrt(2)
    span = room(Form(BalloonShape.ELLIPSE, Rect(x=0, y=0, w=width, h=height)), 0).span(0, height / 2 * corner)
    assert span is not None
    half = span[1]
    assert width / 2 * corner * 1.02 < half < width / 2 * corner * 1.15


def test_a_caption_is_a_box_with_its_own_fill() -> None:
    make = Maker()
    drawn = render_unit(
        page(make.narration(10, 10, 40, 20, "", fill="#fff8dc", stroke=Stroke(width=0))), CHAPTER, pictures, scale=4
    )
    cream = near(drawn.pixels, (0xFF, 0xF8, 0xDC), by=0)
    ys, xs = np.nonzero(cream)
    assert (xs.min(), xs.max(), ys.min(), ys.max()) == (40, 199, 40, 119)


def test_a_tail_is_as_wide_as_it_says_where_it_leaves_the_balloon() -> None:
    make = Maker()
    for reach in (70, 90, 130):
        tail = Tail(tip=(50_000, reach * 1_000), width=5_000)
        balloon = make.balloon(20, 20, 60, 40, "", shape=BalloonShape.BOX, tails=(tail,), stroke=Stroke(width=0))
        drawn = render_unit(page(balloon, background="#3399ff"), CHAPTER, pictures, scale=10)
        assert near(drawn.pixels[602], (255, 255, 255)).sum() == pytest.approx(50, abs=3)
