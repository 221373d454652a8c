"""A workspace with an empty A6 chapter, and a host at it."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from lantern_kit.comic.model import Paper
from lantern_kit.workspace import Workspace, create_workspace
from tests.mcp_server.host import Host


@dataclass(frozen=True)
class Door:
    """A server over HTTP in a process of its own that asks for no token."""

    process: int
    url: str


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A workspace folder with one chapter, closed."""
    with create_workspace(tmp_path / "ws", title="Chelsea", owner="mina") as made:
        paper = Paper(width=105_000, height=148_000)
        made.comics.create_chapter(comic="Chelsea Goes Up", number=1, actor=made.owner, paper=paper)
    return tmp_path / "ws"


@pytest.fixture
def ws(folder: Path, tmp_path: Path) -> Iterator[Workspace]:
    with Workspace(folder, config=tmp_path / "config") as opened:
        yield opened


@pytest.fixture
def host(ws: Workspace) -> Host:
    return Host(ws, ws.comics.chapters()[0].id)


@pytest.fixture
def door(folder: Path) -> Iterator[Door]:
    program = Path(__file__).with_name("open_door.py")
    server = subprocess.Popen([sys.executable, str(program), str(folder)], stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    yield Door(server.pid, server.stdout.readline().strip())
    server.terminate()
    server.communicate(timeout=60)
