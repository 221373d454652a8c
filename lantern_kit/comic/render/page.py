"""A unit to pixels, from its document alone: the same bytes every time, on every machine."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from lantern_kit.comic.geometry import bleed_rect, trim
from lantern_kit.comic.model import Chapter, Lettering, Rect, Unit
from lantern_kit.comic.placement import MICROMETRES_PER_INCH, Affine
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.extent import drawn_objects
from lantern_kit.comic.render.ink import colour, is_opaque
from lantern_kit.comic.render.layers import paint_pixels
from lantern_kit.comic.render.order import paint_order
from lantern_kit.comic.render.painting import draw_step
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.render.stage import Pictures, Stage
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.kernel.errors import BadInput

MOST_PIXELS = 120_000_000
LONG_EDGE = 1_024


def render_unit(
    unit: Unit,
    chapter: Chapter,
    pictures: Pictures,
    *,
    long_edge: int | None = None,
    dpi: float | None = None,
    scale: float | None = None,
    rect: Rect | None = None,
    bleed: bool = False,
    fonts: Fonts | None = None,
    cache: RenderCache | None = None,
) -> Rendered:
    """Draw a unit.

    Args:
        unit: what to draw.
        chapter: the chapter it belongs to; its paper counts.
        pictures: asset id → its decoded picture, or None when there is none.
        long_edge: pixels of the longer side; the default, at 1024, when no size is given.
        dpi: pixels an inch of paper instead.
        scale: pixels a millimetre instead.
        rect: the part of the page to show, in page micrometres; None is the trim.
        bleed: show the bleed too, where no ``rect`` says otherwise.
        fonts: the fonts to use; None is those that come with the kit.
        cache: keeps prepared pictures and finished layers; None keeps nothing, and draws the same bytes.

    Raises:
        BadInput: more than one size, one below a pixel, or more than 120 million pixels.
    """
    fonts = fonts or packaged_fonts()
    part = rect or (bleed_rect(unit, chapter.paper) if bleed else trim(unit))
    factor = _scale(part, long_edge=long_edge, dpi=dpi, scale=scale)
    width, height = max(1, round(part.w * factor)), max(1, round(part.h * factor))
    if width * height > MOST_PIXELS:
        raise BadInput(
            "the picture would be too large",
            expected=f"at most {MOST_PIXELS // 1_000_000} million pixels",
            found=f"{width:,} × {height:,}",
            ids=[unit.id],
            recovery="Ask for fewer dpi, or for a part of the page.",
        )
    stage = Stage(unit, chapter, pictures, fonts, cache, factor)
    steps = paint_order(unit)
    opaque = is_opaque(unit.background)
    pixels = paint_pixels(stage, steps, part, width, height, opaque=opaque)
    view = Affine(factor, 0.0, 0.0, factor, -part.x * factor, -part.y * factor)
    return Rendered(
        unit=unit.id,
        pixels=pixels,
        opaque=opaque,
        scale=factor,
        visible=(float(part.x), float(part.y), width / factor, height / factor),
        objects=tuple(drawn_objects(stage, steps, view, width, height)),
        missing=tuple(stage.missing),
        unknown_fonts=tuple(dict.fromkeys(_unknown(unit, fonts))),
    )


def record_unit(
    unit: Unit,
    chapter: Chapter,
    pictures: Pictures,
    *,
    scale: float,
    fonts: Fonts | None = None,
    cache: RenderCache | None = None,
) -> Any:
    """A unit as a recorded skia picture in page micrometres, bleed included, to be played back at any place.

    Args:
        unit: what to draw.
        chapter: its chapter.
        pictures: asset id → decoded picture or None.
        scale: pixels a millimetre it is meant for; pictures are prepared for that size.
        fonts: the fonts to use; None is those that come with the kit.
        cache: keeps prepared pictures.
    """
    stage = Stage(unit, chapter, pictures, fonts or packaged_fonts(), cache, scale / 1_000, recording=True)
    area = bleed_rect(unit, chapter.paper)
    recorder = skia.PictureRecorder()
    canvas = recorder.beginRecording(skia.Rect.MakeXYWH(area.x, area.y, area.w, area.h))
    canvas.drawColor(colour(unit.background), skia.BlendMode.kSrc)
    for step in paint_order(unit):
        draw_step(canvas, stage, step)
    return recorder.finishRecordingAsPicture()


def _scale(part: Rect, *, long_edge: int | None, dpi: float | None, scale: float | None) -> float:
    """Pixels a micrometre."""
    asked: dict[str, Any] = {"long_edge": long_edge, "dpi": dpi, "scale": scale}
    given = {name: value for name, value in asked.items() if value is not None}
    if len(given) > 1:
        raise BadInput("a size is asked for once", expected="long_edge, dpi or scale", found=sorted(given))
    name, value = next(iter(given.items()), ("long_edge", LONG_EDGE))
    number = isinstance(value, int | float) and not isinstance(value, bool)
    if not (number and math.isfinite(value) and value > 0):
        raise BadInput(f"{name} is a number above 0", expected="a number above 0", found=repr(value)[:40])
    if name == "long_edge":
        return value / max(part.w, part.h)
    return value / MICROMETRES_PER_INCH if name == "dpi" else value / 1_000


def _unknown(unit: Unit, fonts: Fonts) -> Iterable[str]:
    for item in unit.objects:
        if isinstance(item, Lettering):
            unknown = fonts.choice(item.style).unknown
            if unknown:
                yield unknown
