"""Operations on pages, covers, transitions and spreads."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, Strict, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, ColourArg, Name, Nothing, Ref, given, to_colour
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import copies
from lantern_kit.comic.edit.widen import widened
from lantern_kit.comic.measure import counted, micrometres
from lantern_kit.comic.model import Surface, Unit, UnitKind
from lantern_kit.kernel.errors import BadInput, WrongTarget

Gutter = Annotated[float, Strict(), Field(ge=0, le=200, description="mm between the two pages of a spread")]


class UnitAdd(Args):
    """A new unit."""

    kind: UnitKind = UnitKind.PAGE
    name: Name | None = None
    after: Ref | None = Field(None, description="unit it follows; absent: last")
    before: Ref | None = Field(None, description="unit it precedes")
    gutter: Gutter | None = None
    background: ColourArg | None = None

    @model_validator(mode="after")
    def _place(self) -> UnitAdd:
        if self.after is not None and self.before is not None:
            raise ValueError("give after or before, not both")
        return self


class UnitMove(Args):
    """Where a unit goes."""

    after: Ref | None = Field(None, description="unit it then follows")
    before: Ref | None = Field(None, description="unit it then precedes")
    to: Literal["first", "last"] | None = None

    @model_validator(mode="after")
    def _one(self) -> UnitMove:
        if sum(value is not None for value in (self.after, self.before, self.to)) != 1:
            raise ValueError("give exactly one of after, before, to")
        return self


class UnitDuplicate(Args):
    """A copy of a unit."""

    name: Name | None = None
    after: Ref | None = Field(None, description="unit the copy follows; absent: the original")


class UnitSet(Args):
    """Facts of a unit."""

    name: Name | None = None
    background: ColourArg | None = None
    kind: Literal["page", "cover", "transition"] | None = Field(
        None, description="not to or from a spread: see spread.join and spread.split"
    )
    gutter: Gutter | None = None


@OPERATIONS.operation("unit.add", target=("chapter",), args=UnitAdd, order=("chapter",))
def unit_add(book: Book, target: Target, args: UnitAdd, ctx: EditContext) -> Outcome:
    """Add an empty page, cover, transition or true spread on the chapter's paper."""
    paper = book.chapter.paper
    gutter = 0 if args.gutter is None else micrometres(args.gutter)
    surfaces = [Surface(id=ctx.ids.new("sf"), x=0, width=paper.width, height=paper.height)]
    if args.kind is UnitKind.SPREAD:
        x = paper.width + gutter
        surfaces.append(Surface(id=ctx.ids.new("sf"), x=x, width=paper.width, height=paper.height))
    elif gutter:
        raise BadInput(f"args.gutter: a {args.kind} has no gutter", expected="a spread")
    unit = Unit(
        kind=args.kind,
        id=ctx.ids.new("un"),
        name=args.name or "",
        background=to_colour(args.background or "#ffffff"),
        gutter=gutter,
        surfaces=tuple(surfaces),
    )
    if args.before is not None:
        place = book.position(args.before)
    else:
        place = len(book) if args.after is None else book.position(args.after) + 1
    return Outcome(book.insert(unit, place), {"": unit.id})


@OPERATIONS.operation("unit.remove", target=("unit",), args=Nothing, order=("unit", "chapter"))
def unit_remove(book: Book, target: Target, args: Nothing, ctx: EditContext) -> Outcome:
    """Remove a unit with everything on it."""
    unit = target.sheet()
    count = len(unit.objects)
    notes = (f"removed {unit.id} with the {counted(count, 'object')} on it",) if count else ()
    return Outcome(book.remove(unit.id), notes=notes)


@OPERATIONS.operation("unit.move", target=("unit",), args=UnitMove, order=("chapter",))
def unit_move(book: Book, target: Target, args: UnitMove, ctx: EditContext) -> Outcome:
    """Move a unit to another place in the chapter."""
    order = [name for name in book.order if name != target.id]
    other = args.after if args.after is not None else args.before
    if other == target.id:
        raise BadInput("a unit cannot go before or after itself", expected="another unit", ids=[target.id])
    if other is None:
        place = 0 if args.to == "first" else len(order)
    else:
        book.position(other)
        place = order.index(other) + (args.after is not None)
    order.insert(place, target.id)
    return Outcome(book.reorder(tuple(order)))


@OPERATIONS.operation("unit.duplicate", target=("unit",), args=UnitDuplicate, order=("chapter",))
def unit_duplicate(book: Book, target: Target, args: UnitDuplicate, ctx: EditContext) -> Outcome:
    """Copy a unit with everything on it, under fresh ids."""
    unit = target.sheet()
    name = ctx.ids.new("un")
    objects = copies(unit.objects, ctx.ids, {unit.id: name})
    again = {old.id: new.id for old, new in zip(unit.objects, objects, strict=True)}
    copy = unit.model_copy(
        update={
            "id": name,
            "name": unit.name if args.name is None else args.name,
            "surfaces": tuple(item.model_copy(update={"id": ctx.ids.new("sf")}) for item in unit.surfaces),
            "objects": objects,
            "reading": tuple(again[item] for item in unit.reading),
        }
    )
    return Outcome(book.insert(copy, book.position(args.after or unit.id) + 1), {"": name})


@OPERATIONS.operation("unit.set", target=("unit",), args=UnitSet)
def unit_set(book: Book, target: Target, args: UnitSet, ctx: EditContext) -> Outcome:
    """Change a unit's name, paper colour, kind, or a spread's gutter (what lies on its right page moves along)."""
    unit = target.sheet()
    values: dict[str, Any] = given(args)
    if "background" in values:
        values["background"] = to_colour(values["background"])
    if "kind" in values:
        if unit.kind is UnitKind.SPREAD:
            raise WrongTarget(
                "a spread is made into pages with spread.split, not with unit.set", expected="a page", ids=[unit.id]
            )
        values["kind"] = UnitKind(values["kind"])
    gutter = values.pop("gutter", None)
    unit = unit.model_copy(update=values)
    if gutter is not None:
        if unit.kind is not UnitKind.SPREAD:
            raise WrongTarget(f"a {unit.kind} has no gutter", expected="a spread", found=str(unit.kind), ids=[unit.id])
        unit = widened(unit, micrometres(gutter))
    return Outcome(book.replace(unit))
