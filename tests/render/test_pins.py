"""Pins over a drawn page."""

from __future__ import annotations

import numpy as np
import pytest

from lantern_kit.comic.model import Chapter, Paper, Surface, Unit, UnitKind
from lantern_kit.comic.render.page import Rendered, render_unit
from lantern_kit.comic.render.pins import INK, LOST, Pin, pinned


def page(background: str = "#ffffff") -> Rendered:
    chapter = Chapter(id="ch_00000000", comic="Pins", paper=Paper(width=100_000, height=100_000))
    surface = Surface(id="sf_00000000", x=0, width=100_000, height=100_000)
    unit = Unit(kind=UnitKind.PAGE, id="un_00000000", background=background, surfaces=(surface,))
    return render_unit(unit, chapter, lambda asset: None, long_edge=500)


def rgb(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[place : place + 2], 16) for place in (1, 3, 5))


def covered(drawn: Rendered, colour: str) -> tuple[float, float, float, float]:
    """Left, top, right, bottom of the pixels of a colour, as shares of the picture."""
    rows, columns = np.nonzero((drawn.pixels[..., :3] == rgb(colour)).all(axis=2))
    assert len(rows) > 50
    width, height = drawn.width, drawn.height
    return columns.min() / width, rows.min() / height, columns.max() / width, rows.max() / height


def test_a_pin_points_where_it_should_without_hiding_it_and_the_page_stays_as_it_was() -> None:
    drawn = page()
    before = drawn.sha256
    made = pinned(drawn, [Pin("1", (30_000, 70_000))])
    left, top, right, bottom = covered(made, INK)
    assert (left + right) / 2 == pytest.approx(0.3, abs=0.01)
    assert bottom == pytest.approx(0.7, abs=0.01)
    assert top > 0.6
    assert tuple(made.pixels[350, 150, :3]) == rgb(INK)
    assert (made.pixels[360:400, 100:200, :3] == 255).all()
    assert (made.width, made.height, made.opaque) == (drawn.width, drawn.height, True)
    assert page().sha256 == before
    assert made.sha256 != before


@pytest.mark.parametrize("at", [(150_000, -20_000), (-9_000, 200_000), (0, 0), (100_000, 100_000)])
def test_a_pin_past_the_paper_is_moved_to_its_edge_and_its_head_stays_whole(at: tuple[int, int]) -> None:
    inside, moved = (pinned(page(), [Pin("2", point)]) for point in ((50_000, 50_000), at))
    left, top, right, bottom = covered(moved, INK)
    assert right - left > 0.035
    assert bottom - top > 0.06
    heads = [(item.pixels[..., :3] == rgb(INK)).all(axis=2).sum() for item in (inside, moved)]
    assert heads[1] == pytest.approx(heads[0], rel=0.15)


def test_a_lost_target_has_a_grey_hollow_pin() -> None:
    made = pinned(page(), [Pin("3", (50_000, 50_000), lost=True)])
    left, _, right, bottom = covered(made, LOST)
    assert (left + right) / 2 == pytest.approx(0.5, abs=0.01)
    assert bottom == pytest.approx(0.5, abs=0.02)
    assert not (made.pixels[..., :3] == rgb(INK)).all(axis=2).any()


def test_what_is_meant_is_outlined() -> None:
    corners = ((10_000, 10_000), (90_000, 10_000), (90_000, 90_000), (10_000, 90_000))
    plain, outlined = (pinned(page(), [Pin("1", (50_000, 50_000), outline)]) for outline in ((), corners))
    edge = outlined.pixels[45:55, 100:400, :3]
    assert (edge != 255).any()
    assert (plain.pixels[45:55, 100:400, :3] == 255).all()


def test_labels_differ_and_a_clear_page_is_laid_on_white() -> None:
    made = [pinned(page("#00000000"), [Pin(label, (50_000, 50_000))]) for label in ("1", "2", "12")]
    assert len({item.sha256 for item in made}) == 3
    assert made[0].opaque
    assert tuple(made[0].pixels[0, 0]) == (255, 255, 255, 255)


def test_without_pins_nothing_is_drawn() -> None:
    drawn = page()
    assert pinned(drawn, []) is drawn
