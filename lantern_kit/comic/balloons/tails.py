"""What points from a balloon at its speaker."""

from __future__ import annotations

import math

from lantern_kit.comic.balloons.body import Form, edge_towards, polygon
from lantern_kit.comic.balloons.room import Dot
from lantern_kit.comic.model import MILLION, Rect, Tail

WAIST = 0.34
"""Half width of a tail at its middle over half its width at the root: below one half its sides are hollow."""
WIDEST = 0.7
"""A tail is at most this wide, over the balloon's shorter side."""


def tail_sides(form: Form, tail: Tail) -> tuple[Dot, ...] | None:
    """The corners of a tail in page micrometres; None when its tip lies in the balloon.

    Inner left, root left, bend left, tip, bend right, root right, inner right: from the root, a little inside the body,
    the sides are one quadratic curve each; the inner corners lie well inside, so that the union has no gap.
    """
    tip = (float(tail.tip[0]), float(tail.tip[1]))
    box, outline = form.box, polygon(form)
    heart = spine_point(box, tip)
    share = edge_towards(outline, heart, tip)
    if share >= 1:
        return None
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
