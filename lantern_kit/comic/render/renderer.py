"""The renderer as a service: the workspace's pictures, its fonts and one cache behind ``render`` and ``view``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from lantern_kit.comic.model import Chapter, Rect, Unit
from lantern_kit.comic.render.cache import Gallery, RenderCache
from lantern_kit.comic.render.fonts import Fonts, packaged_fonts
from lantern_kit.comic.render.page import LONG_EDGE, render_unit
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.render.view import MAX_BYTES, MAX_EDGE, View, make_view
from lantern_kit.kernel.errors import BadInput, NotFound
from lantern_kit.kernel.ids import IdSource


class KeptPicture(Protocol):
    """What is asked of an asset."""

    @property
    def blob(self) -> bytes:
        """SHA-256 of its bytes."""
        ...


class PictureLibrary(Protocol):
    """Where originals come from."""

    def get(self, asset: str) -> KeptPicture:
        """An asset by id. Raises NotFound."""
        ...

    def read(self, asset: str) -> bytes:
        """Its original bytes."""
        ...


class Renderer:
    """Draws units with the pictures of a library.

    Args:
        library: the assets.
        folders: folders with fonts of a person's own.
        cache: None remembers nothing.
    """

    def __init__(
        self, library: PictureLibrary, *, folders: tuple[Path, ...] = (), cache: RenderCache | None = None
    ) -> None:
        self.fonts = Fonts(folders) if folders else packaged_fonts()
        self.cache = cache if cache is not None else RenderCache()
        self._library = library
        self.pictures = Gallery(self._find, cache=self.cache)

    def _find(self, asset: str) -> tuple[str, Callable[[], bytes]] | None:
        try:
            kept = self._library.get(asset)
        except NotFound:
            return None
        return kept.blob.hex(), lambda: self._library.read(asset)

    def render(
        self,
        unit: Unit,
        chapter: Chapter,
        *,
        long_edge: int | None = None,
        dpi: float | None = None,
        scale: float | None = None,
        rect: Rect | None = None,
        bleed: bool = False,
    ) -> Rendered:
        """Draw a unit; see ``render_unit``."""
        return render_unit(
            unit,
            chapter,
            self.pictures,
            long_edge=long_edge,
            dpi=dpi,
            scale=scale,
            rect=rect,
            bleed=bleed,
            fonts=self.fonts,
            cache=self.cache,
        )

    def view(
        self,
        unit: Unit,
        chapter: Chapter,
        *,
        revision: str,
        ids: IdSource,
        long_edge: int = LONG_EDGE,
        rect: Rect | None = None,
        bleed: bool = False,
        max_bytes: int = MAX_BYTES,
        exact: bool = False,
    ) -> View:
        """A unit, or a part of it, as a picture small enough to send, with its facts; see ``make_view``."""
        if not 1 <= long_edge <= MAX_EDGE:
            raise BadInput("a view's long edge is out of range", expected=f"1 to {MAX_EDGE} pixels", found=long_edge)
        rendered = self.render(unit, chapter, long_edge=long_edge, rect=rect, bleed=bleed)
        return make_view(rendered, revision=revision, ids=ids, max_bytes=max_bytes, exact=exact)
