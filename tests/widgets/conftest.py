"""Widgets in a bare page: both halves, real Python and real browser, and no Jupyter between them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import comm
import pytest

from tests.widgets.stage import Stage, Wire


@pytest.fixture(autouse=True)
def wired(monkeypatch: pytest.MonkeyPatch) -> None:
    """Widgets speak over wires that tests hold."""
    monkeypatch.setattr(comm, "create_comm", Wire)
    monkeypatch.setattr("ipywidgets.widgets.widget.comm.create_comm", Wire)


@pytest.fixture
def stage(browser: Any) -> Iterator[Stage]:
    """A stage for widgets; see ``Stage``."""
    made = Stage(browser)
    yield made
    made.close()
