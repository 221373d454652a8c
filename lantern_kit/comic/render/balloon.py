"""Balloons and captions: a body and its tails as one outline, filled and inked once, so that no seam can show."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from lantern_kit.comic.balloons.body import Form, body, form_of
from lantern_kit.comic.balloons.tails import tail_sides
from lantern_kit.comic.model import Balloon, Narration, Tail
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import GRAIN, contour_path, fill, pen, scaling


def balloon_path(balloon: Balloon) -> Any:
    """The outline of a balloon with its tails, in page micrometres."""
    return outline(form_of(balloon), balloon.tails)


@lru_cache(maxsize=2048)
def outline(form: Form, tails: tuple[Tail, ...]) -> Any:
    """The outline of a body with its tails, in page micrometres."""
    box = form.box
    x, y = box.x + box.w / 2, box.y + box.h / 2
    made = contour_path(body(form), x, y)
    made.transform(scaling(1 / GRAIN))
    for tail in tails:
        sides = tail_sides(form, tail)
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
