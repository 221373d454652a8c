"""Where what an author marked in pictures lies on the page, and how much of it is left to see."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import shapely

from lantern_kit.comic.checks.frames import frame_area
from lantern_kit.comic.checks.seen import Pictures
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.model import (
    BANDS,
    MILLION,
    Effect,
    Foreground,
    Frame,
    Image,
    Mark,
    MarkKind,
    Overlay,
    Paper,
    Placement,
    Rect,
    Unit,
)
from lantern_kit.comic.placement import box_of, crop_window, fit_matrix, placement_matrix

Depth = tuple[int, int, int]
"""When something is drawn: what is greater lies over what is less."""


class Lying(NamedTuple):
    """A mark on the page; areas in micrometres."""

    item: Image | Overlay
    number: int
    """Among the picture's marks, from 1."""
    mark: Mark
    area: shapely.Polygon
    """All of it, whatever cuts the picture."""
    used: shapely.Geometry
    """What the crop, and the box of a free picture, leave of it."""
    shown: shapely.Geometry
    """What is left inside its frame as well."""
    frame: Frame | None
    """The frame that cuts it."""
    bound: bool
    """Its subject is drawn past the frame by a bound foreground."""

    @property
    def left(self) -> float:
        """The share of it that is to be seen."""
        return float(self.shown.area / self.area.area) if self.area.area else 0.0


def lying_on(unit: Unit, paper: Paper, pictures: Pictures) -> list[Lying]:
    """All marks of a unit whose pictures are there; a unit without any costs a look at its objects."""
    items = [item for item in unit.objects if isinstance(item, Image | Overlay) and item.marks]
    if not items:
        return []
    bound = {item.parent for item in unit.objects if isinstance(item, Foreground)}
    return [lying for item in items for lying in _of(item, unit, paper, pictures, bound)]


def faces_of(there: Sequence[Lying]) -> list[Lying]:
    """The faces among some marks."""
    return [lying for lying in there if lying.mark.kind is MarkKind.FACE]


def focuses_of(there: Sequence[Lying]) -> list[Lying]:
    """The focuses among some marks."""
    return [lying for lying in there if lying.mark.kind is MarkKind.FOCUS]


def _of(item: Image | Overlay, unit: Unit, paper: Paper, pictures: Pictures, bound: set[str]) -> Iterator[Lying]:
    size = pictures(item.asset)
    if size is None:
        return
    parent = unit.index.get(item.parent)
    frame = parent if isinstance(parent, Frame) and isinstance(item, Image) else None
    limits = bleed_rect(unit, paper) if frame is None else bounds(outline(frame, unit, paper))
    cutting = frame if frame is not None and isinstance(item, Image) and item.clip else None
    inside = None if cutting is None or item.id in bound else frame_area(outline(cutting, unit, paper))
    window = _window(item.placement, limits, size.width, size.height, frame is None)
    for number, mark in enumerate(item.marks, 1):
        area = _area(item.placement, limits, size.width, size.height, mark.area)
        used = area & window
        yield Lying(
            item, number, mark, area, used, used if inside is None else used & inside, cutting, item.id in bound
        )


@lru_cache(maxsize=4_096)
def _area(
    placement: Placement, limits: Rect, width: int, height: int, area: tuple[int, int, int, int]
) -> shapely.Polygon:
    """What a part of a picture, in millionths, covers of the page."""
    edges = (part * size / MILLION for part, size in zip(area, (width, height, width, height), strict=True))
    return shapely.Polygon(placement_matrix(placement, limits, width, height).quad(*edges))


@lru_cache(maxsize=4_096)
def _window(placement: Placement, limits: Rect, width: int, height: int, boxed: bool) -> shapely.Geometry:  # noqa: FBT001
    """What a picture covers of the page before its frame cuts it; one that lies free is cut by its box."""
    left, top, right, bottom = crop_window(placement, width, height)
    if boxed:
        box, back = box_of(placement, limits), fit_matrix(placement, limits, width, height).inverse()
        (x0, y0), (x1, y1) = back.map(box.x, box.y), back.map(box.right, box.bottom)
        left, top, right, bottom = max(left, x0), max(top, y0), min(right, x1), min(bottom, y1)
    if left >= right or top >= bottom:
        return shapely.Polygon()
    return shapely.Polygon(placement_matrix(placement, limits, width, height).quad(left, top, right, bottom))


def picture_area(item: Image | Overlay, unit: Unit, paper: Paper, pictures: Pictures) -> shapely.Geometry | None:
    """What a picture covers of the page; None when it is not there."""
    size = pictures(item.asset)
    if size is None:
        return None
    parent = unit.index.get(item.parent)
    if not isinstance(parent, Frame):
        return _window(item.placement, bleed_rect(unit, paper), size.width, size.height, True)
    shape = outline(parent, unit, paper)
    found = _window(item.placement, bounds(shape), size.width, size.height, False)
    return found & frame_area(shape) if isinstance(item, Image) and item.clip else found


def depths(unit: Unit) -> dict[str, Depth]:
    """When each object is drawn: band, then place, and inside a frame the place there."""
    level = {band: place for place, band in enumerate(BANDS)}
    places = {item.id: place for place, item in enumerate(unit.objects)}
    found: dict[str, Depth] = {}
    for place, item in enumerate(unit.objects):
        parent = unit.index.get(item.parent)
        if isinstance(item, Image | Effect) and isinstance(parent, Frame) and item.band in {None, parent.layer}:
            found[item.id] = (level[parent.layer], places[parent.id], place + 1)
        else:
            found[item.id] = (level[item.layer], place, 0)
    return found
