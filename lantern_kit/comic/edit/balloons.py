"""Operations on balloons: their words, outlines and tails, and what they are joined to."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, Strict, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import (
    XY,
    Args,
    ColourArg,
    Flag,
    OutlineArgs,
    RefOrNone,
    StrokeArgs,
    Whole,
    Word,
    to_point,
    usual,
)
from lantern_kit.comic.edit.estimate import balloon_size
from lantern_kit.comic.edit.lettering import (
    Added,
    Padding,
    PlaceArgs,
    Words,
    box_of_new,
    changed,
    new_style,
    values_of,
)
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import add, swap
from lantern_kit.comic.measure import a, counted, micrometres, millionths
from lantern_kit.comic.model import Balloon, BalloonShape, Tail, TailStyle, Unit
from lantern_kit.kernel.errors import BadInput

Speaker = Annotated[Word, Field(max_length=80)]
TailWidth = Annotated[float, Strict(), Field(gt=0, le=100, description="mm where it leaves the balloon")]
Bend = Annotated[float, Strict(), Field(ge=-1, le=1, description="sideways swing over length; + is clockwise")]
TailLook = Annotated[TailStyle, Field(description="null: bubbles for a thought, else pointed")]


class TailArgs(Args):
    """One tail."""

    tip: XY = Field(description="[x, y] mm it points at")
    width: TailWidth | None = None
    bend: Bend | None = None
    style: TailLook | None = None


class BalloonFacts(PlaceArgs):
    """What can be said of a balloon."""

    shape: BalloonShape | None = Field(None, description="path: an outline of its own; none: words alone")
    outline: OutlineArgs | None = Field(
        None, description="a free outline, shape path; the box becomes its bounds, or it is stretched to the box given"
    )
    seed: Annotated[Whole, Field(ge=0, le=2**31 - 1)] | None = Field(
        None, description="cloud, thought, burst: another number, other bulges"
    )
    joined: RefOrNone | None = Field(
        None, description="another balloon of the unit to make one outline with; null or empty: none"
    )
    speaker: Speaker | None = None
    padding: Padding | None = None
    fill: ColourArg | None = None
    stroke: StrokeArgs | None = None
    gutter_safe: Flag | None = Field(None, description="on a spread, kept clear of the gutter")

    @model_validator(mode="after")
    def _path(self) -> BalloonFacts:
        if self.outline is not None and self.shape not in {None, BalloonShape.PATH}:
            raise ValueError("an outline makes the shape path; give no other")
        return self


class BalloonAdd(BalloonFacts, Added):
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
    style: TailLook | None = None
    remove: Flag = False


@OPERATIONS.operation("balloon.add", target=("frame", "unit"), args=BalloonAdd, order=("unit",))
def balloon_add(book: Book, target: Target, args: BalloonAdd, ctx: EditContext) -> Outcome:
    """Add a speech balloon with its words and tail; without a size it is made to fit the words."""
    style = new_style(book, args, "dialogue")
    values = {**values_of(args, usual(Balloon, "stroke")), **_form(args, target.sheet(), "")}
    shape, padding = (values.get(name, usual(Balloon, name)) for name in ("shape", "padding"))
    outline = values.get("outline")
    if shape is BalloonShape.PATH and outline is None:
        raise _outline_needed()
    box = box_of_new(
        book,
        target,
        args,
        balloon_size(args.text, style, shape, padding),
        outline=outline,
        gutter_safe=args.gutter_safe is not False,
    )
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
    balloon = target.expect(Balloon)
    update = _form(args, target.sheet(), balloon.id)
    outline = update.get("outline", balloon.outline)
    if args.shape is not None and args.shape is not BalloonShape.PATH:
        update["outline"] = None
    elif update.get("shape", args.shape) is BalloonShape.PATH and outline is None:
        raise _outline_needed(balloon.id)
    return changed(book, target, balloon, args, update)


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
        if any(getattr(args, name) is not None for name in TailArgs.model_fields):
            raise BadInput("args.remove: a tail that goes needs nothing else", expected="index and remove only")
        del tails[place]
    elif place == len(tails):
        if args.tip is None:
            raise BadInput("args.tip: a new tail needs a tip", expected="[x, y] mm")
        tails.append(_tail(args))
    else:
        tails[place] = _tail(args, tails[place])
    return Outcome(book.replace(swap(target.sheet(), balloon.model_copy(update={"tails": tuple(tails)}))))


def _form(args: BalloonFacts, unit: Unit, balloon: str) -> dict[str, Any]:
    """What the arguments say of a balloon's free outline and of the balloon it is joined to."""
    found: dict[str, Any] = {}
    if args.outline is not None:
        found |= {"outline": args.outline.shape(), "shape": BalloonShape.PATH}
    if args.joined:
        found["joined"] = _other(args.joined, unit, balloon).id
    elif "joined" in args.model_fields_set:
        found["joined"] = None
    return found


def _other(name: str, unit: Unit, balloon: str) -> Balloon:
    """The balloon that one is to be joined to. Raises BadInput."""
    other = unit.index.get(name)
    if isinstance(other, Balloon) and name != balloon:
        return other
    if name == balloon:
        message = "a balloon is not joined to itself"
    elif other is None:
        message = f"{name} is not on the balloon's unit"
    else:
        message = f"{name} is {a(other.kind)}, and a balloon is joined to balloons only"
    raise BadInput(f"args.joined: {message}", expected="another balloon of the same unit", ids=[name])


def _outline_needed(*ids: str) -> BadInput:
    return BadInput(
        "args.outline: the shape path needs an outline of its own", expected="rect, polygon or curve", ids=ids
    )


def _tail(args: TailArgs | BalloonTail, base: Tail | None = None) -> Tail:
    values: dict[str, Any] = {} if base is None else dict(base)
    if args.tip is not None:
        values["tip"] = to_point(args.tip)
    if args.width is not None:
        values["width"] = micrometres(args.width)
    if args.bend is not None:
        values["bend"] = millionths(args.bend)
    if "style" in args.model_fields_set:
        values["style"] = args.style
    return Tail(**values)
