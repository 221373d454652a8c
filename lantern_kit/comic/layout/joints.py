"""Lines that frames hang on: their shared edges, rows in one line, and how corners follow when the lines move."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lantern_kit.comic.layout.edges import Pair, in_line, pairs_of
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.model import Edge, Frame, Point, Polygon

Terms = tuple[float, Mapping[int, float]]
"""A length that depends on lines: what it is now, and by how much it grows when a line moves by one."""
Gaps = tuple[int | None, int | None]
"""Widths of gutters across and down; None leaves each as wide as it is."""
_FORWARD = frozenset({Edge.RIGHT, Edge.BOTTOM})


@dataclass(frozen=True)
class Joint:
    """Sides that move as one."""

    sides: tuple[Side, ...]
    upright: bool
    """It moves to the right; else down."""

    def way(self, by: int) -> Point:
        """Right and down, when it moves."""
        return (by, 0) if self.upright else (0, by)


class Joints:
    """All lines of some frames, in a fixed order.

    Args:
        frames: in reading order; insets and curved ones hang on nothing.
        fold: of a spread (``edges.fold_of``).
        fixed: how far sides that share nothing move, right or down as they are upright or level.
        gaps: widths that all gutters get.
    """

    def __init__(
        self,
        frames: Sequence[Frame],
        fold: tuple[int, int] | None = None,
        *,
        fixed: Callable[[Side], int] | None = None,
        gaps: Gaps = (None, None),
    ) -> None:
        self.frames = {frame.id: frame for frame in frames}
        self.pairs = pairs_of(frames, fold)
        self.all = _grouped(self.pairs)
        self._of = {side: number for number, joint in enumerate(self.all) for side in joint.sides}
        self._own: dict[Side, int] = {}
        self._own.update(self._regapped(gaps))
        if fixed is not None:
            sides = [side for frame in frames for side in sides_of(frame) if side not in self._of]
            self._own.update({side: by for side in sides if (by := fixed(side))})

    def size(self, frame: str) -> tuple[Terms, Terms]:
        """Width and height of a frame's bounds, as they depend on the lines."""
        corners, starts = self._corners(self.frames[frame]), [side.start for side in sides_of(self.frames[frame])]
        found = []
        for axis in (0, 1):
            low, high = (
                corners[pick(range(len(starts)), key=lambda place: starts[place][axis])][axis] for pick in (min, max)
            )
            names = {*low[1], *high[1]}
            slopes = {name: high[1].get(name, 0.0) - low[1].get(name, 0.0) for name in sorted(names)}
            found.append((high[0] - low[0], slopes))
        return found[0], found[1]

    def spans(self, frame: str) -> list[Terms]:
        """Lengths of a frame's sides along themselves, as they depend on the lines: they never fall below zero."""
        held = self.frames[frame]
        corners = self._corners(held)
        found: list[Terms] = []
        for number, side in enumerate(sides_of(held)):
            start, end = corners[number], corners[(number + 1) % len(corners)]
            slopes: dict[int, float] = {}
            for axis in (0, 1):
                share = side.way[axis] / side.length
                for corner, sign in ((end, share), (start, -share)):
                    for joint, slope in corner[axis][1].items():
                        slopes[joint] = slopes.get(joint, 0.0) + slope * sign
            now = sum((end[axis][0] - start[axis][0]) * side.way[axis] / side.length for axis in (0, 1))
            found.append((now, slopes))
        return found

    def ways(self, frame: str, moves: Sequence[int]) -> dict[tuple[int, ...], Point]:
        """How the sides of a frame move when the lines do, as ``moving.displaced`` takes it."""
        found = {}
        for side in sides_of(self.frames[frame]):
            by, joint = self._own.get(side, 0), self._of.get(side)
            upright = side.upright if joint is None else self.all[joint].upright
            by += 0 if joint is None else moves[joint]
            if by:
                found[side.places] = (by, 0) if upright else (0, by)
        return found

    def _regapped(self, gaps: Gaps) -> dict[Side, int]:
        """How far sides move so that gutters get these widths, about the same middles."""
        found: dict[Side, int] = {}
        width = {side: pair.gutter for pair in self.pairs for side in (pair.one, pair.other)}
        for joint in self.all:
            gap = gaps[0] if joint.upright else gaps[1]
            if gap is None:
                continue
            axis = 0 if joint.upright else 1
            ends = [side.middle for side in joint.sides if side.edge in _FORWARD]
            starts = [side.middle for side in joint.sides if side.edge not in _FORWARD]
            middle = (max(ends) + min(starts)) // 2
            straight = all(side.start[axis] == side.end[axis] for side in joint.sides)
            for side in joint.sides:
                forward = side.edge in _FORWARD
                if straight:
                    found[side] = (middle - gap // 2 if forward else middle + gap - gap // 2) - side.middle
                else:
                    more = round((gap - width[side]) / 2 * side.length / abs(side.way[1 - axis]))
                    found[side] = -more if forward else more
        return found

    def _corners(self, frame: Frame) -> list[tuple[Terms, Terms]]:
        if not isinstance(frame.shape, Polygon):
            return []
        sides = sides_of(frame)
        found: list[tuple[Terms, Terms]] = []
        for number, side in enumerate(sides):
            before = sides[number - 1]
            (ax, ay), (bx, by) = before.way, side.way
            over = ax * by - ay * bx
            slopes: tuple[dict[int, float], dict[int, float]] = ({}, {})
            at = [float(side.start[0]), float(side.start[1])]
            for one, along in ((before, (bx, by)), (side, (-ax, -ay))):
                joint = self._of.get(one)
                right, down = (one.upright, not one.upright) if joint is None else self.all[joint].way(1)
                reach = one.way[0] * down - one.way[1] * right
                for axis in (0, 1):
                    slope = along[axis] * reach / over
                    at[axis] += slope * self._own.get(one, 0)
                    if joint is not None:
                        slopes[axis][joint] = slopes[axis].get(joint, 0.0) + slope
            found.append(((at[0], slopes[0]), (at[1], slopes[1])))
        return found


def _grouped(pairs: Sequence[Pair]) -> tuple[Joint, ...]:
    """Sides that face each other, together; level ones in one line too, so that rows stay rows."""
    sides = list(dict.fromkeys(side for pair in pairs for side in (pair.one, pair.other)))
    leader = dict(zip(sides, sides, strict=True))

    def head(side: Side) -> Side:
        while leader[side] != side:
            side = leader[side]
        return side

    for pair in pairs:
        leader[head(pair.other)] = head(pair.one)
    for place, one in enumerate(sides):
        for other in sides[place + 1 :]:
            if not one.upright and one.edge is other.edge and in_line(one, other):
                leader[head(other)] = head(one)
    groups: dict[Side, list[Side]] = {}
    for side in sides:
        groups.setdefault(head(side), []).append(side)
    return tuple(Joint(tuple(group), group[0].upright) for group in groups.values())
