"""The line under a cell that says how far a long action is."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import AbstractContextManager
from types import SimpleNamespace
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from lantern_kit.kernel.progress import Progress, quiet, reporting, use, used
from lantern_kit.widgets.jobs import progress_line as module
from lantern_kit.widgets.jobs.progress_line import hide_progress, progress_line, show_progress

WAIT = 60
NOTHING: dict[str, str] = {}


class Clock:
    """Stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 100.0

    def monotonic(self) -> float:
        return self.now


class Kernel:
    """What stands for a kernel that runs a cell, or does something else."""

    def __init__(self) -> None:
        self.doing = "execute_request"

    def get_parent(self, channel: str) -> dict[str, Any]:
        return {"header": {"msg_type": self.doing}}


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(module, "time", made)
    return made


@pytest.fixture
def kernel(monkeypatch: pytest.MonkeyPatch) -> Kernel:
    made = Kernel()
    monkeypatch.setattr("lantern_kit.widgets.jobs.cell.kernel", lambda: made)
    return made


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """What is shown, one state after another."""
    states: list[dict[str, str]] = []

    class Handle:
        def display(self, bundle: dict[str, str], *, raw: bool) -> None:
            assert raw and not states
            states.append(bundle)

        def update(self, bundle: dict[str, str], *, raw: bool) -> None:
            assert raw and states
            states.append(bundle)

    monkeypatch.setattr("IPython.display.DisplayHandle", Handle)
    return states


@pytest.fixture
def line(kernel: Kernel) -> Iterator[None]:
    """The line is what this process uses."""
    before = use(progress_line)
    yield
    use(before)


def test_an_action_of_less_than_a_second_shows_nothing(line: None, clock: Clock, shown: list[dict[str, str]]) -> None:
    with reporting(None, "Exporting") as report:
        for page in range(5):
            report(f"Page {page}", page, 5)
            clock.now += 0.19
    assert shown == []


def test_a_longer_one_is_shown_in_both_languages_and_taken_away(
    line: None, clock: Clock, shown: list[dict[str, str]]
) -> None:
    with reporting(None, "Exporting") as report:
        clock.now += 65
        report("Page 1", 1, 500)
        assert shown[-1]["text/plain"] == (
            "Exporting · Page 1 · 1 of 500 · 1 min 5 s · interrupt the kernel (■) to stop"
        )
        assert '<progress max="500" value="1"' in shown[-1]["text/html"]
        assert "导出中 · 第 1 页 · 1 / 500 · 1 分 5 秒 · 中断内核（■）即可停止" in shown[-1]["text/html"]
    assert shown[1:] == [NOTHING]


def test_it_moves_five_times_a_second_at_most(line: None, clock: Clock, shown: list[dict[str, str]]) -> None:
    with reporting(None, "Exporting") as report:
        clock.now += 1
        for page in range(100):
            report(f"Page {page}", page, 100)
            clock.now += 0.01
    assert 5 <= len(shown) <= 7


def test_it_is_taken_away_when_the_action_fails_or_is_interrupted(
    line: None, clock: Clock, shown: list[dict[str, str]]
) -> None:
    def fail(error: type[BaseException]) -> None:
        with reporting(None, "Exporting") as report:
            clock.now += 2
            report("Page 1", 1, 2)
            raise error

    for error in (ZeroDivisionError, KeyboardInterrupt):
        shown.clear()
        with pytest.raises(error):
            fail(error)
        assert shown[-1] == NOTHING


def test_actions_inside_actions_share_one_line(line: None, clock: Clock, shown: list[dict[str, str]]) -> None:
    with reporting(None, "Exporting") as report:
        report("Page 1", 1, 9)
        clock.now += 2
        with reporting(None, "Checking") as inner:
            inner("words", 3, 4)
    said = [state["text/plain"].split(" · 2 s")[0] for state in shown[:-1]]
    assert said == ["Exporting · words · 1 of 9"]
    assert shown[-1] == NOTHING


def test_nothing_is_shown_of_what_a_widget_asked_for(
    line: None, kernel: Kernel, clock: Clock, shown: list[dict[str, str]]
) -> None:
    kernel.doing = "comm_msg"
    with reporting(None, "Exporting") as report:
        clock.now += 2
        report("Page 1", 1, 2)
    assert shown == []


def test_nothing_is_shown_of_an_action_on_another_thread(line: None, clock: Clock, shown: list[dict[str, str]]) -> None:
    def other() -> None:
        with reporting(None, "Exporting") as report:
            clock.now += 2
            report("Page 1", 1, 2)

    thread = threading.Thread(target=other)
    thread.start()
    thread.join(WAIT)
    assert shown == []


def test_nothing_is_shown_of_an_action_that_somebody_else_is_told_of(
    line: None, clock: Clock, shown: list[dict[str, str]]
) -> None:
    with reporting(quiet, "Exporting") as report:
        clock.now += 2
        report("Page 1", 1, 2)
    assert shown == []


def test_the_line_is_used_in_a_kernel_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    before = use(None)
    try:
        show_progress()
        assert used() is None
        monkeypatch.setattr("lantern_kit.widgets.jobs.cell.kernel", SimpleNamespace)
        show_progress()
        assert used() is progress_line
        hide_progress()
        assert used() is None
    finally:
        use(before)


def test_the_line_takes_no_other_face_s_place(kernel: Kernel) -> None:
    def own(doing: str) -> AbstractContextManager[Progress]:
        return progress_line(doing)

    before = use(own)
    try:
        show_progress()
        hide_progress()
        assert used() is own
    finally:
        use(before)


# in a real kernel

BEGIN = """
import lantern_kit as lk
ws = lk.create_workspace({folder!r}, title="Chelsea", owner="mina")
chapter = ws.comic("Chelsea").begin_chapter(1, size="A6")
with chapter.edit("pages") as edit:
    for _ in range(3):
        edit.add_page()
"""
AT_ONCE = "from lantern_kit.widgets.jobs import progress_line\nprogress_line.PATIENCE = progress_line.PACE = 0.0\n"


def test_an_export_in_a_real_kernel_shows_its_line_and_takes_it_away(tmp_path: Any) -> None:
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=WAIT)
    try:
        assert run(client, BEGIN.format(folder=str(tmp_path / "ws"))) == []
        out = str(tmp_path / "out")
        assert run(client, f"reports = chapter.export({out!r}, dpi=72)") == []  # it takes no second
        shown = run(client, f"{AT_ONCE}reports = chapter.export({out!r}, dpi=72)")
        assert [kind for kind, _ in shown] == ["display_data"] + ["update_display_data"] * (len(shown) - 1)
        assert "Exporting · Page 1 · 0 of 3" in shown[0][1]["text/plain"]
        assert shown[-1][1] == NOTHING
        assert run(client, f"job = lk.start(chapter.export, {out!r}, dpi=72)\nreports = job.result(60)") == []
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def run(client: BlockingKernelClient, code: str) -> list[tuple[str, dict[str, str]]]:
    """What a cell shows, by kind of message."""
    shown: list[tuple[str, dict[str, str]]] = []

    def keep(message: dict[str, Any]) -> None:
        assert message["msg_type"] != "error", message["content"]["traceback"]
        if "data" in message["content"]:
            shown.append((message["msg_type"], message["content"]["data"]))

    client.execute_interactive(code, timeout=WAIT, output_hook=keep)
    return shown
