"""An empty workspace with two pictures, made the same way each time."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.assets import AssetVersion
from lantern_kit.kernel.clock import SteppingClock
from lantern_kit.kernel.ids import SeededIds
from lantern_kit.workspace import Workspace, create_workspace


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
def cat(ws: Workspace) -> AssetVersion:
    return ws.assets.register(datasets.open_photo("chelsea"), title="Chelsea", licence="CC0-1.0")
