"""Comparisons as pictures: what changed in colour on a faded page, and regions before and after beside each other.

The colours are three of Okabe and Ito's (2008), which people who see fewer colours tell apart too; what is gone is
striped as well, so that it is known even in grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from lantern_kit.comic.render.engine import canvas_on, skia
from lantern_kit.comic.render.ink import fill
from lantern_kit.comic.render.pins import label_path
from lantern_kit.comic.render.regions import Mask
from lantern_kit.imaging.alpha import laid
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from lantern_kit.comic.render.area import Area
    from lantern_kit.comic.render.compare import Comparison, Region
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.comic.render.weighing import Place

ALTERED, COME, GONE = (240, 228, 66), (0, 114, 178), (213, 94, 0)
FADED = 0.38
"""What is left of the page's own contrast."""
PLAIN = 20.0
"""A difference from which on the colour is at its full strength."""
LEAST = 0.6
"""Of its strength for the slightest difference."""
NO_PAPER = 176
GAP = 10
"""Pixels between pictures that stand beside each other."""
SHOWN = 4
"""Regions beside each other when none are named."""
FINEST = 0.024
"""Pixels a micrometre at most: some 600 dpi."""
INK, PAPER = "#16181d", "#ffffff"
DARK, BRIGHT = 0.45, 0.25
"""A colour's shade for black, and how far towards white it goes for white."""
Colour = tuple[int, int, int]
_FADE = (255 - (255 - np.arange(256)) * FADED).astype(np.uint8)


def difference_picture(found: Comparison, *, numbered: bool) -> Picture:
    """The page after, faded, with what changed in colour; what is gone shows through its stripes."""
    changed = found.changed
    was, now = _grey(found.before, changed), _grey(found.after, changed)
    grey = was if found.after is None else now
    pixels = np.empty((*changed.shape, 4), np.uint8)
    pixels[..., :3] = _FADE[grey][..., None]
    pixels[..., 3] = 255
    for which, colour, ghost, inked in _tones(found, was, now):
        _tint(pixels, which, colour, found, was if inked and ghost else grey, was if ghost and not inked else None)
    if numbered:
        _number(pixels, [(str(region.number), region.pixels) for region in found.regions])
    return Picture.of(pixels, opaque=True)


def _tones(found: Comparison, was: Pixels, now: Pixels) -> Iterator[tuple[Mask, Colour, bool, bool]]:
    """Which pixels are printed in which colour; whether what was is shown; whether it is words on their ground."""
    changed = found.changed
    if found.before is None or found.after is None:
        yield changed, (GONE if found.after is None else COME), False, False
        return
    left, came = _mask(changed, found.weighed.gone), _mask(changed, found.weighed.come)
    gone, come = changed & left & ~came, changed & came & ~left
    words, written = np.zeros_like(changed), np.zeros_like(changed)
    for ((left_edge, top, right, bottom), seen), ground in found.weighed.lettered:
        part = np.s_[top:bottom, left_edge:right]
        both = changed[part] & seen & ~gone[part] & ~come[part]
        level = np.int16(_luma(np.array([[_rgb(ground)]], np.uint8))[0, 0])
        fresh = np.abs(now[part].astype(np.int16) - level) > np.abs(was[part].astype(np.int16) - level)
        words[part] |= both & ~fresh
        written[part] |= both & fresh
    yield changed & ~gone & ~come & ~words & ~written, ALTERED, False, False
    yield come, COME, False, False
    yield gone, GONE, True, False
    yield words, GONE, True, True
    yield written, COME, False, True


def _rgb(colour: str) -> tuple[int, int, int]:
    red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
    return red, green, blue


def _mask(like: Mask, places: Iterable[Place]) -> Mask:
    """All of some places as one."""
    made = np.zeros_like(like)
    for (left, top, right, bottom), part in places:
        made[top:bottom, left:right] |= part
    return made


def _grey(drawn: Rendered | None, like: Mask) -> Pixels:
    """Lightness of a page; a middle grey where there is no paper."""
    if drawn is None:
        return np.full(like.shape, NO_PAPER, np.uint8)
    return _luma(drawn.pixels if drawn.opaque else laid(drawn.pixels, NO_PAPER))


def _luma(colours: Pixels) -> Pixels:
    total = colours[..., 0] * np.uint16(54)
    total += colours[..., 1] * np.uint16(183)
    total += colours[..., 2] * np.uint16(19)
    return (total >> 8).astype(np.uint8)


