"""A host in the same process: a face over a workspace, called as the protocol server calls it."""

from __future__ import annotations

import itertools
import json
from typing import Any

from mcp.types import CallToolResult, ImageContent, TextContent

from lantern_kit.kernel.actor import Actor
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import Face
from lantern_kit.workspace import Workspace


class Host:
    """One agent at the tools of the comic profile."""

    def __init__(self, ws: Workspace, chapter: str, *, name: str = "claude-code") -> None:
        self.ws = ws
        self.chapter = chapter
        self.dispatcher = ws.dispatcher()
        self.face = Face(self.dispatcher, COMIC, folder=ws.path.name, site=ws.review_site)
        self.actor = Actor.agent(name)
        self._keys = itertools.count(1)

    def result(self, tool: str, /, **arguments: Any) -> CallToolResult:
        """The whole result of a call."""
        return self.face.call(tool, arguments, self.actor)

    def data(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The data of a call that must succeed."""
        result = self.result(tool, **arguments)
        assert not result.is_error, text_of(result)
        found: dict[str, Any] = json.loads(text_of(result))
        return found

    def refused(self, tool: str, /, **arguments: Any) -> dict[str, Any]:
        """The payload of a call that must fail."""
        result = self.result(tool, **arguments)
        assert result.is_error
        assert result.structured_content is None
        assert len(result.content) == 1
        found: dict[str, Any] = json.loads(text_of(result))
        return found

    def key(self) -> str:
        """A fresh idempotency key."""
        return f"key-{next(self._keys)}"

    def events(self) -> int:
        """How many calls activity knows of."""
        self.dispatcher.flush()
        with self.ws.journal.read() as connection:
            return int(connection.exec_driver_sql("SELECT count(*) FROM activity").scalar_one())


def text_of(result: CallToolResult) -> str:
    """The text of a result."""
    first = result.content[0]
    assert isinstance(first, TextContent)
    return first.text


def picture_of(result: CallToolResult) -> ImageContent:
    """The picture of a result."""
    last = result.content[-1]
    assert isinstance(last, ImageContent)
    return last
