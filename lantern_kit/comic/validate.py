"""What makes a chapter broken: findings of severity ``error``, all of them; an edit that leaves one is refused.

What a good page should merely not have is found by ``checks``.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Any

from pydantic import ValidationError

from lantern_kit.comic.book import Book
from lantern_kit.comic.finding import Finding
from lantern_kit.comic.geometry import crossing, extent, outline_points, turn
from lantern_kit.comic.handle import Thing, text_of
from lantern_kit.comic.measure import a, spoken
from lantern_kit.comic.model import (
    LIMIT,
    MOST_LETTERS,
    MOST_OBJECTS,
    READABLE,
    Balloon,
    BalloonShape,
    Chapter,
    Effect,
    Foreground,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Polygon,
    Rect,
    Shape,
    Unit,
    UnitKind,
)
from lantern_kit.kernel.problems import named

PARENTS: dict[str, frozenset[str]] = {
    "frame": frozenset({"unit"}),
    "image": frozenset({"unit", "frame"}),
    "foreground": frozenset({"image"}),
    "overlay": frozenset({"unit"}),
    "balloon": frozenset({"unit", "frame"}),
    "narration": frozenset({"unit", "frame"}),
    "text": frozenset({"unit", "frame"}),
    "effect": frozenset({"unit", "frame"}),
}
"""What each kind of object may lie on."""

_FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\ud800-\udfff]")

Wrong = tuple[str, str, dict[str, Any]]
"""Rule, sentence, data."""

Reach = tuple[tuple[int, int, int, int], ...]
"""Left, top, right, bottom of each part of an object that lies somewhere: its shape or box, the tips of its tails."""

# What is wrong with an object wherever it stands, and how far it reaches: kept as long as the object lives and looked
# up by identity, since objects never change and most of a page is the same after an edit.
_known: dict[int, tuple[weakref.ref[Node], tuple[Wrong, ...], Reach]] = {}


def _alone(item: Node) -> tuple[tuple[Wrong, ...], Reach]:
    key = id(item)
    known = _known.get(key)
    if known is not None and known[0]() is item:
        return known[1], known[2]
    wrong, reach = (*_wrong_alone(item), *_limits(item)), _reach(item)
    _known[key] = (weakref.ref(item, lambda _: _known.pop(key, None)), wrong, reach)
    return wrong, reach


def validate_unit(unit: Unit, chapter: Chapter) -> tuple[Finding, ...]:
    """Everything that is wrong with one unit, in the order of its objects; empty when it is sound."""
    wrong: list[tuple[str, Wrong]] = [(unit.id, item) for item in _sheet(unit, chapter)]
    index = unit.index
    if len(index) != len(unit.objects) or unit.id in index:
        wrong.extend((item, _twice(item)) for item in _repeated([unit.id, *(item.id for item in unit.objects)]))
    foregrounds: set[str] = set()
    width, height = unit.width, unit.height
    for item in unit.objects:
        alone, reach = _alone(item)
        if alone:
            wrong.extend((item.id, found) for found in alone)
        misplaced = _misplaced(item, unit.id, index)
        if misplaced is not None:
            wrong.append((item.id, misplaced))
        for left, top, right, bottom in reach:
            if right < -width or left > 2 * width or bottom < -height or top > 2 * height:
                wrong.append((item.id, ("place.far", "it lies more than a page's size away from the paper", {})))
                break
        if isinstance(item, Foreground):
            if item.parent in foregrounds:
                wrong.append((item.id, ("foreground.second", "an image can bind one foreground only", {})))
            foregrounds.add(item.parent)
        if isinstance(item, Balloon) and item.joined is not None:
            apart = _apart(item, index)
            if apart is not None:
                wrong.append((item.id, apart))
    wrong.extend((item, found) for item, found in _reading(unit))
    return tuple(
        Finding(rule=rule, severity="error", unit=unit.id, object=item, message=message, data=data)
        for item, (rule, message, data) in wrong
    )


def validate_book(book: Book, units: Iterable[str] | None = None) -> tuple[Finding, ...]:
    """Everything that is wrong with a chapter.

    Args:
        book: the chapter.
        units: look at these units only (ids that stand in several of *them* are found); None is all.
    """
    chapter = book.chapter
    wrong = [*_words("comic", chapter.comic), *_words("title", chapter.title), *_chapter_limits(chapter)]
    if len(set(chapter.styles)) != len(chapter.styles):
        wrong.append(("chapter.styles", "a style is named twice", {}))
    if 2 * chapter.paper.safe >= min(chapter.paper.width, chapter.paper.height):
        wrong.append(("paper.safe", "the safe inset leaves nothing of the paper", {}))
    found = [
        Finding(rule=rule, severity="error", unit=chapter.id, object=chapter.id, message=message, data=data)
        for rule, message, data in wrong
    ]
    seen: dict[str, str] = {}
    for name in book.order if units is None else units:
        unit = book.unit(name)
        found.extend(validate_unit(unit, chapter))
        for item in (unit.id, *(surface.id for surface in unit.surfaces), *unit.index):
            if seen.setdefault(item, unit.id) != unit.id:
                rule, message, data = _twice(item)
                where = {"units": [seen[item], unit.id], **data}
                found.append(
                    Finding(rule=rule, severity="error", unit=unit.id, object=item, message=message, data=where)
                )
    return tuple(found)


def _twice(item: str) -> Wrong:
    return "id.twice", f"{item} names two things", {}


def _repeated(items: Iterable[str]) -> list[str]:
    seen: set[str] = set()
    return [item for item in items if item in seen or seen.add(item)]  # type: ignore[func-returns-value]


def _limits(thing: Thing) -> Iterator[Wrong]:
    """What is past the model's limits: a copy with other values is not held to them, but reading it back is."""
    try:
        type(thing).model_validate_json(text_of(thing))
    except UnicodeEncodeError:
        return  # half of a surrogate pair, which is said of the text that holds it
    except ValidationError as error:
        for item in error.errors(include_url=False, include_context=False, include_input=False)[:5]:
            field = ".".join(named(item["loc"]))
            yield "model.limit", f"{field} is past what a document can hold", {"field": field}


