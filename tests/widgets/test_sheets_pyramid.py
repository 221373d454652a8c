"""The arithmetic of levels and tiles."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.model import Chapter, Paper
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.kernel.errors import NotFound
from lantern_kit.widgets.sheets.pyramid import COARSEST, TILE, Pyramid, reduced
from tests.render.pages import page, pictures

sides = st.integers(1_000, 3_000_000)
dots = st.integers(72, 2_400)


@given(sides, sides, dots)
def test_each_level_has_twice_the_scale_of_the_one_before_up_to_print(width: int, height: int, dpi: int) -> None:
    levels = Pyramid.of(width, height, dpi).levels
    assert levels[-1].scale == dpi / 25.4
    for coarse, fine in pairwise(levels):
        assert fine.scale == 2 * coarse.scale
        for half, whole in ((coarse.width, fine.width), (coarse.height, fine.height)):
            assert abs(2 * half - whole) <= 1 or whole == 1


@given(sides, sides, dots)
def test_the_coarsest_level_is_one_or_two_tiles_and_no_level_more_than_needed(
    width: int, height: int, dpi: int
) -> None:
    levels = Pyramid.of(width, height, dpi).levels
    assert levels[0].columns * levels[0].rows <= COARSEST
    assert all(level.columns * level.rows > COARSEST for level in levels[1:])


@given(sides, sides, dots, st.data())
def test_tiles_cover_every_pixel_of_a_level_once(width: int, height: int, dpi: int, data: st.DataObject) -> None:
    levels = [level for level in Pyramid.of(width, height, dpi).levels if level.width * level.height < 3_000_000]
    level = data.draw(st.sampled_from(levels))
    covered = np.zeros((level.height, level.width), np.uint8)
    for row in range(level.rows):
        for column in range(level.columns):
            left, top, wide, tall = level.tile(column, row)
            assert (left, top) == (column * TILE, row * TILE)
            assert 1 <= wide <= TILE
            assert 1 <= tall <= TILE
            assert (wide == TILE or column == level.columns - 1) and (tall == TILE or row == level.rows - 1)
            covered[top : top + tall, left : left + wide] += 1
    assert (covered == 1).all()


@given(sides, sides, dots)
def test_the_level_that_fits_a_view_is_the_coarsest_with_enough_pixels(width: int, height: int, dpi: int) -> None:
    pyramid = Pyramid.of(width, height, dpi)
    number = pyramid.fitting(1_200, 800)
    level = pyramid.level(number)
    enough = level.width >= 1_200 or level.height >= 800
    assert enough or number == len(pyramid.levels) - 1
    assert number == 0 or (pyramid.levels[number - 1].width < 1_200 and pyramid.levels[number - 1].height < 800)


@given(st.integers(20_000, 300_000), st.integers(20_000, 300_000), st.integers(0, 9_000), dots)
def test_levels_are_as_large_as_the_renderer_makes_them(width: int, height: int, bleed: int, dpi: int) -> None:
    unit = page()
    side = unit.surfaces[0].model_copy(update={"width": width, "height": height})
    unit = unit.model_copy(update={"surfaces": (side,)})
    chapter = Chapter(id="ch_test1", comic="Test", paper=Paper(width=width, height=height, bleed=bleed, dpi=dpi))
    painter = PartPainter(unit, chapter, pictures)
    levels = Pyramid.of(painter.area.w, painter.area.h, dpi).levels
    for level in levels:
        assert painter.size(level.scale) == (level.width, level.height)
    drawn = render_unit(unit, chapter, pictures, scale=levels[0].scale, bleed=True)
    assert (drawn.width, drawn.height) == (levels[0].width, levels[0].height)


@given(sides, sides, st.integers(1, 800))
def test_a_reduced_area_has_that_longer_side(width: int, height: int, edge: int) -> None:
    assert max(round(side * reduced(width, height, edge) / 1_000) for side in (width, height)) == edge


def test_an_a4_page_at_600_dpi_has_five_levels() -> None:
    levels = Pyramid.of(216_000, 303_000, 600).levels
    assert [(level.width, level.height) for level in levels] == [
        (319, 447), (638, 895), (1276, 1789), (2551, 3579), (5102, 7157),
    ]  # fmt: skip


@pytest.mark.parametrize("spot", [(-1, 0), (0, -1), (1, 0), (0, 1)])
def test_a_tile_or_level_outside_is_refused_with_what_there_is(spot: tuple[int, int]) -> None:
    pyramid = Pyramid.of(50_000, 50_000, 100)
    with pytest.raises(NotFound, match="no such tile") as refusal:
        pyramid.level(0).tile(*spot)
    assert refusal.value.expected == "columns 0 to 0, rows 0 to 0"
    for number in (-1, 1):
        with pytest.raises(NotFound, match="no such level"):
            pyramid.level(number)
