"""The part of a page round one object, the object marked: small enough to stand in a table."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from lantern_kit.comic.geometry import bleed_rect, spanning
from lantern_kit.comic.inventory import measured
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Chapter, Rect, Unit
from lantern_kit.comic.work import show

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.comic.work.host import Host

EDGE = 180
"""Long edge of a close-up, in pixels."""
ROOM = 0.4
"""What is shown round an object, over its longer side."""
LEAST = 4_000
"""The least of it, in micrometres."""
_MARK, _HALO = (0xC2, 0x18, 0x5B, 0xFF), (0xFF, 0xFF, 0xFF, 0xFF)


def close_up(host: Host, unit: Unit, chapter: Chapter, thing: str, *, edge: int = EDGE) -> show.RenderedPage | None:
    """The page round an object with a line round it, or the whole unit; None where nothing of it is on the page."""
    if thing == unit.id:
        return show.RenderedPage(host.renderer.render(unit, chapter, long_edge=edge))
    box = _box(unit, thing)
    if box is None:
        return None
    room = max(LEAST, round(ROOM * max(box.w, box.h)))
    page = bleed_rect(unit, chapter.paper)
    left, top = max(page.x, box.x - room), max(page.y, box.y - room)
    right, bottom = min(page.right, box.right + room), min(page.bottom, box.bottom + room)
    if right <= left or bottom <= top:
        return None
    around = spanning(left, top, right, bottom)
    return show.RenderedPage(_marked(host.renderer.render(unit, chapter, rect=around, long_edge=edge), box))


def picture_of(host: Host, unit: Unit, chapter: Chapter, thing: str, alternative: str) -> str:
    """A close-up as an inline picture; nothing where there is none."""
    found = close_up(host, unit, chapter, thing)
    return "" if found is None else found.picture(alternative)


def _box(unit: Unit, thing: str) -> Rect | None:
    for item in measured(unit):
        if item.object == thing and item.x is not None and item.y is not None and item.w and item.h:
            x, y, w, h = (micrometres(value) for value in (item.x, item.y, item.w, item.h))
            return spanning(x, y, x + max(1, w), y + max(1, h))
    return None


def _marked(drawn: Rendered, box: Rect) -> Rendered:
    """A drawn part with a line round a box of the page, on a copy."""
    pixels = drawn.pixels.copy()
    corners = (drawn.page_to_pixel.map(box.x, box.y), drawn.page_to_pixel.map(box.right, box.bottom))
    (left, top), (right, bottom) = ((round(x), round(y)) for x, y in corners)
    for colour, out in ((_HALO, 3), (_MARK, 2)):
        thick = 4 if colour is _HALO else 2
        x0, y0 = max(0, left - out), max(0, top - out)
        x1, y1 = min(drawn.width, right + out), min(drawn.height, bottom + out)
        pixels[y0 : y0 + thick, x0:x1] = pixels[max(y0, y1 - thick) : y1, x0:x1] = colour
        pixels[y0:y1, x0 : x0 + thick] = pixels[y0:y1, max(x0, x1 - thick) : x1] = colour
    pixels.flags.writeable = False
    return replace(drawn, pixels=pixels)
