"""Numbered pins over a drawn page: where somebody points at it. They are drawn on a copy, never on the work."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from lantern_kit.comic.model import Point
from lantern_kit.comic.render.engine import canvas_on, skia
from lantern_kit.comic.render.ink import fill
from lantern_kit.comic.render.lettering import EM, glyph_path
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.typeset.fonts import packaged_fonts

INK, PAPER, LOST = "#c2185b", "#ffffff", "#6b7280"
RADIUS = 0.022
"""Of a pin, over the picture's longer side."""
SMALLEST = 9.0
"""Of its radius, in pixels."""
STEM = 2.4
"""From the point to the middle of its head, over the radius."""


@dataclass(frozen=True)
class Pin:
    """One place that is pointed at."""

    label: str
    """A number, as a rule."""
    at: Point
    """In page micrometres."""
    outline: tuple[Point, ...] = ()
    """Corners of what is meant, if it covers anything."""
    lost: bool = False
    """What was meant is gone: the pin is hollow and grey."""


def pinned(drawn: Rendered, pins: Sequence[Pin]) -> Rendered:
    """A drawn unit with pins on it; one outside the picture is moved to its edge."""
    if not pins:
        return drawn
    pixels = drawn.pixels.copy()
    if not drawn.opaque:  # laid on white, so that the pins are seen on any background
        alpha = pixels[..., 3:].astype(np.uint16)
        white = np.uint16(255) - alpha
        pixels[..., :3] = ((pixels[..., :3] * alpha + 255 * white) // 255).astype(np.uint8)
        pixels[..., 3] = 255
    canvas = canvas_on(pixels)
    radius = max(SMALLEST, RADIUS * max(drawn.width, drawn.height))
    for pin in pins:
        _outline(canvas, drawn, pin, radius)
    for pin in pins:
        _pin(canvas, drawn, pin, radius)
    pixels.flags.writeable = False
    return replace(drawn, pixels=pixels, opaque=True)


def _outline(canvas: Any, drawn: Rendered, pin: Pin, radius: float) -> None:
    if len(pin.outline) < 3:
        return
    points = [skia.Point(*drawn.page_to_pixel.map(*corner)) for corner in pin.outline]
    for colour, width in ((PAPER, radius / 3), (INK, radius / 7)):
        paint = fill(colour)
        paint.setStyle(skia.Paint.kStroke_Style)
        paint.setStrokeWidth(width)
        paint.setPathEffect(skia.DashPathEffect.Make([radius, radius / 2], 0.0))
        canvas.drawPath(skia.Path.Polygon(points, isClosed=True), paint)


def _pin(canvas: Any, drawn: Rendered, pin: Pin, radius: float) -> None:
    """A dot where it points and a numbered head beside it, so that neither hides what is meant."""
    x, y = drawn.page_to_pixel.map(*pin.at)
    x, y = min(max(x, 0.0), float(drawn.width)), min(max(y, 0.0), float(drawn.height))
    left = min(max(x, radius), drawn.width - radius)
    top = y - STEM * radius if y > (STEM + 1) * radius else y + STEM * radius
    colour = LOST if pin.lost else INK
    for shade, more in ((PAPER, 0.15), (colour, 0.0)):
        line = fill(shade)
        line.setStrokeWidth(radius * (0.2 + 2 * more))
        canvas.drawLine(x, y, left, top, line)
        canvas.drawCircle(x, y, radius * (0.3 + more), fill(shade))
        canvas.drawCircle(left, top, radius * (1 + more), fill(shade))
    if pin.lost:
        canvas.drawCircle(left, top, radius * 0.8, fill(PAPER))
    words = label_path(pin.label)
    box = words.computeTightBounds()
    size = 1.1 * radius / max(box.width(), box.height(), 1.0)
    matrix = skia.Matrix.MakeAll(size, 0, left - box.centerX() * size, 0, size, top - box.centerY() * size, 0, 0, 1)
    words.transform(matrix)
    canvas.drawPath(words, fill(colour if pin.lost else PAPER))


def label_path(text: str) -> Any:
    """A short text as an outline."""
    face = packaged_fonts().face("Noto Sans CJK JP", bold=True)
    made = skia.Path()
    pen = 0.0
    for character in text[:4]:
        glyph = face.glyph(ord(character))
        outline = skia.Path()
        glyph_path(face, glyph, 0.0, 0.0).transform(skia.Matrix.MakeAll(1, 0, pen, 0, 1, 0, 0, 0, 1), outline)
        made.addPath(outline)
        pen += (face.ink(glyph).right + 0.06) * EM
    if math.isclose(pen, 0.0):
        made.addCircle(0.0, 0.0, EM / 4)
    return made
