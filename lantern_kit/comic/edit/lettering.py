"""Operations on balloons, captions and lettering on the paper."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict, model_validator

from lantern_kit.comic.balloons.placing import clear_of_gutter
from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    XY,
    Args,
    BandArg,
    ColourArg,
    Degrees,
    Extents,
    Flag,
    Name,
    RectArg,
    Ref,
    StrokeArgs,
    StyleArgs,
    Whole,
    Word,
    cleared,
    given,
    to_colour,
    to_point,
    to_rect,
    to_stroke,
    to_style,
    usual,
)
from lantern_kit.comic.edit.estimate import balloon_size, capped, caption_size, words_size
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.measure import counted, micrometres, millidegrees, millionths
from lantern_kit.comic.model import (
    Balloon,
    BalloonShape,
    Frame,
    Lettering,
    Narration,
    Point,
    Rect,
    Stroke,
    Tail,
    Text,
    TextStyle,
)
from lantern_kit.kernel.errors import BadInput

Words = Annotated[Word, Field(max_length=4_000)]
Padding = Annotated[float, Strict(), Field(ge=0, le=50, description="mm between words and outline")]
Speaker = Annotated[Word, Field(max_length=80)]
TailWidth = Annotated[float, Strict(), Field(gt=0, le=100, description="mm where it leaves the balloon")]
Bend = Annotated[float, Strict(), Field(ge=-1, le=1, description="sideways swing over length; + is clockwise")]


class TailArgs(Args):
    """One tail."""

    tip: XY = Field(description="[x, y] mm it points at")
    width: TailWidth | None = None
    bend: Bend | None = None


class PlaceArgs(Args):
    """Where words stand: a rectangle, or a middle and a size."""

    at: XY | None = Field(None, description="[x, y] mm of the middle")
    size: Extents | None = Field(None, description="[width, height] mm; absent on adding: from the words")
    rect: RectArg | None = Field(None, description="[x, y, w, h] mm, instead of at and size")
    style: StyleArgs | None = None
    name: Name | None = None
    band: BandArg | None = None

    @model_validator(mode="after")
    def _one(self) -> PlaceArgs:
        if self.rect is not None and (self.at is not None or self.size is not None):
            raise ValueError("give rect, or at and size, not both")
        return self


class _Added(Args):
    after: Ref | None = Field(None, description="what it is read after; absent: last in its frame or unit")


class BalloonFacts(PlaceArgs):
    """What can be said of a balloon."""

    shape: BalloonShape | None = None
    speaker: Speaker | None = None
    padding: Padding | None = None
    fill: ColourArg | None = None
    stroke: StrokeArgs | None = None
    gutter_safe: Flag | None = Field(None, description="on a spread, kept clear of the gutter")


class BalloonAdd(BalloonFacts, _Added):
    """A balloon and its words."""

    text: Words
    tail: XY | None = Field(None, description="[x, y] mm the tail points at, usually the speaker's mouth")
    tails: Annotated[list[TailArgs], Field(max_length=8)] | None = Field(None, description="several tails, or how")

    @model_validator(mode="after")
    def _tail(self) -> BalloonAdd:
        if self.tail is not None and self.tails is not None:
            raise ValueError("give tail or tails, not both")
        return self


class BalloonSet(BalloonFacts):
    """Changes to a balloon."""

    text: Words | None = None


class BalloonTail(Args):
    """One tail of a balloon."""

    index: Annotated[Whole, Field(ge=1, le=8)] | None = Field(
        None, description="which, from 1; one more than there are adds one; absent: the only one, or the first to add"
    )
    tip: XY | None = Field(None, description="[x, y] mm it points at")
    width: TailWidth | None = None
    bend: Bend | None = None
    remove: Flag = False


class NarrationFacts(PlaceArgs):
    """What can be said of a caption."""

    padding: Padding | None = None
    fill: ColourArg | None = Field(None, description="#rrggbb[aa]; null: none")
    stroke: StrokeArgs | None = None


class NarrationAdd(NarrationFacts, _Added):
    """A caption and its words."""

    text: Words


class NarrationSet(NarrationFacts):
    """Changes to a caption."""

    text: Words | None = None


class TextFacts(PlaceArgs):
    """What can be said of lettering on the paper."""

    rotate: Degrees | None = Field(None, description="degrees clockwise about its middle")


class TextAdd(TextFacts, _Added):
    """Lettering on the paper."""

    text: Annotated[Words, Field(min_length=1)]


class TextSet(TextFacts):
    """Changes to lettering on the paper."""

    text: Annotated[Words, Field(min_length=1)] | None = None


@OPERATIONS.operation("balloon.add", target=("frame", "unit"), args=BalloonAdd, order=("unit",))
def balloon_add(book: Book, target: Target, args: BalloonAdd, ctx: EditContext) -> Outcome:
    """Add a speech balloon with its words and tail; without a size it is made to fit the words."""
    style = to_style(args.style, TextStyle(font="dialogue", language=book.chapter.language))
    values = _values(args)
    shape, padding = (values.get(name, usual(Balloon, name)) for name in ("shape", "padding"))
    box = _box(book, target, args, balloon_size(args.text, style, shape, padding))
    if args.tails is not None:
        tails = tuple(_tail(item) for item in args.tails)
    else:
        tails = () if args.tail is None else (Tail(tip=to_point(args.tail)),)
    values |= {"box": box, "style": style, "tails": tails}
    balloon = Balloon(id=ctx.ids.new("bl"), parent=target.id, **values)
    return Outcome(book.replace(add(target.sheet(), [balloon], after=args.after)), {"": balloon.id})


@OPERATIONS.operation("balloon.set", target=("balloon",), args=BalloonSet)
def balloon_set(book: Book, target: Target, args: BalloonSet, ctx: EditContext) -> Outcome:
    """Change a balloon's words, speaker, place, shape, style or colours; keys left out keep their value."""
    return _changed(book, target, target.expect(Balloon), args)


