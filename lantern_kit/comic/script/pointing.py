"""Where the tails of new balloons point: to where their speaker is known, or would stand in an empty panel."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from lantern_kit.comic.geometry import grown
from lantern_kit.comic.model import Direction, Point, Rect

LENGTH = 5_000
"""How far a tail reaches out towards a place that is only thought of, in micrometres."""
LEAST = 2_500
SHORT = 1_500
"""Where nothing else is free: a stub, which still says from where a voice comes."""
STUB = 1_000
"""As short as a tail out of a panel may be where no other edge is free."""
FAR = 15_000
"""A longer tail out of a panel is only drawn where there is no shorter one."""
WITHIN = 800
"""A tail that ends nearer to its panel's edge than this would seem to lead out of it."""
_CLEAR = 500
_STEPS = 8


def stance(area: Rect, number: int, count: int, direction: Direction) -> Point:
    """Where one of several speakers would stand in an empty panel: as they speak, from where reading begins."""
    share = (2 * number + 1) / (2 * count)
    share = 1 - share if direction is Direction.RTL else share
    return area.x + round(share * area.w), area.y + round(0.78 * area.h)


def towards(box: Rect, goal: Point, others: Sequence[Rect], area: Rect) -> Point | None:
    """The tip of a short tail from a balloon in the direction of a place, clear of other lettering; None for none."""
    x, y = goal
    middle = box.centre
    area = grown(area, -WITHIN)
    goals = [(x, max(y, box.bottom + LENGTH))]
    goals += [(box.x + round(share * box.w), box.bottom + LENGTH) for share in _by_nearness(box, x)]
    goals += [(box.x - LENGTH, middle[1]), (box.right + LENGTH, middle[1])]
    # The corners of its box are its own, whatever stands beside it.
    goals += [(side, bottom) for bottom in (box.bottom, box.y) for side in (box.x, box.right)]
    goals += [(box.x + round(share * box.w), box.y - LENGTH) for share in _by_nearness(box, x)]
    for length in (LENGTH, LEAST, SHORT):
        for at in goals:
            tip = _out(box, at, length)
            if _within(tip, area) and clear(box, tip, others):
                return tip
    return None


def reaching(box: Rect, goal: Point, others: Sequence[Rect]) -> Point | None:
    """A known place as a tip, when a tail to it runs over nothing and is long enough to be seen."""
    beyond = math.dist(goal, _out(box, goal, 0)) >= LEAST and not _within(goal, box)
    return goal if beyond and clear(box, goal, others) else None


def out_of(box: Rect, frame: Rect, others: Sequence[Rect], direction: Direction) -> Point | None:
    """The tip of a tail to the nearest edge of a panel, where a speaker who is not seen would be."""
    x, y = box.centre
    sides = [(frame.right, y), (frame.x, y)] if direction is not Direction.RTL else [(frame.x, y), (frame.right, y)]
    found = [*sides, (x, frame.bottom), (x, frame.y)]
    found.sort(key=lambda tip: round(math.dist(tip, _out(box, tip, 0)) / 1_000))
    free = [tip for tip in found if clear(box, tip, others)]
    for least, most in ((LEAST, FAR), (STUB, FAR), (LEAST, None)):
        for tip in free:
            length = math.dist(tip, _out(box, tip, 0))
            if length >= least and (most is None or length <= most):
                return tip
    return None


def clear(box: Rect, tip: Point, others: Iterable[Rect]) -> bool:
    """Whether the straight way from a box's middle to a tip meets none of others."""
    way = [_between(box.centre, tip, step / _STEPS) for step in range(1, _STEPS + 1)]
    return not any(
        other.x - _CLEAR < x < other.right + _CLEAR and other.y - _CLEAR < y < other.bottom + _CLEAR
        for other in others
        for x, y in way
    )


def along(box: Rect, tip: Point) -> list[Rect]:
    """What a tail takes of a page, as small boxes."""
    found = []
    for step in range(1, _STEPS + 1):
        x, y = _between(box.centre, tip, step / _STEPS)
        if not _within((x, y), box):
            found.append(Rect(x=x - _CLEAR, y=y - _CLEAR, w=2 * _CLEAR, h=2 * _CLEAR))
    return found


def _by_nearness(box: Rect, x: int) -> list[float]:
    return sorted((0.25, 0.5, 0.75), key=lambda share: abs(box.x + share * box.w - x))


def _out(box: Rect, goal: Point, length: int) -> Point:
    """The point so far outside of an ellipse in a box, on the way from its middle to a goal."""
    (cx, cy), (x, y) = box.centre, goal
    dx, dy = x - cx, y - cy
    far = math.hypot(dx, dy)
    if far == 0:
        return box.centre
    edge = 1 / math.hypot(2 * dx / (far * box.w), 2 * dy / (far * box.h))
    reach = edge + length
    return cx + round(dx / far * reach), cy + round(dy / far * reach)


def _within(at: Point, area: Rect) -> bool:
    return area.x <= at[0] <= area.right and area.y <= at[1] <= area.bottom


def _between(start: Point, end: Point, share: float) -> Point:
    return round(start[0] + share * (end[0] - start[0])), round(start[1] + share * (end[1] - start[1]))
