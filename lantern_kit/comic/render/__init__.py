"""The renderer: one unit of a comic to pixels, on skia.

stage, order → painting → frame, placed (pictures), effect, balloon, lettering: what is drawn, and how
effect: lines, flash, shade and tone, with its grain, are its parts · ink, engine: pens and paths, and the library
extent, outlines, with overlap: what objects cover, and their corners · pins: places that are pointed at
compare (compare_units): two states of a unit; regions, coverage, weighing, distance, difference are its parts
page (render_unit, record_unit) → rendered; view: what callers get; part: any part of a page, to the pixel
cache, plate, picture, level: what is kept between pages, pictures decoded when they are drawn, and their levels
proxy: pictures drawn by name, for drawings that are kept · layers → area, key: pages painted again only where edited
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.comic.render.cache import RenderCache
    from lantern_kit.comic.render.compare import Comparison, compare_units
    from lantern_kit.comic.render.page import record_unit, render_unit
    from lantern_kit.comic.render.part import PartPainter
    from lantern_kit.comic.render.plate import Plates
    from lantern_kit.comic.render.rendered import Drawn, Rendered
    from lantern_kit.comic.render.view import View, make_view

_HOMES = {
    "Comparison": "compare",
    "Drawn": "rendered",
    "PartPainter": "part",
    "Plates": "plate",
    "RenderCache": "cache",
    "Rendered": "rendered",
    "View": "view",
    "compare_units": "compare",
    "make_view": "view",
    "record_unit": "page",
    "render_unit": "page",
}

__all__ = [
    "Comparison",
    "Drawn",
    "PartPainter",
    "Plates",
    "RenderCache",
    "Rendered",
    "View",
    "compare_units",
    "make_view",
    "record_unit",
    "render_unit",
]


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{home}"), name)
