from __future__ import annotations

import random
from typing import Any

import pytest
from hypothesis import given

from lantern_kit.comic.book import Book
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.store import unit_body
from lantern_kit.comic.words import unit_titles
from lantern_kit.kernel.errors import Corrupt, NotFound
from tests.comic.strategies import Ids, books, stepped
from tests.render.pages import CHAPTER


@given(books())
def test_a_brief_read_from_bytes_is_the_one_of_the_unit(seeded: tuple[Book, Any, Any]) -> None:
    for unit in seeded[0].units():
        brief = Brief.of(unit)
        assert Brief.parse(unit_body(unit)) == brief
        assert (brief.width, brief.height, brief.objects) == (unit.width, unit.height, len(unit.objects))
        assert set(brief.assets) == {item.asset for item in unit.objects if hasattr(item, "asset")}


@given(books())
def test_a_book_gives_briefs_of_its_units_as_they_are_now(seeded: tuple[Book, random.Random, Ids]) -> None:
    book = stepped(*seeded)
    assert book.briefs() == tuple(map(Brief.of, book.units()))
    some = book.order[::2]
    assert [brief.id for brief in book.briefs(some)] == list(some)


def test_a_brief_of_a_unit_that_is_not_there_is_refused() -> None:
    with pytest.raises(NotFound):
        Book.of(CHAPTER).briefs(["un_nowhere"])
    with pytest.raises(NotFound):
        Book.of(CHAPTER).stamp("un_nowhere")


@pytest.mark.parametrize("body", [b"", b"{}", b'{"surfaces":[],"objects":[]}', b'{"kind":"page"}', b"[]"])
def test_bytes_that_are_no_unit_are_damaged(body: bytes) -> None:
    with pytest.raises(Corrupt):
        Brief.parse(body)


@given(books())
def test_titles_need_no_more_than_briefs(seeded: tuple[Book, Any, Any]) -> None:
    book = seeded[0]
    assert list(unit_titles(book)) == list(book.order)
