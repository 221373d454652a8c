"""Novels over the real stdio server, with the protocol's own client: written whole, fenced, and gone on with."""

from __future__ import annotations

import json
import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import from_thread, to_thread
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import TextContent
from typer.testing import CliRunner

from lantern_kit.cli.app import app
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.mcp_server.bound import dispatcher_for
from lantern_kit.novel.model import Status
from lantern_kit.workspace import create_workspace, open_workspace
from tests.mcp_server.test_person_only import named, words
from tests.novel.capabilities.conftest import Place, Refused
from tests.novel.capabilities.host import Scripted
from tests.novel.capabilities.test_writing import KINDS

PERSONS = frozenset(
    {
        *("instruct", "clarify", "withdraw", "pause", "stop", "resume", "approve", "configure", "free", "update"),
        *("begin", "new", "budget", "limits", "verdict", "apply", "enrol", "unlock", "archive", "restore", "erase"),
        *("rewrite", "edit", "reopen", "keep", "settle", "confirm", "export", "key", "passphrase"),
    }
)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace folder with one novel, closed."""
    made = Place(tmp_path / "ws")
    made.ws.close()
    return made.ws.path


@asynccontextmanager
async def at(folder: Path, *further: str) -> AsyncIterator[Client]:
    """A client of a server of its own."""
    words = ["-P", "-m", "lantern_kit.mcp_server", str(folder), "--profile", "novel", *further]
    async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
        yield client


def calling(client: Client) -> Callable[..., dict[str, Any]]:
    """Calls tools from a worker thread."""

    def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
        result = from_thread.run(client.call_tool, tool, arguments)
        first = result.content[0]
        assert isinstance(first, TextContent)
        found: dict[str, Any] = json.loads(first.text)
        if result.is_error:
            raise Refused(found)
        return found

    return call


def test_a_novel_is_written_over_the_wire_and_a_second_client_may_only_read(folder: Path) -> None:
    async def write() -> list[str]:
        async with at(folder) as client, at(folder) as other:
            assert "next_work" in (client.instructions or "")
            first, second = Scripted(calling(client)), Scripted(calling(other), "s")

            def work() -> list[str]:
                begun = first.next()
                for deed in (second.next, lambda: second.do(begun)):
                    with pytest.raises(Refused) as refused:
                        deed()
                    assert refused.value.code == "novel_ownership"
                assert second.call("status_read")["work"]["intent"] == begun["intent"]
                first.do(begun)
                done = first.all()
                assert second.call("body_search", words="said Tom")["total"] == 4
                return ["outline-create", *done]

            return await to_thread.run_sync(work)

    assert anyio.run(write) == KINDS
    with open_workspace(folder) as ws:
        assert ws.verify().clean
        assert ws.novel_service.authors.holder(ws.novel_service.novels()[0].id) == ""
    assert list((folder / "projections" / "novels").rglob("*.md"))


def test_after_a_server_was_killed_the_next_client_goes_on_where_it_was(folder: Path, tmp_path: Path) -> None:
    told = tmp_path / "pid"
    program = (
        "import os, pathlib, sys; pathlib.Path(sys.argv.pop(1)).write_text(str(os.getpid()));"
        "from lantern_kit.mcp_server.__main__ import main; sys.exit(main())"
    )
    words = ["-P", "-c", program, str(told), str(folder), "--profile", "novel"]
    left: dict[str, Any] = {}

    async def begin() -> None:
        async with Client(stdio_client(StdioServerParameters(command=sys.executable, args=words))) as client:
            host = Scripted(calling(client))

            def work() -> None:
                host.do(host.next())
                left.update(host.next())
                left["token"] = host.claim(left)["token"]
                os.kill(int(told.read_text()), signal.SIGKILL)

            await to_thread.run_sync(work)

    async def go_on() -> list[str]:
        async with at(folder) as client:
            host = Scripted(calling(client), "again")

            def work() -> list[str]:
                again = host.next()
                assert (again["kind"], again["unit"]) == ("write-unit", left["unit"])
                with pytest.raises(Refused) as refused:
                    host.call(
                        "body_commit",
                        unit=left["unit"],
                        token=left["token"],
                        paragraphs=["From beyond."],
                        scene={"done": True, "evidence": "it is"},
                        facts={},
                        idempotency_key="old",
                    )
                assert refused.value.code == "novel_stale_unit"
                host.do(again)
                return host.all()

            return await to_thread.run_sync(work)

    anyio.run(begin)
    assert anyio.run(go_on) == KINDS[2:]
    with open_workspace(folder) as ws:
        novel = ws.novel_service.head(ws.novel_service.novels()[0].id).novel
        assert novel.head.run.status is Status.COMPLETED
        assert novel.head.commits == 4
        assert ws.verify().clean


def test_which_novel_is_said_when_the_server_begins_and_nothing_on_its_whole_surface_belongs_to_a_person(
    tmp_path: Path,
) -> None:
    made = Place(tmp_path / "ws")
    made.begin("The Door")
    made.ws.close()
    seen: dict[str, set[str]] = {}

    async def walk() -> int:
        async with at(made.ws.path, "--novel", "The Door") as client:
            status = await client.call_tool("status_read", {})
            assert isinstance(status.content[0], TextContent)
            assert json.loads(status.content[0].text)["title"] == "The Door"
            tools = (await client.list_tools()).tools
            for tool in tools:
                seen[tool.name] = words(tool.name) | (named(tool.input_schema) - {"key", "idempotency"})
            for resource in (await client.list_resources()).resources:
                seen[str(resource.uri)] = words(str(resource.uri))
            assert (await client.list_resource_templates()).resource_templates == []
            return len(tools)

    assert anyio.run(walk) == 20
    assert {"claim", "revise", "brief", "record"} <= set().union(*seen.values()), "the walk sees actions"
    assert len(seen) > 20, "and the skill's texts"
    for name, found in seen.items():
        assert not found & PERSONS, name


def test_a_novel_must_be_named_where_there_are_several_and_only_for_its_profile(tmp_path: Path) -> None:
    made = Place(tmp_path / "ws")
    assert dispatcher_for(made.ws, "novel").work == made.id
    other = made.begin("The Door")
    assert dispatcher_for(made.ws, "novel", "The Door").work == other
    with pytest.raises(NotFound) as refused:
        dispatcher_for(made.ws, "novel")
    assert set(refused.value.ids) == {made.id, other}
    with pytest.raises(BadInput):
        dispatcher_for(made.ws, "comic", "The Door")
    made.ws.close()
    with create_workspace(tmp_path / "none", title="None", owner="Ann") as ws, pytest.raises(NotFound):
        dispatcher_for(ws, "novel")


def test_connect_names_the_novel_and_puts_the_authors_skill_where_the_host_looks(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    project = tmp_path / "project"
    project.mkdir()
    words = ["connect", "claude-code", str(folder), "--profile", "novel", "--novel", "The Lamp"]
    done = CliRunner().invoke(app, [*words, "--project", str(project)])
    assert done.exit_code == 0, done.output
    entry = json.loads((project / ".mcp.json").read_text())["mcpServers"]["lantern"]["args"]
    assert entry[-4:] == ["--profile", "novel", "--novel", "The Lamp"]
    assert [path.name for path in (project / ".claude" / "skills").iterdir() if path.is_dir()] == ["novel-author"]
    assert "novel status" in done.output
    wrong = CliRunner().invoke(app, ["connect", "claude-code", str(folder), "--profile", "novel", "--novel", "Nobody"])
    assert wrong.exit_code != 0
