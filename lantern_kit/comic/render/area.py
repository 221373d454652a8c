"""Upright areas of a picture, of whole pixels."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lantern_kit.comic.geometry import Edges

Area = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom lie just outside."""


def covered(edges: Edges, spare: float = 0.0) -> Area:
    """The smallest area in which edges lie, with some pixels round them."""
    left, top, right, bottom = edges
    return math.floor(left - spare), math.floor(top - spare), math.ceil(right + spare), math.ceil(bottom + spare)


def within(area: Area, width: int, height: int) -> Area | None:
    """What of an area lies in a picture of that size; None when nothing does."""
    left, top, right, bottom = max(0, area[0]), max(0, area[1]), min(width, area[2]), min(height, area[3])
    return (left, top, right, bottom) if left < right and top < bottom else None


def apart(areas: Iterable[Area]) -> list[Area]:
    """Areas that cover all of the given ones, none of which meets another: those that meet become one."""
    found: list[Area] = []
    for area in areas:
        grown = area
        while True:
            touching = [other for other in found if meet(grown, other)]
            if not touching:
                break
            found = [other for other in found if other not in touching]
            grown = around([grown, *touching])
        found.append(grown)
    return found


def closed(areas: Iterable[Area], things: Sequence[Area]) -> list[Area]:
    """The areas, apart and grown until each of the things lies wholly inside one of them or wholly beside them all."""
    found = apart(areas)
    while True:
        grown = [around([area, *(thing for thing in things if meet(area, thing))]) for area in found]
        if grown == found:
            return found
        found = apart(grown)


def meet(one: Area, other: Area) -> bool:
    """Whether two areas have a pixel in common."""
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def around(areas: Sequence[Area]) -> Area:
    """The smallest area that holds all of them."""
    lefts, tops, rights, bottoms = zip(*areas, strict=True)
    return min(lefts), min(tops), max(rights), max(bottoms)
