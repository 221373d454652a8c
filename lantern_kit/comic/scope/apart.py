"""What tells candidates apart: the page, what people call a thing, its place, size, words and neighbours."""

from __future__ import annotations

from typing import Any

from lantern_kit.comic.edit.tree import box_of
from lantern_kit.comic.geometry import trim
from lantern_kit.comic.handle import handle_of
from lantern_kit.comic.markup import plain
from lantern_kit.comic.measure import millimetres
from lantern_kit.comic.model import Balloon, Effect, Frame, Image, Lettering, Node, Overlay, Unit
from lantern_kit.comic.scope.matching import Found, Title, lies_in
from lantern_kit.comic.words import object_name

QUOTED = 80
NEAR = 30
"""Characters of a thing's own words, and of its neighbours'."""


def candidate(found: Found, *, n: int, page: str, title: Title, closely: bool) -> dict[str, Any]:
    """What is told of something that was found.

    Args:
        n: place of its unit in the chapter, from 1.
        page: title of the unit.
        title: titles of pictures.
        closely: whether several answer to the same words, so that place, size and neighbours are told too.
    """
    unit, item = found.unit, found.thing
    if item is None:
        row: dict[str, Any] = {"n": n, "handle": handle_of(unit), "kind": unit.kind.value, "page": page}
        if unit.name:
            row["name"] = unit.name
        if closely:
            row["holds"] = _holds(unit)
        return row
    row = {"n": n, "handle": handle_of(item), "kind": item.kind}
    row["what"] = object_name(unit, item.id, titles=lambda asset: title(asset) or asset)
    row["page"] = page
    row |= _own(item, title)
    if closely:
        row |= _place(unit, item)
    return row


def _own(item: Node, title: Title) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if isinstance(item, Balloon) and item.speaker:
        row["speaker"] = item.speaker
    if isinstance(item, Lettering):
        row["text"] = _short(plain(item.text), QUOTED)
    elif isinstance(item, Image | Overlay) and title(item.asset):
        row["text"] = _short(title(item.asset), QUOTED)
    elif isinstance(item, Frame) and item.description:
        row["text"] = _short(item.description, QUOTED)
    if item.name:
        row["name"] = item.name
    return row


def _place(unit: Unit, item: Node) -> dict[str, Any]:
    """Where it lies, how large it is, and what is read before and after it."""
    row: dict[str, Any] = {}
    box = box_of(item)
    if box is not None:
        row["at"] = [millimetres(part) for part in (box.x, box.y, box.w, box.h)]
        row["where"] = _corner(unit, box.centre)
    frame = unit.index.get(item.parent)
    if frame is not None and not isinstance(item, Image | Effect):
        row["in"] = object_name(unit, frame.id)
    if item.id in unit.reading:
        place = unit.reading.index(item.id)
        for key, other in (("after", place - 1), ("before", place + 1)):
            if 0 <= other < len(unit.reading):
                row[key] = _neighbour(unit, unit.index[unit.reading[other]])
    if isinstance(item, Frame):
        words = [
            plain(other.text) for other in unit.objects if isinstance(other, Lettering) and lies_in(unit, other, item)
        ]
        if words:
            row["words"] = _short(" / ".join(words), QUOTED)
    return row


def _neighbour(unit: Unit, item: Node) -> str:
    name = object_name(unit, item.id)
    return f"{name}: {_short(plain(item.text), NEAR)}" if isinstance(item, Lettering) else name


def _holds(unit: Unit) -> str:
    """The first words on a unit, or how many objects lie there."""
    words = [plain(item.text) for name in unit.reading if isinstance(item := unit.index[name], Lettering)]
    return _short(" / ".join(words), QUOTED) if words else f"{len(unit.objects)} objects"


def _corner(unit: Unit, point: tuple[int, int]) -> str:
    """Which of nine parts of the paper a point lies in: ``top left``, ``middle``."""
    paper = trim(unit)
    across = min(2, max(0, 3 * (point[0] - paper.x) // max(1, paper.w)))
    down = min(2, max(0, 3 * (point[1] - paper.y) // max(1, paper.h)))
    words = (("top", "middle", "bottom")[down], ("left", "", "right")[across])
    return " ".join(word for word in words if word and (word != "middle" or not words[1])) or "middle"


def _short(text: str, most: int) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= most else flat[: most - 1] + "…"
