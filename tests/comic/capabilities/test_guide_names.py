"""What the guide on names promises is kept: every example of a phrase in it is understood whole."""

from __future__ import annotations

import re

from lantern_kit.comic.scope import read
from lantern_kit.skills import guides


def test_every_example_of_a_phrase_is_understood() -> None:
    lines = [line.removeprefix("- ") for line in guides()["names"].splitlines() if line.startswith("- ")]
    examples = [
        part.strip()
        for line in lines[:4]
        for part in re.split(r" · ", re.sub(r" \([^)]*\)| · names in quotes.*", "", line))
    ]
    assert len(examples) >= 20
    for example in examples:
        for text in example.split(", ") if example.startswith(("caption", "旁白")) else (example,):
            found = read(text.replace("Ann", "Chelsea"), ["chelsea", "安"])
            assert found.phrases, (text, found.strange)
