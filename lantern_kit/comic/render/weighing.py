"""Which objects look different on two pictures of a unit, by how much, and through which others."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

import numpy as np

from lantern_kit.comic.change import Change, Kind
from lantern_kit.comic.contract import is_order, turns
from lantern_kit.comic.model import Balloon, Effect, Foreground, Image, Lettering, Narration
from lantern_kit.comic.render.area import Area, around, meet
from lantern_kit.comic.render.coverage import Cover, Covering
from lantern_kit.comic.render.distance import ObjectDistance, Unseen, shift_between
from lantern_kit.comic.render.regions import Mask, Weights
from lantern_kit.comic.render.stage import Stage
from lantern_kit.imaging.perception import NOTICEABLE
from lantern_kit.imaging.picture import Pixels

SHARE = 0.02
"""Of an object's changed pixels that another has to lie over before it is named."""

Place = tuple[Area, Mask]
"""A part of the picture, and which of its pixels."""


class Weighed(NamedTuple):
    """All that is told of the objects."""

    objects: tuple[ObjectDistance, ...]
    """Those that changed in the document first, then by what is to be seen of it."""
    places: Mapping[str, Place]
    """Where each object's changed pixels are; those without any are left out."""
    gone: tuple[Place, ...]
    """Where objects were seen that are drawn differently now, or not at all."""
    come: tuple[Place, ...]
    """Where objects are seen that were drawn differently, or not at all."""
    lettered: tuple[tuple[Place, str], ...]
    """Where words were and are seen that are drawn differently, and the colour they stand on."""


@dataclass(frozen=True, eq=False)
class Pair:
    """Two pictures of a unit at one scale, pixel over pixel."""

    before: Covering | None
    """None where there was no unit."""
    after: Covering | None
    """None where there is none."""
    changed: Mask
    """Which pixels differ."""
    apart: Weights
    """By how much."""
    dot: float
    """Area of a pixel in square millimetres."""


def weigh(pair: Pair, rows: Sequence[Change]) -> Weighed:
    """The distance of each object that changed in the document or in the picture.

    Args:
        pair: both pictures.
        rows: what changed in the unit's document.
    """
    told: dict[str, list[Change]] = {}
    for row in rows:
        if row.object != row.unit:
            told.setdefault(row.object, []).append(row)
    was, now = _keys(pair.before), _keys(pair.after)
    differing = {name for name in {*was, *now} if was.get(name) != now.get(name)}
    wanted = {*told, *_touched(pair.before, pair.changed), *_touched(pair.after, pair.changed)}
    alike: dict[str, dict[bool, Pixels]] = {name: {} for name in {*was} - differing}
    inked = differing & {*was} & {*now}
    covers = [
        {} if side is None else side.covers(wanted, inked=inked, alike=alike) for side in (pair.before, pair.after)
    ]
    redrawn = {name for name in wanted & differing if _redrawn(covers[0].get(name), covers[1].get(name))}
    lifted = any(row.property in _LIFTING or (is_order(row) and turns(row)) for row in rows)
    weigher = _Weigher(pair, covers[0], covers[1], redrawn, lifted)
    told_of = [found for name in sorted(wanted) if (found := weigher.tell(name, told.get(name, []))) is not None]
    objects = sorted((item for item, _ in told_of), key=lambda item: (item.change == "", -_weight(item), item.id))
    places = {item.id: place for item, place in told_of if place is not None}
    gone, come = (tuple((side[name].box, side[name].seen) for name in redrawn if name in side) for side in covers)
    lettered = tuple(_lettered(covers[0][name], covers[1][name]) for name in redrawn if _is_lettered(covers, name))
    return Weighed(tuple(objects), places, gone, come, lettered)


def _is_lettered(covers: Sequence[Mapping[str, Cover]], name: str) -> bool:
    return all(name in side and isinstance(side[name].item, Lettering) for side in covers)


