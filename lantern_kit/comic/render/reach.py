"""How far a step may draw: never less than it does, so that what lies beyond it need not be drawn again."""

from __future__ import annotations

from lantern_kit.comic.geometry import Edges
from lantern_kit.comic.model import Frame, Lettering
from lantern_kit.comic.render.extent import joined_edges, object_bounds
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.stage import Stage

SPARE = 3
"""Pixels by which an object may be drawn past its bounds."""


def reach(stage: Stage, step: Step) -> Edges | None:
    """What a step may cover, in page micrometres; None when nothing is left of it."""
    found: Edges | None = None
    for item in (step.item, *step.above, *step.joined):
        bounds = object_bounds(stage, item)
        if bounds is None:
            continue
        grow = 0.0
        if isinstance(item, Frame):
            grow = 4.0 * item.border.width  # a mitred corner reaches out by up to the miter limit, eight half widths
        elif isinstance(item, Lettering) and item.style.outline is not None:
            grow = float(item.style.outline.width)
        edges = (bounds.x - grow, bounds.y - grow, bounds.right + grow, bounds.bottom + grow)
        found = edges if found is None else _joined(found, edges)
    one = joined_edges(step)
    return found if found is None or one is None else _joined(found, one)


def _joined(one: Edges, other: Edges) -> Edges:
    return min(one[0], other[0]), min(one[1], other[1]), max(one[2], other[2]), max(one[3], other[3])
