"""Whether what is read next is where the eye goes next."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import shapely

from lantern_kit.comic.checks.frames import Panel, insets
from lantern_kit.comic.checks.seen import Wrong, fold_of
from lantern_kit.comic.model import Balloon, Direction, Lettering, Narration, Rect, Unit

SLACK = 0.15
"""Frames that lie beside each other may reach into one another by so much of their sides."""
COLUMNS = 1.5
"""Columns come before rows where the gutter between them is so many times as wide."""
SHARED = 0.5
"""Balloons stand in one row, or one column, when they share so much of the smaller one's side."""

Box = tuple[float, float, float, float]


def path(panels: Sequence[Panel], unit: Unit, direction: Direction) -> Iterator[tuple[str, Wrong]]:
    """reading.path: a frame that is read after one that the eye only comes to later."""
    nested = insets(panels)
    by_id = {panel.frame.id: panel for panel in panels if panel.frame.id not in nested}
    order = [name for name in unit.reading if name in by_id]
    ranks = _ranks([by_id[name] for name in order], direction, fold_of(unit))
    for before, after in pairwise(order):
        if ranks[after] < ranks[before]:
            yield (
                after,
                Wrong(
                    "reading.path",
                    "note",
                    f"it is read after {before}, though the eye comes to it first ({_WAYS[direction]}); "
                    "change the reading order, or the layout",
                    {"with": before, "direction": direction.value},
                ),
            )


def balloons(panels: Sequence[Panel], unit: Unit, direction: Direction) -> Iterator[tuple[str, Wrong]]:
    """reading.frames, reading.balloons: words that are read with another frame's, or against their places in it."""
    nested = insets(panels)
    by_id = {panel.frame.id: panel for panel in panels}
    current = ""
    last: dict[str, Lettering] = {}
    for name in unit.reading:
        item = unit.index.get(name)
        if name in by_id:
            current = name
            continue
        if not isinstance(item, Balloon | Narration):
            continue
        home = _home(item, panels, by_id)
        if home is None:
            continue
        if current and home.frame.id != current and not _related(home.frame.id, current, nested):
            yield (
                name,
                Wrong(
                    "reading.frames",
                    "note",
                    f"it lies in {home.frame.id} but is read after {current}; move it in the reading order to where "
                    "its frame is read",
                    {"with": current, "frame": home.frame.id},
                ),
            )
        earlier = last.get(home.frame.id)
        if earlier is not None and _against(item.box, earlier.box, direction):
            yield (
                name,
                Wrong(
                    "reading.balloons",
                    "note",
                    f"it is read after {earlier.id}, though the eye comes to it first ({_WAYS[direction]}); "
                    "change places, or the reading order",
                    {"with": earlier.id, "direction": direction.value},
                ),
            )
        last[home.frame.id] = item


_WAYS = {
    Direction.LTR: "from left to right, then down",
    Direction.RTL: "from right to left, then down",
    Direction.TTB: "downwards",
}


def _home(item: Lettering, panels: Sequence[Panel], by_id: dict[str, Panel]) -> Panel | None:
    """The frame that words lie in; None where they belong to none, or to two."""
    if item.parent in by_id:
        return by_id[item.parent]
    box = shapely.box(item.box.x, item.box.y, item.box.right, item.box.bottom)
    within = [panel for panel in reversed(panels) if shapely.intersection(panel.area, box).area >= 0.85 * box.area]
    return within[0] if within else None


def _related(one: str, two: str, nested: dict[str, str]) -> bool:
    """Whether one frame is an inset of the other, or both of a third."""
    return nested.get(one, one) == nested.get(two, two)


def _against(box: Rect, before: Rect, direction: Direction) -> bool:
    """Whether a box plainly comes before another that is read first."""
    rightwards = direction is not Direction.RTL
    row = _shared(box.y, box.bottom, before.y, before.bottom)
    column = _shared(box.x, box.right, before.x, before.right)
    sideways = box.right <= before.x if rightwards else box.x >= before.right
    if column >= SHARED:
        return box.bottom <= before.y
    if row >= SHARED:
        return sideways
    return sideways and box.bottom <= before.y


def _shared(start: float, end: float, first: float, last: float) -> float:
    least = min(end - start, last - first)
    return max(0.0, min(end, last) - max(start, first)) / least if least else 0.0


def _ranks(panels: list[Panel], direction: Direction, fold: tuple[int, int] | None) -> dict[str, int]:
    """When the eye comes to each frame; frames that no straight gutter parts come together."""
    found: dict[str, int] = {}
    for rank, group in enumerate(_ordered(panels, direction, fold)):
        found |= {panel.frame.id: rank for panel in group}
    return found


def _ordered(panels: list[Panel], direction: Direction, fold: tuple[int, int] | None) -> Iterator[list[Panel]]:
    if len(panels) < 2:
        yield panels
        return
    rightwards = direction is not Direction.RTL
    if fold is not None:
        middle = sum(fold) / 2
        left = [panel for panel in panels if panel.edges[2] <= middle]
        right = [panel for panel in panels if panel.edges[0] >= middle]
        if left and right and len(left) + len(right) == len(panels):
            for page in (left, right) if rightwards else (right, left):
                yield from _ordered(page, direction, None)
            return
    rows, high = _parted(panels, 1)
    columns, wide = _parted(panels, 0)
    if len(columns) > 1 and (len(rows) < 2 or wide >= COLUMNS * max(high, 1)):
        parts = columns if rightwards else columns[::-1]
    elif len(rows) > 1:
        parts = rows
    else:
        yield panels
        return
    for part in parts:
        yield from _ordered(part, direction, fold)


def _parted(panels: list[Panel], axis: int) -> tuple[list[list[Panel]], float]:
    """Frames parted wherever a straight cut runs between them, and the narrowest of the gutters it runs in."""
    spans = sorted(((*_span(panel, axis), panel) for panel in panels), key=lambda span: span[:2])
    parts: list[list[Panel]] = []
    end = 0.0
    for start, stop, panel in spans:
        if parts and start < end:
            parts[-1].append(panel)
        else:
            parts.append([panel])
        end = max(end, stop) if len(parts[-1]) > 1 else stop
    gaps = [
        min(panel.edges[axis] for panel in after) - max(panel.edges[axis + 2] for panel in before)
        for before, after in pairwise(parts)
    ]
    return parts, min(gaps, default=0)


def _span(panel: Panel, axis: int) -> tuple[float, float]:
    start, end = panel.edges[axis], panel.edges[axis + 2]
    by = SLACK * (end - start)
    return start + by, end - by
