"""What sheets are known by: a hash of everything that is drawn, so that equal keys are equal pixels."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from lantern_kit.assets import AssetLibrary
from lantern_kit.comic.book import Book
from lantern_kit.comic.brief import Brief
from lantern_kit.comic.store import unit_body
from lantern_kit.comic.typeset.fonts import PACKAGED, SUFFIXES, Fonts
from lantern_kit.kernel.canonical import digest, dumps
from lantern_kit.widgets.sheets.pyramid import TILE

DRAWING = 3
"""Raised whenever the same document would be drawn, or sent, with other pixels."""
_DRAWN_WITH = (
    "lantern-kit",
    "skia-python",
    "uharfbuzz",
    "pyicu-wheels",
    "pillow",
    *(item.package for item in PACKAGED),
)


@dataclass(frozen=True, slots=True)
class Keyed:
    """What is known of a unit before it is drawn."""

    brief: Brief
    key: str
    missing: tuple[str, ...]
    """Pictures that are not there, by asset id."""


class Keys:
    """Works out keys.

    Args:
        assets: where the pictures are.
        fonts: what words are set in.
    """

    def __init__(self, assets: AssetLibrary, fonts: Fonts) -> None:
        self._assets = assets
        self._fonts = [hashlib.sha256(path.read_bytes()).hexdigest() for path in _own_files(fonts)]
        self._hashes: dict[int, tuple[object, bytes]] = {}
        self._lock = threading.Lock()

    def of(self, book: Book, units: Sequence[str] | None = None) -> list[Keyed]:
        """Briefs and keys of some units, or of all, in order. Raises NotFound, Corrupt."""
        briefs = book.briefs(units)
        held = self._assets.held({asset for brief in briefs for asset in brief.assets})
        paper = book.chapter.paper
        common = [drawn_with(), self._fonts, paper.bleed, paper.dpi, TILE]
        found = []
        for brief in briefs:
            pictures = [(asset, held[asset].hex() if asset in held else "") for asset in brief.assets]
            facts = [*common, (brief.drawn or self._hash(book, brief.id)).hex(), pictures]
            missing = tuple(asset for asset, blob in pictures if not blob)
            found.append(Keyed(brief, hashlib.sha256(dumps(facts)).hexdigest()[:40], missing))
        return found

    def _hash(self, book: Book, unit: str) -> bytes:
        """The unit's document hash: the stored one where there is one."""
        stored = book.stamp(unit)
        if stored is not None:
            return stored
        held = book.unit(unit)
        with self._lock:
            known = self._hashes.get(id(held))
            if known is not None and known[0] is held:
                return known[1]
        made = digest(unit_body(held))
        with self._lock:
            if len(self._hashes) >= 64:
                self._hashes.clear()
            self._hashes[id(held)] = (held, made)
        return made


def _own_files(fonts: Fonts) -> Iterator[Path]:
    for folder in fonts.folders:
        yield from sorted(path for path in folder.rglob("*") if path.suffix.lower() in SUFFIXES and path.is_file())


@cache
def drawn_with() -> str:
    """What draws here: the kit's way of drawing, its libraries and fonts, by version."""
    return " ".join([f"drawing={DRAWING}", *(f"{name}={version(name)}" for name in _DRAWN_WITH)])