# Units are copied at every edit, and what they hold beside their objects hardly ever changes: looked up by value.
_OWN = tuple(field for field in Unit.model_fields if field not in {"objects", "reading"})
_chapter_limits = lru_cache(maxsize=64)(lambda chapter: tuple(_limits(chapter)))


@lru_cache(maxsize=1024)
def _unit_limits(*own: Any) -> tuple[Wrong, ...]:
    return tuple(_limits(Unit.model_construct(**dict(zip(_OWN, own, strict=True)))))


def _sheet(unit: Unit, chapter: Chapter) -> Iterator[Wrong]:
    yield from _words("name", unit.name)
    yield from _unit_limits(*(getattr(unit, field) for field in _OWN))
    if len(unit.objects) > MOST_OBJECTS:
        data = {"expected": MOST_OBJECTS, "found": len(unit.objects)}
        yield "unit.objects", f"{a(unit.kind)} holds at most {MOST_OBJECTS:,} objects, not {len(unit.objects):,}", data
    letters = sum(len(item.text) for item in unit.objects if isinstance(item, Lettering))
    if letters > MOST_LETTERS:
        data = {"expected": MOST_LETTERS, "found": letters}
        said = f"all words on {a(unit.kind)} have at most {MOST_LETTERS:,} characters, not {letters:,}: use more pages"
        yield "unit.words", said, data
    surfaces = unit.surfaces
    wanted = 2 if unit.kind is UnitKind.SPREAD else 1
    if len(surfaces) != wanted:
        number = {1: "one surface", 2: "two surfaces"}
        yield (
            "unit.surfaces",
            f"a {unit.kind} has {number[wanted]}, not {len(surfaces)}",
            {"expected": wanted, "found": len(surfaces)},
        )
    if unit.kind is not UnitKind.SPREAD and unit.gutter:
        yield "unit.gutter", f"only a spread has a gutter, not a {unit.kind}", {}
    if surfaces[0].x != 0:
        yield "unit.surface_place", "the first surface starts at the left trim edge", {}
    if unit.kind is UnitKind.SPREAD and len(surfaces) == 2:
        left, right = surfaces
        if left.id == right.id:
            yield _twice(left.id)
        if left.height != right.height:
            yield "unit.surface_height", "the two surfaces of a spread are of one height", {}
        if right.x != left.x + left.width + unit.gutter:
            yield "unit.surface_place", "the second surface starts where the gutter ends", {}
    inset = chapter.paper.safe
    if any(2 * inset >= min(surface.width, surface.height) for surface in surfaces):
        yield "paper.safe", f"the safe inset of {spoken(inset)} mm leaves nothing of a surface", {}
    longest = max(unit.width, unit.height) + 2 * chapter.paper.bleed
    if longest > LIMIT:
        yield "unit.size", f"with its bleed it is longer than {spoken(LIMIT)} mm", {"longest_mm": longest / 1_000}


def _misplaced(item: Node, unit: str, index: dict[str, Any]) -> Wrong | None:
    """What is wrong with an object's parent."""
    if item.parent == unit:
        kind = "unit"
        if isinstance(item, Image | Effect):
            box = item.placement.box if isinstance(item, Image) else item.box
            if box is None:
                return "box.missing", f"{a(item.kind)} that lies on the unit itself needs a box", {}
    else:
        parent = index.get(item.parent)
        if parent is None:
            return "parent.missing", f"its parent {item.parent} is not on this unit", {"parent": item.parent}
        kind = parent.kind
    allowed = PARENTS[item.kind]
    if kind in allowed:
        return None
    text = " or ".join(a(name) for name in sorted(allowed, reverse=True))
    return "parent.kind", f"{a(item.kind)} lies on {text}, not on {a(kind)}", {"parent": item.parent}


