"""The server over streamable HTTP: tokens, hosts, origins, lengths, and clients of both eras."""

from __future__ import annotations

import http.client
import json
import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared._httpx_utils import create_mcp_http_client

from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import BadInput, NotAllowed
from lantern_kit.mcp_server.http import LARGEST_BODY, listening, parse_address, run_http
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.tokens import Tokens, held_tokens
from lantern_kit.workspace import Workspace


@dataclass
class Served:
    """A running server."""

    port: int
    tokens: Tokens
    file: Path

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/mcp"

    def post(self, body: str | bytes = b"{}", **headers: str) -> tuple[int, str]:
        """Status and body of one raw request."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=30)
        given = {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.tokens.draft}",
            **{name.replace("_", "-"): value for name, value in headers.items()},
        }
        connection.putrequest("POST", "/mcp", skip_host="Host" in given)
        data = body.encode() if isinstance(body, str) else body
        for name, value in {"Content-Length": str(len(data)), **given}.items():
            if value:
                connection.putheader(name, value)
        connection.endheaders()
        connection.send(data)
        answer = connection.getresponse()
        text = answer.read().decode()
        connection.close()
        return answer.status, text


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    from lantern_kit.comic.model import Paper
    from lantern_kit.workspace import create_workspace

    home = tmp_path_factory.mktemp("http")
    with create_workspace(home / "ws", title="Chelsea", owner="mina") as made:
        paper = Paper(width=105_000, height=148_000)
        made.comics.create_chapter(comic="Chelsea Goes Up", number=1, actor=made.owner, paper=paper)
    server = subprocess.Popen(
        [sys.executable, "-P", "-m", "lantern_kit.mcp_server", str(home / "ws"), "--http", "127.0.0.1:0"],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "HOME": str(home)},
    )
    assert server.stderr is not None
    line = server.stderr.readline()
    assert "serving http://127.0.0.1:" in line, line
    port = int(line.split(":")[3].split("/")[0])
    file = Path(line.strip().split(" tokens in ")[1])
    yield Served(port, held_tokens(file), file)
    server.terminate()
    out, _ = server.communicate(timeout=30)
    assert out == ""


LIST = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})


def test_the_tokens_lie_in_a_file_that_only_the_owner_reads(served: Served) -> None:
    assert served.file.stat().st_mode & 0o777 == 0o600
    assert served.tokens.read != served.tokens.draft


@pytest.mark.parametrize("given", ["", "Bearer ", "Bearer wrong", "Basic abc", "bearer"])
def test_without_a_token_nothing_is_answered(given: str, served: Served) -> None:
    status, text = served.post(LIST, Authorization=given)
    assert status == 401
    assert json.loads(text)["code"] == "not_allowed"
    assert json.loads(text)["recovery"]


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "evil.example:{port}", "127.0.0.1:1"])
def test_another_host_is_refused(host: str, served: Served) -> None:
    assert served.post(LIST, Host=host.format(port=served.port))[0] == 421


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1.evil.example:{port}"])
def test_a_web_page_of_another_origin_is_refused(origin: str, served: Served) -> None:
    assert served.post(LIST, Origin=origin.format(port=served.port))[0] == 403
    assert served.post(LIST, Origin=f"http://localhost:{served.port}")[0] == 200


def test_a_request_that_is_too_long_is_refused_readably_before_it_is_sent(served: Served) -> None:
    status, text = served.post(b"{}", Content_Length=str(LARGEST_BODY + 1))
    assert status == 413
    assert json.loads(text)["expected"] == "at most 96 MiB"
    assert "inbox" in json.loads(text)["recovery"]


class Pieces:
    """A body that is sent piece by piece, its length not told."""

    def __init__(self, whole: int) -> None:
        self.left = whole

    def __iter__(self) -> Iterator[bytes]:
        while self.left > 0:
            piece = b"x" * min(1024 * 1024, self.left)
            self.left -= len(piece)
            yield piece


@pytest.mark.parametrize("version", ["", "2025-11-25", "2026-07-28"])
def test_a_body_whose_length_was_not_told_is_refused_readably_once_it_is_too_long(version: str, served: Served) -> None:
    connection = http.client.HTTPConnection("127.0.0.1", served.port, timeout=60)
    headers = {
        "Content-Type": "application/json",
        "Accept": "application/json, text/event-stream",
        "Authorization": f"Bearer {served.tokens.draft}",
        **({"MCP-Protocol-Version": version} if version else {}),
    }
    connection.request("POST", "/mcp", body=iter(Pieces(LARGEST_BODY + 1)), headers=headers, encode_chunked=True)
    answer = connection.getresponse()
    refused = json.loads(answer.read())
    connection.close()
    assert answer.status == 413
    assert (refused["code"], refused["expected"]) == ("bad_input", "at most 96 MiB")
    assert served.post(LIST)[0] == 200


def test_a_body_of_just_the_largest_size_is_read(served: Served) -> None:
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": {"text": ""}}}
    spare = LARGEST_BODY - len(json.dumps(call))
    call["params"]["arguments"]["text"] = "x" * spare
    body = json.dumps(call).encode()
    assert len(body) == LARGEST_BODY
    status, text = served.post(body)
    assert status == 200
    assert json.loads(json.loads(text)["result"]["content"][0]["text"])["code"] == "bad_input"
    assert served.post(body + b" ")[0] == 413


def test_more_than_the_protocols_usual_limit_is_taken(served: Served) -> None:
    arguments = {"source": "d1", "text": "x" * (5 * 1024 * 1024)}
    call = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "find", "arguments": arguments}}
    status, text = served.post(json.dumps(call))
    assert status == 200
    assert json.loads(json.loads(text)["result"]["content"][0]["text"])["code"] == "bad_input"


@pytest.mark.parametrize("era", ["auto", "legacy"])
def test_clients_of_both_eras_read_and_draft(era: str, served: Served) -> None:
    async def work() -> None:
        headers = {"Authorization": f"Bearer {served.tokens.draft}"}
        async with (
            create_mcp_http_client(headers) as web,
            Client(streamable_http_client(served.url, http_client=web), mode=era) as client,
        ):
            assert [tool.name for tool in (await client.list_tools()).tools] == [tool.name for tool in COMIC.tools]
            chapter = (await called(client, "outline"))["chapters"][0]["chapter"]
            draft = await called(client, "begin_draft", chapter=chapter, idempotency_key=era)
            made = await called(
                client,
                "edit",
                draft=draft["draft"],
                expected_revision=draft["revision"],
                idempotency_key=f"{era} page",
                operations=[{"op": "unit.add", "as": "p"}],
            )
            look = await client.call_tool("look", {"source": draft["draft"], "unit": made["objects"]["p"]})
            assert [block.type for block in look.content] == ["text", "image"]

    anyio.run(work)


def test_a_token_for_reading_does_not_draft(served: Served) -> None:
    async def work() -> None:
        headers = {"Authorization": f"Bearer {served.tokens.read}"}
        async with (
            create_mcp_http_client(headers) as web,
            Client(streamable_http_client(served.url, http_client=web)) as client,
        ):
            listed = [tool.name for tool in (await client.list_tools()).tools]
            assert "read_unit" in listed
            assert "begin_draft" not in listed
            chapter = (await called(client, "outline"))["chapters"][0]["chapter"]
            refused = await client.call_tool("begin_draft", {"chapter": chapter, "idempotency_key": "reader"})
            assert refused.is_error
            assert json.loads(refused.content[0].text)["code"] == "not_allowed"

    anyio.run(work)


async def called(client: Client, tool: str, /, **arguments: Any) -> dict[str, Any]:
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    found: dict[str, Any] = result.structured_content
    return found


@pytest.mark.parametrize("address", ["0.0.0.0:80", "example.org:80", "127.0.0.1", "127.0.0.1:x", "127.0.0.1:70000", ""])
def test_only_this_machine_is_listened_on(address: str) -> None:
    with pytest.raises(BadInput):
        parse_address(address)
    assert parse_address("[::1]:8377") == ("::1", 8377)


def test_answers_are_sent_at_once() -> None:
    """Which asyncio does on sockets whose protocol is named; on others they wait for an acknowledgement."""
    with listening("127.0.0.1", 0) as listener:
        assert listener.proto == socket.IPPROTO_TCP


def test_a_port_that_is_taken_is_refused(served: Served, ws: Workspace) -> None:
    with pytest.raises(BadInput, match=str(served.port)):
        run_http(ws.path, f"127.0.0.1:{served.port}")


def test_tokens_that_others_can_read_or_that_are_none_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "mcp" / "tokens.json"
    tokens = held_tokens(path)
    assert held_tokens(path) == tokens
    path.chmod(0o640)
    with pytest.raises(NotAllowed):
        held_tokens(path)
    path.chmod(0o600)
    for text in ("", "[]", '{"read": "a", "draft": "b"}', json.dumps({"read": "x" * 40, "draft": "x" * 40})):
        path.write_text(text)
        with pytest.raises(NotAllowed):
            held_tokens(path)
    path.unlink()
    path.symlink_to(tmp_path / "elsewhere")
    with pytest.raises(NotAllowed):
        held_tokens(path)


def test_a_token_grants_its_scopes_and_no_other_text_does() -> None:
    tokens = Tokens("r" * 43, "d" * 43)
    assert tokens.scopes("d" * 43) == {Scope.READ, Scope.DRAFT}
    assert tokens.scopes("r" * 43) == {Scope.READ}
    for wrong in ("", "d" * 42, "D" * 43, "é"):
        assert tokens.scopes(wrong) == frozenset()
