"""What the checks are told of the library: what its entries are called, and the colours they keep to."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

SPEAKING = frozenset({"character", "prop"})
"""Kinds of entries that may speak."""


@dataclass(frozen=True, slots=True)
class Kept:
    """An entry of the library, as far as the checks go."""

    id: str
    kind: str
    """character, scene, prop, style or layout."""
    names: tuple[str, ...]
    """All that it is called by, its name first."""
    palette: tuple[str, ...] = ()
    """``#rrggbb``."""
    comic: str = ""
    """The comic it belongs to; empty: to all."""
    archived: bool = False
    looks: tuple[str, ...] = ()
    """Names of its looks."""

    @property
    def name(self) -> str:
        """What it is called."""
        return self.names[0]


Entries = Callable[[], Mapping[str, Kept]]
"""Gives all entries, by id. It is asked only where a unit names one."""


def named(kept: Mapping[str, Kept], entry: str) -> str:
    """What an entry is called; its id where it is not there."""
    found = kept.get(entry)
    return entry if found is None else found.name


def speakers(kept: Mapping[str, Kept], comic: str) -> dict[str, str]:
    """Who speaks by which name, spelt as ``spelling`` does: names that mean one entry of a comic, with its id."""
    found: dict[str, str] = {}
    twice: set[str] = set()
    for entry in _of(kept.values(), comic):
        for name in {spelling(one) for one in entry.names}:
            if found.setdefault(name, entry.id) != entry.id:
                twice.add(name)
    return {name: entry for name, entry in found.items() if name not in twice}


def _of(entries: Iterable[Kept], comic: str) -> Iterable[Kept]:
    return (item for item in entries if item.kind in SPEAKING and not item.archived and item.comic in {"", comic})


def spelling(name: str) -> str:
    """A name without its case, width and spaces."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
