"""Frames of a page laid out anew in its live area: what is beside and above what stays, and so do the gutters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from lantern_kit.comic.geometry import bleed_rect, bounds, extent, safe_areas, stretched
from lantern_kit.comic.layout.carrying import ROOM, within
from lantern_kit.comic.layout.edges import SKEW, fold_of, frames_of, insets
from lantern_kit.comic.layout.joints import Gaps, Joints
from lantern_kit.comic.layout.keeping import kept
from lantern_kit.comic.layout.moving import refuse_overlap
from lantern_kit.comic.layout.sides import Side, sides_of
from lantern_kit.comic.layout.solving import Wishes, holds_of, settled
from lantern_kit.comic.model import Edge, Frame, Keep, Lettering, Paper, Rect, Shape, Unit

_LOW = frozenset({Edge.LEFT, Edge.TOP})
_FIELDS = {Edge.LEFT: 0, Edge.TOP: 1, Edge.RIGHT: 2, Edge.BOTTOM: 3}
Edges = tuple[int, int, int, int]


def reflowed(unit: Unit, paper: Paper, weights: Mapping[str, float], gutters: Gaps = (None, None)) -> dict[str, Shape]:
    """New outlines for all frames of a unit.

    The page's outer edges go to the live area, those of bleeding frames to the trim, and frames share out what is
    between them: in proportion as they do now, times their weights; so that lettering has room; with what frames keep
    kept. On a spread outer edges only move where they leave the safe area. Insets and curved frames follow the page.

    Args:
        unit: with its frames.
        paper: its safe inset bounds the live area.
        weights: by frame; 1 where none is given.
        gutters: across and down, for all frames; None leaves each as wide as it is.

    Raises:
        BadInput: there is not enough room for the minimum sizes and locks.
    """
    frames = frames_of(unit)
    free = insets(frames) | {frame.id for frame in frames if not sides_of(frame)}
    flat = [frame for frame in frames if frame.id not in free]
    found: dict[str, Shape] = {}
    if flat:
        outer = _outer(flat)
        goals = _goals(unit, paper, outer, flat)
        joints = Joints(flat, fold_of(unit), fixed=lambda side: _way(side, unit, outer, goals, flat), gaps=gutters)
        found = settled(joints, Wishes(weights, holds_of(flat), _least(unit, flat)))
    else:
        outer = goals = (0, 0, unit.width, unit.height)
    for frame in frames:
        if frame.id in free:
            found[frame.id] = _followed(frame, outer, goals, bleed_rect(unit, paper))
    refuse_overlap(unit, found)
    return found


def _outer(frames: Sequence[Frame]) -> Edges:
    """How far frames reach, those not counted that bleed there; as far as any where all do."""
    found = []
    for edge, field in _FIELDS.items():
        pick = min if edge in _LOW else max
        reach = [extent(frame.shape)[field] for frame in frames if edge not in frame.bleed]
        found.append(pick(reach or [extent(frame.shape)[field] for frame in frames]))
    return found[0], found[1], found[2], found[3]


def _goals(unit: Unit, paper: Paper, outer: Edges, frames: Sequence[Frame]) -> Edges:
    """Where the outer edges go: to the live area; those that bleed everywhere stay."""
    safes = safe_areas(unit, paper)
    live = (safes[0].x, safes[0].y, safes[-1].right, safes[-1].bottom)
    found = []
    for edge, field in _FIELDS.items():
        everywhere = all(edge in frame.bleed for frame in frames)
        inside = outer[field] >= live[field] if edge in _LOW else outer[field] <= live[field]
        stays = everywhere or (len(safes) > 1 and inside)
        found.append(outer[field] if stays else live[field])
    return found[0], found[1], found[2], found[3]


def _way(side: Side, unit: Unit, outer: Edges, goals: Edges, frames: Sequence[Frame]) -> int:
    """How far a side moves that shares nothing."""
    frame = next(frame for frame in frames if frame.id == side.frame)
    edge, field, axis = side.edge, _FIELDS[side.edge], 0 if side.upright else 1
    size = unit.width if side.upright else unit.height
    at = side.middle
    if edge in frame.bleed:
        reach = [extent(other.shape)[field] for other in frames]
        outermost = at <= min(reach) + SKEW if edge in _LOW else at >= max(reach) - SKEW
        if outermost or (at <= 0 if edge in _LOW else at >= size):
            return (0 if edge in _LOW else size) - at
    if abs(at - outer[field]) <= SKEW:
        return goals[field] - outer[field]
    low, high = axis, axis + 2
    there = goals[low] + round((at - outer[low]) * (goals[high] - goals[low]) / max(1, outer[high] - outer[low]))
    return there - at


def _least(unit: Unit, frames: Sequence[Frame]) -> dict[str, tuple[int, int]]:
    """Least sizes of frames in which the lettering that is in them now has room."""
    found = {}
    for frame in frames:
        around = bounds(frame.shape)
        boxes = [
            item.box
            for item in unit.objects
            if isinstance(item, Lettering) and item.parent == frame.id and _inside(item.box, around)
        ]
        if boxes:
            wide, high = max(box.w for box in boxes), max(box.h for box in boxes)
            found[frame.id] = math.ceil(wide / ROOM), math.ceil(high / ROOM)
    return found


def _inside(box: Rect, around: Rect) -> bool:
    return box.x >= around.x and box.y >= around.y and box.right <= around.right and box.bottom <= around.bottom


def _followed(frame: Frame, outer: Edges, goals: Edges, sheet: Rect) -> Shape:
    """A frame that hangs on no other where the page goes: in the same place of it, and on the paper."""
    left, top, right, bottom = extent(frame.shape)

    def there(value: int, axis: int) -> int:
        low, high = axis, axis + 2
        wide = max(1, outer[high] - outer[low])
        return goals[low] + round((value - outer[low]) * (goals[high] - goals[low]) / wide)

    x, y = there(left, 0), there(top, 1)
    box = Rect(x=x, y=y, w=max(1, there(right, 0) - x), h=max(1, there(bottom, 1) - y))
    box = within(Rect(x=box.x, y=box.y, w=min(box.w, sheet.w), h=min(box.h, sheet.h)), sheet)
    shape = stretched(frame.shape, box)
    if kept(frame, shape):
        return shape
    wide, high = right - left, bottom - top
    if frame.keep is Keep.RATIO:
        share = min(box.w / wide, box.h / high)
        wide, high = max(1, int(wide * share)), max(1, int(high * share))
    middle = box.centre
    return stretched(frame.shape, Rect(x=middle[0] - wide // 2, y=middle[1] - high // 2, w=wide, h=high))
