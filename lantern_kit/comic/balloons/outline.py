"""The whole outline of a balloon, or of several that are joined: bodies, tails and necks as one, without a seam."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.body import Form, body, edge_towards, form_of, polygon, ragged
from lantern_kit.comic.balloons.contour import Contour, arch, edges, line
from lantern_kit.comic.balloons.groups import Group
from lantern_kit.comic.balloons.solid import Source, without_pockets
from lantern_kit.comic.balloons.tails import (
    blunted,
    bubbles,
    is_bubbles,
    leaves,
    pointed,
    spikes_taken,
    spine_point,
    stem,
)
from lantern_kit.comic.geometry import Dot, Edges, enclosing
from lantern_kit.comic.model import Balloon, BalloonShape, Tail

NECK = 0.3
"""Width of a neck between joined balloons at its root, over the shorter side of the smaller one."""
NARROWEST, WIDEST = 1_600, 9_000
"""Micrometres between which that width stays, as long as the balloons are larger."""
THROAT = 0.62
"""A neck's width at its middle over that at its root."""
CLEAR = 500.0
"""Micrometres by which a bubble keeps clear of every outline; one that does not is left out."""


class Outline(NamedTuple):
    """What is filled and inked of a balloon, or of several that are joined."""

    contours: tuple[Contour, ...]
    """Bodies with their pointed tails; clockwise, and round holes the other way."""
    bubbles: tuple[Contour, ...] = ()
    """Of tails that are made of bubbles; each apart."""
    stems: tuple[Contour, ...] = ()
    """Lines from words without a body, to be filled with ink."""

    def edges(self) -> Edges | None:
        """The upright rectangle round all of it; None when nothing is drawn."""
        return enclosing(map(edges, (*self.contours, *self.bubbles, *self.stems)))


class _Member(NamedTuple):
    form: Form
    tails: tuple[Tail, ...]


def balloon_outline(balloon: Balloon) -> Outline:
    """The outline of one balloon with its tails, as if it were joined to no other."""
    return outline(form_of(balloon), balloon.tails)


@lru_cache(maxsize=2048)
def outline(form: Form, tails: tuple[Tail, ...]) -> Outline:
    """The outline of a body with its tails, in page micrometres."""
    if form.shape is BalloonShape.NONE:
        pointing = [tail for tail in tails if not is_bubbles(form.shape, tail)]
        stems = tuple(made for tail in pointing if (made := stem(form, tail)) is not None)
        return Outline((), _clear_bubbles([_Member(form, tails)], polygon(form)), stems)
    member = _Member(form, tails)
    area, contours = _joined([member], ())
    return Outline(contours, _clear_bubbles([member], area))


def group_outline(group: Group) -> Outline:
    """The one outline of joined balloons."""
    place = {member.id: number for number, member in enumerate(group.members)}
    links = tuple((place[one.id], place[two.id]) for one, two in group.links)
    return _group_outline(tuple(_Member(form_of(member), member.tails) for member in group.members), links)


@lru_cache(maxsize=512)
def _group_outline(members: tuple[_Member, ...], links: tuple[tuple[int, int], ...]) -> Outline:
    necks = []
    for one, two in links:
        made = neck(members[one].form, members[two].form)
        if made is not None:
            necks.append(made)
    area, contours = _joined(members, necks)
    return Outline(contours, _clear_bubbles(members, area))


def _joined(members: Sequence[_Member], necks: Sequence[Contour]) -> tuple[shapely.Geometry, tuple[Contour, ...]]:
    """What bodies, pointed tails and necks cover together, and the outlines round it."""
    pieces: list[Contour] = []
    owned: list[tuple[int, list[int]]] = []
    for form, tails in members:
        pointing = [tail for tail in tails if not is_bubbles(form.shape, tail)]
        taken = tuple(spikes for tail in pointing if (spikes := spikes_taken(form, tail)) is not None)
        own = len(pieces)
        pieces.append(blunted(form, taken) if taken else body(form))
        made = [tail_made for tail in pointing if (tail_made := pointed(form, tail)) is not None]
        owned.append((own, list(range(own + 1, own + 1 + len(made)))))
        pieces += made
    if len(pieces) == 1 and not necks and _is_simple(members[0].form):
        return polygon(members[0].form), (pieces[0],)
    source = Source([*pieces, *necks])
    areas = source.areas
    parts: list[shapely.Geometry] = [*areas[len(pieces) :]]
    for own, tails_at in owned:
        if not tails_at:
            parts.append(areas[own])
        # Between a tail and the body it comes from there is never an eye.
        parts += [
            without_pockets(shapely.union(areas[own], areas[at]), all_of_them=_is_simple_area(areas[own]))
            for at in tails_at
        ]
    whole = without_pockets(shapely.unary_union(parts) if len(parts) > 1 else parts[0])
    return whole, source.contours(whole)


