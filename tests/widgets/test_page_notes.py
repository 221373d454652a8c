"""PageView: annotations written in the browser, findings, and the work that goes on meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import PageView, Workspace, create_workspace
from lantern_kit.comic.annotation import Kind
from lantern_kit.comic.work.chapter import ChapterWork
from tests.widgets.albums import album, at, canvas, whole


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as opened:
        yield opened


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    return album(ws)


def balloon(chapter: ChapterWork, place: int = 0) -> str:
    unit = chapter.book.unit(chapter.book.order[place])
    return next(item.id for item in unit.objects if item.kind == "balloon")


# annotations


def test_an_annotation_on_an_object_is_written_where_it_was_clicked(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    page.get_by_test_id("page-annotate").click()
    page.get_by_test_id("page-aim").wait_for()
    canvas(page).click(position=at(page, 50, 100))
    assert page.get_by_test_id("page-about-thing").is_checked()
    assert page.evaluate("() => document.activeElement.tagName") == "TEXTAREA"
    page.get_by_test_id("page-note-body").fill("Say it louder")
    page.keyboard.press("Control+Enter")
    saved = page.get_by_test_id("page-notice")
    saved.get_by_text("Agents find it with their annotations tool").wait_for()
    (note,) = chapter.annotations()
    assert note.id in saved.inner_text()
    assert chapter.id in saved.inner_text()
    assert (note.facts.body, note.facts.actor) == ("Say it louder", "ann")
    assert note.references[0].target == balloon(chapter)
    page.get_by_test_id("viewer-mark").locator("visible=true").wait_for()
    assert page.errors == []


def test_an_annotation_on_a_point_needs_no_pointer(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    page.get_by_test_id("page-annotate").click()
    canvas(page).focus()
    page.keyboard.press("Enter")
    page.get_by_test_id("page-about-point").check()
    page.get_by_test_id("page-note-body").fill("A moon here")
    page.get_by_test_id("page-note-save").click()
    page.get_by_test_id("page-notice").wait_for()
    (reference,) = chapter.annotations()[0].references
    assert reference.kind is Kind.POINT
    assert all(abs(share - 500_000) < 5_000 for share in reference.at)


def test_escape_gives_up_and_words_alone_make_no_annotation(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    page.get_by_test_id("page-annotate").click()
    page.keyboard.press("Escape")
    page.get_by_test_id("page-aim").wait_for(state="detached")
    page.get_by_test_id("page-annotate").click()
    canvas(page).click(position=at(page, 20, 90))
    page.get_by_test_id("page-note-body").fill("   ")
    page.get_by_test_id("page-note-save").click()
    page.get_by_test_id("page-note-form").wait_for()
    page.get_by_test_id("page-note-body").press("Escape")
    page.get_by_test_id("page-note-form").wait_for(state="detached")
    assert len(chapter.annotations()) == 0


def test_a_refused_annotation_keeps_its_words_and_says_why(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).click(position=at(page, 50, 100))
    page.get_by_test_id("page-annotate-this").click()
    page.get_by_test_id("page-note-body").fill("Louder")
    with chapter.edit("away") as edit:
        edit[balloon(chapter)].remove()
    page.get_by_test_id("page-note-save").click()
    page.get_by_test_id("page-note-error").get_by_text("what to do").wait_for()
    assert page.get_by_test_id("page-note-body").input_value() == "Louder"


def test_annotations_are_pins_that_can_be_read(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("The moon is too small", on={"unit": chapter.book.order[0], "point": (0.8, 0.7)})
    settled = chapter.annotate("Done already", on=chapter.book.order[0])
    settled.resolve()
    page = stage.show(PageView(chapter))
    whole(page)
    pin = page.get_by_role("button", name="Annotation 1: The moon is too small")
    box, picture = pin.bounding_box(), canvas(page).bounding_box()
    place = at(page, 0.8 * 105, 0.7 * 148)
    assert abs(box["x"] - picture["x"] - place["x"]) < 3
    assert abs(box["y"] + box["height"] - picture["y"] - place["y"]) < 3
    pin.click()
    note = page.get_by_test_id("page-note")
    assert "as it was" in note.inner_text()
    assert "ann" in note.inner_text()
    assert page.get_by_text("Annotations 1").count() == 1
    page.get_by_test_id("page-notes").click()
    pin.wait_for(state="detached")


def test_the_pin_of_what_is_gone_stays_and_says_so(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("Louder", on=balloon(chapter))
    with chapter.edit("away") as edit:
        edit[balloon(chapter)].remove()
    page = stage.show(PageView(chapter))
    whole(page)
    page.locator("[data-testid=viewer-mark][data-tone=lost]:visible").click()
    page.get_by_test_id("page-note").get_by_text("gone since").wait_for()


def test_an_annotation_made_elsewhere_appears_by_itself(ws: Workspace, chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    with Workspace(ws.path) as other:
        other.comic("Chelsea").chapter(1).annotate("From afar", on=chapter.book.order[0])
    page.get_by_role("button", name="Annotation 1: From afar").wait_for()


# findings


def test_findings_are_boxes_and_a_list_that_leads_to_them(ws: Workspace, stage: Any) -> None:
    chapter = ws.comic("Faulty").begin_chapter(1, size="A6")
    with chapter.edit("a crowded balloon") as edit:
        edit.add_page().say("far too many words for so small a place " * 8, at=(50, 50), size=(20, 10))
        edit.add_page()
    page = stage.show(PageView(chapter))
    whole(page)
    page.get_by_test_id("page-findings-toggle").click()
    found = page.get_by_test_id("page-finding")
    found.first.wait_for()
    assert "balloon 1" in found.first.inner_text()
    assert page.locator("[data-testid=viewer-mark]:visible").count() == found.count()
    zoom = page.get_by_test_id("viewer-zoom").inner_text()
    found.first.click()
    page.wait_for_function(
        "zoom => (document.querySelector('[data-testid=viewer-zoom]')?.textContent ?? zoom) !== zoom", arg=zoom
    )
    canvas(page).focus()
    page.keyboard.press("PageDown")
    page.get_by_text("The checks find nothing here.").wait_for()


# the work goes on


def test_the_work_is_followed_in_place_and_the_zoom_stays(ws: Workspace, chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    for _ in range(3):
        page.get_by_test_id("viewer-zoom-in").click()
    whole(page)
    zoom = page.get_by_test_id("viewer-zoom").inner_text()
    before = canvas(page).evaluate("canvas => canvas.toDataURL()")
    with Workspace(ws.path) as other:
        work = other.comic("Chelsea").chapter(1)
        with work.edit("a large word") as edit:
            edit[0].say("BOO", at=(52, 74), size=(60, 40))
    page.wait_for_selector(f"[data-testid=page][data-revision={chapter.moment.id}]")
    page.wait_for_function(
        "before => document.querySelector('[data-testid=viewer-canvas]').toDataURL() !== before", arg=before
    )
    whole(page)
    assert page.get_by_test_id("viewer-zoom").inner_text() == zoom
    assert "moved on" in page.get_by_test_id("page-notice").inner_text()
    assert page.errors == []


def test_a_named_revision_stays_and_the_newest_is_offered(ws: Workspace, chapter: ChapterWork, stage: Any) -> None:
    first = chapter.moment.id
    view = PageView(chapter, first)
    page = stage.show(view)
    whole(page)
    assert page.get_by_test_id("page-news").count() == 0
    with Workspace(ws.path) as other, other.comic("Chelsea").chapter(1).edit("one more") as edit:
        edit.add_page()
    page.get_by_test_id("page-news").get_by_text(f"This is {first}. The work is at {chapter.moment.id}").wait_for()
    assert page.get_by_test_id("page-annotate").is_disabled()
    page.get_by_test_id("page-follow").click()
    page.wait_for_selector(f"[data-testid=page][data-revision={chapter.moment.id}]")
    assert "of 4" in page.get_by_test_id("page-place").inner_text()
    page.get_by_test_id("page-news").wait_for(state="detached")
    page.wait_for_function("() => models[0].state.state.source === 'head'")


def test_a_page_removed_meanwhile_gives_way_to_what_has_its_place(chapter: ChapterWork, stage: Any) -> None:
    first, gone, last = chapter.book.order
    page = stage.show(PageView(chapter, unit=gone))
    whole(page, gone)
    with chapter.edit("away") as edit:
        edit[gone].remove()
    whole(page, last)
    assert "no longer there" in page.get_by_test_id("page-notice").inner_text()
    with chapter.edit("away too") as edit:
        edit[last].remove()
    whole(page, first)


def test_a_page_removed_before_the_notebook_was_opened_again_is_told_of(chapter: ChapterWork, stage: Any) -> None:
    gone = chapter.book.order[1]
    view = PageView(chapter, unit=gone)
    with chapter.edit("away") as edit:
        edit[gone].remove()
    page = stage.show(view)
    whole(page, chapter.book.order[0])
    assert "no longer there" in page.get_by_test_id("page-notice").inner_text()
    assert "is not there any more" in view.text()


def test_a_lock_made_meanwhile_is_shown(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(PageView(chapter))
    whole(page)
    canvas(page).click(position=at(page, 50, 100))
    page.get_by_test_id("page-facts").get_by_text("Chelsea").first.wait_for()
    chapter.lock(balloon(chapter), "my joke")
    page.get_by_test_id("page-selected").get_by_text("my joke").first.wait_for()
