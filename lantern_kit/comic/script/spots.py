"""Spots for the new lettering of a unit: boxes, sizes and tails, panel by panel, before anything is made."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence

from lantern_kit.comic.book import Book
from lantern_kit.comic.edit.outcome import EditContext
from lantern_kit.comic.geometry import bounds, contains, rect_of, safe_areas, spanning
from lantern_kit.comic.model import (
    Balloon,
    Direction,
    Frame,
    Lettering,
    Paper,
    Rect,
    TextStyle,
    Unit,
)
from lantern_kit.comic.script import pointing
from lantern_kit.comic.script.groups import Group, Spot, meet
from lantern_kit.comic.script.model import Line, Voice
from lantern_kit.comic.script.room import CAPTION, CLOSING, COVER, SOUND, SPOKEN, TITLE, Room, Wish, place
from lantern_kit.comic.script.sizes import SCALES, Look, look_of
from lantern_kit.comic.script.tails import tails_of

INSET = 1_500
"""Way between a panel's border and its lettering."""
FULLEST = 0.9
"""Share of a panel that lettering may take; beyond it there is no use in trying."""
MOST_PLACED = 40
"""Lines of one panel that are still told apart where it has no room for all of them."""
SQUEEZED = (1.0, 0.85, 0.7, 0.55, 0.4)
"""Sizes of lettering that has no room, where other lettering stays in its panel: it is never laid on that."""
OUTWARDS = 2_500
"""More of it beside a balloon whose tail leads out of the panel."""
_SMALLEST_ROOM = 3_000


def spots(
    book: Book,
    unit: Unit,
    groups: Sequence[Group],
    moved: Collection[str],
    ctx: EditContext,
    shaken: Collection[str] = (),
) -> tuple[dict[int, Spot], list[Group]]:
    """A spot for every line that is new or has to find a new place; and the groups that have too much to say.

    All of a page is set in one size, the largest of a few at which everything has room.

    Args:
        book: of the unit.
        unit: with its frames and the lettering that stays.
        groups: from ``groups_of``.
        moved: ids of lines that have to find a new place.
        ctx: pictures and the library, which tell whose faces are marked.
        shaken: ids of lines that find a new place too, and keep pointing where they point.
    """
    usual = _usual_size(unit)
    moved = {*moved, *shaken}
    best: tuple[dict[int, Spot], list[Group]] | None = None
    for scale in SCALES:
        size = round(usual * scale)
        found: dict[int, Spot] = {}
        full: list[Group] = []
        for group in groups:
            here = _Setter(book, unit, group, moved, size).boxes()
            full += [group] if here is None else []
            found |= here or {}
        if best is None or len(full) < len(best[1]):
            best = found, full
        if not full:
            break
    found, full = best or ({}, [])
    for group in full:
        found |= _Setter(book, unit, group, moved, round(usual * SCALES[-1]), crowded=True).boxes() or {}
    for group in groups:
        found |= tails_of(book, unit, group, found, ctx, shaken)
    return found, full


def needs_of(book: Book, unit: Unit, groups: Sequence[Group]) -> list[float]:
    """How much room each panel wants for its words, over what one without words does."""
    live = sum(area.w * area.h for area in safe_areas(unit, book.chapter.paper))
    share = live / max(1, len(groups))
    room = max(1, round(share**0.5))
    found = []
    for group in groups:
        taken = 0
        for _, line in group.lines:
            item = unit.index.get(line.id)
            sizes = (
                [(item.box.w, item.box.h)]
                if isinstance(item, Lettering)
                else look_of(book, line, TextStyle().size, (room, 4 * room)).sizes
            )
            taken += sizes[0][0] * sizes[0][1] if sizes else room * room
        found.append(0.55 + 1.5 * taken / share)
    return found


def _usual_size(unit: Unit) -> int:
    """The em that dialogue of the page has already, or the kit's own."""
    sizes = [item.style.size for item in unit.objects if isinstance(item, Balloon) and item.text.strip()]
    return statistics.median_low(sizes) if sizes else TextStyle().size


