"""A job in a browser, while it runs and after."""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from lantern_kit.kernel.errors import NotFound
from lantern_kit.kernel.progress import Progress
from lantern_kit.widgets.jobs.job import Job, JobState, start
from lantern_kit.widgets.jobs.view import JobView
from tests.widgets.test_job import WAIT, Work, ended, held

FAR = "() => document.querySelector('[data-testid=job-words]')?.textContent.includes('1 of 3')"


@pytest.fixture
def work() -> Iterator[Work]:
    """A call of three steps, which comes to its end with the test."""
    made = Work()
    yield made
    made.finish()


def begun(work: Work, steps: int = 2) -> Job[str]:
    """A job that reported some steps and waits before the next."""
    job = start(work.run)
    work.let(steps)
    for _ in range(steps + 1):
        work.reach()
    return job


def test_it_says_how_far_the_job_is_and_what_came_of_it(work: Work, stage: Any) -> None:
    job = begun(work)
    page = stage.show(JobView(job))
    page.wait_for_function(FAR)
    assert "running · Page 2 · 1 of 3" in page.get_by_test_id("job-words").inner_text()
    bar = page.get_by_test_id("job-bar")
    assert (bar.get_attribute("value"), bar.get_attribute("max")) == ("1", "3")
    assert "Page 2" in bar.get_attribute("aria-label")
    work.finish()
    page.wait_for_selector("[data-testid=job][data-state=done]")
    assert bar.count() == page.get_by_test_id("job-stop").count() == 0
    assert page.get_by_test_id("job-gave").inner_text() == "gave 'book'"
    assert "run done after" in page.get_by_test_id("spoken").inner_text()
    assert page.errors == []


def test_the_stop_button_stops_it_at_its_next_step(work: Work, stage: Any) -> None:
    job = begun(work)
    page = stage.show(JobView(job))
    page.get_by_test_id("job-stop").click()
    page.wait_for_selector("[data-testid=job][data-state=stopping]")
    assert page.get_by_test_id("job-stop").is_disabled()
    assert "stopping at its next step" in page.get_by_test_id("job-words").inner_text()
    work.finish()
    page.wait_for_selector("[data-testid=job][data-state=stopped]")
    assert "nothing half written is left · Page 3 · 2 of 3" in page.get_by_test_id("job-words").inner_text()
    assert job.state is JobState.STOPPED
    assert work.left == ["tidied"]


def test_a_call_that_cannot_be_stopped_has_no_button_and_says_why(stage: Any) -> None:
    gate, call = held()
    page = stage.show(JobView(start(call)))
    page.get_by_test_id("job-steady").wait_for()
    assert page.get_by_test_id("job-stop").count() == 0
    assert page.get_by_test_id("job-bar").get_attribute("value") is None
    gate.set()
    page.wait_for_selector("[data-testid=job][data-state=done]")


def test_a_failure_is_shown_with_what_to_do_and_without_a_traceback(stage: Any) -> None:
    gate = threading.Event()

    def call(progress: Progress) -> None:
        progress("Page 1", 0, 1)
        assert gate.wait(WAIT)
        raise NotFound("there is no chapter 9", recovery="Make it first.")

    page = stage.show(JobView(start(call)))  # type: ignore[call-arg]
    page.get_by_test_id("job-stop").wait_for()
    gate.set()
    error = page.get_by_test_id("job-error")
    error.wait_for()
    assert error.inner_text() == "there is no chapter 9\nwhat to do: Make it first."
    assert "Traceback" not in page.inner_text("body")


def test_a_page_that_opens_after_the_end_shows_how_it_ended(work: Work, stage: Any) -> None:
    work.finish()
    page = stage.show(JobView(ended(start(work.run))))
    page.wait_for_selector("[data-testid=job][data-state=done]")


def test_two_views_of_one_job_move_together(work: Work, stage: Any) -> None:
    job = begun(work, 0)
    page = stage.show(JobView(job), JobView(job))
    page.get_by_test_id("job-stop").nth(1).click()
    page.wait_for_function("() => document.querySelectorAll('[data-testid=job][data-state=stopping]').length === 2")


