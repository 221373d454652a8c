"""The renderer of one workspace: units drawn with the workspace's own pictures, remembered between calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lantern_kit.assets import AssetLibrary
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.render.cache import Gallery, RenderCache
from lantern_kit.comic.render.page import render_unit
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.kernel.errors import NotFound


class Renderer:
    """Draws units.

    Args:
        assets: where the pictures are.
        cache: what is remembered; a fresh one of 256 MB when none is given.
    """

    def __init__(self, assets: AssetLibrary, cache: RenderCache | None = None) -> None:
        self._assets = assets
        self.cache = RenderCache() if cache is None else cache
        self.pictures = Gallery(self._find, cache=self.cache)

    def render(self, unit: Unit, chapter: Chapter, **options: Any) -> Rendered:
        """Draw a unit; the options are those of ``render_unit``. A picture that is gone leaves a marked stand-in."""
        return render_unit(unit, chapter, self.pictures, cache=self.cache, **options)

    def _find(self, asset: str) -> tuple[str, Callable[[], bytes]] | None:
        try:
            found = self._assets.get(asset)
        except NotFound:
            return None
        if not self._assets.holds(found):
            return None
        return found.blob.hex(), lambda: self._assets.read(found)
