"""How long a start takes, each in fresh processes, beside the floors that no Python program of this kind can go below.

import_s    ``import lantern_kit``, inside the process         floor: ``import pydantic``, which the models are made of
help_s      ``lantern --help``, whole process                  floor: python_s
open_s      a new process imports the kit, opens a workspace and reads the outline of a chapter of 100 pages
python_s    an interpreter that does nothing, whole process

Figures are medians over rounds; every round runs each case once, so that a busy moment meets them all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import lantern_kit

HEAVY = ("duckdb", "skia", "IPython", "ipywidgets", "langgraph", "mcp")

IMPORT = """
import sys, time
started = time.perf_counter()
import {module}
print(time.perf_counter() - started)
print(*(name for name in {heavy} if name in sys.modules))
"""

OPEN = """
import sys
import lantern_kit
with lantern_kit.open_workspace(sys.argv[1]) as workspace:
    chapter = workspace.comic("Start").chapter(1)
    outline = [(unit.title, len(unit.model.objects)) for unit in chapter]
assert len(outline) == 100 and all(objects == 14 for _, objects in outline)
"""


def build(folder: Path) -> None:
    """A workspace with one chapter of a hundred pages, six frames and eight balloons each."""
    with lantern_kit.create_workspace(folder, title="Start", owner="benchmark") as workspace:
        chapter = workspace.comic("Start").begin_chapter(1, size="A6")
        with chapter.edit("a hundred pages") as edit:
            for _ in range(100):
                page = edit.add_page()
                for place in range(6):
                    left, top = 5 + 48 * (place % 2), 5 + 46 * (place // 2)
                    frame = page.add_frame(rect=(left, top, 46, 44))
                    frame.say("Is that a lantern?", at=(left + 23, top + 12), speaker="Ann")
                    if place < 2:
                        frame.say("It is.", at=(left + 23, top + 32), speaker="Bo")


def run(*command: str) -> str:
    """Run a program to its end and give what it printed; a failure of it is a failure here."""
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def importing(module: str) -> float:
    """Seconds that one import takes in a new interpreter, once it has loaded nothing that a start must not load."""
    seconds, loaded = run(sys.executable, "-c", IMPORT.format(module=module, heavy=HEAVY)).splitlines()
    if loaded:
        raise SystemExit(f"import {module} loaded {loaded}")
    return float(seconds)


def whole(*command: str) -> float:
    """Seconds from starting a program to its end."""
    started = time.perf_counter()
    run(*command)
    return time.perf_counter() - started


def cases(workspace: Path) -> dict[str, Callable[[], float]]:
    """What is measured, by key."""
    return {
        "python_s": lambda: whole(sys.executable, "-c", "pass"),
        "pydantic_s": lambda: importing("pydantic"),
        "import_s": lambda: importing("lantern_kit"),
        "help_s": lambda: whole(str(Path(sys.executable).with_name("lantern")), "--help"),
        "open_s": lambda: whole(sys.executable, "-c", OPEN, str(workspace)),
    }


def measure(measured: dict[str, Callable[[], float]], rounds: int) -> dict[str, list[float]]:
    """Seconds of every case in every round."""
    for case in measured.values():
        case()  # compiles what was never compiled and warms the disk cache
    seconds: dict[str, list[float]] = {key: [] for key in measured}
    for _ in range(rounds):
        for key, case in measured.items():
            seconds[key].append(case())
    return seconds


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rounds", type=int, default=9, help="fresh processes per case (9)")
    chosen = options.parse_args()

    with tempfile.TemporaryDirectory() as folder:
        workspace = Path(folder) / "start"
        build(workspace)
        seconds = measure(cases(workspace), chosen.rounds)
    figures = {key: round(statistics.median(times), 4) for key, times in seconds.items()}
    for key, value in figures.items():
        print(f"{key:<12} {value:7.3f} s   (slowest {max(seconds[key]):.3f})")
    if chosen.json:
        print(json.dumps({"benchmark": "start", **figures, "rounds": chosen.rounds}))


if __name__ == "__main__":
    main()
