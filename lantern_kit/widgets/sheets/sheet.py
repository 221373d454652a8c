"""A sheet: one unit as a browser needs it to show it, point at it and speak of it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from lantern_kit.comic.geometry import Dot, bleed_rect, gutter, safe_areas, trim
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.locks import Lock, locked_by
from lantern_kit.comic.model import Frame, Rect, Unit
from lantern_kit.comic.phrases import Language
from lantern_kit.comic.render.outlines import outlines
from lantern_kit.comic.render.overlap import around, corners
from lantern_kit.comic.render.stage import Pictures
from lantern_kit.comic.words import object_names
from lantern_kit.kernel.errors import BadInput
from lantern_kit.widgets.sheets.keys import Keyed
from lantern_kit.widgets.sheets.pyramid import TILE, Pyramid
from lantern_kit.widgets.sheets.sources import Seen


def sheet(
    seen: Seen,
    keyed: Keyed,
    title: str,
    *,
    pictures: Pictures,
    picture_title: Callable[[str], str],
    locks: Sequence[Lock] = (),
    language: Language = "en",
) -> dict[str, Any]:
    """The facts of a sheet, lengths in millimetres from the trim's top left corner.

    Args:
        seen: where the unit is looked at.
        keyed: the unit's key, and which of its pictures are not there.
        title: what people call the unit.
        pictures: asset id → what is drawn of it; only sizes are asked.
        picture_title: what people call a picture, by asset id.
        locks: those of the chapter.
        language: of names and reasons.
    """
    unit, chapter = seen.book.unit(keyed.brief.id), seen.book.chapter
    area = bleed_rect(unit, chapter.paper)
    levels = Pyramid.of(area.w, area.h, chapter.paper.dpi).levels
    between = gutter(unit)
    return {
        "key": keyed.key,
        "source": seen.source,
        "revision": seen.revision,
        "unit": unit.id,
        "handle": handle_of(unit),
        "title": title,
        "kind": unit.kind.value,
        "area": _edges(area),
        "trim": _edges(trim(unit)),
        "safe": _safe(unit, seen),
        "surfaces": [
            {"id": side.id, "rect": [_mm(side.x), 0.0, _mm(side.width), _mm(side.height)]} for side in unit.surfaces
        ],
        "gutter": None if between is None else _edges(between),
        "tile": TILE,
        "levels": [level.facts() for level in levels],
        "objects": _things(seen, unit, pictures, picture_title, locks, language),
        "reading": [name for name in unit.reading if isinstance(unit.index[name], Frame)],
        "missing": list(keyed.missing),
    }


def _things(
    seen: Seen,
    unit: Unit,
    pictures: Pictures,
    picture_title: Callable[[str], str],
    locks: Sequence[Lock],
    language: Language,
) -> list[dict[str, Any]]:
    names = object_names(unit, language=language, titles=picture_title)
    found = []
    for thing, outline in outlines(unit, seen.book.chapter, pictures).items():
        item = unit.index[thing]
        held = locked_by(locks, seen.book, unit.id, thing) if locks else None
        found.append(
            {
                "id": thing,
                "handle": handle_of(item),
                "kind": item.kind,
                "name": names[thing],
                "outline": [[_mm(x), _mm(y)] for x, y in outline],
                "box": _box(outline or _place(item)),
                "parent": item.parent,
                "locked": "" if held is None else lock_words(held, language),
            }
        )
    return found


def lock_words(lock: Lock, language: Language) -> str:
    """Who locked something, and why."""
    if language == "zh":
        return f"已由 {lock.actor} 锁定" + (f"：{lock.reason}" if lock.reason else "")
    return f"locked by {lock.actor}" + (f": {lock.reason}" if lock.reason else "")


def _place(item: Any) -> Sequence[Dot]:
    """Where something lies that is not seen, as far as it says so itself."""
    box = item.placement.box if hasattr(item, "placement") else getattr(item, "box", None)
    return () if box is None else corners((box.x, box.y, box.right, box.bottom))


def _box(outline: Sequence[Dot]) -> list[float]:
    if not outline:
        return [0.0, 0.0, 0.0, 0.0]
    left, top, right, bottom = around(outline)
    return [_mm(left), _mm(top), _mm(right - left), _mm(bottom - top)]


def _safe(unit: Unit, seen: Seen) -> list[list[float]]:
    try:
        return [_edges(rect) for rect in safe_areas(unit, seen.book.chapter.paper)]
    except BadInput:  # the inset leaves nothing of the page: no area is safe
        return []


def _edges(rect: Rect) -> list[float]:
    return [_mm(rect.x), _mm(rect.y), _mm(rect.w), _mm(rect.h)]


def _mm(length: float) -> float:
    """Millimetres of a length in micrometres, to one of those."""
    return round(length / 1_000, 3)
