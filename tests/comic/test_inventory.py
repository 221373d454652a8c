"""What the analysis measures of the objects on a unit."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.geometry import gap
from lantern_kit.comic.inventory import Gutter, Marked, Measured, Present, gutters, marks, measured, presences
from lantern_kit.comic.model import (
    Balloon,
    BalloonShape,
    Band,
    Curve,
    Effect,
    EffectType,
    Foreground,
    Frame,
    Image,
    Overlay,
    Placement,
    Polygon,
    Rect,
    Surface,
    Text,
    Transform,
    Unit,
    UnitKind,
)
from tests.comic.operations import CAT, CAT_TOY, MIRA, ROOM, Desk

PAGE = "un_page0001"
FRAME = Frame(
    id="fr_frame001", parent=PAGE, shape=Polygon(points=((10_000, 10_000), (70_000, 10_000), (70_000, 50_000)))
)
BOX = Rect(x=20_000, y=15_500, w=40_000, h=20_000)


def page(*objects: object, reading: tuple[str, ...] = ()) -> Unit:
    surface = Surface(id="sf_surf0001", x=0, width=105_000, height=148_000)
    return Unit(kind=UnitKind.PAGE, id=PAGE, surfaces=(surface,), objects=objects, reading=reading)  # type: ignore[arg-type]


def only(*objects: object) -> Measured:
    """What is measured of the last object."""
    return next(row for row in measured(page(*objects)) if row.object == objects[-1].id)  # type: ignore[attr-defined]


def extent(row: Measured) -> tuple[float | None, ...]:
    return row.x, row.y, row.w, row.h, row.area


def test_a_frame_covers_the_area_inside_its_own_outline() -> None:
    assert extent(only(FRAME)) == (10, 10, 60, 40, 1200)


def test_a_curved_frame_covers_the_area_under_its_curves() -> None:
    k = 0.5522847498
    r = 20_000

    def point(x: float, y: float) -> tuple[int, int]:
        return round(50_000 + r * x), round(50_000 + r * y)

    curve = Curve(
        start=point(1, 0),
        segments=(
            (point(1, k), point(k, 1), point(0, 1)),
            (point(-k, 1), point(-1, k), point(-1, 0)),
            (point(-1, -k), point(-k, -1), point(0, -1)),
            (point(k, -1), point(1, -k), point(1, 0)),
        ),
    )
    row = only(Frame(id="fr_frame002", parent=PAGE, shape=curve))
    assert extent(row)[:4] == (30, 30, 40, 40)
    assert row.area == pytest.approx(math.pi * 400, rel=1e-3)


@pytest.mark.parametrize(
    ("shape", "area"), [(BalloonShape.ELLIPSE, math.pi / 4 * 800), (BalloonShape.BOX, 800), (BalloonShape.ROUNDED, 800)]
)
def test_a_balloon_covers_its_ellipse_or_its_box(shape: BalloonShape, area: float) -> None:
    row = only(Balloon(id="bl_ball0001", parent=PAGE, box=BOX, text="はい, yes", shape=shape))
    assert extent(row) == pytest.approx((20, 15.5, 40, 20, area))
    assert (row.text, row.characters) == ("はい, yes", 7)


def test_a_picture_without_a_box_fills_the_bounds_of_its_frame() -> None:
    row = only(FRAME, Image(id="im_imag0001", parent=FRAME.id, asset="as_cat"))
    assert extent(row) == (10, 10, 60, 40, 2400)
    assert (row.asset, row.text, row.characters) == ("as_cat", None, None)


def test_a_turned_and_enlarged_picture_lies_where_it_is_drawn() -> None:
    turned = Placement(box=BOX, transform=Transform(dx=1_000, dy=-500, scale=2_000_000, rotate=90_000))
    row = only(Overlay(id="ov_over0001", parent=PAGE, asset="as_cat", placement=turned))
    assert extent(row) == pytest.approx((40 + 1 - 20, 25.5 - 0.5 - 40, 40, 80, 3200))


def test_a_foreground_lies_where_its_picture_does() -> None:
    image = Image(id="im_imag0001", parent=FRAME.id, asset="as_cat", placement=Placement(box=BOX))
    row = only(FRAME, image, Foreground(id="fg_fore0001", parent=image.id, asset="as_cut"))
    assert extent(row) == (20, 15.5, 40, 20, 800)
    assert row.asset == "as_cut"


def test_an_effect_without_a_box_fills_its_frame() -> None:
    row = only(FRAME, Effect(id="ef_effe0001", parent=FRAME.id, effect=EffectType.FOCUS))
    assert extent(row) == (10, 10, 60, 40, 2400)


def test_order_is_that_of_drawing_and_of_reading_from_one() -> None:
    title = Text(id="tx_text0001", parent=PAGE, box=BOX, text="Up")
    balloon = Balloon(id="bl_ball0001", parent=FRAME.id, box=BOX, text="Oh")
    image = Image(id="im_imag0001", parent=FRAME.id, asset="as_cat")
    low = Overlay(id="ov_over0001", parent=PAGE, asset="as_cat", placement=Placement(box=BOX), band=Band.PAPER)
    rows = measured(page(title, balloon, FRAME, image, low, reading=(balloon.id, title.id, FRAME.id)))
    assert [(row.object, row.z, row.reading_order) for row in rows] == [
        (low.id, 1, None),
        (FRAME.id, 2, 3),
        (image.id, 3, None),
        (balloon.id, 4, 1),
        (title.id, 5, 2),
    ]


def frame(name: str, *points: tuple[int, int]) -> Frame:
    """A frame with corners in whole millimetres; of two points, a rectangle's top left and bottom right."""
    if len(points) == 2:
        (left, top), (right, bottom) = points
        points = ((left, top), (right, top), (right, bottom), (left, bottom))
    return Frame(id=f"fr_{name}000", parent=PAGE, shape=Polygon(points=tuple((1000 * x, 1000 * y) for x, y in points)))


