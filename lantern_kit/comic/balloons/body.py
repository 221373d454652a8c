"""The outline of each shape of balloon, without its tails, and the room inside it for words."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.room import Dot, Room, room_in
from lantern_kit.comic.model import Balloon, BalloonShape, Rect, Shape

FULLNESS = 2.25
"""Exponent of the superellipse that an ``ellipse`` balloon is: 2 is a plain ellipse, more is fuller."""
HANDLE = (8 * 2 ** (-1 / FULLNESS) - 4) / 3
"""Length of a Bézier handle over the half axis, so that the curve's middle lies on that superellipse."""
CORNER = 0.42
"""Corner radius of a ``rounded`` balloon over its shorter side."""
CORNER_HANDLE = 0.6
PIECES = 24
"""Straight pieces that a curve is cut into where its outline is measured."""
STRAIGHT = frozenset({BalloonShape.BOX, BalloonShape.ROUNDED, BalloonShape.NONE})

Segment = tuple[Dot, Dot, Dot]


@dataclass(frozen=True, slots=True)
class Contour:
    """A closed outline of cubic Bézier segments in page micrometres, clockwise."""

    start: Dot
    segments: tuple[Segment, ...]


class Form(NamedTuple):
    """What the outline of a balloon's body depends on."""

    shape: BalloonShape
    box: Rect
    outline: Shape | None = None
    """The free outline of a ``path``."""
    seed: int = 1

    def about_its_middle(self) -> Form:
        """The same form wherever it stands: its box begins at the origin."""
        return self._replace(box=Rect(x=0, y=0, w=self.box.w, h=self.box.h))


def form_of(balloon: Balloon) -> Form:
    """The form of a balloon."""
    return Form(balloon.shape, balloon.box, balloon.outline, balloon.seed)


def box_form(width: int, height: int) -> Form:
    """An upright box at the origin."""
    return Form(BalloonShape.BOX, Rect(x=0, y=0, w=width, h=height))


@lru_cache(maxsize=1024)
def body(form: Form) -> Contour:
    """The outline of a body without its tails, filling its box."""
    box = form.box
    x, y, a, b = box.x + box.w / 2, box.y + box.h / 2, box.w / 2, box.h / 2
    if form.shape in STRAIGHT:
        radius = corner_radius(box.w, box.h) if form.shape is BalloonShape.ROUNDED else 0.0
        return _rounded(x, y, a, b, radius)
    return _superellipse(x, y, a, b)


@lru_cache(maxsize=1024)
def polygon(form: Form) -> shapely.Polygon:
    """The same outline in short straight pieces, in page micrometres."""
    made = shapely.Polygon(flattened(body(form)))
    shapely.prepare(made)
    return made


@lru_cache(maxsize=1024)
def room(form: Form, padding: int) -> Room:
    """The room for words in a body, everywhere at least ``padding`` away from its outline."""
    x, y = form.box.x + form.box.w / 2, form.box.y + form.box.h / 2
    about = [(px - x, py - y) for px, py in flattened(body(form))]
    return room_in(about, padding, straight=form.shape in STRAIGHT)


def corner_radius(width: float, height: float) -> float:
    """Corner radius of a ``rounded`` balloon of that size."""
    return CORNER * min(width, height)


def flattened(contour: Contour, pieces: int = PIECES) -> list[Dot]:
    """The corners of an outline whose curves are cut into so many straight pieces each."""
    points: list[Dot] = []
    (sx, sy) = contour.start
    for (ax, ay), (bx, by), (ex, ey) in contour.segments:
        for number in range(1, pieces + 1):
            t = number / pieces
            s = 1 - t
            one, two, three, four = s**3, 3 * s * s * t, 3 * s * t * t, t**3
            points.append((one * sx + two * ax + three * bx + four * ex, one * sy + two * ay + three * by + four * ey))
        sx, sy = ex, ey
    return points


def edge_towards(outline: shapely.Polygon, inside: Dot, target: Dot) -> float:
    """Where the straight line from a point inside to ``target`` last leaves an outline, as a share of its length."""
    length = math.dist(inside, target)
    if outline.contains(shapely.Point(target)) or length == 0:
        return 1.0
    cut = shapely.intersection(shapely.LineString([inside, target]), outline)
    ends = shapely.get_coordinates(cut)
    return max((math.dist(inside, end) for end in ends.tolist()), default=0.0) / length


def _superellipse(x: float, y: float, a: float, b: float) -> Contour:
    ha, hb = a * HANDLE, b * HANDLE
    return Contour(
        (x + a, y),
        (
            ((x + a, y + hb), (x + ha, y + b), (x, y + b)),
            ((x - ha, y + b), (x - a, y + hb), (x - a, y)),
            ((x - a, y - hb), (x - ha, y - b), (x, y - b)),
            ((x + ha, y - b), (x + a, y - hb), (x + a, y)),
        ),
    )


def _rounded(x: float, y: float, a: float, b: float, r: float) -> Contour:
    """A box; its corners are drawn a little fuller than a circle's, so that they meet the sides softly."""
    k = r * (1 - CORNER_HANDLE)
    left, top, right, bottom = x - a, y - b, x + a, y + b

    def line(start: Dot, end: Dot) -> Segment:
        (sx, sy), (ex, ey) = start, end
        return ((sx * 2 + ex) / 3, (sy * 2 + ey) / 3), ((sx + ex * 2) / 3, (sy + ey * 2) / 3), end

    corners: tuple[tuple[Dot, Segment], ...] = (
        ((right - r, top), ((right - k, top), (right, top + k), (right, top + r))),
        ((right, bottom - r), ((right, bottom - k), (right - k, bottom), (right - r, bottom))),
        ((left + r, bottom), ((left + k, bottom), (left, bottom - k), (left, bottom - r))),
        ((left, top + r), ((left, top + k), (left + k, top), (left + r, top))),
    )
    start = at = (left + r, top)
    segments: list[Segment] = []
    for before, corner in corners:
        if before != at:
            segments.append(line(at, before))
        if r:
            segments.append(corner)
        at = corner[2]
    if at != start:
        segments.append(line(at, start))
    return Contour(start, tuple(segments))