def _lettered(one: Cover, other: Cover) -> tuple[Place, str]:
    box = around([one.box, other.box])
    ground = other.item.fill if isinstance(other.item, Balloon | Narration) else None
    seen = _laid(one, box, lambda cover: cover.seen) & _laid(other, box, lambda cover: cover.seen)
    return (box, seen), ground or "#ffffff"


def _weight(item: ObjectDistance) -> float:
    return item.difference * max(item.area)


def _keys(side: Covering | None) -> dict[str, Hashable]:
    """What the drawing of each object by itself depends on."""
    return {} if side is None else dict(_depends(side.stage))


def _depends(stage: Stage) -> Iterator[tuple[str, Hashable]]:
    unit = stage.unit
    sheet = (unit.surfaces, unit.gutter, stage.chapter.paper)
    balloons = [item for item in unit.objects if isinstance(item, Balloon)]
    held = {item.joined for item in balloons}
    bunch = tuple(item for item in balloons if item.joined is not None or item.id in held)
    bunched = {item.id for item in bunch}
    for item in unit.objects:
        image = stage.image_of(item) if isinstance(item, Foreground) else item
        frame = stage.frame_of(image) if isinstance(image, Image | Effect) else None
        yield item.id, (item, image, frame, sheet, bunch if item.id in bunched else ())


def _touched(side: Covering | None, changed: Mask) -> Iterator[str]:
    """Objects that may be seen where something changed."""
    for name, (left, top, right, bottom) in ({} if side is None else side.boxes).items():
        if changed[top:bottom, left:right].any():
            yield name


def _redrawn(one: Cover | None, other: Cover | None) -> bool:
    """Whether an object by itself is drawn differently."""
    if one is None or other is None:
        return one is not other
    if one.box != other.box or one.ink is None or other.ink is None:
        return True
    return not np.array_equal(one.ink, other.ink)


