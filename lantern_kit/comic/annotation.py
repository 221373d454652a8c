"""Annotations: what a person wrote about the work, and what each of its references points at in the work as it stands.

They belong to the working context of a chapter, never to its document (seed 000, 作品批注).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain

from lantern_kit.comic.anchor import Shares, box_around, corners, ground, point_at, shares_at
from lantern_kit.comic.book import Book
from lantern_kit.comic.handle import fingerprint_of, handle_of
from lantern_kit.comic.model import MILLION, Frame, Node, Point, Rect, Surface, Unit
from lantern_kit.kernel.canonical import fingerprint
from lantern_kit.kernel.errors import BadInput, NotFound

PREFIX = "an"
MIDDLE = (MILLION // 2, MILLION // 2)
Target = Unit | Surface | Node
"""What an element reference may hold on to."""
Home = Callable[[str], str | None]
"""The unit of the current work that holds an object, by the object's id."""


class State(StrEnum):
    """How far an annotation has come."""

    OPEN = "open"
    CLAIMED = "claimed"
    """An agent deals with it in a draft."""
    AWAITING = "awaiting"
    """That draft is frozen; the person looks at it, or has applied it already."""
    RESOLVED = "resolved"
    SHELVED = "shelved"


UNSETTLED = (State.OPEN, State.CLAIMED, State.AWAITING)
SETTLED = (State.RESOLVED, State.SHELVED)


class Resolution(StrEnum):
    """What became of a reference's target since the reference was made."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    MISSING = "missing"


class Kind(StrEnum):
    """How a reference points."""

    ELEMENT = "element"
    POINT = "point"


@dataclass(frozen=True)
class OnElement:
    """What a person points at: a unit, a page of a spread or an object, and where inside it."""

    target: str
    """Id or handle."""
    at: Shares = MIDDLE


@dataclass(frozen=True)
class OnPoint:
    """What a person points at: a place on the paper."""

    unit: str
    """Id or handle."""
    at: Shares
    """Of the unit's trim; of the surface, where one is named."""
    surface: str = ""
    """The page of the unit that is meant; empty for the unit as a whole."""


@dataclass(frozen=True)
class Reference:
    """One reference, as it was made. Kept as it is while the work moves."""

    kind: Kind
    target: str
    """The object, surface or unit; of a point the unit."""
    target_kind: str
    """frame, balloon …, unit or surface."""
    unit: str
    """The unit it was on."""
    surface: str
    """Of a point: the page that is meant, or empty."""
    at: Shares
    """Inside the element; of a point inside its surface, else inside the unit."""
    fallback: Shares
    """The same place as shares of the unit it was on: where to look when the target is gone."""
    fingerprint: str
    """Of the target when the reference was made."""


@dataclass(frozen=True)
class Message:
    """Something said about an annotation after it was written."""

    actor_kind: str
    actor: str
    body: str
    at: int


@dataclass(frozen=True)
class Annotation:
    """One annotation with all that hangs on it."""

    id: str
    chapter: str
    body: str
    """The person's own words."""
    state: State
    actor: str
    created_at: int
    changed_at: int
    draft: int | None
    proposal: int | None
    references: tuple[Reference, ...] = ()
    """In the order the person gave them."""
    attachments: tuple[str, ...] = ()
    """Fixed asset versions, in order."""
    messages: tuple[Message, ...] = ()
    """Oldest first."""

    @property
    def settled(self) -> bool:
        """Whether the person is done with it."""
        return self.state in SETTLED


@dataclass(frozen=True)
class Resolved:
    """A reference against the work as it stands."""

    reference: Reference
    resolution: Resolution
    unit: Unit | None
    """The unit it lies on now; None when neither the target nor that unit is there any more."""
    thing: Target | None
    """The target as it is; None when it is missing."""
    point: Point | None
    """Where it points, in micrometres of the unit: inside the target, or the fallback point when that is missing."""
    outline: tuple[Point, ...] = ()
    """Corners of what the target covers; empty for points and missing targets."""

    @property
    def box(self) -> Rect | None:
        """The upright rectangle round the target."""
        return box_around(self.outline) if self.outline else None

    @property
    def page(self) -> str | None:
        """Handle of the unit it lies on."""
        return None if self.unit is None else handle_of(self.unit)

    @property
    def handle(self) -> str | None:
        """Handle of the target; of a surface, and of a point, there is none."""
        return handle_of(self.thing) if isinstance(self.thing, Unit | Node) and self.outline else None

    @property
    def frame(self) -> str | None:
        """Handle of the frame the target lies in, if it lies in one."""
        thing, unit = self.thing, self.unit
        while unit is not None and isinstance(thing, Node):
            thing = unit.index.get(thing.parent)
            if isinstance(thing, Frame):
                return handle_of(thing)
        return None