@OPERATIONS.operation("balloon.tail", target=("balloon",), args=BalloonTail)
def balloon_tail(book: Book, target: Target, args: BalloonTail, ctx: EditContext) -> Outcome:
    """Point, bend, widen, add or remove one tail of a balloon."""
    balloon = target.expect(Balloon)
    tails = list(balloon.tails)
    if args.index is None and len(tails) > 1:
        raise BadInput(
            f"this balloon has {counted(len(tails), 'tail')}",
            expected=f"index, from 1 to {len(tails)}",
            ids=[balloon.id],
        )
    place = 0 if args.index is None else args.index - 1
    if place > len(tails) or (args.remove and place == len(tails)):
        raise BadInput(f"this balloon has {counted(len(tails), 'tail')}", expected="the index of one", ids=[balloon.id])
    if args.remove:
        if args.tip is not None or args.width is not None or args.bend is not None:
            raise BadInput("args.remove: a tail that goes needs nothing else", expected="index and remove only")
        del tails[place]
    elif place == len(tails):
        if args.tip is None:
            raise BadInput("args.tip: a new tail needs a tip", expected="[x, y] mm")
        tails.append(_tail(TailArgs(tip=args.tip, width=args.width, bend=args.bend)))
    else:
        tails[place] = _tail(args, tails[place])
    return Outcome(book.replace(swap(target.sheet(), balloon.model_copy(update={"tails": tuple(tails)}))))


@OPERATIONS.operation("narration.add", target=("frame", "unit"), args=NarrationAdd, order=("unit",))
def narration_add(book: Book, target: Target, args: NarrationAdd, ctx: EditContext) -> Outcome:
    """Add a caption box with narration; without a size it is made to fit the words."""
    style = to_style(args.style, TextStyle(font="narration", language=book.chapter.language))
    values = _values(args)
    padding = values.get("padding", usual(Narration, "padding"))
    box = _box(book, target, args, caption_size(args.text, style, padding))
    narration = Narration(id=ctx.ids.new("na"), parent=target.id, **(values | {"box": box, "style": style}))
    return Outcome(book.replace(add(target.sheet(), [narration], after=args.after)), {"": narration.id})


@OPERATIONS.operation("narration.set", target=("narration",), args=NarrationSet)
def narration_set(book: Book, target: Target, args: NarrationSet, ctx: EditContext) -> Outcome:
    """Change a caption's words, place, style or colours; keys left out keep their value."""
    return _changed(book, target, target.expect(Narration), args)


