"""Places for new lettering in a panel: in the order of reading, over nothing else, the art left free below."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from lantern_kit.comic.model import Direction, Rect

GAP = 1_200
"""Least way between two pieces of lettering, in micrometres."""
NEAR = 10
"""So many of the things in the way are gone round; more are rare, and only kept clear of."""
_SHARED = 0.3
_LOWER = 0.25


class Wish(NamedTuple):
    """Where a thing would best stand."""

    side: float
    """From 0 at the side where reading begins to 1 at the other."""
    depth: float
    """From 0 at the top to 1 at the bottom."""
    along: float
    """What a way to the side costs, over one down."""
    ordered: bool = True
    """It is read in its place among the others; a sound is not."""


SPOKEN = 0.45
CAPTION = Wish(0.0, 0.0, SPOKEN)
CLOSING = Wish(1.0, 1.0, SPOKEN)
"""A caption after all that is said."""
SOUND = Wish(0.6, 0.6, 0.5, ordered=False)
TITLE = Wish(0.5, 0.0, 0.6)
COVER = Wish(0.5, 0.94, 0.6, ordered=False)
"""A caption on a page without panels."""


class Room(NamedTuple):
    """A panel's room for lettering."""

    area: Rect
    inside: Callable[[Rect], bool]
    """Whether a box lies in the panel's outline."""
    direction: Direction

    def narrowed(self, by: int) -> Room:
        """The room with less of it at both sides; as it is where that would leave too little."""
        area = self.area
        if area.w < 6 * by:
            return self
        return self._replace(area=Rect(x=area.x + by, y=area.y, w=area.w - 2 * by, h=area.h))


def place(
    room: Room,
    sizes: Sequence[tuple[int, int]],
    wish: Wish,
    taken: Sequence[Rect],
    before: Sequence[Rect] = (),
    after: Sequence[Rect] = (),
) -> Rect | None:
    """The best free place of one of some sizes; None where there is none.

    Args:
        room: the panel's.
        sizes: widths and heights, the best first.
        wish: where it would best stand.
        taken: what it must not lie on.
        before, after: what is read earlier and later in the same panel.
    """
    for wide, high in sizes:
        spots = sorted(_spots(room, wide, high, wish, taken), key=lambda spot: spot[0])
        for _, x, y in spots:
            box = Rect(x=x, y=y, w=wide, h=high)
            if (
                _free(box, taken)
                and room.inside(box)
                and (not wish.ordered or in_order(box, before, after, room.direction))
            ):
                return box
    return None


def _spots(room: Room, wide: int, high: int, wish: Wish, taken: Sequence[Rect]) -> Iterable[tuple[float, int, int]]:
    area = room.area
    if wide > area.w or high > area.h:
        return []
    start = wish.side if room.direction is not Direction.RTL else 1 - wish.side
    best_x, best_y = area.x + round(start * (area.w - wide)), area.y + round(wish.depth * (area.h - high))
    near = taken[-NEAR:]
    xs = {area.x, area.right - wide, area.x + (area.w - wide) // 2, best_x}
    ys = {area.y, area.bottom - high, best_y}
    for box in near:
        xs |= {box.right + GAP, box.x - wide - GAP, box.x, box.right - wide}
        ys |= {box.bottom + GAP, box.y - high - GAP, box.y, box.y + box.h // 4}
    xs = {x for x in xs if area.x <= x <= area.right - wide}
    ys = {y for y in ys if area.y <= y <= area.bottom - high}
    return [(abs(y - best_y) + wish.along * abs(x - best_x), x, y) for x in xs for y in ys]


def _free(box: Rect, taken: Iterable[Rect]) -> bool:
    return not any(
        box.x < other.right + GAP
        and other.x < box.right + GAP
        and box.y < other.bottom + GAP
        and other.y < box.bottom + GAP
        for other in taken
    )


def in_order(box: Rect, before: Iterable[Rect], after: Iterable[Rect], direction: Direction) -> bool:
    """Whether the eye comes to a box after some and before others."""
    return all(follows(box, other, direction) for other in before) and all(
        follows(other, box, direction) for other in after
    )


def follows(box: Rect, earlier: Rect, direction: Direction) -> bool:
    """Whether the eye comes to a box after an earlier one: it is no higher, and beside it on the side of reading."""
    if box.y < earlier.y - _LOWER * earlier.h or box.bottom <= earlier.y:
        return False
    shared = min(box.bottom, earlier.bottom) - max(box.y, earlier.y)
    if shared < _SHARED * min(box.h, earlier.h):
        return True
    return box.x >= earlier.right if direction is not Direction.RTL else box.right <= earlier.x
