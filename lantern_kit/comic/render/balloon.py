"""Balloons and captions: bodies and tails as one outline, filled and inked once, so that no seam can show."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from lantern_kit.comic.balloons.contour import Contour
from lantern_kit.comic.balloons.groups import Group
from lantern_kit.comic.balloons.outline import Outline, balloon_outline, group_outline
from lantern_kit.comic.geometry import Dot
from lantern_kit.comic.model import Balloon, BalloonShape, Narration, Stroke
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import FINEST_DASHES, contour_path, fill, pen

DASH = 5.0
"""Length of a whisper's dashes, round ends included, over the line's width."""
SPACE = 3.6
"""Free way between them, over the line's width."""
CORNER = 0.82
"""Cosine of the turn from which an outline has a corner there."""
MITRE = 5.0
"""Spikes of a burst are sharp up to this length over the line's width; longer ones are cut."""


@lru_cache(maxsize=2048)
def outline_path(outline: Outline) -> Any:
    """What is filled and inked of an outline, in page micrometres."""
    made = skia.Path()
    for contour in (*outline.contours, *outline.bubbles):
        made.addPath(contour_path(contour))
    made.setIsVolatile(False)
    return made


def draw_balloon(canvas: Any, root: Balloon, joined: tuple[Balloon, ...] = ()) -> None:
    """Fill and ink one balloon, or several that are joined, as the root of them has it."""
    whole = group_outline(Group(root, (root, *joined))) if joined else balloon_outline(root)
    path = outline_path(whole)
    canvas.drawPath(path, fill(root.fill))
    if not root.stroke.width:
        return
    if root.shape is BalloonShape.WHISPER and not root.stroke.dash:
        canvas.drawPath(broken(whole, root.stroke.width), _dashes(root.stroke))
        for bubble in whole.bubbles:  # too small to be broken
            canvas.drawPath(contour_path(bubble), pen(root.stroke))
    else:
        canvas.drawPath(path, balloon_pen(root))
    for stem in whole.stems:
        canvas.drawPath(contour_path(stem), fill(root.stroke.colour))


def balloon_pen(balloon: Balloon) -> Any:
    """What a balloon is inked with: a burst's spikes are sharp."""
    if balloon.shape is not BalloonShape.BURST:
        return pen(balloon.stroke)
    made = pen(balloon.stroke, join=skia.Paint.kMiter_Join)
    made.setStrokeMiter(MITRE)
    return made


def ink_reach(balloon: Balloon) -> float:
    """How far a balloon's ink may reach past its outline, in micrometres."""
    return balloon.stroke.width / 2 * (MITRE if balloon.shape is BalloonShape.BURST else 1.0)


def _dashes(stroke: Stroke) -> Any:
    made = pen(stroke)
    made.setStrokeCap(skia.Paint.kRound_Cap)
    return made


@lru_cache(maxsize=512)
def broken(outline: Outline, width: int) -> Any:
    """The outline in dashes of one length, as near as that goes: whole ones only, and one round every corner."""
    made = skia.Path()
    period = max(FINEST_DASHES, (DASH + SPACE) * width)
    for contour in outline.contours:
        for stretch, closed in _between_corners(contour):
            measure = skia.PathMeasure(stretch, closed)
            length = measure.getLength()
            count = max(3 if closed else 1, round(length / period))
            step = length / count
            half = (DASH - 1) / (DASH + SPACE) * step / 2
            for number in range(count + 1 - closed):
                middle = (number + 0.5 * closed) * step
                dash = skia.Path()
                measure.getSegment(max(0.0, middle - half), min(length, middle + half), dash, True)
                made.addPath(dash)
    return made


def _between_corners(contour: Contour) -> Iterator[tuple[Any, bool]]:
    """The pieces of an outline from corner to corner, or all of it, closed, when it has none."""
    curves = list(contour.curves())
    corners = [number for number, curve in enumerate(curves) if _is_corner(curves[number - 1], curve)]
    if not corners:
        yield contour_path(contour), True
        return
    for one, two in pairwise([*corners, corners[0] + len(curves)]):
        made = skia.Path()
        made.moveTo(*curves[one][0])
        for number in range(one, two):
            made.cubicTo(
                *curves[number % len(curves)][1], *curves[number % len(curves)][2], *curves[number % len(curves)][3]
            )
        yield made, False


def _is_corner(before: Sequence[Dot], after: Sequence[Dot]) -> bool:
    arrives, leaves = _way(before[::-1]), _way(after)
    along = -arrives[0] * leaves[0] - arrives[1] * leaves[1]
    return along < CORNER * math.hypot(*arrives) * math.hypot(*leaves)


def _way(curve: Sequence[Dot]) -> Dot:
    """Which way a curve leaves its first point."""
    for dot in curve[1:]:
        if math.dist(curve[0], dot) > 1:
            return dot[0] - curve[0][0], dot[1] - curve[0][1]
    return 0.0, 0.0


def draw_caption(canvas: Any, narration: Narration) -> None:
    """Fill and ink a caption box."""
    box = narration.box
    rect = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    if narration.fill is not None:
        canvas.drawRect(rect, fill(narration.fill))
    if narration.stroke.width:
        canvas.drawRect(rect, pen(narration.stroke, join=skia.Paint.kMiter_Join))
