"""Whether pictures are there and fine enough for print."""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from lantern_kit.comic.checks.seen import Pictures, Wrong
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.model import Foreground, Frame, Image, Overlay, Paper, Placement, Rect, Unit
from lantern_kit.comic.placement import effective_dpi

LEAST_DPI = 150


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