@OPERATIONS.operation("text.add", target=("frame", "unit"), args=TextAdd, order=("unit",))
def text_add(book: Book, target: Target, args: TextAdd, ctx: EditContext) -> Outcome:
    """Add lettering on the paper itself: a title or a sound effect."""
    style = to_style(args.style, TextStyle(font="sound", language=book.chapter.language))
    box = _box(book, target, args, words_size(args.text, style))
    text = Text(id=ctx.ids.new("tx"), parent=target.id, **(_values(args) | {"box": box, "style": style}))
    return Outcome(book.replace(add(target.sheet(), [text], after=args.after)), {"": text.id})


@OPERATIONS.operation("text.set", target=("text",), args=TextSet)
def text_set(book: Book, target: Target, args: TextSet, ctx: EditContext) -> Outcome:
    """Change paper lettering's words, place, turn or style; keys left out keep their value."""
    return _changed(book, target, target.expect(Text), args)


def _values(args: PlaceArgs) -> dict[str, Any]:
    """The given values that are neither place, style nor tails, as the document keeps them."""
    found: dict[str, Any] = {}
    for name, value in given(args).items():
        match name:
            case "at" | "size" | "rect" | "style" | "tail" | "tails" | "after":
                pass
            case "padding":
                found[name] = micrometres(value)
            case "fill":
                found[name] = to_colour(value)
            case "stroke":
                found[name] = to_stroke(value, _STROKES.get(type(args)))
            case "rotate":
                found[name] = millidegrees(value)
            case _:
                found[name] = value
    if isinstance(args, NarrationFacts) and cleared(args, "fill"):
        found["fill"] = None
    return found


_STROKES: dict[type[Args], Stroke] = {
    BalloonAdd: usual(Balloon, "stroke"),
    NarrationAdd: usual(Narration, "stroke"),
}


def _box(book: Book, target: Target, args: PlaceArgs, estimate: tuple[int, int]) -> Rect:
    """The box of new lettering."""
    if args.rect is not None:
        return to_rect(args.rect)
    if args.at is None:
        raise BadInput("args.at: new lettering needs a place", expected="at [x, y], or rect [x, y, w, h]")
    at = to_point(args.at)
    if args.size is not None:
        return _about(at, (micrometres(args.size[0]), micrometres(args.size[1])))
    frame = target.object if isinstance(target.object, Frame) else None
    sheet, paper = target.sheet(), book.chapter.paper
    box = _about(at, capped(estimate, at, sheet, frame, paper))
    safe = args.gutter_safe is not False if isinstance(args, BalloonFacts) else isinstance(args, NarrationFacts)
    return clear_of_gutter(box, sheet, paper) if safe else box


def _about(at: Point, size: tuple[int, int]) -> Rect:
    return Rect(x=at[0] - size[0] // 2, y=at[1] - size[1] // 2, w=size[0], h=size[1])


def _changed(book: Book, target: Target, item: Lettering, args: PlaceArgs) -> Outcome:
    update = _values(args)
    stroke = getattr(args, "stroke", None)
    if stroke is not None:
        update["stroke"] = to_stroke(stroke, getattr(item, "stroke", None))
    if args.style is not None:
        update["style"] = to_style(args.style, item.style)
    if args.rect is not None:
        update["box"] = to_rect(args.rect)
    elif args.at is not None or args.size is not None:
        at = item.box.centre if args.at is None else to_point(args.at)
        size = (item.box.w, item.box.h) if args.size is None else (micrometres(args.size[0]), micrometres(args.size[1]))
        update["box"] = _about(at, size)
    return Outcome(book.replace(swap(target.sheet(), item.model_copy(update=update))))


def _tail(args: TailArgs | BalloonTail, base: Tail | None = None) -> Tail:
    values: dict[str, Any] = {} if base is None else dict(base)
    if args.tip is not None:
        values["tip"] = to_point(args.tip)
    if args.width is not None:
        values["width"] = micrometres(args.width)
    if args.bend is not None:
        values["bend"] = millionths(args.bend)
    return Tail(**values)
