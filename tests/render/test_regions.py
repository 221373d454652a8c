"""Changed pixels gathered to regions."""

from __future__ import annotations

from itertools import combinations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from lantern_kit.comic.render.regions import Patch, patches

SPOTS = st.lists(st.tuples(st.integers(0, 79), st.integers(0, 59)), max_size=40)


def mask(spots: list[tuple[int, int]], height: int = 80, width: int = 60) -> NDArray[np.bool_]:
    made = np.zeros((height, width), np.bool_)
    for y, x in spots:
        made[y, x] = True
    return made


def found(changed: NDArray[np.bool_], *, cell: int = 4, pad: int = 2) -> list[Patch]:
    return patches(changed, changed.astype(np.float32) * 3, cell=cell, pad=pad)


@given(SPOTS, st.integers(2, 9), st.integers(0, 6))
def test_every_change_lies_in_one_region_and_no_two_overlap(spots: list[tuple[int, int]], cell: int, pad: int) -> None:
    changed = mask(spots)
    regions = found(changed, cell=cell, pad=pad)
    left = changed.copy()
    for region in regions:
        inside = np.s_[region.top : region.bottom, region.left : region.right]
        assert region.pixels == np.count_nonzero(changed[inside]) > 0
        assert region.weight == 3 * region.pixels
        left[inside] = False
    assert not left.any()
    for one, other in combinations(regions, 2):
        apart = one.right <= other.left or other.right <= one.left or one.bottom <= other.top or other.bottom <= one.top
        assert apart


@given(SPOTS, st.integers(2, 9))
def test_regions_reach_no_further_than_their_padding(spots: list[tuple[int, int]], cell: int) -> None:
    changed = mask(spots)
    for region in found(changed, cell=cell, pad=0):
        part = changed[region.top : region.bottom, region.left : region.right]
        assert part[0].any()
        assert part[-1].any()
        assert part[:, 0].any()
        assert part[:, -1].any()


def test_what_is_close_is_one_region_and_what_is_far_is_two() -> None:
    assert len(found(mask([(10, 10), (10, 18)]))) == 1
    assert len(found(mask([(10, 10), (10, 40)]))) == 2


def test_a_line_that_winds_is_one_region() -> None:
    winding = [(y, x) for y in range(0, 80, 20) for x in range(60)]
    winding += [(y, 59 if y // 20 % 2 == 0 else 0) for y in range(60)]
    assert [region.pixels for region in found(mask(winding))] == [len({*winding})]


def test_a_region_ends_where_the_picture_does() -> None:
    assert found(mask([(0, 0)]), pad=9)[0][:4] == (0, 0, 10, 10)
    assert found(mask([(79, 59)]), pad=9)[0][:4] == (50, 70, 60, 80)


def test_no_change_is_no_region() -> None:
    assert found(mask([])) == []
