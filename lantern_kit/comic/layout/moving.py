"""A shared edge moved, with every frame that shares it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from lantern_kit.comic.geometry import doubled_area, is_simple
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.layout.keeping import hold, size_of
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Frame, Point, Polygon, Shape, Unit
from lantern_kit.kernel.errors import BadInput

SMALLEST = 1_000
"""No frame is made narrower or lower than this, in micrometres."""


def shifted(frame: Frame, sides: Iterable[Side], by: Point) -> Polygon:
    """A frame's outline with some of its sides shifted: their ends slide along the sides that stay.

    Raises:
        BadInput: nothing proper would be left of the frame.
    """
    made = displaced(frame, {side.places: by for side in sides})
    refuse_nothing(frame, made)
    return made


def displaced(frame: Frame, ways: Mapping[tuple[int, ...], Point]) -> Polygon:
    """A frame's outline with sides shifted each by a way of its own: every corner lies where its two lines then cross.

    Args:
        frame: with a straight outline.
        ways: right and down, by the ``places`` of sides; those not named stay on their lines.
    """
    shape = frame.shape
    assert isinstance(shape, Polygon)  # noqa: S101 - only those have straight sides
    points = list(shape.points)
    sides = sides_of(frame)
    for number, side in enumerate(sides):
        before, way = sides[number - 1], ways.get(side.places, (0, 0))
        for place in side.places[1:-1]:
            points[place] = points[place][0] + way[0], points[place][1] + way[1]
        points[side.places[0]] = _crossed(before, ways.get(before.places, (0, 0)), side, way)
    return Polygon(points=tuple(points))


def _crossed(one: Side, by: Point, other: Side, and_by: Point) -> Point:
    """Where the lines of two sides that meet cross when each is shifted."""
    (ax, ay), (bx, by_) = one.way, other.way
    x, y = other.start
    over = ax * by_ - ay * bx
    first, second = ax * by[1] - ay * by[0], bx * and_by[1] - by_ * and_by[0]
    return x + _rounded(bx * first - ax * second, over), y + _rounded(by_ * first - ay * second, over)


def _rounded(numerator: int, denominator: int) -> int:
    """The quotient as a whole number, halves away from zero, so that there and back are alike."""
    sign = -1 if (numerator < 0) is not (denominator < 0) else 1
    numerator, denominator = abs(numerator), abs(denominator)
    return sign * ((2 * numerator + denominator) // (2 * denominator))


def refuse_nothing(frame: Frame, shape: Polygon) -> None:
    """Refuse an outline by which a frame's side turns round or hardly anything is left of it. Raises BadInput."""
    was = frame.shape
    assert isinstance(was, Polygon)  # noqa: S101 - a straight outline stays one
    count = len(was.points)
    ways = [
        (b[0] - a[0]) * (d[0] - c[0]) + (b[1] - a[1]) * (d[1] - c[1])
        for i in range(count)
        for a, b, c, d in [(was.points[i - 1], was.points[i], shape.points[i - 1], shape.points[i])]
    ]
    turned = (doubled_area(was.points) > 0) is not (doubled_area(shape.points) > 0)
    if min(ways) <= 0 or turned or min(size_of(shape)) < SMALLEST or not is_simple(shape):
        raise BadInput(
            f"{frame.id} would have nothing left, or be narrower than {spoken(SMALLEST)} mm",
            expected="a shorter way",
            ids=[frame.id],
        )


def moved(unit: Unit, sides: Iterable[Side], by: Point) -> dict[str, Shape]:
    """The new outlines of all frames of which some sides are shifted.

    Args:
        unit: where they are.
        sides: those of ``edges.sharing``.
        by: right and down.

    Raises:
        BadInput: a frame would have nothing left, would change what it keeps, or come to lie on a frame it does not
            lie on now.
    """
    mine: dict[str, list[Side]] = {}
    for side in sides:
        mine.setdefault(side.frame, []).append(side)
    found: dict[str, Shape] = {}
    for name, some in mine.items():
        frame = unit.index[name]
        shape = shifted(frame, some, by)
        hold(frame, shape)
        found[name] = shape
    refuse_overlap(unit, found)
    return found


def refuse_overlap(unit: Unit, shapes: Mapping[str, Shape]) -> None:
    """Refuse new outlines by which frames that lie apart would lie on each other. Raises BadInput."""
    frames = frames_of(unit)
    for place, one in enumerate(frames):
        for other in frames[place + 1 :]:
            if one.id not in shapes and other.id not in shapes:
                continue
            new = overlapping(shapes.get(one.id, one.shape), shapes.get(other.id, other.shape))
            if new and not overlapping(one.shape, other.shape):
                raise BadInput(
                    f"{one.id} and {other.id} would lie on each other",
                    expected="a shorter way, or one frame after the other",
                    ids=[one.id, other.id],
                )
