"""Operations that lay out all frames of a unit."""

from __future__ import annotations

from typing import Annotated

from pydantic import Field, Strict

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Word
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add
from lantern_kit.comic.layout.applying import above, outlines, weights_for
from lantern_kit.comic.layout.carrying import carried
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.layout.template import fit, sketch, template_named
from lantern_kit.comic.measure import counted, micrometres
from lantern_kit.comic.model import Frame
from lantern_kit.kernel.errors import BadInput

Gap = Annotated[float, Strict(), Field(ge=0, le=50)]
Weight = Annotated[float, Strict(), Field(ge=0.1, le=10)]
Weights = Annotated[
    list[Weight], Field(max_length=80, description="one a frame as read: 2 is about twice as large as its neighbours")
]


class LayoutApply(Args):
    """Which template, and how."""

    template: Annotated[Word, Field(max_length=40, description="its name; the guide layout shows them all")]
    weights: Weights | None = None
    gutter: Gap | None = Field(None, description="mm between frames beside each other; absent: the template's")
    rows: Gap | None = Field(None, description="mm between frames above each other; absent: the template's")


@OPERATIONS.operation("layout.apply", target=("unit",), args=LayoutApply, order=("unit",))
def layout_apply(book: Book, target: Target, args: LayoutApply, ctx: EditContext) -> Outcome:
    """Lay a template on a unit: its frames go to the slots as they are read, with all in them; missing ones are added.

    They stay drawn in their order, insets on top. More frames than slots are refused.
    """
    unit, paper = target.sheet(), book.chapter.paper
    template = template_named(args.template)
    gutters = (
        template.gutter[0] if args.gutter is None else micrometres(args.gutter),
        template.gutter[1] if args.rows is None else micrometres(args.rows),
    )
    places = fit(template, unit, paper, book.chapter.direction, gutters)
    frames = frames_of(unit)
    if len(frames) > len(places):
        raise BadInput(
            f"{template.name} has {counted(len(places), 'slot')} here, and there are {counted(len(frames), 'frame')}",
            expected="a template with as many slots, or fewer frames",
            found=sketch(template),
            ids=[frame.id for frame in frames[len(places) :]],
        )
    shapes = outlines(unit, places, frames, weights_for(args.weights, len(places), "slots"))
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
    names = [*(frame.id for frame in frames), *(frame.id for frame in new)]
    laid = above(laid, {name: place.over for name, place in zip(names, places, strict=True)})
    return Outcome(book.replace(laid), {str(number): frame.id for number, frame in enumerate(new, 1)})
