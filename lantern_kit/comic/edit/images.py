"""Operations on pictures in frames and on the paper, and on their bound foregrounds."""

from __future__ import annotations

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    Args,
    AssetId,
    BandArg,
    Flag,
    Name,
    Nothing,
    Opacity,
    PlacementArgs,
    to_picture,
)
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.stage import unmarked
from lantern_kit.comic.edit.tree import add, drop, swap
from lantern_kit.comic.model import Foreground, Image, Placement, Unit
from lantern_kit.kernel.errors import BadInput


class ImageFacts(PlacementArgs):
    """What can be said of a placed picture."""

    clip: Flag | None = Field(None, description="cut to the frame's outline")
    opacity: Opacity | None = None
    name: Name | None = None
    band: BandArg | None = None


class ImagePlace(ImageFacts):
    """A picture and how it lies."""

    asset: AssetId = Field(description="id of a registered picture")


class ImageReplace(Args):
    """Another picture in the same place."""

    asset: AssetId = Field(description="id of a registered picture")


class ForegroundBind(Args):
    """The cut-out subject of the picture."""

    asset: AssetId = Field(description="registered foreground of the image's own asset: same pixel size, real alpha")
    name: Name | None = None


@OPERATIONS.operation("image.place", target=("frame", "unit"), args=ImagePlace, order=("unit",))
def image_place(book: Book, target: Target, args: ImagePlace, ctx: EditContext) -> Outcome:
    """Place a registered picture in a frame, or free on the paper (then with a box)."""
    ctx.assets(args.asset)
    if isinstance(target.object, Unit) and args.box is None:
        raise BadInput("args.box: a picture on the paper itself needs a box", expected="[x, y, width, height] mm")
    image = Image(id=ctx.ids.new("im"), parent=target.id, **to_picture(args, Placement()))
    return Outcome(book.replace(add(target.sheet(), [image])), {"": image.id})


@OPERATIONS.operation("image.replace", target=("image",), args=ImageReplace)
def image_replace(book: Book, target: Target, args: ImageReplace, ctx: EditContext) -> Outcome:
    """Show another picture in the same place, with the same fit, focus and crop; marks of the old one go."""
    unit, image = target.sheet(), target.expect(Image)
    ctx.assets(args.asset)
    bound = _foreground(unit, image.id)
    if bound is not None and args.asset != image.asset:
        raise BadInput(
            f"a foreground, {bound.id}, is bound to this picture and belongs to it alone",
            expected="foreground.unbind first, then foreground.bind with one of the new picture",
            ids=[image.id, bound.id],
        )
    more, notes = unmarked(image, args.asset)
    return Outcome(book.replace(swap(unit, image.model_copy(update={"asset": args.asset, **more}))), notes=notes)


@OPERATIONS.operation("image.adjust", target=("image",), args=ImageFacts)
def image_adjust(book: Book, target: Target, args: ImageFacts, ctx: EditContext) -> Outcome:
    """Scale, shift, rotate, flip, crop, refocus or reclip a placed picture; keys left out keep their value."""
    image = target.expect(Image)
    return Outcome(book.replace(swap(target.sheet(), image.model_copy(update=to_picture(args, image.placement)))))


@OPERATIONS.operation("foreground.bind", target=("image",), args=ForegroundBind, order=("unit",))
def foreground_bind(book: Book, target: Target, args: ForegroundBind, ctx: EditContext) -> Outcome:
    """Bind the cut-out subject of a picture, drawn past the frame and driven by the picture (bound breakout)."""
    unit, image = target.sheet(), target.expect(Image)
    bound = _foreground(unit, image.id)
    if bound is not None:
        raise BadInput(
            f"{image.id} has a foreground already, {bound.id}",
            expected="foreground.unbind first",
            ids=[image.id, bound.id],
        )
    source, matte = ctx.assets(image.asset), ctx.assets(args.asset)
    if (matte.width, matte.height) != (source.width, source.height):
        raise BadInput(
            "args.asset: the foreground is not of the picture's own size",
            expected=f"{source.width} × {source.height} pixels",
            found=f"{matte.width} × {matte.height} pixels",
            ids=[args.asset, image.asset],
        )
    if not matte.alpha:
        raise BadInput(
            "args.asset: the foreground has no transparency", expected="a PNG or lossless WebP with real alpha"
        )
    if matte.source_of != image.asset:
        raise BadInput(
            "args.asset: it is not registered as a foreground of this picture",
            expected=f"a picture registered with foreground_of={image.asset}",
            found=matte.source_of,
            ids=[args.asset, image.asset],
        )
    foreground = Foreground(id=ctx.ids.new("fg"), parent=image.id, name=args.name or "", asset=args.asset)
    return Outcome(book.replace(add(unit, [foreground], above=image.id)), {"": foreground.id})


@OPERATIONS.operation("foreground.unbind", target=("image", "foreground"), args=Nothing, order=("unit",))
def foreground_unbind(book: Book, target: Target, args: Nothing, ctx: EditContext) -> Outcome:
    """Remove the bound foreground of a picture; the picture stays."""
    unit = target.sheet()
    bound = target.object if isinstance(target.object, Foreground) else _foreground(unit, target.id)
    if bound is None:
        raise BadInput("this picture has no foreground", expected="a picture with a bound foreground", ids=[target.id])
    return Outcome(book.replace(drop(unit, (bound.id,))))


def _foreground(unit: Unit, image: str) -> Foreground | None:
    return next((item for item in unit.objects if isinstance(item, Foreground) and item.parent == image), None)
