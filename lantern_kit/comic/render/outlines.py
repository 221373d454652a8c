"""The outlines of objects as they are drawn, with few corners: what people point at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache

from lantern_kit.comic.balloons.body import Form, form_of
from lantern_kit.comic.balloons.contour import flattened
from lantern_kit.comic.balloons.outline import outline
from lantern_kit.comic.geometry import Dot, outline_points
from lantern_kit.comic.model import (
    AnyObject,
    Balloon,
    Chapter,
    Effect,
    Foreground,
    Frame,
    Image,
    Overlay,
    Rect,
    Tail,
    Text,
    Unit,
)
from lantern_kit.comic.render.order import paint_order
from lantern_kit.comic.render.overlap import corners, overlap, thinned
from lantern_kit.comic.render.stage import Pictures, Stage
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts

MOST = 64
"""Corners of an outline at most."""
WITHIN = 60.0
"""Micrometres by which an outline may stray from what is drawn, as long as it then has few enough corners."""


def outlines(
    unit: Unit, chapter: Chapter, pictures: Pictures, *, fonts: Fonts | None = None
) -> dict[str, tuple[Dot, ...]]:
    """Every object's outline in page micrometres, in the order of drawing.

    A frame's runs out to the bleed where it does; pictures and effects are cut to their frame; a balloon's takes in its
    tails. What is moved out of its frame, or cropped to nothing, has no corners.
    """
    stage = Stage(unit, chapter, pictures, fonts or packaged_fonts(), None, 1.0)
    frames: dict[str, tuple[Dot, ...]] = {}
    return {item.id: tuple(_outline(stage, item, frames)) for step in paint_order(unit) for item in step.objects}


def _outline(stage: Stage, item: AnyObject, frames: dict[str, tuple[Dot, ...]]) -> Sequence[Dot]:
    if isinstance(item, Frame):
        return _frame(stage, item, frames)
    if isinstance(item, Balloon):
        return _balloon(form_of(item), item.tails)
    if isinstance(item, Effect):
        frame = stage.frame_of(item)
        box = stage.filled(item)
        quad = corners((box.x, box.y, box.right, box.bottom))
        return quad if frame is None else overlap(_frame(stage, frame, frames), quad)
    if isinstance(item, Image | Overlay | Foreground):
        placed = stage.placed(item)
        if placed is None:
            return ()
        picture = placed[0].quad(*placed[1])
        frame = stage.frame_of(item) if isinstance(item, Image) and item.clip else None
        return picture if frame is None else overlap(_frame(stage, frame, frames), picture)
    return _turned(item.box, item.rotate if isinstance(item, Text) else 0)


def _frame(stage: Stage, frame: Frame, frames: dict[str, tuple[Dot, ...]]) -> tuple[Dot, ...]:
    found = frames.get(frame.id)
    if found is None:
        points = [(float(x), float(y)) for x, y in outline_points(stage.outline(frame))]
        # A picture cut to it adds up to four corners.
        found = frames[frame.id] = tuple(points if len(points) <= 8 else thinned(points, MOST - 4, within=WITHIN))
    return found


def _turned(box: Rect, millidegrees: int) -> list[Dot]:
    quad = corners((box.x, box.y, box.right, box.bottom))
    if not millidegrees:
        return quad
    turn, (x, y) = math.radians(millidegrees / 1_000), (box.x + box.w / 2, box.y + box.h / 2)
    cos, sin = math.cos(turn), math.sin(turn)
    return [(x + (px - x) * cos - (py - y) * sin, y + (px - x) * sin + (py - y) * cos) for px, py in quad]


@lru_cache(maxsize=4_096)
def _balloon(form: Form, tails: tuple[Tail, ...]) -> tuple[Dot, ...]:
    """A body with its pointed tails, as if it were joined to no other; bubbles lie apart and are left out."""
    drawn, box = outline(form, tails), form.box
    if not drawn.contours:
        return tuple(corners((box.x, box.y, box.right, box.bottom)))
    whole = max((flattened(contour, WITHIN / 4) for contour in drawn.contours), key=_size)
    return tuple(whole if len(whole) <= MOST else thinned(whole, MOST, within=WITHIN))


def _size(points: Sequence[Dot]) -> float:
    return abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, [*points[1:], points[0]], strict=True)))