def _tint(pixels: Pixels, which: Mask, colour: Colour, found: Comparison, shown: Pixels, ghost: Pixels | None) -> None:
    """Print pixels in a colour: dark ones dark in it, light ones light; a ghost shows between stripes."""
    rows, columns = which.nonzero()
    if not len(rows):
        return
    light = shown[rows, columns].astype(np.float32)
    if ghost is not None:
        wide = max(3, round(max(which.shape) / 200))
        light = np.where((rows + columns) // wide % 2 == 0, ghost[rows, columns], 255 - (255 - light) / 3)
    share = LEAST + (1 - LEAST) * np.minimum(found.apart[rows, columns] / PLAIN, 1)
    for channel, full in enumerate(colour):
        dark, bright = full * DARK, full + (255 - full) * BRIGHT
        printed = dark + (bright - dark) * light / 255
        under = pixels[rows, columns, channel]
        pixels[rows, columns, channel] = (under * (1 - share) + printed * share).astype(np.uint8)


def regions_beside(found: Comparison, regions: Iterable[Region] | None, *, edge: int) -> Picture:
    """Regions in rows, each before (left) and after (right) at one scale, numbered."""
    if regions is None:
        regions = sorted(found.regions, key=lambda region: -region.share * region.difference)[:SHOWN]
    named = sorted(regions, key=lambda region: region.number)
    if not named:
        raise BadInput("there is no region to show", expected="a comparison of pictures that differ", ids=[found.unit])
    columns = max(range(1, len(named) + 1), key=lambda count: _filled(named, count, edge))
    rows = [named[place : place + columns] for place in range(0, len(named), columns)]
    wide, tall = _cell(len(rows), columns, edge)
    pixels = np.full((edge, edge, 4), NO_PAPER, np.uint8)
    pixels[..., 3] = 255
    tags, reach, y = [], (GAP, GAP), GAP
    for row in rows:
        x, deep = GAP, 0
        for region in row:
            scale = _scale(region, wide, tall)
            longest = max(8, math.floor(max(region.rect.w, region.rect.h) * scale))
            tags.append((str(region.number), (x, y, x, y)))
            for side in found.draw(region.rect, longest):
                height, width = _lay(pixels, side, x, y, region, longest)
                x += width + GAP // 2
                deep = max(deep, height)
            x += GAP
        y += deep + GAP
        reach = max(reach[0], x - GAP), y
    pixels = np.ascontiguousarray(pixels[: min(edge, reach[1]), : min(edge, reach[0])])
    _tags(pixels, tags)
    return Picture.of(pixels, opaque=True)


def _cell(rows: int, columns: int, edge: int) -> tuple[float, float]:
    """Room for one picture, in pixels."""
    wide = (edge - GAP - columns * 2 * GAP) / (2 * columns)
    return max(8.0, wide), max(8.0, (edge - GAP) / rows - GAP)


def _scale(region: Region, wide: float, tall: float) -> float:
    """Pixels a micrometre."""
    return min(wide / region.rect.w, tall / region.rect.h, FINEST)


def _filled(regions: Sequence[Region], columns: int, edge: int) -> float:
    """How well regions are seen in so many columns: by the worst of them, then by all."""
    room = _cell(-(-len(regions) // columns), columns, edge)
    scales: list[float] = [_scale(region, *room) for region in regions]
    return min(scales) * 1e6 + sum(scales)


def _lay(pixels: Pixels, side: Rendered | None, x: int, y: int, region: Region, longest: int) -> tuple[int, int]:
    """Lay one side of a region down; gives its height and width."""
    if side is None:
        scale = longest / max(region.rect.w, region.rect.h)
        return round(region.rect.h * scale), round(region.rect.w * scale)
    shown = side.pixels[..., :3] if side.opaque else laid(side.pixels, NO_PAPER)
    height, width = min(side.height, pixels.shape[0] - y), min(side.width, pixels.shape[1] - x)
    pixels[y : y + height, x : x + width, :3] = shown[:height, :width]
    return height, width


def _number(pixels: Pixels, boxes: Sequence[tuple[str, Area]]) -> None:
    """Draw boxes with numbers at their corners."""
    height, width, _ = pixels.shape
    canvas = canvas_on(pixels)
    line = max(1.0, max(height, width) / 640)
    for _, (left, top, right, bottom) in boxes:
        for colour, wide in ((PAPER, 3 * line), (INK, line)):
            pen = fill(colour)
            pen.setStyle(skia.Paint.kStroke_Style)
            pen.setStrokeWidth(wide)
            canvas.drawRect(skia.Rect.MakeLTRB(left, top, right, bottom).makeInset(line, line), pen)
    size = _size(pixels)
    _tags(pixels, [(text, (left, round(top - size) if top > size else top, 0, 0)) for text, (left, top, _, _) in boxes])


def _tags(pixels: Pixels, tags: Sequence[tuple[str, Area]]) -> None:
    canvas, size = canvas_on(pixels), _size(pixels)
    height, width, _ = pixels.shape
    for text, (left, top, _, _) in tags:
        _tag(canvas, text, min(left, width - size), min(top, height - size), size)


def _size(pixels: Pixels) -> float:
    return max(13.0, int(max(pixels.shape[:2])) / 44)


def _tag(canvas: Any, text: str, left: float, top: float, size: float) -> None:
    """A number in a dark square."""
    words = label_path(text)
    box = words.computeTightBounds()
    scale = 0.6 * size / max(1.0, box.height())
    wide = max(size, box.width() * scale + 0.4 * size)
    plate = skia.Rect.MakeXYWH(left, top, wide, size)
    canvas.drawRect(plate.makeOutset(1.5, 1.5), fill(PAPER))
    canvas.drawRect(plate, fill(INK))
    x, y = left + wide / 2 - box.centerX() * scale, top + size / 2 - box.centerY() * scale
    words.transform(skia.Matrix.MakeAll(scale, 0, x, 0, scale, y, 0, 0, 1))
    canvas.drawPath(words, fill(PAPER))
