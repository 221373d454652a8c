"""A spread's gutter made wider or narrower, with everything on the right page moved along."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from operator import add

from lantern_kit.comic.edit.tree import box_of
from lantern_kit.comic.geometry import extent
from lantern_kit.comic.model import Balloon, Curve, Frame, Image, Node, Overlay, Point, Polygon, Rect, Shape, Unit


def widened(spread: Unit, gutter: int) -> Unit:
    """The spread with another gutter. What crosses the gutter is stretched by as much as the gutter grows."""
    left, right = spread.surfaces
    start, end, by = left.x + left.width, right.x, gutter - spread.gutter
    if by == 0:
        return spread

    def there(x: int) -> int:
        if x <= start:
            return x
        if x >= end:
            return x + by
        return start + (x - start) * gutter // (end - start)

    return spread.model_copy(
        update={
            "gutter": gutter,
            "surfaces": (left, right.model_copy(update={"x": right.x + by})),
            "objects": tuple(_carried(item, there, end, by) for item in spread.objects),
        }
    )


def _carried(item: Node, there: Callable[[int], int], end: int, by: int) -> Node:
    edges = _edges(item)
    if edges is not None and edges[0] >= end:
        there = partial(add, by)  # all of it lies on the right page, also when it starts right at the fold

    def point(at: Point) -> Point:
        return there(at[0]), at[1]

    if isinstance(item, Frame):
        return item.model_copy(update={"shape": _shape(item.shape, point)})
    box = box_of(item)
    if box is None:
        return item
    x = there(box.x)
    new = Rect(x=x, y=box.y, w=max(1, there(box.right) - x), h=box.h)
    if isinstance(item, Image | Overlay):
        return item.model_copy(update={"placement": item.placement.model_copy(update={"box": new})})
    if isinstance(item, Balloon):
        tails = tuple(tail.model_copy(update={"tip": point(tail.tip)}) for tail in item.tails)
        return item.model_copy(update={"box": new, "tails": tails})
    return item.model_copy(update={"box": new})


def _edges(item: Node) -> tuple[int, int] | None:
    """The left and right edge of an object with geometry of its own."""
    if isinstance(item, Frame):
        left, _, right, _ = extent(item.shape)
        return left, right
    box = box_of(item)
    return None if box is None else (box.x, box.right)


def _shape(shape: Shape, point: Callable[[Point], Point]) -> Shape:
    if isinstance(shape, Polygon):
        return Polygon(points=tuple(point(at) for at in shape.points))
    return Curve(start=point(shape.start), segments=tuple((point(a), point(b), point(c)) for a, b, c in shape.segments))
