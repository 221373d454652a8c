"""Operations that lay out all frames of a unit."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated

from pydantic import Field, Strict, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Ref, Whole, Word
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add
from lantern_kit.comic.layout.applying import above, outlines, weights_for
from lantern_kit.comic.layout.carrying import carried
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.layout.flowing import flowed, shared_out
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.reflow import reflowed
from lantern_kit.comic.layout.template import Place, fit, tiers
from lantern_kit.comic.measure import counted, micrometres
from lantern_kit.comic.model import Direction, Frame, Paper, Unit
from lantern_kit.kernel.errors import BadInput

Gap = Annotated[float, Strict(), Field(ge=0, le=50)]
Weight = Annotated[float, Strict(), Field(ge=0.1, le=10)]
Weights = Annotated[
    list[Weight], Field(max_length=80, description="one a frame as read: 2 is about twice as large as its neighbours")
]


class LayoutApply(Args):
    """Which template, or which unit's layout, and how."""

    template: Annotated[Word, Field(max_length=120)] | None = Field(
        None, description="its name; the guide layout shows them all"
    )
    like: Ref | None = Field(None, description="instead: another unit of the same size, whose layout is taken over")
    weights: Weights | None = None
    gutter: Gap | None = Field(None, description="mm between frames beside each other; absent: the template's")
    rows: Gap | None = Field(None, description="mm between frames above each other; absent: the template's")

    @model_validator(mode="after")
    def _one(self) -> LayoutApply:
        if (self.template is None) is (self.like is None):
            raise ValueError("give exactly one of template, like")
        if self.like is not None and (self.gutter is not None or self.rows is not None):
            raise ValueError("gutter and rows go with a template; layout.reflow changes those of a unit")
        return self


class LayoutReflow(Args):
    """How frames are laid out anew, and over which units they may flow."""

    weights: Weights | None = None
    gutter: Gap | None = Field(None, description="mm between frames beside each other; absent: as they are")
    rows: Gap | None = Field(None, description="mm between frames above each other; absent: as they are")
    over: Annotated[list[Ref], Field(max_length=50)] | None = Field(
        None, description="units right after the target, laid out too; weights then count on over their frames"
    )
    most: Annotated[Whole, Field(ge=1, le=40)] | None = Field(
        None, description="frames a unit; more go on to the next of over, and both are laid out in plain rows"
    )


@OPERATIONS.operation("layout.apply", target=("unit",), args=LayoutApply, order=("unit",))
def layout_apply(book: Book, target: Target, args: LayoutApply, ctx: EditContext) -> Outcome:
    """Lay a template, or another unit's layout, on a unit: its frames go to the slots in order, with all in them.

    Missing frames are added, more frames than slots refused. Frames stay drawn in their order, insets on top.
    """
    unit, frames = target.sheet(), frames_of(target.sheet())
    places = _of_template(book, unit, args, ctx) if args.template is not None else _of_unit(book, unit, str(args.like))
    if len(frames) > len(places):
        raise BadInput(
            f"{args.template or args.like} has {counted(len(places), 'slot')} for this unit, which has "
            f"{counted(len(frames), 'frame')}",
            expected="a layout with as many slots, or fewer frames",
            ids=[frame.id for frame in frames[len(places) :]],
        )
    weights = weights_for(args.weights, len(places), "slots")
    laid, new = _laid(unit, book.chapter.paper, places, weights, ctx)
    return Outcome(book.replace(laid), {str(number): name for number, name in enumerate(new, 1)})


@OPERATIONS.operation("layout.reflow", target=("unit",), args=LayoutReflow, order=("unit",))
def layout_reflow(book: Book, target: Target, args: LayoutReflow, ctx: EditContext) -> Outcome:
    """Lay a unit's frames out anew in its live area: places beside and above each other, gutters and order stay.

    With ``over``, frames that are too many for a unit go on to the next, with all in them.
    """
    units = [target.sheet(), *(book.unit(_unit(book, name)) for name in args.over or ())]
    _in_order(book, units)
    counts = sum(len(frames_of(unit)) for unit in units)
    given = weights_for(args.weights, counts, "frames")
    weights = dict(zip((frame.id for unit in units for frame in frames_of(unit)), given, strict=False))
    notes: list[str] = []
    changed: set[str] = set()
    if args.most is not None:
        shares = shared_out(units, args.most)
        changed = {
            unit.id
            for unit, share in zip(units, shares, strict=True)
            if [frame.id for frame in frames_of(unit)] != share
        }
        units, notes = flowed(units, shares)
    paper, direction = book.chapter.paper, book.chapter.direction
    for unit in units:
        frames = frames_of(unit)
        wide = None if args.gutter is None else micrometres(args.gutter)
        high = None if args.rows is None else micrometres(args.rows)
        if not frames:
            laid = unit
        elif unit.id in changed:
            places = _plain(unit, paper, direction, len(frames), (wide, high))
            laid, _ = _laid(unit, paper, places, [weights.get(frame.id, 1.0) for frame in frames], ctx)
        else:
            laid = carried(unit, paper, reflowed(unit, paper, weights, (wide, high)))
        book = book.replace(laid)
    return Outcome(book, notes=tuple(notes))


