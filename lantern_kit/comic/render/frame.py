"""Frames drawn: background, contents cut to the outline, border."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.geometry import bleed_rect
from lantern_kit.comic.model import MILLION, Effect, Frame, Image, Polygon, Shape
from lantern_kit.comic.render.effect import draw_effect
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import fill, path, pen
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.placed import draw_image
from lantern_kit.comic.render.stage import Stage


def draw_frame(canvas: Any, stage: Stage, step: Step) -> None:
    """Draw a frame with everything that belongs to it."""
    frame = step.item
    if not isinstance(frame, Frame):
        raise TypeError(frame.kind)
    shape = stage.outline(frame)
    outline = path(shape)
    if frame.background is not None and not _hidden(stage, step):
        canvas.drawPath(outline, fill(frame.background))
    if step.inside:
        canvas.save()
        canvas.clipPath(outline, skia.ClipOp.kIntersect, True)
        for item in step.inside:
            if isinstance(item, Image):
                draw_image(canvas, stage, item, clipped=True)
            else:
                draw_effect(canvas, item, stage.filled(item), stage.scale, seen=stage.seen)
        canvas.restore()
    if frame.border.width:
        canvas.drawPath(path(_bordered(stage, frame, shape)), pen(frame.border, join=skia.Paint.kMiter_Join))
    for image in step.above:
        draw_image(canvas, stage, image, clipped=True)


def draw_lone_effect(canvas: Any, stage: Stage, effect: Effect) -> None:
    """Draw an effect outside its frame's own step; its frame still cuts it."""
    frame = stage.frame_of(effect)
    canvas.save()
    if frame is not None:
        canvas.clipPath(path(stage.outline(frame)), skia.ClipOp.kIntersect, True)
    draw_effect(canvas, effect, stage.filled(effect), stage.scale, seen=stage.seen)
    canvas.restore()


def _hidden(stage: Stage, step: Step) -> bool:
    """Whether the lowest picture covers the frame, so that no background may shimmer through at its edge."""
    if not step.inside or not isinstance(step.inside[0], Image):
        return False
    image = step.inside[0]
    picture = stage.picture(image.asset)
    if picture is None or not picture.opaque or image.opacity < MILLION or image.placement.transform.rotate:
        return False
    bounds, placed = stage.bounds(image), stage.placed(image)
    if placed is None:
        return False
    left, top, right, bottom = placed[0].around(*placed[1])
    spare = 1.0
    return (
        left <= bounds.x + spare
        and top <= bounds.y + spare
        and right >= bounds.right - spare
        and bottom >= bounds.bottom - spare
    )


def _bordered(stage: Stage, frame: Frame, shape: Shape) -> Shape:
    """The outline the border follows: where the frame bleeds, it runs outside of all that is ever printed."""
    if not frame.bleed or not isinstance(shape, Polygon):
        return shape
    edge, out = bleed_rect(stage.unit, stage.chapter.paper), frame.border.width

    def pushed(x: int, y: int) -> tuple[int, int]:
        return (
            x - out if x <= edge.x else x + out if x >= edge.right else x,
            y - out if y <= edge.y else y + out if y >= edge.bottom else y,
        )

    return Polygon(points=tuple(pushed(x, y) for x, y in shape.points))
