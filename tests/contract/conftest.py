"""The stage, made once."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from lantern_kit.kernel import engine
from lantern_kit.workspace import Workspace
from tests.contract.stage import Stage, build


@pytest.fixture(scope="session")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Stage:
    """The workspace as it was made: to be copied, or asked what writes nothing."""
    return build(tmp_path_factory.mktemp("stage"))


@pytest.fixture(scope="module")
def stood(stage: Stage) -> Iterator[Workspace]:
    """That workspace, open; what is told of thousands of refused calls need not be on the disk each time."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            engine, "PRAGMAS", [item.replace("synchronous=FULL", "synchronous=OFF") for item in engine.PRAGMAS]
        )
        with stage.opened() as ws:
            yield ws
