"""A person follows a chapter's past in a browser: both halves, no Jupyter between them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.actor import Actor
from lantern_kit.widgets.history_view import HistoryView
from lantern_kit.workspace import Workspace
from tests.widgets.pasts import Studio, raw, storied

WHOLE = "() => document.querySelector('canvas')?.dataset.whole === 'true'"
ANN = Actor.person("ann")


@pytest.fixture
def here(tmp_path: Path) -> Iterator[Studio]:
    made = storied(tmp_path)
    yield made
    made.ws.close()


def shown(studio: Studio, stage: Any, **options: Any) -> Any:
    """A page with the history, its rows there."""
    page = stage.show(HistoryView(studio.chapter, **options))
    page.get_by_test_id("history-row").first.wait_for()
    return page


def row(page: Any, revision: str) -> Any:
    return page.locator(f"[data-testid=history-row][data-id={revision}]")


def rows(page: Any) -> list[str]:
    return [str(item.get_attribute("data-id")) for item in page.get_by_test_id("history-row").all()]


def chosen(page: Any, revision: str) -> Any:
    """The pane of a revision, once all of it is there."""
    pane = page.locator(f"[data-testid=history-detail][data-revision={revision}]")
    pane.wait_for()
    return pane


def choose(page: Any, revision: str) -> Any:
    row(page, revision).click()
    return chosen(page, revision)


def counted(page: Any, rows: int) -> None:
    page.locator(f"[data-testid=history-list][data-rows='{rows}'][aria-busy=false]").wait_for()


def press(page: Any, *keys: str) -> None:
    page.get_by_test_id("history-list").focus()
    for key in keys:
        page.keyboard.press(key)


# rows and graph


def test_the_past_stands_there_newest_first_with_all_that_hangs_on_it(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    newest_first = ["r20", "r19", "r18", "r17", "r16", "r15", "r14", "r13", "r12", "r11", "r10", "r9", "r8", "r3", "r2"]
    assert rows(page) == [*newest_first, "r1"]
    said = row(page, "r11").get_attribute("aria-description")
    for words in (
        "by mina",
        "p1 applied by mina (demo key), 1 part left out",
        "saved as s1",
        "2 changes",
    ):
        assert words in said
    assert "the work now" in row(page, "r16").inner_text()
    assert "5 edits" in row(page, "r8").inner_text()
    assert "20 revisions" in page.get_by_test_id("history-count").inner_text()
    drawn = page.locator(".lk-history-graph .lk-history-edge").evaluate_all(
        "(paths) => paths.map((path) => path.classList[1])"
    )
    assert {*drawn} == {
        "lk-history-trunk",
        "lk-history-branch",
        "lk-history-fork",
        "lk-history-merge",
        "lk-history-copy",
    }
    assert page.locator(".lk-history-graph .lk-history-edge[data-dashed]").count() == 0
    assert page.errors == []


def test_a_run_opens_and_folds_by_click_and_by_key(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    row(page, "r8").locator("[data-act=fold]").click()
    counted(page, 20)
    assert {"r4", "r5", "r6", "r7"} <= {*rows(page)}
    row(page, "r6").locator("[data-act=fold]").click()
    counted(page, 16)
    row(page, "r8").click()
    press(page, "ArrowRight")
    counted(page, 20)
    press(page, "ArrowLeft")
    counted(page, 16)
    page.get_by_test_id("history-fold").uncheck()
    counted(page, 20)


def test_keys_lead_through_the_list_and_the_screen_reader_follows(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    keys = [("ArrowDown", "r20"), ("ArrowDown", "r19"), ("End", "r1"), ("ArrowUp", "r2"), ("Home", "r20")]
    keys += [("PageDown", "r1"), ("PageUp", "r20")]
    for key, revision in keys:
        press(page, key)
        page.locator(f"[data-testid=history-row][data-id={revision}][aria-selected=true]").wait_for()
        active = page.get_by_test_id("history-list").get_attribute("aria-activedescendant")
        assert active == row(page, revision).get_attribute("id")
    assert row(page, "r20").get_attribute("aria-setsize") == "16"
    assert row(page, "r20").get_attribute("aria-posinset") == "1"
    chosen(page, "r20")
    press(page, "Enter")
    assert page.evaluate("() => document.activeElement.classList.contains('lk-history-right')")
    page.keyboard.press("Escape")
    assert page.evaluate("() => document.activeElement.getAttribute('role')") == "listbox"


def test_a_filter_keeps_the_graph_together_and_says_how_much_is_shown(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    page.get_by_test_id("history-lines-drafts").click()
    counted(page, 7)
    assert "12 of 20" not in page.get_by_test_id("history-count").inner_text()
    assert page.get_by_test_id("history-count").inner_text() == "11 of 20 revisions"
    assert page.locator(".lk-history-graph .lk-history-fork[data-dashed]").count() == 3
    assert page.locator(".lk-history-graph .lk-history-trunk[data-dashed]").count() > 0
    page.get_by_test_id("history-lines-all").click()
    page.get_by_test_id("history-actor").select_option("person:mina")
    page.get_by_test_id("history-cause").select_option("undo")
    counted(page, 1)
    assert rows(page) == ["r12"]
    page.get_by_test_id("history-clear").click()
    counted(page, 16)
    page.get_by_test_id("history-search").fill("loud")
    counted(page, 2)
    page.get_by_test_id("history-search").fill("nobody says this")
    page.get_by_test_id("history-none").wait_for()
    page.get_by_test_id("history-search").fill("")
    counted(page, 16)
    page.get_by_test_id("history-range").select_option("hour")
    page.get_by_test_id("history-none").wait_for()
    page.get_by_test_id("history-range").select_option("range")
    counted(page, 16)
    page.get_by_test_id("history-to").fill("2020-01-01T00:00")
    page.get_by_test_id("history-none").wait_for()


def test_what_touched_a_thing_is_found_from_a_list_and_by_its_id(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    unit = here.chapter.book.order[1]
    thing = next(item.id for item in here.chapter.book.unit(unit).objects if item.kind == "balloon")
    page.get_by_test_id("history-touches").focus()
    page.locator(f"[data-testid=history-touches] option[value={unit}]").wait_for(state="attached")
    page.get_by_test_id("history-touches").select_option(unit)
    counted(page, 8)
    page.locator(f"[data-testid=history-touches-object] option[value={thing}]").wait_for(state="attached")
    page.get_by_test_id("history-touches-object").select_option(thing)
    counted(page, 8)
    page.get_by_test_id("history-touches").select_option("?")
    page.get_by_test_id("history-touches-id").fill(f"{thing}#00000000")
    page.get_by_test_id("history-touches-id").press("Enter")
    counted(page, 8)
    page.get_by_test_id("history-touches-id").fill("no id at all")
    page.get_by_test_id("history-touches-id").press("Enter")
    assert "neither an id nor a handle" in page.get_by_test_id("history-error").inner_text()
    page.get_by_test_id("history-clear").click()
    counted(page, 16)
    page.get_by_test_id("history-error").wait_for(state="detached")


# one and two


def test_the_chosen_revision_tells_all_of_its_verdict_and_shows_the_pages(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    pane = choose(page, "r11")
    pane.get_by_test_id("history-difference").wait_for()
    words = pane.inner_text()
    for part in (
        "Proposal p1: applied", "Softer words on all pages", "applied by mina (demo key)", "merged",
        "the signature holds", "reason: much better", "keep my silence", "“Hm.” → “Oh!”", "2 changes on 2 pages",
    ):  # fmt: skip
        assert part in words
    left = pane.get_by_test_id("history-left-out").inner_text()
    assert "Page 3: balloon 1: “Hm.” → “Nobody lit it.”" in left
    page.wait_for_function(
        "() => document.querySelectorAll('[data-testid=history-pictures] img').length === 4"
        " && [...document.querySelectorAll('[data-testid=history-pictures] img')].every((img) => img.naturalWidth > 50)"
    )
    pane.get_by_test_id("history-jump").get_by_text("r9", exact=True).click()
    assert "draft d1" in chosen(page, "r9").inner_text()


def test_a_folded_run_tells_what_all_of_it_changed(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    pane = choose(page, "r8")
    pane.get_by_test_id("history-difference").wait_for()
    assert "What these 5 edits changed" in pane.inner_text()
    assert "3 changes on 3 pages" in pane.inner_text()


def test_any_two_are_compared_in_words_and_pictures_in_every_mode(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    row(page, "r2").click()
    press(page, "a")
    assert "A" in row(page, "r2").inner_text()
    row(page, "r9").click()
    press(page, "b")
    page.get_by_test_id("history-compare").wait_for()
    page.wait_for_function(WHOLE)
    assert "3 changes on 3 pages" in page.get_by_test_id("history-compare").inner_text()
    for mode in ("swipe", "blink", "onion", "difference", "side"):
        page.get_by_test_id(f"history-mode-{mode}").click()
        page.locator(f"[data-testid=viewer][data-mode={mode}]").wait_for()
        page.wait_for_function(WHOLE)
    page.get_by_test_id("history-compare-unit").select_option(here.chapter.book.order[2])
    page.locator("[data-testid=viewer-canvas][aria-label*='Page 3: r2, r9']").wait_for()
    page.get_by_test_id("history-swap").click()
    page.get_by_text("From r9 to r2").wait_for()
    press(page, "Escape")
    assert "Mark two revisions" in page.get_by_test_id("history-compare").inner_text()
    assert page.errors == []


def test_a_page_that_only_one_of_them_has_is_shown_alone(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r1").get_by_test_id("history-mark-a").click()
    choose(page, "r2").get_by_test_id("history-mark-b").click()
    page.get_by_text("is only in r2").wait_for()
    page.wait_for_function(WHOLE)


def test_marks_and_place_come_back_when_the_page_is_loaded_again(here: Studio, stage: Any) -> None:
    view = HistoryView(here.chapter)
    page = stage.show(view)
    row(page, "r2").click()
    press(page, "a")
    page.get_by_test_id("history-lines-work").click()
    counted(page, 9)
    page.close()
    again = stage.show(view)
    counted(again, 9)
    again.locator("[data-testid=history-row][data-id=r2][aria-selected=true]").wait_for()
    assert "A" in row(again, "r2").inner_text()
    assert sum(len(str(value)) for value in view.get_state().values()) < 5_000


# going back


def test_a_restore_says_what_it_does_asks_why_and_is_shown(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r11").get_by_test_id("history-restore").click()
    dialog = page.get_by_test_id("history-restore-dialog")
    dialog.get_by_test_id("history-preview").wait_for()
    words = dialog.inner_text()
    for part in ("on top of r16 will hold what r11 held", "Nothing is lost", "“Hm.” → “Ah!”", "as mina"):
        assert part in words
    assert dialog.get_by_test_id("history-restore-do").is_disabled()
    dialog.get_by_test_id("history-reason").fill("both lines were better")
    dialog.get_by_test_id("history-restore-do").click()
    row(page, "r21").wait_for()
    assert "r11 was restored as r21" in page.get_by_test_id("history-note").inner_text()
    newest = here.chapter.history().revisions[0]
    assert (newest.id, newest.cause, newest.message) == ("r21", "restore", "both lines were better")
    assert here.chapter.book == here.ws.comics.at(11).book


def test_a_restore_meets_a_work_that_moved_on_and_is_decided_anew(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r11").get_by_test_id("history-restore").click()
    dialog = page.get_by_test_id("history-restore-dialog")
    dialog.get_by_test_id("history-reason").fill("better")
    with here.chapter.edit("meanwhile", by=ANN) as edit:
        edit.add_page(name="Late")
    dialog.get_by_test_id("history-restore-do").click()
    refusal = dialog.locator("[data-code=stale_head]")
    assert "The work moved on to r21" in refusal.inner_text()
    assert "r21: edited by ann · meanwhile" in refusal.inner_text()
    assert here.chapter.moment.id == "r21"
    dialog.get_by_test_id("history-again").click()
    dialog.get_by_text("on top of r21").wait_for()
    assert "Late" in dialog.get_by_test_id("history-preview").inner_text()
    dialog.get_by_test_id("history-restore-do").click()
    row(page, "r22").wait_for()
    assert here.chapter.moment.id == "r22"


def test_what_lies_in_a_draft_is_not_restored_and_what_is_there_already_neither(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r18").get_by_test_id("history-restore").click()
    page.get_by_text("reaches the work by a verdict").wait_for()
    assert page.get_by_test_id("history-restore-do").count() == 0
    page.keyboard.press("Escape")
    page.get_by_test_id("history-restore-dialog").wait_for(state="detached")
    assert choose(page, "r16").get_by_test_id("history-restore").is_disabled()
    here.chapter.restore("r11", "back")
    row(page, "r21").wait_for()
    choose(page, "r13").get_by_test_id("history-restore").click()
    page.get_by_test_id("history-same").wait_for()


def test_things_are_picked_with_what_they_need_and_nothing_else(here: Studio, stage: Any) -> None:
    chapter = here.chapter
    with chapter.edit("a frame with a balloon") as edit:
        frame = edit[1].add_frame(rect=(20, 20, 60, 60))
        said = frame.say("Up.", at=(50, 50))
    with chapter.edit("without it") as edit:
        edit[frame.id].remove()
    full, head = "r21", "r22"
    page = shown(here, stage)
    choose(page, full).get_by_test_id("history-pick").click()
    dialog = page.get_by_test_id("history-pick-dialog")
    dialog.locator(f"[data-thing={said.id}] input").check()
    comes = dialog.get_by_test_id("history-comes")
    assert "Page 2: frame 2" in comes.inner_text()
    assert "balloon" in dialog.get_by_test_id("history-picking").inner_text()
    dialog.get_by_test_id("history-reason").fill("up it goes")
    dialog.get_by_test_id("history-pick-do").click()
    row(page, "r23").wait_for()
    newest = chapter.history().revisions[0]
    assert (newest.cause, newest.message) == ("pick", "up it goes · from r21")
    assert head == "r22" and said.id in chapter.book.unit(chapter.book.order[1]).index
    assert "from r21" in row(page, "r23").inner_text()


def test_a_pick_that_does_not_fit_is_explained(here: Studio, stage: Any) -> None:
    chapter = here.chapter
    with chapter.edit("a spread") as edit:
        spread = edit.add_spread()
    with chapter.edit("two pages") as edit:
        edit.run("spread.split", spread.id)
    page = shown(here, stage)
    choose(page, "r21").get_by_test_id("history-pick").click()
    dialog = page.get_by_test_id("history-pick-dialog")
    assert "not by itself" in dialog.get_by_test_id("history-refused").inner_text()
    dialog.locator(f"[data-thing={spread.id}] input").check()
    refused = dialog.get_by_test_id("history-pick-refused")
    assert "does not fit what is there" in refused.inner_text()
    assert "what to do" in refused.inner_text()
    assert dialog.get_by_test_id("history-pick-do").is_disabled()
    assert chapter.moment.id == "r22"


def test_undo_redo_and_save_are_at_hand(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    undo = page.locator("[data-testid=history-undo]:enabled")
    assert undo.get_attribute("title") == "Undo the last change: back to r15"
    undo.click()
    row(page, "r21").wait_for()
    page.locator("[data-testid=history-redo]:enabled").click()
    row(page, "r22").wait_for()
    page.locator("[data-testid=history-redo]:disabled").wait_for()
    page.get_by_test_id("history-save").click()
    page.get_by_test_id("history-save-title").fill("the loud one")
    page.get_by_test_id("history-save-title").press("Enter")
    page.get_by_text("Saved r22 as s2").first.wait_for()
    row(page, "r22").get_by_text("⚑ s2").wait_for()
    assert next(item.title for item in here.chapter.snapshots()) == "the loud one"


# live


def test_what_somebody_else_does_comes_in_without_losing_the_place(tmp_path: Path, stage: Any) -> None:
    here = Studio.new(tmp_path)
    here.live(400, 10)
    page = shown(here, stage)
    place = page.get_by_test_id("history-list")
    place.evaluate("(list) => { list.scrollTop = 40 * 30 + 7; }")
    page.locator("[data-testid=history-row][data-place='42']").wait_for()
    chosen_id = str(page.locator("[data-testid=history-row][data-place='42']").get_attribute("data-id"))
    choose(page, chosen_id)
    before = row(page, chosen_id).bounding_box()["y"]
    old = here.chapter.history().revisions[5].id
    here.chapter.restore(old, "an hour ago was better", by=ANN)
    page.get_by_test_id("history-fresh").wait_for()
    assert "1 new" in page.get_by_test_id("history-fresh").inner_text()
    assert "restored, by ann" in page.get_by_test_id("history-note").inner_text()
    assert "restored, by ann" in page.get_by_test_id("spoken").inner_text()
    page.locator(f"[data-testid=history-row][data-id={chosen_id}][data-place='43']").wait_for()
    assert row(page, chosen_id).bounding_box()["y"] == pytest.approx(before, abs=1)
    assert row(page, chosen_id).get_attribute("aria-selected") == "true"
    page.get_by_test_id("history-fresh").click()
    row(page, here.chapter.moment.id).wait_for()
    page.get_by_test_id("history-fresh").wait_for(state="detached")
    here.ws.close()


def test_at_the_top_new_rows_come_in_sight_by_themselves(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r14")
    with Workspace(here.ws.path, config=here.ws.config) as other:
        other.comic("Lantern in the Fog").chapter(1).restore("r2", "again", by=ANN)
    row(page, "r21").wait_for()
    assert "the work now" in row(page, "r21").inner_text()
    assert row(page, "r14").get_attribute("aria-selected") == "true"
    chosen(page, "r14")


def test_a_commit_elsewhere_changes_nothing_here(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    here.ws.comic("Another").begin_chapter(1, size="A6")
    here.chapter.save("quietly")
    row(page, "r16").get_by_text("⚑ s2").wait_for()
    counted(page, 16)


# faults


def test_without_a_kernel_what_was_read_stays_and_nothing_can_be_done(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    choose(page, "r11")
    page.locator("[data-testid=history-undo]:enabled").wait_for()
    stage.cut(page)
    page.locator("[data-testid=link-badge][data-state=gone]").wait_for()
    for name in ("history-undo", "history-save", "history-restore", "history-pick"):
        assert page.get_by_test_id(name).is_disabled(), name
    assert rows(page)[0] == "r20"
    page.get_by_test_id("history-lines-work").click()
    assert "The kernel is gone" in page.get_by_test_id("history-error").inner_text()


def test_a_kernel_that_is_busy_is_waited_for(here: Studio, stage: Any) -> None:
    page = shown(here, stage)
    stage.silence(page)
    row(page, "r11").click()
    page.locator("[data-testid=link-badge][data-state=waiting]").wait_for()
    here.chapter.restore("r2", "meanwhile", by=ANN)
    stage.resume(page)
    page.get_by_test_id("link-badge").wait_for(state="detached")
    chosen(page, "r11")
    row(page, "r21").wait_for()


def test_an_empty_history_says_so(here: Studio, stage: Any) -> None:
    page = stage.show(HistoryView(here.ws.comic("Another").begin_chapter(1, size="A6")))
    page.get_by_test_id("history-empty").wait_for()
    assert len(rows(page)) == 1
    assert page.get_by_test_id("history-undo").is_disabled()


def test_a_damaged_revision_says_so_and_the_rest_works(here: Studio, stage: Any) -> None:
    raw(here.ws, "UPDATE revisions SET message = 'never said' WHERE id = 10")
    raw(here.ws, "UPDATE revisions SET actor_kind = 'nobody' WHERE id = 14")
    raw(here.ws, "DELETE FROM revisions WHERE id = 12")
    page = shown(here, stage)
    page.wait_for_function("() => document.querySelectorAll('[data-testid=history-damaged]').length === 3")
    assert "cannot be read" in row(page, "r14").get_attribute("aria-description")
    assert "missing" in row(page, "r12").get_attribute("aria-description")
    assert "facts are not those that were written" in row(page, "r10").get_attribute("aria-description")
    pane = choose(page, "r10")
    assert "lantern verify" in pane.get_by_test_id("history-damage").inner_text()
    assert choose(page, "r14").get_by_test_id("history-restore").is_disabled()
    choose(page, "r15").get_by_test_id("history-difference-error").wait_for()
    choose(page, "r9").get_by_test_id("history-difference").wait_for()
    page.locator("[data-testid=history-undo]:enabled").click()
    row(page, "r21").wait_for()


@pytest.fixture(scope="module")
def long(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Studio]:
    """5,000 revisions with 200 drafts."""
    made = Studio.new(tmp_path_factory.mktemp("long"))
    made.live(5_600, 200)
    yield made
    made.ws.close()


def test_five_thousand_revisions_open_at_once_and_each_can_be_come_to(long: Studio, stage: Any) -> None:
    page = shown(long, stage)
    page.get_by_test_id("history-fold").uncheck()
    total = int(re.findall(r"\d+", page.get_by_test_id("history-count").inner_text())[0])
    assert total >= 5_000
    counted(page, total)
    press(page, "End")
    page.locator("[data-testid=history-row][data-id=r1][aria-selected=true]").wait_for()
    assert page.get_by_test_id("history-row").count() < 80
    middle = total // 2
    page.get_by_test_id("history-list").evaluate(f"(list) => {{ list.scrollTop = {middle} * 30; }}")
    page.locator(f"[data-testid=history-row][data-place='{middle}']").wait_for()
    assert page.locator(".lk-history-graph .lk-history-edge").count() < 400
    press(page, "Home")
    page.locator("[data-testid=history-row][data-place='0'][aria-selected=true]").wait_for()
    assert page.errors == []


# how it looks and sounds


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True)])
def test_nothing_in_it_is_hard_to_perceive(
    here: Studio, stage: Any, axe: Callable[[Any], list[str]], language: str, dark: bool
) -> None:
    stage.language, stage.dark = language, dark
    page = shown(here, stage)
    page.locator("summary").click()
    choose(page, "r11").get_by_test_id("history-difference").wait_for()
    assert axe(page) == []
    page.get_by_test_id("history-restore").click()
    page.get_by_test_id("history-preview").wait_for()
    assert axe(page) == []
    page.keyboard.press("Escape")
    choose(page, "r2").get_by_test_id("history-mark-a").click()
    choose(page, "r9").get_by_test_id("history-mark-b").click()
    page.wait_for_function(WHOLE)
    assert axe(page) == []


def test_in_chinese_all_words_are_chinese_but_what_people_wrote(here: Studio, stage: Any) -> None:
    stage.language = "zh"
    page = shown(here, stage)
    pane = choose(page, "r11")
    pane.get_by_test_id("history-difference").wait_for()
    page.locator("summary").click()
    told = page.locator(".lk-history").inner_text()
    own = r"mina( \(demo key\))?|claude-code|Lantern in the Fog|chapter|Softer words on all pages|much better"
    own += r"|keep my silence|say [A-Z].*|softer words|a joke|the first .*|a name for .*|louder|but loud .*"
    own += r"|back to r\d+|p1:|lantern verify"
    rest = re.sub(own, "", told)
    assert not re.findall(r"[A-Za-z]{4,}", re.sub(r"[0-9a-f]{16,}|ke_\w+|“[^”]*”", "", rest))


def test_in_a_narrow_window_all_stands_below_each_other(here: Studio, stage: Any) -> None:
    stage.size = (420, 900)
    page = shown(here, stage)
    pane = choose(page, "r11")
    pane.get_by_test_id("history-difference").wait_for()
    assert page.evaluate("() => document.documentElement.scrollWidth <= innerWidth")
    listed, detail = page.get_by_test_id("history-list").bounding_box(), pane.bounding_box()
    assert detail["y"] > listed["y"] + listed["height"]
    heights = page.get_by_test_id("history-row").evaluate_all("(rows) => rows.map((row) => row.scrollHeight)")
    assert max(heights) <= 54
