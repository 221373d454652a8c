"""Fixtures of the tests of agents."""

from __future__ import annotations

import pytest
from pytest_httpserver import HTTPServer

from tests.agents.server import Server


@pytest.fixture
def server(httpserver: HTTPServer) -> Server:
    """A model's server that answers as the test says."""
    return Server(httpserver)
