"""A workspace in which many things happened."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.analysis.world import World


@pytest.fixture(scope="session")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a world with a long history, for copies to be made of."""
    folder = tmp_path_factory.mktemp("lived") / "world"
    made = World(folder, seed=8).live(100)
    while made.lacks():
        made.live(10)
    made.close()
    return folder


@pytest.fixture
def world(lived: Path, tmp_path: Path) -> Iterator[World]:
    """A world with a long history of which nothing was analysed yet."""
    made = World(tmp_path / "world", seed=900_000, like=lived)
    yield made
    made.close()
