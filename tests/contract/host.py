"""Hosts: what starts servers in processes of their own, and speaks to them line by line."""

from __future__ import annotations

import json
import multiprocessing
import socket
from pathlib import Path
from typing import Any

from lantern_kit.mcp_server.profiles import COMIC
from tests.contract.server import Point, serve

PROCESSES = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.contract.server"])
LONGEST = 120
"""Seconds that anything may take on a busy machine."""


def tool_for(capability: str) -> tuple[str, dict[str, str]]:
    """The tool by which a capability is called, and the action to say."""
    for tool in COMIC.tools:
        if tool.capability == capability:
            return tool.name, {}
        for action, name in tool.actions.items():
            if name == capability:
                return tool.name, {"action": action}
    raise AssertionError(f"no tool calls {capability}")


class Lost(Exception):
    """The server went away and no answer came."""


class Client:
    """A client of a stdio server."""

    def __init__(
        self,
        folder: Path,
        point: Point | None = None,
        *,
        gated: bool = False,
        lost: Path | None = None,
        name: str = "claude-code",
    ) -> None:
        self._end, theirs = socket.socketpair()
        self._gate, their_gate = socket.socketpair() if gated else (None, None)
        for held in (self._end, self._gate):
            if held is not None:
                held.settimeout(LONGEST)
        self._process = PROCESSES.Process(
            target=serve,
            args=(str(folder), theirs, point, their_gate, None if lost is None else str(lost)),
            daemon=True,
        )
        self._process.start()
        theirs.close()
        if their_gate is not None:
            their_gate.close()
        self._lines = self._end.makefile("rb")
        self._number = 0
        self._given_up: set[int] = set()
        info = {"name": name, "version": "0"}
        self._say("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": info})
        self._hear()
        self._say("notifications/initialized", {}, answered=False)

    def __enter__(self) -> Client:
        return self

    def __exit__(self, *_: object) -> None:
        """Close this end, and see the server end for it."""
        self._lines.close()
        self._end.close()
        self._process.join(LONGEST)
        assert self._process.exitcode is not None
        self._process.close()
        if self._gate is not None:
            self._gate.close()

    def ask(self, capability: str, arguments: dict[str, Any]) -> None:
        """Send a call."""
        tool, action = tool_for(capability)
        self._say("tools/call", {"name": tool, "arguments": {**action, **arguments}})

    def cancel(self) -> None:
        """Let go of the call that was sent."""
        self._given_up.add(self._number)
        self._say("notifications/cancelled", {"requestId": self._number}, answered=False)

    def answer(self) -> dict[str, Any]:
        """The result of the call that was sent. Raises Lost."""
        return dict(self._hear()["result"])

    def call(self, capability: str, arguments: dict[str, Any]) -> dict[str, Any]:
        """The result of a call. Raises Lost."""
        self.ask(capability, arguments)
        return self.answer()

    def line(self, text: str) -> dict[str, Any]:
        """The answer to a line of text, whatever it is."""
        self._end.sendall(text.encode() + b"\n")
        found: dict[str, Any] = json.loads(self._lines.readline())
        return found

    def wait(self) -> None:
        """Wait until the server is at its point."""
        assert self._gate is not None
        assert self._gate.recv(4) == b"here"

    def go(self) -> None:
        """Let it go on."""
        assert self._gate is not None
        self._gate.sendall(b"!")

    def kill(self) -> None:
        """Kill the server where it is."""
        self._process.kill()
        assert self.killed()

    def killed(self) -> bool:
        """Whether the server was killed; waits for its end."""
        self._process.join(LONGEST)
        return self._process.exitcode == -9

    def _say(self, method: str, params: dict[str, Any], *, answered: bool = True) -> None:
        message: dict[str, Any] = {"jsonrpc": "2.0", "method": method, "params": params}
        if answered:
            self._number += 1
            message["id"] = self._number
        self._end.sendall(json.dumps(message).encode() + b"\n")

    def _hear(self) -> dict[str, Any]:
        try:
            line = self._lines.readline()
        except ConnectionResetError:
            line = b""
        if not line.endswith(b"\n"):
            raise Lost
        found: dict[str, Any] = json.loads(line)
        if found["id"] in self._given_up:  # said of a call that was let go of, if anything is
            return self._hear()
        assert found["id"] == self._number, found
        return found


def data_of(result: dict[str, Any]) -> dict[str, Any]:
    """The data of a result that is none of an error."""
    assert not result.get("isError"), result
    found: dict[str, Any] = result["structuredContent"]
    return found
