"""A unit's two states as they are drawn, told to agents: regions in millimetres, objects with distances, a picture."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from lantern_kit.comic.book import Book
from lantern_kit.comic.capabilities.pictures import fitting, viewed
from lantern_kit.comic.capabilities.services import ComicServices
from lantern_kit.comic.change import Change
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.render.compare import Comparison, Region
from lantern_kit.comic.render.distance import ObjectDistance
from lantern_kit.comic.render.view import make_view
from lantern_kit.comic.words import unit_titles
from lantern_kit.kernel.capability import Picture
from lantern_kit.kernel.errors import BadInput

OBJECTS = 40
"""Objects of one unit that changed themselves, and are told of."""
BYSTANDERS = 8
"""Objects of one unit that only look different, and are told of."""


def touched(changes: Iterable[Change], old: Book, new: Book) -> list[str]:
    """Units that may look different, in the order of reading; those that are gone at the end."""
    rows = list(changes)
    chapter = new.chapter.id
    paper = any(row.object == chapter and row.property == "paper" for row in rows)
    names = {row.unit for row in rows}
    order = (*new.order, *(name for name in old.order if name not in new))
    return [name for name in order if paper or name in names]


def compared(held: ComicServices, old: Book, new: Book, unit: str, edge: int) -> Comparison:
    """A unit that is in one of two states at least."""
    return held.renderer.compare(
        old.unit(unit) if unit in old else None,
        new.unit(unit) if unit in new else None,
        old.chapter,
        new.chapter,
        long_edge=edge,
    )


def figures(found: Comparison, old: Book, new: Book) -> dict[str, Any]:
    """What is told of a comparison; lengths are millimetres, shares of 1, differences from 0 to 100."""
    unit = new.unit(found.unit) if found.unit in new else old.unit(found.unit)
    title = unit_titles(new)[unit.id] if unit.id in new else f"{unit_titles(old)[unit.id]}, removed"
    own = [item for item in found.objects if item.change]
    bystanders = [item for item in found.objects if not item.change]
    handles = {item.id: handle_of(item) for item in unit.objects}
    left = max(0, len(own) - OBJECTS) + max(0, len(bystanders) - BYSTANDERS)
    row: dict[str, Any] = {
        "unit": title,
        "handle": handle_of(unit),
        "changed": _short(found.distance.changed),
        "difference": _short(found.distance.difference),
        "regions": [_region(region) for region in found.regions],
        "objects": [_object(item, handles) for item in (*own[:OBJECTS], *bystanders[:BYSTANDERS])],
    }
    if found.rest.regions:
        row["more_regions"] = {"count": found.rest.regions, "changed": _short(found.rest.share)}
    if left:
        row["more_objects"] = left
    if found.properties:
        row["properties"] = list(found.properties)
    if found.missing:
        row["missing"] = list(found.missing)
    return row


def shown(
    held: ComicServices, found: Comparison, revision: str, edge: int, *, beside: bool
) -> tuple[dict[str, Any], Picture]:
    """The difference, or the strongest regions before and after beside each other; with the facts of the picture."""
    if beside:
        if found.alike:
            raise BadInput(
                "both are drawn alike: there is no region to show",
                ids=[found.unit],
                recovery="show=regions says what changed in the document and why it is not seen; look shows the unit.",
            )
        picture, facts = fitting(found.beside(edge=edge), edge)
        return {"left": "old", "right": "new", **facts}, picture
    drawn = found.shown
    made = make_view(replace(drawn, pixels=found.picture().pixels, opaque=True), revision=revision, ids=held.comics.ids)
    facts = {"orange": "gone", "blue": "new", "yellow": "altered", **viewed(made.facts)}
    return facts, Picture(made.data, made.facts.media)


def _region(region: Region) -> dict[str, Any]:
    box = region.rect
    return {
        "n": region.number,
        "rect": [round(millimetres(length), 1) for length in (box.x, box.y, box.w, box.h)],
        "changed": _short(region.share),
        "difference": _short(region.difference),
        "objects": list(region.objects),
    }


def _object(item: ObjectDistance, handles: Mapping[str, str]) -> dict[str, Any]:
    row: dict[str, Any] = {"object": handles.get(item.id, item.id), "change": item.change or "looks different"}
    if item.properties:
        row["properties"] = list(item.properties)
    if item.shift is not None:
        move = item.shift
        row["moved"] = [move.right, move.down]
        if (move.wider, move.taller) != (1, 1):
            row["scaled"] = [move.wider, move.taller]
        if move.turned:
            row["turned"] = move.turned
    row |= {"difference": _short(item.difference), "changed": _short(item.share)}
    if item.unseen is not None:
        row["unseen"] = item.unseen.value
    for name in ("covered_by", "bared_by", "mixed_with"):
        others: Sequence[str] = getattr(item, name)
        if others:
            row[name] = list(others[:BYSTANDERS])
    return row


def _short(value: float) -> float:
    return float(f"{value:.3g}") + 0.0  # no -0.0
