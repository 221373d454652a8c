"""The protocol's own suite of tests, against our server over HTTP, in every version of the protocol that it knows."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.mcp_server.outside import Program, fetched

HERE = Path(__file__).parent
PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
BASELINE = HERE / "conformance.yml"
SKILLS = ("sep-2640-skills-enumeration", "sep-2640-skills-manifest")

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def suite() -> Program:
    return fetched(PACKAGE, "conformance")


@pytest.fixture
def url(folder: Path) -> Iterator[str]:
    server = subprocess.Popen(
        [sys.executable, str(HERE / "open_door.py"), str(folder)], stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    yield server.stdout.readline().strip()
    server.terminate()
    server.communicate(timeout=30)


@pytest.mark.parametrize(("version", "fewest"), [("2025-06-18", 30), ("2025-11-25", 30), ("2026-07-28", 90)])
def test_all_that_is_not_in_the_baseline_passes_and_all_that_is_in_it_fails(
    version: str, fewest: int, suite: Program, url: str, tmp_path: Path
) -> None:
    done = suite.run(
        *("server", "--url", url, "--suite", "all", "--spec-version", version),
        *("--expected-failures", str(BASELINE)),
        cwd=tmp_path,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-1_000:]
    total = re.search(r"^Total: (\d+) passed", done.stdout, re.MULTILINE)
    assert total is not None
    assert int(total.group(1)) >= fewest


@pytest.mark.parametrize("scenario", SKILLS)
def test_skills_are_served_as_the_extension_has_it(scenario: str, suite: Program, url: str, tmp_path: Path) -> None:
    done = suite.run("server", "--url", url, "--scenario", scenario, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stdout[-4_000:]
    assert re.search(r"Passed: (\d+)/\1, 0 failed, 0 warnings", done.stdout), done.stdout[-500:]