def refer(wanted: OnElement | OnPoint, book: Book, home: Home) -> Reference:
    """The reference to what a person points at in the work as it stands. Raises NotFound, BadInput."""
    _inside(wanted.at)
    if isinstance(wanted, OnPoint):
        return _refer_point(wanted, book)
    found = _find(wanted.target, book, home, "")
    if found is None:
        raise NotFound(
            f"{wanted.target[:40]} is nothing in the chapter as it stands",
            ids=[wanted.target[:40]],
            recovery="Name a unit, a surface of one or an object that is there now.",
        )
    unit, thing = found
    kind = thing.kind if isinstance(thing, Node) else "surface" if isinstance(thing, Surface) else "unit"
    fallback = shares_at(ground(unit, unit), point_at(ground(unit, thing), wanted.at))
    return Reference(Kind.ELEMENT, thing.id, kind, unit.id, "", wanted.at, fallback, mark_of(unit, thing))


def resolve(reference: Reference, book: Book, home: Home) -> Resolved:
    """What a reference points at in the work as it stands; a missing target is never replaced by another."""
    if reference.kind is Kind.POINT:
        return _resolve_point(reference, book)
    found = _find(reference.target, book, home, reference.unit)
    if found is None:
        return _missing(reference, book)
    unit, thing = found
    same = mark_of(unit, thing) == reference.fingerprint
    there = ground(unit, thing)
    state = Resolution.UNCHANGED if same else Resolution.CHANGED
    return Resolved(reference, state, unit, thing, point_at(there, reference.at), corners(there))


def mark_of(unit: Unit, thing: Target) -> str:
    """The fingerprint a reference keeps of its target; a surface has none of its own, so its unit's id is added."""
    if isinstance(thing, Surface):
        return fingerprint([unit.id, thing.model_dump(mode="json")])
    return fingerprint_of(thing)


def _refer_point(wanted: OnPoint, book: Book) -> Reference:
    if wanted.unit not in book:
        raise NotFound(f"{wanted.unit[:40]} is not a unit of the chapter as it stands", ids=[wanted.unit[:40]])
    unit = book.unit(wanted.unit)
    paper: Unit | Surface = unit
    if wanted.surface:
        surface = _surface(unit, wanted.surface)
        if surface is None:
            raise NotFound(
                f"{wanted.surface[:40]} is not a page of {unit.id}",
                expected=[item.id for item in unit.surfaces],
                ids=[wanted.surface[:40]],
            )
        paper = surface
    fallback = shares_at(ground(unit, unit), point_at(ground(unit, paper), wanted.at))
    return Reference(Kind.POINT, unit.id, "unit", unit.id, wanted.surface, wanted.at, fallback, mark_of(unit, unit))


def _resolve_point(reference: Reference, book: Book) -> Resolved:
    unit = book.unit(reference.target) if reference.target in book else None
    surface: Surface | None = None
    if reference.surface:
        # A page joined into a spread, or split out of one, takes its surface along.
        found = _find_surface(reference.surface, book, reference.unit)
        if found is not None:
            unit, surface = found
    if unit is None:
        return _missing(reference, book)
    same = unit.id == reference.target and mark_of(unit, unit) == reference.fingerprint
    state = Resolution.UNCHANGED if same else Resolution.CHANGED
    if reference.surface and surface is None:
        return Resolved(reference, state, unit, None, point_at(ground(unit, unit), reference.fallback))
    paper: Unit | Surface = surface or unit
    return Resolved(reference, state, unit, paper, point_at(ground(unit, paper), reference.at))


def _missing(reference: Reference, book: Book) -> Resolved:
    unit = book.unit(reference.unit) if reference.unit in book else None
    point = None if unit is None else point_at(ground(unit, unit), reference.fallback)
    return Resolved(reference, Resolution.MISSING, unit, None, point)


def _find(target: str, book: Book, home: Home, likely: str) -> tuple[Unit, Target] | None:
    if target in book:
        unit = book.unit(target)
        return unit, unit
    if target.startswith("sf_"):
        return _find_surface(target, book, likely)
    where = home(target)
    if where is None:
        return None
    unit = book.unit(where)
    thing: Node = unit.index[target]
    return unit, thing


def _find_surface(surface: str, book: Book, likely: str) -> tuple[Unit, Surface] | None:
    """The unit that has a surface, and it; the likely unit is looked at first."""
    for unit in chain((book.unit(name) for name in (likely,) if name in book), book.units()):
        found = _surface(unit, surface)
        if found is not None:
            return unit, found
    return None


def _surface(unit: Unit, surface: str) -> Surface | None:
    return next((item for item in unit.surfaces if item.id == surface), None)


def _inside(at: Shares) -> None:
    if not all(0 <= share <= MILLION for share in at):
        raise BadInput("a place is given as shares across and down", expected="two numbers from 0 to 1", found=str(at))
