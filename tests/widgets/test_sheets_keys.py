"""Keys: equal for equal pixels, whatever the revision; another for everything that is drawn otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.comic.book import Book
from lantern_kit.comic.model import Binding
from lantern_kit.widgets.sheets import keys as room
from lantern_kit.widgets.sheets.keys import Keys
from lantern_kit.workspace import open_workspace
from tests.widgets.reviewing import Studio, studio


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    with studio(tmp_path) as made:
        yield made


def keys(here: Studio, book: Book | None = None) -> list[str]:
    return [item.key for item in Keys(here.ws.assets, here.ws.fonts).of(book or here.chapter.book)]


def on_paper(book: Book, **facts: object) -> Book:
    paper = book.chapter.paper.model_copy(update=facts)
    return book.with_chapter(book.chapter.model_copy(update={"paper": paper}))


def pixels(here: Studio, book: Book) -> bytes:
    """The first page as it is drawn, at a fixed scale."""
    unit = book.unit(book.order[0])
    return here.ws.renderer.render(unit, book.chapter, scale=2, bleed=True).pixels.tobytes()


def test_a_page_keeps_its_key_through_revisions_that_leave_it_alone(here: Studio) -> None:
    before = keys(here)
    here.say("Something else.")
    after = keys(here)
    assert [one == other for one, other in zip(before, after, strict=True)] == [False, True, True]
    here.chapter.undo()
    assert keys(here) == before


def test_pages_may_be_reordered_and_their_keys_go_with_them(here: Studio) -> None:
    book = here.chapter.book
    assert keys(here, book.reorder(book.order[::-1])) == keys(here)[::-1]


def test_only_the_facts_of_the_paper_that_are_drawn_count(here: Studio) -> None:
    book = here.chapter.book
    same = on_paper(book, safe=9_000, binding=Binding.RIGHT, width=200_000, height=90_000)
    assert keys(here, same) == keys(here)
    assert pixels(here, same) == pixels(here, book) != pixels(here, on_paper(book, bleed=4_000))
    assert not set(keys(here, on_paper(book, bleed=4_000))) & set(keys(here))
    assert not set(keys(here, on_paper(book, dpi=300))) & set(keys(here))
    titled = book.with_chapter(book.chapter.model_copy(update={"title": "Another", "language": "zh"}))
    assert keys(here, titled) == keys(here)


def test_a_page_in_memory_has_the_key_that_it_will_have_when_it_is_stored(here: Studio) -> None:
    book = here.chapter.book
    same = book.replace(book.unit(here.page()).model_copy())
    assert same.stamp(here.page()) is None
    assert keys(here, same) == keys(here)


def test_stored_hashes_are_used_where_there_are_any(here: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "unit_body", None)
    assert len(keys(here)) == 3


def test_a_picture_that_goes_and_comes_back_is_another_key_and_the_old_one_again(here: Studio) -> None:
    before = keys(here)
    asset = next(iter(here.ws.assets.find()))
    blob = here.ws.path / "blobs" / asset.blob.hex()[:2] / asset.blob.hex()
    aside = blob.rename(blob.with_suffix(".aside"))
    gone = Keys(here.ws.assets, here.ws.fonts).of(here.chapter.book)
    assert [item.missing for item in gone] == [(asset.id,), (), ()]
    assert [item.key == key for item, key in zip(gone, before, strict=True)] == [False, True, True]
    aside.rename(blob)
    assert keys(here) == before


def test_another_process_works_out_the_same_keys(here: Studio) -> None:
    with open_workspace(here.ws.path) as other:
        book = other.comics.head(here.chapter.id).book
        assert [item.key for item in Keys(other.assets, other.fonts).of(book)] == keys(here)


def test_another_way_of_drawing_is_another_key(here: Studio, monkeypatch: pytest.MonkeyPatch) -> None:
    before = keys(here)
    monkeypatch.setattr(room, "drawn_with", lambda: "another skia")
    assert not set(keys(here)) & set(before)


def test_what_draws_is_said_by_version() -> None:
    words = room.drawn_with()
    for name in ("drawing=", "lantern-kit=", "skia-python=", "uharfbuzz=", "fontpkg-delius=", "noto-cjk-sans-jp-bold="):
        assert name in words


def test_the_keys_of_some_units_are_those_of_all(here: Studio) -> None:
    book = here.chapter.book
    some = Keys(here.ws.assets, here.ws.fonts).of(book, [book.order[2], book.order[0]])
    assert [item.key for item in some] == [keys(here)[2], keys(here)[0]]


def test_what_is_never_drawn_leaves_a_key_alone_in_memory_and_stored(here: Studio) -> None:
    before, book = keys(here), here.chapter.book
    frame = next(item for unit in book.units() for item in unit.objects if item.kind == "frame")
    with here.chapter.edit("what it shows") as edit:
        edit[frame.id].stage(description="A cat, at night.", light={"angle": 30, "kind": "moon"})
        assert keys(here, edit.book) == before
    assert here.chapter.book != book
    assert keys(here) == before
