from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import MILLION, Effect, EffectType
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.effect import dot_radius
from lantern_kit.comic.render.rendered import Rendered
from tests.render.pages import CHAPTER, NO_BORDER, RED, Maker, near, page, pictures, rect

BOX = rect(20, 20, 60, 80)


def draw(kind: EffectType, *, scale: float = 8, **more: object) -> Rendered:
    effect = Effect(id="ef_0001", parent="un_page1", effect=kind, box=BOX, **more)  # type: ignore[arg-type]
    return render_unit(page(effect), CHAPTER, pictures, scale=scale)


def ink(drawn: Rendered, x: float = 20, y: float = 20, w: float = 60, h: float = 80) -> float:
    """Share of black in a part of the page, in millimetres."""
    scale = drawn.scale * 1_000
    part = drawn.pixels[round(y * scale) : round((y + h) * scale), round(x * scale) : round((x + w) * scale), 0]
    return 1 - float(part.mean()) / 255


@pytest.mark.parametrize("density", [0.05, 0.2, 0.5, 0.7, 0.8, 0.9, 0.97])
@pytest.mark.parametrize("angle", [0, 15_000, 45_000])
def test_a_tone_covers_the_share_of_paper_it_says(density: float, angle: int) -> None:
    drawn = draw(EffectType.TONE, density=round(density * MILLION), pitch=1_200, angle=angle)
    # Inside, over whole cells: the box's edge cuts dots.
    assert ink(drawn, 24, 24, 48, 72) == pytest.approx(density, abs=0.02)


@pytest.mark.parametrize("scale", [0.8, 3, 24])
def test_a_tone_is_as_dark_at_every_resolution(scale: float) -> None:
    assert ink(draw(EffectType.TONE, density=300_000, pitch=1_000, scale=scale)) == pytest.approx(0.3, abs=0.025)


def test_a_tone_is_made_of_round_dots_on_a_turned_grid() -> None:
    drawn = draw(EffectType.TONE, density=150_000, pitch=2_000, angle=45_000, scale=16)
    dark = drawn.pixels[..., 0] < 128
    # Neighbours at 45°: centres 2 mm apart along the diagonal, the first dot about the page's own origin.
    diagonal = 2 / math.sqrt(2)
    for column, row in ((20, 20), (21, 21), (30, 24)):
        x, y = round(column * diagonal * 16), round(row * diagonal * 16)
        if column % 2 == row % 2:
            assert dark[y, x]
    assert not dark[round(20 * diagonal * 16), round(21 * diagonal * 16)]
    assert 0 < dark[400:800, 400:800].mean() < 0.3


@given(st.floats(0.001, 0.999))
def test_dots_past_touching_overlap_to_the_right_cover(density: float) -> None:
    radius = dot_radius(density)
    side = (np.arange(400) + 0.5) / 400 - 0.5
    x, y = np.meshgrid(side, side)
    covered = np.zeros_like(x, bool)
    for cx in (-1, 0, 1):
        for cy in (-1, 0, 1):
            covered |= (x - cx) ** 2 + (y - cy) ** 2 <= radius**2
    assert covered.mean() == pytest.approx(density, abs=0.01)


def test_a_translucent_tone_does_not_darken_where_its_dots_overlap() -> None:
    drawn = draw(EffectType.TONE, density=900_000, pitch=3_000, opacity=500_000)
    inner = drawn.pixels[300:700, 250:550, 0]
    assert inner.min() >= 126


def test_full_and_empty_tones_are_flat() -> None:
    assert ink(draw(EffectType.TONE, density=MILLION)) == pytest.approx(1)
    assert ink(draw(EffectType.TONE, density=0)) == 0


def test_focus_lines_leave_their_middle_clear_and_thicken_outwards() -> None:
    drawn = draw(EffectType.FOCUS, clear=400_000, density=500_000, pitch=1_000, scale=12)
    y, x = np.mgrid[: drawn.height, : drawn.width] / 12
    away = np.hypot(x - 50, y - 60)
    dark = 1 - drawn.pixels[..., 0] / 255
    assert dark[away < 0.4 * 50 - 0.3].max() == 0
    inside = (x > 20) & (x < 80) & (y > 20) & (y < 100)
    rings = [dark[inside & (away > r) & (away < r + 4)].mean() for r in (22, 30, 38, 44)]
    assert rings == sorted(rings)
    assert rings[-1] > 0.2


def test_focus_lines_point_to_their_centre() -> None:
    drawn = draw(EffectType.FOCUS, centre=(0, 0), clear=100_000, density=300_000)
    assert ink(drawn, 20, 20, 4, 4) == 0
    assert ink(drawn, 70, 90, 10, 10) > 0.1


def test_speed_lines_run_out_along_their_direction() -> None:
    drawn = draw(EffectType.SPEED, angle=0, density=600_000, pitch=1_500, clear=200_000)
    parts = [ink(drawn, x, 20, 10, 80) for x in (20, 40, 60)]
    assert parts[0] > parts[1] > parts[2]
    assert ink(drawn, 69, 20, 11, 80) == 0
    back = draw(EffectType.SPEED, angle=180_000, density=600_000, pitch=1_500, clear=200_000)
    assert ink(back, 60, 20, 20, 80) > ink(back, 20, 20, 20, 80)


def test_a_gradient_darkens_steadily_from_nothing_to_its_density() -> None:
    drawn = draw(EffectType.GRADIENT, angle=90_000, density=800_000)
    column = 1 - drawn.pixels[160:800, 400, 0].astype(float) / 255
    assert column[0] < 0.01
    assert column[-1] == pytest.approx(0.8, abs=0.01)
    assert (np.diff(column) >= -1e-9).all()
    assert column[320] == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize("kind", [EffectType.FOCUS, EffectType.SPEED])
def test_a_seed_always_draws_the_same_lines_and_another_seed_others(kind: EffectType) -> None:
    one, same, other = draw(kind, seed=4), draw(kind, seed=4), draw(kind, seed=5)
    assert one.sha256 == same.sha256 != other.sha256


def test_an_effect_stays_in_its_box_and_in_its_frame() -> None:
    make = Maker()
    frame = make.polygon((30, 30), (70, 30), (50, 90), border=NO_BORDER, background="#dc1e1e")
    lines = make.effect(frame.id, EffectType.TONE, density=MILLION, box=rect(0, 50, 100, 100))
    drawn = render_unit(page(frame, lines), CHAPTER, pictures, scale=8)
    black, red = near(drawn.pixels, (0, 0, 0)), near(drawn.pixels, RED)
    assert not black[: 50 * 8 - 1].any()
    assert black.any()
    assert not red[50 * 8 + 1 :].any()
    assert red.any()
    xs = np.nonzero(black.any(axis=0))[0]
    assert xs.min() >= 36 * 8
    assert xs.max() <= 64 * 8
