"""Points that hold on to things: shares of what a thing covers, to the page and back.

Every object lies on a parallelogram of the page: its bounds or its box, turned and mirrored as it is. A point inside it
is kept as shares of that, so that it goes wherever the object goes.
"""

from __future__ import annotations

import math

from lantern_kit.comic.geometry import bounds, trim
from lantern_kit.comic.model import (
    LIMIT,
    MILLION,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Point,
    Rect,
    Surface,
    Text,
    Unit,
)
from lantern_kit.comic.placement import Affine, box_of, own_transform
from lantern_kit.kernel.errors import BadInput

_FAR = LIMIT // 2  # a picture enlarged a hundred times covers more of the plane than a rectangle can say
Shares = tuple[int, int]
"""Across and down, in millionths; 0, 0 is the top left corner."""


def ground(unit: Unit, thing: Unit | Surface | Node) -> Affine:
    """The unit square as it lies on the page under a thing, in page micrometres.

    Of a unit that is its trim, of a picture its box as placed, of a foreground its image's, of anything without
    geometry of its own what it lies in.
    """
    if isinstance(thing, Unit):
        return _upright(trim(thing))
    if isinstance(thing, Surface):
        return _upright(Rect(x=thing.x, y=0, w=thing.width, h=thing.height))
    if isinstance(thing, Frame):
        return _upright(bounds(thing.shape))
    if isinstance(thing, Image | Overlay):
        around = thing.placement.box or _around(unit, thing)
        return _upright(box_of(thing.placement, around)).then(own_transform(thing.placement, around))
    if isinstance(thing, Text) and thing.rotate:
        return _upright(thing.box).then(_turn(thing.box, thing.rotate))
    if isinstance(thing, Lettering):
        return _upright(thing.box)
    if isinstance(thing, Effect):
        return _upright(thing.box or _around(unit, thing))
    parent = unit.index.get(thing.parent, unit)
    if isinstance(thing, Foreground) and isinstance(parent, Image):
        return ground(unit, parent)
    return _upright(_around(unit, thing))


def corners(there: Affine) -> tuple[Point, Point, Point, Point]:
    """Where the corners of the unit square lie, clockwise from what was its top left one."""
    a, b, c, d = (_rounded(*corner) for corner in there.quad(0, 0, 1, 1))
    return a, b, c, d


def box_around(points: tuple[Point, ...]) -> Rect:
    """The upright rectangle round some points, at least a micrometre in each direction."""
    xs, ys = ([min(max(part, -_FAR), _FAR) for part in axis] for axis in zip(*points, strict=True))
    return Rect(x=min(xs), y=min(ys), w=max(1, max(xs) - min(xs)), h=max(1, max(ys) - min(ys)))


def point_at(there: Affine, at: Shares) -> Point:
    """The point of the page at some shares of the unit square."""
    return _rounded(*there.map(at[0] / MILLION, at[1] / MILLION))


def shares_at(there: Affine, point: Point) -> Shares:
    """The shares at which a point of the page lies; below 0 or above a million outside the thing."""
    try:
        x, y = there.inverse().map(*point)
    except BadInput:
        return 0, 0  # nothing can be told apart on a thing without an area
    return math.floor(x * MILLION + 0.5), math.floor(y * MILLION + 0.5)


def _around(unit: Unit, item: Node) -> Rect:
    """The bounds of what an object without a box of its own lies in."""
    parent = unit.index.get(item.parent)
    return trim(unit) if parent is None else box_around(corners(ground(unit, parent)))


def _upright(box: Rect) -> Affine:
    return Affine(box.w, 0.0, 0.0, box.h, box.x, box.y)


def _turn(box: Rect, rotate: int) -> Affine:
    """A turn about the middle of a box, millidegrees clockwise."""
    x, y = box.x + box.w / 2, box.y + box.h / 2
    angle = math.radians(rotate / 1_000)
    cos, sin = math.cos(angle), math.sin(angle)
    return Affine(cos, sin, -sin, cos, x - (cos * x - sin * y), y - (sin * x + cos * y))


def _rounded(x: float, y: float) -> Point:
    return math.floor(x + 0.5), math.floor(y + 0.5)
