"""Two pages into one true spread, and a spread into two pages."""

from __future__ import annotations

from typing import Any

from pydantic import Field

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.args import Args, Nothing, Ref
from lantern_kit.comic.edit.outcome import EditContext, Outcome, Target
from lantern_kit.comic.edit.registry import OPERATIONS
from lantern_kit.comic.edit.tree import box_of, shifted
from lantern_kit.comic.edit.units import Gutter
from lantern_kit.comic.measure import micrometres, spoken
from lantern_kit.comic.model import Balloon, Direction, Node, Unit, UnitKind
from lantern_kit.kernel.errors import BadInput, WrongTarget


class SpreadJoin(Args):
    """The other page of a spread."""

    with_: Ref = Field(alias="with", description="the page before or after the target")
    gutter: Gutter | None = None


@OPERATIONS.operation("spread.split", target=("spread",), args=Nothing, order=("unit", "chapter"))
def spread_split(book: Book, target: Target, args: Nothing, ctx: EditContext) -> Outcome:
    """Split a spread into two pages; each object goes to the page that holds its middle. 1 is read first, 2 second."""
    spread = target.sheet()
    left, right = spread.surfaces
    middle = left.width + spread.gutter // 2
    sides: dict[str, bool] = {}  # id → it goes to the right page
    notes: list[str] = []

    def on_right(item: Node) -> bool:
        known = sides.get(item.id)
        if known is None:
            if item.parent != spread.id:
                known = on_right(spread.index[item.parent])
            else:
                box = box_of(item)
                known = box is not None and box.centre[0] > middle
                if box is not None and box.x < left.width and box.right > right.x:
                    notes.append(f"{item.id} crossed the gutter; it now hangs over the edge of one page")
            sides[item.id] = known
        return known

    rtl = book.chapter.direction is Direction.RTL
    second = ctx.ids.new("un")
    names = (second, spread.id) if rtl else (spread.id, second)
    pages = []
    for name, surface, side in ((names[0], left, False), (names[1], right, True)):
        objects: list[Node] = []
        for item in spread.objects:
            if on_right(item) is side:
                here = shifted(item, -surface.x, 0)
                objects.append(here.model_copy(update={"parent": name}) if item.parent == spread.id else here)
        held = {item.id for item in objects}
        for place, balloon in enumerate(objects):
            if isinstance(balloon, Balloon) and balloon.joined is not None and balloon.joined not in held:
                notes.append(f"{balloon.id} is no longer joined to {balloon.joined}, which is on the other page")
                objects[place] = balloon.model_copy(update={"joined": None})
        update: dict[str, Any] = {
            "kind": UnitKind.PAGE,
            "id": name,
            "name": spread.name if name == spread.id else "",
            "gutter": 0,
            "surfaces": (surface.model_copy(update={"x": 0}),),
            "objects": tuple(objects),
            "reading": tuple(item for item in spread.reading if item in held),
        }
        pages.append(spread.model_copy(update=update))
    first, other = reversed(pages) if rtl else pages
    result = book.replace(first).insert(other, book.position(spread.id) + 1)
    return Outcome(result, {"1": first.id, "2": other.id}, tuple(notes))


@OPERATIONS.operation("spread.join", target=("page", "cover", "transition"), args=SpreadJoin, order=("unit", "chapter"))
def spread_join(book: Book, target: Target, args: SpreadJoin, ctx: EditContext) -> Outcome:
    """Join two neighbouring pages into one true spread, which keeps the target's id."""
    one = target.sheet()
    two = book.unit(args.with_)
    if two.kind is UnitKind.SPREAD:
        raise WrongTarget("a spread joins with nothing", expected="a page", found="spread", ids=[two.id])
    if abs(book.position(one.id) - book.position(two.id)) != 1:
        raise BadInput("a spread is made of two units that follow each other", ids=[one.id, two.id])
    if one.height != two.height:
        raise BadInput(
            f"the pages are {spoken(one.height)} and {spoken(two.height)} mm high", expected="two pages of one height"
        )
    earlier, later = sorted((one, two), key=lambda unit: book.position(unit.id))
    rtl = book.chapter.direction is Direction.RTL
    left, right = (later, earlier) if rtl else (earlier, later)
    gutter = 0 if args.gutter is None else micrometres(args.gutter)
    by = left.width + gutter
    moved = {left.id: _onto(one.id, left, 0), right.id: _onto(one.id, right, by)}
    surfaces = (left.surfaces[0], right.surfaces[0].model_copy(update={"x": by}))
    spread = one.model_copy(
        update={
            "kind": UnitKind.SPREAD,
            "gutter": gutter,
            "surfaces": surfaces,
            "objects": (*moved[earlier.id], *moved[later.id]),
            "reading": (*earlier.reading, *later.reading),
        }
    )
    lost = [
        text for text, same in ((f"name {two.name!r}", not two.name), ("paper colour", _alike(one, two))) if not same
    ]
    notes = (f"the {' and the '.join(lost)} of {two.id} went with it",) if lost else ()
    return Outcome(book.remove(two.id).replace(spread), notes=notes)


def _alike(one: Unit, two: Unit) -> bool:
    return one.background == two.background


def _onto(spread: str, page: Unit, by: int) -> tuple[Node, ...]:
    """A page's objects as they lie on the spread."""
    items = page.objects if by == 0 else tuple(shifted(item, by, 0) for item in page.objects)
    return tuple(item.model_copy(update={"parent": spread}) if item.parent == page.id else item for item in items)
