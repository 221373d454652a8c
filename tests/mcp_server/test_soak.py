"""A server that is called for long by several clients keeps neither memory nor handles."""

from __future__ import annotations

import http.client
import itertools
import json
import socket
import statistics
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lantern_kit.workspace import Workspace
from tests.mcp_server.conftest import Door

HERE = Path(__file__).parent
CLIENTS = 4
WARM = 150
"""Calls of each client before it is looked at what the server holds: caches fill, pages are read."""
ROUNDS = 5
CALLS = 100
"""Calls of each client in a round after that."""
GROWTH = 3 * 1024**2
"""Bytes of a usual round. A leak grows in each; what is made once, such as an allocator's further arena, in one."""

pytestmark = [
    pytest.mark.prove,
    pytest.mark.skipif(not Path("/proc/self/fd").is_dir(), reason="NOT PROVED: this system does not tell of handles"),
]


@dataclass
class Caller:
    """A client of either era, with a connection of its own."""

    port: int
    modern: bool
    name: str
    draft: str = ""
    revision: str = ""
    page: str = ""
    numbers: Iterator[int] = field(default_factory=itertools.count)

    def __post_init__(self) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        self.connection.connect()
        # Head and body are sent one after the other, and the second would wait until the first is acknowledged.
        self.connection.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def ask(self, method: str, **params: Any) -> dict[str, Any]:
        headers = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        headers["MCP-Protocol-Version"] = "2026-07-28" if self.modern else "2025-11-25"
        if self.modern:
            headers["Mcp-Method"] = method
            if "name" in params or "uri" in params:
                headers["Mcp-Name"] = params.get("name") or params["uri"]
            params["_meta"] = {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
                "io.modelcontextprotocol/clientInfo": {"name": self.name, "version": "1"},
            }
        body = {"jsonrpc": "2.0", "id": next(self.numbers), "method": method, "params": params}
        self.connection.request("POST", "/mcp", json.dumps(body), headers)
        answer = json.loads(self.connection.getresponse().read())
        assert answer["id"] == body["id"]
        assert "result" in answer, answer
        found: dict[str, Any] = answer["result"]
        return found

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        result = self.ask("tools/call", name=tool, arguments=arguments)
        text = result["content"][0]["text"]
        assert not result.get("isError"), text
        return dict(json.loads(text)) if text.startswith("{") else {}

    def begin(self, chapter: str) -> None:
        made = self.call("begin_draft", chapter=chapter, idempotency_key=f"{self.name} begins")
        self.draft, self.revision = made["draft"], made["revision"]
        made = self.edit([{"op": "unit.add", "as": "p"}, {"op": "text.add", "target": "@p", "args": TEXT}])
        self.page = made["objects"]["p"].partition("#")[0]

    def edit(self, operations: list[dict[str, Any]]) -> dict[str, Any]:
        key = f"{self.name} {next(self.numbers)}"
        at = {"draft": self.draft, "expected_revision": self.revision, "idempotency_key": key}
        made = self.call("edit", **at, operations=operations)
        self.revision = made["revision"]
        return made

    def work(self, calls: int) -> None:
        """Ten kinds of calls, over and over."""
        for number in range(calls):
            match number % 10:
                case 0:
                    colour = f"#{number % 256:02x}8080"
                    self.edit([{"op": "unit.set", "target": self.page, "args": {"background": colour}}])
                case 1:
                    self.call("look", source=self.draft, unit="1", size=128)
                case 2:
                    self.call("read_unit", source=self.draft, unit="1")
                case 3:
                    self.call("check", source=self.draft)
                case 4:
                    self.call("find", source=self.draft, text="moon")
                case 5:
                    self.call("manage_draft", action="status", draft=self.draft)
                case 6:
                    self.ask("resources/list")
                case 7:
                    self.ask("resources/read", uri=f"lantern://view/{self.draft}/1")
                case 8:
                    self.ask("tools/list")
                case _:
                    refused = self.ask("tools/call", name="look", arguments={"source": "d99", "unit": "1"})
                    assert refused["isError"]


TEXT = {"text": "Whose moon?", "rect": [20, 20, 60, 20]}


def held(process: int) -> tuple[int, int]:
    """Bytes of memory that a process holds, and its open handles."""
    status = Path(f"/proc/{process}/status").read_text()
    (line,) = [line for line in status.splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1]) * 1024, len(list(Path(f"/proc/{process}/fd").iterdir()))


def test_thousands_of_calls_by_several_clients_leave_no_memory_and_no_handles_behind(folder: Path, door: Door) -> None:
    with Workspace(folder) as ws:
        chapter = ws.comics.chapters()[0].id
    port = urlsplit(door.url).port
    assert port is not None
    callers = [Caller(port, bool(number % 2), f"client {number}") for number in range(CLIENTS)]
    try:
        with ThreadPoolExecutor(CLIENTS) as pool:
            list(pool.map(lambda caller: caller.begin(chapter), callers))
            list(pool.map(lambda caller: caller.work(WARM), callers))
            sizes = [held(door.process)]
            for _ in range(ROUNDS):
                list(pool.map(lambda caller: caller.work(CALLS), callers))
                sizes.append(held(door.process))
    finally:
        for caller in callers:
            caller.connection.close()
    grown = [after - before for (before, _), (after, _) in itertools.pairwise(sizes)]
    assert max(handles for _, handles in sizes[1:]) <= sizes[0][1], sizes
    assert statistics.median(grown) < GROWTH, grown
    with Workspace(folder) as ws:
        assert ws.verify().clean
