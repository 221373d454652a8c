from __future__ import annotations

import hashlib
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lantern_kit.comic.model import MILLION, Effect, EffectType, Rect, Screen
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.effect import draw_effect
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.tone import dot_radius
from tests.render.pages import CHAPTER, NO_BORDER, Maker, page, pictures, rect

BOX = rect(20, 20, 60, 80)
PRINT = 1_200 / 25.4
LPI_60 = 423


def tone(**more: object) -> Effect:
    more.setdefault("box", BOX)
    return Effect(id="ef_0001", parent="un_page1", effect=EffectType.TONE, **more)  # type: ignore[arg-type]


def ink(*tones: Effect, scale: float = PRINT, part: Rect | None = None) -> NDArray[np.float64]:
    """How dark each pixel of a part of the page is, 0 … 1."""
    drawn = render_unit(page(*tones), CHAPTER, pictures, scale=scale, rect=part)
    return 1 - drawn.pixels[..., 0].astype(float) / 255


@pytest.mark.parametrize("screen", list(Screen))
@pytest.mark.parametrize("density", [0.03, 0.1, 0.3, 0.5, 0.75, 0.85, 0.95])
def test_a_printed_tone_covers_the_share_of_paper_it_says(density: float, screen: Screen) -> None:
    made = tone(density=round(density * MILLION), pitch=LPI_60, screen=screen, angle=45_000)
    found = ink(made, part=rect(30, 30, 24, 24)).mean()
    assert found == pytest.approx(density, abs=0.01)
    if screen is not Screen.GRAIN:
        assert found == pytest.approx(density, rel=0.01)


@pytest.mark.parametrize("angle", [0, 15_000, 75_000, -45_000, 200_000])
@pytest.mark.parametrize("screen", [Screen.DOTS, Screen.LINES])
def test_a_tone_is_as_dark_at_any_angle(angle: int, screen: Screen) -> None:
    made = tone(density=400_000, pitch=700, screen=screen, angle=angle)
    assert ink(made, scale=24, part=rect(24, 24, 50, 70)).mean() == pytest.approx(0.4, abs=0.01)


@pytest.mark.parametrize("scale", [0.8, 3, 6, 24])
@pytest.mark.parametrize("screen", list(Screen))
def test_a_tone_is_as_dark_at_every_resolution(scale: float, screen: Screen) -> None:
    made = tone(density=300_000, pitch=1_000, screen=screen)
    assert ink(made, scale=scale, part=BOX).mean() == pytest.approx(0.3, abs=0.01)


def test_a_tone_too_fine_for_the_pixels_is_an_even_grey_and_in_print_it_has_dots() -> None:
    made = tone(density=300_000, pitch=LPI_60)
    view = ink(made, scale=4, part=rect(30, 30, 24, 24))
    assert np.ptp(view) == 0
    printed = ink(made, part=rect(30, 30, 24, 24))
    assert ((printed < 0.02) | (printed > 0.98)).mean() > 0.75


@pytest.mark.parametrize("screen", list(Screen))
@pytest.mark.parametrize("scale", [4, 24])
def test_a_graded_tone_goes_evenly_from_one_share_to_the_other(screen: Screen, scale: float) -> None:
    made = tone(density=100_000, density_to=700_000, ramp=90_000, pitch=LPI_60, screen=screen, angle=30_000)
    rows = ink(made, scale=scale, part=BOX).mean(axis=1)
    parts = [part.mean() for part in np.array_split(rows, 16)]
    for number, part in enumerate(parts):
        assert part == pytest.approx(0.1 + 0.6 * (number + 0.5) / 16, abs=0.015)
    assert rows.mean() == pytest.approx(0.4, abs=0.01)


def test_a_ramp_runs_in_any_direction_and_both_ways() -> None:
    right = ink(tone(density=0, density_to=MILLION, ramp=0, pitch=600), scale=20, part=BOX)
    left = ink(tone(density=MILLION, density_to=0, ramp=180_000, pitch=600), scale=20, part=BOX)
    assert np.array_equal(right, left)
    columns = [part.mean() for part in np.array_split(right.mean(axis=0), 10)]
    assert columns == pytest.approx([0.1 * (number + 0.5) for number in range(10)], abs=0.02)


