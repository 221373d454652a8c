"""A recorded session, played by clients that nobody here wrote, gives the chapter that was recorded.

Where what operations make was changed on purpose, ``python -m tests.mcp_server.session.record`` records it anew.
"""

from __future__ import annotations

import json
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from lantern_kit import datasets
from tests.mcp_server.outside import installed, node_in
from tests.mcp_server.session.script import DRAWN, SCRIPT, agreed, answer_of, begin, calls, content, filled

SDK = "@modelcontextprotocol/sdk@1.32.2"
PLAYER = Path(__file__).with_name("play.mjs")


def server(folder: Path) -> list[str]:
    return ["-P", "-m", "lantern_kit.mcp_server", str(folder), "--root", str(datasets.root())]


def play(folder: Path, era: Literal["auto", "legacy"] = "auto", *, early: bool = False) -> None:
    """Play the session with the Python SDK's client; with ``early``, one caption says something else."""

    async def session() -> None:
        answers: list[Any] = []
        parameters = StdioServerParameters(command=sys.executable, args=server(folder))
        async with Client(stdio_client(parameters), mode=era) as client:
            for line in calls():
                arguments = filled(line["arguments"], answers)
                if early and arguments.get("message") == "Page 4: words":
                    arguments["operations"][0]["args"]["text"] = "Nine days early. The Moon was full."
                result = await client.call_tool(line["tool"], arguments)
                answer = answer_of(result)
                assert (answer["code"] if result.is_error else None) == line.get("refused"), (line, answer)
                answers.append(answer)

    with ThreadPoolExecutor(1) as beside:  # whatever loop the thread of the tests holds
        beside.submit(anyio.run, session).result()


@pytest.fixture(scope="module")
def chapter(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace after the Python client played the session."""
    folder = begin(tmp_path_factory.mktemp("session") / "ws")
    play(folder)
    return folder


def test_the_python_client_gives_the_recorded_chapter(chapter: Path) -> None:
    assert content(chapter, DRAWN) == agreed()


def test_a_client_of_the_older_protocol_gives_the_same_chapter(chapter: Path, tmp_path: Path) -> None:
    folder = begin(tmp_path / "ws")
    play(folder, "legacy")
    assert content(folder) == content(chapter)


@pytest.fixture(scope="module")
def sdk() -> Path:
    """The official TypeScript SDK."""
    return installed(SDK)


@pytest.mark.prove
def test_the_typescript_client_gives_the_same_chapter(sdk: Path, chapter: Path, tmp_path: Path) -> None:
    folder = begin(tmp_path / "ws")
    player = [str(path) for path in (node_in(sdk), PLAYER, sdk, SCRIPT, datasets.root())]
    command = [*player, "--", sys.executable, *server(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["calls"] == len(calls())
    assert told["structured"] > 20  # answers that the SDK itself held to the tools' output schemas
    seen = [line for line in calls() if line["tool"] in {"look", "read_asset"} or "difference" in str(line)]
    assert told["pictures"] == len(seen)
    assert content(folder) == content(chapter)


def test_the_session_uses_what_a_session_is_made_of() -> None:
    used = {line["tool"] for line in calls()}
    assert {"outline", "describe", "register_asset", "begin_draft", "edit", "look", "check", "read_unit"} <= used
    assert {"find", "compare", "manage_draft", "freeze", "library", "read_asset"} <= used
    done = {
        item["op"] for line in calls() for item in line["arguments"].get("operations", []) if isinstance(item, dict)
    }
    assert {"frame.set", "image.mark", "chapter.set", "script.write"} <= done
    actions = {line["arguments"].get("action") for line in calls() if line["tool"] == "manage_draft"}
    assert {"status", "propose", "adopt", "drop", "undo"} <= actions
    assert {line["refused"] for line in calls() if "refused" in line} == {"stale_handle", "unknown_operation"}


def test_another_chapter_has_another_hash(tmp_path: Path) -> None:
    """That ids are replaced hides no change."""
    folder = begin(tmp_path / "ws")
    play(folder, early=True)
    assert content(folder, DRAWN) != agreed()
