"""The line between a widget's two halves."""

from __future__ import annotations

import gc
import threading
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any
from weakref import ref

import pytest

from lantern_kit import ProposalReview, Workspace, create_workspace
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import reporting
from lantern_kit.widgets.asks import Answer, Ask, answer, answers, handlers
from lantern_kit.widgets.panel import Panel
from lantern_kit.widgets.watch import watcher


@pytest.fixture
def ws(tmp_path: Path) -> Any:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as opened:
        yield opened


class Odd(Panel):
    kind = "odd"

    def text(self) -> str:
        return "odd"

    def picture(self) -> str:
        return "<p>odd</p>"

    @answers("refuse")
    def refuse(self, ask: Ask[Any]) -> Answer:
        raise BadInput("never", recovery="Stop asking.")

    @answers("fail")
    def fail(self, ask: Ask[Any]) -> Answer:
        raise RuntimeError("secret detail")


def said(
    panel: Panel, ask: str, args: dict[str, Any] | None = None, buffers: Sequence[bytes] = ()
) -> tuple[dict[str, Any], list[bytes]]:
    """What the kernel answers to an ask."""
    wire: Any = panel.comm
    content = {"ask": ask, "id": 7, "args": args or {}, "language": "en"}
    wire.receive({"method": "custom", "content": content}, buffers)
    while True:
        data, buffers = wire.sent.get(timeout=10)
        if data.get("method") == "custom" and data["content"].get("id") == 7:
            return data["content"], buffers


def test_a_refusal_reaches_the_browser_with_its_code_and_what_to_do(ws: Workspace) -> None:
    content, _ = said(Odd(ws), "refuse")
    assert content["error"] == {
        "code": "bad_input", "message": "never", "retryable": False, "recovery": "Stop asking.",
    }  # fmt: skip


