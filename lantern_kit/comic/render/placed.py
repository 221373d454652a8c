"""Placed pictures drawn: images, overlays and bound foregrounds, and what stands in for a picture that is not there."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.model import MILLION, Align, Foreground, Image, Overlay, Placement, Rect, Stroke, Text, TextStyle
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.ink import fill, path, pen, skia_matrix
from lantern_kit.comic.render.lettering import draw_text
from lantern_kit.comic.render.picture import draw_picture
from lantern_kit.comic.render.proxy import Proxy
from lantern_kit.comic.render.stage import Stage, placed_quad
from lantern_kit.comic.typeset.setting import set_text

HATCH = 2_400
"""Distance of the lines in a stand-in, in micrometres."""
LABEL = TextStyle(font="sans", size=2_600, smallest=300, bold=True, colour="#8a4b3c", align=Align.CENTRE)


def draw_image(canvas: Any, stage: Stage, image: Image, *, clipped: bool) -> None:
    """Draw an image; ``clipped`` says that the canvas is already cut to its frame."""
    frame = stage.frame_of(image)
    canvas.save()
    if frame is not None and image.clip and not clipped:
        canvas.clipPath(path(stage.outline(frame)), skia.ClipOp.kIntersect, True)
    _draw(
        canvas, stage, image.id, image.asset, image.placement, stage.bounds(image), image.opacity, boxed=frame is None
    )
    canvas.restore()


def draw_overlay(canvas: Any, stage: Stage, overlay: Overlay) -> None:
    """Draw a free paper object."""
    bounds = stage.bounds(overlay)
    _draw(canvas, stage, overlay.id, overlay.asset, overlay.placement, bounds, overlay.opacity, boxed=True)


def draw_foreground(canvas: Any, stage: Stage, foreground: Foreground) -> None:
    """Draw a bound breakout through its image's own placement, past the frame."""
    image = stage.image_of(foreground)
    picture = stage.picture(foreground.asset)
    bounds = stage.bounds(image)
    if picture is not None:
        _draw(canvas, stage, foreground.id, foreground.asset, image.placement, bounds, image.opacity, boxed=False)
        return
    placed = stage.placed(foreground)
    if placed is not None:
        # Only an outline stands in, so that the image it belongs to stays visible.
        outline = skia.Path.Rect(skia.Rect.MakeLTRB(*placed[1]))
        outline.transform(skia_matrix(placed[0]))
        canvas.drawPath(outline, pen(Stroke(width=500, colour=LABEL.colour, dash=(1_500, 1_000))))


def _draw(
    canvas: Any, stage: Stage, item: str, asset: str, placement: Placement, bounds: Rect, opacity: int, *, boxed: bool
) -> None:
    picture = stage.picture(asset)
    placed = placed_quad(placement, bounds, picture, boxed=boxed)
    if placed is None:
        return
    matrix, window = placed
    if picture is None:
        canvas.save()
        canvas.concat(skia_matrix(matrix))
        draw_stand_in(canvas, stage, item, asset, placement.box or bounds)
        canvas.restore()
    elif isinstance(picture, Proxy):
        picture.draw(canvas, matrix, window, scale=stage.scale, opacity=opacity / MILLION)
    else:
        draw_picture(
            canvas,
            picture,
            matrix,
            window,
            scale=stage.scale,
            opacity=opacity,
            cache=stage.cache,
            recording=stage.recording,
        )


def draw_stand_in(canvas: Any, stage: Stage, item: str, asset: str, box: Rect) -> None:
    """A hatched box with the asset's id, where a picture is missing."""
    area = skia.Rect.MakeXYWH(box.x, box.y, box.w, box.h)
    canvas.save()
    canvas.clipRect(area, skia.ClipOp.kIntersect, True)
    canvas.drawRect(area, fill("#f3e9e2"))
    lines = skia.Path()
    for offset in range(0, box.w + box.h, HATCH):
        lines.moveTo(box.x + offset, box.y)
        lines.lineTo(box.x + offset - box.h, box.bottom)
    canvas.drawPath(lines, pen(Stroke(width=280, colour="#ddc3b6")))
    canvas.drawRect(area, pen(Stroke(width=1_000, colour="#ddc3b6")))
    wide, tall = min(box.w, 32_000), min(box.h, 9_000)
    label = Text(
        id=item,
        parent=stage.unit.id,
        box=Rect(x=box.x + (box.w - wide) // 2, y=box.y + (box.h - tall) // 2, w=wide, h=tall),
        text=f"no picture\n{asset}",
        style=LABEL,
    )
    words = set_text(label, fonts=stage.fonts)
    ink = words.ink
    if ink is not None:
        plate = skia.Rect.MakeXYWH(ink.x - 900, ink.y - 900, ink.w + 1_800, ink.h + 1_800)
        canvas.drawRect(plate, fill("#f3e9e2"))
    draw_text(canvas, words, LABEL)
    canvas.restore()
