"""Painting the steps of a unit, whole or over layers that were kept from before."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from lantern_kit.comic.model import BANDS, Balloon, Band, Effect, Foreground, Frame, Image, Narration, Overlay, Rect
from lantern_kit.comic.render.balloon import draw_balloon, draw_caption
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.frame import draw_frame, draw_lone_effect
from lantern_kit.comic.render.ink import colour
from lantern_kit.comic.render.lettering import draw_text
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.placed import draw_foreground, draw_image, draw_overlay
from lantern_kit.comic.render.stage import Stage
from lantern_kit.comic.typeset.setting import set_text
from lantern_kit.imaging.picture import Pixels


def draw_step(canvas: Any, stage: Stage, step: Step) -> None:
    """Draw one step of the painting order on a canvas in page micrometres."""
    item = step.item
    if isinstance(item, Frame):
        draw_frame(canvas, stage, step)
    elif isinstance(item, Image):
        draw_image(canvas, stage, item, clipped=False)
    elif isinstance(item, Overlay):
        draw_overlay(canvas, stage, item)
    elif isinstance(item, Foreground):
        draw_foreground(canvas, stage, item)
    elif isinstance(item, Effect):
        draw_lone_effect(canvas, stage, item)
    else:
        if isinstance(item, Balloon):
            draw_balloon(canvas, item)
        elif isinstance(item, Narration):
            draw_caption(canvas, item)
        draw_text(canvas, set_text(item, fonts=stage.fonts), item.style)


def paint_pixels(stage: Stage, steps: tuple[Step, ...], part: Rect, width: int, height: int, *, opaque: bool) -> Pixels:
    """The finished pixels; with a cache, the page and the art under its lettering are kept by content."""
    if stage.cache is None or not stage.cache.layers:
        return straight_alpha(_paint(stage, steps, part, _blank(width, height), fresh=True), opaque=opaque)
    cut = next((place for place, step in enumerate(steps) if step.band in _LETTERING), len(steps))
    whole = _layer_key(stage, steps, part, width, height)
    held: _Layer | None = stage.cache.get(whole)
    if held is not None and held.still_shows(stage):
        return held.pixels
    art = _layer_key(stage, steps[:cut], part, width, height)
    under: _Layer | None = stage.cache.get(art) if 0 < cut < len(steps) else None
    if under is not None and under.still_shows(stage):
        pixels = under.pixels.copy()
    else:
        pixels = _paint(stage, steps[:cut], part, _blank(width, height), fresh=True)
        if 0 < cut < len(steps):
            _Layer.keep(stage, art, pixels.copy(), steps[:cut])
    finished = straight_alpha(_paint(stage, steps[cut:], part, pixels, fresh=False), opaque=opaque)
    _Layer.keep(stage, whole, finished, steps)
    return finished


_LETTERING = frozenset(BANDS[BANDS.index(Band.BALLOONS) :])


@dataclass(frozen=True, slots=True, eq=False)
class _Layer:
    """Pixels that show certain pictures."""

    pixels: Pixels
    pictures: tuple[tuple[str, Any], ...]

    def still_shows(self, stage: Stage) -> bool:
        return all(stage.picture(asset) is picture for asset, picture in self.pictures)

    @classmethod
    def keep(cls, stage: Stage, key: Hashable, pixels: Pixels, steps: tuple[Step, ...]) -> None:
        if stage.cache is not None:
            shown = tuple((asset, stage.picture(asset)) for asset in dict.fromkeys(_assets(stage, steps)))
            stage.cache.put(key, cls(pixels, shown), pixels.nbytes)


def _assets(stage: Stage, steps: Iterable[Step]) -> Iterable[str]:
    for step in steps:
        for item in (step.item, *step.inside, *step.above):
            if isinstance(item, Image | Overlay | Foreground):
                yield item.asset
            if isinstance(item, Foreground):
                yield stage.image_of(item).asset


def _layer_key(stage: Stage, steps: tuple[Step, ...], part: Rect, width: int, height: int) -> Hashable:
    unit, paper = stage.unit, stage.chapter.paper
    bound = tuple(stage.image_of(step.item) for step in steps if isinstance(step.item, Foreground))
    frames = tuple(
        frame
        for item in (*(step.item for step in steps), *bound)
        if isinstance(item, Image | Effect) and (frame := stage.frame_of(item)) is not None
    )
    sheet = (unit.id, unit.background, unit.surfaces, paper)
    return "layer", sheet, steps, bound, frames, (part, width, height, stage.scale), stage.fonts


def _blank(width: int, height: int) -> Pixels:
    return np.zeros((height, width, 4), np.uint8)


def _paint(stage: Stage, steps: Iterable[Step], part: Rect, pixels: Pixels, *, fresh: bool) -> Pixels:
    height, width, _ = pixels.shape
    info = skia.ImageInfo.Make(width, height, skia.kRGBA_8888_ColorType, skia.kPremul_AlphaType)
    surface = skia.Surface.MakeRasterDirect(info, pixels)
    canvas = surface.getCanvas()
    if fresh:
        canvas.clear(colour(stage.unit.background))
    canvas.scale(stage.scale, stage.scale)
    canvas.translate(-part.x, -part.y)
    for step in steps:
        draw_step(canvas, stage, step)
    return pixels


def straight_alpha(pixels: Pixels, *, opaque: bool) -> Pixels:
    """Straight alpha, and read-only."""
    if not opaque:
        alpha = pixels[..., 3:].astype(np.uint16)
        whole = np.maximum(alpha, 1)
        straight = np.minimum((pixels[..., :3] * np.uint16(255) + whole // 2) // whole, 255).astype(np.uint8)
        pixels = np.concatenate([straight, pixels[..., 3:]], axis=2)
    pixels.flags.writeable = False
    return pixels
