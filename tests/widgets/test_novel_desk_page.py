"""NovelDesk in a real browser: read, instructed and decided about while an author writes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.novel.model import Approval, Source, Target
from lantern_kit.novel.plan import Plan
from lantern_kit.novel.whole import changed
from lantern_kit.widgets import NovelDesk
from lantern_kit.workspace import Workspace
from tests.novel.stage import Stage as Novels
from tests.novel.stage import config, content
from tests.novel.stage import stage as novels

SLOW = pytest.mark.prove
"""What a browser alone takes long for: the Python half is tested every time."""


@pytest.fixture
def story(tmp_path: Path) -> Iterator[Novels]:
    """A novel with an outline and one piece of prose."""
    made = novels(tmp_path / "ws")
    made.plan()
    made.write(
        states=[{"person": made.made["mira"], "aspect": "life", "value": "dead", "at": 1}],
        foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}],
    )
    yield made
    made.close()


def shown(stage: Any, story: Novels, *, language: str = "") -> Any:
    page = stage.show(NovelDesk(story.novel_id, story.ws, language=language))
    page.get_by_test_id("novel-title").wait_for()
    return page


def blocked(story: Novels) -> None:
    """The newest instruction contradicts what is written, and the author found that."""
    commit = next(iter(story.novel.commits))
    _, taken = story.ann.instruct("Mira never died.", message="against")
    story.next()
    places = [Source(commit=commit, paragraph=1)]
    story.desk.block(taken.id, "Mira is dead by now.", places, story.novel.head.outline_revision)


def state(page: Any, test_id: str, value: str, name: str = "state") -> None:
    page.wait_for_function(
        "([id, name, value]) => document.querySelector(`[data-testid=${id}]`)?.dataset[name] === value",
        arg=[test_id, name, value],
    )


def test_what_is_committed_is_read_apart_from_what_is_under_way_and_comes_by_itself(story: Novels, stage: Any) -> None:
    page = shown(stage, story)
    paragraphs = page.get_by_test_id("novel-paragraph")
    paragraphs.nth(1).wait_for()
    assert paragraphs.count() == 2
    before = story.novel
    intent = story.next()
    token = story.claim(intent)
    page.get_by_test_id("novel-coming").wait_for()
    assert "bot is writing in “Chapter 1”" in page.get_by_test_id("novel-at").inner_text()
    assert "Unit 2" not in page.get_by_test_id("novel-prose").inner_text()
    weighed = story.desk.weigh(str(intent.unit), token, ["The wind rose.", "Nobody came."], content())
    story.desk.commit(token, weighed)
    story.end(before)
    paragraphs.nth(3).wait_for()
    page.get_by_test_id("novel-coming").wait_for(state="detached")
    assert paragraphs.nth(2).inner_text() == "The wind rose."
    assert "grew by" in page.get_by_test_id("spoken").inner_text()
    assert page.errors == []


def test_a_word_is_received_only_when_its_receipt_is_there_and_once_however_often_it_is_sent(
    story: Novels, stage: Any
) -> None:
    page = shown(stage, story)
    page.get_by_test_id("novel-words").fill("Let it rain.")
    stage.silence(page)
    page.get_by_test_id("novel-send").click()
    state(page, "novel-receipt", "sending")
    assert "not received" in page.get_by_test_id("novel-receipt").inner_text()
    assert story.novel.head.received == 1
    stage.resume(page)
    state(page, "novel-receipt", "received")
    (taken,) = [item for item in story.novel.instructions.values() if item.sequence == 2]
    said = page.get_by_test_id("novel-receipt").inner_text()
    assert "no. 2" in said
    assert taken.id in said
    assert taken.id in page.get_by_test_id("spoken").inner_text()
    assert page.get_by_test_id("novel-words").input_value() == ""
    newest = page.get_by_test_id("novel-instruction").first
    assert newest.get_attribute("data-state") == "pending"
    assert newest.get_by_test_id("novel-takes").get_attribute("data-when") == "next"
    again = shown(stage, story).get_by_test_id("novel-instruction")
    assert again.first.get_attribute("data-state") == "pending", "a page that is loaded anew shows it as it stands"
    assert again.count() == 2


@SLOW
def test_a_word_to_a_kernel_that_is_gone_is_not_received_and_stays_written(story: Novels, stage: Any) -> None:
    page = shown(stage, story)
    page.get_by_test_id("novel-words").fill("Let it rain.")
    stage.silence(page)
    page.get_by_test_id("novel-send").click()
    state(page, "novel-receipt", "sending")
    stage.cut(page)
    state(page, "novel-receipt", "unsent")
    assert page.get_by_test_id("novel-words").input_value() == "Let it rain."
    assert page.get_by_test_id("link-badge").get_attribute("data-state") == "gone"
    assert page.get_by_test_id("novel-paragraph").count() == 2
    assert page.get_by_test_id("novel-pause").is_disabled()


def test_a_conflict_leads_to_its_paragraph_and_is_solved_by_a_clarification(story: Novels, stage: Any) -> None:
    blocked(story)
    page = shown(stage, story)
    assert page.get_by_test_id("novel-pausing").get_attribute("data-reason") == "requirement-conflict"
    resume = page.get_by_test_id("novel-resume")
    assert resume.is_disabled()
    resume.press("Enter")  # in reach of keys, it says why it does nothing
    why = page.locator(f"[id='{resume.get_attribute('aria-describedby')}']")
    assert why.is_visible()
    assert why.inner_text() == "Clarify or withdraw the instruction, then resume."
    page.get_by_test_id("novel-next").click()
    page.get_by_test_id("novel-empty").wait_for()
    page.get_by_test_id("novel-conflict-place").click()
    page.wait_for_function("() => document.activeElement?.dataset.marked === 'true'")
    assert page.evaluate("() => document.activeElement.textContent") == "“1,” said Tom."
    page.get_by_test_id("novel-clarify").click()
    page.wait_for_function("() => document.activeElement?.dataset.testid === 'novel-words'")
    page.keyboard.type("In a dream.")
    page.keyboard.press("Control+Enter")
    state(page, "novel-receipt", "received")
    assert list(story.novel.instructions.values())[-1].answers is not None
    assert page.get_by_test_id("novel-act-error").count() == 0
    page.get_by_test_id("novel-resume").click()
    state(page, "novel-status", "active", "status")


def test_a_form_changes_what_was_written_in_it_and_a_doubtful_seat_is_freed(
    story: Novels, stage: Any, axe: Any
) -> None:
    held = story.novel.config
    with story.ws.journal.write() as connection:
        connection.exec_driver_sql("UPDATE leases SET process = 'elsewhere:12:boot.1' WHERE name LIKE 'novel/%'")
    page = shown(stage, story)
    page.get_by_test_id("novel-configure").click()
    box = page.get_by_test_id("novel-configuring").bounding_box()
    assert box is not None
    assert box["height"] > 300  # all of it is in sight
    save = page.get_by_test_id("novel-configure-now")
    assert save.is_disabled()
    page.get_by_test_id("novel-set-tolerance").fill("10")
    save.click()
    page.get_by_test_id("novel-configure-error").wait_for()  # it aims at no length
    page.get_by_test_id("novel-set-length").fill("9000")
    page.get_by_test_id("novel-set-turns").fill("90")
    assert axe(page) == []
    save.click()
    page.get_by_test_id("novel-configuring").wait_for(state="detached")
    aim = Target(kind="target", characters=9_000, tolerance=100_000, hard_maximum=None)
    assert story.novel.config == changed(held, length=aim, limits=changed(held.limits, turns=90))
    page.get_by_test_id("novel-free").click()
    page.get_by_test_id("novel-free-now").click()
    page.get_by_test_id("novel-freeing").wait_for(state="detached")
    assert page.get_by_test_id("novel-free").count() == 0
    assert story.service.authors.holder(story.novel_id) == ""


@SLOW
def test_what_may_be_done_is_as_the_novel_stands_whoever_moved_it(story: Novels, stage: Any) -> None:
    page = shown(stage, story)
    page.get_by_test_id("novel-pause").click()
    state(page, "novel-status", "paused", "status")
    assert page.get_by_test_id("novel-pause").is_disabled()
    page.wait_for_function("() => document.activeElement?.dataset.testid === 'novel-resume'")  # for keys
    with Workspace(story.ws.path) as other:
        other.novel("The Lamp").resume()
    state(page, "novel-status", "active", "status")
    intent = story.next()
    story.claim(intent)
    state(page, "novel-at", "true", "running")
    page.get_by_test_id("novel-stop").click()
    state(page, "novel-status", "paused", "status")
    assert "in time" in page.get_by_test_id("spoken").inner_text()


@SLOW
def test_an_outline_that_moved_on_while_it_was_read_is_not_approved_by_the_old_button(
    tmp_path: Path, stage: Any
) -> None:
    story = novels(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    story.plan()
    page = shown(stage, story)
    button = page.get_by_test_id("novel-approve")
    assert "Approve outline 1" in button.inner_text()
    stage.silence(page)
    story.ann.instruct("Sadder.", message="sadder")
    story.ann.update_outline()
    story.plan()
    button.click()  # the page has heard nothing of it
    stage.resume(page)
    error = page.get_by_test_id("novel-act-error")
    error.wait_for()
    assert error.get_attribute("data-code") == "novel_revision_conflict"
    page.get_by_text("Approve outline 2").click()
    state(page, "novel-status", "active", "status")
    assert story.novel.head.approved == 2
    story.close()


def test_words_of_others_are_text_and_never_markup(tmp_path: Path, stage: Any) -> None:
    bad = '<img src=x onerror="globalThis.broken=1"><b>bold</b>'
    story = novels(tmp_path / "ws", request=bad)
    plan: Any = {"story": {"title": bad, "premise": bad, "theme": bad, "conflict": bad, "ending": bad}}
    plan["people"] = [{"as": "p", "name": bad, "role": bad}]
    plan["chapters"] = [
        {"as": "c", "title": bad, "purpose": bad, "events": [bad], "scenes": [{"as": "s", "goal": bad, "place": bad}]}
    ]
    plan["foreshadows"] = [{"as": "f", "what": bad}]
    story.plan(Plan.model_validate(plan))
    before, intent = story.novel, story.next()
    token = story.claim(intent)
    story.desk.commit(token, story.desk.weigh(str(intent.unit), token, [bad, f"{bad} \u202eabc"], content()))
    story.end(before)
    page = shown(stage, story)
    page.get_by_test_id("novel-paragraph").nth(1).wait_for()
    for side in ("people", "foreshadows", "revisions", "chapters"):
        page.get_by_test_id(f"novel-side-{side}").click()
    assert page.get_by_test_id("novel-paragraph").first.inner_text() == bad
    assert "\\u202e" in page.get_by_test_id("novel-paragraph").nth(1).inner_text()
    assert page.locator(".lk img, .lk b").count() == 0
    assert page.evaluate("() => globalThis.broken") is None
    assert page.errors == []
    story.close()


@pytest.mark.parametrize("language", [pytest.param("en", marks=SLOW), "zh"])
def test_in_a_narrow_cell_three_views_share_one_state(story: Novels, stage: Any, axe: Any, language: str) -> None:
    blocked(story)
    stage.size, stage.language = (420, 800), language
    page = shown(stage, story)
    assert page.get_by_test_id("novel-text").is_visible()
    assert not page.get_by_test_id("novel-author").is_visible()
    page.get_by_test_id("novel-tab-text").press("ArrowRight")
    assert page.get_by_test_id("novel-author").is_visible()
    page.get_by_test_id("novel-words").fill("Wind.")
    page.get_by_test_id("novel-conflict-place").click()
    page.wait_for_function("() => document.activeElement?.dataset.marked === 'true'")
    assert page.get_by_test_id("novel-text").is_visible()
    page.get_by_test_id("novel-tab-author").click()
    assert page.get_by_test_id("novel-words").input_value() == "Wind."
    wide = page.evaluate("() => document.querySelector('.lk-novel').scrollWidth")
    assert wide <= 420
    assert ("有冲突" if language == "zh" else "blocked") in page.get_by_test_id("novel-ledger").inner_text()
    assert axe(page) == []


@SLOW
@pytest.mark.parametrize("dark", [False, True])
def test_nothing_in_it_is_hard_to_perceive(tmp_path: Path, stage: Any, axe: Any, dark: bool) -> None:
    aim = Target(kind="target", characters=4_000, tolerance=100_000, hard_maximum=5_000)
    story = novels(tmp_path / "ws", configured=config(length=aim, limits={"turns": 8}))
    story.plan()
    story.write(foreshadows=[{"foreshadow": story.made["key"], "move": "planted", "at": 0}])
    story.next()
    stage.dark = dark
    page = shown(stage, story)
    page.get_by_test_id("novel-paragraph").first.wait_for()
    for side in ("people", "foreshadows", "revisions", "chapters"):
        page.get_by_test_id(f"novel-side-{side}").click()
        assert axe(page) == []
    story.close()


@SLOW
def test_outline_people_and_foreshadows_lead_into_the_text_and_it_leaves_as_a_file(story: Novels, stage: Any) -> None:
    page = shown(stage, story)
    scene = page.get_by_test_id("novel-scene")
    scene.first.wait_for()
    assert [scene.nth(at).get_attribute("data-state") for at in (0, 1)] == ["done", "planned"]
    page.get_by_test_id("novel-side-foreshadows").click()
    page.get_by_test_id("novel-planted").click()
    page.wait_for_function("() => document.activeElement?.dataset.place?.endsWith(':0')")
    page.get_by_test_id("novel-side-people").click()
    page.get_by_test_id("novel-person-place").click()
    page.wait_for_function("() => document.activeElement?.dataset.place?.endsWith(':1')")
    page.get_by_test_id("novel-export").click()
    page.get_by_test_id("novel-form-zip").click()
    page.get_by_test_id("novel-export-now").click()
    page.get_by_test_id("novel-exported").wait_for()
    assert f"exports/{story.novel_id}.zip" in page.get_by_test_id("novel-exported").inner_text()
    assert (story.ws.path / "exports" / f"{story.novel_id}.zip").read_bytes()[:2] == b"PK"
    page.keyboard.press("Escape")
    page.get_by_test_id("novel-exporting").wait_for(state="detached")
    page.get_by_test_id("novel-side-revisions").click()
    assert "2 chapters added" in page.get_by_test_id("novel-plan-revision").inner_text()


@SLOW
def test_a_completed_novel_takes_no_more_words_and_says_so(tmp_path: Path, stage: Any) -> None:
    story = novels(tmp_path / "ws")
    plan: Any = {"story": {"title": "Short", "premise": "p", "theme": "t", "conflict": "c", "ending": "e"}}
    plan["chapters"] = [
        {"as": "c", "title": "One", "purpose": "p", "events": ["e"], "scenes": [{"as": "s", "goal": "g"}]}
    ]
    story.plan(Plan.model_validate(plan))
    story.write()
    story.complete()
    page = shown(stage, story)
    page.get_by_test_id("novel-words").fill("More!")
    story.finish()
    page.get_by_test_id("novel-closed").wait_for()
    assert page.get_by_test_id("novel-wish").count() == 0
    assert page.get_by_test_id("novel-status").get_attribute("data-status") == "completed"
    assert page.get_by_test_id("novel-resume").is_disabled()
    story.close()
