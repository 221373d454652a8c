"""Page templates: slots for frames in shares of the live area, fitted to a unit with exact gutters."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Annotated, Literal, Self

from pydantic import Field, TypeAdapter, model_validator

from lantern_kit.comic.geometry import contains, doubled_area, is_simple, safe_areas
from lantern_kit.comic.layout.moving import displaced
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.model import (
    MILLION,
    Direction,
    Edge,
    Frame,
    Paper,
    Point,
    Polygon,
    Record,
    Rect,
    Shape,
    Unit,
)
from lantern_kit.kernel.errors import BadInput, NotFound, nearest

Share = Annotated[int, Field(ge=-8 * MILLION, le=9 * MILLION)]
Corner = tuple[Share, Share]
Gutters = tuple[Annotated[int, Field(ge=0, le=50_000)], Annotated[int, Field(ge=0, le=50_000)]]
"""Micrometres between frames beside each other, and between frames above each other."""
MOST_SLOTS = 40
_ACROSS = 12
_DOWN = 12


class Slot(Record):
    """Where one frame goes. Slots touch each other; the gutters are taken out between them when they are fitted."""

    points: tuple[Corner, ...] = Field(min_length=3, max_length=40)
    """Corners in millionths of the live area's width and height; those of kept layouts may lie outside of it."""
    bleed: tuple[Edge, ...] = ()
    """Edges that run past the trim to the bleed."""
    over: bool = False
    """It lies on other slots (an inset): nothing is taken off it, nor off them."""
    page: Literal["first", "second", "both"] = "both"
    """Of a spread's template: the page it is shared out on, as read; both is across the gutter."""

    @model_validator(mode="after")
    def _sound(self) -> Self:
        if not is_simple(Polygon(points=self.points)) or list(self.bleed) != sorted(set(self.bleed)):
            raise ValueError("a slot is a simple outline, its bleed edges sorted")
        return self


class Template(Record):
    """A layout of one page, or of a spread."""

    name: Annotated[str, Field(pattern=r"^[a-z0-9][a-z0-9-]{0,39}$")]
    title: Annotated[str, Field(min_length=1, max_length=120)]
    sheet: Literal["page", "spread"] = "page"
    mirror: bool = True
    """Turned round where the reading runs from the right."""
    gutter: Gutters = (3_500, 5_000)
    slots: tuple[Slot, ...] = Field(min_length=1, max_length=MOST_SLOTS)
    """In reading order."""
    author: Annotated[str, Field(max_length=120)] = ""
    licence: Annotated[str, Field(max_length=120)] = ""


@dataclass(frozen=True)
class Place:
    """A slot on a unit."""

    shape: Shape
    bleed: tuple[Edge, ...]
    over: bool


@cache
def built_in() -> Mapping[str, Template]:
    """The templates that come with the kit, by name."""
    text = resources.files("lantern_kit.comic.layout").joinpath("templates.json").read_text("utf-8")
    found = TypeAdapter(tuple[Template, ...]).validate_json(text)
    return {template.name: template for template in found}


def template_named(name: str) -> Template:
    """A built-in template. Raises NotFound, naming the nearest."""
    found = built_in().get(name)
    if found is None:
        close = nearest(name, built_in())
        raise NotFound(
            f"there is no layout template {name[:40]}",
            expected=list(built_in()),
            recovery=f"nearest: {', '.join(close)}" if close else "The guide layout shows them all.",
        )
    return found


def tiers(count: int) -> Template:
    """A plain layout of so many frames: rows as even as they can be, none with more than three, unless there are many.

    The rows that hold fewer come first, since fewer frames are larger ones.
    """
    rows = 1 if count == 1 else max(2, math.isqrt(count - 1) + 1) if count > 3 else count
    fewer, rest = divmod(count, rows)
    held = [fewer] * (rows - rest) + [fewer + 1] * rest
    slots = []
    for row, many in enumerate(held):
        top, bottom = row * MILLION // rows, (row + 1) * MILLION // rows
        for place in range(many):
            left, right = place * MILLION // many, (place + 1) * MILLION // many
            slots.append(Slot(points=((left, top), (right, top), (right, bottom), (left, bottom))))
    return Template(name="tiers", title="Rows", slots=tuple(slots))


def fit(
    template: Template, unit: Unit, paper: Paper, direction: Direction, gutters: tuple[int, int] | None = None
) -> tuple[Place, ...]:
    """A template's slots on a unit, in reading order.

    Upright and level gutters are exact to the micrometre, slanted ones but for the rounding of their corners; outer
    edges lie on the safe area, or on the trim where a slot bleeds (the frame then runs out to the bleed).

    Args:
        template: a page's template lays each page of a spread out alike, first the one that is read first.
        unit: any; one with a spread's template is a spread.
        paper: its safe inset bounds the live area.
        direction: rtl turns a template round.
        gutters: across and down; None is the template's own.

    Raises:
        BadInput: a spread's template and a unit of one page, or gutters that leave nothing of a slot; ``details`` holds
            its ``slot``, counted from 1 over all pages.
    """
    across = gutters or template.gutter
    turned = direction is Direction.RTL
    pages = list(safe_areas(unit, paper))
    if turned:
        pages.reverse()
    if template.sheet == "page":
        areas = [(slot, page) for page in pages for slot in template.slots]
    elif len(pages) == 1:
        raise BadInput(f"{template.name} is laid out on a spread", expected="a spread", found="page", ids=[unit.id])
    else:
        low, high = min(page.x for page in pages), max(page.right for page in pages)
        both = Rect(x=low, y=pages[0].y, w=high - low, h=pages[0].h)
        where = {"first": pages[0], "second": pages[1], "both": both}
        areas = [(slot, where[slot.page]) for slot in template.slots]
    mirror = turned and template.mirror
    return tuple(
        _placed(mirrored(slot) if mirror else slot, area, unit, across, number)
        for number, (slot, area) in enumerate(areas, 1)
    )


