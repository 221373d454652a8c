"""Operations on frames."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    XY,
    Args,
    BandArg,
    ColourArg,
    Name,
    Nothing,
    OutlineArgs,
    Ref,
    StrokeArgs,
    cleared,
    to_colour,
    to_point,
    to_stroke,
    usual,
)
from lantern_kit.comic.edit.objects import removed
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, box_of, reading_group, swap
from lantern_kit.comic.geometry import distance, edges_reached
from lantern_kit.comic.knife import cut
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Edge, Frame, Node, Shape, Unit
from lantern_kit.kernel.errors import BadInput

Bleed = Annotated[list[Edge], Field(max_length=4, description="paper edges past which it runs out to the bleed")]
Background = Annotated[ColourArg | None, Field(description="#rrggbb[aa]; null: none")]


class FrameAdd(OutlineArgs):
    """A new frame: rect, polygon or curve, and how it looks."""

    border: StrokeArgs | None = None
    background: Background = "#ffffff"
    bleed: Bleed | None = None
    name: Name | None = None
    band: BandArg | None = None
    after: Ref | None = Field(None, description="what it is read after; absent: last")


class FrameCut(Args):
    """Where a frame is cut."""

    line: tuple[XY, XY] = Field(description="two points [x, y] mm; the cut runs through both and on past them")
    gutter: Annotated[float, Strict(), Field(ge=0, le=200)] = Field(4.0, description="mm between the parts")


class FrameReshape(OutlineArgs):
    """A frame's new outline."""


class FrameSet(Args):
    """How a frame looks; keys left out keep their value."""

    border: StrokeArgs | None = None
    background: Background = None
    bleed: Bleed | None = None
    name: Name | None = None
    band: BandArg | None = None


@OPERATIONS.operation("frame.add", target=("unit",), args=FrameAdd, order=("unit",))
def frame_add(book: Book, target: Target, args: FrameAdd, ctx: EditContext) -> Outcome:
    """Add a frame (panel) with a rectangular, polygonal or curved outline."""
    unit = target.sheet()
    frame = Frame(
        id=ctx.ids.new("fr"),
        parent=unit.id,
        name=args.name or "",
        band=args.band,
        shape=args.shape(),
        border=to_stroke(args.border or StrokeArgs(), usual(Frame, "border")),
        background=None if args.background is None else to_colour(args.background),
        bleed=_edges(args.bleed or []),
    )
    return Outcome(book.replace(add(unit, [frame], after=args.after)), {"": frame.id})


@OPERATIONS.operation("frame.cut", target=("frame",), args=FrameCut, order=("unit",))
def frame_cut(book: Book, target: Target, args: FrameCut, ctx: EditContext) -> Outcome:
    """Cut a frame in two along a line. 1 is read first and keeps the id; what it holds goes to the part it lies in."""
    unit, frame = target.sheet(), target.expect(Frame)
    line = (to_point(args.line[0]), to_point(args.line[1]))
    one, two = cut(frame.shape, line, micrometres(args.gutter), book.chapter.direction)
    first = frame.model_copy(update={"shape": one, "bleed": _still(frame, one, unit)})
    second = frame.model_copy(
        update={"id": ctx.ids.new("fr"), "name": "", "shape": two, "bleed": _still(frame, two, unit)}
    )
    goes = {item.id for item in unit.objects if item.parent == frame.id and _nearer(item, two, one)}
    objects: list[Node] = []
    for item in unit.objects:
        if item.id == frame.id:
            objects += [first, second]
        else:
            objects.append(item.model_copy(update={"parent": second.id}) if item.id in goes else item)
    lettering = [name for name in unit.reading if name in goes]
    reading = [name for name in unit.reading if name not in goes]
    group = reading_group(unit.model_copy(update={"objects": tuple(objects), "reading": tuple(reading)}), frame.id)
    place = reading.index(frame.id) + len(group)
    reading[place:place] = [second.id, *lettering]
    cut_unit = unit.model_copy(update={"objects": tuple(objects), "reading": tuple(reading)})
    return Outcome(book.replace(cut_unit), {"1": frame.id, "2": second.id})


def _still(frame: Frame, part: Shape, unit: Unit) -> tuple[Edge, ...]:
    """The bleed edges that a part of a frame still reaches."""
    reached = edges_reached(part, unit)
    return tuple(edge for edge in frame.bleed if edge in reached)


def _nearer(item: Node, part: Shape, other: Shape) -> bool:
    """Whether an object has its middle in, or nearer to, a part; one without a box of its own never has."""
    box = box_of(item)
    return box is not None and distance(part, box.centre) < distance(other, box.centre)


@OPERATIONS.operation("frame.reshape", target=("frame",), args=FrameReshape)
def frame_reshape(book: Book, target: Target, args: FrameReshape, ctx: EditContext) -> Outcome:
    """Give a frame another outline. Pictures fitted to it follow; lettering and boxed pictures stay where they are."""
    return _swapped(book, target, {"shape": args.shape()})


@OPERATIONS.operation("frame.set", target=("frame",), args=FrameSet)
def frame_set(book: Book, target: Target, args: FrameSet, ctx: EditContext) -> Outcome:
    """Change a frame's border, background, bleed edges, name or band."""
    frame = target.expect(Frame)
    update: dict[str, Any] = {}
    if args.border is not None:
        update["border"] = to_stroke(args.border, frame.border)
    if args.background is not None:
        update["background"] = to_colour(args.background)
    elif cleared(args, "background"):
        update["background"] = None
    if args.bleed is not None:
        update["bleed"] = _edges(args.bleed)
    if args.name is not None:
        update["name"] = args.name
    if args.band is not None:
        update["band"] = args.band
    return _swapped(book, target, update)


@OPERATIONS.operation("frame.remove", target=("frame",), args=Nothing, order=("unit",))
def frame_remove(book: Book, target: Target, args: Nothing, ctx: EditContext) -> Outcome:
    """Remove a frame with the pictures, effects and lettering in it."""
    return removed(book, target)


def _swapped(book: Book, target: Target, update: dict[str, Any]) -> Outcome:
    return Outcome(book.replace(swap(target.sheet(), target.expect(Frame).model_copy(update=update))))


def _edges(edges: list[Edge]) -> tuple[Edge, ...]:
    if len(set(edges)) != len(edges):
        raise BadInput("args.bleed: an edge is named twice", expected="each edge once")
    return tuple(sorted(edges))
