"""What parts of a proposal cannot stand without: which part needs which, worked out from two sound states.

Every rule is of one form, "this part only with that one", so a choice is closed by following arrows; a choice that
follows them all is sound, whatever else it leaves out. docs/review.md lists the rules in words.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from lantern_kit.comic.book import Book
from lantern_kit.comic.geometry import extent
from lantern_kit.comic.model import Balloon, Foreground, Frame, Node, Unit
from lantern_kit.comic.validate import validate_unit

Arrow = tuple[str | None, str | None]
"""A part, and one that it needs; None where there is no such part, and so nothing to need."""


class Bare(NamedTuple):
    """A part as far as its needs depend on it."""

    id: str
    thing: str
    """The object, unit or chapter it is about."""
    properties: tuple[str, ...]
    """Empty when it is about the whole thing: added, removed, moved to another unit, become another kind."""


class Placed(NamedTuple):
    """An object and the unit it lies on."""

    unit: str
    item: Node


class Ground:
    """Two states as far as they differ, and the parts that lead from one to the other.

    Args:
        base, frozen: the states.
        units: the units that differ or are in one of them only.
        bare: the parts, without those that only turn orders.
    """

    def __init__(self, base: Book, frozen: Book, units: Iterable[str], bare: Iterable[Bare]) -> None:
        self.base, self.frozen = base, frozen
        self.units = tuple(units)
        self.before, self.after = placed(base, self.units), placed(frozen, self.units)
        self.whole: set[str] = set()
        self.parts: dict[str, list[Bare]] = {}
        self._owner: dict[tuple[str, str], str] = {}
        for part in bare:
            self.parts.setdefault(part.thing, []).append(part)
            self._owner.update({(part.thing, name): part.id for name in part.properties})
            if not part.properties:
                self.whole.add(part.thing)

    def part(self, thing: str, name: str) -> str | None:
        """The part that changes a property of a thing, or the whole thing."""
        return thing if thing in self.whole else self._owner.get((thing, name))

    def relocation(self, thing: str) -> str | None:
        """The part that brings an object, takes it away or hangs it elsewhere; None when it stays where it is."""
        return self.part(thing, "parent")

    def sheet(self, unit: str) -> str | None:
        """The part that changes a unit's surfaces, or adds or removes it."""
        return self.part(unit, "surfaces")


def placed(book: Book, units: Iterable[str]) -> dict[str, Placed]:
    """The objects of some units by id."""
    return {item.id: Placed(name, item) for name in units if name in book for item in book.unit(name).objects}


def needs(ground: Ground) -> dict[str, set[str]]:
    """For each part that needs any, the parts it needs directly."""
    found: dict[str, set[str]] = {}
    for rule in (_parents, _foregrounds, _marks, _sheets, _paper, _pairs, _cuts, _joins):
        for part, other in rule(ground):
            if part is not None and other is not None and part != other:
                found.setdefault(part, set()).add(other)
    return found


def _parents(ground: Ground) -> Iterator[Arrow]:
    """A child comes with what it hangs on; nothing leaves what still hangs on it."""
    for thing in {**ground.before, **ground.after}:
        own = ground.relocation(thing)
        if own is None:
            continue
        was, now = ground.before.get(thing), ground.after.get(thing)
        if now is not None and now.item.parent in ground.whole:
            yield own, now.item.parent
        if was is not None and was.item.parent in ground.whole:
            yield was.item.parent, own
            if now is None:  # what is removed with its parent comes back with it
                yield own, was.item.parent


def _foregrounds(ground: Ground) -> Iterator[Arrow]:
    """A cut-out and the picture it was cut from."""
    before, after = _bound(ground.before), _bound(ground.after)
    for image, foreground in after.items():
        earlier = before.get(image)
        own, picture = ground.relocation(foreground.id), ground.part(image, "asset")
        if own is not None:
            yield own, picture
        else:
            yield ground.part(foreground.id, "asset"), picture
            if earlier is not None and earlier.asset != foreground.asset:
                yield picture, ground.part(foreground.id, "asset")
        if earlier is not None and earlier.id != foreground.id:
            yield own, ground.relocation(earlier.id)  # an image binds one at a time
    for image, foreground in before.items():
        if image in ground.after:
            yield ground.part(image, "asset"), ground.relocation(foreground.id)


def _marks(ground: Ground) -> Iterator[Arrow]:
    """Another picture and its marks, which tell of that one alone."""
    for thing in ground.before:
        picture, marks = ground.part(thing, "asset"), ground.part(thing, "marks")
        if picture is not None and marks is not None:
            yield picture, marks
            yield marks, picture


def _bound(objects: Mapping[str, Placed]) -> dict[str, Foreground]:
    """The foreground of each image that has one."""
    return {at.item.parent: at.item for at in objects.values() if isinstance(at.item, Foreground)}


def _sheets(ground: Ground) -> Iterator[Arrow]:
    """Surfaces and what lies on them."""
    changed = {name for name in ground.units if ground.sheet(name) is not None}
    homes = {surface.id: name for name in changed if name in ground.base for surface in ground.base.unit(name).surfaces}
    exchanged: set[frozenset[str]] = set()
    for name in changed:
        for surface in ground.frozen.unit(name).surfaces if name in ground.frozen else ():
            home = homes.get(surface.id, name)
            if home != name:  # a spread was split or joined: one decision, with all that went over
                exchanged.add(frozenset((home, name)))
                yield ground.sheet(home), ground.sheet(name)
                yield ground.sheet(name), ground.sheet(home)
    resized = {name for name in changed if name in ground.base and name in ground.frozen}
    for thing in {**ground.before, **ground.after}:
        was, now = ground.before.get(thing), ground.after.get(thing)
        if was is not None and now is not None and frozenset((was.unit, now.unit)) in exchanged:
            yield thing, ground.sheet(was.unit)
            yield ground.sheet(was.unit), thing
        if now is not None and now.unit in resized:
            for part in _too_far(ground, now, was, ground.base.unit(now.unit)):
                yield part, ground.sheet(now.unit)
        if was is not None and was.unit in resized:
            for part in _too_far(ground, was, now, ground.frozen.unit(was.unit)):
                yield ground.sheet(was.unit), part


