"""Operations on captions and lettering on the paper, and what all words have in common."""

from __future__ import annotations

import re
from collections.abc import Mapping
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
    Name,
    RectArg,
    Ref,
    StrokeArgs,
    StyleArgs,
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
from lantern_kit.comic.edit.estimate import capped, caption_size, words_size
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.geometry import bounds
from lantern_kit.comic.measure import micrometres, millidegrees
from lantern_kit.comic.model import (
    MOST_WORDS,
    Direction,
    Frame,
    Lettering,
    Narration,
    Point,
    Rect,
    Shape,
    Stroke,
    Text,
    TextStyle,
    Writing,
)
from lantern_kit.kernel.errors import BadInput

Words = Annotated[
    Word,
    Field(max_length=MOST_WORDS, description="marks: {漢字|かんじ} ruby, [so]{.bold} a style; see guide lettering"),
]
Lean = Annotated[float, Strict(), Field(ge=-60, le=60)]
Padding = Annotated[float, Strict(), Field(ge=0, le=50, description="mm between words and outline")]


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


class Added(Args):
    """Where new words stand among those that are read."""

    after: Ref | None = Field(None, description="what it is read after; absent: last in its frame or unit")


class NarrationFacts(PlaceArgs):
    """What can be said of a caption."""

    padding: Padding | None = None
    fill: ColourArg | None = Field(None, description="#rrggbb[aa]; null: none")
    stroke: StrokeArgs | None = None


class NarrationAdd(NarrationFacts, Added):
    """A caption and its words."""

    text: Words


class NarrationSet(NarrationFacts):
    """Changes to a caption."""

    text: Words | None = None


class TextFacts(PlaceArgs):
    """What can be said of lettering on the paper."""

    rotate: Degrees | None = Field(None, description="degrees clockwise about its middle")
    arc: Degrees | None = Field(None, description="degrees the line bends through: + arches up, - sags")
    skew: Lean | None = Field(None, description="degrees the strokes lean, + to the right")


class TextAdd(TextFacts, Added):
    """Lettering on the paper."""

    text: Annotated[Words, Field(min_length=1)]


class TextSet(TextFacts):
    """Changes to lettering on the paper."""

    text: Annotated[Words, Field(min_length=1)] | None = None


@OPERATIONS.operation("narration.add", target=("frame", "unit"), args=NarrationAdd, order=("unit",))
def narration_add(book: Book, target: Target, args: NarrationAdd, ctx: EditContext) -> Outcome:
    """Add a caption box with narration; without a size it is made to fit the words."""
    style = new_style(book, args, "narration")
    values = values_of(args, usual(Narration, "stroke"))
    padding = values.get("padding", usual(Narration, "padding"))
    box = box_of_new(book, target, args, caption_size(args.text, style, padding), gutter_safe=True)
    narration = Narration(id=ctx.ids.new("na"), parent=target.id, **(values | {"box": box, "style": style}))
    return Outcome(book.replace(add(target.sheet(), [narration], after=args.after)), {"": narration.id})


@OPERATIONS.operation("narration.set", target=("narration",), args=NarrationSet)
def narration_set(book: Book, target: Target, args: NarrationSet, ctx: EditContext) -> Outcome:
    """Change a caption's words, place, style or colours; keys left out keep their value."""
    return changed(book, target, target.expect(Narration), args)


@OPERATIONS.operation("text.add", target=("frame", "unit"), args=TextAdd, order=("unit",))
def text_add(book: Book, target: Target, args: TextAdd, ctx: EditContext) -> Outcome:
    """Add lettering on the paper itself: a title or a sound effect."""
    style = to_style(args.style, TextStyle(font="sound", language=book.chapter.language))
    box = box_of_new(book, target, args, words_size(args.text, style))
    text = Text(id=ctx.ids.new("tx"), parent=target.id, **(values_of(args) | {"box": box, "style": style}))
    return Outcome(book.replace(add(target.sheet(), [text], after=args.after)), {"": text.id})


