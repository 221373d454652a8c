from __future__ import annotations

import hashlib
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageDraw

from lantern_kit.imaging.screening import Screen, screened, to_grey
from lantern_kit.kernel.errors import BadInput


def flat(grey: int, side: int = 600) -> NDArray[np.uint8]:
    return np.full((side, side), grey, np.uint8)


def ramp(height: int = 300, width: int = 900) -> NDArray[np.uint8]:
    return np.broadcast_to(np.linspace(0, 255, width).round().astype(np.uint8), (height, width)).copy()


def words() -> NDArray[np.uint8]:
    """Strokes with soft edges, as lettering is drawn."""
    large = Image.new("L", (1_600, 800), 255)
    pen = ImageDraw.Draw(large)
    for at in range(0, 1_600, 130):
        pen.line((at, 20, at + 190, 780), fill=0, width=34)
    pen.ellipse((500, 200, 1_100, 600), outline=0, width=40)
    return np.asarray(large.resize((400, 200), Image.Resampling.BOX))


@pytest.mark.parametrize("grey", [8, 20, 50, 90, 128, 170, 210, 235, 248])
def test_as_much_ink_is_put_down_as_the_grey_says(grey: int) -> None:
    assert screened(flat(grey), 600).mean() == pytest.approx(1 - grey / 255, abs=0.01)


@pytest.mark.parametrize(("dpi", "lpi"), [(600, 60), (600, 55), (1_200, 60), (1_200, 85), (300, 50)])
@pytest.mark.parametrize("angle", [0, 15, 45, 75, -30, 90])
def test_a_screen_of_any_kind_keeps_a_grey(dpi: int, lpi: int, angle: float) -> None:
    for grey in (60, 150, 220):
        found = screened(flat(grey), dpi, lpi=lpi, angle=angle).mean()
        assert found == pytest.approx(1 - grey / 255, abs=0.01)


def test_a_ramp_stays_even_along_its_way() -> None:
    grey = ramp(600, 1_200)
    found = screened(grey, 600)
    for ours, theirs in zip(np.array_split(found, 15, axis=1), np.array_split(grey, 15, axis=1), strict=True):
        assert ours.mean() == pytest.approx(1 - theirs.mean() / 255, abs=0.012)


def test_the_dots_stand_in_rows_at_the_angle_and_as_far_apart_as_asked() -> None:
    power = np.abs(np.fft.rfft2(screened(flat(180, 1_000), 600, lpi=60, angle=45).astype(float) - 0.29))
    row, column = np.unravel_index(power.argmax(), power.shape)
    down, across = min(row, 1_000 - row) / 1_000, column / 1_000
    assert np.hypot(down, across) == pytest.approx(1 / 10, rel=0.02)
    assert np.degrees(np.arctan2(down, across)) == pytest.approx(45, abs=2)


def test_the_paper_of_a_scan_gets_no_dots() -> None:
    assert screened(flat(253), 600).sum() == 0
    assert screened(flat(2), 600).all()


def test_pure_black_and_white_stay() -> None:
    pure = np.where(np.indices((64, 64)).sum(axis=0) // 7 % 2, 255, 0).astype(np.uint8)
    assert np.array_equal(screened(pure, 600), pure == 0)


def test_lines_and_words_keep_their_edges() -> None:
    drawn = words()
    assert ((drawn > 16) & (drawn < 239)).sum() > 2_000
    assert (screened(drawn, 600) != (drawn < 128)).mean() < 0.002


def test_words_beside_a_grey_picture_keep_their_edges() -> None:
    both = np.concatenate([words(), np.full((40, 400), 255, np.uint8), np.full((200, 400), 140, np.uint8)])
    found = screened(both, 600)
    assert (found[:200] != (both[:200] < 128)).mean() < 0.002
    assert found[245:].mean() == pytest.approx(1 - 140 / 255, abs=0.02)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(1, 90), min_size=1, max_size=30))
def test_bands_of_any_height_give_the_bits_of_the_whole(heights: list[int]) -> None:
    total = sum(heights)
    soft = (np.add.outer(np.arange(total) * 3, np.arange(120) * 5) % 256).astype(np.uint8)
    soft[:, 40:60] = np.where(np.arange(total)[:, None] // 3 % 2, 255, 0)
    soft[1::3, 45:55] = 100
    whole = screened(soft, 600)
    cuts = np.cumsum([0, *heights])
    bands = list(Screen(600).bands(soft[one:two] for one, two in pairwise(cuts.tolist())))
    assert np.array_equal(np.concatenate(bands), whole)
    assert len(whole) == total


def test_the_same_picture_gives_the_same_bits_on_every_machine() -> None:
    bits = np.packbits(screened(ramp(), 600))
    assert hashlib.sha256(bits.tobytes()).hexdigest()[:16] == "c966dae3fa5a7d94"


def test_grey_goes_by_the_light_of_a_colour() -> None:
    colours = np.array([[[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255], [0, 0, 0], [77, 77, 77]]], np.uint8)
    # sRGB greys of linear 0.2126, 0.7152 and 0.0722.
    assert to_grey(colours).tolist() == [[127, 220, 76, 255, 0, 77]]
    every = np.repeat(np.arange(256, dtype=np.uint8)[None, :, None], 3, axis=2)
    assert np.array_equal(to_grey(every)[0], np.arange(256))


def test_what_is_translucent_is_laid_on_white() -> None:
    clear = np.array([[[0, 0, 0, 0], [0, 0, 0, 255], [0, 0, 0, 128]]], np.uint8)
    assert to_grey(clear).tolist() == [[255, 0, 127]]
    assert screened(np.zeros((4, 4, 4), np.uint8), 600).sum() == 0


def test_colours_are_screened_by_their_grey() -> None:
    red = np.full((300, 300, 3), (200, 60, 60), np.uint8)
    grey = int(to_grey(red)[0, 0])
    assert screened(red, 600).mean() == pytest.approx(1 - grey / 255, abs=0.01)


@pytest.mark.parametrize(("dpi", "more"), [(600, {"lpi": 300}), (600, {"lpi": 0}), (0, {})])
def test_what_makes_no_screen_is_refused(dpi: float, more: dict[str, object]) -> None:
    with pytest.raises(BadInput):
        screened(flat(128, 8), dpi, **more)  # type: ignore[arg-type]


def test_what_is_no_picture_is_refused() -> None:
    for wrong in (np.zeros((4, 4), float), np.zeros((0, 4), np.uint8), np.zeros((4, 4, 2), np.uint8)):
        with pytest.raises(BadInput, match="not the pixels"):
            screened(wrong, 600)
