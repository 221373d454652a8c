"""The renderer of one workspace: units drawn with the workspace's own pictures, remembered between calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from lantern_kit.assets import AssetLibrary, AssetVersion
from lantern_kit.comic.checks.balance import EDGE as VIEW
from lantern_kit.comic.geometry import trim
from lantern_kit.comic.model import Chapter, Rect, Unit
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.compare import Comparison, compare_units
from lantern_kit.comic.render.page import render_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.render.plate import Plate, Plates, Source
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.imaging.colour import NONE, SRGB
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.kernel.errors import BadPicture, Corrupt, NotFound


class Renderer:
    """Draws units.

    Args:
        assets: where the pictures are.
        cache: what is remembered; a fresh one of 256 MB when none is given.
        fonts: what words are set in; None is the fonts that come with the kit.
    """

    def __init__(self, assets: AssetLibrary, cache: RenderCache | None = None, fonts: Fonts | None = None) -> None:
        self._assets = assets
        self.fonts = fonts or packaged_fonts()
        self.cache = RenderCache() if cache is None else cache
        self.pictures = Plates(self._find, cache=self.cache)
        self._passing = Plates(self._find, cache=self.cache, spare=True)

    def render(self, unit: Unit, chapter: Chapter, **options: Any) -> Rendered:
        """Draw a unit; the options are those of ``render_unit``. A picture that is gone leaves a marked stand-in."""
        return render_unit(unit, chapter, self.pictures, cache=self.cache, fonts=self.fonts, **options)

    def compare(
        self, before: Unit | None, after: Unit | None, chapter_before: Chapter, chapter_after: Chapter, **options: Any
    ) -> Comparison:
        """Compare two states of a unit; the options are those of ``compare_units``."""
        common: dict[str, Any] = {"cache": self.cache, "fonts": self.fonts, **options}
        return compare_units(before, after, chapter_before, chapter_after, self.pictures, **common)

    def painter(self, unit: Unit, chapter: Chapter, *, area: Rect | None = None) -> PartPainter:
        """Paints parts of a unit at any scale, each as it stands in the whole: in ``area``, or in trim and bleed."""
        return PartPainter(unit, chapter, self.pictures, area=area, cache=self.cache, fonts=self.fonts)

    def small(self, unit: Unit, chapter: Chapter) -> PartPainter:
        """Paints a unit after trimming, to be passed by among many: what it decodes takes nobody's room."""
        return PartPainter(unit, chapter, self._passing, area=trim(unit), cache=self.cache, fonts=self.fonts)

    def view(self, unit: Unit, chapter: Chapter) -> Pixels:
        """A unit after trimming, as small as the checks look at it: rows, columns, RGBA."""
        return render_unit(unit, chapter, self._passing, long_edge=VIEW, fonts=self.fonts).pixels

    def plate(self, asset: str) -> Plate | None:
        """A picture as it is drawn; None when it is not there."""
        return self.pictures(asset)

    def jpeg(self, asset: str) -> Callable[[], bytes] | None:
        """Reads a picture as it is stored, if that is a JPEG of three channels whose samples are drawn as they are."""
        found = self._assets.get(asset)
        plain = (found.media, found.mode, found.bits, found.orientation) == ("image/jpeg", "RGB", 8, 1)
        if not plain or found.profile not in (SRGB, NONE):
            return None
        return lambda: self._assets.read(found)

    def _find(self, asset: str) -> Source | None:
        try:
            found = self._assets.get(asset)
        except NotFound:
            return None
        if not self._assets.holds(found):
            return None
        return Source(found.blob.hex(), found.width, found.height, found.alpha, lambda: self._load(found))

    def _load(self, asset: AssetVersion) -> Picture:
        try:
            picture = decode(self._assets.read(asset))
        except (BadPicture, Corrupt, NotFound) as error:
            raise damaged(asset, error.message) from error
        if (picture.width, picture.height) != (asset.width, asset.height):
            raise damaged(asset, f"{picture.width} × {picture.height} pixels, not {asset.width} × {asset.height}")
        return picture


def damaged(asset: AssetVersion, found: str) -> Corrupt:
    """What is said of a picture whose bytes are there and cannot be drawn."""
    return Corrupt(
        f"the picture “{asset.title}” ({asset.id}) is damaged and cannot be drawn",
        found=found,
        ids=[asset.id],
        recovery="Run lantern verify to see all that is damaged; restore the blobs folder from a backup, or place"
        " another picture there.",
        details={"blob": asset.blob.hex()},
    )
