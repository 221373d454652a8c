"""All rules, put to a unit."""

from __future__ import annotations

from collections.abc import Iterable

from lantern_kit.comic.checks.lettering import lettering, sheet_of, torn
from lantern_kit.comic.checks.picture import picture
from lantern_kit.comic.checks.seen import Pictures, PictureShelf, PictureSize, Wrong
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.model import Chapter, Foreground, Image, Lettering, Overlay, Unit
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.kernel.errors import NotFound


class Checker:
    """Checks units against the pictures of a library.

    Args:
        library: the assets.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
    """

    def __init__(self, library: PictureShelf, *, fonts: Fonts | None = None) -> None:
        self._library = library
        self._fonts = fonts or packaged_fonts()

    def check(self, unit: Unit, chapter: Chapter) -> tuple[Finding, ...]:
        """Everything that a good page should not have; see ``check_unit``."""
        return check_unit(unit, chapter, self._size, fonts=self._fonts)

    def _size(self, asset: str) -> PictureSize | None:
        try:
            return self._library.get(asset)
        except NotFound:
            return None


def check_unit(unit: Unit, chapter: Chapter, pictures: Pictures, *, fonts: Fonts | None = None) -> tuple[Finding, ...]:
    """Everything that a good page should not have, in the order of its objects.

    Args:
        unit: what to check.
        chapter: its chapter; the paper's safe inset counts.
        pictures: asset id → a picture's size in pixels, or None when there is none.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
    """
    fonts = fonts or packaged_fonts()
    sheet = sheet_of(unit, chapter.paper)
    across = torn(unit, sheet)
    found: list[Finding] = []
    for item in unit.objects:
        wrongs: Iterable[Wrong] = ()
        if isinstance(item, Lettering):
            wrongs = (*lettering(item, sheet, fonts), *across.get(item.id, ()))
        elif isinstance(item, Image | Overlay | Foreground):
            wrongs = picture(item, unit, chapter.paper, pictures)
        found.extend(wrong.finding(unit.id, item.id) for wrong in wrongs)
    return tuple(found)
