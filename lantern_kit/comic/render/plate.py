"""Plates: pictures known by their facts, decoded when they are first drawn. What remembers a plate pins no pixels."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import NamedTuple

from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.imaging.picture import Picture


class Source(NamedTuple):
    """Where a plate's picture comes from, and what is known of it without reading it."""

    digest: str
    """SHA-256 of its bytes, in hex."""
    width: int
    """Pixels, as decoded."""
    height: int
    """Pixels, as decoded."""
    alpha: bool
    """Whether transparency of any kind is stored."""
    load: Callable[[], Picture]
    """Reads and decodes it."""


class Plate:
    """A picture that is drawn like any other; its pixels are there only while somebody draws with them."""

    __slots__ = ("_cache", "_opaque", "_source", "_spare", "turn")

    def __init__(self, source: Source, cache: RenderCache | None, *, spare: bool) -> None:
        self._source = source
        self._cache = cache
        self._spare = spare
        self._opaque = None if source.alpha else True
        self.turn = threading.RLock()
        """Held while it is decoded or prepared, so that nobody does the same work beside it."""

    @property
    def digest(self) -> str:
        """What it shows: SHA-256 of its bytes, in hex."""
        return self._source.digest

    @property
    def width(self) -> int:
        """Pixels."""
        return self._source.width

    @property
    def height(self) -> int:
        """Pixels."""
        return self._source.height

    @property
    def opaque(self) -> bool:
        """Whether every alpha is 255; one that stores transparency is decoded to know."""
        if self._opaque is None:
            self.picture()
        return bool(self._opaque)

    def picture(self) -> Picture:
        """The decoded pixels, kept where they are not large: levels are. Raises what loading it raises."""
        with self.turn:
            key = ("picture", self.digest)
            found: Picture | None = None if self._cache is None else self._cache.get(key)
            if found is None:
                found = self._source.load()
                size = found.pixels.nbytes
                if self._cache is not None and self._cache.small(size):
                    self._cache.put(key, found, size, spare=self._spare)
            self._opaque = found.opaque
            return found

    def let_go(self) -> None:
        """Keep the decoded pixels no longer than whoever draws with them."""
        if self._cache is not None:
            self._cache.drop(("picture", self.digest))


class Plates:
    """The ``pictures`` that a renderer asks for: one plate an asset, for as long as the asset's bytes are there.

    Args:
        find: asset id → where its picture comes from; None for an asset that is not there.
        cache: where decoded pictures are kept.
        spare: keep them only where there is room: for those who pass by many pages and draw each small.
    """

    def __init__(
        self, find: Callable[[str], Source | None], *, cache: RenderCache | None = None, spare: bool = False
    ) -> None:
        self._find = find
        self._cache = cache
        self._spare = spare
        self._made: dict[str, Plate] = {}

    def __call__(self, asset: str) -> Plate | None:
        """The plate of an asset."""
        source = self._find(asset)
        if source is None:
            return None
        made = self._made.get(asset)
        if made is None:
            return self._made.setdefault(asset, Plate(source, self._cache, spare=self._spare))
        if made.digest != source.digest:
            made = self._made[asset] = Plate(source, self._cache, spare=self._spare)
        return made
