"""The kit in a real kernel: what only the messages between a kernel and its front end can show."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import start_new_kernel

from lantern_kit.widgets.bundle import FOLDER
from lantern_kit.workspace import Workspace
from tests.notebook.conftest import PASSPHRASE, balloon

PATIENCE = 60
VIEW = "application/vnd.jupyter.widget-view+json"


class FrontEnd:
    """A front end without a screen: it runs cells, answers questions, keeps what was shown."""

    def __init__(self, client: BlockingKernelClient) -> None:
        self.client = client
        self.asked: list[tuple[str, bool]] = []

    def run(self, code: str, *answers: str) -> list[dict[str, Any]]:
        """Run a cell; gives its outputs: streams, results and errors."""
        left = list(answers)
        shown: list[dict[str, Any]] = []

        def keep(message: dict[str, Any]) -> None:
            shown.append({"type": message["msg_type"], **message["content"]})

        def answer(message: dict[str, Any]) -> None:
            content = message["content"]
            self.asked.append((content["prompt"], content["password"]))
            self.client.input(left.pop(0))

        self.client.execute_interactive(
            code, timeout=PATIENCE, allow_stdin=bool(answers), output_hook=keep, stdin_hook=answer
        )
        assert left == []
        return shown

    def said(self, code: str, *answers: str) -> str:
        """What a cell printed on either stream."""
        return "".join(item["text"] for item in self.run(code, *answers) if item["type"] == "stream")

    def complete(self, code: str) -> list[str]:
        """What a Tab at the end of some code offers."""
        return list(self.client.complete(code, len(code), reply=True, timeout=PATIENCE)["content"]["matches"])


@pytest.fixture
def front(made: Workspace) -> Iterator[FrontEnd]:
    """A kernel with the kit loaded, and the workspace open in it as ``ws``."""
    manager, client = start_new_kernel(kernel_name="python3", startup_timeout=PATIENCE)
    try:
        end = FrontEnd(client)
        assert end.run(f"%load_ext lantern_kit\nimport lantern_kit as lk\nws = lk.open_workspace({str(made.path)!r})")
        yield end
    finally:
        client.stop_channels()
        manager.shutdown_kernel(now=True)
        manager.cleanup_resources()


def test_the_magic_words_in_a_real_kernel(front: FrontEnd, made: Workspace) -> None:
    # a verdict, its question and its passphrase asked for in the front end
    said = front.said("%lantern apply p1", "y", PASSPHRASE)
    assert "Applied p1" in said and PASSPHRASE not in said
    assert [hidden for _, hidden in front.asked] == [False, True]
    assert balloon(made).text == "It is mine."
    # a program runs the notebook: nobody can be asked
    (error,) = [item for item in front.run("%lantern lock 'fr_00000000'\n%lantern enrol") if item["type"] == "error"]
    assert error["ename"] in {"NotFound", "NotAllowed"}
    assert "Traceback" not in "".join(error["traceback"])
    # help and results come as text, errors without a traceback
    assert any("Usage" in str(item) for item in front.run("%lantern --help"))
    (error,) = [item for item in front.run("%%lantern_sql\nselect * from changs") if item["type"] == "error"]
    assert error["ename"] == "BadInput"
    assert "nearest: changes" in "".join(error["traceback"])
    (result,) = [item for item in front.run("%lantern_sql select 1 as n") if item["type"] == "execute_result"]
    assert "<table" in result["data"]["text/html"]
    # what a Tab offers
    assert front.complete("%lantern show ") == ["p1"]
    assert front.complete("%%lantern_sql\nselect * from chan") == ["changes"]
    assert front.complete(
        "%%lantern_sql\nselect object_",
    ) == ["object_kind"]
    # objects that have no widget show their static form
    (result,) = [item for item in front.run("ws") if item["type"] == "execute_result"]
    assert "<img" in result["data"]["text/html"]


def test_objects_show_their_live_widgets_in_a_real_kernel(front: FrontEnd) -> None:
    if not (FOLDER / "widgets.js").is_file():
        pytest.skip("NOT BUILT: no live widget was tried; run make widgets")
    front.run("chapter = ws.works()[0].chapter(1)")
    shown = (
        "chapter",
        "chapter[0]",
        "ws.proposals['p1']",
        "chapter.history()",
        "chapter.annotations()",
        "ws.activity()",
    )
    for cell in shown:
        still, live = (item["data"] for item in front.run(cell) if item["type"] == "display_data")
        assert VIEW not in still and still["text/html"]
        assert live[VIEW]["model_id"]
    front.run("%unload_ext lantern_kit")
    (result,) = [item for item in front.run("chapter") if item["type"] == "execute_result"]
    assert VIEW not in result["data"] and "<img" in result["data"]["text/html"]
