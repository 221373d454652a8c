"""Where a page looks different, for a browser: boxes in millimetres to step through."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.render.compare import Comparison


def regions(found: Comparison) -> dict[str, Any]:
    """The regions in the order of reading, each with its box and its objects; how much of the page changed."""
    return {
        "regions": [
            {
                "n": region.number,
                "box": [millimetres(edge) for edge in (region.rect.x, region.rect.y, region.rect.w, region.rect.h)],
                "share": region.share,
                "objects": list(region.objects),
            }
            for region in found.regions
        ],
        "more": found.rest.regions,
        "changed": found.distance.changed,
    }
