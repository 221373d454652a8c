"""What objects cover of a page, as they are drawn."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lantern_kit.comic.balloons.outline import balloon_outline, group_outline
from lantern_kit.comic.geometry import Edges, bounds, spanning
from lantern_kit.comic.model import (
    AnyObject,
    Balloon,
    Effect,
    Foreground,
    Frame,
    Image,
    Narration,
    Overlay,
    Rect,
    Text,
)
from lantern_kit.comic.placement import Affine
from lantern_kit.comic.render.balloon import ink_reach
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.rendered import Drawn
from lantern_kit.comic.render.stage import Stage, placed_quad
from lantern_kit.comic.typeset.setting import set_text


def drawn_objects(stage: Stage, steps: Iterable[Step], view: Affine, width: int, height: int) -> Iterable[Drawn]:
    """What is seen of the steps in a picture of ``width`` × ``height`` pixels that shows the page through ``view``."""
    for step in steps:
        for item in step.objects:
            found = object_bounds(stage, item)
            if found is None:
                continue
            (left, top), (right, bottom) = view.map(found.x, found.y), view.map(found.right, found.bottom)
            box = (
                max(0, math.floor(left)),
                max(0, math.floor(top)),
                min(width, math.ceil(right)),
                min(height, math.ceil(bottom)),
            )
            if box[0] < box[2] and box[1] < box[3]:
                yield Drawn(item.id, item.kind, found, box)


def object_bounds(stage: Stage, item: AnyObject) -> Rect | None:
    """What an object covers of the page, borders and tails included; None when nothing is left of it."""
    if isinstance(item, Frame):
        return _rect(bounds(stage.outline(item)), grow=item.border.width / 2)
    if isinstance(item, Effect):
        frame = stage.frame_of(item)
        box = item.box or stage.bounds(item)
        return box if frame is None else _overlap(box, bounds(stage.outline(frame)))
    if isinstance(item, Image | Overlay | Foreground):
        image = stage.image_of(item) if isinstance(item, Foreground) else item
        frame = stage.frame_of(image) if isinstance(image, Image) else None
        limits = stage.bounds(image)
        placed = placed_quad(image.placement, limits, stage.picture(image.asset), boxed=frame is None and item is image)
        if placed is None:
            return None
        found = _rect(placed[0].around(*placed[1]))
        if frame is not None and isinstance(item, Image) and item.clip and found is not None:
            return _overlap(found, limits)
        return found
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


def joined_edges(step: Step) -> Edges | None:
    """What the one outline of joined balloons covers, its ink included; None where none are joined."""
    group = step.group
    edges = None if group is None else group_outline(group).edges()
    if group is None or edges is None:
        return None
    ink = ink_reach(group.root)
    return edges[0] - ink, edges[1] - ink, edges[2] + ink, edges[3] + ink


def _rect(edges: Rect | tuple[float, float, float, float], *, grow: float = 0.0) -> Rect | None:
    left, top, right, bottom = (edges.x, edges.y, edges.right, edges.bottom) if isinstance(edges, Rect) else edges
    found = math.floor(left - grow), math.floor(top - grow), math.ceil(right + grow), math.ceil(bottom + grow)
    return spanning(*found) if found[0] < found[2] and found[1] < found[3] else None


def _overlap(one: Rect, two: Rect) -> Rect | None:
    left, top = max(one.x, two.x), max(one.y, two.y)
    right, bottom = min(one.right, two.right), min(one.bottom, two.bottom)
    return spanning(left, top, right, bottom) if left < right and top < bottom else None
