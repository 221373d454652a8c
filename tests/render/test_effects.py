from __future__ import annotations

import numpy as np
import pytest

from lantern_kit.comic.model import MILLION, Effect, EffectType
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.lines import focus_lines
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


def test_every_focus_line_points_to_the_centre() -> None:
    effect = Effect(id="ef_0001", parent="un_page1", effect=EffectType.FOCUS, centre=(400_000, 600_000), pitch=900)
    centre = np.array([BOX.x + 0.4 * BOX.w, BOX.y + 0.6 * BOX.h])
    lines = focus_lines(effect, BOX)
    points = np.array([(at.x(), at.y()) for at in lines.getPoints(lines.countPoints())])
    # Tip, two bends and four corners a line, and back to the tip.
    each = points.reshape(-1, 8, 2)
    tips, ends = each[:, 0], (each[:, 3] + each[:, 4]) / 2
    way = (ends - tips) / np.linalg.norm(ends - tips, axis=1)[:, None]
    back = tips - centre
    assert np.abs(back[:, 0] * way[:, 1] - back[:, 1] * way[:, 0]).max() < 5
    assert len(each) > 40


def test_focus_lines_are_of_uneven_length_and_weight() -> None:
    drawn = draw(EffectType.FOCUS, clear=400_000, density=500_000, pitch=1_000, scale=12)
    y, x = np.mgrid[: drawn.height, : drawn.width] / 12
    dark = drawn.pixels[..., 0] < 128
    angle, away = np.arctan2(y - 60, x - 50), np.hypot(x - 50, y - 60)
    sectors = np.floor((angle + np.pi) / (2 * np.pi) * 72).astype(int)
    reach = [away[dark & (sectors == sector)].min() for sector in range(72) if (dark & (sectors == sector)).any()]
    assert max(reach) - min(reach) > 5
    ring = dark[np.abs(away - 29) < 0.06][np.argsort(angle[np.abs(away - 29) < 0.06])]
    runs = np.diff(np.flatnonzero(np.diff(ring.astype(int))))
    assert runs.std() > 0.5 * runs.mean()


def test_a_focus_that_nearly_touches_an_edge_leaves_no_slab_there() -> None:
    near_edge = draw(EffectType.FOCUS, centre=(150_000, 500_000), clear=180_000, density=800_000, pitch=1_500)
    assert ink(near_edge, 20, 40, 2, 40) < 0.5


def test_a_flash_leaves_its_middle_open_and_fills_the_field_round_it() -> None:
    drawn = draw(EffectType.FLASH, clear=300_000, density=700_000, pitch=500, scale=12)
    y, x = np.mgrid[: drawn.height, : drawn.width] / 12
    away = np.hypot(x - 50, y - 60)
    dark = 1 - drawn.pixels[..., 0] / 255
    inside = (x > 20.2) & (x < 79.8) & (y > 20.2) & (y < 99.8)
    assert dark[away < 0.3 * 50 - 0.2].max() == 0
    assert dark[inside & (away > 0.3 * 50 * 2.3)].min() == 1
    burst = [dark[inside & (away > r) & (away < r + 1)].mean() for r in range(15, 27, 2)]
    assert burst == sorted(burst)
    # Ragged: round the circle ink and paper change many times.
    circle = np.abs(away - 19) < 0.06
    ring = dark[circle][np.argsort(np.arctan2(y - 60, x - 50)[circle])] > 0.5
    assert np.count_nonzero(np.diff(ring)) > 60


def test_a_flash_may_stand_anywhere_and_in_any_colour() -> None:
    drawn = draw(EffectType.FLASH, centre=(200_000, 800_000), clear=150_000, colour="#dc1e1e")
    assert near(drawn.pixels[83 * 8 : 85 * 8, 31 * 8 : 33 * 8], (255, 255, 255)).all()
    assert near(drawn.pixels[21 * 8 : 60 * 8, 60 * 8 : 79 * 8], RED).all()


def test_a_vignette_darkens_steadily_from_its_clear_ellipse_to_its_density_in_the_corners() -> None:
    drawn = draw(EffectType.VIGNETTE, clear=400_000, density=700_000)
    dark = 1 - drawn.pixels[160:800, 160:640, 0].astype(float) / 255
    diagonal = dark[np.arange(320, 640), np.linspace(240, 479, 320).astype(int)]
    assert (np.diff(diagonal) >= -1e-9).all()
    assert diagonal[0] == 0
    assert diagonal[-1] == pytest.approx(0.7, abs=0.01)
    # An ellipse of the box's form: as dark at the middle of its sides as at the middle of its top.
    assert dark[320, 1] == pytest.approx(dark[1, 240], abs=0.01)
    y, x = np.mgrid[:640, :480]
    assert dark[np.hypot((x - 240) / 480, (y - 320) / 640) < 0.4 * np.hypot(0.5, 0.5) - 0.01].max() == 0


def test_a_vignette_out_of_the_middle_is_darkest_in_the_corner_furthest_off() -> None:
    dark = 1 - draw(EffectType.VIGNETTE, centre=(250_000, 250_000), clear=0, density=MILLION).pixels[..., 0] / 255
    assert dark[797, 637] == pytest.approx(1, abs=0.02)
    assert dark[162, 162] < dark[162, 637] < dark[797, 637]
    assert dark[320, 280] < 0.01


def test_a_vignette_may_be_clear_all_over() -> None:
    assert ink(draw(EffectType.VIGNETTE, clear=MILLION)) < 0.001


def test_translucent_lines_and_fields_are_no_darker_where_they_cross() -> None:
    for kind in (EffectType.FOCUS, EffectType.SPEED, EffectType.FLASH):
        drawn = draw(kind, density=900_000, pitch=2_000, clear=100_000, colour="#00000080", opacity=500_000)
        assert 188 <= drawn.pixels[..., 0].min() <= 192


@pytest.mark.parametrize("kind", [EffectType.FOCUS, EffectType.SPEED, EffectType.FLASH])
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
