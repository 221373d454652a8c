"""Straight sides of a frame's outline."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lantern_kit.comic.geometry import doubled_area, turn
from lantern_kit.comic.model import Edge, Frame, Point, Polygon


@dataclass(frozen=True, slots=True)
class Side:
    """One straight side: corners between its ends that lie on it belong to it."""

    frame: str
    places: tuple[int, ...]
    """Places of its corners in the outline, from its start to its end, clockwise on the page."""
    start: Point
    end: Point

    @property
    def index(self) -> int:
        """What callers call it: the number of its first corner, from 1."""
        return self.places[0] + 1

    @property
    def way(self) -> Point:
        """From its start to its end."""
        return self.end[0] - self.start[0], self.end[1] - self.start[1]

    @property
    def length(self) -> float:
        """Micrometres."""
        return math.dist(self.start, self.end)

    @property
    def upright(self) -> bool:
        """Whether it runs more up and down than across."""
        return abs(self.end[1] - self.start[1]) > abs(self.end[0] - self.start[0])

    @property
    def edge(self) -> Edge:
        """The edge of the frame that it is, roughly: its outer side lies there."""
        if self.upright:
            return Edge.RIGHT if self.end[1] > self.start[1] else Edge.LEFT
        return Edge.TOP if self.end[0] > self.start[0] else Edge.BOTTOM

    @property
    def middle(self) -> int:
        """Where it is: x of an upright one's middle, y of a level one's; rounded down."""
        axis = 0 if self.upright else 1
        return (self.start[axis] + self.end[axis]) // 2

    def out(self, point: Point) -> float:
        """How far a point lies outside of the side's line, in micrometres; negative towards the frame."""
        return -turn(self.start, self.end, point) / self.length

    def along(self, point: Point) -> float:
        """How far along the side a point lies from its start."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        return ((point[0] - self.start[0]) * dx + (point[1] - self.start[1]) * dy) / self.length


def sides_of(frame: Frame) -> tuple[Side, ...]:
    """The straight sides of a frame, clockwise on the page; a curved outline has none."""
    if not isinstance(frame.shape, Polygon):
        return ()
    points = frame.shape.points
    order = list(range(len(points)))
    if doubled_area(points) < 0:
        order.reverse()
    corners = [
        i
        for i, place in enumerate(order)
        if turn(points[order[i - 1]], points[place], points[order[(i + 1) % len(order)]]) != 0
    ]
    found = []
    for number, at in enumerate(corners):
        until = corners[(number + 1) % len(corners)]
        run = [order[at]]
        while at != until:
            at = (at + 1) % len(order)
            run.append(order[at])
        found.append(Side(frame.id, tuple(run), points[run[0]], points[run[-1]]))
    return tuple(found)
