"""Lines by the panel in which there is room for them, and the spots that they are given there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from lantern_kit.comic.model import Balloon, Frame, Lettering, Point, Rect, TextStyle, Unit
from lantern_kit.comic.script import pointing
from lantern_kit.comic.script.model import Line, Sheet


class Spot(NamedTuple):
    """Where a new line goes, and how."""

    box: Rect
    style: TextStyle
    tip: Point | None


@dataclass
class Group:
    """Lines that share a panel's room, in the order of reading."""

    frame: Frame | None
    """None: a page without panels."""
    lines: list[tuple[int, Line]] = field(default_factory=list)
    """With their places among all lines of the sheet."""


def groups_of(unit: Unit, sheet: Sheet, frames: Sequence[str]) -> list[Group]:
    """The sheet's lines by the panel in which there is room for them.

    What lies on the page itself goes into the panel that follows, at the end of a page into the last one.

    Args:
        unit: with all the frames.
        sheet: what is lettered.
        frames: their ids, in the sheet's order.
    """
    names = iter(frames)
    found: list[Group] = []
    waiting: list[tuple[int, Line]] = []
    number = 0
    for at, panel in enumerate(sheet.panels):
        here = list(enumerate(panel.lines, number))
        number += len(here)
        if panel.framed:
            found.append(Group(unit.index[next(names)], [*waiting, *here]))
            waiting = []
        elif found and not any(later.framed for later in sheet.panels[at:]):
            found[-1].lines += here
        else:
            waiting += here
    return [*found, Group(None, waiting)] if waiting else found


def meet(one: Rect, other: Rect) -> bool:
    """Whether two boxes lie on each other."""
    return one.x < other.right and other.x < one.right and one.y < other.bottom and other.y < one.bottom


def shaken_in(before: Unit, laid: Unit, groups: Sequence[Group]) -> set[str]:
    """Lettering of panels in which, other than before, pieces lie on each other or tails end in their own balloons."""
    found: set[str] = set()
    for group in groups:
        here = [line.id for _, line in group.lines if line.id in laid.index and line.id in before.index]
        if _troubled(laid, here) and not _troubled(before, here):
            found |= {*here}
    return found


def _troubled(unit: Unit, names: Sequence[str]) -> bool:
    items: list[Lettering] = [unit.index[name] for name in names]
    for at, item in enumerate(items):
        if isinstance(item, Balloon) and any(meet(_around(tail.tip), item.box) for tail in item.tails):
            return True
        for other in items[:at]:
            joined = {getattr(item, "joined", None), getattr(other, "joined", None)} & {item.id, other.id}
            if not joined and meet(item.box, other.box):
                return True
    return False


def _around(tip: Point) -> Rect:
    by = pointing.SHORT // 2
    return Rect(x=tip[0] - by, y=tip[1] - by, w=2 * by, h=2 * by)
