"""A review server in a process of its own, with a notebook that stands in for the kit's."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import nbformat
import pytest

from tests.studio.site import Visitor

PICTURE = "beside.png"
SPY = "import pathlib; pathlib.Path(__file__).with_name('ran').touch()"
CELLS = (
    "from lantern_kit.studio.request import request_of\nimport os\nhidden_name = 1\nprint('asked', request_of())",
    "print('here', os.getcwd())\nprint('told', sorted(k for k, v in os.environ.items() if 'secret-token' in v))",
    "print('with', [value for value in os.environ.values() if 'token=' in value])",
)


def stand_in(path: Path, *cells: str) -> Path:
    """A notebook with prose in two languages, prose for notebooks only, and these cells."""
    notebook = nbformat.v4.new_notebook()
    notebook.metadata["kernelspec"] = {"display_name": "Python 3", "language": "python", "name": "python3"}
    prose = nbformat.v4.new_markdown_cell("# How to decide", metadata={"lantern": {"zh": "# 如何裁决"}})
    only = nbformat.v4.new_markdown_cell("For notebooks alone", metadata={"lantern": {"only": "notebook"}})
    notebook.cells = [prose, only, *(nbformat.v4.new_code_cell(cell) for cell in cells)]
    nbformat.write(notebook, path)
    return path


@dataclass
class Served:
    """A running server."""

    process: subprocess.Popen[str]
    port: int
    token: str
    folder: Path

    def visitor(self) -> Visitor:
        """Somebody who was never here."""
        return Visitor(self.port, self.token)

    def guest(self) -> Visitor:
        """Somebody who was let in."""
        visitor = self.visitor()
        visitor.come_in()
        return visitor


@pytest.fixture(scope="module")
def serve(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[..., Served]]:
    """Start a server for a notebook with these cells."""
    running = []

    def start(*cells: str) -> Served:
        home = tmp_path_factory.mktemp("review")
        folder = home / "notebooks"
        folder.mkdir()
        notebook = stand_in(home / "stand-in.ipynb", *cells)
        notebook.with_name(PICTURE).write_bytes(b"a picture beside the notebook")
        (home / "voila.py").write_text(SPY)
        program = Path(__file__).with_name("serve_stand_in.py")
        process = subprocess.Popen(
            [sys.executable, str(program), str(notebook), str(folder)],
            stdout=subprocess.PIPE,
            text=True,
            cwd=home,
            env={**os.environ, "HOME": str(home), "PYTHONPATH": str(program.parents[2]), "LANG": "C.UTF-8"},
        )
        running.append(process)
        assert process.stdout is not None
        address, token = json.loads(process.stdout.readline())
        return Served(process, int(address.split(":")[2].strip("/")), token, folder)

    yield start
    for process in running:
        process.send_signal(signal.SIGTERM)
    for process in running:
        process.communicate(timeout=60)


@pytest.fixture(scope="module")
def served(serve: Callable[..., Served]) -> Served:
    return serve(*CELLS)
