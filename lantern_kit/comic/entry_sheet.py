"""An entry of the library on one picture: its reference pictures with their lines, its colours, or its layout."""

from __future__ import annotations

from lantern_kit.assets import AssetLibrary
from lantern_kit.comic.render.reference_sheet import Captioned, layout_sheet, reference_sheet
from lantern_kit.comic.shelf import template_of
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.picture import Picture
from lantern_kit.library import Entry


def entry_sheet(entry: Entry, assets: AssetLibrary, *, edge: int) -> Picture | None:
    """The entry drawn ``edge`` pixels wide; None where there is nothing to be seen. Raises NotFound, Corrupt."""
    if entry.content.layout is not None:
        return layout_sheet(template_of(entry), edge=edge)
    shown = [
        Captioned(decode(assets.read(asset)), f"{asset} · {entry.name} {words}".rstrip())
        for asset, words in entry.content.captions.items()
    ]
    if not shown and not entry.content.palette:
        return None
    return reference_sheet(shown, entry.content.palette, edge=edge)
