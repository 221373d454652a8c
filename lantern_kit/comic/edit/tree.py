"""Adding, swapping and dropping objects of a unit, with parents, drawing order and reading order kept right."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from lantern_kit.comic.geometry import bounds, moved
from lantern_kit.comic.model import (
    READABLE,
    Balloon,
    Effect,
    Frame,
    Image,
    Lettering,
    Node,
    Overlay,
    Point,
    Rect,
    Tail,
    Unit,
)
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import IdSource


def swap(unit: Unit, *items: Node) -> Unit:
    """The unit with objects in a new state, each in its place."""
    new = {item.id: item for item in items}
    return unit.model_copy(update={"objects": tuple(new.get(item.id, item) for item in unit.objects)})


def add(unit: Unit, items: Sequence[Node], *, after: str | None = None, above: str | None = None) -> Unit:
    """The unit with new objects.

    Args:
        unit: where they come to lie.
        items: the objects, parents before their children.
        after: what they are read after; None is last in their frame, or last on the unit.
        above: what they are drawn directly above; None is on top.
    """
    objects: list[Any] = list(unit.objects)
    place = len(objects) if above is None else next(i for i, item in enumerate(objects) if item.id == above) + 1
    objects[place:place] = items
    names = [item.id for item in items if item.kind in READABLE]
    update: dict[str, object] = {"objects": tuple(objects)}
    if names:
        place = _reading_place(unit, items[0].parent, after)
        update["reading"] = (*unit.reading[:place], *names, *unit.reading[place:])
    return unit.model_copy(update=update)


def _reading_place(unit: Unit, parent: str, after: str | None) -> int:
    reading = unit.reading
    if after is not None:
        place = reading_index(unit, after)
        return place + 1 if after == parent else place + len(reading_group(unit, after))
    if parent == unit.id or parent not in reading:
        return len(reading)
    index = unit.index
    return 1 + max(i for i, name in enumerate(reading) if name == parent or index[name].parent == parent)


def reading_index(unit: Unit, name: str) -> int:
    """Place of an object in the reading order. Raises BadInput."""
    try:
        return unit.reading.index(name)
    except ValueError:
        raise BadInput(
            f"{name} is not in the reading order of this unit",
            expected="a frame, balloon, narration or text of the unit",
            ids=[name],
        ) from None


def reading_group(unit: Unit, name: str) -> tuple[str, ...]:
    """The object with the lettering of its own that is read right after it."""
    start = end = reading_index(unit, name)
    index = unit.index
    while end + 1 < len(unit.reading) and index[unit.reading[end + 1]].parent == name:
        end += 1
    return unit.reading[start : end + 1]


def family(unit: Unit, root: str) -> tuple[str, ...]:
    """An object and everything that hangs on it, in drawing order."""
    found = {root}
    size = 0
    while len(found) > size:
        size = len(found)
        found.update(item.id for item in unit.objects if item.parent in found)
    return tuple(item.id for item in unit.objects if item.id in found)


def drop(unit: Unit, names: Collection[str]) -> Unit:
    """The unit without some objects. The caller names children along with their parents.

    Balloons that were joined to one of them are joined to nothing then: ``loose`` names them beforehand.
    """
    freed = {item.id for item in loose(unit, names)}
    return unit.model_copy(
        update={
            "objects": tuple(
                item.model_copy(update={"joined": None}) if item.id in freed else item
                for item in unit.objects
                if item.id not in names
            ),
            "reading": tuple(name for name in unit.reading if name not in names),
        }
    )


def loose(unit: Unit, names: Collection[str]) -> list[Balloon]:
    """Balloons that stay where they are joined to one of some objects that go."""
    return [
        item for item in unit.objects if isinstance(item, Balloon) and item.joined in names and item.id not in names
    ]


def copies(items: Iterable[Node], ids: IdSource, parents: Mapping[str, str]) -> tuple[Node, ...]:
    """Objects again under fresh ids; ``parents`` maps old parents that are not among them."""
    items = tuple(items)
    new = {**parents, **{item.id: ids.new(item.prefix) for item in items}}
    made = []
    for item in items:
        update = {"id": new[item.id], "parent": new.get(item.parent, item.parent)}
        if isinstance(item, Balloon) and item.joined is not None:
            update["joined"] = new.get(item.joined, item.joined)
        made.append(item.model_copy(update=update))
    return tuple(made)


def box_of(item: Node) -> Rect | None:
    """The upright box of an object that has geometry of its own, tails not counted; else None."""
    if isinstance(item, Frame):
        return bounds(item.shape)
    if isinstance(item, Image | Overlay):
        return item.placement.box
    if isinstance(item, Lettering | Effect):
        return item.box
    return None


def shifted(item: Node, dx: int, dy: int, *, tails: bool = True) -> Node:
    """The object elsewhere. One without geometry of its own follows its parent, so it stays as it is."""
    if isinstance(item, Frame):
        return item.model_copy(update={"shape": moved(item.shape, dx, dy)})
    box = box_of(item)
    if box is None:
        return item
    there = Rect(x=box.x + dx, y=box.y + dy, w=box.w, h=box.h)
    if isinstance(item, Image | Overlay):
        return item.model_copy(update={"placement": item.placement.model_copy(update={"box": there})})
    if tails and isinstance(item, Balloon) and item.tails:
        swung = tuple(tail.model_copy(update={"tip": _tip(tail, dx, dy)}) for tail in item.tails)
        return item.model_copy(update={"box": there, "tails": swung})
    return item.model_copy(update={"box": there})


def _tip(tail: Tail, dx: int, dy: int) -> Point:
    moved_tip = Tail(tip=(tail.tip[0] + dx, tail.tip[1] + dy))  # checked: no coordinate lies further out than the limit
    return moved_tip.tip
