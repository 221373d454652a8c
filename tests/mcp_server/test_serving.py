"""The server in a process of its own, started from a notebook: how it begins, shows itself, is used, and ends."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import anyio
import httpx2
import psutil
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client

import lantern_kit as lk
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.errors import BadInput, LanternError, NotAllowed, NotFound
from lantern_kit.mcp_server import serving
from lantern_kit.mcp_server.attached import refused
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.serving import Serving
from lantern_kit.mcp_server.tokens import held_tokens
from lantern_kit.review_site import announced
from lantern_kit.workspace import Workspace


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workspace]:
    """A workspace for the tests that leave its server as it is."""
    home = tmp_path_factory.mktemp("serving")
    with lk.create_workspace(home / "ws", title="Chelsea", owner="mina", config=home / "config") as made:
        made.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        yield made


@pytest.fixture(scope="module")
def server(shared: Workspace) -> Iterator[Serving]:
    with lk.serve(shared) as started:
        yield started


def process_of(server: Serving) -> psutil.Process:
    assert server._process is not None
    return psutil.Process(server._process.pid)


async def asked(server: Serving, tool: str, scope: str = "draft", /, **arguments: str) -> dict[str, object]:
    """What a tool gives to the SDK's own client, used as a notebook uses it."""
    async with (
        httpx2.AsyncClient(headers=server.headers(scope)) as web,
        Client(streamable_http_client(server.url, http_client=web)) as client,
    ):
        result = await client.call_tool(tool, arguments)
        return dict(result.structured_content or json.loads(result.content[0].text))


def test_a_client_reads_and_drafts_and_the_notebook_sees_what_it_does(server: Serving, shared: Workspace) -> None:
    assert server.state == "running"
    chapters = anyio.run(asked, server, "outline")["chapters"]
    assert isinstance(chapters, list)
    refused = anyio.run(_begin, server, "read", chapters[0]["chapter"])
    assert refused["code"] == "not_allowed"
    assert anyio.run(_begin, server, "draft", chapters[0]["chapter"])["draft"] == "d1"
    assert [draft.id for draft in shared.drafts.of_chapter(shared.comics.chapters()[0].id)] == ["d1"]
    assert "d1" in shared.activity().text()


async def _begin(server: Serving, scope: str, chapter: str) -> dict[str, object]:
    return await asked(server, "begin_draft", scope, chapter=chapter, idempotency_key=scope)


def test_its_answers_lead_to_the_review_that_runs_for_the_same_person(server: Serving, shared: Workspace) -> None:
    chapter, agent, page = shared.comics.chapters()[0].id, Actor.agent("bot"), [{"op": "unit.add"}]
    with shared.journal.write() as connection:
        draft, moment = shared.drafts.begin(connection, chapter, title="", actor=agent)
    head = moment.revision.number
    planned = shared.drafts.plan(draft.id, head, page)
    with shared.journal.write() as connection:
        done = shared.drafts.commit(connection, draft.id, planned, head, page, message="", actor=agent).moment
        shared.proposal_service.freeze(connection, draft.id, done.revision.number, summary="a page", actor=agent)
    with announced(shared.config, shared.id, "http://127.0.0.1:8866/"):
        rows = anyio.run(asked, server, "proposals")["proposals"]
    assert isinstance(rows, list)
    assert rows[0]["review"] == "http://127.0.0.1:8866/?proposal=p1"


def test_it_shows_where_it_is_and_how_to_connect_and_never_its_tokens(server: Serving) -> None:
    tokens = held_tokens(server.tokens)
    bundle = server._repr_mimebundle_()
    for text in (*bundle.values(), repr(server.headers()), repr(tokens), repr(vars(server))):
        assert tokens.draft not in text
        assert tokens.read not in text
    assert server.headers()["Authorization"] == f"Bearer {tokens.draft}"
    assert server.headers("read")["Authorization"] == f"Bearer {tokens.read}"
    assert bundle["text/plain"] == f"MCP server of Chelsea: running, {server.url}"
    html = bundle["text/html"]
    assert server.url in html
    assert server.tokens.name in html
    for command in ("claude mcp add-json lantern", "codex mcp add lantern", "lantern connect claude-code ws"):
        assert command in html
    with pytest.raises(BadInput, match="'decide'"):
        server.headers("decide")


def test_what_it_says_to_type_puts_the_token_where_hosts_look(server: Serving) -> None:
    line = serving.read_token(server.tokens)
    done = subprocess.run(["bash", "-c", f'{line}; echo "$LANTERN_TOKEN"'], capture_output=True, text=True)
    assert done.stdout.strip() == held_tokens(server.tokens).draft
    assert json.loads(serving.reaching(server.url))["mcpServers"]["lantern"] == {
        "type": "http",
        "url": server.url,
        "headers": {"Authorization": "Bearer ${LANTERN_TOKEN}"},
    }
    (_, claude), _ = serving.commands(server.url)
    said = subprocess.run(["bash", "-c", f'claude() {{ printf %s "$4"; }}; {claude}'], capture_output=True, text=True)
    assert json.loads(said.stdout)["headers"] == {"Authorization": "Bearer ${LANTERN_TOKEN}"}


