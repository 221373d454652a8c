"""Jobs: long calls on a thread of their own. Nothing here needs a notebook."""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from jupyter_client.manager import start_new_kernel

from lantern_kit.kernel.errors import (
    BadInput,
    Busy,
    LanternError,
    NotFound,
    Stopped,
    Unexpected,
    Unfinished,
    WrongState,
)
from lantern_kit.kernel.progress import Progress, reporting
from lantern_kit.widgets.jobs.job import Job, JobState, start

WAIT = 30


class Work:
    """A call that goes on step by step, as the test lets it."""

    def __init__(self, steps: int = 3) -> None:
        self.steps = steps
        self.reached: list[int] = []
        self.left: list[str] = []
        self.at = threading.Semaphore(0)
        self.go = threading.Semaphore(0)

    def run(self, *, progress: Progress | None = None) -> str:
        try:
            with reporting(progress) as report:
                for step in range(self.steps):
                    self.at.release()
                    assert self.go.acquire(timeout=WAIT)
                    report(f"Page {step + 1}", step, self.steps)
                    self.reached.append(step)
            return "book"
        finally:
            self.left.append("tidied")

    def untold(self) -> str:
        """The same, told of by nobody's parameter."""
        return self.run()

    def reach(self) -> None:
        assert self.at.acquire(timeout=WAIT)

    def let(self, steps: int) -> None:
        for _ in range(steps):
            self.go.release()

    def finish(self) -> None:
        self.let(self.steps)


def held() -> tuple[threading.Event, Callable[[], str]]:
    """A call that reports nothing and waits."""
    gate = threading.Event()

    def call() -> str:
        assert gate.wait(WAIT)
        return "done"

    return gate, call


def ended(job: Job[Any]) -> Job[Any]:
    job._thread.join(WAIT)
    assert not job._thread.is_alive()
    return job


def test_a_job_gives_what_its_call_gives() -> None:
    assert start(sorted, [3, 1, 2], reverse=True).result(WAIT) == [3, 2, 1]


def test_a_job_says_how_far_it_is_and_is_done_at_the_end() -> None:
    work = Work()
    job = start(work.run)
    work.reach()
    assert job.state is JobState.RUNNING
    work.go.release()
    work.reach()
    assert (job.what, job.done, job.total) == ("Page 1", 0, 3)
    assert job.text().startswith("run · running · Page 1 · 0 of 3 · 0 s")
    work.finish()
    assert job.result(WAIT) == "book"
    assert job.state is JobState.DONE
    assert job.error is None
    assert job.text() == f"run · done · {int(job.seconds)} s"


def test_a_job_that_is_done_grows_no_older() -> None:
    job = ended(start(len, "abc"))
    assert job.seconds == job.seconds


def test_waiting_for_a_while_says_that_it_still_runs_and_leaves_it_running() -> None:
    gate, call = held()
    job = start(call)
    with pytest.raises(Unfinished) as caught:
        job.result(timeout=0)
    assert caught.value.retryable
    assert "call still runs" in str(caught.value)
    gate.set()
    assert job.result(WAIT) == "done"


def test_a_result_can_be_had_again_and_by_several() -> None:
    gate, call = held()
    job = start(call)
    got: list[str] = []
    waiting = [threading.Thread(target=lambda: got.append(job.result(WAIT))) for _ in range(3)]
    for thread in waiting:
        thread.start()
    gate.set()
    for thread in waiting:
        thread.join(WAIT)
    assert got == ["done"] * 3
    assert job.result() == "done"


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_job_is_stopped_at_its_next_report_wherever_it_is(step: int) -> None:
    work = Work()
    job = start(work.run)
    work.let(step)
    for _ in range(step + 1):
        work.reach()
    job.stop()
    assert job.stopping
    assert "stopping" in job.text()
    work.finish()
    with pytest.raises(Stopped) as caught:
        job.result(WAIT)
    assert work.reached == list(range(step))
    assert work.left == ["tidied"]
    assert job.state is JobState.STOPPED
    assert not job.stopping
    assert caught.value.found == f"at Page {step + 1} · {step} of 3"


