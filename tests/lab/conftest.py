"""Real notebooks in a real browser: a JupyterLab for all tests of a process, each in a workspace of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit import Workspace, create_workspace
from tests.lab.server import Lab


@pytest.fixture(scope="session")
def lab(tmp_path_factory: pytest.TempPathFactory, browser: Any) -> Iterator[Lab]:
    """A running JupyterLab. It needs the browser: without one there is nobody to look at it."""
    del browser
    folder = tmp_path_factory.mktemp("lab")
    (folder / "home").mkdir()
    (folder / "works").mkdir()
    running = Lab(folder / "works", folder / "home").start()
    yield running
    running.stop()


@pytest.fixture
def ws(lab: Lab, request: pytest.FixtureRequest) -> Iterator[Workspace]:
    """A workspace in the folder that the server serves, with an empty chapter in it."""
    folder: Path = lab.folder / request.node.name.replace("[", "-").replace("]", "")
    with create_workspace(folder, title="Work", owner="ann", config=lab.config) as made:
        made.comic("Chelsea Goes Up").begin_chapter(1, size="A6")
        yield made


@pytest.fixture
def page(lab: Lab, browser: Any) -> Iterator[Any]:
    """A page of a browser that remembers nothing."""
    del lab
    context = browser.new_context(viewport={"width": 1300, "height": 900})
    yield context.new_page()
    context.close()
