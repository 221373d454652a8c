"""A client over HTTP that waits no longer: the server ends what it began, and the retry gets the answer."""

from __future__ import annotations

import http.client
import json
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.kernel.capability import Capability
from tests.contract.host import LONGEST, PROCESSES, data_of, tool_for
from tests.contract.server import ANSWERED, WRITTEN, Point, serve_http
from tests.contract.stage import Stage, counted
from tests.contract.test_crashes import SOME_WRITES, Clean, events, require_once

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientInfo": {"name": "claude-code", "version": "0"},
    "io.modelcontextprotocol/clientCapabilities": {},
}


class Site:
    """A server over HTTP whose first write stops at a point."""

    def __init__(self, url: str, token: str, gate: socket.socket) -> None:
        self.address = urlsplit(url)
        self.token = token
        self.gate = gate

    def ask(self, capability: str, arguments: dict[str, Any]) -> http.client.HTTPConnection:
        """Send a call."""
        tool, action = tool_for(capability)
        connection = http.client.HTTPConnection(str(self.address.hostname), self.address.port, timeout=LONGEST)
        body = {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": tool, "arguments": {**action, **arguments}, "_meta": META},
        }
        connection.request("POST", self.address.path, json.dumps(body), self.headers(tool))
        return connection

    def headers(self, tool: str) -> dict[str, str]:
        """What goes before a call."""
        return {
            "Content-Type": "application/json",
            "Accept": "application/json, text/event-stream",
            "Authorization": f"Bearer {self.token}",
            "MCP-Protocol-Version": str(META["io.modelcontextprotocol/protocolVersion"]),
            "Mcp-Method": "tools/call",
            "Mcp-Name": tool,
        }

    def wait(self) -> None:
        """Wait until the server is at its point."""
        assert self.gate.recv(4) == b"here"

    def go(self) -> None:
        """Let it go on, here and when it comes here again."""
        self.gate.sendall(b"!!!!")


def result(connection: http.client.HTTPConnection) -> dict[str, Any]:
    """The result of the call that was sent."""
    answer = connection.getresponse()
    text = answer.read().decode()
    connection.close()
    assert answer.status == 200, text
    return dict(json.loads(text)["result"])


@contextmanager
def served(folder: Path, point: Point) -> Iterator[Site]:
    end, theirs = socket.socketpair()
    gate, their_gate = socket.socketpair()
    for held in (end, gate):
        held.settimeout(LONGEST)
    started = PROCESSES.Process(target=serve_http, args=(str(folder), theirs, point, their_gate), daemon=True)
    started.start()
    theirs.close()
    their_gate.close()
    with end, gate:
        url, tokens = json.loads(end.makefile().readline())
        yield Site(url, json.loads(Path(tokens).read_text())["draft"], gate)
        end.shutdown(socket.SHUT_RDWR)
        started.join(LONGEST)
        assert started.exitcode == 0
        started.close()


@SOME_WRITES
@pytest.mark.parametrize("place", [WRITTEN, ANSWERED])
def test_a_client_that_gave_up_gets_the_answer_by_its_key(
    place: str, capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    folder = stage.copied(tmp_path / "ws")
    with served(folder, Point(place)) as site:
        given_up = site.ask(capability.name, clean.example)
        site.wait()
        given_up.close()
        retried = site.ask(capability.name, clean.example)  # while the first is still being carried out
        site.go()
        first = data_of(result(retried))
        again = data_of(result(site.ask(capability.name, clean.example)))
    assert first == again
    assert first.keys() == clean.reply.data.keys()
    require_once(folder, clean, capability)


def test_a_call_that_was_given_up_and_is_never_retried_happened_all_the_same(stage: Stage, tmp_path: Path) -> None:
    capability = CAPABILITIES.get("draft.edit")
    clean = Clean(stage, tmp_path / "clean", capability)
    folder = stage.copied(tmp_path / "ws")
    with served(folder, Point(WRITTEN)) as site:
        given_up = site.ask(capability.name, clean.example)
        site.wait()
        given_up.close()
        site.go()
        assert (
            data_of(result(site.ask("draft.status", {"draft": stage.names["draft"]})))["revision"]
            != (stage.names["now"])
        )
    assert counted(folder) == clean.rows
    assert events(folder, capability.name) == clean.events