class _Setter:
    """Finds the boxes of one group at one size."""

    def __init__(
        self, book: Book, unit: Unit, group: Group, moved: Collection[str], size: int, *, crowded: bool = False
    ) -> None:
        self._book, self._unit, self._group, self._moved = book, unit, group, moved
        self._size, self._crowded = size, crowded
        self._rooms = list(_rooms(group.frame, unit, book.chapter.paper, book.chapter.direction))
        stays = {line.id for _, line in group.lines} | {""}
        self._taken = list(_in_the_way(unit, moved, self._rooms))
        self._there = tuple(self._taken)
        self._stays = {name: unit.index[name] for name in stays if name in unit.index and name not in moved}

    def _hopeless(self) -> bool:
        """Whether all that is said takes more than there is, wherever it stands."""
        taken = 0
        for _, line in self._group.lines:
            if line.id in self._stays:
                taken += self._stays[line.id].box.w * self._stays[line.id].box.h
                continue
            sizes = [size for room in self._rooms for size in self._look(line, room).sizes]
            taken += min((wide * high for wide, high in sizes), default=0)
        return taken > FULLEST * sum(room.area.w * room.area.h for room in self._rooms)

    def _look(self, line: Line, room: Room) -> Look:
        return look_of(self._book, line, self._size, (room.area.w, room.area.h), alone=self._group.frame is None)

    def boxes(self) -> dict[int, Spot] | None:
        """A spot without a tail for each new line; None where one of them has no room."""
        if not self._crowded and self._hopeless():
            return None
        found: dict[int, Spot] = {}
        order: list[tuple[Line, Rect | None]] = [
            (line, self._stays[line.id].box if line.id in self._stays else None) for _, line in self._group.lines
        ]
        sides = _sides(line for _, line in self._group.lines)
        for at, (number, line) in enumerate(self._group.lines):
            if order[at][1] is not None:
                continue
            before = [box for other, box in order[:at] if box is not None and _is_read(other)]
            after = [box for other, box in order[at + 1 :] if box is not None and _is_read(other)]
            closing = at and at == len(order) - 1 and any(_is_read(other) for other, _ in order[:at])
            wish = (
                COVER
                if self._group.frame is None and line.voice is Voice.CAPTION
                else _wish(line, sides, closing=bool(closing))
            )
            spot = self._spot(line, wish, before, after)
            if spot is None:
                return None
            found[number] = spot
            order[at] = line, spot.box
            self._taken.append(spot.box)
        return found

    def _spot(self, line: Line, wish: Wish, before: Sequence[Rect], after: Sequence[Rect]) -> Spot | None:
        item = self._unit.index.get(line.id)
        for whole in self._rooms:
            room = whole.narrowed(OUTWARDS) if line.off else whole
            look = self._look(line, room)
            sizes = look.sizes
            if isinstance(item, Lettering) and item.box.w <= room.area.w and item.box.h <= room.area.h:
                sizes = ((item.box.w, item.box.h), *sizes)
            tried = not self._crowded or len(self._group.lines) <= MOST_PLACED
            box = place(room, sizes, wish, self._taken, before, after) if tried else None
            if box is None and self._stays and tried:  # what stays may stand where this should
                box = place(room, sizes, wish._replace(ordered=False), self._taken)
            if box is None and self._crowded:
                box = place(room, self._smaller(sizes, room), wish._replace(ordered=False), self._there)
            if box is not None:
                return Spot(box, look.style, None)
        return None

    def _smaller(self, sizes: Sequence[tuple[int, int]], room: Room) -> list[tuple[int, int]]:
        """Sizes for what has no room beside what is there: smaller and smaller ones, too small for its words."""
        whole = sizes or ((room.area.w, room.area.h),)
        if not self._there:
            return [*whole]
        return [(round(wide * share), round(high * share)) for share in SQUEEZED for wide, high in whole]


def _is_read(line: Line) -> bool:
    return line.voice in (Voice.BALLOON, Voice.CAPTION)


def _wish(line: Line, sides: Mapping[str, float], *, closing: bool) -> Wish:
    match line.voice:
        case Voice.SOUND:
            return SOUND
        case Voice.TITLE:
            return TITLE
        case Voice.CAPTION:
            return CLOSING if closing else CAPTION
    return Wish(sides.get(line.speaker, 0.0), 0.0, SPOKEN)


def _sides(lines: Iterator[Line]) -> dict[str, float]:
    """Where each speaker of a panel speaks from: the first from where reading begins, the last from the other side."""
    spoken = [line for line in lines if line.voice is Voice.BALLOON]
    names = list(dict.fromkeys(line.speaker for line in spoken))
    if len(names) == 1 and spoken[0].off:
        return {names[0]: 1.0}
    return {name: number / max(1, len(names) - 1) for number, name in enumerate(names)}


def _rooms(frame: Frame | None, unit: Unit, paper: Paper, direction: Direction) -> Iterator[Room]:
    """The parts of a panel, or of a page without any, where lettering may stand; those that are read first first."""
    safes = list(safe_areas(unit, paper))
    for safe in reversed(safes) if direction is Direction.RTL else safes:
        if frame is None:
            yield Room(safe, lambda _: True, direction)
            continue
        around = bounds(frame.shape)
        left, top = max(around.x + INSET, safe.x), max(around.y + INSET, safe.y)
        right, bottom = min(around.right - INSET, safe.right), min(around.bottom - INSET, safe.bottom)
        if min(right - left, bottom - top) >= _SMALLEST_ROOM:
            yield Room(spanning(left, top, right, bottom), _inside(frame), direction)


def _inside(frame: Frame) -> Callable[[Rect], bool]:
    shape = frame.shape
    if rect_of(shape) is not None:
        return lambda _: True
    return lambda box: all(
        contains(shape, at) for at in ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    )


def _in_the_way(unit: Unit, moved: Collection[str], rooms: Sequence[Room]) -> Iterator[Rect]:
    """Lettering that stays, with its tails, as far as it lies in the rooms."""
    for item in unit.objects:
        if not isinstance(item, Lettering) or item.id in moved:
            continue
        tails = item.tails if isinstance(item, Balloon) else ()
        for box in (item.box, *(part for tail in tails for part in pointing.along(item.box, tail.tip))):
            if any(meet(box, room.area) for room in rooms):
                yield box