def test_a_path_in_one_s_home_is_shown_from_there(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    assert serving.shown(tmp_path / ".config" / "x.json") == "~/.config/x.json"
    assert serving.shown(Path("/elsewhere/x.json")) == "/elsewhere/x.json"


def test_it_speaks_chinese_too(server: Serving, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "zh_CN.UTF-8")
    assert "运行中" in repr(server)
    assert "宿主程序如何连接" in server.html()
    assert serving.WORDS["en"].keys() == serving.WORDS["zh"].keys()


# how it ends


def test_it_ends_or_dies_and_begins_again(ws: Workspace) -> None:
    server = lk.serve(ws)
    process = process_of(server)
    server.stop()
    assert (server.state, server.url, process.is_running()) == ("stopped", "", False)
    assert "stopped" in server.html()
    assert "claude" not in server.html()
    server.stop()
    with server as again:
        assert again is server
        assert server.state == "running"
        process = process_of(server)
        assert process_of(server.start()).pid == process.pid
        assert anyio.run(asked, server, "outline")["chapters"]
        process.kill()
        assert server._process is not None
        server._process.wait(timeout=30)
        assert server.state == "ended"
        assert repr(server).startswith("MCP server of Chelsea: ended by itself (exit code -9)")
        assert "server.start()" in server.html()
        server.start()
        assert anyio.run(asked, server, "outline")["chapters"]
    assert server.state == "stopped"


def test_a_cell_that_is_run_again_ends_the_earlier_server_and_can_have_its_port(ws: Workspace) -> None:
    with lk.serve(ws) as first:
        port = urlsplit(first.url).port
        process = process_of(first)
        with lk.serve(ws, port=port) as second:
            assert (first.state, second.state) == ("stopped", "running")
            assert not process.is_running()
            assert urlsplit(second.url).port == port
            first.start()
            assert (first.state, second.state) == ("running", "stopped")


KERNEL = """
import sys
import lantern_kit as lk
ws = lk.open_workspace(sys.argv[1])
server = lk.serve(ws)
print(server._process.pid, flush=True)
sys.stdin.readline()
"""


@pytest.mark.parametrize("how", ["it ends", "it is killed"])
def test_it_ends_with_the_process_that_started_it(how: str, folder: Path, tmp_path: Path) -> None:
    environ = {**os.environ, "HOME": str(tmp_path)}
    with subprocess.Popen(
        [sys.executable, "-c", KERNEL, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environ
    ) as kernel:
        assert kernel.stdout is not None
        server = psutil.Process(int(kernel.stdout.readline()))
        assert server.is_running()
        if how == "it is killed":
            kernel.send_signal(signal.SIGKILL)
        else:
            kernel.communicate(b"\n", timeout=60)
        assert psutil.wait_procs([server], timeout=60)[1] == []


def test_an_interrupted_cell_does_not_interrupt_it(server: Serving) -> None:
    assert os.getsid(process_of(server).pid) != os.getsid(0)


# what can go wrong


def test_a_port_that_is_taken_is_refused_in_words(server: Serving, tmp_path: Path) -> None:
    port = urlsplit(server.url).port
    with (
        lk.create_workspace(tmp_path / "other", title="Other", owner="mina", config=tmp_path / "config") as other,
        pytest.raises(BadInput, match=f"port {port} cannot be listened on") as told,
    ):
        lk.serve(other, port=port)
    assert "0 for a free one" in told.value.recovery
    assert server.state == "running"


@pytest.mark.parametrize("port", [0, -1, 65_536])
def test_what_is_no_port_is_refused(port: int, ws: Workspace) -> None:
    with pytest.raises(BadInput, match="no port"):
        lk.serve(ws, port=port)


def test_tokens_that_others_can_read_are_refused_before_anything_is_served(ws: Workspace) -> None:
    path = ws.config / "mcp" / f"{ws.id}.json"
    held_tokens(path)
    path.chmod(0o644)
    with pytest.raises(NotAllowed, match="can be read by others"):
        lk.serve(ws)


def test_a_workspace_that_went_away_is_said_so(ws: Workspace, tmp_path: Path) -> None:
    ws.path.rename(tmp_path / "moved")
    with pytest.raises(NotFound, match="is not a workspace"):
        lk.serve(ws)


def test_a_server_that_cannot_begin_says_its_last_word(
    ws: Workspace, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    python = tmp_path / "python"
    python.write_text("#!/bin/sh\necho first >&2\necho 'libsomething is missing' >&2\nexit 3\n")
    python.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(python))
    with pytest.raises(LanternError, match="ended before it could be reached") as told:
        lk.serve(ws)
    assert told.value.found == "libsomething is missing"
    assert "lantern doctor" in told.value.recovery
    assert serving._running.get(ws.id) is None


def test_only_tools_that_there_are_can_be_offered(ws: Workspace) -> None:
    with pytest.raises(LanternError, match="opera"):
        lk.serve(ws, profile="opera")
    assert COMIC.name == "comic"


def test_an_error_comes_across_as_what_it_was() -> None:
    error = BadInput("no", expected="yes", ids=["p1"], recovery="say yes", details={"more": 1})
    back = refused(json.loads(json.dumps(error.payload())))
    assert type(back) is BadInput
    assert back.payload() == error.payload()
    assert type(refused({"code": "unheard_of", "message": "x"})) is LanternError
