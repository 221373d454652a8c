from __future__ import annotations

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from lantern_kit.comic.book import Book
from lantern_kit.comic.checks import check_unit
from lantern_kit.comic.render import RenderCache, render_unit
from lantern_kit.imaging.picture import Picture
from tests.comic.strategies import books
from tests.render.pages import PICTURES

SHELF = list(PICTURES.values())


def some(asset: str) -> Picture | None:
    """A picture for most ids, always the same for each."""
    place = sum(asset.encode()) % (len(SHELF) + 1)
    return None if place == len(SHELF) else SHELF[place]


@settings(max_examples=40)
@given(books(), st.booleans())
def test_every_sound_unit_can_be_drawn_and_checked_and_a_cache_draws_the_same(
    seeded: tuple[Book, Any, Any], bleed: bool
) -> None:
    book, _, _ = seeded
    for unit in book.units():
        drawn = render_unit(unit, book.chapter, some, long_edge=160, bleed=bleed)
        cache = RenderCache()
        for _ in range(2):
            cached = render_unit(unit, book.chapter, some, long_edge=160, bleed=bleed, cache=cache)
            assert cached.pixels.tobytes() == drawn.pixels.tobytes()
        assert cached.objects == drawn.objects
        for item in drawn.objects:
            left, top, right, bottom = item.pixels
            assert 0 <= left < right <= drawn.width
            assert 0 <= top < bottom <= drawn.height
        for finding in check_unit(unit, book.chapter, some):
            assert finding.unit == unit.id
            assert finding.object in unit.index