def test_a_stop_that_comes_after_the_last_report_changes_nothing() -> None:
    gate = threading.Event()
    last = threading.Event()

    def call(progress: Progress) -> str:
        progress("Page 1", 1, 1)
        last.set()
        assert gate.wait(WAIT)
        return "written"

    job = start(call)  # type: ignore[call-arg]
    assert last.wait(WAIT)
    job.stop()
    gate.set()
    assert job.result(WAIT) == "written"
    job.stop()
    assert job.state is JobState.DONE


def test_a_stopped_action_stops_what_it_is_a_part_of_too() -> None:
    work = Work()

    def whole() -> None:
        work.untold()
        raise AssertionError("it was stopped")

    job = start(whole)
    work.reach()
    work.go.release()
    work.reach()
    assert job.stoppable  # it takes no progress, and yet it reports
    job.stop()
    work.finish()
    with pytest.raises(Stopped):
        job.result(WAIT)


def test_a_call_that_reports_nothing_says_that_it_cannot_be_stopped() -> None:
    gate, call = held()
    job = start(call)
    assert not job.stoppable
    assert job.text().endswith("it cannot be stopped")
    assert "<progress aria-label" in job.html()  # a bar without figures
    job.stop()
    gate.set()
    assert job.result(WAIT) == "done"


def test_the_caller_s_own_progress_is_told_too_and_may_stop_the_call() -> None:
    told: list[int] = []

    def mine(what: str, done: int, total: int) -> None:
        told.append(done)
        if done == 1:
            raise Stopped("enough")

    work = Work()
    job = start(work.run, progress=mine)
    work.finish()
    with pytest.raises(Stopped, match="enough"):
        job.result(WAIT)
    assert told == [0, 1]
    assert job.done == 0


def test_an_error_of_the_kit_is_kept_and_raised_as_it_is() -> None:
    def call() -> None:
        raise NotFound("there is no chapter 9", recovery="Make it first.")

    job = ended(start(call))
    assert job.state is JobState.FAILED
    assert isinstance(job.error, NotFound)
    for _ in range(2):
        with pytest.raises(NotFound, match="there is no chapter 9"):
            job.result()
    assert "NotFound [not_found]: there is no chapter 9" in job.text()
    assert "what to do: Make it first." in job.text()
    assert "Traceback" not in job.text() + job.html()


def test_raising_an_error_again_makes_it_no_longer() -> None:
    def call() -> None:
        raise NotFound("nothing")

    def depth() -> int:
        with pytest.raises(NotFound) as caught:
            job.result()
        return len(caught.traceback)

    job = ended(start(call))
    assert depth() == depth()


@pytest.mark.parametrize(
    ("error", "said"),
    [
        (ValueError("seven is too many\nby far"), "ValueError: seven is too many"),
        (KeyError(), "KeyError"),
        (FileNotFoundError(2, "No such file or directory", "/srv/ann/secret.png"), "No such file or directory"),
        (SystemExit(1), "SystemExit: 1"),
        (KeyboardInterrupt(), "KeyboardInterrupt"),
    ],
)
def test_any_other_error_is_shown_as_the_kit_s_and_kept(error: BaseException, said: str) -> None:
    def call() -> None:
        raise error

    job = ended(start(call))
    assert job.state is JobState.FAILED
    with pytest.raises(Unexpected) as caught:
        job.result()
    assert said in str(caught.value)
    assert caught.value.__cause__ is error
    assert "/srv/ann" not in job.text() + job.html() + str(caught.value.payload())


def test_an_error_holds_nothing_of_what_the_call_held() -> None:
    class Page:
        pass

    kept: list[weakref.ref[Page]] = []

    def call() -> None:
        page = Page()
        kept.append(weakref.ref(page))
        try:
            raise ValueError("inner")
        except ValueError as error:
            raise NotFound("outer") from error

    job = ended(start(call))
    gc.collect()
    assert isinstance(job.error, NotFound)
    assert kept[0]() is None


def test_a_job_whose_thread_is_gone_without_a_word_keeps_nobody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Job, "_run", lambda *_: None)
    job = start(len, "abc")
    with pytest.raises(Unexpected, match="its thread is gone"):
        job.result(WAIT)
    with pytest.raises(Unexpected, match="its thread is gone"):
        looped(awaited(job))
    assert job.state is JobState.FAILED


