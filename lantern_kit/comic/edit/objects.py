"""Operations that every kind of object knows."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import XY, Args, Name, Nothing, to_point
from lantern_kit.comic.edit.order import OBJECTS
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import box_of, copies, drop, family, loose, reading_group, shifted, swap
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import READABLE, Frame, Image, Node, Transform, Unit
from lantern_kit.kernel.errors import BadInput, WrongTarget

MOVABLE = tuple(kind for kind in OBJECTS if kind != "foreground")


class ObjectMove(Args):
    """Where an object goes."""

    by: XY | None = Field(None, description="[right, down] mm")
    to: XY | None = Field(None, description="[x, y] mm of the top-left corner of its bounds")
    centre: XY | None = Field(None, description="[x, y] mm of the middle of its bounds")
    tail: Literal["keep", "move"] = Field("keep", description="a balloon's tail tips stay, or move along")

    @model_validator(mode="after")
    def _one(self) -> ObjectMove:
        if sum(value is not None for value in (self.by, self.to, self.centre)) != 1:
            raise ValueError("give exactly one of by, to, centre")
        return self


class ObjectRename(Args):
    """A label."""

    name: Name


class ObjectDuplicate(Args):
    """Where the copy goes."""

    by: XY = Field((5.0, 5.0), description="[right, down] mm from the original")
    name: Name | None = None


@OPERATIONS.operation("object.move", target=MOVABLE, args=ObjectMove)
def object_move(book: Book, target: Target, args: ObjectMove, ctx: EditContext) -> Outcome:
    """Move an object; a frame takes everything in it along, a balloon's tails keep pointing where they point."""
    unit, item = target.sheet(), target.expect(Node)
    box = box_of(item)
    if args.by is not None:
        dx, dy = to_point(args.by)
    elif box is None:
        raise BadInput(
            f"this {item.kind} fills its frame and has no place of its own",
            expected="by, or a box of its own first",
            ids=[item.id],
        )
    else:
        x, y = to_point(args.to or args.centre or (0.0, 0.0))
        from_x, from_y = (box.x, box.y) if args.to is not None else box.centre
        dx, dy = x - from_x, y - from_y
    if isinstance(item, Frame):
        inside = family(unit, item.id)
        return Outcome(book.replace(swap(unit, *(shifted(unit.index[name], dx, dy) for name in inside))))
    if isinstance(item, Image) and box is None:
        turn = item.placement.transform
        there = Transform(**{**dict(turn), "dx": turn.dx + dx, "dy": turn.dy + dy})
        placement = item.placement.model_copy(update={"transform": there})
        return Outcome(book.replace(swap(unit, item.model_copy(update={"placement": placement}))))
    if box is None:
        raise WrongTarget(
            f"this {item.kind} fills its frame and moves with it", expected="an object with a box", ids=[item.id]
        )
    return Outcome(book.replace(swap(unit, shifted(item, dx, dy, tails=args.tail == "move"))))


@OPERATIONS.operation("object.remove", target=OBJECTS, args=Nothing, order=("unit",))
def object_remove(book: Book, target: Target, args: Nothing, ctx: EditContext) -> Outcome:
    """Remove an object with everything that hangs on it."""
    return removed(book, target)


@OPERATIONS.operation("object.rename", target=OBJECTS, args=ObjectRename)
def object_rename(book: Book, target: Target, args: ObjectRename, ctx: EditContext) -> Outcome:
    """Give an object another label."""
    item = target.expect(Node)
    return Outcome(book.replace(swap(target.sheet(), item.model_copy(update={"name": args.name}))))


@OPERATIONS.operation("object.duplicate", target=MOVABLE, args=ObjectDuplicate, order=("unit",))
def object_duplicate(book: Book, target: Target, args: ObjectDuplicate, ctx: EditContext) -> Outcome:
    """Copy an object with everything that hangs on it, under fresh ids, drawn above and read after the original."""
    unit = target.sheet()
    names = family(unit, target.id)
    new = copies((unit.index[name] for name in names), ctx.ids, {})
    again = dict(zip(names, (item.id for item in new), strict=True))
    dx, dy = to_point(args.by)
    made = [shifted(item, dx, dy) for item in new]
    if args.name is not None:
        made = [item.model_copy(update={"name": args.name}) if item.id == again[target.id] else item for item in made]
    return Outcome(book.replace(_beside(unit, target.id, again, made)), {"": again[target.id]})


def _beside(unit: Unit, original: str, again: dict[str, str], made: Sequence[Node]) -> Unit:
    objects: list[Node] = list(unit.objects)
    place = 1 + max(i for i, item in enumerate(objects) if item.id in again)
    objects[place:place] = made
    reading = list(unit.reading)
    if unit.index[original].kind in READABLE:
        place = reading.index(original) + len(reading_group(unit, original))
        reading[place:place] = [again[name] for name in unit.reading if name in again]
    return unit.model_copy(update={"objects": tuple(objects), "reading": tuple(reading)})


def removed(book: Book, target: Target) -> Outcome:
    """The book without an object and what hangs on it; the notes name the latter."""
    unit = target.sheet()
    names = family(unit, target.id)
    count = len(names) - 1
    notes = [f"removed {target.id} with the {counted(count, 'object')} in it"] if count else []
    notes += [f"{item.id} is no longer joined to {item.joined}" for item in loose(unit, names)]
    return Outcome(book.replace(drop(unit, names)), notes=tuple(notes))
