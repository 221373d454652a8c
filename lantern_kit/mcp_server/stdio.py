"""Serving over the process's standard streams.

The wire is taken aside before anything heavy is imported: from then on file descriptor 1 leads to stderr, so that
whatever prints, in Python or in C, cannot spoil the protocol.
"""

from __future__ import annotations

import os
import sys
from collections.abc import AsyncIterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from lantern_kit.mcp_server.limits import PER_MINUTE, Limits

if TYPE_CHECKING:
    from mcp.server import Server

STOPPED = 130
"""As the shell says it of a program that was interrupted: 128 + SIGINT."""
WAITS = "lantern mcp: waiting for an MCP host on standard input, which starts this by itself; Ctrl-C ends it\n"


@dataclass(frozen=True)
class Wire:
    """The streams that a host gave this process."""

    read: int
    write: int


def take_wire() -> Wire:
    """Duplicate descriptors 0 and 1, then point 0 at nothing and 1 at stderr."""
    sys.stdout.flush()
    wire = Wire(os.dup(0), os.dup(1))
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return wire


def run(
    workspace: Path,
    *,
    profile: str = "comic",
    novel: str = "",
    roots: Sequence[Path] = (),
    read_only: bool = False,
    rate: int = PER_MINUTE,
    wire: Wire | None = None,
    trivial: bool = False,
) -> None:
    """Serve a workspace until the host closes its end. Raises LanternError when it cannot be opened.

    Args:
        workspace: the folder.
        profile: which tools to offer.
        novel: which one, for the profile of novels; empty: the only one.
        roots: folders, besides the workspace's inbox, from which agents may read pictures.
        read_only: let agents read, and nothing else.
        rate: writes a minute that an agent may make; 0 is no limit.
        wire: the streams, when they were taken aside already.
        trivial: offer a tool that does nothing too, for benchmarks.
    """
    wire = wire or take_wire()
    import anyio

    from lantern_kit.mcp_server.bound import dispatcher_for
    from lantern_kit.mcp_server.profiles import PROFILES
    from lantern_kit.mcp_server.server import Face, scopes_for
    from lantern_kit.workspace import open_workspace

    limits = Limits(rate)
    with open_workspace(workspace, roots=tuple(roots)) as opened:
        face = Face(
            dispatcher_for(opened, profile, novel),
            PROFILES[profile],
            scopes=scopes_for(read_only=read_only),
            limits=limits,
            trivial=trivial,
            folder=opened.path.name,
            site=opened.review_site,
        )
        try:
            if os.isatty(wire.read):
                sys.stderr.write(WAITS)
            anyio.run(_serve, face.server(), wire)
        except KeyboardInterrupt:
            opened.close()
            os._exit(STOPPED)  # a thread that waits for the next line would be waited for


async def _read(file: TextIO) -> AsyncIterator[str]:
    """Lines as they come; one that is still waited for is left behind when the server ends."""
    from anyio import to_thread

    while line := await to_thread.run_sync(file.readline, abandon_on_cancel=True):
        yield line


async def _serve(server: Server[Any], wire: Wire) -> None:
    import anyio

    from lantern_kit.mcp_server.lines import lines

    source = _read(os.fdopen(wire.read, "r", encoding="utf-8", errors="replace", closefd=False))
    sink = anyio.wrap_file(os.fdopen(wire.write, "w", encoding="utf-8", closefd=False))
    async with lines(source, sink) as (read, write):
        await server.run(read, write, server.create_initialization_options())
