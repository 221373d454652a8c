"""Any part of a unit, pixel for pixel as it stands in the whole.

Skia's coverage of an edge depends on the bounds of the clip that holds while it is drawn: a long edge is cut to them
before it is stepped along. So a part is not drawn on a small canvas. It is drawn on one as large as the whole, of which
only the part's memory is ever touched, through a clip that has the part as its area and the whole as its bounds: beside
the part it lets through a few pixels, the anchors, at the corners of the canvas and at the extremes of every outline
that cuts something off.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lantern_kit.comic.geometry import Dot, Edges, bleed_rect, outline_points, spanning
from lantern_kit.comic.model import Chapter, Effect, Frame, Image, Overlay, Rect, Unit
from lantern_kit.comic.render.area import Area, covered, meet
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.engine import canvas_on, skia
from lantern_kit.comic.render.extent import SPARE, reach
from lantern_kit.comic.render.ink import colour, is_opaque
from lantern_kit.comic.render.key import Key, step_key
from lantern_kit.comic.render.order import Step, paint_order
from lantern_kit.comic.render.overlap import corners, overlap
from lantern_kit.comic.render.page import MOST_PIXELS
from lantern_kit.comic.render.painting import draw_step
from lantern_kit.comic.render.stage import Pictures, Stage
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.imaging.alpha import straight_alpha
from lantern_kit.imaging.picture import Pixels
from lantern_kit.kernel.errors import BadInput

ANCHOR = 2
"""Pixels round the one that an anchor is at: a corner's own pixel may be covered too little to count."""
WINDOW = 8_192
"""Side of the canvas for a part of a whole that is too large to be one."""


@dataclass(frozen=True, slots=True)
class _Placed:
    """A step, and where it is drawn, in page micrometres."""

    step: Step
    reach: Edges
    cuts: tuple[tuple[Dot, ...], ...]
    """The outlines that cut off what it draws."""


class PartPainter:
    """Paints parts of one unit at any scale.

    Args:
        unit: what to draw.
        chapter: its chapter; the paper's bleed counts.
        pictures: asset id → what is drawn of it, or None when there is none.
        area: what the whole is, in page micrometres; None is the trim with its bleed.
        fonts: the fonts to use; None is those that come with the kit.
        cache: keeps pictures prepared for their size.
    """

    def __init__(
        self,
        unit: Unit,
        chapter: Chapter,
        pictures: Pictures,
        *,
        area: Rect | None = None,
        fonts: Fonts | None = None,
        cache: RenderCache | None = None,
    ) -> None:
        self.area = area or bleed_rect(unit, chapter.paper)
        self.opaque = is_opaque(unit.background)
        self._unit = unit
        self._chapter = chapter
        self._pictures = pictures
        self._fonts = fonts or packaged_fonts()
        self._cache = cache
        self._stages: dict[float, Stage] = {}
        self._shown: dict[tuple[float, Area], Key] = {}

    @property
    def missing(self) -> tuple[str, ...]:
        """Assets whose picture was not there when something was painted; a stand-in is."""
        return tuple(dict.fromkeys(asset for stage in self._stages.values() for asset in stage.missing))

    def size(self, scale: float) -> tuple[int, int]:
        """Width and height of the whole in pixels, at ``scale`` pixels a millimetre."""
        factor = scale / 1_000
        return max(1, round(self.area.w * factor)), max(1, round(self.area.h * factor))

    def paint(self, scale: float, left: int, top: int, width: int, height: int) -> Pixels:
        """Part of the picture that ``render_unit`` gives of the whole at that scale, straight alpha, read-only.

        Args:
            scale: pixels a millimetre.
            left, top, width, height: the part, in pixels of the whole.

        Raises:
            BadInput: the part is empty, or not inside the whole.
        """
        whole = self._checked(scale, left, top, width, height)
        stage = self._stage(scale / 1_000)
        x, y, across, down = _window(whole, left, top, width, height)
        canvas_pixels = np.zeros((down, across, 4), np.uint8)  # the system gives it piece by piece, as it is touched
        canvas = canvas_on(canvas_pixels)
        part = (left - x, top - y, left - x + width, top - y + height)
        seen = self._seen(stage, (x, y), part)
        canvas.clipRegion(self._clip(stage, seen, part, (x, y, across, down)))
        canvas.clear(colour(self._unit.background))
        canvas.translate(-x, -y)
        canvas.scale(stage.scale, stage.scale)
        canvas.translate(-self.area.x, -self.area.y)
        shown = replace(stage, seen=self._rect(stage.scale, left, top, width, height))
        for item in seen:
            draw_step(canvas, shown, item.step)
        own = canvas_pixels[part[1] : part[3], part[0] : part[2]].copy()
        return straight_alpha(own, opaque=self.opaque)

    def shows(self, scale: float, left: int, top: int, width: int, height: int) -> Hashable:
        """All that says how a part looks: of two parts for which it is equal, whatever was edited, so are the pixels.

        Raises:
            BadInput: as of :meth:`paint`.
        """
        whole = self._checked(scale, left, top, width, height)
        part = (left, top, left + width, top + height)
        key = (scale, part)
        found = self._shown.get(key)
        if found is None:
            stage = self._stage(scale / 1_000)
            drawn = tuple(step_key(stage, item.step) for item in self._seen(stage, (0, 0), part))
            unit = self._unit
            ground = (unit.id, unit.background, unit.surfaces, self._chapter.paper, self.area, self._fonts)
            found = self._shown[key] = Key(whole, key, ground, drawn)
        return found

    # parts

    def _checked(self, scale: float, left: int, top: int, width: int, height: int) -> tuple[int, int]:
        """The size of the whole. Raises BadInput where a part is not inside."""
        whole = self.size(scale)
        if not (0 <= left < left + width <= whole[0] and 0 <= top < top + height <= whole[1]):
            raise BadInput(
                "there is no such part of the page",
                expected=f"inside {whole[0]} × {whole[1]} pixels",
                found=f"{width} × {height} at {left}, {top}",
                ids=[self._unit.id],
            )
        return whole

    def _seen(self, stage: Stage, origin: tuple[int, int], part: Area) -> list[_Placed]:
        """What a part shows, in pixels of a canvas that begins at ``origin``."""
        return [item for item in self._placed if meet(covered(self._pixels(stage, item.reach, *origin), SPARE), part)]

    def _stage(self, factor: float) -> Stage:
        found = self._stages.get(factor)
        if found is None:
            found = self._stages[factor] = Stage(
                self._unit, self._chapter, self._pictures, self._fonts, self._cache, factor
            )
        return found

    @cached_property
    def _placed(self) -> tuple[_Placed, ...]:
        stage = Stage(self._unit, self._chapter, self._pictures, self._fonts, self._cache, 1 / 1_000)
        found = []
        for step in paint_order(self._unit):
            edges = reach(stage, step)
            if edges is not None:
                found.append(_Placed(step, edges, tuple(tuple(cut) for cut in _cuts(stage, step) if cut)))
        return tuple(found)

    def _rect(self, scale: float, left: int, top: int, width: int, height: int) -> Rect:
        """Pixels of the whole in page micrometres."""
        x, y = math.floor(left / scale), math.floor(top / scale)
        right, bottom = math.ceil((left + width) / scale), math.ceil((top + height) / scale)
        return spanning(self.area.x + x, self.area.y + y, self.area.x + right, self.area.y + bottom)

    def _pixels(self, stage: Stage, edges: Edges, x: int, y: int) -> Edges:
        """Page micrometres in pixels of the canvas."""
        left, top, right, bottom = edges
        return (
            (left - self.area.x) * stage.scale - x,
            (top - self.area.y) * stage.scale - y,
            (right - self.area.x) * stage.scale - x,
            (bottom - self.area.y) * stage.scale - y,
        )

    def _clip(self, stage: Stage, seen: Sequence[_Placed], part: Area, canvas: Area) -> Any:
        x, y, across, down = canvas
        frame = corners((0.0, 0.0, float(across), float(down)))
        anchors = {(0, 0), (across - 1, down - 1)}
        for cut in {cut for item in seen for cut in item.cuts}:
            mapped = [((px - self.area.x) * stage.scale - x, (py - self.area.y) * stage.scale - y) for px, py in cut]
            anchors.update(_extremes(overlap(mapped, frame), across, down))
        clip = skia.Region(skia.IRect.MakeLTRB(*part))
        for px, py in anchors:
            spot = skia.IRect.MakeLTRB(
                max(0, px - ANCHOR), max(0, py - ANCHOR), min(across, px + ANCHOR + 1), min(down, py + ANCHOR + 1)
            )
            if not clip.contains(spot):
                clip.op(spot, skia.Region.kUnion_Op)
        return clip


