from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
import shapely
import skia
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageDraw

from lantern_kit.comic.balloons.body import Form, body, form_of, polygon, room
from lantern_kit.comic.balloons.contour import flattened
from lantern_kit.comic.balloons.groups import groups
from lantern_kit.comic.balloons.outline import Outline, balloon_outline, group_outline
from lantern_kit.comic.balloons.solid import solid
from lantern_kit.comic.balloons.tails import spine
from lantern_kit.comic.model import Balloon, BalloonShape, Curve, Rect, Stroke, Tail, TailStyle
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.balloon import broken, outline_path
from lantern_kit.comic.render.ink import contour_path
from tests.render.pages import CHAPTER, Maker, near, page, pictures, rect

SHAPES = st.sampled_from(BalloonShape)
BODIES = st.sampled_from([shape for shape in BalloonShape if shape is not BalloonShape.NONE])
POINTED = TailStyle.POINTED
BLOB = Curve(
    start=(0, 50),
    segments=(
        ((0, 10), (30, 0), (50, 15)),
        ((75, -5), (110, 20), (95, 50)),
        ((110, 90), (70, 110), (45, 88)),
        ((20, 100), (0, 90), (0, 50)),
    ),
)


def contours(path: skia.Path) -> int:
    return sum(verb == skia.Path.kMove_Verb for verb, _ in path)


def one(shape: BalloonShape, *tails: Tail, box: Rect | None = None, seed: int = 1) -> Balloon:
    free = BLOB if shape is BalloonShape.PATH else None
    box = box or rect(30, 30, 40, 24)
    return Balloon(id="bl_0001", parent="un_page1", box=box, text="", shape=shape, tails=tails, seed=seed, outline=free)


tails = st.builds(
    Tail,
    tip=st.tuples(st.integers(-40_000, 140_000), st.integers(-40_000, 140_000)),
    width=st.integers(500, 12_000),
    bend=st.integers(-400_000, 400_000),
    style=st.just(POINTED),
)


@given(BODIES, tails, st.integers(8_000, 60_000), st.integers(6_000, 60_000), st.integers(0, 99))
def test_a_tail_and_its_balloon_are_one_outline(
    shape: BalloonShape, tail: Tail, width: int, height: int, seed: int
) -> None:
    balloon = one(shape, tail, box=Rect(x=20_000, y=20_000, w=width, h=height), seed=seed)
    outline = outline_path(balloon_outline(balloon))
    assert contours(outline) == 1
    x, y = tail.tip
    if not polygon(form_of(balloon)).buffer(700).contains(shapely.Point(x, y)):
        edge = outline.computeTightBounds()
        assert edge.left() - 5 <= x <= edge.right() + 5
        assert edge.top() - 5 <= y <= edge.bottom() + 5


@given(BODIES, st.lists(tails, min_size=2, max_size=5))
def test_many_tails_join_without_a_hole_at_the_middle(shape: BalloonShape, several: list[Tail]) -> None:
    outline = outline_path(balloon_outline(one(shape, *several)))
    assert outline.contains(50_000, 42_000)


def covered_by(balloon: Balloon) -> shapely.Geometry:
    """What a body with its tails covers; words without a body cover their box."""
    outlines = balloon_outline(balloon).contours or (body(form_of(balloon)),)
    return shapely.unary_union([solid(flattened(outline, 4.0)) for outline in outlines])


def inside(covered: shapely.Geometry, width: int, height: int, scale: float) -> NDArray[np.bool_]:
    """The pixels that lie in an area."""
    drawn = Pillow.new("1", (width, height))
    for part in shapely.get_parts(covered):
        points = [(x / 1_000 * scale - 0.5, y / 1_000 * scale - 0.5) for x, y in part.exterior.coords]
        ImageDraw.Draw(drawn).polygon(points, fill=1)
        for hole in part.interiors:
            points = [(x / 1_000 * scale - 0.5, y / 1_000 * scale - 0.5) for x, y in hole.coords]
            ImageDraw.Draw(drawn).polygon(points, fill=0)
    return np.asarray(drawn)


