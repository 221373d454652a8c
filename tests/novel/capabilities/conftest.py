"""A novel in a workspace, and hosts at its tools in the same process."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp.types import TextContent

from lantern_kit.kernel.actor import Actor
from lantern_kit.mcp_server.novel_profile import NOVEL
from lantern_kit.mcp_server.server import Face
from lantern_kit.novel.controls import Controls
from lantern_kit.novel.creation import create_novel
from lantern_kit.novel.whole import Novel
from lantern_kit.workspace import Workspace, create_workspace
from tests.novel.capabilities.host import Scripted
from tests.novel.stage import ANN, CONFIG


class Refused(AssertionError):
    """A tool refused; its payload."""

    def __init__(self, payload: dict[str, Any]) -> None:
        super().__init__(payload)
        self.payload = payload
        self.code: str = payload["code"]


class Place:
    """A workspace with one novel, and whoever is at its tools.

    Args:
        at: a folder for a new workspace with a new novel, or a workspace that has one.
    """

    def __init__(self, at: Path | Workspace) -> None:
        self.ws = create_workspace(at, title="Novels", owner="Ann") if isinstance(at, Path) else at
        self.id = self.begin("The Lamp") if isinstance(at, Path) else at.novel_service.novels()[0].id

    def begin(self, title: str, **facts: Any) -> str:
        """A new novel's id."""
        made = create_novel(
            self.ws.novel_service,
            **{
                "title": title,
                "config": CONFIG,
                "files": (),
                "request": "Write of a lamp.",
                "key": title,
                "actor": ANN,
                **facts,
            },
        )
        return made.novel.head.id

    @property
    def novel(self) -> Novel:
        """As it stands."""
        return self.ws.novel_service.head(self.id).novel

    @property
    def ann(self) -> Controls:
        """A person's hand on it."""
        return Controls(self.ws.novel_service, self.id, ANN)

    def caller(self, name: str = "claude-code", ws: Workspace | None = None) -> Callable[..., dict[str, Any]]:
        """Calls tools as one connection does."""
        dispatcher = (ws or self.ws).novel_dispatcher(self.id)
        face = Face(dispatcher, NOVEL)

        def call(tool: str, /, **arguments: Any) -> dict[str, Any]:
            result = face.call(tool, arguments, Actor.agent(name))
            first = result.content[0]
            assert isinstance(first, TextContent)
            found: dict[str, Any] = json.loads(first.text)
            if result.is_error:
                raise Refused(found)
            return found

        return call

    def host(self, name: str = "claude-code", mark: str = "k") -> Scripted:
        """A host that writes."""
        return Scripted(self.caller(name), mark)


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    made = Place(tmp_path / "ws")
    yield made
    made.ws.close()
