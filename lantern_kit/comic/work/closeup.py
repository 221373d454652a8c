"""The part of a page round an object or two, which are marked: small enough to stand in a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lantern_kit.comic.geometry import bleed_rect, spanning
from lantern_kit.comic.inventory import measured
from lantern_kit.comic.measure import micrometres
from lantern_kit.comic.model import Chapter, Rect, Unit
from lantern_kit.comic.render.marks import marked
from lantern_kit.comic.work import show

if TYPE_CHECKING:
    from lantern_kit.comic.work.host import Host

EDGE = 180
"""Long edge of a close-up, in pixels."""
ROOM = 0.4
"""What is shown round an object, over its longer side."""
LEAST = 4_000
"""The least of it, in micrometres."""


def close_up(
    host: Host, unit: Unit, chapter: Chapter, thing: str, *, other: str = "", area: Rect | None = None, edge: int = EDGE
) -> show.RenderedPage | None:
    """The page round an object with a line round it, or the whole unit; None where nothing of it is on the page.

    Args:
        other: a second object to show and mark, if it is on the page.
        area: what of the second object is meant, shown and marked instead of all of it.
    """
    if thing == unit.id:
        return show.RenderedPage(host.renderer.render(unit, chapter, long_edge=edge))
    own = _box(unit, thing)
    second = area or (_box(unit, other) if other else None)
    if own is None:
        return None
    boxes = [own] if second is None else [own, second]
    box = spanning(
        min(box.x for box in boxes),
        min(box.y for box in boxes),
        max(box.right for box in boxes),
        max(box.bottom for box in boxes),
    )
    room = max(LEAST, round(ROOM * max(box.w, box.h)))
    page = bleed_rect(unit, chapter.paper)
    left, top = max(page.x, box.x - room), max(page.y, box.y - room)
    right, bottom = min(page.right, box.right + room), min(page.bottom, box.bottom + room)
    if right <= left or bottom <= top:
        return None
    around = spanning(left, top, right, bottom)
    return show.RenderedPage(marked(host.renderer.render(unit, chapter, rect=around, long_edge=edge), boxes))


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
