"""Operations on free paper objects: ordinary breakouts and objects across a spread."""

from __future__ import annotations

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import AssetId, BandArg, Name, Opacity, PlacementArgs, RectArg, to_picture
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.stage import unmarked
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.model import Overlay, Placement


class OverlayFacts(PlacementArgs):
    """What can be said of an overlay."""

    box: RectArg | None = Field(None, description="[x, y, w, h] mm")
    opacity: Opacity | None = None
    name: Name | None = None
    band: BandArg | None = None


class OverlayAdd(OverlayFacts):
    """A picture and where it lies."""

    asset: AssetId = Field(description="id of a registered picture")
    box: RectArg


class OverlaySet(OverlayFacts):
    """Changes to an overlay."""

    asset: AssetId | None = Field(None, description="id of a registered picture")


@OPERATIONS.operation("overlay.add", target=("unit",), args=OverlayAdd, order=("unit",))
def overlay_add(book: Book, target: Target, args: OverlayAdd, ctx: EditContext) -> Outcome:
    """Add a free picture above the frames: an ordinary breakout, or something across a spread's gutter."""
    ctx.assets(args.asset)
    overlay = Overlay(id=ctx.ids.new("ov"), parent=target.id, **to_picture(args, Placement()))
    return Outcome(book.replace(add(target.sheet(), [overlay])), {"": overlay.id})


@OPERATIONS.operation("overlay.set", target=("overlay",), args=OverlaySet)
def overlay_set(book: Book, target: Target, args: OverlaySet, ctx: EditContext) -> Outcome:
    """Change an overlay's picture (its marks go), box, fit, turn, opacity, name, band; absent keys keep their value."""
    overlay = target.expect(Overlay)
    if args.asset is not None:
        ctx.assets(args.asset)
    more, notes = unmarked(overlay, args.asset or overlay.asset)
    update = {**to_picture(args, overlay.placement), **more}
    return Outcome(book.replace(swap(target.sheet(), overlay.model_copy(update=update))), notes=notes)
