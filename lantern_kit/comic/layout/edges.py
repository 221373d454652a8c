"""Edges that frames share: sides that face each other over a gutter, and all that hang together through them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from lantern_kit.comic.geometry import extent
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Edge, Frame, Unit
from lantern_kit.kernel.errors import BadInput

WIDEST = 12_000
"""Sides further apart than this, in micrometres, share no edge."""
SKEW = 250
"""How much wider a gutter may be at one end than at the other."""
LEAST = 500
"""Sides that lie beside each other for no more than this only meet at a corner."""


@dataclass(frozen=True, slots=True)
class Pair:
    """Two sides that face each other."""

    one: Side
    other: Side
    gutter: int
    """Width between them in micrometres, rounded."""


def frames_of(unit: Unit) -> tuple[Frame, ...]:
    """The frames of a unit in reading order."""
    return tuple(unit.index[name] for name in unit.reading if unit.index[name].kind == "frame")


def pairs(unit: Unit) -> tuple[Pair, ...]:
    """All shared edges of a unit's frames, two sides each.

    Sides face each other when they are straight, run side by side for a while with no more than ``WIDEST`` between
    them, and no third frame stands in that gutter. Frames that lie on other frames (insets) share no edge, nor do
    frames on either page of a spread across its gutter.
    """
    return pairs_of(frames_of(unit), fold_of(unit))


def fold_of(unit: Unit) -> tuple[int, int] | None:
    """Where the left page of a spread ends and the right one starts; None on other units."""
    return None if len(unit.surfaces) == 1 else (unit.surfaces[0].width, unit.surfaces[1].x)


def pairs_of(frames: Sequence[Frame], fold: tuple[int, int] | None = None) -> tuple[Pair, ...]:
    """As ``pairs``, of some frames."""
    inset = insets(frames)
    sides = [side for frame in frames if frame.id not in inset for side in sides_of(frame)]
    # From left to right, only sides whose widths come within reach of each other are compared.
    order = sorted(range(len(sides)), key=lambda place: min(sides[place].start[0], sides[place].end[0]))
    found: dict[tuple[int, int], Pair] = {}
    near: list[tuple[int, int]] = []
    for place in order:
        left, right = sorted((sides[place].start[0], sides[place].end[0]))
        near = [item for item in near if item[0] >= left - WIDEST]
        for _, before in near:
            first, second = sorted((before, place))
            one, other = sides[first], sides[second]
            if one.frame != other.frame and _level_with(one, other):
                between = _between(one, other)
                if between is not None and not (fold and _over(fold, one, other)):
                    found[first, second] = Pair(one, other, between)
        near.append((right, place))
    held: dict[Side, list[Pair]] = {}
    for pair in found.values():
        held.setdefault(pair.one, []).append(pair)
        held.setdefault(pair.other, []).append(pair)
    kept = (found[key] for key in sorted(found))
    return tuple(pair for pair in kept if not _behind(pair, (*held[pair.one], *held[pair.other])))


def _level_with(one: Side, other: Side) -> bool:
    """Whether two sides come within reach of each other in height."""
    low, high = sorted((one.start[1], one.end[1]))
    top, bottom = sorted((other.start[1], other.end[1]))
    return top <= high + WIDEST and low <= bottom + WIDEST


def sharing(unit: Unit, side: Side, *, line: bool = False) -> tuple[Side, ...]:
    """A side with all that move along with it: what faces it, what faces those, and so on.

    Args:
        unit: where it is.
        side: of one of its frames.
        line: also the edges in one line with it, as those of the other columns of a row.
    """
    joints: dict[Side, set[Side]] = {}
    for pair in pairs(unit):
        joints.setdefault(pair.one, set()).add(pair.other)
        joints.setdefault(pair.other, set()).add(pair.one)
    if line:
        known = [*joints, *(() if side in joints else (side,))]
        for one in known:
            for other in known:
                if one != other and one.edge is other.edge and in_line(one, other):
                    joints.setdefault(one, set()).add(other)
    return _closed(side, joints)


def in_line(one: Side, other: Side) -> bool:
    """Whether two sides lie on one straight line."""
    long, short = (one, other) if one.length >= other.length else (other, one)
    return abs(long.out(short.start)) <= SKEW and abs(long.out(short.end)) <= SKEW


def side_named(frame: Frame, edge: Edge | None, index: int | None) -> Side:
    """The side of a frame that a caller means: the left, right, top or bottom one, or the one at a corner's number.

    Raises:
        BadInput: there is none, or several lie on that edge.
    """
    sides = sides_of(frame)
    if not sides:
        raise BadInput(
            "a frame with a curved outline has no straight edge",
            expected="a frame with straight sides; frame.reshape redraws this one",
            ids=[frame.id],
        )
    fitting = [side for side in sides if (side.edge is edge if index is None else side.index == index)]
    if len(fitting) == 1:
        return fitting[0]
    told = [f"{side.index}: {side.edge.value} {_dots(side)}" for side in (fitting or sides)]
    if index is not None:
        raise BadInput(f"this frame has no side {index}", expected=told, ids=[frame.id])
    what = "several sides" if fitting else "no side"
    raise BadInput(f"this frame has {what} at its {edge}", expected=["index, one of", *told], ids=[frame.id])


def _dots(side: Side) -> str:
    return " to ".join(f"{spoken(x)},{spoken(y)}" for x, y in (side.start, side.end))


def insets(frames: Iterable[Frame]) -> set[str]:
    """Frames that lie inside the bounds of another."""
    boxes: Mapping[str, tuple[int, int, int, int]] = {frame.id: extent(frame.shape) for frame in frames}
    return {
        name
        for name, (left, top, right, bottom) in boxes.items()
        for other, (x, y, to_x, to_y) in boxes.items()
        if name != other
        and left >= x
        and top >= y
        and right <= to_x
        and bottom <= to_y
        and (left, top, right, bottom) != (x, y, to_x, to_y)
        and _laid_on(frames, name, other)
    }


def _laid_on(frames: Iterable[Frame], name: str, other: str) -> bool:
    """Whether a frame inside another's bounds really lies on it, and not beside it, as in the notch of an L."""
    shapes = {frame.id: frame.shape for frame in frames}
    return overlapping(shapes[name], shapes[other])


