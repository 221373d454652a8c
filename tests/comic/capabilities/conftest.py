"""A workspace with an empty A6 chapter and an agent at its desk."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.comic.model import Paper
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace
from tests.comic.capabilities.desk import Desk


@pytest.fixture
def ws(tmp_path: Path) -> Iterator[Workspace]:
    made = create_workspace(
        tmp_path / "ws",
        title="Chelsea",
        owner="mina",
        ids=SeededIds(11),
        clock=SteppingClock(),
        config=tmp_path / "keys",
    )
    yield made
    made.close()


@pytest.fixture
def chapter(ws: Workspace) -> str:
    paper = Paper(width=105_000, height=148_000)
    return ws.comics.create_chapter(comic="Chelsea Goes Up", number=1, actor=ws.owner, paper=paper).id


@pytest.fixture
def desk(ws: Workspace, chapter: str) -> Desk:
    return Desk(ws, chapter)


@pytest.fixture(scope="session")
def reader(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Desk]:
    """An agent at an empty workspace, for tests that leave it as it is."""
    with create_workspace(tmp_path_factory.mktemp("reader") / "ws", title="Empty", owner="mina") as made:
        paper = Paper(width=105_000, height=148_000)
        yield Desk(made, made.comics.create_chapter(comic="Empty", number=1, actor=made.owner, paper=paper).id)


@pytest.fixture
def cat(ws: Workspace) -> AssetVersion:
    return ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
