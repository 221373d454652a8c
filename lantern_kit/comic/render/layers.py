"""Finished pages that are kept, and painted again only where something has changed.

Of a page two layers are kept: the art, and the page with its lettering. When some steps change, the areas that they
covered and cover now are laid bare, grown until no step lies across an edge of theirs, and everything in them is drawn
again, in order and without any clip. So each pixel sees the very calls that it sees when the whole is painted, and has
the same value to the last bit.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from lantern_kit.comic.model import BANDS, Band, Rect
from lantern_kit.comic.render.area import Area, closed, covered, meet, within
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.engine import canvas_on
from lantern_kit.comic.render.extent import SPARE, reach
from lantern_kit.comic.render.ink import colour
from lantern_kit.comic.render.key import step_key
from lantern_kit.comic.render.order import Step
from lantern_kit.comic.render.painting import draw_step
from lantern_kit.comic.render.stage import Stage
from lantern_kit.imaging.alpha import straight_alpha
from lantern_kit.imaging.picture import Pixels

KEPT_SHARE = 4
"""A page is kept when its layers take no more than this part of the cache: a print is drawn once, and would only push
the pictures out."""
_LETTERING = frozenset(BANDS[BANDS.index(Band.BALLOONS) :])


def paint_pixels(stage: Stage, steps: tuple[Step, ...], part: Rect, width: int, height: int, *, opaque: bool) -> Pixels:
    """The finished pixels of a part of a unit, straight alpha, read-only.

    Args:
        stage: with a cache that keeps layers, only what has changed since the same part was last painted is drawn.
        steps: what is drawn, in order.
        part: in page micrometres.
        width, height: in pixels.
        opaque: whether the paper is.
    """
    ground = _Ground(stage, part, width, height)
    drawings = [_Drawing(ground, step) for step in steps]
    cache = ground.keeper
    if cache is None:
        pixels = ground.bare()
        ground.draw(pixels, drawings)
        return straight_alpha(pixels, opaque=opaque)
    held: _Kept | None = cache.get(ground.key)
    made = _Layers.first(ground, drawings) if held is None else _Layers.again(ground, drawings, held.layers)
    if held is not None and made is held.layers:
        return held.shown
    kept = _Kept(made, straight_alpha(made.page, opaque=opaque))
    cache.put(ground.key, kept, kept.size)
    return kept.shown


@dataclass(frozen=True, eq=False)
class _Ground:
    """What is painted on: one part of one unit at one size."""

    stage: Stage
    part: Rect
    width: int
    height: int

    @property
    def keeper(self) -> RenderCache | None:
        """Where its layers are kept, if anywhere."""
        cache = self.stage.cache
        large = cache is not None and 2 * 4 * self.width * self.height > cache.limit // KEPT_SHARE
        return cache if cache is not None and cache.layers and not large else None

    @property
    def key(self) -> Hashable:
        """All that holds for every step alike."""
        unit, stage = self.stage.unit, self.stage
        paper = (unit.id, unit.background, unit.surfaces, stage.chapter.paper)
        return "page", paper, (self.part, self.width, self.height, stage.scale), stage.fonts

    @cached_property
    def paper(self) -> Pixels:
        """A premultiplied pixel of the paper."""
        pixel = np.zeros((1, 1, 4), np.uint8)
        canvas_on(pixel).clear(colour(self.stage.unit.background))
        found: Pixels = pixel[0, 0]
        return found

    def bare(self) -> Pixels:
        """Premultiplied pixels of the paper alone."""
        pixels = np.zeros((self.height, self.width, 4), np.uint8)
        canvas_on(pixels).clear(colour(self.stage.unit.background))
        return pixels

    def draw(self, pixels: Pixels, drawings: Sequence[_Drawing], areas: Sequence[Area] | None = None) -> None:
        """Draw what is seen; with ``areas``, what is seen of it there."""
        canvas = canvas_on(pixels)
        canvas.scale(self.stage.scale, self.stage.scale)
        canvas.translate(-self.part.x, -self.part.y)
        for drawing in drawings:
            area = drawing.area
            if area is not None and (areas is None or any(meet(area, other) for other in areas)):
                draw_step(canvas, self.stage, drawing.step)


class _Drawing:
    """A step of a page, with all that it is drawn from."""

    def __init__(self, ground: _Ground, step: Step) -> None:
        self._ground = ground
        self.step = step
        self.key = step_key(ground.stage, step)

    @property
    def id(self) -> str:
        """Of the step's object."""
        return self.step.item.id

    @cached_property
    def area(self) -> Area | None:
        """The pixels it may cover; None when it is not seen."""
        ground = self._ground
        edges = reach(ground.stage, self.step)
        if edges is None:
            return None
        scale, x, y = ground.stage.scale, ground.part.x, ground.part.y
        left, top, right, bottom = edges
        pixels = (left - x) * scale, (top - y) * scale, (right - x) * scale, (bottom - y) * scale
        return within(covered(pixels, SPARE), ground.width, ground.height)