async def awaited(job: Job[Any]) -> Any:
    return await job


def looped(main: Coroutine[Any, Any, Any]) -> Any:
    """Run a coroutine in a loop of its own, on a thread that has no other."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, main).result(WAIT)


def test_awaiting_a_job_leaves_the_loop_free() -> None:
    gate, call = held()

    async def both() -> tuple[str, str]:
        job = start(call)
        task = asyncio.create_task(awaited(job))
        await asyncio.sleep(0)  # the task waits
        gate.set()  # which only a free loop comes to do
        return await job, await task

    assert looped(both()) == ("done", "done")


def test_awaiting_a_job_that_ended_gives_at_once_what_it_gave() -> None:
    assert looped(awaited(ended(start(len, "abc")))) == 3


def test_awaiting_raises_what_the_call_raised() -> None:
    def call() -> None:
        raise NotFound("nothing")

    with pytest.raises(NotFound):
        looped(awaited(start(call)))


def test_who_no_longer_awaits_a_job_leaves_it_running() -> None:
    gate, call = held()

    async def give_up() -> Job[str]:
        job = start(call)
        task = asyncio.create_task(awaited(job))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return job

    job = looped(give_up())
    assert job.state is JobState.RUNNING
    assert job._listeners == {}
    gate.set()
    assert job.result(WAIT) == "done"


def test_two_jobs_go_on_at_once_and_one_is_stopped_alone() -> None:
    one, two = Work(), Work()
    first, second = start(one.run), start(two.run)
    one.reach()
    two.reach()
    first.stop()
    one.finish()
    two.finish()
    with pytest.raises(Stopped):
        first.result(WAIT)
    assert second.result(WAIT) == "book"
    assert (one.reached, two.reached) == ([], [0, 1, 2])


def test_a_job_that_nobody_holds_goes_on_to_its_end_and_is_then_let_go() -> None:
    work = Work()
    job = start(work.run)
    thread, gone = job._thread, weakref.ref(job)
    work.reach()
    del job
    gc.collect()
    work.finish()
    thread.join(WAIT)
    assert work.reached == [0, 1, 2]
    del thread
    gc.collect()
    assert gone() is None


def test_a_failure_that_nobody_asked_about_goes_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    def call() -> None:
        raise NotFound("there is no chapter 9")

    with caplog.at_level(logging.ERROR):
        ended(start(call))
        gc.collect()
        assert "there is no chapter 9" in caplog.text
        caplog.clear()
        assert ended(start(call)).error is not None
        gc.collect()
        assert caplog.text == ""


def test_those_who_listen_are_told_of_the_first_report_and_of_the_end() -> None:
    work = Work(1)
    job = start(work.run)
    seen: list[tuple[str, str]] = []
    forget = job.listen(lambda: seen.append((job.state.value, job.what)))
    work.finish()
    ended(job)
    assert seen == [("running", "Page 1"), ("done", "Page 1")]
    forget()
    job.stop()
    assert len(seen) == 2


def test_one_who_listens_and_fails_stops_neither_the_call_nor_others(caplog: pytest.LogCaptureFixture) -> None:
    work = Work(1)
    job = start(work.run)
    seen: list[str] = []

    def broken() -> None:
        raise OSError("the front end is gone")

    job.listen(broken)
    job.listen(lambda: seen.append(job.state.value))
    work.finish()
    assert job.result(WAIT) == "book"
    assert seen == ["running", "done"]
    assert "a view of the job run failed" in caplog.text


def test_a_job_cannot_wait_for_itself() -> None:
    ready = threading.Event()
    jobs: list[Job[Any]] = []

    def call() -> None:
        assert ready.wait(WAIT)
        jobs[0].result()

    jobs.append(start(call))
    ready.set()
    with pytest.raises(WrongState, match="cannot wait for itself"):
        jobs[0].result(WAIT)


def test_what_cannot_be_called_is_refused_with_an_example() -> None:
    with pytest.raises(BadInput) as caught:
        start([1, 2])  # type: ignore[arg-type]
    assert "lk.start(chapter.export" in str(caught.value)


def test_an_async_function_is_refused() -> None:
    async def call() -> None: ...

    with pytest.raises(BadInput, match="awaited, not started"):
        start(call)


def test_arguments_that_do_not_fit_are_refused_at_once() -> None:
    def export(folder: str, *, to: str = "cbz") -> None: ...

    with pytest.raises(BadInput, match="export does not take these arguments"):
        start(export, "exports", too="png")  # type: ignore[call-arg]


def test_a_machine_without_threads_to_give_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)
    with pytest.raises(Busy, match="no further thread"):
        start(len, "abc")


def test_progress_given_by_place_is_told_as_well() -> None:
    told: list[int] = []

    def call(progress: Progress) -> None:
        progress("Page 1", 1, 2)

    job = start(call, lambda what, done, total: told.append(done))
    job.result(WAIT)
    assert told == [job.done] == [1]


def test_jobs_are_named_after_what_is_called() -> None:
    assert start(partial(sorted, [1])).name == "sorted"
    assert start(lambda: None).name == "the call"
    assert start(Work(0).run).name == "run"


def test_a_job_in_a_kernel_that_ends_is_stopped_at_its_next_report(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lantern_kit.widgets.jobs.job.in_kernel", lambda: True)
    work = Work()
    job = start(work.run)
    work.reach()
    monkeypatch.setattr(threading.main_thread(), "is_alive", lambda: False)
    work.finish()
    ended(job)
    assert job.state is JobState.STOPPED
    assert work.left == ["tidied"]


ENDLESS = """
import lantern_kit as lk
def endless(progress):
    try:
        while True:
            progress("Page 1", 1, 2)
    finally:
        open({file!r}, "w").write("tidied")
