"""What objects cover of a page, as they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lantern_kit.comic.balloons.outline import balloon_outline, group_outline
from lantern_kit.comic.geometry import Edges, bounds, enclosing, spanning
from lantern_kit.comic.model import (
    AnyObject,
    Balloon,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Narration,
    Overlay,
    Rect,
    Text,
)
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.area import covered, within
from lantern_kit.comic.render.balloon import ink_reach
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.rendered import Drawn
from lantern_kit.comic.render.stage import Stage
from lantern_kit.comic.typeset.setting import set_text

SPARE = 3
"""Pixels by which an object may be drawn past its reach."""


def drawn_objects(stage: Stage, steps: Iterable[Step], view: Affine, width: int, height: int) -> Iterable[Drawn]:
    """What is seen of the steps in a picture of ``width`` × ``height`` pixels that shows the page through ``view``."""
    for step in steps:
        for item in step.objects:
            found = object_bounds(stage, item)
            if found is None:
                continue
            seen = within(covered(view.around(found.x, found.y, found.right, found.bottom)), width, height)
            if seen is not None:
                yield Drawn(item.id, item.kind, found, seen)


def object_bounds(stage: Stage, item: AnyObject) -> Rect | None:
    """What an object covers of the page, borders and tails included; None when nothing is left of it."""
    if isinstance(item, Frame):
        return _rect(bounds(stage.outline(item)), grow=item.border.width / 2)
    if isinstance(item, Effect):
        frame = stage.frame_of(item)
        box = stage.filled(item)
        return box if frame is None else _overlap(box, bounds(stage.outline(frame)))
    if isinstance(item, Image | Overlay | Foreground):
        placed = stage.placed(item)
        found = None if placed is None else _rect(placed[0].around(*placed[1]))
        frame = stage.frame_of(item) if isinstance(item, Image) and item.clip else None
        return found if found is None or frame is None else _overlap(found, bounds(stage.outline(frame)))
    words = set_text(item, fonts=stage.fonts).ink
    if isinstance(item, Text):
        outline = item.style.outline.width if item.style.outline is not None else 0
        return item.box if words is None else _rect(words, grow=outline)
    around = _outer(item)
    if words is None or around is None:
        return around or (item.box if words is None else _rect(words))
    right, bottom = max(around.right, words.right), max(around.bottom, words.bottom)
    return _rect((min(around.x, words.x), min(around.y, words.y), right, bottom))


def _outer(item: Balloon | Narration) -> Rect | None:
    if isinstance(item, Narration):
        return _rect(item.box, grow=item.stroke.width / 2)
    edges = balloon_outline(item).edges()
    return None if edges is None else _rect(edges, grow=ink_reach(item))


def reach(stage: Stage, step: Step) -> Edges | None:
    """What a step may cover, in page micrometres: never less than it does. None when nothing is left of it."""
    found = [object_reach(stage, item) for item in (step.item, *step.above, *step.joined)]
    return enclosing(edges for edges in (*found, _joined_edges(step)) if edges is not None)


def object_reach(stage: Stage, item: AnyObject) -> Edges | None:
    """What an object may cover, drawn by itself: never less than it does. None when nothing is left of it."""
    found = object_bounds(stage, item)
    if found is None:
        return None
    grow = 0
    if isinstance(item, Frame):
        grow = 4 * item.border.width  # a mitred corner reaches out by up to the miter limit, eight half widths
    elif isinstance(item, Lettering) and item.style.outline is not None:
        grow = item.style.outline.width
    return float(found.x - grow), float(found.y - grow), float(found.right + grow), float(found.bottom + grow)


def _joined_edges(step: Step) -> Edges | None:
    """What the one outline of joined balloons covers, its ink included; None where none are joined."""
    group = step.group
    edges = None if group is None else group_outline(group).edges()
    if group is None or edges is None:
        return None
    ink = ink_reach(group.root)
    return edges[0] - ink, edges[1] - ink, edges[2] + ink, edges[3] + ink


def _rect(edges: Rect | Edges, *, grow: float = 0.0) -> Rect | None:
    left, top, right, bottom = (edges.x, edges.y, edges.right, edges.bottom) if isinstance(edges, Rect) else edges
    found = math.floor(left - grow), math.floor(top - grow), math.ceil(right + grow), math.ceil(bottom + grow)
    return spanning(*found) if found[0] < found[2] and found[1] < found[3] else None


def _overlap(one: Rect, two: Rect) -> Rect | None:
    left, top = max(one.x, two.x), max(one.y, two.y)
    right, bottom = min(one.right, two.right), min(one.bottom, two.bottom)
    return spanning(left, top, right, bottom) if left < right and top < bottom else None
