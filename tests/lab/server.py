"""A JupyterLab that runs for tests, and notebooks opened in it with a real browser."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import time
import urllib.request
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import nbformat

SERVER = (
    "--no-browser",
    "--allow-root",
    "--IdentityProvider.token=",
    "--ServerApp.disable_check_xsrf=True",
    "--LabApp.expose_app_in_browser=True",
    "--LabApp.extension_manager=readonly",
)
READY = """() => {
  const session = globalThis.jupyterapp?.shell.currentWidget?.sessionContext?.session?.kernel;
  return session?.connectionStatus === 'connected' && session?.status === 'idle';
}"""


@dataclass
class Lab:
    """A running server over one folder.

    Args:
        folder: what it serves.
        home: the person's home folder: settings and keys.
    """

    folder: Path
    home: Path
    port: int = 0
    process: subprocess.Popen[bytes] | None = None
    log: Path = field(default_factory=Path)

    def start(self) -> Lab:
        """Start it, and wait until it answers."""
        quiet = self.home / "jupyter" / "lab" / "user-settings" / "@jupyterlab" / "apputils-extension"
        quiet.mkdir(parents=True, exist_ok=True)
        (quiet / "notification.jupyterlab-settings").write_text('{"fetchNews": "false"}')
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.log = self.home / "lab.log"
        environment = {**os.environ, "HOME": str(self.home), "JUPYTER_CONFIG_DIR": str(self.home / "jupyter")}
        with self.log.open("wb") as log:
            self.process = subprocess.Popen(
                [
                    sys.executable,
                    "-m",
                    "jupyter",
                    "lab",
                    *SERVER,
                    f"--port={self.port}",
                    f"--notebook-dir={self.folder}",
                ],
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
            )
        end = time.monotonic() + 60
        while True:
            with suppress(OSError), urllib.request.urlopen(f"{self.url}/api/status", timeout=2) as answer:
                json.load(answer)
                return self
            if self.process.poll() is not None or time.monotonic() > end:
                raise AssertionError(self.log.read_text())

    @property
    def config(self) -> Path:
        """Where the person's keys are, as the kernels see it."""
        return self.home / ".config" / "lantern-kit"

    @property
    def url(self) -> str:
        """Where it can be reached."""
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """End it and its kernels."""
        if self.process is not None:
            self.process.terminate()
            self.process.wait(30)
            self.process = None

    def write(self, name: str, *cells: str) -> str:
        """Write a notebook of code cells into the folder."""
        notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
        notebook.metadata.kernelspec = {"name": "python3", "display_name": "Python 3", "language": "python"}
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        nbformat.write(notebook, path)
        return name

    def open(self, page: Any, name: str) -> None:
        """Open a notebook and wait until its kernel is connected and idle."""
        page.goto(f"{self.url}/lab/tree/{name}?reset")
        page.wait_for_function(READY, timeout=60_000)


def run_all(page: Any) -> None:
    """Run all cells of the notebook in front, and wait until the kernel is idle again."""
    page.evaluate("() => jupyterapp.commands.execute('notebook:run-all-cells')")
    page.wait_for_function(READY, timeout=120_000)