def test_a_failure_nobody_foresaw_is_told_without_its_details(ws: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    content, _ = said(Odd(ws), "fail")
    assert content["error"]["code"] == "internal"
    assert "secret" not in str(content)
    assert "secret detail" in caplog.text


def test_an_ask_that_nobody_answers_names_the_nearest(ws: Workspace) -> None:
    content, _ = said(Odd(ws), "refuze")
    assert content["error"]["code"] == "not_found"
    assert content["error"]["expected"] == ["refuse"]


class Busy(Odd):
    free = threading.Event()

    @answers("paint")
    def paint(self, ask: Ask[Any]) -> dict[str, Any]:
        self.free.wait(20)
        return {}

    @answers("decide", aside=True)
    def decide(self, ask: Ask[Any]) -> dict[str, Any]:
        return {"decided": not self.free.is_set()}


def test_what_decides_waits_behind_no_pictures(ws: Workspace) -> None:
    panel = Busy(ws)
    wire: Any = panel.comm
    for number in range(100, 200):
        wire.receive({"method": "custom", "content": {"ask": "paint", "id": number, "args": {}}})
    try:
        assert said(panel, "decide")[0]["ok"] == {"decided": True}
    finally:
        Busy.free.set()
        panel.close()
    own = {name: item.aside for name, item in handlers(ProposalReview).items()}
    assert all(own[name] for name in ("verdict", "settle", "lock", "sound"))
    assert not any(own[name] for name in ("tiles", "thumbs", "units", "sheet", "pair"))


def test_a_misspelt_argument_is_refused(ws: Workspace) -> None:
    content, _ = said(Odd(ws), "refuse", {"pag": 1})
    assert content["error"]["code"] == "unknown_key"


def test_no_ask_has_two_answers() -> None:
    with pytest.raises(TypeError, match="answers ping twice"):
        handlers(type("Twice", (Odd,), {"pong": answers("ping")(lambda self, ask: {})}))


def test_what_is_saved_of_a_panel_is_small_and_holds_no_code_but_the_loader(ws: Workspace) -> None:
    panel = Odd(ws)
    state = panel.get_state()
    assert len(state["_esm"]) < 2_500
    assert sum(len(str(value)) for value in state.values()) < 5_000


def test_the_browser_gets_the_bundle_from_the_kernel_and_says_what_it_cannot_show(ws: Workspace, stage: Any) -> None:
    page = stage.show(Odd(ws))
    page.get_by_text("no view of kind odd").wait_for()


def test_a_commit_of_anybody_is_told_to_the_panels_of_that_workspace(ws: Workspace, tmp_path: Path) -> None:
    panel = Odd(ws)
    with Workspace(tmp_path / "ws") as other:
        other.comic("A").begin_chapter(1, size="A6")
    wire: Any = panel.comm
    while True:
        data, _ = wire.sent.get(timeout=10)
        if data.get("content", {}).get("event") == "moved":
            break
    panel.close()


def _hears_moved(panel: Panel, timeout: float = 10) -> None:
    wire: Any = panel.comm
    while True:
        data, _ = wire.sent.get(timeout=timeout)
        if data.get("content", {}).get("event") == "moved":
            return


def test_a_panel_made_when_the_last_one_was_just_closed_hears_of_commits(ws: Workspace, tmp_path: Path) -> None:
    for number in range(5):
        Odd(ws).close()
        panel = Odd(ws)
        Odd(ws).close()
        with Workspace(tmp_path / "ws") as other:
            other.comic(f"A{number}").begin_chapter(1, size="A6")
        _hears_moved(panel)
        panel.close()


def test_a_panel_that_is_collected_while_another_begins_to_watch_holds_nobody_up(
    ws: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connect = Journal.connect
    forgotten = [Odd(ws)]
    watcher(ws.journal).remove(forgotten[0])  # so that the next one looks anew

    def collecting(journal: Journal) -> Any:
        while forgotten:
            forgotten.pop().__del__()  # as the collector does, on whatever thread and amid whatever
        return connect(journal)

    deadline = time.monotonic() + 10
    while watcher(ws.journal)._thread is not None and time.monotonic() < deadline:
        time.sleep(0.01)
    monkeypatch.setattr(Journal, "connect", collecting)
    made: list[Panel] = []
    making = threading.Thread(target=lambda: made.append(Odd(ws)), daemon=True)
    making.start()
    making.join(10)
    assert not making.is_alive()
    assert not forgotten
    with Workspace(tmp_path / "ws") as other:
        other.comic("A").begin_chapter(1, size="A6")
    _hears_moved(made[0])
    made[0].close()


class Deaf(Odd):
    def moved(self) -> None:
        raise RuntimeError("no")


def test_a_panel_that_fails_when_it_is_told_keeps_nothing_from_the_others(
    ws: Workspace, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    deaf, panel = Deaf(ws), Odd(ws)
    with Workspace(tmp_path / "ws") as other:
        for name in ("A", "B"):
            other.comic(name).begin_chapter(1, size="A6")
            _hears_moved(panel)
    assert "could not be told" in caplog.text
    deaf.close()
    panel.close()


def test_a_workspace_that_no_panel_shows_any_more_is_let_go(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Work", owner="ann") as ws:
        Odd(ws).close()
        held = ref(ws.journal)
    del ws
    until = time.monotonic() + 10  # the thread that looked may be just about to end
    while held() is not None and time.monotonic() < until:
        gc.collect()
    assert held() is None


def test_bytes_come_beside_an_ask_and_are_in_no_log_of_it(ws: Workspace, caplog: pytest.LogCaptureFixture) -> None:
    heard: list[Ask[Any]] = []

    class Listening(Odd):
        @answers("listen")
        def listen(self, ask: Ask[Any]) -> dict[str, Any]:
            heard.append(ask)
            return {"bytes": sum(map(len, ask.buffers))}

    caplog.set_level("DEBUG")
    content, _ = said(Listening(ws), "listen", buffers=[b"out of sight"])
    assert content["ok"] == {"bytes": 12}
    assert bytes(heard[0].buffers[0]) == b"out of sight"
    assert "listen" in caplog.text, "the message itself is logged"
    assert "sight" not in caplog.text + repr(heard)


class Slow(Odd):
    @answers("check")
    def check(self, ask: Ask[Any]) -> dict[str, Any]:
        with reporting(None, "Checking") as report:
            for page in (1, 2):
                report(f"Page {page}", page, 2)
        return {}


@pytest.mark.parametrize(("language", "words"), [("en", "Page 1"), ("zh", "第 1 页")])
def test_what_answers_tells_the_browser_how_far_it_is(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, language: str, words: str
) -> None:
    told: list[tuple[int, int, str]] = []
    panel = Slow(ws)

    def ask() -> None:
        message = {"ask": "check", "args": {}, "language": language}
        answer(panel, handlers(Slow), message, lambda done, total, said: told.append((done, total, said)))

    ask()
    assert told == []  # it takes no half second
    monkeypatch.setattr("lantern_kit.widgets.asks.PATIENCE", 0.0)
    ask()
    assert told == [(1, 2, words)]
