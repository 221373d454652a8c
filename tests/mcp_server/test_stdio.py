"""The server as a process of its own, as hosts start it."""

from __future__ import annotations

import json
import sqlite3
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path
from typing import Any, Literal

import anyio
import pytest
from mcp import Client, MCPError, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import INVALID_PARAMS, Implementation

from lantern_kit import datasets
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.workspace import Workspace

ERAS = pytest.mark.parametrize("era", ["auto", "legacy"])
HERE = Path(__file__).parent
PAGE: list[dict[str, Any]] = [{"op": "unit.add", "as": "page"}]


def serve(
    arguments: list[str], work: Callable[[Client], Awaitable[None]], *, era: str = "auto", name: str = "some-host"
) -> None:
    """Start a server and let a client of the SDK's own work with it."""

    async def session() -> None:
        parameters = StdioServerParameters(command=sys.executable, args=arguments)
        info = Implementation(name=name, version="1.0")
        with anyio.fail_after(60):
            async with Client(stdio_client(parameters), mode=era, client_info=info) as client:
                await work(client)

    anyio.run(session)


def module(folder: Path) -> list[str]:
    return ["-P", "-m", "lantern_kit.mcp_server", str(folder)]


async def data(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


@ERAS
def test_clients_of_both_eras_list_read_draft_edit_look_and_freeze(
    era: Literal["auto", "legacy"], folder: Path
) -> None:
    async def work(client: Client) -> None:
        assert client.server_info is not None
        assert client.server_info.name == "lantern-kit"
        assert "freeze" in (client.instructions or "")
        assert [tool.name for tool in (await client.list_tools()).tools] == [tool.name for tool in COMIC.tools]
        chapter = (await data(client, "outline"))["chapters"][0]["chapter"]
        draft = await data(client, "begin_draft", chapter=chapter, idempotency_key="b")
        at = {"draft": draft["draft"], "expected_revision": draft["revision"]}
        made = await data(client, "edit", **at, idempotency_key="e", operations=PAGE)
        picture = await client.call_tool("look", {"source": draft["draft"], "unit": "1"})
        assert [block.type for block in picture.content] == ["text", "image"]
        at["expected_revision"] = made["revision"]
        assert (await data(client, "freeze", **at, idempotency_key="f", summary="one page"))["state"] == "pending"
        wrong = await client.call_tool("freeze", {"draft": draft["draft"]})
        assert wrong.is_error
        with pytest.raises(MCPError, match="nearest: freeze") as caught:
            await client.call_tool("freez", {})
        assert (caught.value.code, caught.value.data["code"]) == (INVALID_PARAMS, "not_found")

    serve(module(folder), work, era=era, name="  Some Host\n9")
    with Workspace(folder) as ws, ws.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT DISTINCT actor FROM activity").fetchall()
        assert rows == [("Some Host 9",)]
        assert ws.verify().clean


def test_every_line_of_stdout_is_a_message_whatever_prints(folder: Path) -> None:
    start = {
        "protocolVersion": "2025-11-25",
        "capabilities": {},
        "clientInfo": {"name": "raw", "version": "0"},
    }
    with Workspace(folder) as ws:
        chapter = ws.comics.chapters()[0].id
    begin = {"chapter": chapter, "idempotency_key": "b"}
    edit = {"draft": "d1", "expected_revision": "r2", "idempotency_key": "e", "operations": PAGE}
    messages = [
        {"id": 1, "method": "initialize", "params": start},
        {"method": "notifications/initialized"},
        {"id": 2, "method": "tools/call", "params": {"name": "begin_draft", "arguments": begin}},
        {"id": 3, "method": "tools/call", "params": {"name": "edit", "arguments": edit}},
        {"id": 4, "method": "tools/list"},
    ]
    server = subprocess.Popen(
        [sys.executable, str(HERE / "noisy.py"), str(folder)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        encoding="utf-8",
    )
    assert server.stdin is not None
    assert server.stdout is not None
    answers: dict[int, Any] = {}
    for message in messages:
        server.stdin.write(json.dumps({"jsonrpc": "2.0", **message}) + "\n")
        server.stdin.flush()
        if "id" in message:
            line = json.loads(server.stdout.readline())
            answers[line["id"]] = line
    rest, errors = server.communicate(timeout=60)
    assert server.returncode == 0
    assert rest == ""
    assert sorted(answers) == [1, 2, 3, 4]
    assert answers[3]["result"]["structuredContent"]["revision"] == "r3"
    for stray in ("before anything", "from C", "in the middle", "one more", "and from C"):
        assert stray in errors


def test_a_write_whose_client_gave_up_is_committed_once_and_a_retry_gets_its_answer(
    folder: Path, tmp_path: Path
) -> None:
    gate = tmp_path / "gate"

    async def work(client: Client) -> None:
        chapter = (await data(client, "outline"))["chapters"][0]["chapter"]
        draft = await data(client, "begin_draft", chapter=chapter, idempotency_key="b")
        call = {
            "draft": draft["draft"],
            "expected_revision": draft["revision"],
            "idempotency_key": "once",
            "operations": PAGE,
        }
        with pytest.raises(MCPError, match=r"(?i)tim"):
            await client.call_tool("edit", call, read_timeout_seconds=1.0)
        assert gate.with_suffix(".waiting").exists()
        gate.touch()
        again = await data(client, "edit", **call)
        status = await data(client, "manage_draft", action="status", draft=draft["draft"])
        assert status["revision"] == again["revision"]
        assert len(status["log"]) == 2
        assert await data(client, "edit", **call) == again

    serve([str(HERE / "slow.py"), str(folder), str(gate)], work)
    with Workspace(folder) as ws, ws.journal.read() as connection:
        count = connection.exec_driver_sql("SELECT count(*) FROM activity WHERE capability = 'draft.edit'")
        assert count.scalar_one() == 1
        assert ws.verify().clean


def test_an_agent_reads_pictures_from_the_folders_it_was_given(folder: Path, tmp_path: Path) -> None:
    pictures = tmp_path / "pictures"
    pictures.mkdir()
    (pictures / "cat.png").write_bytes(datasets.open_photo("chelsea"))

    async def work(client: Client) -> None:
        made = await data(client, "register_asset", path="cat.png", title="Cat", idempotency_key="k")
        assert made["asset"]["size"] == [451, 300]

    serve([*module(folder), "--root", str(pictures)], work)


def test_a_person_sets_how_much_an_agent_may_ask_for(folder: Path) -> None:
    async def work(client: Client) -> None:
        assert not (await client.call_tool("read_asset", {})).is_error
        refused = await client.call_tool("read_asset", {})
        facts = json.loads(refused.content[0].text)
        assert (facts["code"], facts["retryable"]) == ("too_fast", True)
        assert 1 <= facts["retry_after"] <= 60
        assert (await data(client, "outline"))["chapters"]

    serve([*module(folder), "--rate", "4"], work)
    done = subprocess.run(
        [sys.executable, *module(folder), "--rate", "2"], input="", capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("lantern mcp: that is no rate")


def test_a_folder_that_is_no_workspace_is_refused_in_one_line(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, *module(tmp_path / "nothing")], input="", capture_output=True, text=True, timeout=60
    )
    assert done.returncode == 2
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "is not a workspace" in done.stderr
    assert "lantern init" in done.stderr


def test_a_workspace_of_a_newer_version_is_refused_and_left_as_it_is(folder: Path) -> None:
    journal = folder / "journal.sqlite"
    with closing(sqlite3.connect(journal)) as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999_from_the_future'")
        connection.commit()
    before = journal.read_bytes()
    done = subprocess.run([sys.executable, *module(folder)], input="", capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert "Upgrade lantern-kit" in done.stderr
    assert done.stderr.count("\n") == 1
    assert journal.read_bytes() == before


def test_a_module_in_the_hosts_folder_shadows_nothing(folder: Path, tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    (project / "mcp.py").write_text("raise SystemExit('shadowed')\n")
    done = subprocess.run(
        [sys.executable, *module(folder)], input="", capture_output=True, text=True, timeout=60, cwd=project
    )
    assert (done.returncode, done.stderr) == (0, "")