def _apart(item: Balloon, index: dict[str, Any]) -> Wrong | None:
    """What is wrong with the balloon that one is joined to."""
    data = {"joined": item.joined}
    if item.joined == item.id:
        return "balloon.joined", "it is joined to itself", data
    if not isinstance(index.get(str(item.joined)), Balloon):
        return "balloon.joined", f"it is joined to {item.joined}, which is no balloon of this unit", data
    seen: set[str] = set()
    other: Any = item
    while isinstance(other, Balloon) and other.joined is not None and other.id not in seen:
        seen.add(other.id)
        other = index.get(other.joined)
        if other is item:
            return "balloon.joined", "balloons are joined in a circle; one of them is joined to none", data
    return None


def _reach(item: Node) -> Reach:
    if isinstance(item, Frame):
        return (extent(item.shape),)
    box: Rect | None = None
    if isinstance(item, Image | Overlay):
        box = item.placement.box
    elif isinstance(item, Lettering | Effect):
        box = item.box
    if box is None:
        return ()
    tips = [tail.tip for tail in item.tails] if isinstance(item, Balloon) else []
    return ((box.x, box.y, box.right, box.bottom), *((x, y, x, y) for x, y in tips))


def _wrong_alone(item: Node) -> Iterator[Wrong]:
    yield from _words("name", item.name)
    if isinstance(item, Frame):
        yield from _outline(item.shape)
        if list(item.bleed) != sorted(set(item.bleed)):
            yield "frame.bleed", "the bleed edges are named once each, in alphabetical order", {}
        yield from _words("description", item.description)
        if item.light is not None:
            yield from _words("light", item.light.kind)
        for twice in dict.fromkeys(_repeated(presence.who for presence in item.cast)):
            yield "frame.cast", f"{twice} is named twice in its cast", {"who": twice}
        for presence in item.cast:
            yield from _words("look", presence.look)
    elif isinstance(item, Image | Overlay):
        left, top, right, bottom = item.placement.crop
        if left >= right or top >= bottom:
            yield "placement.crop", "the crop leaves nothing of the picture", {}
        for place, mark in enumerate(item.marks, 1):
            if mark.area[0] >= mark.area[2] or mark.area[1] >= mark.area[3]:
                yield "mark.area", f"mark {place} encloses nothing of the picture", {"mark": place}
        if isinstance(item, Overlay) and item.placement.box is None:
            yield "box.missing", "an overlay needs a box", {}
    elif isinstance(item, Lettering):
        yield from _words("text", item.text)
        yield from _words("font", item.style.font)
        if item.style.smallest > item.style.size:
            yield (
                "style.smallest",
                f"the smallest size, {spoken(item.style.smallest)} mm, is above the size, {spoken(item.style.size)} mm",
                {},
            )
        if isinstance(item, Balloon):
            yield from _words("speaker", item.speaker)
            x, y = item.box.centre
            if any(tail.tip == (x, y) for tail in item.tails):
                yield "balloon.tail", "a tail points at the middle of its own balloon", {}
            if item.outline is not None:
                yield from _outline(item.outline)
            elif item.shape is BalloonShape.PATH:
                yield "balloon.outline", "a balloon of the shape path needs an outline of its own", {}


def _words(field: str, text: str) -> Iterator[Wrong]:
    """Characters that no text may hold: controls other than line ends, and halves of surrogate pairs."""
    found = _FORBIDDEN.search(text)
    if found is not None:
        data = {"field": field, "position": found.start(), "code": f"U+{ord(found[0]):04X}"}
        sentence = f"{field} holds a control character ({data['code']}) at position {data['position']}"
        yield "text.control", sentence, data


def _outline(shape: Shape) -> Iterator[Wrong]:
    points = outline_points(shape)
    if isinstance(shape, Polygon) and len(points) != len(shape.points):
        yield "shape.repeats", "two neighbouring points of the outline are the same", {}
    if len(points) < 3 or all(turn(points[0], points[1], point) == 0 for point in points):
        yield "shape.empty", "the outline encloses no area", {}
        return
    edges = crossing(points)
    if edges is not None:
        data = {"edges": list(edges)} if isinstance(shape, Polygon) else {}
        yield "shape.crosses_itself", "the outline crosses or touches itself", data


def _reading(unit: Unit) -> Iterator[tuple[str, Wrong]]:
    wanted = {item.id for item in unit.objects if item.kind in READABLE}
    listed = set(unit.reading)
    if len(listed) != len(unit.reading):
        for name in _repeated(unit.reading):
            yield name, ("reading.twice", f"{name} stands in the reading order twice", {})
    if listed != wanted:
        for item in unit.objects:
            if item.id in wanted and item.id not in listed:
                yield item.id, ("reading.missing", f"{item.id} is missing from the reading order", {})
        for name in unit.reading:
            if name not in wanted:
                yield name, ("reading.unknown", f"the reading order names {name}, which is not read here", {})
