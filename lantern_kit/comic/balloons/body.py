"""The outline of each shape of balloon, without its tails, and the room inside it for words."""

from __future__ import annotations

import math
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.bulges import CLOUD, THOUGHT, bulging
from lantern_kit.comic.balloons.burst import spiky
from lantern_kit.comic.balloons.contour import Contour, Segment, Stretch, edges, flattened, line, oval
from lantern_kit.comic.balloons.ragged import Ragged
from lantern_kit.comic.balloons.room import Room, room_in
from lantern_kit.comic.balloons.solid import solid
from lantern_kit.comic.geometry import Dot
from lantern_kit.comic.model import Balloon, BalloonShape, Polygon, Rect, Shape

FULLNESS = 2.25
"""Exponent of the superellipse that an ``ellipse`` balloon is: 2 is a plain ellipse, more is fuller."""
HANDLE = (8 * 2 ** (-1 / FULLNESS) - 4) / 3
"""Length of a Bézier handle over the half axis, so that the curve's middle lies on that superellipse."""
CORNER = 0.42
"""Corner radius of a ``rounded`` balloon over its shorter side."""
CORNER_HANDLE = 0.6
TOLERANCE = 5.0
"""Micrometres by which measured outlines stray from their curves."""
STRAIGHT = frozenset({BalloonShape.BOX, BalloonShape.ROUNDED, BalloonShape.NONE})


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
    """The outline of a body without its tails, filling its box; of a ``none`` its box."""
    made = ragged(form)
    if made is not None:
        return made.contour
    box = form.box
    if form.shape is BalloonShape.PATH and form.outline is not None:
        return _free(form.outline, box)
    x, y, a, b = box.x + box.w / 2, box.y + box.h / 2, box.w / 2, box.h / 2
    if form.shape in STRAIGHT:
        radius = corner_radius(box.w, box.h) if form.shape is BalloonShape.ROUNDED else 0.0
        return _rounded(x, y, a, b, radius)
    return oval(x, y, a, b, HANDLE)


@lru_cache(maxsize=1024)
def ragged(form: Form) -> Ragged | None:
    """The valleys, and the oval inside of them, of an outline with bulges or spikes; None of any other."""
    box = (float(form.box.x), float(form.box.y), float(form.box.right), float(form.box.bottom))
    match form.shape:
        case BalloonShape.CLOUD:
            return bulging(box, form.seed, CLOUD, HANDLE)
        case BalloonShape.THOUGHT:
            return bulging(box, form.seed, THOUGHT, HANDLE)
        case BalloonShape.BURST:
            return spiky(box, form.seed)
    return None


@lru_cache(maxsize=1024)
def polygon(form: Form) -> shapely.Polygon:
    """What a body covers, in short straight pieces, in page micrometres; of one in several parts the largest."""
    parts = shapely.get_parts(solid(flattened(body(form), TOLERANCE)))
    made: shapely.Polygon = max(parts, key=shapely.area, default=shapely.Polygon())
    shapely.prepare(made)
    return made


@lru_cache(maxsize=1024)
def room(form: Form, padding: int) -> Room:
    """The room for words in a body, everywhere at least ``padding`` away from its outline, its valleys and spikes."""
    x, y = form.box.x + form.box.w / 2, form.box.y + form.box.h / 2
    made, free = ragged(form), polygon(form)
    if made is not None:
        common = shapely.intersection(shapely.Polygon(flattened(made.inner, TOLERANCE)), free)
        parts = [part for part in shapely.get_parts(common) if part.geom_type == "Polygon"]
        free = max(parts, key=shapely.area, default=free)
    about = [(px - x, py - y) for px, py in shapely.get_coordinates(free.exterior).tolist()]
    return room_in(about, padding, straight=form.shape in STRAIGHT)


def corner_radius(width: float, height: float) -> float:
    """Corner radius of a ``rounded`` balloon of that size."""
    return CORNER * min(width, height)


def edge_towards(outline: shapely.Polygon, inside: Dot, target: Dot) -> float:
    """Where the straight line from a point inside to ``target`` last leaves an outline, as a share of its length."""
    length = math.dist(inside, target)
    if shapely.contains_xy(outline, *target) or length == 0:
        return 1.0
    cut = shapely.intersection(shapely.LineString([inside, target]), outline)
    ends = shapely.get_coordinates(cut)
    return max((math.dist(inside, end) for end in ends.tolist()), default=0.0) / length


def _free(outline: Shape, box: Rect) -> Contour:
    """A free outline, stretched so that its bounds are the box."""
    if isinstance(outline, Polygon):
        corners = [(float(x), float(y)) for x, y in outline.points]
        made = Contour(corners[0], tuple(line(*side) for side in pairwise([*corners, corners[0]])))
    else:
        segments: list[Segment] = [
            ((float(a), float(b)), (float(c), float(d)), (float(e), float(f)))
            for (a, b), (c, d), (e, f) in outline.segments
        ]
        start, end = (float(outline.start[0]), float(outline.start[1])), segments[-1][2]
        if end != start:
            segments.append(line(end, start))
        made = Contour(start, tuple(segments))
    return Stretch(edges(made), (box.x, box.y, box.right, box.bottom)).contour(made)


def _rounded(x: float, y: float, a: float, b: float, r: float) -> Contour:
    """A box; its corners are drawn a little fuller than a circle's, so that they meet the sides softly."""
    k = r * (1 - CORNER_HANDLE)
    left, top, right, bottom = x - a, y - b, x + a, y + b

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
