"""Frames that flow from page to page: what a page has no room for goes on to the next, with everything in it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lantern_kit.comic.layout.carrying import lies_on
from lantern_kit.comic.layout.edges import frames_of
from lantern_kit.comic.measure import counted
from lantern_kit.comic.model import Balloon, Frame, Node, Unit
from lantern_kit.kernel.errors import BadInput


def shared_out(units: Sequence[Unit], most: int) -> list[list[str]]:
    """Which frames each unit then has: all in the order they are read in, no unit more than ``most``.

    What is too many goes on to the next unit, before what that has; a unit with room enough keeps what it has.

    Raises:
        BadInput: the last unit would have too many.
    """
    found, waiting = [], list[str]()
    for unit in units:
        here = [*waiting, *(frame.id for frame in frames_of(unit))]
        found.append(here[:most])
        waiting = here[most:]
    if waiting:
        total = sum(map(len, found)) + len(waiting)
        raise BadInput(
            f"{counted(total, 'frame')} have no room on {counted(len(units), 'unit')} with up to {most} each",
            expected=f"over: {-(-total // most) - 1} further units at least, or more frames on each",
            ids=waiting,
        )
    return found


def flowed(units: Sequence[Unit], shares: Sequence[Sequence[str]]) -> tuple[list[Unit], list[str]]:
    """The units with frames moved on, under their ids, at the same place of the page; and what to tell of it.

    A frame takes along what hangs on it and the lettering, overlays and effects of the paper that lie on it. It is
    drawn and read before what its new unit has.
    """
    made, notes = list(units), list[str]()
    for place, unit in enumerate(units):
        going = [frame.id for frame in frames_of(made[place]) if frame.id not in shares[place]]
        if not going:
            continue
        # What passes a unit on its way to a later one goes on from there.
        made[place], made[place + 1], told = _handed_on(made[place], made[place + 1], going)
        notes += [f"{', '.join(going)} went on from {unit.id} to {made[place + 1].id}", *told]
    return made, notes


def _handed_on(unit: Unit, other: Unit, frames: Sequence[str]) -> tuple[Unit, Unit, list[str]]:
    standing: list[Frame] = [item for item in unit.objects if isinstance(item, Frame)]
    going = {*frames}
    for item in unit.objects:
        if item.parent == unit.id and not isinstance(item, Frame) and lies_on(item, standing) in frames:
            going.add(item.id)
    for item in unit.objects:  # parents come before what hangs on them, or a second look finds it
        if item.parent in going:
            going.add(item.id)
    going |= {item.id for item in unit.objects if item.parent in going}
    notes: list[str] = []
    stay: list[Any] = []
    go: list[Any] = []
    for item in unit.objects:
        there = item.id in going
        (go if there else stay).append(_handed(item, unit, other, there=there, going=going, notes=notes))
    reading = [name for name in unit.reading if name in going]
    return (
        unit.model_copy(
            update={"objects": tuple(stay), "reading": tuple(name for name in unit.reading if name not in going)}
        ),
        other.model_copy(update={"objects": (*go, *other.objects), "reading": (*reading, *other.reading)}),
        notes,
    )


def _handed(item: Node, unit: Unit, other: Unit, *, there: bool, going: set[str], notes: list[str]) -> Node:
    update: dict[str, Any] = {}
    if there and item.parent == unit.id:
        update["parent"] = other.id
    if isinstance(item, Balloon) and item.joined is not None and (item.joined in going) is not there:
        notes.append(f"{item.id} is no longer joined to {item.joined}, which is on another page")
        update["joined"] = None
    return item.model_copy(update=update) if update else item