def _is_simple(form: Form) -> bool:
    """Whether a body's own outline never crosses itself."""
    return form.shape is not BalloonShape.PATH


def _is_simple_area(area: shapely.Geometry) -> bool:
    return area.geom_type == "Polygon" and not area.interiors


def _clear_bubbles(members: Sequence[_Member], area: shapely.Geometry) -> tuple[Contour, ...]:
    """The bubbles of all tails, without those that would touch an outline or one another."""
    found: list[Contour] = []
    if not any(is_bubbles(form.shape, tail) for form, tails in members for tail in tails):
        return ()
    taken = [area.buffer(CLEAR)]
    for form, tails in members:
        for tail in tails:
            if not is_bubbles(form.shape, tail):
                continue
            for bubble in bubbles(form, tail):
                shape = Source([bubble]).areas[0]
                if not any(shapely.intersects(shape, other) for other in taken):
                    found.append(bubble)
                    taken.append(shape)
    return tuple(found)


def neck(one: Form, two: Form) -> Contour | None:
    """What joins two bodies that do not meet, or only just; None where they lie well over one another."""
    first, second = polygon(one), polygon(two)
    if first.is_empty or second.is_empty:
        return None
    width = min(max(NECK * min(one.box.w, one.box.h, two.box.w, two.box.h), NARROWEST), WIDEST)
    width = min(width, 0.6 * min(one.box.w, one.box.h, two.box.w, two.box.h))
    common = shapely.intersection(first, second)
    rough = ragged(one) is not None or ragged(two) is not None  # where bulges and spikes meet, little is open
    if not common.is_empty:
        open_way = _breadth(common)
        if not rough and open_way >= width:
            return None
        if rough:  # nor shall a slit be left between two of them
            width = min(max(width, 1.1 * open_way), 0.6 * min(one.box.w, one.box.h, two.box.w, two.box.h))
    begin, end = _heart(one, two, width / 2), _heart(two, one, width / 2)
    length = math.dist(begin, end)
    if length < 1:
        return None
    ux, uy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    out, into = edge_towards(first, begin, end), 1 - edge_towards(second, end, begin)
    free = max(0.0, into - out) * length
    # It begins and ends inside the bodies, where its sides already curve.
    deep = min(width, 0.9 * out * length), min(width, 0.9 * (1 - into) * length)
    ends = out * length - deep[0], into * length + deep[1]
    root, throat = width / 2 * (1 + 0.5 * min(1.0, free / width)), width / 2 * THROAT

    def dot(along: float, aside: float) -> Dot:
        return begin[0] + ux * along - uy * aside, begin[1] + uy * along + ux * aside

    middle = (ends[0] + ends[1]) / 2
    by = 2 * throat - root  # a quadratic curve's middle lies halfway to its control point
    corners = (dot(ends[0], -root), dot(ends[1], -root), dot(ends[1], root), dot(ends[0], root))
    return Contour(
        corners[0],
        (
            arch(corners[0], dot(middle, -by), corners[1]),
            line(corners[1], corners[2]),
            arch(corners[2], dot(middle, by), corners[3]),
            line(corners[3], corners[0]),
        ),
    )


def _heart(form: Form, other: Form, half: float) -> Dot:
    """Where in a body a neck to another begins."""
    middle = (other.box.x + other.box.w / 2, other.box.y + other.box.h / 2)
    found = leaves(form, spine_point(other.box, spine_point(form.box, middle)), half)
    if found is not None:
        return found[0]
    inside = polygon(form).representative_point()
    return inside.x, inside.y


def _breadth(common: shapely.Geometry) -> float:
    """How wide the passage is that two overlapping bodies leave."""
    left, top, right, bottom = shapely.bounds(common).tolist()
    return math.hypot(right - left, bottom - top)
