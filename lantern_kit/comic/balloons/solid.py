"""What outlines cover, also where they cross themselves, and outlines joined into one that keeps its curves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import shapely
from numpy.typing import NDArray
from shapely.geometry.polygon import orient

from lantern_kit.comic.balloons.contour import Contour, Segment, line, pieces, sliced, stretch_of
from lantern_kit.comic.geometry import Dot

FINE = 5.0
"""Micrometres by which straight pieces stray from their curve while outlines are joined."""
POCKET = 800.0
"""A hole narrower than twice this, in micrometres, would be a speck between two lines and is closed."""


def solid(points: Sequence[Dot]) -> shapely.Geometry:
    """What a closed outline covers, each place that it runs round at least once."""
    if len(points) < 3:
        return shapely.Polygon()
    ring = shapely.linearrings(np.asarray(points, float))
    plain = shapely.polygons(ring)
    if shapely.is_valid(plain):
        return plain
    faces = shapely.get_parts(shapely.polygonize([shapely.unary_union(ring)]))
    within = shapely.get_coordinates(shapely.point_on_surface(faces))
    return shapely.unary_union(faces[_windings(np.asarray(points, float), within) != 0])


def without_pockets(area: shapely.Geometry, *, all_of_them: bool = False) -> shapely.Geometry:
    """An area without the holes that are too narrow to be anything but ink, or without any."""
    parts = []
    for part in shapely.get_parts(area):
        if part.geom_type == "Polygon" and not part.is_empty:
            kept = [] if all_of_them else [hole for hole in part.interiors if _wide(hole)]
            parts.append(shapely.Polygon(part.exterior, kept))
    return shapely.unary_union(parts) if len(parts) > 1 else (parts[0] if parts else shapely.Polygon())


class Source:
    """The straight pieces of some outlines, each with the curve it stands for."""

    def __init__(self, contours: Sequence[Contour]) -> None:
        self._curves: list[tuple[Dot, Dot, Dot, Dot]] = []
        self._at: dict[Dot, list[_Place]] = {}
        self.areas = [solid(self._cut(contour)) for contour in contours]

    def _cut(self, contour: Contour) -> list[Dot]:
        found: list[Dot] = []
        for curve in contour.curves():
            count, own = pieces(curve, FINE), len(self._curves)
            places = [*sliced(curve, count), curve[3]]
            for number, dot in enumerate(places):
                self._at.setdefault(dot, []).append(_Place(own, number, count))
            found += places[:-1]
            self._curves.append(curve)
        return found

    def contours(self, area: shapely.Geometry) -> tuple[Contour, ...]:
        """The outlines of an area made of these outlines' areas: where it follows one of their curves, that curve.

        Those round the area run clockwise on the page, those round its holes the other way.
        """
        found = []
        for part in shapely.get_parts(area):
            if part.geom_type == "Polygon" and not part.is_empty:
                turned = orient(part, 1.0)
                found += [self._contour(ring) for ring in (turned.exterior, *turned.interiors)]
        return tuple(found)

    def _contour(self, ring: shapely.LinearRing) -> Contour:
        dots: list[Dot] = [(x, y) for x, y in shapely.get_coordinates(ring).tolist()]
        runs: list[_Run] = []
        for start, end in pairwise(dots):
            run = self._run(start, end)
            last = runs[-1] if runs else None
            if last is not None and run.curve is not None and last.goes_on(run):
                runs[-1] = _Run(last.curve, last.start, run.end, last.begin, run.until)
            else:
                runs.append(run)
        if len(runs) > 1 and runs[0].curve is not None and runs[-1].goes_on(runs[0]):
            runs[0] = runs[0]._replace(start=runs[-1].start, begin=runs[-1].begin)
            runs.pop()
        return Contour(runs[0].start, tuple(self._segment(run) for run in runs))

    def _run(self, start: Dot, end: Dot) -> _Run:
        """Which curve a straight piece stands for, and from where to where."""
        ahead, behind = self._at.get(start, []), self._at.get(end, [])
        for one in ahead:
            for two in behind:
                if one.curve == two.curve and abs(one.number - two.number) == 1:
                    return _Run(one.curve, start, end, one.number / one.pieces, two.number / two.pieces)
        # One end is where two outlines cross: it lies on the piece before or after the other end.
        for places, known, other in ((ahead, start, end), (behind, end, start)):
            for place in places:
                for step in (-1, 1):
                    share = self._on(place, step, known, other)
                    if share is not None:
                        here, there = place.number / place.pieces, (place.number + step * share) / place.pieces
                        begin, until = (here, there) if known is start else (there, here)
                        return _Run(place.curve, start, end, begin, until)
        return _Run(None, start, end, 0.0, 1.0)

    def _on(self, place: _Place, step: int, known: Dot, other: Dot) -> float | None:
        """How far along the piece from ``place`` to the next a point lies; None when it does not."""
        if not 0 <= place.number + step <= place.pieces:
            return None
        curve, number = self._curves[place.curve], place.number + step
        far = curve[3] if number == place.pieces else sliced(curve, place.pieces)[number]
        dx, dy, ox, oy = far[0] - known[0], far[1] - known[1], other[0] - known[0], other[1] - known[1]
        long = dx * dx + dy * dy
        if long == 0 or abs(dx * oy - dy * ox) > 1e-3 * long**0.5:
            return None
        share = (dx * ox + dy * oy) / long
        return share if 0 < share < 1 else None

    def _segment(self, run: _Run) -> Segment:
        if run.curve is None:
            return line(run.start, run.end)
        curve = self._curves[run.curve]
        if (run.begin, run.until) == (0.0, 1.0):
            return curve[1], curve[2], curve[3]
        _, first, second, _ = stretch_of(curve, run.begin, run.until)
        return first, second, run.end


class _Place(NamedTuple):
    """A corner between straight pieces."""

    curve: int
    number: int
    pieces: int


class _Run(NamedTuple):
    """A part of a curve, or a straight line between two points when there is no curve."""

    curve: int | None
    start: Dot
    end: Dot
    begin: float
    until: float

    def goes_on(self, after: _Run) -> bool:
        """Whether another run goes on where this one ends, the same way on the same curve."""
        return (
            self.curve == after.curve
            and self.until == after.begin
            and (self.until > self.begin) == (after.until > after.begin)
        )


def _wide(hole: shapely.LinearRing) -> bool:
    return not shapely.Polygon(hole).buffer(-POCKET).is_empty


def _windings(dots: NDArray[np.float64], places: NDArray[np.float64]) -> NDArray[np.int64]:
    """How often an outline runs round each of some places."""
    found = np.zeros(len(places), np.int64)
    x, y = places[:, 0], places[:, 1]
    for (ax, ay), (bx, by) in zip(dots.tolist(), np.roll(dots, -1, axis=0).tolist(), strict=True):
        side = (bx - ax) * (y - ay) - (x - ax) * (by - ay)
        found += (ay <= y) & (by > y) & (side > 0)
        found -= (ay > y) & (by <= y) & (side < 0)
    return found
