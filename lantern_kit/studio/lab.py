"""JupyterLab on a workspace's notebooks, in this process."""

from __future__ import annotations

import json
import logging
import os
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import zmq
from jupyterlab.labapp import LabApp

from lantern_kit.studio.listening import require_free_port, stopping

MESSAGE = 256 * 1024 * 1024
"""Bytes of the largest message that a browser may send to a kernel; larger ones are dropped without a word."""

NEWS = "@jupyterlab/apputils-extension:announcements"
SETTINGS = "JUPYTER_CONFIG_PATH"


def serve_lab(
    folder: Path,
    *,
    name: str,
    announce: Callable[[str], object],
    port: int | None = None,
    browser: bool = True,
    first: str = "",
) -> None:
    """Serve JupyterLab until the process is told to stop. What a person configured for their JupyterLab holds here too.

    Args:
        folder: what its file browser shows.
        name: under which the arrangement of its tabs is kept, so that folders do not mix theirs.
        announce: told the address, with the token that lets in, once it can be reached.
        port: None takes a free one.
        browser: whether to open it in the person's browser.
        first: a notebook in the folder to open.

    Raises:
        BadInput: the port is taken.
    """
    require_free_port(port)
    place = f"/lab/workspaces/{name}" + (f"/tree/{first}" if first else "")
    words = [
        f"--ServerApp.root_dir={folder}",
        f"--ServerApp.tornado_settings={{'websocket_max_message_size': {MESSAGE}}}",
        f"--LabApp.default_url={place}",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.handlers.announcements.NeverCheckForUpdate",
        f"--KernelManager.transport_encryption={'auto' if zmq.has('curve') else 'disabled'}",
        "--Application.log_level=ERROR",
    ]
    if not browser:
        words.append("--no-browser")
    if port is not None:
        words += [f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    if runs_as_root():
        words.append("--allow-root")
    logging.getLogger("tornado.general").setLevel(logging.ERROR)  # it warns of Jupyter's own timing
    with _quiet():
        with warnings.catch_warnings(record=True):  # Jupyter warns of old settings that nobody but itself looks at
            server = LabApp.initialize_server(argv=words)
            address = server.public_url
        server.identity_provider.token_generated = False  # or Jupyter says the address once more, as an alarm
        with stopping(lambda: server.stop(from_signal=True)):
            server.io_loop.add_callback(announce, address)  # it listens only once its loop runs
            server.start()


@contextmanager
def _quiet() -> Iterator[None]:
    """Leave out JupyterLab's news, which ask for consent over the buttons of whatever lies below."""
    with tempfile.TemporaryDirectory(prefix="lantern-lab-") as folder:
        settings = Path(folder) / "labconfig" / "page_config.json"
        settings.parent.mkdir()
        settings.write_text(json.dumps({"disabledExtensions": {NEWS: True}}), encoding="ascii")
        before = os.environ.get(SETTINGS)
        os.environ[SETTINGS] = folder if before is None else f"{folder}{os.pathsep}{before}"
        try:
            yield
        finally:
            if before is None:
                os.environ.pop(SETTINGS)
            else:
                os.environ[SETTINGS] = before


def runs_as_root() -> bool:
    """Whether this process has all rights on the machine, which Jupyter refuses unless it is allowed."""
    return hasattr(os, "geteuid") and os.geteuid() == 0