def test_its_time_goes_on_while_nothing_is_reported(work: Work, stage: Any) -> None:
    page = stage.show(JobView(begun(work)))
    page.wait_for_function(FAR)
    page.wait_for_function("() => / [1-9]\\d* s/.test(document.querySelector('[data-testid=job-words]')?.textContent)")


def test_a_kernel_that_is_gone_can_be_asked_for_nothing(work: Work, stage: Any) -> None:
    page = stage.show(JobView(begun(work)))
    page.get_by_test_id("job-stop").wait_for()
    stage.cut(page)
    page.get_by_test_id("link-badge").wait_for()
    assert page.get_by_test_id("job-stop").is_disabled()


@pytest.mark.parametrize(("language", "dark"), [("en", False), ("zh", True)])
def test_nothing_in_it_is_hard_to_perceive(work: Work, stage: Any, axe: Any, language: str, dark: bool) -> None:
    stage.language, stage.dark = language, dark
    page = stage.show(JobView(begun(work)))
    page.get_by_test_id("job-stop").wait_for()
    words = page.get_by_test_id("job-words").inner_text()
    assert ("进行中 · 第 2 页 · 1 / 3" if language == "zh" else "running · Page 2 · 1 of 3") in words
    assert axe(page) == []
    work.finish()
    page.wait_for_selector("[data-testid=job][data-state=done]")
    assert axe(page) == []


# without a browser


class Handle:
    """Keeps what is shown under one id."""

    made: list[Handle]

    def __init__(self) -> None:
        self.states: list[dict[str, str]] = []
        self.made.append(self)

    def display(self, bundle: dict[str, str], *, raw: bool) -> None:
        self.states.append(bundle)

    def update(self, bundle: dict[str, str], *, raw: bool) -> None:
        self.states.append(bundle)


@pytest.fixture
def handle(monkeypatch: pytest.MonkeyPatch) -> type[Handle]:
    Handle.made = []
    monkeypatch.setattr("IPython.display.DisplayHandle", Handle)
    monkeypatch.setattr("IPython.display.display", lambda *_, **__: None)
    monkeypatch.setattr("lantern_kit.widgets.jobs.job.in_kernel", lambda: True)
    return Handle


def test_what_stays_in_the_notebook_is_how_it_ended(work: Work, handle: type[Handle]) -> None:
    job = begun(work)
    job._ipython_display_()
    (shown,) = handle.made
    assert "running · Page 2 · 1 of 3" in shown.states[0]["text/plain"]
    assert "running the cell starts it again" in shown.states[0]["text/html"]
    work.finish()
    ended(job)
    assert shown.states[-1]["text/plain"] == job.text() == f"run · done · {int(job.seconds)} s"
    assert "starts it again" not in shown.states[-1]["text/html"]
    assert "data-lantern-still" in shown.states[-1]["text/html"]


def test_a_job_that_ended_and_one_outside_of_a_notebook_show_a_plain_form(
    work: Work, handle: type[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    gate, call = held()
    monkeypatch.setattr("lantern_kit.widgets.jobs.job.in_kernel", lambda: False)
    running = start(call)
    with pytest.raises(NotImplementedError):
        running._ipython_display_()
    monkeypatch.setattr("lantern_kit.widgets.jobs.job.in_kernel", lambda: True)
    gate.set()
    with pytest.raises(NotImplementedError):
        ended(running)._ipython_display_()
    assert handle.made == []


def test_a_view_that_is_closed_lets_the_job_go_on(work: Work) -> None:
    job = begun(work)
    view = JobView(job)
    assert len(job._listeners) == 1
    view.close()
    assert job._listeners == {}
    work.finish()
    assert job.result(WAIT) == "book"


def test_a_job_that_ended_holds_no_view(work: Work) -> None:
    job = begun(work)
    JobView(job)
    work.finish()
    ended(job)
    gc.collect()
    assert job._listeners == {}
