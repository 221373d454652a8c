"""How much of a chapter is read for what is asked of it, and that several threads may ask at once."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest

from lantern_kit.comic import store
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.workspace import Workspace, open_workspace


def test_titles_of_a_chapter_are_told_without_reading_its_pages(
    ws: Workspace, chapter: ChapterWork, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(self: store.ChapterStore, name: bytes) -> None:
        raise AssertionError("a page was read whole")

    with open_workspace(ws.path) as fresh:
        monkeypatch.setattr(store.ChapterStore, "_unit", refuse)
        moment = fresh.comics.head(chapter.id)
        assert list(moment.titles.values()) == ["Page 1 “One”", "Page 2 “Two”"]
        first, second = moment.book.briefs()
        assert (first.objects, second.objects) == (4, 1)
        assert len(first.assets) == 1
        assert moment.book.stamp(first.id) == moment.stored.hashes[first.id]


def test_a_page_that_was_changed_in_memory_has_no_stamp(chapter: ChapterWork) -> None:
    book = chapter.book
    first = book.unit(book.order[0])
    changed = book.replace(first.model_copy(update={"name": "Another"}))
    assert changed.stamp(first.id) is None
    assert changed.stamp(book.order[1]) == book.stamp(book.order[1])
    assert changed.briefs()[0].name == "Another"


def test_threads_that_read_at_once_see_the_same_chapter(
    ws: Workspace, chapter: ChapterWork, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for number in range(12):
        with chapter.edit(f"page {number}") as edit:
            edit.add_page(name=f"Added {number}")
    head = chapter.moment.revision.number
    monkeypatch.setattr(store, "BOOKS_KEPT", 2)
    monkeypatch.setattr(store, "UNITS_KEPT", 3)
    monkeypatch.setattr(store, "BRIEFS_KEPT", 3)
    ready = threading.Barrier(4)
    failed: list[BaseException] = []
    seen: list[list[int]] = []

    def read(fresh: Workspace) -> None:
        try:
            ready.wait(10)
            own = []
            for number in [*range(1, head + 1)] * 3:
                book = fresh.comics.at(number).book
                assert len(book.briefs()) == len(list(book.units()))
                own.append(len(book))
            seen.append(own)
        except BaseException as error:  # noqa: BLE001  told to the test's own thread
            failed.append(error)

    with open_workspace(ws.path) as fresh:
        threads = [threading.Thread(target=read, args=(fresh,)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert failed == []
    assert len(seen) == 4
    assert seen.count(seen[0]) == 4