def test_dots_of_a_graded_tone_differ_by_no_visible_step() -> None:
    made = tone(density=100_000, density_to=600_000, ramp=0, pitch=1_000, angle=0)
    row = ink(made, part=rect(20, 49.5, 60, 1))
    sums = row.reshape(row.shape[0], -1)[:, : 60 * 47].sum(axis=0)
    cells = np.array([sums[round((n + 0.5) * PRINT) : round((n + 1.5) * PRINT)].sum() for n in range(58)]) / PRINT**2
    assert np.diff(cells).min() > 0
    assert np.diff(cells).max() < 0.02


def test_a_tone_is_made_of_round_dots_on_a_turned_grid() -> None:
    dark = ink(tone(density=150_000, pitch=2_000, angle=45_000), scale=16) > 0.5
    # Neighbours at 45°: centres 2 mm apart along the diagonal, the first dot about the page's own origin.
    diagonal = 2 / math.sqrt(2)
    for column, row in ((20, 20), (21, 21), (30, 24)):
        x, y = round(column * diagonal * 16), round(row * diagonal * 16)
        if column % 2 == row % 2:
            assert dark[y, x]
    assert not dark[round(20 * diagonal * 16), round(21 * diagonal * 16)]
    assert 0 < dark[400:800, 400:800].mean() < 0.3


