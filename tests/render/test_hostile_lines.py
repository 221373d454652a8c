"""Outlines and dashes that drawing libraries give up on, or take minutes for."""

from __future__ import annotations

import pytest

from lantern_kit.comic.model import BalloonShape, Stroke, TextStyle
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.validate import validate_unit
from tests.render.pages import CHAPTER, Maker, page, pictures

MAKE = Maker()
FINE = Stroke(width=20_000, dash=(1,), colour="#ff0000")


def test_thousands_of_outlined_letters_are_drawn_in_time_that_grows_with_their_number() -> None:
    style = TextStyle(outline=Stroke(width=100, colour="#ff0000"))
    made = page(MAKE.text(1, 1, 98, 138, "Whoa! " * 500, style=style))
    drawn = render_unit(made, CHAPTER, pictures=pictures, dpi=100).pixels
    red = (drawn[..., 0] > 150) & (drawn[..., 1] < 120)
    assert all(part.any() for part in (red[:100], red[-140:]))


@pytest.mark.parametrize("size", [500, 2_800])
def test_letters_whose_outlines_skia_cannot_join_are_outlined(size: int) -> None:
    style = TextStyle(size=size, smallest=300, tracking=2_000_000, outline=Stroke(width=20_000, colour="#ff0000"))
    made = page(MAKE.balloon(10, 50, 90, 0.001, "A longer line to be broken. {字|じ}漢 سلام [x]{size=5}", style=style))
    drawn = render_unit(made, CHAPTER, pictures=pictures, dpi=100).pixels
    assert ((drawn[..., 0] > 200) & (drawn[..., 1] < 60)).mean() > 0.1


@pytest.mark.parametrize(
    "thing",
    [
        MAKE.frame(1, 1, 98, 138, border=FINE),
        MAKE.balloon(1, 1, 98, 138, "Hm", stroke=FINE),
        MAKE.balloon(1, 1, 98, 138, "Hm", shape=BalloonShape.WHISPER, stroke=Stroke(width=1)),
        MAKE.balloon(1, 1, 98, 138, "Hm", shape=BalloonShape.WHISPER, stroke=Stroke(width=0)),
    ],
    ids=["frame", "balloon", "finest whisper", "whisper without a line"],
)
def test_dashes_finer_than_print_shows_are_drawn_coarser(thing: object) -> None:
    made = page(thing)
    assert validate_unit(made, CHAPTER) == ()
    drawn = render_unit(made, CHAPTER, pictures=pictures, dpi=100)
    assert len(drawn.objects) == 1
