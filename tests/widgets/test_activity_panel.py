"""ActivityPanel: agents' tasks in a browser, live."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import ActivityPanel, Workspace, create_workspace
from lantern_kit.kernel.errors import NotFound
from tests.widgets.agents import OTHER, fails, looks


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as opened:
        opened.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        yield opened


def test_tasks_and_their_calls_are_a_tree_with_the_newest_on_top(ws: Workspace, stage: Any) -> None:
    looks(ws)
    looks(ws, OTHER)
    page = stage.show(ActivityPanel(ws))
    tasks = page.get_by_test_id("activity-task")
    tasks.nth(1).wait_for()
    assert "codex" in tasks.nth(0).inner_text()
    assert "Chelsea Goes Up 1" in tasks.nth(1).inner_text()
    assert "outline" in page.get_by_test_id("activity-event").first.inner_text()
    assert page.errors == []


def test_what_an_agent_does_meanwhile_appears_by_itself_and_is_announced(ws: Workspace, stage: Any) -> None:
    page = stage.show(ActivityPanel(ws))
    page.get_by_test_id("activity-none").wait_for()
    looks(ws)
    page.get_by_test_id("activity-event").wait_for()
    assert "claude-code" in page.get_by_test_id("spoken").inner_text()


def test_one_agent_can_be_singled_out_and_so_can_failures(ws: Workspace, stage: Any) -> None:
    looks(ws)
    looks(ws, OTHER)
    fails(ws, OTHER)
    page = stage.show(ActivityPanel(ws))
    events = page.get_by_test_id("activity-event")
    events.nth(2).wait_for()
    page.get_by_test_id("activity-failures").check()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=activity-event]').length === 1")
    assert "failed: not_found" in events.inner_text()
    page.get_by_test_id("activity-failures").uncheck()
    page.get_by_test_id("activity-agent").select_option("claude-code")
    page.wait_for_function("() => document.querySelectorAll('[data-testid=activity-task]').length === 1")
    assert "claude-code" in page.get_by_test_id("activity-task").inner_text()


def test_earlier_events_come_page_by_page(ws: Workspace, stage: Any) -> None:
    looks(ws, times=130)
    page = stage.show(ActivityPanel(ws))
    page.get_by_test_id("activity-event").first.wait_for()
    assert page.get_by_test_id("activity-event").count() == 100
    page.get_by_test_id("activity-earlier").click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=activity-event]').length === 130")
    assert page.get_by_test_id("activity-earlier").count() == 0


def test_the_tree_is_walked_with_the_keyboard(ws: Workspace, stage: Any) -> None:
    looks(ws)
    page = stage.show(ActivityPanel(ws))
    task = page.get_by_test_id("activity-task")
    task.focus()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.dataset.testid") == "activity-event"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert task.get_attribute("aria-expanded") == "false"
    page.keyboard.press("Enter")
    assert task.get_attribute("aria-expanded") == "true"


def test_it_speaks_chinese(ws: Workspace, stage: Any) -> None:
    looks(ws)
    stage.language = "zh"
    page = stage.show(ActivityPanel(ws))
    page.get_by_text("智能体活动").wait_for()
    assert "进行中" in page.get_by_test_id("activity-task").inner_text()


@pytest.mark.parametrize("dark", [False, True])
def test_nothing_in_it_is_hard_to_perceive(ws: Workspace, stage: Any, axe: Any, dark: bool) -> None:
    looks(ws)
    fails(ws)
    stage.dark = dark
    page = stage.show(ActivityPanel(ws))
    page.get_by_test_id("activity-event").first.wait_for()
    assert axe(page) == []


def test_a_kernel_that_is_gone_is_said_and_what_was_seen_stays(ws: Workspace, stage: Any) -> None:
    looks(ws)
    page = stage.show(ActivityPanel(ws))
    page.get_by_test_id("activity-event").wait_for()
    stage.cut(page)
    badge = page.get_by_test_id("link-badge")
    badge.wait_for()
    assert badge.get_attribute("data-state") == "gone"
    assert page.get_by_test_id("activity-event").count() == 1


def test_a_busy_kernel_is_said_and_forgotten_when_it_answers(ws: Workspace, stage: Any) -> None:
    page = stage.show(ActivityPanel(ws))
    page.get_by_test_id("activity-none").wait_for()
    stage.silence(page)
    page.get_by_test_id("link-badge").wait_for()
    assert page.get_by_test_id("link-badge").get_attribute("data-state") == "waiting"
    stage.resume(page)
    page.get_by_test_id("link-badge").wait_for(state="detached")


def test_a_chapter_that_is_not_there_is_refused(ws: Workspace) -> None:
    with pytest.raises(NotFound):
        ActivityPanel(ws, "ch_nothere")


def test_its_static_form_tells_the_same(ws: Workspace) -> None:
    looks(ws)
    panel = ActivityPanel(ws)
    assert "claude-code" in panel.text()
    assert "claude-code" in panel.picture()
