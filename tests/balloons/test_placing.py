from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lantern_kit.comic.balloons.placing import MARGIN, clear_of_gutter
from lantern_kit.comic.model import Paper, Rect, UnitKind
from tests.comic.operations import Desk
from tests.render.pages import CHAPTER, page, rect

PAPER = CHAPTER.paper
SPREAD = page(kind=UnitKind.SPREAD, gutter=10_000)


@given(
    st.integers(-20_000, 220_000),
    st.integers(-20_000, 150_000),
    st.integers(1_000, 90_000),
    st.integers(1_000, 130_000),
)
def test_a_box_ends_clear_of_the_gutter_and_never_further_off_than_it_must(x: int, y: int, w: int, h: int) -> None:
    box = Rect(x=x, y=y, w=w, h=h)
    moved = clear_of_gutter(box, SPREAD, PAPER)
    assert (moved.w, moved.h) == (w, h)
    assert moved.right <= 100_000 - MARGIN or moved.x >= 110_000 + MARGIN
    if moved != box:
        assert moved.x >= 5_000
        assert moved.right <= 205_000
        assert moved.y >= 5_000
        assert moved.bottom <= 135_000
        left, right = box.right - 95_000, 115_000 - box.x
        assert abs(moved.x - box.x) == min(left, right)
    assert clear_of_gutter(moved, SPREAD, PAPER) == moved


def test_pages_that_touch_have_a_fold_to_keep_clear_of_too() -> None:
    touching = page(kind=UnitKind.SPREAD)
    assert clear_of_gutter(rect(80, 40, 30, 20), touching, PAPER) == rect(65, 40, 30, 20)
    assert clear_of_gutter(rect(95, 40, 30, 20), touching, PAPER) == rect(105, 40, 30, 20)


def test_a_page_has_no_gutter() -> None:
    assert clear_of_gutter(rect(-4, 40, 30, 20), page(), PAPER) == rect(-4, 40, 30, 20)


@pytest.mark.parametrize("safe", [5_000, 60_000])
def test_a_box_too_large_for_a_page_still_keeps_clear_of_the_gutter(safe: int) -> None:
    paper = Paper(width=100_000, height=140_000, safe=safe)
    moved = clear_of_gutter(rect(2, 40, 99, 138), SPREAD, paper)
    assert moved.right <= 100_000


def test_a_new_balloon_on_a_spread_keeps_clear_of_the_gutter_unless_it_is_told_not_to() -> None:
    desk = Desk()
    spread = desk.one("unit.add", kind="spread", gutter=6)
    fold = (105_000, 111_000)
    kept = desk.get(desk.one("balloon.add", spread, text="Over the fold?", at=[106, 60]))
    assert kept.box.right <= fold[0]
    free = desk.get(desk.one("balloon.add", spread, text="Over the fold!", at=[106, 60], gutter_safe=False))
    assert free.box.centre[0] == pytest.approx(106_000, abs=1)
    sized = desk.get(desk.one("balloon.add", spread, text="Just here.", at=[106, 60], size=[40, 20]))
    assert sized.box == rect(86, 50, 40, 20)
