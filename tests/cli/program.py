"""A command that serves until it is told to end, run as people run it."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

from tests.cli.conftest import SCRIPT
from tests.studio.site import Visitor


class Program:
    """A running ``lantern`` command: its address, and what it says in the end."""

    def __init__(self, *words: object, cwd: Path) -> None:
        command = [str(SCRIPT), *map(str, words)]
        self.process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=cwd,
            env=os.environ,
        )
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        self.address = line.strip().split(": ", 1)[-1]
        assert self.address.startswith("http://"), line + self.process.communicate(timeout=60)[1]
        self.parts = urlsplit(self.address)
        self.query = parse_qs(self.parts.query)

    def visitor(self) -> Visitor:
        assert self.parts.port is not None
        return Visitor(self.parts.port, self.query["token"][0])

    def end(self, told: signal.Signals = signal.SIGINT) -> tuple[int, str, str]:
        """Its exit code, what it said after the address, and what it said beside that."""
        self.process.send_signal(told)
        out, errors = self.process.communicate(timeout=120)
        return self.process.returncode, out, errors
