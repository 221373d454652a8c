"""A server in a process of its own that is killed, or waits, at a chosen point of a write."""

from __future__ import annotations

import json
import os
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lantern_kit.kernel.capability import Call, Capability, Dispatcher, Reply
from lantern_kit.kernel.engine import Connection, Journal, Rows
from lantern_kit.mcp_server.http import run_http
from lantern_kit.mcp_server.stdio import Wire, run

ASKED = "asked"
"""Before anything is done."""
WORKED_OUT = "worked out"
"""What is to be written is known, and no transaction open."""
WRITTEN = "written"
"""All statements of the transaction were run, and it was not committed."""
COMMITTED = "committed"
"""It was committed."""
ANSWERED = "answered"
"""The answer is there, and nobody was told it."""


@dataclass(frozen=True)
class Point:
    """Where a write stops: at a named place, or before one of its transaction's statements."""

    place: str = ""
    statement: int = 0


class Stops:
    """Stops writes at a point: for good, or until the other end of a gate says go.

    Args:
        point: where.
        gate: where it says that it is there, and waits; None kills the process.
        lost: where the answer goes that nobody gets, as JSON.
    """

    def __init__(self, point: Point, gate: socket.socket | None = None, lost: Path | None = None) -> None:
        self.point = point
        self.gate = gate
        self.lost = lost
        self.statements = 0
        self._writing = False

    def reached(self, point: Point) -> None:
        """Stop, if this is the point."""
        if point != self.point:
            return
        if self.gate is None:
            os.kill(os.getpid(), signal.SIGKILL)
        else:
            self.gate.sendall(b"here")
            self.gate.recv(1)

    def install(self, patch: Callable[[Any, str, Any], None] = setattr) -> None:
        """Have every write of this process pass here."""
        write, execute, carry_out = Journal.write, Connection.exec_driver_sql, Dispatcher._write

        def carried_out(dispatcher: Dispatcher, capability: Capability, call: Call, way: Any) -> Reply:
            self._writing = True
            self.reached(Point(ASKED))
            try:
                reply = carry_out(dispatcher, capability, call, way)
            finally:
                self._writing = False
            if self.lost is not None:
                self.lost.write_text(json.dumps(reply.data))
            self.reached(Point(ANSWERED))
            return reply

        @contextmanager
        def written(journal: Journal) -> Iterator[Connection]:
            if not self._writing:
                with write(journal) as connection:
                    yield connection
                return
            self.reached(Point(WORKED_OUT))
            with write(journal) as connection:
                yield connection
                self.reached(Point(WRITTEN))
            self.reached(Point(COMMITTED))

        def executed(connection: Connection, statement: str, parameters: Any = (), /) -> Rows:
            if self._writing and connection.driver.in_transaction and connection._turn is not None:
                self.statements += 1
                self.reached(Point(statement=self.statements))
            return execute(connection, statement, parameters)

        patch(Dispatcher, "_write", carried_out)
        patch(Journal, "write", written)
        patch(Connection, "exec_driver_sql", executed)


def serve(folder: str, end: socket.socket, point: Point | None, gate: socket.socket | None, lost: str | None) -> None:
    """The stdio server, its wire a socket."""
    if point is not None:
        Stops(point, gate, None if lost is None else Path(lost)).install()
    with suppress(BrokenPipeError):
        run(Path(folder), wire=Wire(end.fileno(), os.dup(end.fileno())))


def serve_http(folder: str, end: socket.socket, point: Point, gate: socket.socket) -> None:
    """The HTTP server, which says on a socket where it is, and ends when that is closed."""
    Stops(point, gate).install()
    run_http(
        Path(folder),
        "127.0.0.1:0",
        config=Path(folder).parent / "config",
        announce=lambda url, tokens: end.sendall(json.dumps([url, str(tokens)]).encode() + b"\n"),
        until=lambda: end.recv(1),
    )