def between(*frames: Frame, reading: tuple[str, ...] = ()) -> set[tuple[str, str, str, float, float]]:
    unit = page(*frames, reading=reading or tuple(item.id for item in frames))
    return {(row.first[3:4], row.second[3:4], row.direction, row.width, row.length) for row in gutters(unit)}


def test_frames_side_by_side_and_one_above_the_other_have_gutters_between_them() -> None:
    top = frame("a", (6, 6), (99, 60))
    left, right = frame("b", (6, 66), (50, 140)), frame("c", (53, 66), (99, 140))
    assert between(top, left, right) == {
        ("a", "b", "down", 6, 44),
        ("a", "c", "down", 6, 46),
        ("b", "c", "across", 3, 74),
    }


def test_a_slanted_gutter_is_as_wide_as_the_white_not_as_the_boxes_are_apart() -> None:
    left = frame("a", (0, 0), (60, 0), (30, 40), (0, 40))
    right = frame("b", (65, 0), (100, 0), (100, 40), (35, 40))
    assert between(left, right) == {("a", "b", "across", 4, 40)}


def test_frames_with_another_between_them_touching_or_corner_to_corner_have_no_gutter() -> None:
    row = [frame("a", (0, 0), (30, 50)), frame("b", (33, 0), (60, 50)), frame("c", (64, 0), (99, 50))]
    assert between(*row) == {("a", "b", "across", 3, 50), ("b", "c", "across", 4, 50)}
    assert between(frame("a", (0, 0), (30, 50)), frame("b", (30, 0), (60, 50))) == set()
    assert between(frame("a", (0, 0), (60, 60)), frame("b", (10, 10), (30, 30))) == set()
    assert between(frame("a", (0, 0), (30, 30)), frame("b", (33, 33), (60, 60))) == set()


def test_a_column_beside_a_tall_frame_has_a_gutter_for_each_of_its_frames() -> None:
    tall = frame("a", (0, 0), (40, 99))
    column = [frame("b", (44, 0), (90, 30)), frame("c", (44, 34), (90, 60)), frame("d", (44, 65), (90, 99))]
    assert between(tall, *column) == {
        ("a", "b", "across", 4, 30),
        ("a", "c", "across", 4, 26),
        ("a", "d", "across", 4, 34),
        ("b", "c", "down", 4, 46),
        ("c", "d", "down", 5, 46),
    }


def test_the_frame_that_is_read_first_comes_first() -> None:
    left, right = frame("a", (0, 0), (30, 50)), frame("b", (33, 0), (60, 50))
    assert between(left, right, reading=(right.id, left.id)) == {("b", "a", "across", 3, 50)}


def test_the_middle_of_a_spread_is_no_gutter_of_frames() -> None:
    surfaces = tuple(Surface(id=f"sf_surf000{i}", x=110_000 * i, width=100_000, height=148_000) for i in range(2))
    left, right = frame("a", (5, 5), (95, 100)), frame("b", (115, 5), (200, 100))
    wide = frame("c", (5, 105), (200, 140))
    unit = Unit(kind=UnitKind.SPREAD, id=PAGE, surfaces=surfaces, objects=(left, right, wide))
    assert gutters(unit) == []
    other = frame("d", (5, 105), (95, 140))
    unit = unit.model_copy(update={"objects": (left, right, other)})
    assert gutters(unit) == [Gutter(PAGE, left.id, other.id, "down", 5, 90)]


@given(
    st.lists(
        st.tuples(st.integers(0, 80), st.integers(0, 120), st.integers(5, 60), st.integers(5, 60)),
        min_size=2,
        max_size=5,
    )
)
def test_a_gutter_is_as_wide_as_the_frames_are_apart(boxes: list[tuple[int, int, int, int]]) -> None:
    frames = [frame(str(place), (x, y), (x + w, y + h)) for place, (x, y, w, h) in enumerate(boxes)]
    unit = page(*frames, reading=tuple(item.id for item in frames))
    for row in gutters(unit):
        one, two = (next(item.shape for item in frames if item.id == name) for name in (row.first, row.second))
        assert row.width * 1000 == gap(one, two) > 0


def test_words_are_counted_as_they_are_read_without_their_marks() -> None:
    row = only(Text(id="tx_0001", parent=PAGE, box=BOX, text="{三毛猫|みけねこ}は[上]{.bold size=2}へ"))
    assert (row.text, row.characters) == ("三毛猫は上へ", 6)


def test_what_a_frame_shows_and_what_is_marked_are_rows_of_their_own() -> None:
    desk = Desk()
    unit = desk.one("unit.add")
    cast = [{"who": MIRA, "look": "coat"}, {"who": CAT_TOY}]
    light = {"angle": 315.5, "kind": "lamp"}
    frame = desk.one("frame.add", unit, rect=[10, 10, 80, 60], description="Up.", scene=ROOM, light=light, cast=cast)
    image = desk.one("image.place", frame, asset=CAT)
    desk.one("image.mark", image, marks=[{"kind": "face", "area": [0.1, 0.2, 0.3, 0.4], "who": MIRA}])
    held = desk.get(unit)
    first, second = measured(held)
    assert (first.description, first.scene, first.light, first.light_angle) == ("Up.", ROOM, "lamp", 315.5)
    assert (second.description, second.scene, second.light, second.light_angle) == (None, None, None, None)
    assert presences(held) == [Present(unit, frame, MIRA, "coat"), Present(unit, frame, CAT_TOY, None)]
    assert marks(held) == [Marked(unit, image, 1, "face", MIRA, 0.1, 0.2, 0.3, 0.4)]
