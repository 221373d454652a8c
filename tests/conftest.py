"""What every test shares: how hard hypothesis tries, and where the project lies."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

pytest_plugins = ["tests.browser"]
os.environ.pop("XDG_CONFIG_HOME", None)  # a test that moves HOME moves the person's own folder with it

# Time on a busy machine says nothing about the code: no deadline. The check draws the same examples each time;
# `make prove` tries more of them, and new ones.
settings.register_profile("check", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("prove", deadline=None, max_examples=1000, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile(os.environ.get("LANTERN_HYPOTHESIS", "check"))


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout's own folder."""
    return Path(__file__).resolve().parent.parent


@dataclass(frozen=True)
class Played:
    """The demo, played once for all tests, each of which takes a copy of its folder."""

    path: Path
    said: subprocess.CompletedProcess[str]
    config: Path
    """Where the person's own folder would be."""


@pytest.fixture(scope="session")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Played:
    """What ``lantern demo lantern-demo --no-notebook`` leaves, as people type it."""
    home = tmp_path_factory.mktemp("demo")
    said = subprocess.run(
        [Path(sys.executable).with_name("lantern"), "demo", "lantern-demo", "--no-notebook"],
        cwd=home,
        capture_output=True,
        text=True,
        timeout=120,
        env={"PATH": os.environ["PATH"], "HOME": str(home), "XDG_CONFIG_HOME": str(home / "config"), "LANG": "C.UTF-8"},
    )
    return Played(home / "lantern-demo", said, home / "config")
