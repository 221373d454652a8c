"""Pictures side by side with a line under each, and colours below: an entry of the library at one look."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np

from lantern_kit.comic.layout.template import Template
from lantern_kit.comic.model import MILLION
from lantern_kit.comic.render.engine import canvas_on, skia
from lantern_kit.comic.render.ink import fill
from lantern_kit.comic.render.lettering import EM, glyph_path
from lantern_kit.comic.typeset.fonts import packaged_fonts
from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.scale import fitted

GAP = 12
"""Pixels between pictures and round them."""
PAPER, INK = "#f4f4f2", "#1c1c1c"
LINE = 0.055
"""Height of a line of words over a picture's room."""
SMALLEST, LARGEST = 11, 26
"""Of that height, in pixels."""


@dataclass(frozen=True)
class Captioned:
    """A picture and the line under it."""

    picture: Picture
    caption: str


def reference_sheet(pictures: Sequence[Captioned], palette: Sequence[str] = (), *, edge: int) -> Picture:
    """Pictures in rows, each as large as its room and no larger than it is, with their lines, and a row of colours.

    Args:
        pictures: at least one, or a colour.
        palette: ``#rrggbb``, written under each.
        edge: pixels of the sheet's width; it is as high as it must be.
    """
    across = max(1, ceil(sqrt(len(pictures))))
    room = max(16, (edge - GAP * (across + 1)) // across)
    line = round(min(max(room * LINE, SMALLEST), LARGEST))
    drawn = [fitted(item.picture, room) for item in pictures]
    rows = [range(start, min(start + across, len(drawn))) for start in range(0, len(drawn), across)]
    heights = [max(drawn[place].height for place in row) + 2 * line for row in rows]
    swatches = 4 * line if palette else 0
    pixels = np.empty((GAP + sum(heights) + GAP * len(rows) + swatches, edge, 4), np.uint8)
    canvas = canvas_on(pixels)
    canvas.clear(skia.ColorSetARGB(255, *bytes.fromhex(PAPER[1:])))
    top = GAP
    for row, height in zip(rows, heights, strict=True):
        for column, place in enumerate(row):
            picture, left = drawn[place], GAP + column * (room + GAP)
            _lay(pixels, picture, left, top)
            _write(canvas, pictures[place].caption, left, top + picture.height + line * 1.3, line, room)
        top += height + GAP
    if palette:
        wide = (edge - GAP) // len(palette) - GAP
        for place, colour in enumerate(palette):
            left = GAP + place * (wide + GAP)
            canvas.drawRect(skia.Rect.MakeXYWH(left, top, wide, 2 * line), fill(colour))
            _write(canvas, colour, left, top + 3.2 * line, line, wide)
    return Picture.of(pixels, opaque=True)


def layout_sheet(template: Template, *, edge: int) -> Picture:
    """A page template drawn: its slots as they lie, numbered as they are read, on a page of A4's proportions."""
    pages = 2 if template.sheet == "spread" else 1
    high = edge if pages == 1 else round(edge / 2 * 297 / 210)
    wide = round(high * 210 / 297) * pages
    margin = round(high * 0.05)
    pixels = np.empty((high, wide, 4), np.uint8)
    canvas = canvas_on(pixels)
    canvas.clear(skia.ColorSetARGB(255, *bytes.fromhex(PAPER[1:])))
    pen = fill(INK)
    pen.setStyle(skia.Paint.kStroke_Style)
    pen.setStrokeWidth(max(1.5, high / 300))
    page = wide / pages
    for number, slot in enumerate(template.slots, 1):
        of = "both" if pages == 1 else slot.page
        left, width = {"first": (0.0, page), "second": (page, page), "both": (0.0, float(wide))}[of]
        points = [
            (left + margin + x / MILLION * (width - 2 * margin), margin + y / MILLION * (high - 2 * margin))
            for x, y in slot.points
        ]
        outline = skia.Path.Polygon([skia.Point(x, y) for x, y in points], isClosed=True)
        canvas.drawPath(outline, fill("#ffffff"))
        canvas.drawPath(outline, pen)
        middle, centre = (sum(axis) / len(points) for axis in zip(*points, strict=True))
        size = high / 22
        _write(canvas, str(number), middle - size / 3, centre + size / 3, size, size * 2)
    return Picture.of(pixels, opaque=True)


def _lay(pixels: Any, picture: Picture, left: int, top: int) -> None:
    """Lay a picture with straight alpha on opaque ground."""
    ground = pixels[top : top + picture.height, left : left + picture.width]
    share = picture.pixels[..., 3:].astype(np.uint16)
    mixed = (picture.pixels[..., :3] * share + ground[..., :3] * (255 - share) + 127) // 255
    ground[..., :3] = mixed.astype(np.uint8)


def _write(canvas: Any, words: str, left: float, base: float, size: float, room: float) -> None:
    """A line of words, cut off where there is no more room."""
    face = packaged_fonts().face("Noto Sans CJK JP")
    pen = 0.0
    for character in words:
        glyph = face.glyph(ord(character))
        step = face.advance(glyph) * size
        if pen + step > room:
            return
        outline = skia.Path()
        matrix = skia.Matrix.MakeAll(size / EM, 0, left + pen, 0, size / EM, base, 0, 0, 1)
        glyph_path(face, glyph, 0.0, 0.0).transform(matrix, outline)
        canvas.drawPath(outline, fill(INK))
        pen += step