def _too_far(ground: Ground, at: Placed, other: Placed | None, sheet: Unit) -> Iterator[str]:
    """Parts of an object by which it lies, in one state, too far from the sheet of the other state."""
    for part in ground.parts.get(at.item.id, ()):
        item = at.item
        if part.properties and other is not None:
            item = other.item.model_copy(update={name: getattr(at.item, name) for name in part.properties})
        if "place.far" in _wrong(ground, item, sheet):
            yield part.id


def _paper(ground: Ground) -> Iterator[Arrow]:
    """The safe inset leaves something of every sheet."""
    paper = ground.part(ground.frozen.chapter.id, "paper")
    if paper is None:
        return
    old, new = ground.base.chapter.paper.safe, ground.frozen.chapter.paper.safe
    for name in ground.units:
        if name in ground.base and _narrow(ground.base.unit(name), new):
            yield paper, ground.sheet(name)
        if name in ground.frozen and _narrow(ground.frozen.unit(name), old):
            yield ground.sheet(name), paper


def _narrow(unit: Unit, safe: int) -> bool:
    return any(2 * safe >= min(surface.width, surface.height) for surface in unit.surfaces)


_JOINT: Mapping[str, tuple[tuple[str, str], ...]] = {
    "balloon": (("box", "tails"),),
    "image": (("parent", "placement"),),
    "effect": (("parent", "box"),),
}
"""Two properties that may not go together in every way: a tail at the balloon's own middle, a picture without a box."""


def _pairs(ground: Ground) -> Iterator[Arrow]:
    """Properties of one object, where one's new value does not go with the other's old one."""
    for thing, was in ground.before.items():
        now = ground.after.get(thing)
        if now is None or thing in ground.whole:
            continue
        for pair in _JOINT.get(was.item.kind, ()):
            for name, other in (pair, pair[::-1]):
                if ground.part(thing, name) is None or ground.part(thing, other) is None:
                    continue
                mixed = was.item.model_copy(update={name: getattr(now.item, name)})
                if _wrong(ground, mixed, ground.base.unit(was.unit)) & {"box.missing", "balloon.tail"}:
                    yield ground.part(thing, name), ground.part(thing, other)


def _wrong(ground: Ground, item: Node, sheet: Unit) -> set[str]:
    """Rules that an object breaks when it is alone on a sheet."""
    alone = sheet.model_copy(update={"objects": (item,), "reading": ()})
    return {found.rule for found in validate_unit(alone, ground.base.chapter) if found.object == item.id}


def _cuts(ground: Ground) -> Iterator[Arrow]:
    """A frame that was cut off another comes with the other's new outline, or the two would lie on each other."""
    shrunk: dict[str, list[tuple[str, tuple[int, int, int, int]]]] = {}
    for thing, was in ground.before.items():
        now = ground.after.get(thing)
        part = ground.part(thing, "shape")
        if isinstance(was.item, Frame) and now is not None and isinstance(now.item, Frame) and part != thing and part:
            whole = extent(was.item.shape)
            if _inside(extent(now.item.shape), whole):
                shrunk.setdefault(was.unit, []).append((part, whole))
    for thing, at in ground.after.items():
        if thing in ground.whole and thing not in ground.before and isinstance(at.item, Frame):
            box = extent(at.item.shape)
            for part, whole in shrunk.get(at.unit, ()):
                if _inside(box, whole):
                    yield thing, part


def _inside(box: tuple[int, int, int, int], whole: tuple[int, int, int, int]) -> bool:
    return box[0] >= whole[0] and box[1] >= whole[1] and box[2] <= whole[2] and box[3] <= whole[3]


def _joins(ground: Ground) -> Iterator[Arrow]:
    """A balloon comes with the one it is joined to, and none leaves while another is joined to it, nor in a circle."""
    before, after = _joined(ground.before), _joined(ground.after)
    for thing, other in after.items():
        if other in ground.whole:
            yield ground.part(thing, "joined"), other
    for thing, other in before.items():
        if other in ground.whole:
            yield other, ground.part(thing, "joined")
    fresh = [pair for pair in after.items() if before.get(pair[0]) != pair[1]]
    stale = [pair for pair in before.items() if after.get(pair[0]) != pair[1]]
    for thing, other in fresh if stale else ():
        ahead = _led_to(other, before, after)
        for earlier, joined in stale:
            if earlier in ahead and thing in _led_to(joined, before, after):
                yield ground.part(thing, "joined"), ground.part(earlier, "joined")


def _joined(objects: Mapping[str, Placed]) -> dict[str, str]:
    """Balloons that are joined, each with the one that it names."""
    items = (at.item for at in objects.values())
    return {item.id: item.joined for item in items if isinstance(item, Balloon) and item.joined is not None}


def _led_to(start: str, *links: Mapping[str, str]) -> set[str]:
    """What can be reached from a balloon by either state's joins, itself among it."""
    found: set[str] = set()
    waiting = [start]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += [link[name] for link in links if name in link]
    return found
