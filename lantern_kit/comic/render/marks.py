"""Lines round places of a drawn page: what is meant, for somebody who looks. They are drawn on a copy."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from lantern_kit.comic.model import Rect
from lantern_kit.comic.render.rendered import Rendered

_MARK, _HALO = (0xC2, 0x18, 0x5B, 0xFF), (0xFF, 0xFF, 0xFF, 0xFF)


def marked(drawn: Rendered, boxes: Iterable[Rect]) -> Rendered:
    """A drawn unit, or part of one, with a line round boxes of the page; of what lies past its edge, the rest."""
    pixels = drawn.pixels.copy()
    for box in boxes:
        corners = (drawn.page_to_pixel.map(box.x, box.y), drawn.page_to_pixel.map(box.right, box.bottom))
        (left, top), (right, bottom) = ((round(x), round(y)) for x, y in corners)
        for colour, out in ((_HALO, 3), (_MARK, 2)):
            thick = 4 if colour is _HALO else 2
            x0, y0 = max(0, left - out), max(0, top - out)
            x1, y1 = min(drawn.width, right + out), min(drawn.height, bottom + out)
            if x1 <= x0 or y1 <= y0:
                continue
            pixels[y0 : y0 + thick, x0:x1] = pixels[max(y0, y1 - thick) : y1, x0:x1] = colour
            pixels[y0:y1, x0 : x0 + thick] = pixels[y0:y1, max(x0, x1 - thick) : x1] = colour
    pixels.flags.writeable = False
    return replace(drawn, pixels=pixels)
