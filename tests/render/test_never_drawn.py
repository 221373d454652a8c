"""What frames say and what is marked in pictures is never drawn: pages keep their pixels and their keys."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from lantern_kit.comic.book import Book
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.model import Frame, Image, Overlay, Unit
from lantern_kit.comic.render import RenderCache, layers, render_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.store import unit_body
from lantern_kit.comic.typeset.fonts import packaged_fonts
from lantern_kit.kernel.canonical import digest
from tests.comic.strategies import books, random_marks, random_stage
from tests.render.pages import CHAPTER, pictures
from tests.render.test_part import rich


def told(unit: Unit, rng: Any) -> Unit:
    """The unit with other things said and marked on it."""

    def other(item: Any) -> Any:
        if isinstance(item, Frame):
            return item.model_copy(update={**random_stage(rng), "description": "Seen."})
        return item.model_copy(update={"marks": random_marks(rng)}) if isinstance(item, Image | Overlay) else item

    return unit.model_copy(update={"objects": tuple(map(other, unit.objects))})


def test_a_page_on_which_more_is_said_is_the_same_page_and_is_not_drawn_again(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = rich()
    marked = told(unit, random.Random(7))
    assert marked != unit
    cache = RenderCache()
    before = render_unit(unit, CHAPTER, pictures, long_edge=300, cache=cache)
    assert np.array_equal(render_unit(marked, CHAPTER, pictures, long_edge=300).pixels, before.pixels)

    def fail(*_: Any) -> None:
        raise AssertionError("drawn again")

    monkeypatch.setattr(layers, "draw_step", fail)
    again = render_unit(marked, CHAPTER, pictures, long_edge=300, cache=cache)
    assert np.array_equal(again.pixels, before.pixels)


def test_parts_are_known_by_the_same_keys() -> None:
    unit = rich()
    one, other, renamed = (
        PartPainter(item, CHAPTER, pictures, fonts=packaged_fonts())
        for item in (unit, told(unit, random.Random(7)), unit.model_copy(update={"background": "#fefefe"}))
    )
    part = (2.0, 10, 10, 200, 200)
    assert one.shows(*part) == other.shows(*part)
    assert one.shows(*part) != renamed.shows(*part)


@given(books())
@settings(max_examples=40)
def test_a_unit_says_by_which_document_it_would_be_known_without_them(seeded: tuple[Book, Any, Any]) -> None:
    book, rng, _ = seeded
    for unit in book.units():
        bare = unit.model_copy(update={"objects": tuple(item.drawn for item in unit.objects)})
        assert Brief.of(bare).drawn is None
        if any(isinstance(item, Frame) for item in unit.objects):
            assert Brief.of(told(bare, rng)).drawn == digest(unit_body(bare))