@pytest.mark.parametrize("shape", [shape for shape in BalloonShape if shape is not BalloonShape.NONE])
def test_no_line_is_drawn_where_a_tail_leaves_its_balloon(shape: BalloonShape) -> None:
    for seed, bend in ((1, 0), (2, 200_000), (3, -350_000)):
        pointing = (
            Tail(tip=(50_000, 100_000), width=8_000, style=POINTED, bend=bend),
            Tail(tip=(92_000, 70_000), style=POINTED, bend=bend),
        )
        balloon = one(shape, *pointing, box=rect(20, 20, 60, 40), seed=seed)
        balloon = balloon.model_copy(update={"stroke": Stroke(width=600)})
        drawn = render_unit(page(balloon, background="#808080"), CHAPTER, pictures, scale=8)
        body_and_tails = covered_by(balloon)
        # The ink of a burst is mitred where it meets in a valley.
        ink = 1_700 if shape is BalloonShape.BURST else 650
        deep = inside(body_and_tails.buffer(-ink), drawn.width, drawn.height, 8)
        assert deep.sum() > 50_000
        assert near(drawn.pixels, (255, 255, 255))[deep].all(), "a seam"
        near_by = inside(body_and_tails.buffer(ink), drawn.width, drawn.height, 8)
        assert near(drawn.pixels, (128, 128, 128))[~near_by].mean() > 0.999


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
        way = spine(Form(BalloonShape.ELLIPSE, rect(30, 30, 40, 24)), Tail(tip=(50_000, 100_000), bend=bend))
        assert way is not None
        return way.middle[0] - 50_000

    assert abs(swing(0)) < 1
    assert swing(200_000) < -5_000  # downwards, clockwise is to the left
    assert swing(-200_000) > 5_000


def test_a_tail_that_points_into_its_balloon_is_not_drawn() -> None:
    plain, pointed = one(BalloonShape.ELLIPSE), one(BalloonShape.ELLIPSE, Tail(tip=(52_000, 40_000)))
    assert balloon_outline(plain) == balloon_outline(pointed)


