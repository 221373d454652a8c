"""How far an object of a unit is from what it was: on the page, and to the eye."""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from lantern_kit.comic.change import Kind
from lantern_kit.comic.geometry import bounds
from lantern_kit.comic.model import MILLION, AnyObject, Effect, Foreground, Frame, Image, Overlay, Text
from lantern_kit.comic.placement import box_of, own_transform, placement_matrix
from lantern_kit.comic.render.stage import Stage


class Shift(NamedTuple):
    """How an object's place became another."""

    right: float
    """Of its middle, in millimetres."""
    down: float
    """Of its middle, in millimetres."""
    wider: float
    """Factor of its width."""
    taller: float
    """Factor of its height."""
    turned: float
    """Degrees clockwise, from -180 to 180."""


class Unseen(StrEnum):
    """Why a change of the document is not to be seen."""

    ALIKE = "alike"
    """It is drawn alike at this size: a name, a speaker, a few micrometres."""
    HIDDEN = "hidden"
    """It lies under other objects."""
    OUTSIDE = "outside"
    """It lies beside the part of the page that was compared."""


@dataclass(frozen=True)
class ObjectDistance:
    """One object that changed, or that looks different because others did."""

    id: str
    kind: str
    change: Kind | Literal[""]
    """``added``, ``removed`` or ``changed`` in the document; empty when the object itself did not change."""
    properties: tuple[str, ...]
    """Those that changed in the document."""
    shift: Shift | None
    """None when it stayed where it was, or is only on one side."""
    difference: float
    """Mean ΔE OK × 100 over the area where it was or is seen; 100 is black to white."""
    share: float
    """Share of that area that differs noticeably."""
    area: tuple[float, float]
    """Where it was seen and where it is, in square millimetres."""
    unseen: Unseen | None = None
    """Why nothing of a change in the document is seen; None where it is."""
    covered_by: tuple[str, ...] = ()
    """What lies over parts of it that were seen before; or what hides its change."""
    bared_by: tuple[str, ...] = ()
    """What lay over parts of it that are seen now."""
    mixed_with: tuple[str, ...] = ()
    """What changed the look of parts that were and are seen: it shines through, or is seen through it."""

    @property
    def seen(self) -> bool:
        """Whether anything of its change is seen."""
        return self.unseen is None


class _Lie(NamedTuple):
    """Middle and size in micrometres, and turn in degrees."""

    x: float
    y: float
    w: float
    h: float
    turn: float


def shift_between(before: Stage, one: AnyObject, after: Stage, other: AnyObject) -> Shift | None:
    """How an object that is on both sides moved; None when it did not, or when it became another kind of thing.

    A picture is followed itself where it is the same on both sides: its middle, not that of the box that shows it.
    """
    if one.kind != other.kind:
        return None
    was, now = _lie(before, one, same=_asset(after, other)), _lie(after, other, same=_asset(before, one))
    turned = math.remainder(now.turn - was.turn, 360.0)
    found = Shift(
        round((now.x - was.x) / 1_000, 3),
        round((now.y - was.y) / 1_000, 3),
        round(now.w / was.w, 4),
        round(now.h / was.h, 4),
        round(turned, 2) + 0.0,
    )
    return None if found == _STILL else found


_STILL = Shift(0.0, 0.0, 1.0, 1.0, 0.0)


def _asset(stage: Stage, item: AnyObject) -> str:
    """The picture that an image, an overlay or a foreground lies by."""
    if isinstance(item, Foreground):
        item = stage.image_of(item)
    return item.asset if isinstance(item, Image | Overlay) else ""


def _lie(stage: Stage, item: AnyObject, *, same: str) -> _Lie:
    if isinstance(item, Foreground):
        return _lie(stage, stage.image_of(item), same=same)
    if isinstance(item, Image | Overlay):
        placement, limits = item.placement, stage.bounds(item)
        turn = placement.transform.rotate / 1_000
        picture = stage.picture(item.asset) if item.asset == same else None
        if picture is not None:
            matrix = placement_matrix(placement, limits, picture.width, picture.height)
            x, y = matrix.map(picture.width / 2, picture.height / 2)
            w, h = math.hypot(matrix.a, matrix.b) * picture.width, math.hypot(matrix.c, matrix.d) * picture.height
            return _Lie(x, y, w, h, turn)
        box, scale = box_of(placement, limits), placement.transform.scale / MILLION
        x, y = own_transform(placement, limits).map(box.x + box.w / 2, box.y + box.h / 2)
        return _Lie(x, y, box.w * scale, box.h * scale, turn)
    if isinstance(item, Frame):
        box = bounds(item.shape)
    elif isinstance(item, Effect):
        box = stage.filled(item)
    else:
        box = item.box
    turn = item.rotate / 1_000 if isinstance(item, Text) else 0.0
    return _Lie(box.x + box.w / 2, box.y + box.h / 2, box.w, box.h, turn)
