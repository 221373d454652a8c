"""What every test shares: how hard hypothesis tries, and where the project lies."""

from __future__ import annotations

import os
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