job = lk.start(endless)
"""


def test_a_kernel_that_is_shut_down_stops_its_jobs_and_ends_by_itself(tmp_path: Path) -> None:
    left = tmp_path / "left"
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=WAIT)
    try:
        client.execute(ENDLESS.format(file=str(left)), reply=True, timeout=WAIT)
        assert not left.exists()
    finally:
        client.stop_channels()
        manager.shutdown_wait_time = WAIT  # before it is killed, which would leave nothing
        manager.shutdown_kernel()
        manager.cleanup_resources()
    assert left.read_text() == "tidied"


SCRIPT = """
import sys, threading
from lantern_kit.widgets.jobs.job import start
go = threading.Event()
def call():
    go.wait(30)
    print("written")
start(call)
assert "IPython" not in sys.modules and "anywidget" not in sys.modules
print("the script is at its end", flush=True)
go.set()
"""


def test_a_script_waits_for_its_jobs_and_loads_no_notebook() -> None:
    ran = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, timeout=WAIT)
    assert (ran.returncode, ran.stderr) == (0, "")
    assert ran.stdout.splitlines() == ["the script is at its end", "written"]


def test_a_job_shows_itself_in_both_languages_as_text_and_html() -> None:
    work = Work()
    job = start(work.run)
    work.go.release()
    work.reach()
    work.reach()
    bundle = job._repr_mimebundle_()
    assert "run · running · Page 1 · 0 of 3" in bundle["text/plain"]
    assert '<progress max="3" value="0"' in bundle["text/html"]
    assert "run · 进行中 · 第 1 页 · 0 / 3" in bundle["text/html"]
    assert repr(job).startswith("<Job run · running")
    work.finish()
    ended(job)
    assert '<progress max="3" value="2"' not in job.html()


def test_what_people_named_is_escaped() -> None:
    def call(progress: Progress) -> None:
        progress("Page 1 “<b>Moon</b>”", 0, 1)
        raise NotFound("<script>")

    job = ended(start(call))  # type: ignore[call-arg]
    assert "<script>" not in job.html()
    assert "<b>" not in job.html()


def test_facts_are_plain_data() -> None:
    def call(progress: Progress) -> list[int]:
        progress("documents", 5, 10)
        return list(range(500))

    job = ended(start(call))  # type: ignore[call-arg]
    facts = job.facts()
    assert facts["state"] == "done"
    assert facts["what"] == ("documents", "文档")
    assert (facts["done"], facts["total"], facts["error"]) == (5, 10, None)
    assert facts["gave"].startswith("[0, 1, 2")
    assert len(facts["gave"]) <= 200
    assert isinstance(job.error, LanternError | None)
