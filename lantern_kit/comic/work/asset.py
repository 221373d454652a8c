"""Assets as people hold them: the picture with its facts and its licence."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.assets import AssetLibrary, AssetVersion, SourceType, Use
from lantern_kit.comic.measure import counted
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import to_the_minute
from lantern_kit.kernel.errors import LanternError
from lantern_kit.listed import Listed

LARGE, SMALL = 480, 160
"""Long edges of an asset's picture, by itself and in a list, in pixels."""
SHEET = 24
"""Pictures of one sheet."""
_CAME = {
    SourceType.PHOTOGRAPH: "a photograph",
    SourceType.DRAWN: "drawn",
    SourceType.SCANNED: "scanned from paper",
    SourceType.EDITED: "edited by a person",
    SourceType.GENERATED: "generated",
    SourceType.GENERATED_PARTS: "made with generated parts",
    SourceType.UNKNOWN: "not said",
}


@dataclass(frozen=True, repr=False)
class AssetWork(AssetVersion):
    """An asset version that shows its picture."""

    library: AssetLibrary = field(kw_only=True, repr=False, compare=False)

    def told(self) -> list[tuple[str, str]]:
        """Its facts by name."""
        kind = "picture" if self.source_of is None else f"foreground, cut out of {self.source_of}"
        depth = f"{self.mode}, {counted(self.bits, 'bit')} a channel" + (", with transparency" if self.alpha else "")
        return [
            ("asset", self.id),
            ("kind", kind),
            ("size", f"{self.width} × {self.height} px"),
            ("file", f"{self.media}, {depth}, {self.bytes / 1000:,.0f} kB"),
            ("colour profile", self.profile),
            ("read as", self.notes),
            ("licence", self.licence or "none named"),
            ("source", self.source),
            ("how it came to be", came_to_be(self.digital_source_type)),
            ("registered", f"by {self.registered_by} at {to_the_minute(self.registered_at)}"),
        ]

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        drawn = figure_of(self.library, self, self.title, edge=LARGE)
        return show.bundle(repr(self), show.side_by_side([drawn, show.facts(self.told())]))


class Assets(Listed[AssetVersion]):
    """Assets, as a list that shows itself as a sheet of pictures."""

    empty = "no pictures"

    def __init__(self, library: AssetLibrary, items: Iterable[AssetVersion]) -> None:
        super().__init__(items)
        self._library = library

    def line(self, item: AssetVersion) -> str:
        """An asset on one line."""
        return repr(item)

    def html(self) -> str:
        """The first of them as a sheet, and how to see the rest."""
        if not self.items:
            return show.small(self.empty)
        shown = self.items[:SHEET]
        captions = (f"{item.title} · {item.id} · {item.licence or 'no licence named'}" for item in shown)
        sheet = [figure_of(self._library, item, words) for item, words in zip(shown, captions, strict=True)]
        more = f"{len(shown)} of {len(self)} pictures; [{SHEET}:] shows the next" if len(self) > SHEET else ""
        return show.side_by_side(sheet) + show.small(more)


class AssetShelf(AssetLibrary):
    """The assets of a workspace, as people hold them: it gives pictures that show themselves, and shows the newest."""

    def record(self, row: Any) -> AssetVersion:
        """An asset version from its row."""
        return AssetWork(**vars(super().record(row)), library=self)

    def find(self, words: str = "", *, use: Use | str | None = None, limit: int = 200) -> Assets:
        """Assets whose title holds ``words``, of one use (picture, cover, style) or of all, newest first.

        Raises BadInput for what is no use.
        """
        return Assets(self, super().find(words, use=use, limit=limit))

    def __getitem__(self, asset: str) -> AssetVersion:
        """An asset by id. Raises NotFound."""
        return self.get(asset)

    def _ipython_key_completions_(self) -> list[str]:
        return [item.id for item in super().find()]

    def __repr__(self) -> str:
        return repr(self.find())

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return self.find()._repr_mimebundle_()


def came_to_be(source_type: str) -> str:
    """How a picture came to be, in words."""
    known = {item.value: words for item, words in _CAME.items()}
    return known.get(source_type, source_type)


def figure_of(library: AssetLibrary, asset: AssetVersion, caption: str, *, edge: int = SMALL) -> show.Markup:
    """An asset's picture with a line under it; in words where its bytes are not there, or damaged."""
    from lantern_kit.imaging.decode import decode

    try:
        drawn = show.picture(decode(library.read(asset)), caption, edge)
    except LanternError as error:
        drawn = show.Markup(show.warning(f"{asset.id}: {error.message}"))
    return show.figure(drawn, caption, width=edge)
