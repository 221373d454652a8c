"""What the skills' texts say that a machine can hold them to: names in code spans, and example calls."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from lantern_kit.skills import skills

FENCE = re.compile(r"^```\w*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SPAN = re.compile(r"`([^`\n]+)`")
ANSWERED = {"fallback", "match", "n", "new_findings", "recovery", "review", "rule"}
"""Keys of answers that the texts name and no schema holds."""
CALL = re.compile(r"^(\w+) (?=\{)")


def texts() -> dict[str, str]:
    """Every file of every skill, by its path: ``lantern/references/page.md``."""
    return {f"{skill.name}/{file.path}": file.text for skill in skills().values() for file in skill.files}


@dataclass(frozen=True)
class Example:
    """One example of a text: a tool with its arguments, or an operation, for which the tool is ``edit``."""

    tool: str
    arguments: dict[str, Any]


def examples(text: str) -> Iterator[Example]:
    """The examples in a text's fences and code spans, in order."""
    for block in FENCE.findall(text):
        yield from _read(block)
    for span in SPAN.findall(FENCE.sub("", text)):
        if CALL.match(span):
            yield from _read(span)


def _read(block: str) -> Iterator[Example]:
    decoder, place = json.JSONDecoder(), 0
    while block[place:].strip():
        place += len(block[place:]) - len(block[place:].lstrip())
        said = CALL.match(block[place:])
        place += said.end() if said else 0
        found, length = decoder.raw_decode(block[place:])
        place += length
        if said:
            yield Example(said.group(1), found)
        elif "op" in found:
            yield Example("edit", {"operations": [found]})


def spans(text: str) -> list[str]:
    """The code spans of a text that are no calls."""
    return [span for span in SPAN.findall(FENCE.sub("", text)) if not CALL.match(span)]
