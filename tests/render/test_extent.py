from __future__ import annotations

import pytest

from lantern_kit.comic.model import Surface, TextStyle, Unit, UnitKind, Writing
from lantern_kit.comic.render import render_unit
from lantern_kit.comic.validate import validate_unit
from tests.render.pages import CHAPTER, UNIT, Maker, page, pictures

MAKE = Maker()


@pytest.mark.parametrize("writing", Writing)
@pytest.mark.parametrize("text", ["a\n" * 5_999, "!?" * 6_000, "{字|" + "か" * 11_000 + "}"])
def test_words_that_stand_over_their_box_by_many_metres_are_drawn(text: str, writing: Writing) -> None:
    style = TextStyle(writing=writing, fit=False)
    made = page(MAKE.balloon(20, 20, 40, 24, text, style=style), MAKE.text(20, 80, 40, 24, text, style=style, rotate=9))
    assert validate_unit(made, CHAPTER) == ()
    drawn = render_unit(made, CHAPTER, pictures=pictures, dpi=72)
    assert {item.id for item in drawn.objects} == {item.id for item in made.objects}


def test_what_lies_at_the_end_of_a_strip_of_nearly_ten_metres_is_drawn() -> None:
    low = MAKE.balloon(20, 9_800, 60, 40, "The end", fill="#000000")
    strip = Unit(
        kind=UnitKind.PAGE,
        id=UNIT,
        surfaces=(Surface(id="sf_strip1", x=0, width=100_000, height=9_900_000),),
        objects=(low,),
        reading=(low.id,),
    )
    assert validate_unit(strip, CHAPTER) == ()
    drawn = render_unit(strip, CHAPTER, pictures=pictures, dpi=72)
    assert [item.id for item in drawn.objects] == [low.id]
    left, top, right, bottom = drawn.objects[0].pixels
    assert (drawn.pixels[top:bottom, left:right, :3] < 20).all(axis=-1).mean() > 0.5
