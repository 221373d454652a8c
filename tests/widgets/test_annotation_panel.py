"""AnnotationPanel: annotations written, read and settled in a browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import AnnotationPanel, Workspace, create_workspace, datasets
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import NotFound
from tests.widgets.agents import AGENT, DRAFT


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="mina") as opened:
        yield opened


@pytest.fixture
def chapter(ws: Workspace) -> ChapterWork:
    """Two pages: one all covered by a frame, one with a small frame in a corner."""
    made = ws.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
    with made.edit("two pages") as edit:
        edit.add_page(name="One").add_frame(rect=(2, 2, 101, 144))
        edit.add_page(name="Two").add_frame(rect=(6, 6, 20, 20))
    return made


def frame(chapter: ChapterWork, page: int = 0) -> str:
    return chapter[page].model.objects[0].id


def canvas(page: Any) -> Any:
    found = page.get_by_test_id("viewer-canvas")
    found.wait_for()
    page.wait_for_function("() => document.querySelector('[data-testid=viewer-canvas]')?.dataset.whole === 'true'")
    return found


def card(page: Any, note: str = "") -> Any:
    return page.locator(f"[data-testid=notes-card]{f'[data-note={note}]' if note else ''}")


def test_an_annotation_written_on_a_thing_is_there_for_agents(chapter: ChapterWork, ws: Workspace, stage: Any) -> None:
    page = stage.show(AnnotationPanel(chapter))
    page.get_by_test_id("notes-write").click()
    canvas(page).click()  # in the middle of the frame that covers the page
    page.get_by_test_id("notes-aim").wait_for()
    assert "frame 1" in page.get_by_test_id("notes-aim").inner_text()
    page.get_by_test_id("notes-body").fill("Make the cat bigger.")
    page.get_by_test_id("notes-save").click()
    card(page).wait_for()
    (note,) = chapter.annotations()
    assert note.facts.body == "Make the cat bigger."
    assert note.references[0].target == frame(chapter)
    share = [part / 1_000_000 for part in note.references[0].at]
    assert share == pytest.approx([0.5, 0.5], abs=0.05)
    assert "saved" in page.get_by_test_id("spoken").inner_text()
    listed = ws.dispatcher().dispatch("annotation.list", {"chapter": chapter.id}, actor=AGENT, scopes=DRAFT)
    assert "Make the cat bigger." in str(listed.data)
    assert page.errors == []


def test_a_click_on_bare_paper_is_a_place_on_the_page(chapter: ChapterWork, stage: Any) -> None:
    page = stage.show(AnnotationPanel(chapter, unit=chapter[1].id))
    page.get_by_test_id("notes-write").click()
    canvas(page).click()
    page.get_by_test_id("notes-aim").wait_for()
    page.get_by_test_id("notes-body").fill("Something is missing here.")
    page.get_by_test_id("notes-save").click()
    card(page).wait_for()
    (note,) = chapter.annotations()
    assert note.references[0].kind == "point"
    assert note.references[0].target == chapter[1].id


def test_what_became_of_a_reference_is_shown_after_an_edit(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("Tilt it.", on=frame(chapter))
    page = stage.show(AnnotationPanel(chapter))
    page.locator("[data-testid=notes-reference][data-resolution=unchanged]").wait_for()
    with chapter.edit("narrower") as edit:
        edit[frame(chapter)].reshape(rect=(2, 2, 60, 144))
    page.locator("[data-testid=notes-reference][data-resolution=changed]").wait_for()
    with chapter.edit("gone") as edit:
        edit[frame(chapter)].remove()
    page.locator("[data-testid=notes-reference][data-resolution=missing]").wait_for()
    assert "gone since" in card(page).inner_text()


def test_one_settles_answers_edits_and_deletes(chapter: ChapterWork, stage: Any) -> None:
    note = chapter.annotate("Brighter.", on=chapter[0].id)
    page = stage.show(AnnotationPanel(chapter))
    mine = card(page, note.id)
    mine.get_by_test_id("notes-reply").click()
    mine.get_by_test_id("notes-answer").fill("Only the sky.")
    mine.get_by_test_id("notes-send").click()
    mine.get_by_test_id("notes-message").wait_for()
    mine.get_by_test_id("notes-edit").click()
    mine.get_by_test_id("notes-answer").fill("Much brighter.")
    mine.get_by_test_id("notes-send").click()
    mine.get_by_text("Much brighter.").wait_for()
    assert note.facts.body == "Much brighter."
    mine.get_by_test_id("notes-resolve").click()
    mine.wait_for(state="detached")
    assert note.state == "resolved"
    page.get_by_test_id("notes-settled").click()
    mine.get_by_test_id("notes-reopen").click()
    page.get_by_test_id("notes-all").click()
    page.locator(f"[data-note={note.id}][data-state=open]").wait_for()
    mine.get_by_test_id("notes-delete").click()
    page.get_by_test_id("notes-delete-sure").click()
    mine.wait_for(state="detached")
    with pytest.raises(NotFound):
        _ = note.facts


def test_a_reference_leads_to_its_page(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("First.", on=chapter[0].id)
    chapter.annotate("Second.", on=frame(chapter, 1))
    page = stage.show(AnnotationPanel(chapter))
    canvas(page)
    assert page.get_by_test_id("notes-unit").input_value() == chapter[0].id
    page.get_by_test_id("notes-go").nth(1).click()
    page.wait_for_function(f"() => document.querySelector('[data-testid=notes-unit]')?.value === '{chapter[1].id}'")


def test_words_that_are_too_long_are_refused_and_stay_to_be_shortened(chapter: ChapterWork, stage: Any) -> None:
    note = chapter.annotate("Short.", on=chapter[0].id)
    page = stage.show(AnnotationPanel(chapter))
    card(page).get_by_test_id("notes-edit").click()
    card(page).get_by_test_id("notes-answer").fill("x" * 4_001)
    card(page).get_by_test_id("notes-send").click()
    page.get_by_test_id("notes-error").wait_for()
    assert page.get_by_test_id("notes-error").get_attribute("data-code") == "bad_input"
    assert len(card(page).get_by_test_id("notes-answer").input_value()) == 4_001
    assert note.facts.body == "Short."


def test_an_annotation_deleted_elsewhere_meanwhile_is_told(chapter: ChapterWork, ws: Workspace, stage: Any) -> None:
    note = chapter.annotate("Brighter.", on=chapter[0].id)
    page = stage.show(AnnotationPanel(chapter))
    card(page).wait_for()
    with Workspace(ws.path) as other:
        other.works()[0].chapter(1).annotations()[note.id].delete()
    card(page).wait_for(state="detached")
    page.get_by_test_id("notes-none").wait_for()


def test_attached_pictures_are_shown_small(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("Like this.", on=chapter[0].id, attach=datasets.open_photo("chelsea"))
    page = stage.show(AnnotationPanel(chapter))
    page.locator(".lk-notes-attached img").wait_for()


def test_an_empty_chapter_and_an_unwritten_page_say_what_to_do(ws: Workspace, stage: Any) -> None:
    chapter = ws.comic("Empty").begin_chapter(1, size="A6")
    page = stage.show(AnnotationPanel(chapter))
    page.get_by_text("The chapter has no pages yet.").wait_for()
    assert page.get_by_test_id("notes-write").is_disabled()


def test_nothing_can_be_written_while_the_kernel_is_gone(chapter: ChapterWork, stage: Any) -> None:
    chapter.annotate("Brighter.", on=chapter[0].id)
    page = stage.show(AnnotationPanel(chapter))
    card(page).wait_for()
    stage.cut(page)
    page.get_by_test_id("link-badge").wait_for()
    assert page.get_by_test_id("notes-write").is_disabled()
    assert card(page).get_by_test_id("notes-resolve").is_disabled()
    assert card(page).count() == 1


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True)])
def test_nothing_in_it_is_hard_to_perceive(
    chapter: ChapterWork, stage: Any, axe: Any, language: str, dark: bool
) -> None:
    chapter.annotate("Brighter.", on=[frame(chapter), chapter[1].id])
    chapter.annotations()[0].reply("Only the sky.")
    stage.language, stage.dark = language, dark
    page = stage.show(AnnotationPanel(chapter))
    canvas(page)
    page.get_by_test_id("notes-write").click()
    assert axe(page) == []


def test_its_static_form_is_small_and_tells_the_same(chapter: ChapterWork) -> None:
    for number in range(12):
        chapter.annotate(f"Note {number}.", on=chapter[number % 2].id)
    panel = AnnotationPanel(chapter)
    assert "Note 11." in panel.text()
    assert "Note 11." in panel.picture()
    assert 1_000 < len(panel.picture()) < 80_000


def test_a_unit_that_is_not_there_is_refused(chapter: ChapterWork) -> None:
    with pytest.raises(NotFound):
        AnnotationPanel(chapter, unit="un_nothere")
