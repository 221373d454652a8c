"""``unit.look``: a unit as it will be printed, a part of it, or several side by side."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from itertools import count
from typing import Any

from pydantic import Field

from lantern_kit.comic.capabilities.answer import LONGEST_NAME, In, Out, Source, UnitRef
from lantern_kit.comic.capabilities.contact_sheet import contact_sheet
from lantern_kit.comic.capabilities.pictures import DEFAULT_EDGE, Edge, fitting, viewed
from lantern_kit.comic.capabilities.place import Place, find_place, find_thing, find_unit, seen
from lantern_kit.comic.capabilities.registry import observes
from lantern_kit.comic.capabilities.services import ComicServices, services
from lantern_kit.comic.checks.marked import Lying, lying_on
from lantern_kit.comic.edit.tree import box_of
from lantern_kit.comic.geometry import bleed_rect, spanning
from lantern_kit.comic.handle import Thing, handle_of
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Balloon, Chapter, Direction, Foreground, Node, Point, Rect, Unit
from lantern_kit.comic.pages import unit_labels
from lantern_kit.comic.render.marks import marked
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.render.view import make_view
from lantern_kit.comic.shelf import called
from lantern_kit.kernel.capability import Call, Reply
from lantern_kit.kernel.capability import Picture as Answered
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import reporting

OBJECTS_SHOWN = 80


class LookIn(In):
    """What to look at."""

    source: Source
    unit: str = Field(
        "", max_length=LONGEST_NAME, description="handle, id, or place in the chapter; needed without around"
    )
    around: str = Field("", max_length=LONGEST_NAME, description="handle of an object: only it, with a margin")
    margin: float = Field(6.0, ge=0, le=200, description="mm round that object")
    mark: list[str] = Field(default_factory=list, max_length=8, description="handles of objects to outline and show")
    neighbours: int = Field(0, ge=0, le=4, description="a contact sheet with up to 4 units before and after")
    bleed: bool = Field(default=False, description="show the bleed too")
    exact: bool = Field(default=False, description="PNG of exact pixels instead of JPEG")
    size: Edge = DEFAULT_EDGE


class LookOut(Out):
    """What the picture shows, and how its pixels lie on the page."""

    view: str | None = None
    revision: str
    unit: str
    size: list[int]
    visible: list[float] | None = None
    page_to_pixel: list[float] | None = None
    pixel_to_page: list[float] | None = None
    objects: dict[str, list[int]] | None = None
    marks: list[dict[str, Any]] | None = None
    """Faces and focuses marked in the pictures that were named, or lie in the frames that were: pixel boxes."""
    tiles: list[dict[str, Any]] | None = None
    media: str
    bytes: int
    sha256: str | None = None
    reduced: bool
    missing: list[str] | None = None
    unknown_fonts: list[str] | None = None


@observes(
    "unit.look",
    summary="See a unit rendered, a part of it round an object, or a contact sheet with its neighbours.",
    input=LookIn,
    output=LookOut,
    applies_to=("unit", "object"),
)
def look(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    place = find_place(held, args.source)
    book = place.book
    thing: Thing | None = None
    if args.around:
        unit, thing = find_thing(held, book, args.around)
        if unit is None or args.neighbours:
            raise BadInput("around names an object of one unit", expected="an object's handle, and no neighbours")
    elif args.unit:
        unit = find_unit(book, args.unit, held)
    else:
        raise BadInput("say what to look at", expected="unit or around")
    if args.neighbours:
        answer, picture = _sheet(held, place, unit, args.neighbours, args.size)
    else:
        outlined = _outlined(held, place, unit, args.mark)
        rect = None
        if isinstance(thing, Node):
            rect = _around(unit, (thing, *outlined), book.chapter, micrometres(args.margin))
        about = [*outlined, *([thing] if isinstance(thing, Node) else [])]
        answer, picture = _one(held, place, unit, rect, outlined, about, args)
    reply = seen(place, answer, target=unit.id, summary=f"looked at {unit_labels(book, [unit.id])[0]}")
    reply.pictures = (picture,)
    return reply


class PrintIn(In):
    """Which unit, and how finely."""

    source: Source
    unit: UnitRef
    dpi: int = Field(0, ge=0, le=1_200, description="pixels an inch; absent: the paper's own")


class PrintOut(Out):
    """What was drawn."""

    revision: str
    unit: str
    size: list[int]
    dpi: float
    sha256: str


@observes(
    "unit.print",
    summary="A unit at full resolution with its bleed, every pixel kept.",
    input=PrintIn,
    output=PrintOut,
    applies_to=("unit",),
)
def print_(call: Call) -> Reply:
    """Carry it out."""
    args, held = call.args, services(call)
    place = find_place(held, args.source)
    chapter = place.book.chapter
    unit = find_unit(place.book, args.unit, held)
    with reporting(None, "Drawing") as tell:
        tell("pages", 0, 2)
        drawn = held.renderer.render(unit, chapter, dpi=args.dpi or chapter.paper.dpi, bleed=True)
        tell("writing", 1, 2)
        data = drawn.png()
    answer = PrintOut(
        revision=place.revision,
        unit=handle_of(unit),
        size=[drawn.width, drawn.height],
        dpi=round(drawn.dpi, 2),
        sha256=hashlib.sha256(data).hexdigest(),
    )
    reply = seen(place, answer, target=unit.id, summary="drew a unit at full resolution")
    reply.pictures = (Answered(data, "image/png"),)
    return reply


def _outlined(held: ComicServices, place: Place, unit: Unit, handles: Sequence[str]) -> list[Node]:
    """The objects to outline. Raises BadInput where one is not of the unit."""
    found: list[Node] = []
    for handle in handles:
        where, thing = find_thing(held, place.book, handle)
        if where is None or where.id != unit.id or not isinstance(thing, Node):
            raise BadInput(
                "mark names objects of the unit that is shown", expected="handles of its objects", ids=[handle]
            )
        found.append(thing)
    return found


def _one(
    held: ComicServices,
    place: Place,
    unit: Unit,
    rect: Rect | None,
    outlined: Sequence[Node],
    about: Sequence[Node],
    args: LookIn,
) -> tuple[LookOut, Answered]:
    with reporting(None, "Drawing") as tell:
        tell("pages", 0, 2)
        drawn = held.renderer.render(unit, place.book.chapter, long_edge=args.size, rect=rect, bleed=args.bleed)
        tell("writing", 1, 2)
    told = {item.id for item in about} | {item.parent for item in about if isinstance(item, Foreground)}
    marks = [
        lying
        for lying in lying_on(unit, place.book.chapter.paper, held.checker.picture)
        if told & {lying.item.id, lying.item.parent} - {unit.id}
    ]
    if outlined:
        shown = {item.id for item in outlined}
        faces = [_rect(lying) for lying in marks if shown & {lying.item.id, lying.item.parent}]
        drawn = marked(drawn, [*(box for item in outlined if (box := _box(unit, item)) is not None), *faces])
    view = make_view(drawn, revision=place.revision, ids=held.comics.ids, exact=args.exact)
    facts = view.facts
    answer = LookOut(
        **viewed(facts),
        revision=facts.revision,
        unit=handle_of(unit),
        objects={name: list(box) for name, box in list(facts.objects.items())[-OBJECTS_SHOWN:]},
        marks=[_mark_row(held, drawn, lying) for lying in marks] or None,
        missing=list(facts.missing) or None,
        unknown_fonts=list(drawn.unknown_fonts) or None,
    )
    return answer, Answered(view.data, facts.media)


def _mark_row(held: ComicServices, drawn: Rendered, lying: Lying) -> dict[str, Any]:
    """A mark for agents: of which picture, what, and its box in pixels, also where that is cut off."""
    box = _rect(lying)
    corners = (drawn.page_to_pixel.map(box.x, box.y), drawn.page_to_pixel.map(box.right, box.bottom))
    row: dict[str, Any] = {"object": lying.item.id, "mark": lying.number, "kind": lying.mark.kind.value}
    if lying.mark.who is not None:
        row["who"] = called(lying.mark.who, held.assets, held.comics.library)
    return {**row, "at": [round(part) for corner in corners for part in corner]}


def _rect(lying: Lying) -> Rect:
    """The upright box round a mark."""
    left, top, right, bottom = (round(edge) for edge in lying.area.bounds)
    return spanning(left, top, max(right, left + 1), max(bottom, top + 1))


def _around(unit: Unit, items: Sequence[Node], chapter: Chapter, margin: int) -> Rect:
    """The part of the page round objects and their tails, inside the bleed."""
    sheet = bleed_rect(unit, chapter.paper)
    corners: list[Point] = []
    for item in items:
        box = _box(unit, item) or sheet
        out = max(box.w, box.h) // 2 if isinstance(item, Foreground) else 0  # it stands out of the frame
        corners += (box.x - out, box.y - out), (box.right + out, box.bottom + out)
        corners += (tail.tip for tail in (item.tails if isinstance(item, Balloon) else ()))
    left = max(sheet.x, min(x for x, _ in corners) - margin)
    top = max(sheet.y, min(y for _, y in corners) - margin)
    right = min(sheet.right, max(x for x, _ in corners) + margin)
    bottom = min(sheet.bottom, max(y for _, y in corners) + margin)
    if right <= left or bottom <= top:
        raise BadInput(
            f"{items[0].id} lies outside the paper",
            ids=[items[0].id],
            recovery="Read the unit to see where; object.move brings it back.",
        )
    return spanning(left, top, right, bottom)


def _box(unit: Unit, item: Node) -> Rect | None:
    """The box of an object, or of what it lies in when it has none of its own."""
    box = box_of(item)
    parent = unit.index.get(item.parent)
    return box if box is not None or parent is None else _box(unit, parent)


def _sheet(held: ComicServices, place: Place, unit: Unit, neighbours: int, edge: int) -> tuple[LookOut, Answered]:
    book = place.book
    middle = book.position(unit.id)
    names = book.order[max(0, middle - neighbours) : middle + neighbours + 1]
    with reporting(None, "Drawing") as tell:
        number = count()

        def draw(item: Unit, scale: float) -> Rendered:
            tell("pages", next(number), len(names))
            return held.renderer.render(item, book.chapter, scale=scale * 1_000)

        units = [book.unit(name) for name in names]
        whole, tiles = contact_sheet(units, draw, edge=edge, rightwards=book.chapter.direction is not Direction.RTL)
    picture, facts = fitting(whole, edge)
    shrunk = facts["size"][0] / whole.width
    answer = LookOut(
        revision=place.revision,
        unit=handle_of(unit),
        size=facts["size"],
        tiles=[
            {
                "n": book.position(tile.unit.id) + 1,
                "unit": handle_of(tile.unit),
                "at": [round(part * shrunk) for part in (tile.x, tile.y, tile.width, tile.height)],
            }
            for tile in tiles
        ],
        media=facts["media"],
        bytes=facts["bytes"],
        reduced=facts["reduced"],
    )
    return answer, picture