def mirrored(slot: Slot) -> Slot:
    """A slot turned round."""
    points = tuple((MILLION - x, y) for x, y in reversed(slot.points))
    other = {Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT}
    return slot.model_copy(
        update={"points": points, "bleed": tuple(sorted(other.get(edge, edge) for edge in slot.bleed))}
    )


def _placed(slot: Slot, area: Rect, unit: Unit, gutters: tuple[int, int], number: int) -> Place:
    """A slot on its area, with half a gutter taken off each of its sides; none of it past the trim.

    The area is first grown by half a gutter, so that outer edges land on it.
    """
    wide, high = (0, 0) if slot.over else gutters
    left, top, right, bottom = limits = grown_area(area, (wide, high))

    def there(at: Corner) -> Point:
        return left + _part(at[0], right - left), top + _part(at[1], bottom - top)

    whole = Frame(id="fr_slot", parent="un_slot", shape=Polygon(points=tuple(map(there, slot.points))))
    if doubled_area(slot.points) < 0:  # pragma: no cover - outlines run clockwise; either way is taken
        whole = whole.model_copy(update={"shape": Polygon(points=tuple(map(there, reversed(slot.points))))})
    ways = {side.places: _way(side, slot, limits, unit, (wide, high)) for side in sides_of(whole)}
    shape = displaced(whole, ways)
    if any(not 0 <= share <= MILLION for point in slot.points for share in point):
        shape = Polygon(points=tuple((_within(x, unit.width), _within(y, unit.height)) for x, y in shape.points))
    if not is_simple(shape) or doubled_area(shape.points) <= 0:
        raise BadInput(
            f"these gutters leave nothing of slot {number}",
            expected="narrower gutters, or another template",
            ids=[unit.id],
            details={"slot": number},
        )
    return Place(shape, slot.bleed, slot.over)


def _way(side: Side, slot: Slot, limits: tuple[int, int, int, int], unit: Unit, gutters: tuple[int, int]) -> Point:
    """How a side moves in by half a gutter, or out to the trim."""
    axis = 0 if side.upright else 1
    forward = side.edge in {Edge.RIGHT, Edge.BOTTOM}
    if side.edge in slot.bleed and side.start[axis] == side.end[axis] == limits[axis + 2 * forward]:
        goal = (unit.width, unit.height)[axis] if forward else 0
        by = goal - side.start[axis]
    else:
        half = half_gutter(side, gutters[axis])
        by = -half if forward else half
    return (by, 0) if side.upright else (0, by)


def grown_area(area: Rect, gutters: tuple[int, int]) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of an area grown by half a gutter."""
    wide, high = gutters
    left, top = area.x - (wide - wide // 2), area.y - (high - high // 2)
    return left, top, area.right + wide // 2, area.bottom + high // 2


def half_gutter(side: Side, gutter: int) -> int:
    """How far a side lies from the middle of its gutter: right or left of it, below or above it."""
    axis = 0 if side.upright else 1
    if side.start[axis] != side.end[axis]:
        return round(gutter / 2 * side.length / abs(side.way[1 - axis]))
    return gutter // 2 if side.edge in {Edge.RIGHT, Edge.BOTTOM} else gutter - gutter // 2


def _within(at: int, most: int) -> int:
    return min(max(at, 0), most)


def _part(share: int, length: int) -> int:
    return (2 * share * length + MILLION) // (2 * MILLION)


def sketch(template: Template) -> str:
    """A template as rows of slot numbers, ``11/23``: what is above and beside what. Read as left to right.

    From the tenth slot on they are letters; rows and columns that are alike are written once.
    """
    marks = "123456789abcdefghijklmnopqrstuvwxyzABCDE"
    wide = 2 if template.sheet == "spread" else 1
    rows = []
    for row in range(_DOWN):
        y = (2 * row + 1) * MILLION // (2 * _DOWN)
        line = ""
        top = sorted(enumerate(template.slots), key=lambda item: (not item[1].over, -item[0]))
        for column in range(_ACROSS * wide):
            x = (2 * column + 1) * MILLION // (2 * _ACROSS * wide)
            line += next((marks[n] for n, slot in top if _holds(slot, x, y)), ".")
        rows.append(line)
    rows = [row for place, row in enumerate(rows) if place == 0 or row != rows[place - 1]]
    columns = [*zip(*rows, strict=True)]
    columns = [column for place, column in enumerate(columns) if place == 0 or column != columns[place - 1]]
    return "/".join("".join(row) for row in zip(*columns, strict=True))


def _holds(slot: Slot, x: int, y: int) -> bool:
    """Whether a slot covers a point of the page, or of the whole spread."""
    if slot.page != "both":
        x = 2 * x - (MILLION if slot.page == "second" else 0)
    return 0 <= x <= MILLION and contains(Polygon(points=slot.points), (x, y))
