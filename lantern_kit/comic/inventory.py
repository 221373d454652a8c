"""Everything on a unit, measured as the analysis keeps it. Lengths in millimetres.

One row an object, a gutter, one who is seen in a frame, a mark in a picture.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any, Literal, NamedTuple

from lantern_kit.comic.geometry import area, bounds, gap, rect_of, surface_of
from lantern_kit.comic.markup import plain
from lantern_kit.comic.measure import degrees, millimetres, share
from lantern_kit.comic.model import (
    MILLION,
    Balloon,
    BalloonShape,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Rect,
    Unit,
)
from lantern_kit.comic.placement import own_transform
from lantern_kit.comic.render.order import paint_order

SQUARE = 1_000_000
"""Square micrometres in a square millimetre."""
Extent = tuple[float, float, float, float, float] | tuple[None, None, None, None, None]
_NOWHERE = (None, None, None, None, None)
_PLACED = (Image, Overlay)
_PICTURES = (*_PLACED, Foreground)
_BOXED = (Lettering, Effect)


class Measured(NamedTuple):
    """One object of a unit."""

    unit: str
    object: str
    kind: str
    parent: str
    x: float | None
    y: float | None
    w: float | None
    h: float | None
    area: float | None
    z: int
    """Its place in the order of drawing, from 1 at the bottom."""
    reading_order: int | None
    """Its place in the order of reading, from 1."""
    text: str | None
    characters: int | None
    """Code points of the text."""
    asset: str | None
    description: str | None = None
    """What a frame is to show."""
    scene: str | None = None
    light: str | None = None
    light_angle: float | None = None
    """Degrees clockwise from above."""


def measured(unit: Unit) -> list[Measured]:
    """All objects of a unit, in the order they are drawn."""
    reading = {item: place for place, item in enumerate(unit.reading, 1)}
    return [_measured(unit, item, place, reading.get(item.id)) for place, item in enumerate(_drawn(unit), 1)]


def _measured(unit: Unit, item: Any, place: int, read: int | None) -> Measured:
    text = plain(item.text) if isinstance(item, Lettering) else None
    return Measured(
        unit.id,
        item.id,
        item.kind,
        item.parent,
        *_extent(unit, item),  # type: ignore[call-arg]
        place,
        read,
        text,
        None if text is None else len(text),
        item.asset if isinstance(item, _PICTURES) else None,
        *(_shown(item) if isinstance(item, Frame) else ()),
    )


def _shown(frame: Frame) -> tuple[str | None, str | None, str | None, float | None]:
    angle = None if frame.light is None else frame.light.angle
    kind = None if frame.light is None else frame.light.kind or None
    return frame.description or None, frame.scene, kind, None if angle is None else degrees(angle)


class Present(NamedTuple):
    """Somebody or something that is to be seen in a frame."""

    unit: str
    frame: str
    who: str
    """An entry of the library."""
    look: str | None


def presences(unit: Unit) -> list[Present]:
    """Who is seen in the frames of a unit."""
    frames = (item for item in unit.objects if isinstance(item, Frame))
    return [Present(unit.id, frame.id, one.who, one.look or None) for frame in frames for one in frame.cast]


class Marked(NamedTuple):
    """A place that is marked in a picture; its edges are shares of the whole picture."""

    unit: str
    object: str
    number: int
    """From 1."""
    kind: str
    who: str | None
    left: float
    top: float
    right: float
    bottom: float


def marks(unit: Unit) -> list[Marked]:
    """All that is marked in the pictures of a unit."""
    pictures = (item for item in unit.objects if isinstance(item, _PLACED))
    return [
        Marked(unit.id, item.id, number, mark.kind.value, mark.who, *(share(edge) for edge in mark.area))
        for item in pictures
        for number, mark in enumerate(item.marks, 1)
    ]


class Gutter(NamedTuple):
    """The white between two neighbouring frames."""

    unit: str
    first: str
    """The frame that is read before the other; of two that are not read, the one drawn before."""
    second: str
    direction: Literal["across", "down"]
    """across: between frames side by side; down: between one above and one below."""
    width: float
    """Least distance between their outlines."""
    length: float
    """How far they face each other."""


def gutters(unit: Unit) -> list[Gutter]:
    """All gutters of a unit: pairs of frames that face each other, do not touch, and have no third between them.

    Frames on different sides of a spread's own gutter are no neighbours.
    """
    reading = {item: place for place, item in enumerate(unit.reading)}
    frames = sorted(
        (item for item in unit.objects if isinstance(item, Frame)), key=lambda item: reading.get(item.id, len(reading))
    )
    boxes = {item.id: bounds(item.shape) for item in frames}
    upright = {item.id for item in frames if rect_of(item.shape) is not None}
    found = []
    for one, two in combinations(frames, 2):
        a, b = boxes[one.id], boxes[two.id]
        wide, tall = min(a.right, b.right) - max(a.x, b.x), min(a.bottom, b.bottom) - max(a.y, b.y)
        if max(wide, tall) <= 0 or surface_of(unit, a.centre) != surface_of(unit, b.centre):
            continue
        across = tall * min(a.w, b.w) >= wide * min(a.h, b.h)
        edges = sorted((a.x, a.right, b.x, b.right) if across else (a.y, a.bottom, b.y, b.bottom))[1:3]
        sides = (max(a.y, b.y), min(a.bottom, b.bottom)) if across else (max(a.x, b.x), min(a.right, b.right))
        (left, right), (top, bottom) = (edges, sides) if across else (sides, edges)
        others = (box for name, box in boxes.items() if name not in {one.id, two.id})
        if any(box.x < right and left < box.right and box.y < bottom and top < box.bottom for box in others):
            continue
        between = -wide if across else -tall  # exact for upright rectangles
        if not (one.id in upright and two.id in upright):
            between = gap(one.shape, two.shape)
        if between > 0:
            length = millimetres(tall if across else wide)
            direction: Literal["across", "down"] = "across" if across else "down"
            found.append(Gutter(unit.id, one.id, two.id, direction, millimetres(between), length))
    return found


def _drawn(unit: Unit) -> Iterator[Any]:
    for step in paint_order(unit):
        yield from step.objects


def _extent(unit: Unit, item: Node) -> Extent:
    """Left, top, width, height and covered area of an object's own outline or box, before anything is cut off."""
    box = item.box if isinstance(item, _BOXED) else None
    if box is not None:
        whole = box.w * box.h
        round_one = isinstance(item, Balloon) and item.shape is BalloonShape.ELLIPSE
        return _of(box, math.pi / 4 * whole if round_one else whole)
    if isinstance(item, Foreground):
        image = unit.index.get(item.parent)
        return _extent(unit, image) if isinstance(image, Image) else _NOWHERE
    if isinstance(item, Frame):
        return _of(bounds(item.shape), area(item.shape))
    if isinstance(item, _PLACED):
        return _placed(unit, item)
    box = _around(unit, item)
    return _NOWHERE if box is None else _of(box, box.w * box.h)


def _placed(unit: Unit, item: Image | Overlay) -> Extent:
    """The box of a picture, scaled, turned and shifted as it is placed."""
    box = item.placement.box or _around(unit, item)
    if box is None:
        return _NOWHERE
    left, top, right, bottom = own_transform(item.placement, box).around(box.x, box.y, box.right, box.bottom)
    scale = item.placement.transform.scale / MILLION
    x, y, w, h = (millimetres(round(edge)) for edge in (left, top, right - left, bottom - top))
    return x, y, w, h, box.w * box.h * scale * scale / SQUARE


def _around(unit: Unit, item: Node) -> Rect | None:
    """The bounds of the frame that an object without a box of its own fills."""
    frame = unit.index.get(item.parent)
    return bounds(frame.shape) if isinstance(frame, Frame) else None


def _of(box: Rect, covered: float) -> Extent:
    return millimetres(box.x), millimetres(box.y), millimetres(box.w), millimetres(box.h), covered / SQUARE
