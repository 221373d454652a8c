"""How long a start takes, each in fresh processes, beside the floors that no Python program of this kind can go below.

import_s    ``import lantern_kit``, inside the process         floor: ``import pydantic``, which the models are made of
python_s    an interpreter that does nothing, whole process

Figures are medians over rounds; every round runs each case once, so that a busy moment meets them all.
"""

from __future__ import annotations

import argparse
import json
import statistics
import subprocess
import sys
import time
from collections.abc import Callable

HEAVY = ("duckdb", "skia", "IPython", "ipywidgets", "langgraph", "mcp")

IMPORT = """
import sys, time
started = time.perf_counter()
import {module}
print(time.perf_counter() - started)
print(*(name for name in {heavy} if name in sys.modules))
"""


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


def cases() -> dict[str, Callable[[], float]]:
    """What is measured, by key."""
    return {
        "python_s": lambda: whole(sys.executable, "-c", "pass"),
        "pydantic_s": lambda: importing("pydantic"),
        "import_s": lambda: importing("lantern_kit"),
    }


def main() -> None:
    """Measure and print; with --json one object is the last line."""
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--json", action="store_true", help="print one JSON object as the last line")
    options.add_argument("--rounds", type=int, default=9, help="fresh processes per case (9)")
    chosen = options.parse_args()

    measured = cases()
    for case in measured.values():
        case()  # compiles what was never compiled and warms the disk cache
    seconds: dict[str, list[float]] = {key: [] for key in measured}
    for _ in range(chosen.rounds):
        for key, case in measured.items():
            seconds[key].append(case())
    figures = {key: round(statistics.median(times), 4) for key, times in seconds.items()}
    for key, value in figures.items():
        print(f"{key:<12} {value:7.3f} s   (slowest {max(seconds[key]):.3f})")
    if chosen.json:
        print(json.dumps({"benchmark": "start", **figures, "rounds": chosen.rounds}))


if __name__ == "__main__":
    main()
