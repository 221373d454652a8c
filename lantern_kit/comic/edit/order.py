"""Operations on the order of drawing and of reading."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Ref
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import reading_index, swap
from lantern_kit.comic.model import OBJECT_TYPES, READABLE, Band, Node, Unit
from lantern_kit.kernel.errors import BadInput

OBJECTS = tuple(OBJECT_TYPES)


class ObjectOrder(Args):
    """Where an object is drawn among those of its parent and band."""

    to: Literal["front", "back"] | None = None
    above: Ref | None = Field(None, description="object it is drawn directly above")
    below: Ref | None = Field(None, description="object it is drawn directly below")

    @model_validator(mode="after")
    def _one(self) -> ObjectOrder:
        if sum(value is not None for value in (self.to, self.above, self.below)) != 1:
            raise ValueError("give exactly one of to, above, below")
        return self


class ObjectBand(Args):
    """A layer of drawing."""

    band: Band | None = Field(description="null: the default of the kind")


class ReadingSet(Args):
    """A whole reading order."""

    order: Annotated[list[Ref], Field(max_length=2_000)] = Field(
        description="every frame, balloon, narration and text of the unit, once"
    )


class ReadingMove(Args):
    """Where an object is read."""

    after: Ref | None = Field(description="what it is read after; null: first")


@OPERATIONS.operation("object.order", target=OBJECTS, args=ObjectOrder, order=("unit",))
def object_order(book: Book, target: Target, args: ObjectOrder, ctx: EditContext) -> Outcome:
    """Bring an object to the front or back of its band, or directly above or below a neighbour of the same band."""
    unit, item = target.sheet(), target.expect(Node)
    objects: list[Any] = [other for other in unit.objects if other.id != item.id]
    if args.to is not None:
        place = len(objects) if args.to == "front" else 0
    else:
        name = args.above if args.above is not None else args.below
        other = unit.index.get(str(name))
        if other is None or other.id == item.id:
            raise BadInput("the neighbour is another object of the same unit", ids=[str(name)])
        if other.layer is not item.layer:
            raise BadInput(
                f"{other.id} is drawn in the band {other.layer}, {item.id} in {item.layer}",
                expected="a neighbour of the same band; object.band moves an object to another",
                ids=[item.id, other.id],
            )
        if other.parent != item.parent:
            raise BadInput(
                f"{other.id} lies on another parent than {item.id}", expected="a neighbour on the same parent"
            )
        place = objects.index(other) + (args.above is not None)
    objects.insert(place, item)
    return Outcome(book.replace(unit.model_copy(update={"objects": tuple(objects)})))


@OPERATIONS.operation("object.band", target=OBJECTS, args=ObjectBand, order=("unit",))
def object_band(book: Book, target: Target, args: ObjectBand, ctx: EditContext) -> Outcome:
    """Draw an object in another band, such as a figure before the balloons."""
    item = target.expect(Node)
    return Outcome(book.replace(swap(target.sheet(), item.model_copy(update={"band": args.band}))))


@OPERATIONS.operation("reading.set", target=("unit",), args=ReadingSet, order=("unit",))
def reading_set(book: Book, target: Target, args: ReadingSet, ctx: EditContext) -> Outcome:
    """Set the whole reading order of a unit."""
    unit = target.sheet()
    wanted = {item.id for item in unit.objects if item.kind in READABLE}
    missing = [name for name in unit.reading if name not in args.order]
    extra = [name for name in args.order if name not in wanted]
    if missing or extra or len(args.order) != len(wanted):
        what = "misses some" if missing else "names something that is not read here" if extra else "names one twice"
        raise BadInput(
            f"args.order {what}", expected=list(unit.reading), ids=missing or extra or sorted(set(args.order))
        )
    return Outcome(book.replace(unit.model_copy(update={"reading": tuple(args.order)})))


@OPERATIONS.operation("reading.move", target=tuple(sorted(READABLE)), args=ReadingMove, order=("unit",))
def reading_move(book: Book, target: Target, args: ReadingMove, ctx: EditContext) -> Outcome:
    """Read an object elsewhere; a frame takes its lettering along, what is put after a frame follows its lettering."""
    unit = target.sheet()
    moving = _own(unit, target.id)
    rest = [name for name in unit.reading if name not in moving]
    if args.after is None:
        place = 0
    else:
        if args.after in moving:
            raise BadInput("a thing cannot be read after itself", expected="another object", ids=[args.after])
        reading_index(unit, args.after)
        place = rest.index(args.after) + 1
        if unit.index[target.id].parent != args.after:
            while place < len(rest) and unit.index[rest[place]].parent == args.after:
                place += 1
    rest[place:place] = moving
    return Outcome(book.replace(unit.model_copy(update={"reading": tuple(rest)})))


def _own(unit: Unit, name: str) -> list[str]:
    """An object with all its lettering, in reading order."""
    return [other for other in unit.reading if other == name or unit.index[other].parent == name]
