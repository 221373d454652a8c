from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.kernel.shelf import Shelf, open_shelf


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    made = open_shelf(tmp_path)
    yield made
    made.journal.close()
