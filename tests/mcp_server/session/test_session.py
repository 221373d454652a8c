"""A recorded session, played by clients that nobody here wrote, gives the chapter that was recorded.

Where what operations make was changed on purpose, ``python -m tests.mcp_server.session.record`` records it anew.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client

from lantern_kit import datasets
from tests.mcp_server.session.script import SCRIPT, agreed, answer_of, begin, calls, content, filled

SDK = "@modelcontextprotocol/sdk@1.32.2"
CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lantern-kit" / "typescript-sdk"
PLAYER = Path(__file__).with_name("play.mjs")


def server(folder: Path) -> list[str]:
    return ["-P", "-m", "lantern_kit.mcp_server", str(folder), "--root", str(datasets.root())]


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_the_python_client_gives_the_recorded_chapter(era: Literal["auto", "legacy"], tmp_path: Path) -> None:
    folder = begin(tmp_path / "ws")

    async def session() -> None:
        answers: list[Any] = []
        parameters = StdioServerParameters(command=sys.executable, args=server(folder))
        async with Client(stdio_client(parameters), mode=era) as client:
            for line in calls():
                result = await client.call_tool(line["tool"], filled(line["arguments"], answers))
                answer = answer_of(result)
                assert (answer["code"] if result.is_error else None) == line.get("refused"), (line, answer)
                answers.append(answer)

    anyio.run(session)
    assert content(folder) == agreed()


@pytest.fixture(scope="module")
def sdk() -> Path:
    """The official TypeScript SDK, fetched once into a cache of its own; without npm or a network there is none."""
    if not (CACHE / "node_modules" / "@modelcontextprotocol" / "sdk").is_dir():
        npm = shutil.which("npm")
        if npm is None:
            pytest.skip("NOT PROVED: npm is not installed, so the TypeScript SDK cannot be fetched")
        CACHE.mkdir(parents=True, exist_ok=True)
        install = [npm, "install", "--no-audit", "--no-fund", "--prefix", str(CACHE), SDK]
        done = subprocess.run(install, capture_output=True, text=True, timeout=600)
        if done.returncode:
            pytest.skip(f"NOT PROVED: npm could not fetch {SDK}: {done.stderr[-300:]}")
    return CACHE


@pytest.mark.prove
def test_the_typescript_client_gives_the_same_chapter(sdk: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("NOT PROVED: node is not installed, so the TypeScript SDK cannot run")
    folder = begin(tmp_path / "ws")
    command = [node, str(PLAYER), str(sdk), str(SCRIPT), str(datasets.root()), "--", sys.executable, *server(folder)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout.splitlines()[-1])
    assert told["calls"] == len(calls())
    assert told["structured"] > 20  # answers that the SDK itself held to the tools' output schemas
    seen = [line for line in calls() if line["tool"] in {"look", "read_asset"} or "difference" in str(line)]
    assert told["pictures"] == len(seen)
    assert content(folder) == agreed()


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
    """That ids are replaced hides no change: without its last edits the same session ends otherwise."""
    folder = begin(tmp_path / "ws")

    async def session() -> None:
        answers: list[Any] = []
        parameters = StdioServerParameters(command=sys.executable, args=server(folder))
        async with Client(stdio_client(parameters)) as client:
            for line in calls():
                arguments = filled(line["arguments"], answers)
                if line["tool"] == "edit" and arguments.get("message") == "Page 4: words":
                    arguments["operations"][0]["args"]["text"] = "Nine days early. The Moon was full."
                answers.append(answer_of(await client.call_tool(line["tool"], arguments)))

    anyio.run(session)
    assert content(folder) != agreed()
