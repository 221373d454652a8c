"""Characters that turn the direction of writing, shown as what they are: words of others cannot pose as other words."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

_TURNING = re.compile("[\u202a-\u202e\u2066-\u2069]")


def unturned(words: str) -> str:
    """Words in which whatever would turn them or their neighbours round is spelled out, as in a terminal.

    Writing from right to left needs none of these; it is turned by its own letters.
    """
    return _TURNING.sub(lambda found: f"\\u{ord(found[0]):04x}", words)


def all_unturned(data: Any) -> Any:
    """Plain data with all words in it unturned."""
    if isinstance(data, str):
        return data if data.isascii() else unturned(data)
    if isinstance(data, Mapping):
        return {key: all_unturned(value) for key, value in data.items()}
    if isinstance(data, list | tuple):
        return [item if isinstance(item, float) else all_unturned(item) for item in data]
    return data
