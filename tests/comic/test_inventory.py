"""What the analysis measures of the objects on a unit."""

from __future__ import annotations

import math

import pytest

from lantern_kit.comic.inventory import Measured, measured
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
