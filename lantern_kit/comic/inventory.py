"""Everything on a unit, measured: one row an object, as the analysis keeps it. Lengths in millimetres."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any, NamedTuple

from lantern_kit.comic.geometry import area, bounds
from lantern_kit.comic.measure import millimetres
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


def measured(unit: Unit) -> list[Measured]:
    """All objects of a unit, in the order they are drawn."""
    reading = {item: place for place, item in enumerate(unit.reading, 1)}
    return [
        Measured(
            unit.id,
            item.id,
            item.kind,
            item.parent,
            *_extent(unit, item),  # type: ignore[call-arg]
            place,
            reading.get(item.id),
            item.text if isinstance(item, Lettering) else None,
            len(item.text) if isinstance(item, Lettering) else None,
            item.asset if isinstance(item, Image | Overlay | Foreground) else None,
        )
        for place, item in enumerate(_drawn(unit), 1)
    ]


def _drawn(unit: Unit) -> Iterator[Any]:
    for step in paint_order(unit):
        yield from (step.item, *step.inside, *step.above)


def _extent(unit: Unit, item: Node) -> Extent:
    """Left, top, width, height and covered area of an object's own outline or box, before anything is cut off."""
    if isinstance(item, Foreground):
        image = unit.index.get(item.parent)
        return _extent(unit, image) if isinstance(image, Image) else _NOWHERE
    if isinstance(item, Frame):
        return _of(bounds(item.shape), area(item.shape))
    if isinstance(item, Image | Overlay):
        return _placed(unit, item)
    box = item.box if isinstance(item, Lettering | Effect) else None
    box = box if box is not None else _around(unit, item)
    if box is None:
        return _NOWHERE
    whole = box.w * box.h
    if isinstance(item, Balloon) and item.shape is BalloonShape.ELLIPSE:
        return _of(box, math.pi / 4 * whole)
    return _of(box, whole)


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
