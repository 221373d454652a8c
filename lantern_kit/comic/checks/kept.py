"""What the checks are told of the library: what its entries are called, and the colours they keep to."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from lantern_kit.library.entry import folded

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
    """Who speaks by which name, folded as the library's names are: those that mean one entry, with its id.

    A name means an entry of the comic, or else one of the whole workspace.
    """
    named: dict[str, dict[str, set[str]]] = {"": {}, comic: {}}
    for entry in kept.values():
        if entry.kind in SPEAKING and not entry.archived and entry.comic in named:
            for name in entry.names:
                named[entry.comic].setdefault(folded(name), set()).add(entry.id)
    meant = {**named[""], **named[comic]}
    return {name: entry for name, (entry, *more) in meant.items() if not more}


def spelling(name: str) -> str:
    """A name without its case, width and spaces: what is left is alike in names that are meant to be one."""
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())