def _of_template(book: Book, unit: Unit, args: LayoutApply, ctx: EditContext) -> Sequence[Place]:
    template = ctx.library.layout(args.template or "")
    gutters = (
        template.gutter[0] if args.gutter is None else micrometres(args.gutter),
        template.gutter[1] if args.rows is None else micrometres(args.rows),
    )
    return fit(template, unit, book.chapter.paper, book.chapter.direction, gutters)


def _of_unit(book: Book, unit: Unit, like: str) -> Sequence[Place]:
    """The outlines of another unit's frames. Raises BadInput."""
    other = book.unit(like) if like in book else None
    if other is None or other.id == unit.id:
        raise BadInput("args.like: a layout is taken over from another unit", expected="handle of a unit", ids=[like])
    if [(one.x, one.width, one.height) for one in other.surfaces] != [
        (one.x, one.width, one.height) for one in unit.surfaces
    ]:
        raise BadInput(
            "args.like: the units are not of one size", expected="a unit of the same kind and size", ids=[unit.id, like]
        )
    frames = frames_of(other)
    if not frames:
        raise BadInput("args.like: that unit has no frames", expected="a unit with frames", ids=[like])
    drawn = [item for item in other.objects if isinstance(item, Frame)]
    over = {
        frame.id
        for place, frame in enumerate(drawn)
        if any(overlapping(frame.shape, below.shape) for below in drawn[:place])
    }
    return [Place(frame.shape, frame.bleed, frame.id in over) for frame in frames]


def _laid(
    unit: Unit, paper: Paper, places: Sequence[Place], weights: Sequence[float], ctx: EditContext
) -> tuple[Unit, list[str]]:
    """The unit with its frames, as they are read, in places; and the ids of those that were added to fill them."""
    frames = frames_of(unit)
    shapes = outlines(unit, places, frames, weights)
    laid = carried(unit, paper, {frame.id: shape for frame, shape in zip(frames, shapes, strict=False)})
    bleeds = {frame.id: place.bleed for frame, place in zip(frames, places, strict=False)}
    objects = tuple(
        item.model_copy(update={"bleed": bleeds[item.id]}) if item.id in bleeds else item for item in laid.objects
    )
    laid = laid.model_copy(update={"objects": objects})
    new = [
        Frame(id=ctx.ids.new("fr"), parent=unit.id, shape=shape, bleed=place.bleed)
        for shape, place in list(zip(shapes, places, strict=True))[len(frames) :]
    ]
    if new:
        laid = add(laid, new)
    names = [frame.id for frame in (*frames, *new)]
    laid = above(laid, {name: place.over for name, place in zip(names, places, strict=True)})
    return laid, [frame.id for frame in new]


def _plain(
    unit: Unit, paper: Paper, direction: Direction, count: int, gaps: tuple[int | None, int | None]
) -> list[Place]:
    """Places for so many frames in plain rows; on a spread half of them on either page."""
    pages = len(unit.surfaces)
    found: list[Place] = []
    for page in range(pages):
        many = (count + pages - 1 - page) // pages
        if many:
            template = tiers(many)
            usual = template.gutter
            gutters = (usual[0] if gaps[0] is None else gaps[0], usual[1] if gaps[1] is None else gaps[1])
            found += fit(template, unit, paper, direction, gutters)[page * many : (page + 1) * many]
    return found


def _unit(book: Book, name: str) -> str:
    if name not in book:
        raise BadInput("args.over: frames flow over units only", expected="handles of units", ids=[name])
    return name


def _in_order(book: Book, units: Sequence[Unit]) -> None:
    """Refuse units that do not follow each other."""
    places = [book.position(unit.id) for unit in units]
    if places != list(range(places[0], places[0] + len(places))):
        raise BadInput(
            "args.over: frames flow over units that follow each other",
            expected="those right after the target, in the chapter's order",
            ids=[unit.id for unit in units],
        )