def _between(one: Side, other: Side) -> int | None:
    """The gutter between two sides that face each other; None where they do not."""
    dx, dy = one.end[0] - one.start[0], one.end[1] - one.start[1]
    ex, ey = other.end[0] - other.start[0], other.end[1] - other.start[1]
    if abs(dx * ey - dy * ex) * 40 > -(dx * ex + dy * ey):
        return None  # not within a degree and a half of running against each other
    long, short = (one, other) if one.length >= other.length else (other, one)
    near, far = long.out(short.start), long.out(short.end)
    if min(near, far) < -1 or max(near, far) > WIDEST or abs(near - far) > SKEW:
        return None
    low, high = long.along(short.end), long.along(short.start)  # facing sides run against each other
    if min(high, long.length) - max(low, 0) <= LEAST:
        return None
    return round((near + far) / 2)


def _over(fold: tuple[int, int], one: Side, other: Side) -> bool:
    """Whether the fold of a spread runs between two sides."""
    lows = [min(side.start[0], side.end[0]) for side in (one, other)]
    highs = [max(side.start[0], side.end[0]) for side in (one, other)]
    return min(highs) <= fold[0] and max(lows) >= fold[1]


def _behind(pair: Pair, found: Iterable[Pair]) -> bool:
    """Whether a third frame stands between the sides of a pair."""
    for near in found:
        if near is pair or near.gutter >= pair.gutter:
            continue
        for mine, its in ((pair.one, pair.other), (pair.other, pair.one)):
            third = near.other if near.one == mine else near.one if near.other == mine else None
            if third is not None and third.frame != its.frame and _covered(mine, its, third):
                return True
    return False


def _covered(base: Side, far: Side, near: Side) -> bool:
    """Whether two sides that face a third one are seen from it one behind the other."""
    spans = [sorted((base.along(side.start), base.along(side.end))) for side in (far, near)]
    low = max(0.0, *(span[0] for span in spans))
    high = min(base.length, *(span[1] for span in spans))
    return high - low > LEAST


def _closed(start: Side, joints: Mapping[Side, set[Side]]) -> tuple[Side, ...]:
    found = {start}
    waiting = [start]
    while waiting:
        for other in joints.get(waiting.pop(), ()):
            if other not in found:
                found.add(other)
                waiting.append(other)
    return tuple(sorted(found, key=lambda side: (side != start, side.frame, side.places)))
