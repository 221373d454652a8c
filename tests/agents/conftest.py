"""Fixtures of the tests of agents."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer

from lantern_kit.agents.desk import Desk
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.comic.model import Paper
from lantern_kit.workspace import Workspace, create_workspace
from tests.agents.scripted import desk_at
from tests.agents.server import Server


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    """A model's server that answers as the test says."""
    return Server(httpserver)


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    """An open workspace with one empty A6 chapter."""
    with create_workspace(tmp_path / "ws", title="Chelsea", owner="mina", config=tmp_path / "config") as made:
        paper = Paper(width=105_000, height=148_000)
        made.comics.create_chapter(comic="Chelsea Goes Up", number=1, actor=made.owner, paper=paper)
        yield made


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    """A desk of its own folder."""
    made = desk_at(tmp_path)
    yield made
    made.close()


@pytest.fixture
def graph(desk: Desk) -> Iterator[GraphRunner]:
    """A graph at that desk."""
    made = GraphRunner(desk.path)
    yield made
    made.close()
