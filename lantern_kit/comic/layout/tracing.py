"""A unit's layout taken as a template, so that it can be kept and laid on other units."""

from __future__ import annotations

import re
from collections.abc import Sequence
from statistics import median_low
from typing import Literal

from pydantic import ValidationError

from lantern_kit.comic.geometry import doubled_area, is_simple, safe_areas
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.layout.moving import displaced
from lantern_kit.comic.layout.overlap import overlapping
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.layout.template import (
    MOST_SLOTS,
    Place,
    Slot,
    Template,
    fit,
    grown_area,
    half_gutter,
    mirrored,
)
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import MILLION, Direction, Edge, Frame, Paper, Point, Polygon, Rect, Unit
from lantern_kit.kernel.errors import BadInput

TOLERANCE = 20
"""Micrometres by which corners may be elsewhere when a template is laid on the very unit it was taken from."""
_USUAL = Template.model_fields["gutter"].default
_Page = Literal["first", "second", "both"]
_FORWARD = frozenset({Edge.RIGHT, Edge.BOTTOM})


def traced(unit: Unit, paper: Paper, direction: Direction, *, title: str) -> Template:
    """The layout of a unit's frames: their outlines, reading order, bleeds, insets, and the gutter that is usual there.

    Laid on an empty unit of the same paper, it gives the same frames, each corner within ``TOLERANCE``; bleeding sides
    that ran past the trim end on it. On other paper outer edges keep their place in the live area, or their share of
    the margin, and gutters their width.

    Args:
        unit: with straight frames.
        paper, direction: of its chapter.
        title: what the template is called.

    Raises:
        BadInput: there are no frames, too many, or such as a template cannot hold; ``ids`` names them.
    """
    frames = frames_of(unit)
    if not 0 < len(frames) <= MOST_SLOTS:
        raise BadInput(
            "a layout has frames", expected=f"a unit with 1 to {MOST_SLOTS} frames", found=len(frames), ids=[unit.id]
        )
    curved = [frame.id for frame in frames if not isinstance(frame.shape, Polygon)]
    if curved:
        raise BadInput("curved frames cannot be kept in a layout", expected="frames with straight sides", ids=curved)
    gutters, over = _gutters(unit), _over(unit)
    slots = tuple(_slot(frame, unit, paper, direction, gutters, over=frame.id in over) for frame in frames)
    made = Template(
        name=re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")[:40].strip("-") or "kept",
        title=title,
        sheet="page" if len(unit.surfaces) == 1 else "spread",
        gutter=gutters,
        slots=slots,
    )
    try:
        places = fit(made, unit, paper, direction)
    except BadInput as error:  # its gutters would leave nothing of a slot
        raise _odd([frames[error.details["slot"] - 1].id]) from None
    _require_same(frames, places, unit)
    return made


def _gutters(unit: Unit) -> tuple[int, int]:
    """The gutter that most frames have beside them, and above them; the usual one where there is none."""
    found: tuple[list[int], list[int]] = ([], [])
    for pair in pairs(unit):
        found[0 if pair.one.upright else 1].append(max(0, pair.gutter))
    across, down = (median_low(widths) if widths else usual for widths, usual in zip(found, _USUAL, strict=True))
    return across, down


def _over(unit: Unit) -> set[str]:
    """Frames that lie on others."""
    drawn = [item for item in unit.objects if isinstance(item, Frame)]
    return {
        frame.id
        for place, frame in enumerate(drawn)
        if any(overlapping(frame.shape, below.shape) for below in drawn[:place])
    }


def _slot(
    frame: Frame, unit: Unit, paper: Paper, direction: Direction, gutters: tuple[int, int], *, over: bool
) -> Slot:
    """Where a frame is in shares of its area, half a gutter wider at each side. Raises BadInput."""
    page, area = _area(frame, unit, paper, direction)
    wide, high = (0, 0) if over else gutters
    limits = grown_area(area, (wide, high))
    ways = {side.places: _way(side, frame, limits, unit, (wide, high)) for side in sides_of(frame)}
    shape = displaced(frame, ways)
    points = _clockwise(shape.points)
    if not is_simple(shape) or (doubled_area(shape.points) > 0) is not (doubled_area(_points(frame)) > 0):
        raise _odd([frame.id])
    shares = tuple((_share(x, limits[0], limits[2]), _share(y, limits[1], limits[3])) for x, y in points)
    try:
        made = Slot(points=shares, bleed=frame.bleed, over=over, page=page)
    except ValidationError:
        raise _odd([frame.id]) from None
    return mirrored(made) if direction is Direction.RTL else made


def _area(frame: Frame, unit: Unit, paper: Paper, direction: Direction) -> tuple[_Page, Rect]:
    """The page of a spread that a frame lies on, and the live area it is measured by."""
    safes = safe_areas(unit, paper)
    if len(safes) == 1:
        return "both", safes[0]
    low, high = min(x for x, _ in _points(frame)), max(x for x, _ in _points(frame))
    left, right = unit.surfaces
    if high <= left.x + left.width:
        return ("second" if direction is Direction.RTL else "first"), safes[0]
    if low >= right.x:
        return ("first" if direction is Direction.RTL else "second"), safes[1]
    first, last = safes
    return "both", Rect(x=first.x, y=first.y, w=last.right - first.x, h=first.h)


def _way(side: Side, frame: Frame, limits: tuple[int, int, int, int], unit: Unit, gutters: tuple[int, int]) -> Point:
    """How a side moves out by half a gutter; one that bleeds, to where its area ends."""
    axis, forward = (0 if side.upright else 1), side.edge in _FORWARD
    at, end = side.start[axis], (unit.width, unit.height)[axis]
    if side.edge in frame.bleed and at == side.end[axis] and (at >= end if forward else at <= 0):
        by = limits[axis + 2 * forward] - at
    else:
        half = half_gutter(side, gutters[axis])
        by = half if forward else -half
    return (by, 0) if side.upright else (0, by)


def _share(at: int, low: int, high: int) -> int:
    return round((at - low) * MILLION / (high - low))


def _points(frame: Frame) -> tuple[Point, ...]:
    assert isinstance(frame.shape, Polygon)  # noqa: S101 - curved ones were refused
    return frame.shape.points


def _clockwise(points: tuple[Point, ...]) -> tuple[Point, ...]:
    return points if doubled_area(points) > 0 else points[::-1]


def _require_same(frames: Sequence[Frame], places: Sequence[Place], unit: Unit) -> None:
    """Refuse a layout that would not come back as it is. Raises BadInput."""
    odd = []
    for frame, place in zip(frames, places, strict=True):
        assert isinstance(place.shape, Polygon)  # noqa: S101 - slots have straight sides
        pairs_of_corners = zip(_clockwise(_points(frame)), place.shape.points, strict=True)
        for one, other in pairs_of_corners:
            (ax, ay), (bx, by) = (_on_paper(point, unit) for point in (one, other))
            if max(abs(ax - bx), abs(ay - by)) > TOLERANCE:
                odd.append(frame.id)
                break
    if odd:
        raise _odd(odd)


def _on_paper(point: Point, unit: Unit) -> Point:
    return min(max(point[0], 0), unit.width), min(max(point[1], 0), unit.height)


def _odd(frames: list[str]) -> BadInput:
    return BadInput(
        f"a layout cannot hold frames of such an outline to {spoken(TOLERANCE)} mm",
        expected="frames whose sides and notches are wider than the gutter, on the paper",
        ids=frames,
    )