@given(
    SHAPES,
    st.integers(8_000, 80_000),
    st.integers(8_000, 80_000),
    st.integers(0, 3_000),
    st.floats(0, 1),
    st.integers(0, 99),
)
def test_the_room_for_words_keeps_its_distance_from_the_outline(
    shape: BalloonShape, width: int, height: int, padding: int, share: float, seed: int
) -> None:
    box = Rect(x=-width // 2, y=-height // 2, w=width, h=height)
    balloon = one(shape, box=box, seed=seed)
    free = room(form_of(balloon), padding)
    y = free.top + share * free.height
    span = free.span(y, y)
    if span is None:
        return
    x, middle = box.x + box.w / 2, box.y + box.h / 2
    outline = contour_path(body(form_of(balloon)))
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


def drawn_and_covered(*members: Balloon) -> tuple[NDArray[np.uint8], shapely.Geometry]:
    """A page of joined balloons, 8 pixels a millimetre, and what they cover."""
    (group,) = groups(members)
    whole = group_outline(group)
    rings = [shapely.Polygon(flattened(contour, 4.0)) for contour in whole.contours]
    covered = shapely.unary_union([ring for ring in rings if ring.exterior.is_ccw])
    for hole in rings:
        covered = covered if hole.exterior.is_ccw else covered.difference(hole)
    return render_unit(page(*members, background="#808080"), CHAPTER, pictures, scale=8).pixels, covered


@pytest.mark.parametrize("shape", [shape for shape in BalloonShape if shape is not BalloonShape.NONE])
def test_no_line_is_drawn_where_balloons_are_joined(shape: BalloonShape) -> None:
    make = Maker()
    look: dict[str, Any] = {"shape": shape, "stroke": Stroke(width=500)}
    root = make.balloon(8, 8, 40, 24, "", **look)
    over = make.balloon(40, 20, 40, 24, "", joined=root.id, **look)
    tail = Tail(tip=(80_000, 125_000), style=POINTED)
    apart = make.balloon(20, 74, 44, 24, "", joined=over.id, tails=(tail,), **look)
    pixels, covered = drawn_and_covered(root, over, apart)
    ink = 1_500 if shape is BalloonShape.BURST else 600
    deep = inside(covered.buffer(-ink), pixels.shape[1], pixels.shape[0], 8)
    assert near(pixels, (255, 255, 255))[deep].all(), "a seam"
    beyond = ~inside(covered.buffer(ink), pixels.shape[1], pixels.shape[0], 8)
    assert near(pixels, (128, 128, 128))[beyond].all()


def test_joined_balloons_look_like_their_root_and_nothing_lies_between_them() -> None:
    make = Maker()
    root = make.balloon(10, 10, 40, 24, "", fill="#ff0000", stroke=Stroke(width=0))
    between = make.balloon(30, 20, 40, 24, "", fill="#00ff00", stroke=Stroke(width=0))
    over = make.balloon(40, 30, 40, 24, "", fill="#0000ff", joined=root.id)
    pixels = render_unit(page(over, between, root), CHAPTER, pictures, scale=4).pixels
    assert tuple(pixels[20 * 4, 15 * 4][:3]) == (255, 0, 0)
    assert tuple(pixels[48 * 4, 70 * 4][:3]) == (255, 0, 0)
    assert tuple(pixels[32 * 4, 50 * 4][:3]) == (0, 255, 0)


def test_each_joined_balloon_sets_its_words_in_its_own_body() -> None:
    make = Maker()
    root = make.balloon(8, 8, 40, 24, "One breath,", stroke=Stroke(width=0))
    other = make.balloon(50, 60, 40, 24, "and another.", joined=root.id, stroke=Stroke(width=0))
    pixels = render_unit(page(root, other), CHAPTER, pictures, scale=6).pixels
    black = near(pixels, (0, 0, 0), by=60)
    for box in (root.box, other.box):
        part = black[box.y * 6 // 1_000 : box.bottom * 6 // 1_000, box.x * 6 // 1_000 : box.right * 6 // 1_000]
        assert part.sum() > 100
        black[box.y * 6 // 1_000 : box.bottom * 6 // 1_000, box.x * 6 // 1_000 : box.right * 6 // 1_000] = False
    assert not black.any()


def test_a_whisper_is_drawn_in_whole_dashes_of_one_length() -> None:
    for box in (rect(20, 20, 60, 40), rect(20, 20, 33, 61), rect(20, 20, 11, 7)):
        whole = balloon_outline(one(BalloonShape.WHISPER, box=box))
        lengths, gaps = dashes(whole, 350)
        assert len(lengths) >= 3
        assert lengths == [pytest.approx(lengths[0], rel=0.01)] * len(lengths)
        assert gaps == [pytest.approx(gaps[0], rel=0.03)] * len(gaps)
        assert lengths[0] == pytest.approx(4 * 350, rel=0.25)


def dashes(whole: Outline, width: int) -> tuple[list[float], list[float]]:
    """Lengths of the dashes, and straight lengths of the gaps between them."""
    lengths, ends = [], []
    measure = skia.PathMeasure(broken(whole, width), False)
    while True:
        length = measure.getLength()
        lengths.append(length)
        ends.append([measure.getPosTan(at)[0] for at in (0.0, length)])
        if not measure.nextContour():
            break
    gaps = [math.dist((*one[1],), (*two[0],)) for one, two in pairwise([*ends, ends[0]])]
    return lengths, gaps


def test_a_whisper_has_a_dash_round_every_corner_and_a_stroke_of_its_own_dashes_keeps_them() -> None:
    tail = Tail(tip=(50_000, 100_000), width=8_000)
    whole = balloon_outline(one(BalloonShape.WHISPER, tail, box=rect(20, 20, 60, 40)))
    drawn = broken(whole, 350)
    assert drawn.computeTightBounds().bottom() == pytest.approx(100_000, abs=2)
    make = Maker()
    dotted = make.balloon(
        20, 20, 60, 40, "", shape=BalloonShape.WHISPER, stroke=Stroke(width=350, dash=(20_000, 20_000))
    )
    pixels = render_unit(page(dotted), CHAPTER, pictures, scale=4).pixels
    assert near(pixels, (0, 0, 0), by=90).sum() > 0
    plain = dotted.model_copy(update={"stroke": Stroke(width=350)})
    assert not np.array_equal(pixels, render_unit(page(plain), CHAPTER, pictures, scale=4).pixels)


def test_words_without_a_body_show_the_page_behind_them_and_a_line_to_who_says_them() -> None:
    make = Maker()
    bare = make.balloon(20, 20, 60, 40, "", shape=BalloonShape.NONE, tip=(50, 120))
    pixels = render_unit(page(bare, background="#3399ff"), CHAPTER, pictures, scale=6).pixels
    assert near(pixels[: 59 * 6], (0x33, 0x99, 0xFF)).all()
    assert near(pixels[62 * 6 : 100 * 6], (0, 0, 0), by=60).any(axis=1).all()
