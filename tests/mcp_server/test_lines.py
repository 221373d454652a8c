"""Lines that are no message, sent by hand as a broken host would."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp.types import JSONRPCResponse

from lantern_kit.mcp_server.lines import lines
from tests.mcp_server.test_stdio import module

START = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "raw", "version": "0"}}
DEEP = "[" * 5_000 + "]" * 5_000
ENDING = '"jsonrpc":"2.0","id":7}'


def ask(folder: Path, said: list[str]) -> tuple[list[dict[str, Any]], str]:
    """What a server says to lines between a handshake and a request of its own, and what it logs."""
    messages = [
        json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": START}),
        json.dumps({"jsonrpc": "2.0", "method": "notifications/initialized"}),
        *said,
        json.dumps({"jsonrpc": "2.0", "id": "last", "method": "tools/list"}),
    ]
    done = subprocess.run(
        [sys.executable, *module(folder)],
        input="\n".join(messages) + "\n",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=60,
    )
    assert done.returncode == 0
    answers = [json.loads(answer) for answer in done.stdout.splitlines()]
    assert [answer["id"] for answer in answers if "result" in answer] == [1, "last"]
    return [answer for answer in answers if "result" not in answer], done.stderr


def call(arguments: str, *, name: str = "7") -> str:
    params = f'{{"name":"outline","arguments":{arguments}}}'
    return f'{{"jsonrpc":"2.0","id":{name},"method":"tools/call","params":{params}}}'


def test_a_line_that_is_no_message_is_answered_and_the_next_one_is_served(folder: Path) -> None:
    cases = [
        (call('{"source":"half of an emoji \\ud83d"}'), 7, -32700),
        (call('{"source":tru}'), 7, -32700),
        (call('{"source":tru}', name='"x-1"'), "x-1", -32700),
        (call(f'{{"source":{DEEP}}}'), 7, -32700),
        (call(f'{{"start":{"9" * 5_000}}}'), 7, -32700),
        (f'{{"method":"tools/call","params":{{"id":5,"arguments":{DEEP}}},{ENDING}', 7, -32700),
        ('{"method":"tools/call","params":{"arguments":{"id":5}', None, -32700),
        ('{"jsonrpc": "2.0", oops', None, -32700),
        ('{"id":7,"method":"tools/list"}', 7, -32600),
        ('[{"jsonrpc":"2.0","id":7,"method":"tools/list"}]', 7, -32600),
        ("[]", None, -32600),
        ("7", None, -32600),
    ]
    answers, log = ask(folder, [line for line, _, _ in cases])
    assert [(answer["id"], answer["error"]["code"]) for answer in answers] == [(name, code) for _, name, code in cases]
    for answer in answers:
        assert answer["error"]["data"]["code"] == "bad_input"
        assert "one line of JSON" in answer["error"]["data"]["recovery"]
    assert "emoji" not in json.dumps(answers)
    assert log == ""


def test_a_line_that_asks_nothing_is_passed_over(folder: Path) -> None:
    assert ask(folder, ["", "   ", '{"jsonrpc":"2.0","id":7,"result":5}']) == ([], "")


def test_what_was_asked_is_answered_after_the_host_closed_its_end(tmp_path: Path) -> None:
    async def source() -> AsyncIterator[str]:
        yield '{"jsonrpc":"2.0","id":7,"method":"ping"}\n'
        yield '{"jsonrpc":"2.0","id":8,"method":"ping"}\n'
        yield '{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":8}}\n'

    async def play(path: Path) -> None:
        async with await anyio.open_file(path, "w") as sink, lines(source(), sink) as (read, write):
            for _ in range(3):
                assert isinstance(await read.receive(), SessionMessage)
            await anyio.wait_all_tasks_blocked()
            with pytest.raises(anyio.WouldBlock):  # it did not end
                read.receive_nowait()
            await write.send(SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=7, result={})))
            with pytest.raises(anyio.EndOfStream):
                await read.receive()
            await write.aclose()
            await read.aclose()

    anyio.run(play, tmp_path / "out")
    assert json.loads((tmp_path / "out").read_text())["id"] == 7