def _window(whole: tuple[int, int], left: int, top: int, width: int, height: int) -> Area:
    """The canvas of a part: the whole, or of one that is too large a window that depends on the part's place alone."""
    if whole[0] * whole[1] <= MOST_PIXELS:
        return 0, 0, *whole
    x, y = left - left % WINDOW, top - top % WINDOW
    return (
        x,
        y,
        min(whole[0], max(x + WINDOW, left + width)) - x,
        min(whole[1], max(y + WINDOW, top + height)) - y,
    )


def _extremes(outline: Sequence[Dot], across: int, down: int) -> Iterator[tuple[int, int]]:
    """Pixels at the ends of an outline in each direction."""
    if not outline:
        return
    ends = (
        min(outline),
        max(outline),
        min(outline, key=lambda at: (at[1], at[0])),
        max(outline, key=lambda at: (at[1], at[0])),
    )
    for x, y in ends:
        yield min(across - 1, max(0, math.floor(x))), min(down - 1, max(0, math.floor(y)))


def _cuts(stage: Stage, step: Step) -> Iterator[Sequence[Dot]]:
    """The outlines that hold as clips while a step is drawn."""
    item = step.item
    frame = item if isinstance(item, Frame) else step.frame
    outline: Sequence[Dot] | None = None
    if frame is None and isinstance(item, Image | Effect):
        frame = stage.frame_of(item)
    if frame is not None:
        outline = outline_points(stage.outline(frame))
        yield outline
    for inner in (item, *step.inside, *step.above):
        cut = _own_cut(stage, inner)
        if cut is None:
            continue
        free = outline is None or inner in step.above or (isinstance(inner, Image) and not inner.clip)
        yield cut if free else overlap(outline or (), cut)


def _own_cut(stage: Stage, item: Any) -> Sequence[Dot] | None:
    """What cuts an object off by itself: an effect's box, the box of a picture that is not there."""
    if isinstance(item, Effect):
        box = stage.filled(item)
        return corners((box.x, box.y, box.right, box.bottom))
    if not isinstance(item, Image | Overlay) or stage.picture(item.asset) is not None:
        return None
    placed = stage.placed(item)
    return None if placed is None else placed[0].quad(*placed[1])
