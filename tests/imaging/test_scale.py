from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.scale import fitted, scaled
from lantern_kit.kernel.errors import BadInput

RNG = np.random.default_rng(3)


def picture(width: int, height: int, channels: int = 3) -> Picture:
    return Picture.of(RNG.integers(0, 256, (height, width, channels), dtype=np.uint8))


@given(st.integers(1, 300), st.integers(1, 300), st.integers(1, 120))
@settings(max_examples=80, deadline=None)
def test_a_fitted_picture_keeps_its_proportions_within_half_a_pixel(width: int, height: int, edge: int) -> None:
    made = fitted(Picture.of(np.zeros((height, width, 3), np.uint8)), edge)
    longest = max(width, height)
    if longest <= edge:
        assert (made.width, made.height) == (width, height)
        return
    assert max(made.width, made.height) == edge
    for side, was in ((made.width, width), (made.height, height)):
        assert abs(side - was * edge / longest) <= 0.5 or side == 1


@given(st.integers(0, 255), st.integers(0, 255), st.integers(1, 60), st.integers(1, 60))
@settings(max_examples=60, deadline=None)
def test_a_flat_picture_stays_flat(level: int, alpha: int, width: int, height: int) -> None:
    flat = np.full((37, 41, 4), level, np.uint8)
    flat[..., 3] = alpha
    made = scaled(Picture.of(flat), width, height)
    assert (made.pixels[..., 3] == alpha).all()
    assert made.opaque == (alpha == 255)
    if alpha == 255:
        assert (made.pixels[..., :3] == level).all()


def test_a_reduction_averages_instead_of_skipping() -> None:
    stripes = np.zeros((200, 200, 3), np.uint8)
    stripes[:, ::2] = 255
    made = scaled(Picture.of(stripes), 25, 25).pixels[2:-2, 2:-2, 0]
    assert np.abs(made.astype(int) - 127).max() <= 3


def test_transparent_pixels_lend_no_colour_to_their_neighbours() -> None:
    half = np.zeros((40, 40, 4), np.uint8)
    half[:, :20] = (255, 0, 0, 255)
    half[:, 20:] = (0, 255, 0, 0)
    made = scaled(Picture.of(half), 13, 13).pixels
    seen = made[made[..., 3] > 8]
    assert (seen[:, 0] >= 250).all()
    assert (seen[:, 1] <= 5).all()


def test_the_same_size_is_the_same_picture() -> None:
    one = picture(9, 7, 4)
    assert scaled(one, 9, 7) is one
    assert fitted(one, 9) is one


def test_scaling_is_deterministic() -> None:
    one = picture(90, 70, 4)
    assert (scaled(one, 31, 17).pixels == scaled(one, 31, 17).pixels).all()


def test_no_pixel_at_all_is_refused() -> None:
    with pytest.raises(BadInput):
        scaled(picture(3, 3), 0, 3)
    with pytest.raises(BadInput):
        fitted(picture(3, 3), 0)
