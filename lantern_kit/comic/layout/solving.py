"""Where the lines between frames go: by weights as near as may be, by minimum sizes and locks exactly.

What is wished for (the sizes of neighbours in proportion to their weights) is a least-squares problem with one answer;
what must hold is left to a constraint solver (Cassowary), which gives way to the wishes as little as it can.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lantern_kit.comic.layout.joints import Joints, Terms
from lantern_kit.comic.layout.keeping import size_of
from lantern_kit.comic.layout.moving import displaced, refuse_nothing
from lantern_kit.comic.layout.sides import sides_of
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Frame, Keep, Shape
from lantern_kit.kernel.errors import BadInput

FLOOR = 4_000
"""No frame is laid out narrower or lower than this, in micrometres."""
_TIE = 1e-3
_LOCK = 50.0
_UNIT = 100_000
"""Micrometres that are one to the solver: it takes what is under 1e-8 for nothing, so lengths have to be about one."""


@dataclass(frozen=True)
class Hold:
    """What a frame keeps, as it is to be."""

    keep: Keep
    width: int
    height: int


@dataclass(frozen=True)
class Wishes:
    """What is asked of a layout, by frame."""

    weights: Mapping[str, float]
    """Missing ones count 1."""
    holds: Mapping[str, Hold]
    least: Mapping[str, tuple[int, int]]
    """Least width and height."""


def settled(joints: Joints, wishes: Wishes) -> dict[str, Shape]:
    """New outlines of all frames: the lines between them moved, everything else as it is, gutters as wide as they are.

    Raises:
        BadInput: the minimum sizes and locks cannot all hold.
    """
    sizes = {name: joints.size(name) for name, frame in joints.frames.items() if sides_of(frame)}
    moves = [math.floor(move + 0.5 + 1e-6) for move in _solved(joints, sizes, wishes, _wished(joints, sizes, wishes))]
    found: dict[str, Shape] = {}
    for name, frame in joints.frames.items():
        ways = joints.ways(name, moves)
        if ways:
            made = displaced(frame, ways)
            refuse_nothing(frame, made)
            found[name] = made
        else:
            found[name] = frame.shape
    return found


def _wished(joints: Joints, sizes: Mapping[str, tuple[Terms, Terms]], wishes: Wishes) -> list[float]:
    """How far each line would go if only weights and locks counted."""
    import numpy as np

    rows: list[tuple[dict[int, float], float]] = []

    def proportion(one: Terms, share: float, other: Terms, other_share: float, strength: float) -> None:
        """Two lengths are to be as two shares."""
        scale = strength / (share + other_share)
        slopes: dict[int, float] = {}
        for terms, factor in ((one, other_share * scale), (other, -share * scale)):
            for joint, slope in terms[1].items():
                slopes[joint] = slopes.get(joint, 0.0) + slope * factor  # both may end on one line
        rows.append((slopes, (other[0] * share - one[0] * other_share) * scale))

    for pair in joints.pairs:
        axis = 0 if pair.one.upright else 1
        one, other = sizes[pair.one.frame][axis], sizes[pair.other.frame][axis]
        shares = [
            size_of(joints.frames[side.frame].shape)[axis] * wishes.weights.get(side.frame, 1.0)
            for side in (pair.one, pair.other)
        ]
        proportion(one, shares[0], other, shares[1], 1.0)
    for name, hold in wishes.holds.items():
        if name not in sizes:
            continue
        width, height = sizes[name]
        if hold.keep is Keep.RATIO:
            proportion(width, hold.width, height, hold.height, _LOCK)
        else:
            for terms, goal in ((width, hold.width), (height, hold.height)):
                slopes = {joint: slope * _LOCK for joint, slope in terms[1].items()}
                rows.append((slopes, (goal - terms[0]) * _LOCK))
    count = len(joints.all)
    matrix = np.zeros((len(rows) + count, count))
    goals = np.zeros(len(rows) + count)
    for number, (slopes, sum_of) in enumerate(rows):
        goals[number] = sum_of
        for joint, slope in slopes.items():
            matrix[number, joint] = slope
    matrix[len(rows) :] = np.eye(count) * _TIE
    return [float(value) for value in np.linalg.lstsq(matrix, goals, rcond=None)[0]]


def _solved(
    joints: Joints, sizes: Mapping[str, tuple[Terms, Terms]], wishes: Wishes, wished: Sequence[float]
) -> list[float]:
    """How far each line goes. Raises BadInput."""
    import kiwisolver as kiwi

    solver = kiwi.Solver()
    moves = [kiwi.Variable(f"line {number}") for number in range(len(joints.all))]

    def length(terms: Terms) -> kiwi.Expression:
        return kiwi.Expression([kiwi.Term(moves[joint], slope) for joint, slope in terms[1].items()], terms[0] / _UNIT)

    for name, both in sizes.items():
        was = size_of(joints.frames[name].shape)
        lengths = [side.length for side in sides_of(joints.frames[name])]
        try:
            for terms, now in zip((*both, *joints.spans(name)), (*was, *lengths), strict=True):
                if any(terms[1].values()):
                    solver.addConstraint((length(terms) >= min(FLOOR, now) / _UNIT) | "required")
                elif terms[0] < min(FLOOR, now):
                    raise _no_room(name)
        except kiwi.UnsatisfiableConstraint:
            raise _no_room(name) from None
        for terms, least in zip(both, wishes.least.get(name, (0, 0)), strict=True):
            if least and any(terms[1].values()):
                solver.addConstraint((length(terms) >= least / _UNIT) | "strong")
    for name, hold in wishes.holds.items():
        if name in sizes:
            _hold(solver, name, hold, *map(length, sizes[name]))
    for move, goal in zip(moves, wished, strict=True):
        solver.addConstraint((move == goal / _UNIT) | "weak")
    solver.updateVariables()
    return [move.value() * _UNIT for move in moves]


def _no_room(name: str) -> BadInput:
    return BadInput(
        f"there is no room for {name}: it would be narrower or lower than {spoken(FLOOR)} mm",
        expected="fewer frames, narrower gutters, or a larger page",
        ids=[name],
    )


def _hold(solver: object, name: str, hold: Hold, width: object, height: object) -> None:
    import kiwisolver as kiwi

    assert isinstance(solver, kiwi.Solver)  # noqa: S101 - its type is known only where it is made
    parts = (
        (width == height * (hold.width / hold.height),)  # type: ignore[operator]
        if hold.keep is Keep.RATIO
        else (width == hold.width / _UNIT, height == hold.height / _UNIT)
    )
    try:
        for part in parts:
            solver.addConstraint(part | "required")  # type: ignore[operator]
    except kiwi.UnsatisfiableConstraint:
        size = f"{spoken(hold.width)}×{spoken(hold.height)} mm"
        raise BadInput(
            f"there is no room for {name} to keep its {hold.keep} ({size}) beside what else must hold",
            expected="a layout in which its edges can move, or no lock on it",
            ids=[name],
            recovery='frame.set {"keep": null} lets it change.',
        ) from None


def holds_of(frames: Sequence[Frame]) -> dict[str, Hold]:
    """What frames keep, as they are."""
    return {frame.id: Hold(frame.keep, *size_of(frame.shape)) for frame in frames if frame.keep is not None}
