"""Tiles: parts of a sheet at one of its levels, painted once and kept encoded, across edits that they do not show."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.render.cache import recall
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.renderer import Renderer
from lantern_kit.imaging.encode import encode_jpeg, encode_png
from lantern_kit.widgets.sheets.pyramid import Pyramid

QUALITY = 88
"""Of JPEG, its colours as fine as its light (4:4:4), so that coloured lettering stays sharp."""
_PAINTER = 20_000
_OBJECT = 2_000
"""Bytes that a painter holds, and for each object, as the cache counts them: about what was measured."""
_KEY = 4_000
"""Bytes of what says how a tile looks, about."""


class Tiles:
    """Paints tiles.

    Args:
        renderer: the workspace's; tiles are kept in its cache, beside the pictures they are painted from.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def tiles(
        self, key: str, unit: Unit, chapter: Chapter, level: int, spots: Sequence[tuple[int, int]]
    ) -> list[bytes]:
        """Tiles of one level as they were asked for: JPEG, or PNG where the paper is not opaque.

        Args:
            key: what the sheet is known by.
            level: from 0, the coarsest.
            spots: columns and rows, from 0.

        Raises:
            NotFound: there is no such level or tile.
            Corrupt: a picture that the tile shows is damaged.
        """
        painter = self.painter(key, unit, chapter)
        size = Pyramid.of(painter.area.w, painter.area.h, chapter.paper.dpi).level(level)
        parts = [size.tile(*spot) for spot in spots]

        def paint(part: tuple[int, int, int, int]) -> bytes:
            pixels = painter.paint(size.scale, *part)
            return encode_jpeg(pixels, QUALITY) if painter.opaque else encode_png(pixels)

        cache = self._renderer.cache
        return [
            recall(
                cache, ("tile", painter.shows(size.scale, *part)), partial(paint, part), lambda data: len(data) + _KEY
            )
            for part in parts
        ]

    def painter(self, key: str, unit: Unit, chapter: Chapter) -> PartPainter:
        """What paints a sheet, kept with where each of its objects is drawn."""
        size = _PAINTER + _OBJECT * len(unit.objects)
        return recall(
            self._renderer.cache, ("painter", key), lambda: self._renderer.painter(unit, chapter), lambda _: size
        )
