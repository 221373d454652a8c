"""The protocol's own suite of tests, against our server over HTTP, in every version of the protocol that it knows."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.mcp_server.conftest import Door
from tests.mcp_server.outside import Program, fetched

HERE = Path(__file__).parent
PACKAGE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
BASELINE = HERE / "conformance.yml"
SKILLS = ("sep-2640-skills-enumeration", "sep-2640-skills-manifest")

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def suite() -> Program:
    return fetched(PACKAGE, "conformance")


@pytest.mark.parametrize(("version", "fewest"), [("2025-06-18", 30), ("2025-11-25", 30), ("2026-07-28", 90)])
def test_all_that_is_not_in_the_baseline_passes_and_all_that_is_in_it_fails(
    version: str, fewest: int, suite: Program, door: Door, tmp_path: Path
) -> None:
    done = suite.run(
        *("server", "--url", door.url, "--suite", "all", "--spec-version", version),
        *("--expected-failures", str(BASELINE)),
        cwd=tmp_path,
        timeout=600,
    )
    assert done.returncode == 0, done.stdout[-4_000:] + done.stderr[-1_000:]
    total = re.search(r"^Total: (\d+) passed", done.stdout, re.MULTILINE)
    assert total is not None
    assert int(total.group(1)) >= fewest


@pytest.mark.parametrize("scenario", SKILLS)
def test_skills_are_served_as_the_extension_has_it(scenario: str, suite: Program, door: Door, tmp_path: Path) -> None:
    done = suite.run("server", "--url", door.url, "--scenario", scenario, cwd=tmp_path, timeout=300)
    assert done.returncode == 0, done.stdout[-4_000:]
    assert re.search(r"Passed: (\d+)/\1, 0 failed, 0 warnings", done.stdout), done.stdout[-500:]
