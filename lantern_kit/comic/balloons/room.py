"""The room for words inside an outline: for every height, how far a line may reach to either side.

Made from any closed outline by one way: the outline moved inwards by the padding, cut into thin slices, and of each
slice the longest piece that is free.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from lantern_kit.comic.geometry import Dot

SLICES = 256


@dataclass(frozen=True, slots=True, eq=False)
class Room:
    """Where words may stand, in micrometres from the centre of the box; x right, y down."""

    top: float
    """Where the room begins; negative, above the centre. Not above ``bottom`` when there is none."""
    bottom: float
    lefts: tuple[float, ...]
    """Where the free piece begins at evenly spread heights from ``top`` to ``bottom``."""
    rights: tuple[float, ...]
    """Where it ends; less than its begin where nothing is free."""
    straight: bool
    """The sides are upright, so that lines may be set flush against them."""
    quarter: Room | None = None
    """The same room turned a quarter to the left: what columns are set in."""

    @property
    def height(self) -> float:
        """From top to bottom; not above 0 when there is no room."""
        return self.bottom - self.top

    @property
    def width(self) -> float:
        """Of its longest line."""
        return max((right - left for left, right in zip(self.lefts, self.rights, strict=True)), default=0.0)

    def span(self, top: float, bottom: float) -> tuple[float, float] | None:
        """The piece that is free over the whole band between two heights; None when there is none."""
        if top < self.top or bottom > self.bottom or self.height <= 0:
            return None
        scale = (len(self.lefts) - 1) / self.height
        first, last = (top - self.top) * scale, (bottom - self.top) * scale
        low, high = int(first), min(int(last) + 1, len(self.lefts) - 1)
        left = max(_at(self.lefts, first), _at(self.lefts, last), *self.lefts[low + 1 : high])
        right = min(_at(self.rights, first), _at(self.rights, last), *self.rights[low + 1 : high])
        return (left, right) if left < right else None

    def turned(self) -> Room:
        """The room for columns: x is where a column's characters go (down), y where the next column stands (left)."""
        if self.quarter is None:
            raise ValueError("a turned room is not turned again")
        return self.quarter


def _at(values: Sequence[float], place: float) -> float:
    low = min(max(int(place), 0), len(values) - 2)
    return values[low] + (values[low + 1] - values[low]) * (place - low)


def room_in(points: Sequence[Dot], padding: float, *, straight: bool = False) -> Room:
    """The room in a closed outline, everywhere at least ``padding`` away from it.

    Args:
        points: the outline about the centre of its box, in micrometres; curves in straight pieces.
        padding: least distance from it.
        straight: lines may be set flush against its sides.
    """
    whole = shapely.Polygon(points)
    if not whole.is_valid:
        whole = shapely.make_valid(whole)
    free = whole.buffer(-padding, join_style="mitre") if padding else whole
    pieces = [piece for piece in shapely.get_parts(free) if piece.geom_type == "Polygon"]
    inner = max(pieces, key=shapely.area, default=shapely.Polygon())
    turned = shapely.transform(inner, lambda at: np.column_stack((at[:, 1], -at[:, 0])))
    return _slices(inner, _slices(turned, None, straight=straight), straight=straight)


def _slices(inner: shapely.Polygon, quarter: Room | None, *, straight: bool) -> Room:
    if inner.is_empty:
        return Room(0.0, 0.0, (0.0, 0.0), (-1.0, -1.0), straight, quarter)
    left, top, right, bottom = inner.bounds
    heights = np.linspace(top, bottom, SLICES + 1)
    # The ends are looked at a hair inside, where a flat edge is as long as what lies next to it.
    near = np.clip(heights, top + (bottom - top) * 1e-6, bottom - (bottom - top) * 1e-6)
    ends = np.stack([np.column_stack((np.full_like(near, side), near)) for side in (left - 1, right + 1)], axis=1)
    parts, owner = shapely.get_parts(shapely.intersection(shapely.linestrings(ends), inner), return_index=True)
    edges = shapely.bounds(parts)
    lefts, rights = [0.0] * len(heights), [-1.0] * len(heights)
    for row, (begin, _, end, _) in zip(owner.tolist(), edges.tolist(), strict=True):
        if end - begin > rights[row] - lefts[row]:
            lefts[row], rights[row] = begin, end
    return Room(float(top), float(bottom), tuple(lefts), tuple(rights), straight, quarter)
