"""Whether pictures are there, fine enough for print, and large enough for their frames."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import shapely

from lantern_kit.comic.checks.frames import frame_area
from lantern_kit.comic.checks.seen import Pictures, Wrong
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Edge, Fit, Foreground, Frame, Image, Overlay, Paper, Placement, Rect, Shape, Unit
from lantern_kit.comic.placement import box_of, crop_window, effective_dpi, placement_matrix

LEAST_DPI = 150
FINE_DPI = 300
"""What colour print can show."""
FITTING = 1 / 3
"""Less of a picture in its frame is a picture of another format."""
DISTORTED = 1.05
"""A picture that is stretched more one way than the other by so much is seen to be."""
STRIP = 1_000
"""What is looked at inside the trim to see whether a picture is meant to run over it, in micrometres."""
THERE, LACKING = 0.9, 0.02
"""A picture runs to the trim when it fills so much of that strip, and falls short beyond when so much is bare."""


def picture(item: Image | Overlay | Foreground, unit: Unit, paper: Paper, pictures: Pictures) -> Iterator[Wrong]:
    """What is wrong with one picture as it is placed: picture.{missing, dpi}."""
    size = pictures(item.asset)
    if size is None:
        yield Wrong(
            "picture.missing",
            "warning",
            f"its picture {item.asset} is not there, and a hatched box stands in; register it or place another",
            {"asset": item.asset},
        )
        return
    if isinstance(item, Foreground):
        return
    frame = unit.index.get(item.parent)
    yield from _resolution(item.placement, _limits(frame, unit, paper), size.width, size.height)


def _limits(frame: Any, unit: Unit, paper: Paper) -> Rect:
    return bounds(outline(frame, unit, paper)) if isinstance(frame, Frame) else bleed_rect(unit, paper)


@lru_cache(maxsize=8192)
def _resolution(placement: Placement, limits: Rect, width: int, height: int) -> tuple[Wrong, ...]:
    dpi = effective_dpi(placement, limits, width, height)
    if dpi >= LEAST_DPI:
        return ()
    wide, tall = (math.ceil(side * LEAST_DPI / dpi) for side in (width, height))
    return (
        Wrong(
            "picture.dpi",
            "warning",
            f"the picture has {math.floor(dpi)} dpi as it is placed, below {LEAST_DPI}; place it at most "
            f"{math.floor(100 * dpi / LEAST_DPI)}% as large, or use one of about {wide} × {tall} pixels",
            {"dpi": round(dpi, 1), "least": LEAST_DPI},
        ),
    )


class _Lying(NamedTuple):
    placement: Placement
    width: int
    height: int


def bleeding(frame: Frame, unit: Unit, paper: Paper, pictures: Pictures) -> tuple[Wrong, ...]:
    """picture.bleed: pictures that run to the trim of a bleeding frame, but not on over the bleed."""
    if not frame.bleed or not paper.bleed:
        return ()
    lying: list[_Lying] = []
    for item in unit.objects:
        if isinstance(item, Image) and item.parent == frame.id:
            size = pictures(item.asset)
            if size is None:
                return ()
            lying.append(_Lying(item.placement, size.width, size.height))
    return (
        _bare(frame, unit.width, unit.height, paper.bleed, outline(frame, unit, paper), tuple(lying)) if lying else ()
    )


@lru_cache(maxsize=2_048)
def _bare(
    frame: Frame, width: int, height: int, bleed: int, shape: Shape, lying: tuple[_Lying, ...]
) -> tuple[Wrong, ...]:
    limits, area = bounds(shape), frame_area(shape)
    filled = shapely.union_all([shapely.Polygon(_corners(item, limits)) for item in lying])
    bare = shapely.difference(area, filled)
    far = 2 * bleed
    strips = {
        Edge.LEFT: ((-far, -far, 0, height + far), (0, 0, STRIP, height)),
        Edge.TOP: ((-far, -far, width + far, 0), (0, 0, width, STRIP)),
        Edge.RIGHT: ((width, -far, width + far, height + far), (width - STRIP, 0, width, height)),
        Edge.BOTTOM: ((-far, height, width + far, height + far), (0, height - STRIP, width, height)),
    }
    short: dict[Edge, int] = {}
    for edge in frame.bleed:
        past, within = (shapely.intersection(shapely.box(*strip), area) for strip in strips[edge])
        there = shapely.intersection(within, filled)
        if not past.area or not within.area or there.area < THERE * within.area:
            continue
        # Only where the picture runs to the trim is it missed beyond.
        left, top, right, bottom = shapely.bounds(there).tolist()
        upright = edge in {Edge.LEFT, Edge.RIGHT}
        beside = (
            shapely.box(-far, top, width + far, bottom) if upright else shapely.box(left, -far, right, height + far)
        )
        past = shapely.intersection(past, beside)
        lacking = shapely.intersection(past, bare)
        if lacking.area > LACKING * past.area:
            left, top, right, bottom = shapely.bounds(lacking).tolist()
            short[edge] = round(right - left if upright else bottom - top)
    if not short:
        return ()
    said = " and ".join(f"by {spoken(by)} mm at the {edge}" for edge, by in short.items())
    return (
        Wrong(
            "picture.bleed",
            "warning",
            f"its picture runs to the trim but falls short of the bleed {said}, so that cutting may leave a bare edge; "
            "enlarge or move the picture",
            {f"{edge}_mm": by / 1_000 for edge, by in short.items()},
        ),
    )


def _corners(item: _Lying, limits: Rect) -> tuple[tuple[float, float], ...]:
    matrix = placement_matrix(item.placement, limits, item.width, item.height)
    return matrix.quad(*crop_window(item.placement, item.width, item.height))


def coarse(unit: Unit, paper: Paper, pictures: Pictures) -> Iterator[tuple[str, Wrong]]:
    """picture.fine: how many pictures show less than colour print can, by the coarsest of them."""
    if paper.dpi < FINE_DPI:
        return
    found: list[tuple[float, str]] = []
    for item in unit.objects:
        size = pictures(item.asset) if isinstance(item, Image | Overlay) else None
        if isinstance(item, Image | Overlay) and size is not None:
            limits = _limits(unit.index.get(item.parent), unit, paper)
            dpi = effective_dpi(item.placement, limits, size.width, size.height)
            if LEAST_DPI <= dpi < FINE_DPI:
                found.append((dpi, item.id))
    if found:
        dpi, worst = min(found)
        others = f", as have {len(found) - 1} more here," if len(found) > 1 else ","
        yield (
            worst,
            Wrong(
                "picture.fine",
                "note",
                f"the picture has {math.floor(dpi)} dpi as it is placed{others} below the {FINE_DPI} that colour "
                "print can show; larger ones would look sharper",
                {"dpi": round(dpi, 1), "fine": FINE_DPI, "count": len(found)},
            ),
        )


def fitting(item: Image | Overlay, unit: Unit, paper: Paper, pictures: Pictures) -> Iterator[Wrong]:
    """picture.ratio, picture.stretched: what an author may want to know of a picture as it is placed."""
    size = pictures(item.asset)
    if size is None:
        return
    limits = _limits(unit.index.get(item.parent), unit, paper)
    left, top, right, bottom = crop_window(item.placement, size.width, size.height)
    box = box_of(item.placement, limits)
    own, asked = (right - left) / (bottom - top), box.w / box.h
    share = min(own / asked, asked / own)
    if item.placement.fit is Fit.COVER and share < FITTING:
        yield Wrong(
            "picture.ratio",
            "note",
            f"its frame shows {math.floor(100 * share)}% of the picture at most, since one is {own:.2f} times as wide "
            f"as high and the other {asked:.2f} times; use a picture of another format, or another frame",
            {"share": round(share, 3), "picture": round(own, 3), "frame": round(asked, 3)},
        )
    if item.placement.fit is Fit.STRETCH and 1 / share > DISTORTED:
        way = "wide" if asked > own else "high"
        yield Wrong(
            "picture.stretched",
            "note",
            f"the picture is drawn {1 / share:.2f} times too {way}; let it cover its box instead, unless it is meant",
            {"times": round(1 / share, 3), "way": way},
        )