@dataclass(frozen=True, slots=True, eq=False)
class _Layers:
    """A page as it was painted: premultiplied pixels."""

    art: Pixels
    """What lies under the lettering."""
    page: Pixels
    below: Sequence[_Drawing]
    """What was drawn of the art, in order."""
    above: Sequence[_Drawing]
    """What was drawn over it."""

    @classmethod
    def first(cls, ground: _Ground, drawings: Sequence[_Drawing]) -> _Layers:
        """A page that was never painted before."""
        below, above = _halves(drawings)
        art = ground.bare()
        ground.draw(art, below)
        page = art.copy() if above else art
        ground.draw(page, above)
        return cls(art, page, below, above)

    @classmethod
    def again(cls, ground: _Ground, drawings: Sequence[_Drawing], held: _Layers) -> _Layers:
        """A page that was painted before, when some of it was other than now; ``held`` itself when nothing was."""
        below, above = _halves(drawings)
        under, over = _changed(held.below, below), _changed(held.above, above)
        if not under and not over:
            return held
        art = held.art
        spoilt = closed(under, _areas(below))
        if spoilt:
            art = art.copy()
            for left, top, right, bottom in spoilt:
                art[top:bottom, left:right] = ground.paper
            ground.draw(art, below, spoilt)
        spoilt = closed([*spoilt, *over], _areas(above))
        page = held.page.copy()
        for left, top, right, bottom in spoilt:
            page[top:bottom, left:right] = art[top:bottom, left:right]
        ground.draw(page, above, spoilt)
        return cls(art, page, below, above)


@dataclass(frozen=True, slots=True, eq=False)
class _Kept:
    """A page in the cache."""

    layers: _Layers
    shown: Pixels
    """The page as it is given out: straight alpha."""

    @property
    def size(self) -> int:
        """Bytes held."""
        each = {id(pixels): pixels.nbytes for pixels in (self.layers.art, self.layers.page, self.shown)}
        return sum(each.values())


def _halves(drawings: Sequence[_Drawing]) -> tuple[Sequence[_Drawing], Sequence[_Drawing]]:
    cut = next((place for place, item in enumerate(drawings) if item.step.band in _LETTERING), len(drawings))
    return drawings[:cut], drawings[cut:]


def _areas(drawings: Sequence[_Drawing]) -> list[Area]:
    return [drawing.area for drawing in drawings if drawing.area is not None]


def _changed(before: Sequence[_Drawing], after: Sequence[_Drawing]) -> list[Area]:
    """The areas of what came, went, changed or moved past others in the order of drawing."""
    places = {drawing.id: place for place, drawing in enumerate(before)}
    same = [drawing for drawing in after if drawing.id in places and before[places[drawing.id]].key == drawing.key]
    stayed = {same[place].id for place in _rising([places[drawing.id] for drawing in same])}
    return _areas([drawing for drawing in (*before, *after) if drawing.id not in stayed])


def _rising(numbers: Sequence[int]) -> list[int]:
    """The places of a longest rising row among different numbers."""
    ends: list[int] = []
    last: list[int] = []
    way: list[int] = []
    for place, number in enumerate(numbers):
        length = bisect_left(ends, number)
        way.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [number]
        last[length : length + 1] = [place]
    found = []
    at = last[-1] if last else -1
    while at >= 0:
        found.append(at)
        at = way[at]
    return found
