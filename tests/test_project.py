"""The project judged as a project: what may lie in it, and what a start may load."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

HEAVY = {"duckdb", "skia", "IPython", "ipywidgets", "langgraph", "mcp", "matplotlib", "pyarrow", "alembic", "pandas"}

LEAKS = {
    "a home folder": re.compile(rb"/(?:home|Users)/[a-z_][a-z0-9_-]*/|/roo[t]/"),
    "a working folder of one machine": re.compile(rb"/wor[k]/[a-z]"),
    "the host of a package registry": re.compile(
        rb"pythonhosted\.org|pypi\.org/simple|registry\.npmjs\.org|deb\.debian\.org|extra-index-url|--index-url|find-links"
    ),
    "a private key": re.compile(rb"-----BEGIN [A-Z ]*PRIVATE KEY-----"),
}
OWN = "tests/test_project.py"  # it names what it looks for


def tracked(root: Path) -> list[Path]:
    if shutil.which("git") is None or not (root / ".git").exists():
        pytest.skip("not a git checkout")
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=root, capture_output=True, check=True).stdout.decode()
    return [root / name for name in listed.split("\0") if name and name != OWN and (root / name).is_file()]


@pytest.mark.parametrize("kind", LEAKS)
def test_no_tracked_file_holds(kind: str, root: Path) -> None:
    found = [str(path.relative_to(root)) for path in tracked(root) if LEAKS[kind].search(path.read_bytes())]
    assert not found, f"{kind} is named in {found}"


def test_the_search_for_leaks_finds_what_it_is_for() -> None:
    samples = {
        "a home folder": b"open('/home/ann/x')",
        "a working folder of one machine": b"cd /%s/main" % b"work",
        "the host of a package registry": b"--index-url x",
        "a private key": b"-----BEGIN PRIVATE KEY-----",
    }
    assert {kind for kind, pattern in LEAKS.items() if pattern.search(samples[kind])} == set(LEAKS)


def test_constraints_are_exact_versions_and_nothing_else(root: Path) -> None:
    lines = (root / "constraints.txt").read_text().splitlines()
    pins = [line for line in lines if not line.startswith("#")]
    assert all(re.fullmatch(r"[a-z0-9-]+==[0-9][A-Za-z0-9.+!]*", line) for line in pins)
    assert pins == sorted(pins, key=lambda line: line.split("==")[0])
    assert not any(line.startswith("lantern-kit==") for line in pins)


def test_the_lock_of_the_widgets_packages_holds_no_address(root: Path) -> None:
    assert "://" not in (root / "widgets" / "package-lock.json").read_text()


def test_every_dependency_has_a_constraint(root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    wanted = [
        *project["dependencies"],
        *(line for extra in project["optional-dependencies"].values() for line in extra),
    ]
    names = {re.split(r"[<>=!~\[ ;]", line)[0].lower() for line in wanted} - {project["name"]}
    pinned = {line.split("==")[0] for line in (root / "constraints.txt").read_text().splitlines()}
    assert names <= pinned


def test_every_module_below_the_pictures_is_held_by_the_contract_on_input_and_output(root: Path) -> None:
    contracts = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["importlinter"]["contracts"]
    layers = next(one["layers"] for one in contracts if one.get("containers") == ["lantern_kit.comic"])
    held = next(one["source_modules"] for one in contracts if one["name"] == "Models and edits do no input or output")
    comic = root / "lantern_kit" / "comic"
    below = {name for layer in layers[-3:] for name in re.findall(r"\w+", layer)}
    there = {name for name in below if (comic / f"{name}.py").is_file() or (comic / name / "__init__.py").is_file()}
    assert {f"lantern_kit.comic.{name}" for name in there} == {name for name in held if ".comic." in name}


@pytest.mark.parametrize(
    "start",
    ["import lantern_kit", "from lantern_kit.cli import main; sys.argv = ['lantern', '--help']; main()"],
    ids=["import lantern_kit", "lantern --help"],
)
def test_a_start_loads_nothing_heavy(start: str, root: Path) -> None:
    last = "print('loaded', *{name.split('.')[0] for name in sys.modules})"
    code = f"import atexit, sys; atexit.register(lambda: {last}); {start}"
    done = subprocess.run([sys.executable, "-c", code], cwd=root, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    loaded = set(done.stdout.splitlines()[-1].split())
    assert "lantern_kit" in loaded
    assert not HEAVY & loaded
