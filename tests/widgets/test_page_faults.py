"""PageView when something is wrong, or more than usual: each says what happened, and what to do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import PageView, Workspace, create_workspace
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import Corrupt
from lantern_kit.widgets.asks import Answer, Ask, answers
from lantern_kit.widgets.page.first_look import OpenArgs
from lantern_kit.widgets.sheets import SheetArgs, TilesArgs
from tests.widgets.albums import album, at, canvas, whole


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as opened:
        yield opened


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    return album(ws)


UNREADABLE = Corrupt("the page is damaged", recovery="Run lantern verify.")


class Faulty(PageView):
    """Its tiles and its pages can be made to fail."""

    broken = False
    unreadable = ""

    @answers("open", OpenArgs)
    def open_book(self, ask: Ask[OpenArgs]) -> Answer:
        made = super().open_book(ask)
        if made.data["unit"] == self.unreadable:
            return Answer({**made.data, "sheet": None, "tiles": [], "fault": UNREADABLE.payload()})
        return made

    @answers("sheet", SheetArgs)
    def tell_sheet(self, ask: Ask[SheetArgs]) -> dict[str, Any]:
        if ask.args.unit == self.unreadable:
            raise UNREADABLE
        return super().tell_sheet(ask)

    @answers("tiles", TilesArgs)
    def send_tiles(self, ask: Ask[TilesArgs]) -> Answer:
        if self.broken:
            raise Corrupt("the picture “Chelsea” is damaged", recovery="Run lantern verify.")
        return super().send_tiles(ask)


# the line


def test_when_the_kernel_is_gone_the_picture_stays_and_what_needs_it_is_off(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    before = canvas(page).evaluate("canvas => canvas.toDataURL()")
    stage.cut(page)
    page.get_by_test_id("link-badge").get_by_text("Run the cell again").wait_for()
    assert page.get_by_test_id("page-annotate").is_disabled()
    assert page.get_by_test_id("page-findings-toggle").is_disabled()
    page.get_by_test_id("viewer-zoom-in").click()
    page.get_by_test_id("viewer-fit").click()
    page.wait_for_function(
        "before => document.querySelector('[data-testid=viewer-canvas]').toDataURL() === before", arg=before
    )
    assert page.get_by_test_id("viewer-fault").count() == 0
    assert page.get_by_test_id("page-fault").count() == 0


def test_words_written_while_the_kernel_goes_are_not_lost(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).click(position=at(page, 50, 100))
    page.get_by_test_id("page-annotate-this").click()
    page.get_by_test_id("page-note-body").fill("Louder")
    stage.cut(page)
    page.get_by_test_id("link-badge").wait_for()
    assert page.get_by_test_id("page-note-save").is_disabled()
    page.get_by_test_id("page-note-body").press("Control+Enter")
    assert page.get_by_test_id("page-note-body").input_value() == "Louder"
    assert len(chapter.annotations()) == 0


def test_a_silent_kernel_is_waited_for_and_the_picture_comes_when_it_answers(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    stage.silence(page)
    for _ in range(8):
        page.get_by_test_id("viewer-zoom-in").click()
    page.get_by_test_id("link-badge").wait_for()
    assert page.get_by_test_id("link-badge").get_attribute("data-state") == "waiting"
    assert canvas(page).get_attribute("data-whole") == "false"
    stage.resume(page)
    whole(page)
    page.get_by_test_id("link-badge").wait_for(state="detached")


# pictures


def test_tiles_that_are_refused_are_told_of_and_asked_for_again(chapter: ChapterWork, stage: Any) -> None:
    view = Faulty(chapter)
    page = stage.show(view)
    whole(page)
    view.broken = True
    for _ in range(8):
        page.get_by_test_id("viewer-zoom-in").click()
    fault = page.get_by_test_id("viewer-fault")
    fault.get_by_text("Run lantern verify").wait_for()
    view.broken = False
    page.get_by_test_id("viewer-retry").click()
    whole(page)
    fault.wait_for(state="detached")


def test_a_picture_whose_bytes_are_gone_is_a_stand_in_and_words(
    ws: Workspace, chapter: ChapterWork, stage: Any
) -> None:
    for blob in (ws.path / "blobs").rglob("*"):
        if blob.is_file():
            blob.unlink()
    view = PageView(chapter)
    page = stage.show(view)
    whole(page)
    assert "1 picture is missing" in page.get_by_test_id("page-missing").inner_text()
    canvas(page).click(position=at(page, 20, 20))
    page.get_by_test_id("page-facts").get_by_text("Chelsea").first.wait_for()
    assert page.errors == []


def test_a_damaged_picture_keeps_nobody_from_the_other_pages(ws: Workspace, stage: Any) -> None:
    chapter = album(ws)
    with chapter.edit("bare") as edit:
        edit.add_page()
    for blob in (ws.path / "blobs").rglob("*"):
        if blob.is_file():
            blob.write_bytes(b"not a picture")
    view = PageView(chapter)
    page = stage.show(view)
    page.get_by_test_id("viewer-fault").get_by_text("lantern verify").first.wait_for()
    page.get_by_test_id("page-thumb").nth(3).click()
    whole(page, chapter.book.order[3])
    page.get_by_test_id("viewer-fault").wait_for(state="detached")
    assert "damaged" in PageView(chapter, unit=chapter.book.order[0]).picture()


def test_a_page_that_cannot_be_read_says_why_and_is_tried_again(chapter: ChapterWork, stage: Any) -> None:
    view = Faulty(chapter)
    view.unreadable = chapter.book.order[1]
    page = stage.show(view)
    whole(page)
    page.get_by_test_id("page-next").click()
    page.get_by_test_id("page-fault").get_by_text("Run lantern verify").wait_for()
    page.get_by_test_id("page-next").click()
    whole(page, chapter.book.order[2])
    assert page.get_by_test_id("page-fault").count() == 0
    page.get_by_test_id("page-previous").click()
    view.unreadable = ""
    page.get_by_test_id("page-again").click()
    whole(page, chapter.book.order[1])
    assert page.get_by_test_id("page-fault").count() == 0


def test_a_first_page_that_cannot_be_read_keeps_nobody_from_the_rest(chapter: ChapterWork, stage: Any) -> None:
    view = Faulty(chapter)
    view.unreadable = chapter.book.order[0]
    page = stage.show(view)
    page.get_by_test_id("page-fault").get_by_text("Run lantern verify").wait_for()
    page.get_by_test_id("page-next").click()
    whole(page, chapter.book.order[1])


def test_without_a_canvas_the_page_is_a_still_picture_and_a_list(chapter: ChapterWork, stage: Any) -> None:
    make = stage.browser.new_context

    class Bare:
        """A browser that gives no canvas."""

        def new_context(self, **options: Any) -> Any:
            context = make(**options)
            context.add_init_script("HTMLCanvasElement.prototype.getContext = () => null")
            return context

    stage.browser = Bare()
    page = stage.show(PageView(chapter))
    page.get_by_text("This browser gives no canvas").wait_for()
    page.get_by_role("img", name="picture of Page 1").locator("img").first.wait_for()
    assert page.get_by_test_id("viewer-plain").get_by_text("balloon 1").count() == 1
    page.get_by_test_id("page-next").click()
    page.get_by_role("img", name="picture of Page 2").locator("img").first.wait_for()
    assert page.errors == []


# much, and nothing


def test_an_empty_chapter_says_how_to_begin_and_fills_by_itself(ws: Workspace, stage: Any) -> None:
    chapter = ws.comic("Bare").begin_chapter(1, size="A6")
    page = stage.show(PageView(chapter))
    page.get_by_test_id("page-empty").get_by_text("edit.add_page()").wait_for()
    with chapter.edit("first") as edit:
        edit.add_page()
    whole(page, chapter.book.order[0])


def test_a_chapter_of_500_units_opens_with_only_what_is_in_sight(ws: Workspace, stage: Any) -> None:
    chapter = ws.comic("Long").begin_chapter(1, size="A6")
    with chapter.edit("many") as edit:
        for number in range(500):
            edit.add_page(name=f"n{number}")
    order = chapter.book.order
    page = stage.show(PageView(chapter))
    whole(page, order[0])
    thumbs = page.get_by_test_id("page-thumb")
    assert 5 < thumbs.count() < 40
    canvas(page).focus()
    page.keyboard.press("End")
    whole(page, order[499])
    page.wait_for_selector(f"[data-testid=page-thumb][data-unit={order[499]}] img")
    assert thumbs.count() < 40
    assert page.locator(f"[data-unit={order[499]}][role=option]").get_attribute("aria-posinset") == "500"
    page.get_by_test_id("page-mode-strip").click()
    whole(page)
    assert page.get_by_test_id("page-strip").evaluate("box => box.scrollTop") > 100_000
    assert page.errors == []


def test_a_page_of_400_objects_is_hovered_and_stepped_through(ws: Workspace, stage: Any) -> None:
    chapter = ws.comic("Full").begin_chapter(1, size="A4")
    with chapter.edit("many") as edit:
        page = edit.add_page()
        for number in range(400):
            page.add_frame(rect=(8 + number % 20 * 9.7, 8 + number // 20 * 14, 9, 13))
    shown = stage.show(PageView(chapter))
    whole(shown)
    shown.get_by_test_id("page-outlines").click()
    shown.get_by_test_id("page-reading").click()
    canvas(shown).focus()
    shown.keyboard.press("Enter")
    for _ in range(5):
        shown.keyboard.press("ArrowRight")
    assert "frame 6, 6 of 400" in shown.get_by_test_id("spoken").inner_text()
    frames = chapter.book.unit(chapter.book.order[0]).objects
    shown.wait_for_selector(f"canvas[data-hovered={frames[5].id}]")
    assert shown.errors == []


# where it is shown


def test_in_a_narrow_window_everything_is_within_reach(chapter: ChapterWork, stage: Any) -> None:
    stage.size = (420, 800)
    page = stage.show(PageView(chapter))
    whole(page)
    width = page.evaluate("() => document.querySelector('.lk').getBoundingClientRect().right")
    assert page.evaluate("() => document.documentElement.scrollWidth") <= 420
    box = canvas(page).bounding_box()
    canvas(page).click(position={"x": box["width"] / 2, "y": box["height"] / 3})
    side = page.get_by_test_id("page-selected").bounding_box()
    assert side["y"] > box["y"] + box["height"] - 1
    assert side["x"] + side["width"] <= width + 1
    for name in ("page-annotate", "page-mode-strip", "viewer-fit"):
        spot = page.get_by_test_id(name).bounding_box()
        assert spot["x"] >= 0
        assert spot["x"] + spot["width"] <= 420


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True)])
def test_nothing_is_hard_to_perceive(
    chapter: ChapterWork, stage: Any, axe: Callable[[Any], list[str]], language: str, dark: bool
) -> None:
    chapter.annotate("The moon is too small", on=chapter.book.order[0])
    stage.language, stage.dark = language, dark
    page = stage.show(PageView(chapter))
    whole(page)
    page.get_by_test_id("page-findings-toggle").click()
    page.get_by_test_id("page-finding").first.wait_for()
    assert axe(page) == []
    canvas(page).click(position=at(page, 20, 20))
    page.get_by_test_id("page-annotate-this").click()
    page.get_by_test_id("page-note-body").wait_for()
    assert axe(page) == []
    page.get_by_test_id("page-mode-strip").click()
    whole(page)
    assert axe(page) == []
    if language == "zh":
        assert "第 1" in page.get_by_test_id("page-place").inner_text()


def test_nothing_is_left_behind_when_it_is_taken_off_the_page(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    page.evaluate("""() => {
        window.freed = 0;
        const free = URL.revokeObjectURL;
        URL.revokeObjectURL = (url) => { window.freed++; free(url); };
    }""")
    page.get_by_test_id("page-thumb").nth(2).locator("img").wait_for()
    page.evaluate("() => models[0].leave.abort()")
    assert page.locator(".lk").count() == 0
    assert page.evaluate("() => window.freed") >= 3
    assert page.errors == []
