"""Units and objects as plain JSON data in people's units: millimetres, degrees, shares of one.

The keys are those of the arguments that change the same things, so that what was read can be sent back.
"""

from __future__ import annotations

from enum import Enum
from typing import Any

from pydantic import BaseModel

from lantern_kit.comic.geometry import rect_of, stretched
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.measure import degrees, millimetres, share
from lantern_kit.comic.model import (
    Balloon,
    Chapter,
    Curve,
    Lettering,
    Node,
    Paper,
    Placement,
    Polygon,
    Rect,
    Shape,
    Unit,
)
from lantern_kit.comic.quantities import DEGREES, MILLIMETRES, SHARES

PLAIN = frozenset({"dpi", "number", "seed", "combine"})
"""Integers that are no lengths, angles or shares."""


def thing_facts(thing: Node) -> dict[str, Any]:
    """An object with its handle; defaults left out, except what places it."""
    facts: dict[str, Any] = {"handle": handle_of(thing), "kind": thing.kind, "parent": thing.parent}
    for name, field in type(thing).model_fields.items():
        value = getattr(thing, name)
        if name in {"id", "kind", "parent"} or value == field.default:
            continue
        if isinstance(thing, Balloon) and isinstance(value, Polygon | Curve):
            facts[name] = outline_facts(stretched(value, thing.box))
        elif isinstance(value, Polygon | Curve):
            facts.update(outline_facts(value))
        elif isinstance(value, Placement):
            facts.update(placement_facts(value))
        elif name == "box" and isinstance(thing, Lettering):
            facts["rect"] = _spoken(name, value)
        else:
            facts[name] = _spoken(name, value)
    return facts


def unit_facts(unit: Unit) -> dict[str, Any]:
    """A unit's own fields with its handle and its orders; not its objects."""
    facts: dict[str, Any] = {"handle": handle_of(unit), "kind": unit.kind.value}
    if unit.name:
        facts["name"] = unit.name
    facts["background"] = unit.background
    if unit.gutter:
        facts["gutter"] = millimetres(unit.gutter)
    facts["surfaces"] = [_spoken("surface", surface) for surface in unit.surfaces]
    facts["drawing"] = [item.id for item in unit.objects]
    facts["reading"] = list(unit.reading)
    return facts


def paper_facts(paper: Paper) -> dict[str, Any]:
    """The paper of a chapter."""
    return {name: _spoken(name, value) for name, value in paper}


def chapter_facts(chapter: Chapter) -> dict[str, Any]:
    """What holds for all units of a chapter."""
    return {
        "chapter": handle_of(chapter),
        "comic": chapter.comic,
        "number": chapter.number,
        "title": chapter.title,
        "language": chapter.language,
        "direction": chapter.direction.value,
        "paper": paper_facts(chapter.paper),
        **({"styles": list(chapter.styles)} if chapter.styles else {}),
    }


def outline_facts(shape: Shape) -> dict[str, Any]:
    """A shape under the key that would make it: ``rect``, ``polygon`` or ``curve``."""
    if isinstance(shape, Curve):
        return {"curve": {"start": _spoken("start", shape.start), "segments": _spoken("segments", shape.segments)}}
    box = rect_of(shape)
    return {"polygon": _spoken("points", shape.points)} if box is None else {"rect": _spoken("rect", box)}


def placement_facts(placement: Placement) -> dict[str, Any]:
    """How a picture lies, its turn among the rest."""
    facts: dict[str, Any] = _spoken("placement", placement)
    return {**{key: part for key, part in facts.items() if key != "transform"}, **facts.get("transform", {})}


def _spoken(name: str, value: Any) -> Any:
    """A value of the document in people's units, by the name of its field."""
    if isinstance(value, Rect):
        return [millimetres(part) for part in (value.x, value.y, value.w, value.h)]
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, BaseModel):
        default = {key: field.default for key, field in type(value).model_fields.items()}
        return {key: _spoken(key, part) for key, part in value if part != default[key]}
    if isinstance(value, tuple | list):
        return [_spoken(name, part) for part in value]
    if isinstance(value, bool) or not isinstance(value, int):
        return value
    if name in MILLIMETRES:
        return millimetres(value)
    if name in DEGREES:
        return degrees(value)
    return share(value) if name in SHARES else value
