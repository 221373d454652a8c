"""Balloons and captions: a body and its tails as one outline, filled and inked once, so that no seam can show."""

from __future__ import annotations

import math
from functools import lru_cache
from typing import Any

from lantern_kit.comic.model import MILLION, Balloon, BalloonShape, Narration, Rect, Tail
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import GRAIN, contour_path, fill, pen, scaling
from lantern_kit.comic.render.shape import Dot, body, contains, edge_towards

WAIST = 0.34
"""Half width of a tail at its middle over half its width at the root: below one half its sides are hollow."""
WIDEST = 0.7
"""A tail is at most this wide, over the balloon's shorter side."""


def balloon_path(balloon: Balloon) -> Any:
    """The outline of a balloon with its tails, in page micrometres."""
    return _outline(balloon.shape, balloon.box, balloon.tails)


@lru_cache(maxsize=2048)
def _outline(shape: BalloonShape, box: Rect, tails: tuple[Tail, ...]) -> Any:
    x, y = box.x + box.w / 2, box.y + box.h / 2
    made = contour_path(body(shape, box), x, y)
    made.transform(scaling(1 / GRAIN))
    for tail in tails:
        sides = tail_sides(shape, box, tail)
        if sides is None:
            continue
        one = skia.Path()
        (rx, ry), (ax, ay), (bx, by), (tx, ty), (cx, cy), (dx, dy), (sx, sy) = (
            ((px - x) / GRAIN, (py - y) / GRAIN) for px, py in sides
        )
        one.moveTo(rx, ry)
        one.lineTo(ax, ay)
        one.quadTo(bx, by, tx, ty)
        one.quadTo(cx, cy, dx, dy)
        one.lineTo(sx, sy)
        one.close()
        made = skia.Op(made, one, skia.PathOp.kUnion_PathOp)
    made.transform(skia.Matrix.MakeAll(GRAIN, 0, x, 0, GRAIN, y, 0, 0, 1))
    return made


def tail_sides(shape: BalloonShape, box: Rect, tail: Tail) -> tuple[Dot, ...] | None:
    """The corners of a tail in page micrometres; None when its tip lies in the balloon.

    Inner left, root left, bend left, tip, bend right, root right, inner right: from the root, a little inside the body,
    the sides are one quadratic curve each; the inner corners lie well inside, so that the union has no gap.
    """
    tip = (float(tail.tip[0]), float(tail.tip[1]))
    if contains(shape, box, tip):
        return None
    heart = spine_point(box, tip)
    share = edge_towards(shape, box, heart, tip)
    root = (heart[0] + (tip[0] - heart[0]) * share, heart[1] + (tip[1] - heart[1]) * share)
    length = math.dist(root, tip)
    if length < 1:
        return None
    ux, uy = (tip[0] - root[0]) / length, (tip[1] - root[1]) / length
    swing = tail.bend / MILLION * length
    # Clockwise from root to tip, with y down: a quarter turn of (ux, uy) is (−uy, ux).
    middle = ((root[0] + tip[0]) / 2 - uy * swing, (root[1] + tip[1]) / 2 + ux * swing)
    start = math.dist(root, middle)
    vx, vy = (middle[0] - root[0]) / start, (middle[1] - root[1]) / start
    half = min(float(tail.width), WIDEST * min(box.w, box.h)) / 2
    # The sides begin to curve inside the body already, so that they leave it without a knuckle.
    depth = min(2 * half, 0.9 * math.dist(root, heart)) if heart != root else half
    inner = (root[0] - vx * depth, root[1] - vy * depth)
    root = (root[0] - vx * depth / 2, root[1] - vy * depth / 2)
    # Begun further in, they are wider there, by what they lose until they reach the body's edge.
    lost = depth / 2 / (length + depth / 2)
    half /= max(0.5, (1 - lost) ** 2 + 2 * lost * (1 - lost) * WAIST)
    waist = half * WAIST
    return (
        (inner[0] - vy * half, inner[1] + vx * half),
        (root[0] - vy * half, root[1] + vx * half),
        (middle[0] - uy * waist, middle[1] + ux * waist),
        tip,
        (middle[0] + uy * waist, middle[1] - ux * waist),
        (root[0] + vy * half, root[1] - vx * half),
        (inner[0] + vy * half, inner[1] - vx * half),
    )


def spine_point(box: Rect, tip: Dot) -> Dot:
    """The point of the body's long middle line a tail springs from: drawn towards its tip, so that it leaves square."""
    a, b = box.w / 2, box.h / 2
    x, y = box.x + a, box.y + b
    along, across = max(0.0, a - b) * 0.75, max(0.0, b - a) * 0.75
    return x + min(along, max(-along, (tip[0] - x) * 0.6)), y + min(across, max(-across, (tip[1] - y) * 0.6))


def draw_balloon(canvas: Any, balloon: Balloon) -> None:
    """Fill and ink a balloon."""
    outline = balloon_path(balloon)
    canvas.drawPath(outline, fill(balloon.fill))
    if balloon.stroke.width:
        canvas.drawPath(outline, pen(balloon.stroke))


def draw_caption(canvas: Any, narration: Narration) -> None:
    """Fill and ink a caption box."""
    box = narration.box
    rect = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    if narration.fill is not None:
        canvas.drawRect(rect, fill(narration.fill))
    if narration.stroke.width:
        canvas.drawRect(rect, pen(narration.stroke, join=skia.Paint.kMiter_Join))
