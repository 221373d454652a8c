"""A server that belongs to the process which started it: how the two speak, and notice each other's end.

One line of JSON comes from the server: where it is reached, or why not. Nothing goes to it; when its standard input
closes, because whoever started it let go or is no more, it ends.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lantern_kit.kernel.errors import (
    BadInput,
    Busy,
    LanternError,
    NewerWorkspace,
    NotAllowed,
    NotFound,
    WorkspaceProblem,
)
from lantern_kit.mcp_server.stdio import Wire

REFUSED = 2
_KINDS: dict[str, type[LanternError]] = {
    kind.code: kind for kind in (BadInput, NotFound, NotAllowed, Busy, WorkspaceProblem, NewerWorkspace)
}
"""What can keep a server from beginning."""


def run_attached(
    workspace: Path,
    address: str,
    *,
    profile: str,
    roots: Sequence[Path],
    config: Path | None,
    wire: Wire,
    novel: str = "",
) -> int:
    """Serve over HTTP until the other end of the wire closes; gives the exit code."""
    from lantern_kit.mcp_server.http import run_http

    try:
        run_http(
            workspace,
            address,
            profile=profile,
            novel=novel,
            roots=roots,
            config=config,
            announce=lambda url, tokens: _say(wire, {"url": url, "tokens": str(tokens)}),
            until=lambda: _closed(wire),
        )
    except LanternError as error:
        _say(wire, {"error": error.payload()})
        return REFUSED
    return 0


def _say(wire: Wire, facts: dict[str, Any]) -> None:
    os.write(wire.write, json.dumps(facts).encode() + b"\n")


def _closed(wire: Wire) -> None:
    """Wait until the other end is closed."""
    while os.read(wire.read, 4096):
        pass


def refused(payload: dict[str, Any]) -> LanternError:
    """The error that a server ended with, as it was raised there."""
    facts = dict(payload)
    kind = _KINDS.get(facts.pop("code", ""), LanternError)
    message, _ = facts.pop("message", "the server could not be started"), facts.pop("retryable", None)
    named = {name: facts.pop(name) for name in ("expected", "found", "ids", "recovery") if name in facts}
    return kind(message, **named, details=facts)