@OPERATIONS.operation("text.set", target=("text",), args=TextSet)
def text_set(book: Book, target: Target, args: TextSet, ctx: EditContext) -> Outcome:
    """Change paper lettering's words, place, turn or style; keys left out keep their value."""
    return changed(book, target, target.expect(Text), args)


def values_of(args: PlaceArgs, stroke: Stroke | None = None) -> dict[str, Any]:
    """The given values that are neither place nor style, nor a balloon's form and tails, as the document keeps them.

    Args:
        args: as given.
        stroke: the line that a given one begins from.
    """
    found: dict[str, Any] = {}
    for name, value in given(args).items():
        match name:
            case "at" | "size" | "rect" | "style" | "tail" | "tails" | "after" | "outline" | "joined":
                pass
            case "padding":
                found[name] = micrometres(value)
            case "fill":
                found[name] = to_colour(value)
            case "stroke":
                found[name] = to_stroke(value, stroke)
            case "rotate" | "arc" | "skew":
                found[name] = millidegrees(value)
            case _:
                found[name] = value
    if isinstance(args, NarrationFacts) and cleared(args, "fill"):
        found["fill"] = None
    return found


def new_style(book: Book, args: PlaceArgs, font: str) -> TextStyle:
    """The style of new words that people read in columns where the chapter's language is written so."""
    chapter = book.chapter
    columns = chapter.direction is Direction.RTL and _COLUMNS.match(chapter.language)
    writing = Writing.VERTICAL if columns else Writing.HORIZONTAL
    return to_style(args.style, TextStyle(font=font, language=chapter.language, writing=writing))


# Japanese and Traditional Chinese, by their tags and regions.
_COLUMNS = re.compile(r"(ja|(zh|yue)(-[A-Za-z]{3})?-(Hant|TW|HK|MO))(-|$)", re.IGNORECASE)


def box_of_new(
    book: Book,
    target: Target,
    args: PlaceArgs,
    estimate: tuple[int, int],
    *,
    outline: Shape | None = None,
    gutter_safe: bool = False,
) -> Rect:
    """The box of new lettering; a free outline has one of its own."""
    if args.rect is not None:
        return to_rect(args.rect)
    if outline is not None:
        return _placed(args, bounds(outline))
    if args.at is None:
        raise BadInput("args.at: new lettering needs a place", expected="at [x, y], or rect [x, y, w, h]")
    at = to_point(args.at)
    if args.size is not None:
        return _about(at, (micrometres(args.size[0]), micrometres(args.size[1])))
    frame = target.object if isinstance(target.object, Frame) else None
    sheet, paper = target.sheet(), book.chapter.paper
    box = _about(at, capped(estimate, at, sheet, frame, paper))
    return clear_of_gutter(box, sheet, paper) if gutter_safe else box


def _about(at: Point, size: tuple[int, int]) -> Rect:
    return Rect(x=at[0] - size[0] // 2, y=at[1] - size[1] // 2, w=size[0], h=size[1])


def _placed(args: PlaceArgs, box: Rect) -> Rect:
    """A box about another middle, of another size, as far as the arguments say so."""
    if args.at is None and args.size is None:
        return box
    at = box.centre if args.at is None else to_point(args.at)
    return _about(at, (box.w, box.h) if args.size is None else (micrometres(args.size[0]), micrometres(args.size[1])))


def changed(
    book: Book, target: Target, item: Lettering, args: PlaceArgs, more: Mapping[str, Any] | None = None
) -> Outcome:
    """The book with what the arguments, and ``more``, say of words that are there."""
    update = {**values_of(args), **(more or {})}
    stroke = getattr(args, "stroke", None)
    if stroke is not None:
        update["stroke"] = to_stroke(stroke, getattr(item, "stroke", None))
    if args.style is not None:
        update["style"] = to_style(args.style, item.style)
    if args.rect is not None:
        update["box"] = to_rect(args.rect)
    else:
        outline = update.get("outline")
        update["box"] = _placed(args, item.box if outline is None else bounds(outline))
    return Outcome(book.replace(swap(target.sheet(), item.model_copy(update=update))))