@dataclass(frozen=True, eq=False)
class _Weigher:
    pair: Pair
    before: Mapping[str, Cover]
    after: Mapping[str, Cover]
    redrawn: set[str]
    """Objects that are drawn differently by themselves."""
    lifted: bool
    """Whether objects lie over others otherwise than before."""

    def tell(self, name: str, rows: list[Change]) -> tuple[ObjectDistance, Place | None] | None:
        """An object's distance and where it differs; None where there is nothing to tell."""
        one, other = self.before.get(name), self.after.get(name)
        told = self._told(name, rows)
        if one is None and other is None:
            return (replace(told, unseen=Unseen.OUTSIDE), None) if rows else None
        box = around([cover.box for cover in (one, other) if cover is not None])
        part = np.s_[box[1] : box[3], box[0] : box[2]]
        bystander = not rows  # the softened edge of one is rather its neighbour's
        was, now = (_laid(cover, box, lambda cover: cover.solid if bystander else cover.seen) for cover in (one, other))
        seen = was | now
        changed = self.pair.changed[part] & seen
        if not changed.any():
            return (self._unseen(told, was, now), None) if rows else None
        apart = self.pair.apart[part][seen]
        told = replace(
            told,
            difference=float(apart.mean(dtype=np.float64)),
            share=float(np.count_nonzero(apart >= NOTICEABLE) / len(apart)),
            area=self._area(was, now),
            covered_by=self._found(name, box, changed & was & ~now & _laid(other, box, _own), self.after),
            bared_by=self._found(name, box, changed & now & ~was & _laid(one, box, _own), self.before),
        )
        if name not in self.redrawn:
            if rows and not _LIFTING & {*told.properties}:
                told = replace(told, unseen=Unseen.ALIKE)
            if not (told.covered_by or told.bared_by):
                told = replace(told, mixed_with=self._mixed(name, box, changed))
        return told, (box, changed)

    def _told(self, name: str, rows: list[Change]) -> ObjectDistance:
        """What is known of an object without its pixels."""
        before, after = self.pair.before, self.pair.after
        one = None if before is None else before.stage.unit.index.get(name)
        other = None if after is None else after.stage.unit.index.get(name)
        item = one if other is None else other
        if item is None:  # pragma: no cover  a row or a cover speaks of one that is on neither side
            raise LookupError(name)
        shift = None
        if before is not None and after is not None and one is not None and other is not None:
            shift = shift_between(before.stage, one, after.stage, other)
        kinds = {row.change for row in rows}
        change: Kind | Literal[""] = "" if not rows else kinds.pop() if len(kinds) == 1 else "changed"
        properties = tuple(row.property for row in rows if row.property is not None)
        return ObjectDistance(name, item.kind, change, properties, shift, 0.0, 0.0, (0.0, 0.0))

    def _area(self, was: Mask, now: Mask) -> tuple[float, float]:
        return float(np.count_nonzero(was)) * self.pair.dot, float(np.count_nonzero(now)) * self.pair.dot

    def _unseen(self, told: ObjectDistance, was: Mask, now: Mask) -> ObjectDistance:
        """Why a change of the document changed nothing in the picture."""
        name, area = told.id, self._area(was, now)
        if name not in self.redrawn:
            return replace(told, unseen=Unseen.ALIKE, area=area)
        if not any(side[name].own.any() for side in (self.before, self.after) if name in side):
            return replace(told, unseen=Unseen.OUTSIDE)
        over: dict[str, None] = {}
        for side, covers in ((self.pair.before, self.before), (self.pair.after, self.after)):
            if side is not None and name in covers:
                over |= dict.fromkeys(_over(side, covers[name]))
        return replace(told, unseen=Unseen.HIDDEN, area=area, covered_by=tuple(over))

    def _found(self, name: str, box: Area, where: Mask, covers: Mapping[str, Cover]) -> tuple[str, ...]:
        """What is seen there on one side, and lies above the object if that is there too."""
        least = max(1.0, SHARE * np.count_nonzero(where))
        floor = covers[name].depth if name in covers else -1
        return tuple(
            other
            for other, cover in covers.items()
            if other != name
            and (self.lifted or other in self.redrawn)
            and cover.depth > floor
            and shared(cover.box, cover.solid, box, where) >= least
        )

    def _mixed(self, name: str, box: Area, where: Mask) -> tuple[str, ...]:
        """What is drawn differently there."""
        least = max(1.0, SHARE * np.count_nonzero(where))
        return tuple(
            other
            for other in {**self.before, **self.after}
            if other != name
            and other in self.redrawn
            and any(
                shared(covers[other].box, covers[other].seen, box, where) >= least
                for covers in (self.before, self.after)
                if other in covers
            )
        )


_LIFTING = frozenset({"band", "parent"})
"""Properties that raise or lower an object without a change of its own drawing."""


def _over(side: Covering, hidden: Cover) -> list[str]:
    """What lies over an object that is hidden."""
    near = [name for name, box in side.boxes.items() if meet(box, hidden.box)]
    found = side.covers(near, inked=(), alike={})
    return [
        name
        for name, cover in found.items()
        if cover.depth > hidden.depth and shared(cover.box, cover.seen, hidden.box, hidden.own)
    ]


def _own(cover: Cover) -> Mask:
    return cover.own


def _laid(cover: Cover | None, box: Area, mask: Callable[[Cover], Mask]) -> Mask:
    """One of an object's masks, in a part of the picture that holds all of it."""
    found = np.zeros((box[3] - box[1], box[2] - box[0]), np.bool_)
    if cover is not None:
        left, top, right, bottom = cover.box
        found[top - box[1] : bottom - box[1], left - box[0] : right - box[0]] = mask(cover)
    return found


def shared(one: Area, mask: Mask | None, other: Area, where: Mask) -> int:
    """How many pixels two masks, each of a part of the picture, have in common; None is all of its part."""
    if not meet(one, other):
        return 0
    left, top = max(one[0], other[0]), max(one[1], other[1])
    right, bottom = min(one[2], other[2]), min(one[3], other[3])
    second = where[top - other[1] : bottom - other[1], left - other[0] : right - other[0]]
    if mask is None:
        return int(np.count_nonzero(second))
    return int(np.count_nonzero(second & mask[top - one[1] : bottom - one[1], left - one[0] : right - one[0]]))
