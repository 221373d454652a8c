"""Distances of colours, held to published values."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.imaging.alpha import laid
from lantern_kit.imaging.perception import FARTHEST, difference, oklab

COLOURS = st.tuples(*[st.integers(0, 255)] * 3)


def one(*channels: int) -> np.ndarray:
    return np.array([channels], np.uint8)


@pytest.mark.parametrize(
    ("rgb", "lab"),
    [
        # the values of CSS Color 4 for named colours
        ((255, 255, 255), (1.0, 0.0, 0.0)),
        ((0, 0, 0), (0.0, 0.0, 0.0)),
        ((255, 0, 0), (0.62796, 0.22486, 0.12585)),
        ((0, 255, 0), (0.86644, -0.23389, 0.1795)),
        ((0, 0, 255), (0.45201, -0.03246, -0.31153)),
        ((0, 128, 0), (0.51975, -0.1403, 0.10768)),
    ],
)
def test_colours_have_the_published_coordinates(rgb: tuple[int, int, int], lab: tuple[float, float, float]) -> None:
    assert oklab(one(*rgb))[0] == pytest.approx(lab, abs=2e-4)


def test_black_and_white_are_as_far_apart_as_greys_can_be() -> None:
    assert difference(one(0, 0, 0), one(255, 255, 255))[0] == pytest.approx(FARTHEST, abs=0.01)


@given(COLOURS, COLOURS)
def test_a_distance_is_the_same_both_ways_and_nothing_only_between_equals(
    first: tuple[int, ...], second: tuple[int, ...]
) -> None:
    there, back = difference(one(*first), one(*second))[0], difference(one(*second), one(*first))[0]
    assert there == pytest.approx(back, abs=1e-4)
    assert (there == 0) == (first == second)
    assert 0 <= there <= FARTHEST


def test_a_step_of_one_in_a_channel_is_not_noticeable_and_fifteen_in_grey_is() -> None:
    assert difference(one(120, 120, 120), one(121, 120, 120))[0] < 1
    assert difference(one(120, 120, 120), one(135, 135, 135))[0] > 2


def test_transparency_counts_on_whichever_ground_shows_it_more() -> None:
    clear, white = one(255, 255, 255, 0), one(255, 255, 255, 255)
    assert difference(clear, white)[0] == pytest.approx(FARTHEST, abs=0.01)
    assert difference(clear, one(0, 0, 0, 0))[0] == 0
    assert laid(one(10, 20, 30, 128), 255).tolist() == [[132, 137, 142]]
