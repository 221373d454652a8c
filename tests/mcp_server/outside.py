"""Other people's programs, fetched with npm into a cache of their own outside the checkout, with a Node that runs them.

Without npm or a network the proofs that need them are skipped, and say so.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

CACHE = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "lantern-kit"
NODE = "node@22"


@dataclass(frozen=True)
class Program:
    """A program of a package, and the Node beside it."""

    path: Path
    node: Path

    def run(self, *arguments: str, cwd: Path | None = None, timeout: float = 120) -> subprocess.CompletedProcess[str]:
        """What it says, however it ends."""
        environment = {**os.environ, "PATH": f"{self.node.parent}{os.pathsep}{os.environ['PATH']}", "NO_COLOR": "1"}
        return subprocess.run(
            [str(self.path), *arguments], capture_output=True, text=True, timeout=timeout, env=environment, cwd=cwd
        )


def node_in(folder: Path) -> Path:
    """The Node that was fetched into a folder."""
    return folder / "node_modules" / "node" / "bin" / "node"


def installed(package: str) -> Path:
    """The folder into which a package at a version was fetched, a Node beside it; skips the test where it cannot be."""
    folder = CACHE / package.rpartition("/")[2]
    needed = (folder / "node_modules" / package.rpartition("@")[0], node_in(folder))
    if all(path.exists() for path in needed):
        return folder
    npm = shutil.which("npm")
    if npm is None:
        pytest.skip(f"NOT PROVED: npm is not installed, so {package} cannot be fetched")
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(
        [npm, "install", "--no-audit", "--no-fund", "--prefix", str(folder), NODE, package],
        capture_output=True,
        text=True,
        timeout=900,
    )
    if done.returncode or not all(path.exists() for path in needed):
        pytest.skip(f"NOT PROVED: npm could not fetch {package} and {NODE}: {done.stderr[-300:]}")
    return folder


def fetched(package: str, program: str) -> Program:
    """A program of a package at a version; skips the test where it cannot be had."""
    folder = installed(package)
    return Program(folder / "node_modules" / ".bin" / program, node_in(folder))
