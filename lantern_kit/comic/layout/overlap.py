"""Whether shapes lie on each other."""

from __future__ import annotations

from lantern_kit.comic.geometry import bounds, outline_points, rect_of
from lantern_kit.comic.model import Shape

_SLIVER = 2_000_000
"""Square micrometres that rounding may leave of two slanted shapes that only touch."""


def overlapping(one: Shape, other: Shape) -> bool:
    """Whether the insides of two shapes have more than a sliver in common."""
    a, b = bounds(one), bounds(other)
    if a.right <= b.x or b.right <= a.x or a.bottom <= b.y or b.bottom <= a.y:
        return False
    if rect_of(one) is not None and rect_of(other) is not None:
        return True
    from shapely import Polygon

    first, second = (Polygon(outline_points(shape)).buffer(0) for shape in (one, other))
    return bool(first.intersection(second).area > _SLIVER)