@pytest.mark.parametrize(("pitch", "density"), [(LPI_60, 0.2), (LPI_60, 0.6), (3_000, 0.4), (20_000, 0.5)])
def test_the_edge_of_a_printed_dot_is_a_clean_circle(pitch: int, density: float) -> None:
    made = tone(density=round(density * MILLION), pitch=pitch, angle=0, box=rect(0, 0, 100, 140))
    middle = pitch * (40_000 // pitch) / 1_000
    half = pitch / 2_000
    dot = ink(made, part=rect(middle - half, middle - half, 2 * half, 2 * half))
    left = round((middle - half) * 1_000) / 1_000  # where the part begins, in whole micrometres
    y, x = (np.mgrid[: dot.shape[0], : dot.shape[1]] + 0.5) / PRINT + left - middle
    away, radius = np.hypot(x, y) * PRINT, dot_radius(density) * pitch / 1_000 * PRINT
    # A pixel's coverage against the circle's own, for which the distance of its middle from the edge stands.
    wanted = np.clip(radius - away + 0.5, 0, 1)
    assert np.abs(dot - wanted).max() < 0.25
    assert np.abs(dot - wanted)[np.abs(away - radius) < 2].mean() < 0.06


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


@pytest.mark.parametrize("screen", list(Screen))
def test_a_translucent_tone_does_not_darken_where_its_marks_overlap(screen: Screen) -> None:
    made = tone(density=900_000, pitch=3_000, opacity=500_000, screen=screen)
    drawn = ink(made, scale=8, part=BOX)
    assert drawn.max() <= 0.505
    assert drawn.mean() == pytest.approx(0.45, abs=0.015)
    by_colour = made.model_copy(update={"opacity": MILLION, "colour": "#00000080"})
    assert ink(by_colour, scale=8, part=BOX).max() <= 0.505


def test_a_second_tone_of_the_same_screen_lies_dot_on_dot() -> None:
    light, dark = tone(density=200_000, pitch=LPI_60), tone(density=400_000, pitch=LPI_60)
    both = ink(light, dark.model_copy(update={"id": "ef_0002"}), part=rect(30, 30, 10, 10))
    assert np.abs(both - ink(dark, part=rect(30, 30, 10, 10))).max() < 0.02


def test_a_second_tone_of_another_angle_covers_what_chance_would() -> None:
    one, other = tone(density=200_000, pitch=LPI_60, angle=45_000), tone(density=400_000, pitch=LPI_60, angle=75_000)
    both = ink(one, other.model_copy(update={"id": "ef_0002"}), part=rect(30, 30, 24, 24)).mean()
    assert both == pytest.approx(1 - 0.8 * 0.6, abs=0.01)


@pytest.mark.parametrize("screen", list(Screen))
def test_tones_of_neighbouring_frames_line_up(screen: Screen) -> None:
    make = Maker()
    more = {"density": 300_000, "pitch": 900, "screen": screen, "angle": 20_000}
    left, right = make.frame(10, 10, 30, 40, border=NO_BORDER), make.frame(40, 10, 37, 40, border=NO_BORDER)
    two = page(
        left,
        make.effect(left.id, EffectType.TONE, **more),
        right,
        make.effect(right.id, EffectType.TONE, **more),
    )
    wide = make.frame(10, 10, 67, 40, border=NO_BORDER)
    one = page(wide, make.effect(wide.id, EffectType.TONE, **more))
    apart = render_unit(two, CHAPTER, pictures, scale=20).pixels
    whole = render_unit(one, CHAPTER, pictures, scale=20).pixels
    # A mark that a frame's edge cuts, and a long line, is smoothed a little otherwise; a dot out of place is black.
    off = np.abs(apart[..., 0].astype(int) - whole[..., 0])
    assert off.max() < 64
    assert off.mean() < 1


def test_full_and_empty_tones_are_flat() -> None:
    assert ink(tone(density=MILLION), scale=8, part=BOX).min() == 1
    assert ink(tone(density=0), scale=8, part=BOX).max() == 0
    assert ink(tone(density=MILLION, density_to=MILLION), scale=8, part=BOX).min() == 1


def test_grain_is_fixed_by_its_seed_on_every_machine() -> None:
    drawn = {
        seed: ink(tone(density=250_000, pitch=1_000, screen=Screen.GRAIN, seed=seed), scale=12, part=rect(25, 25, 9, 9))
        for seed in (4, 5)
    }
    dots = np.packbits(drawn[4] > 0.5).tobytes()
    assert hashlib.sha256(dots).hexdigest()[:16] == "076133a9dfe7d709"
    assert not np.array_equal(drawn[4], drawn[5])


@pytest.mark.parametrize("screen", list(Screen))
def test_a_large_tone_has_its_dots_at_the_far_end_of_the_paper_too(screen: Screen) -> None:
    poster = tone(density=300_000, pitch=100, screen=screen, box=Rect(x=0, y=0, w=900_000, h=900_000))
    found = ink(poster, part=Rect(x=95_000, y=135_000, w=5_000, h=5_000), scale=100)
    assert found.mean() == pytest.approx(0.3, abs=0.015)
    assert found.std() > 0.4


@pytest.mark.parametrize("screen", list(Screen))
def test_a_canvas_without_pixels_gets_every_dot_whatever_the_scale(screen: Screen) -> None:
    made = tone(density=300_000, pitch=1_000, screen=screen)
    recorder = skia.PictureRecorder()
    canvas = recorder.beginRecording(skia.Rect.MakeWH(100_000, 140_000))
    draw_effect(canvas, made, BOX, 0.001)
    picture = recorder.finishRecordingAsPicture()
    pixels = np.full((1_600, 1_200, 4), 255, np.uint8)
    info = skia.ImageInfo.Make(1_200, 1_600, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    onto = skia.Surface.MakeRasterDirect(info, pixels).getCanvas()
    onto.scale(0.02, 0.02)
    onto.translate(-BOX.x, -BOX.y)
    onto.drawPicture(picture)
    dark = 1 - pixels[..., 0] / 255
    assert dark.mean() == pytest.approx(0.3, abs=0.02)
    assert np.abs(dark - ink(made, scale=20, part=BOX)).mean() < 0.04


def test_a_pdf_holds_a_tone_as_vectors() -> None:
    stream = skia.DynamicMemoryWStream()
    document = skia.PDF.MakeDocument(stream)
    canvas = document.beginPage(200, 300)
    canvas.scale(72 / 25_400, 72 / 25_400)
    draw_effect(canvas, tone(density=200_000, pitch=1_000), BOX, 72 / 25_400)
    document.endPage()
    document.close()
    data = bytes(stream.detachAsData())
    assert b"/Subtype /Image" not in data
    assert len(data) < 200_000
