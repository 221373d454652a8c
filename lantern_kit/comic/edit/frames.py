"""Operations on frames."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    XY,
    Args,
    BandArg,
    ColourArg,
    Flag,
    Mm,
    Name,
    Nothing,
    OutlineArgs,
    Ref,
    StrokeArgs,
    Whole,
    cleared,
    to_colour,
    to_point,
    to_stroke,
    usual,
)
from lantern_kit.comic.edit.objects import removed
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.stage import StageArgs, staged
from lantern_kit.comic.edit.tree import add, box_of, reading_group, swap
from lantern_kit.comic.geometry import distance, edges_reached, spanning, stretched
from lantern_kit.comic.knife import cut
from lantern_kit.comic.layout.edges import sharing, side_named
from lantern_kit.comic.layout.keeping import hold
from lantern_kit.comic.layout.moving import moved
from lantern_kit.comic.layout.snap import snapped, snapped_shape, told
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Edge, Frame, Keep, Node, Shape, Unit
from lantern_kit.kernel.errors import BadInput

Bleed = Annotated[list[Edge], Field(max_length=4, description="paper edges past which it runs out to the bleed")]
Background = Annotated[ColourArg | None, Field(description="#rrggbb[aa]; null: none")]
KeepArg = Annotated[
    Keep | None, Field(description="what stays as it is when edges move and pages are laid out; null: nothing")
]
Snap = Annotated[Flag, Field(description="to paper lines, neighbours' edges and gutters within 1.5 mm")]


class FrameAdd(OutlineArgs, StageArgs):
    """A new frame: rect, polygon or curve, how it looks, and what it shows."""

    border: StrokeArgs | None = None
    background: Background = "#ffffff"
    bleed: Bleed | None = None
    keep: KeepArg = None
    name: Name | None = None
    band: BandArg | None = None
    after: Ref | None = Field(None, description="what it is read after; absent: last")


class FrameCut(Args):
    """Where a frame is cut."""

    line: tuple[XY, XY] = Field(description="two points [x, y] mm; the cut runs through both and on past them")
    gutter: Annotated[float, Strict(), Field(ge=0, le=200)] = Field(4.0, description="mm between the parts")


class FrameReshape(OutlineArgs):
    """A frame's new outline."""

    snap: Snap = False


class FrameEdge(Args):
    """Which edge goes where."""

    side: Edge | None = Field(None, description="the frame's edge; a slanted one counts by what it is nearest to")
    index: Annotated[Whole, Field(ge=1, le=400)] | None = Field(
        None, description="of a polygon, instead: the edge from corner 1, 2 … on"
    )
    to: Mm | None = Field(None, description="mm: x of an upright edge, y of a level one; of a slanted one its middle's")
    by: Mm | None = Field(None, description="mm to the right, or down")
    line: Flag = Field(False, description="also the edges in line with it, as of a row's other frames")
    snap: Snap = False

    @model_validator(mode="after")
    def _one(self) -> FrameEdge:
        if (self.side is None) is (self.index is None):
            raise ValueError("give exactly one of side, index")
        if (self.to is None) is (self.by is None):
            raise ValueError("give exactly one of to, by")
        return self


class FrameSet(StageArgs):
    """How a frame looks and what it shows; keys left out keep their value."""

    border: StrokeArgs | None = None
    background: Background = None
    bleed: Bleed | None = None
    keep: KeepArg = None
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
        keep=args.keep,
        **staged(args, ctx),
    )
    return Outcome(book.replace(add(unit, [frame], after=args.after)), {"": frame.id})


@OPERATIONS.operation("frame.cut", target=("frame",), args=FrameCut, order=("unit",))
def frame_cut(book: Book, target: Target, args: FrameCut, ctx: EditContext) -> Outcome:
    """Cut a frame in two along a line. 1 is read first, keeps id, description, cast; what it holds goes to its part."""
    unit, frame = target.sheet(), target.expect(Frame)
    line = (to_point(args.line[0]), to_point(args.line[1]))
    one, two = cut(frame.shape, line, micrometres(args.gutter), book.chapter.direction)
    hold(frame, one)
    first = frame.model_copy(update={"shape": one, "bleed": _still(frame, one, unit)})
    second = frame.model_copy(
        update={
            "id": ctx.ids.new("fr"),
            "name": "",
            "shape": two,
            "bleed": _still(frame, two, unit),
            "description": "",
            "cast": (),
        }
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
    notes = (f"the description and the cast stay with {frame.id}; say what {second.id} shows",)
    return Outcome(
        book.replace(cut_unit), {"1": frame.id, "2": second.id}, notes if frame.description or frame.cast else ()
    )


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
    frame, shape, notes = target.expect(Frame), args.shape(), list[str]()
    if args.snap:
        edges, notes = snapped_shape(shape, target.sheet(), book.chapter.paper, frame.id)
        shape = stretched(shape, spanning(*edges))
    hold(frame, shape)
    changed = (
        target.sheet() if shape == frame.shape else swap(target.sheet(), frame.model_copy(update={"shape": shape}))
    )
    return Outcome(book.replace(changed), notes=tuple(notes))


@OPERATIONS.operation("frame.edge", target=("frame",), args=FrameEdge)
def frame_edge(book: Book, target: Target, args: FrameEdge, ctx: EditContext) -> Outcome:
    """Move one straight edge of a frame with every frame that shares it: gutters stay as wide as they are."""
    unit, frame = target.sheet(), target.expect(Frame)
    side = side_named(frame, args.side, args.index)
    sides = sharing(unit, side, line=args.line)
    names = list(dict.fromkeys(item.frame for item in sides))
    goal = side.middle + micrometres(args.by) if args.by is not None else micrometres(args.to or 0.0)
    notes = []
    if args.snap:
        line = snapped(goal, unit, book.chapter.paper, side.edge, names)
        if line is not None and line.at != goal:
            notes.append(told(side.edge, goal, line))
            goal = line.at
    by = goal - side.middle
    shapes = moved(unit, sides, (by, 0) if side.upright else (0, by)) if by else {}
    if shapes and len(names) > 1:
        notes.append(f"moved along, on the other side of a gutter: {', '.join(names[1:])}")
    new = (unit.index[name].model_copy(update={"shape": shape}) for name, shape in shapes.items())
    return Outcome(book.replace(swap(unit, *new)), notes=tuple(notes))


@OPERATIONS.operation("frame.set", target=("frame",), args=FrameSet)
def frame_set(book: Book, target: Target, args: FrameSet, ctx: EditContext) -> Outcome:
    """Change a frame's border, background, bleed edges, name, band, what it keeps, or what it is to show."""
    frame = target.expect(Frame)
    update: dict[str, Any] = staged(args, ctx)
    if args.border is not None:
        update["border"] = to_stroke(args.border, frame.border)
    if args.background is not None:
        update["background"] = to_colour(args.background)
    elif cleared(args, "background"):
        update["background"] = None
    if args.bleed is not None:
        update["bleed"] = _edges(args.bleed)
    if args.keep is not None or cleared(args, "keep"):
        update["keep"] = args.keep
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
