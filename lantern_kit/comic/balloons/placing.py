"""Where a new balloon may stand on a spread: clear of the fold, which swallows words."""

from __future__ import annotations

from lantern_kit.comic.geometry import safe_areas
from lantern_kit.comic.model import Paper, Rect, Unit
from lantern_kit.kernel.errors import BadInput

MARGIN = 1_000
"""A box nearer to the gutter than this, in micrometres, is moved away from it."""


def clear_of_gutter(box: Rect, unit: Unit, paper: Paper) -> Rect:
    """The box moved the least distance that takes it clear of a spread's gutter and into the safe area of a page.

    A box that is clear of the gutter already, or lies on a unit of one surface, stays where it is. One that is too
    large for the safe area keeps clear of the gutter first, and then of the top.

    Args:
        box: where the balloon would stand, in unit micrometres.
        unit: what it is to stand on.
        paper: its safe inset counts.
    """
    if len(unit.surfaces) < 2:
        return box
    left, right = unit.surfaces
    if box.right <= left.x + left.width - MARGIN or box.x >= right.x + MARGIN:
        return box
    try:
        before, after = safe_areas(unit, paper)
    except BadInput:  # the paper leaves no safe area; validation says so
        before, after = (Rect(x=sheet.x, y=0, w=sheet.width, h=sheet.height) for sheet in unit.surfaces)
    found = (
        (min(max(box.x, before.x), before.right - box.w), _between(box.y, box.h, before)),
        (max(min(box.x, after.right - box.w), after.x), _between(box.y, box.h, after)),
    )
    x, y = min(found, key=lambda at: (at[0] - box.x) ** 2 + (at[1] - box.y) ** 2)
    return Rect(x=x, y=y, w=box.w, h=box.h)


def _between(top: int, height: int, area: Rect) -> int:
    return max(min(top, area.bottom - height), area.y)
