from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import MILLION, Fit, Placement, Rect, Transform
from lantern_kit.comic.placement import Affine, effective_dpi, placement_matrix
from lantern_kit.kernel.errors import BadInput

BOX = Rect(x=10_000, y=20_000, w=40_000, h=30_000)
sizes = st.integers(1, 4_000)
shares = st.integers(0, MILLION)


def close(one: tuple[float, float], two: tuple[float, float], by: float = 1.0) -> bool:
    return math.dist(one, two) <= by


@given(sizes, sizes, shares, shares)
def test_cover_fills_the_box_whatever_the_focus(width: int, height: int, fx: int, fy: int) -> None:
    matrix = placement_matrix(Placement(focus=(fx, fy)), BOX, width, height)
    left, top = matrix.map(0, 0)
    right, bottom = matrix.map(width, height)
    assert left <= BOX.x + 1
    assert top <= BOX.y + 1
    assert right >= BOX.right - 1
    assert bottom >= BOX.bottom - 1
    assert math.isclose(matrix.a, matrix.d)
    assert math.isclose(right - left, BOX.w, rel_tol=1e-6) or math.isclose(bottom - top, BOX.h, rel_tol=1e-6)


@given(sizes, sizes, shares, shares)
def test_cover_keeps_the_focus_in_view(width: int, height: int, fx: int, fy: int) -> None:
    matrix = placement_matrix(Placement(focus=(fx, fy)), BOX, width, height)
    x, y = matrix.map(width * fx / MILLION, height * fy / MILLION)
    assert BOX.x - 1 <= x <= BOX.right + 1
    assert BOX.y - 1 <= y <= BOX.bottom + 1


def test_cover_brings_the_focus_to_the_middle_when_there_is_picture_enough() -> None:
    matrix = placement_matrix(Placement(focus=(400_000, 500_000)), BOX, 1_000, 100)
    assert close(matrix.map(400, 50), BOX.centre)


@given(sizes, sizes)
def test_contain_shows_all_of_the_picture_in_the_middle(width: int, height: int) -> None:
    matrix = placement_matrix(Placement(fit=Fit.CONTAIN), BOX, width, height)
    left, top = matrix.map(0, 0)
    right, bottom = matrix.map(width, height)
    assert left >= BOX.x - 1
    assert top >= BOX.y - 1
    assert right <= BOX.right + 1
    assert bottom <= BOX.bottom + 1
    assert close(((left + right) / 2, (top + bottom) / 2), BOX.centre)


def test_stretch_meets_the_box_on_all_sides() -> None:
    matrix = placement_matrix(Placement(fit=Fit.STRETCH), BOX, 123, 45)
    assert close(matrix.map(0, 0), (BOX.x, BOX.y))
    assert close(matrix.map(123, 45), (BOX.right, BOX.bottom))


def test_a_crop_is_fitted_instead_of_the_whole_picture() -> None:
    placement = Placement(fit=Fit.STRETCH, crop=(250_000, 500_000, 750_000, MILLION))
    matrix = placement_matrix(placement, BOX, 400, 200)
    assert close(matrix.map(100, 100), (BOX.x, BOX.y))
    assert close(matrix.map(300, 200), (BOX.right, BOX.bottom))


def test_a_box_of_its_own_replaces_the_bounds_of_the_frame() -> None:
    own = Rect(x=0, y=0, w=5_000, h=5_000)
    assert placement_matrix(Placement(box=own), BOX, 50, 50) == placement_matrix(Placement(), own, 50, 50)


@given(st.integers(-360_000, 360_000), st.integers(10_000, 5 * MILLION), st.booleans(), st.booleans())
def test_turn_scale_and_flip_leave_the_centre_of_the_box_where_it_is(
    rotate: int, scale: int, flip_x: bool, flip_y: bool
) -> None:
    plain = placement_matrix(Placement(), BOX, 300, 200)
    centre = plain.inverse().map(BOX.x + BOX.w / 2, BOX.y + BOX.h / 2)
    change = Transform(rotate=rotate, scale=scale, flip_x=flip_x, flip_y=flip_y)
    matrix = placement_matrix(Placement(transform=change), BOX, 300, 200)
    assert close(matrix.map(*centre), (BOX.x + BOX.w / 2, BOX.y + BOX.h / 2), 0.01)
    assert math.isclose(math.hypot(matrix.a, matrix.b), plain.a * scale / MILLION, rel_tol=1e-9)


def test_a_quarter_turn_goes_clockwise() -> None:
    square = Rect(x=0, y=0, w=1_000, h=1_000)
    matrix = placement_matrix(Placement(transform=Transform(rotate=90_000)), square, 10, 10)
    assert close(matrix.map(0, 0), (1_000, 0), 0.01)
    assert close(matrix.map(10, 0), (1_000, 1_000), 0.01)


def test_a_shift_is_in_page_space_even_when_turned_and_flipped() -> None:
    change = Transform(rotate=90_000, flip_x=True)
    before = placement_matrix(Placement(transform=change), BOX, 30, 20)
    after = placement_matrix(Placement(transform=change.model_copy(update={"dx": 1_500, "dy": -700})), BOX, 30, 20)
    assert close((after.e - before.e, after.f - before.f), (1_500, -700), 0.01)


affines = st.builds(
    Affine, *[st.floats(-50, 50, allow_nan=False)] * 4, *[st.floats(-1e6, 1e6, allow_nan=False)] * 2
).filter(lambda m: abs(m.a * m.d - m.b * m.c) > 0.01)


@given(affines, affines, st.floats(-1e4, 1e4), st.floats(-1e4, 1e4))
def test_matrices_compose_and_undo(one: Affine, two: Affine, x: float, y: float) -> None:
    there = one.then(two).map(x, y)
    step = two.map(*one.map(x, y))
    assert there == pytest.approx(step, rel=1e-6, abs=1e-3)
    assert one.inverse().map(*one.map(x, y)) == pytest.approx((x, y), rel=1e-3, abs=1.0)


def test_a_flattening_transform_cannot_be_undone() -> None:
    with pytest.raises(BadInput):
        Affine(1, 2, 2, 4, 0, 0).inverse()


def test_an_inch_of_three_hundred_pixels_has_three_hundred_dpi() -> None:
    inch = Rect(x=0, y=0, w=25_400, h=25_400)
    assert effective_dpi(Placement(), inch, 300, 300) == pytest.approx(300)
    assert effective_dpi(Placement(transform=Transform(scale=2 * MILLION, rotate=30_000)), inch, 300, 300) == (
        pytest.approx(150)
    )


def test_dpi_is_that_of_the_coarser_axis() -> None:
    inch = Rect(x=0, y=0, w=25_400, h=25_400)
    assert effective_dpi(Placement(fit=Fit.STRETCH), inch, 600, 100) == pytest.approx(100)
