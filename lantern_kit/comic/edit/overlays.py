"""Operations on free paper objects: ordinary breakouts and objects across a spread."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import AssetId, BandArg, Name, Opacity, PlacementArgs, RectArg, to_placement
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.measure import millionths
from lantern_kit.comic.model import MILLION, Overlay, Placement


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
    overlay = Overlay(
        id=ctx.ids.new("ov"),
        parent=target.id,
        name=args.name or "",
        band=args.band,
        asset=args.asset,
        placement=to_placement(args, Placement()),
        opacity=MILLION if args.opacity is None else millionths(args.opacity),
    )
    return Outcome(book.replace(add(target.sheet(), [overlay])), {"": overlay.id})


@OPERATIONS.operation("overlay.set", target=("overlay",), args=OverlaySet)
def overlay_set(book: Book, target: Target, args: OverlaySet, ctx: EditContext) -> Outcome:
    """Change an overlay's picture, box, fit, turn, opacity, name or band; keys left out keep their value."""
    overlay = target.expect(Overlay)
    update: dict[str, Any] = {"placement": to_placement(args, overlay.placement)}
    if args.asset is not None:
        ctx.assets(args.asset)
        update["asset"] = args.asset
    for name in ("name", "band"):
        value = getattr(args, name)
        if value is not None:
            update[name] = value
    if args.opacity is not None:
        update["opacity"] = millionths(args.opacity)
    return Outcome(book.replace(swap(target.sheet(), overlay.model_copy(update=update))))
