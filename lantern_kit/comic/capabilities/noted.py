"""What activity notes of a change besides counts: the operations, and the pictures that were put to use."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from lantern_kit.comic.change import Change

_PICTURE = "asset"


def operations(given: Sequence[Any]) -> str:
    """The names of the operations of a change set that was carried out, each once."""
    return ", ".join(dict.fromkeys(str(item["op"]) for item in given))


def pictures(changes: Iterable[Change]) -> tuple[str, ...]:
    """The fixed asset versions that changes bring in, each once."""
    found: dict[str, None] = {}
    for change in changes:
        if change.property == _PICTURE and change.after:
            found[str(change.after)] = None
        elif change.change == "added" and isinstance(change.after, dict) and change.after.get(_PICTURE):
            found[str(change.after[_PICTURE])] = None
    return tuple(found)
