"""Thumbs: small pictures of units after trimming, painted when they are asked for and kept encoded."""

from __future__ import annotations

from lantern_kit.comic.render.cache import recall
from lantern_kit.comic.renderer import Renderer
from lantern_kit.imaging.encode import encode_jpeg, encode_png
from lantern_kit.widgets.sheets.keys import Keyed
from lantern_kit.widgets.sheets.pyramid import reduced
from lantern_kit.widgets.sheets.sources import Seen

QUALITY = 82


class Thumbs:
    """Paints thumbs.

    Args:
        renderer: the workspace's; thumbs are kept in its cache.
    """

    def __init__(self, renderer: Renderer) -> None:
        self._renderer = renderer

    def thumb(self, seen: Seen, keyed: Keyed, edge: int) -> bytes:
        """A small picture of a unit: JPEG, or PNG where its paper is not opaque.

        Args:
            edge: pixels of its longer side.

        Raises:
            Corrupt: the unit or one of its pictures is damaged.
        """
        return recall(self._renderer.cache, ("thumb", keyed.key, edge), lambda: self._paint(seen, keyed, edge), len)

    def _paint(self, seen: Seen, keyed: Keyed, edge: int) -> bytes:
        painter = self._renderer.small(seen.book.unit(keyed.brief.id), seen.book.chapter)
        scale = reduced(painter.area.w, painter.area.h, edge)
        pixels = painter.paint(scale, 0, 0, *painter.size(scale))
        return encode_jpeg(pixels, QUALITY) if painter.opaque else encode_png(pixels)
