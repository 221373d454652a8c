"""What lies in frames, carried along when the frames go elsewhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from lantern_kit.comic.geometry import bleed_rect, bounds, contains, safe_areas, surface_of
from lantern_kit.comic.model import (
    Balloon,
    Effect,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Paper,
    Placement,
    Point,
    Rect,
    Shape,
    Unit,
)

ROOM = 0.94
"""Share of a frame's width or height that lettering may take when it goes to a smaller frame."""


def carried(unit: Unit, paper: Paper, shapes: Mapping[str, Shape]) -> Unit:
    """The unit with frames in new outlines, and with them what lies in them or, on the paper, on them.

    Pictures fitted to their frame are fitted anew and keep their focus; boxes of pictures and effects are stretched as
    the frame's bounds are. Lettering keeps its place in the frame and its size, smaller where the frame has no room for
    it, and stays in the safe area; tails point at the same place of the frame.

    Args:
        unit: with the frames as they were.
        paper: its safe inset bounds lettering.
        shapes: the new outlines, by frame.
    """
    frames: list[Frame] = [item for item in unit.objects if isinstance(item, Frame)]
    moves = {
        frame.id: _Move(bounds(frame.shape), bounds(shapes[frame.id]))
        for frame in frames
        if frame.id in shapes and shapes[frame.id] != frame.shape
    }
    objects: list[Any] = []
    for item in unit.objects:
        if isinstance(item, Frame):
            objects.append(item.model_copy(update={"shape": shapes[item.id]}) if item.id in moves else item)
            continue
        home = item.parent if item.parent != unit.id else lies_on(item, frames)
        move = moves.get(home or "")
        objects.append(item if move is None else _moved(item, move, unit, paper))
    return unit.model_copy(update={"objects": tuple(objects)})


class _Move:
    """From a frame's bounds to its new ones."""

    def __init__(self, old: Rect, new: Rect) -> None:
        self.old, self.new = old, new

    def point(self, at: Point) -> Point:
        """Where a point of the frame goes."""
        old, new = self.old, self.new
        return new.x + _part(at[0] - old.x, new.w, old.w), new.y + _part(at[1] - old.y, new.h, old.h)

    def near(self, at: Point) -> Point:
        """As ``point``; what lies outside of the frame stays as far outside of it."""
        x = min(max(at[0], self.old.x), self.old.right)
        y = min(max(at[1], self.old.y), self.old.bottom)
        there = self.point((x, y))
        return there[0] + at[0] - x, there[1] + at[1] - y

    def box(self, box: Rect) -> Rect:
        """Where a box in the frame goes, stretched as the bounds are."""
        left, top = self.point((box.x, box.y))
        right, bottom = self.point((box.right, box.bottom))
        return Rect(x=left, y=top, w=max(1, right - left), h=max(1, bottom - top))


def _part(way: int, new: int, old: int) -> int:
    return (2 * way * new + old) // (2 * old)


def lies_on(item: Node, frames: Sequence[Frame]) -> str | None:
    """The topmost frame on which most of a free object lies, if there is one; pictures of the paper lie on none."""
    if isinstance(item, Lettering | Effect):
        box = item.box
    elif isinstance(item, Overlay):
        box = item.placement.box
    else:
        return None
    if box is None:
        return None
    for frame in reversed(frames):
        around = bounds(frame.shape)
        wide = min(box.right, around.right) - max(box.x, around.x)
        high = min(box.bottom, around.bottom) - max(box.y, around.y)
        if min(wide, high) > 0 and 2 * wide * high > box.w * box.h and contains(frame.shape, box.centre):
            return frame.id
    return None


def _moved(item: Node, move: _Move, unit: Unit, paper: Paper) -> Node:
    if isinstance(item, Image | Overlay):
        return item.model_copy(update={"placement": _placement(item.placement, move)})
    if isinstance(item, Lettering):
        return _lettering(item, move, unit, paper)
    if isinstance(item, Effect) and item.box is not None:
        return item.model_copy(update={"box": move.box(item.box)})
    return item


def _placement(placement: Placement, move: _Move) -> Placement:
    update: dict[str, Any] = {} if placement.box is None else {"box": move.box(placement.box)}
    turn = placement.transform
    if turn.dx or turn.dy:
        there = {"dx": _part(turn.dx, move.new.w, move.old.w), "dy": _part(turn.dy, move.new.h, move.old.h)}
        update["transform"] = turn.model_copy(update=there)
    return placement.model_copy(update=update) if update else placement


def _lettering(item: Lettering, move: _Move, unit: Unit, paper: Paper) -> Lettering:
    box, old, new = item.box, move.old, move.new
    inside = box.x >= old.x and box.y >= old.y and box.right <= old.right and box.bottom <= old.bottom
    share = min(1.0, ROOM * new.w / box.w, ROOM * new.h / box.h) if inside else 1.0
    wide, high = max(1, int(box.w * share)), max(1, int(box.h * share))
    x, y = move.near(box.centre)
    there = Rect(x=x - wide // 2, y=y - high // 2, w=wide, h=high)
    if inside:
        there = within(there, new)
    home = surface_of(unit, there.centre) or unit.surfaces[0]
    safe = safe_areas(unit, paper)[unit.surfaces.index(home)]
    if not isinstance(item, Balloon) or item.gutter_safe or len(unit.surfaces) == 1:
        there = within(there, safe)
    update: dict[str, Any] = {"box": there}
    if share < 1.0 and not item.style.fit:
        size = max(500, int(item.style.size * share))
        update["style"] = item.style.model_copy(update={"size": size, "smallest": min(size, item.style.smallest)})
    if isinstance(item, Balloon) and item.tails:
        sheet = bleed_rect(unit, paper)
        update["tails"] = tuple(
            tail.model_copy(update={"tip": _tip(tail.tip, there, move, sheet)}) for tail in item.tails
        )
    return item.model_copy(update=update)


def _tip(tip: Point, box: Rect, move: _Move, sheet: Rect) -> Point:
    """Where a tail points: on the paper, and never at the middle of its own balloon."""
    x, y = move.near(tip)
    x, y = min(max(x, sheet.x), sheet.right), min(max(y, sheet.y), sheet.bottom)
    return (x, y + box.h) if (x, y) == box.centre else (x, y)


def within(box: Rect, limits: Rect) -> Rect:
    """The box shifted into limits; on the side where it does not fit it is centred."""
    x = _shifted(box.x, box.w, limits.x, limits.w)
    y = _shifted(box.y, box.h, limits.y, limits.h)
    return Rect(x=x, y=y, w=box.w, h=box.h)


def _shifted(start: int, length: int, low: int, room: int) -> int:
    if length > room:
        return low + (room - length) // 2
    return min(max(start, low), low + room - length)
