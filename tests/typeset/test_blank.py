from __future__ import annotations

import pytest

from lantern_kit.comic.model import Writing
from tests.typeset.lettered import line


@pytest.mark.parametrize("writing", Writing)
@pytest.mark.parametrize("base", ["\u200b", "\u2060", "\u00ad", "\u200d", "\ufeff", "\u2063"])
def test_readings_over_what_cannot_be_seen_are_set(base: str, writing: Writing) -> None:
    found = line(f"{{{base}|か}}", writing=writing)
    assert found.text == base
    assert found.missing == ()
