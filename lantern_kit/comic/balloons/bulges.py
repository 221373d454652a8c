"""Clouds and thoughts: arches that bulge from an oval and meet in valleys, no two alike."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from lantern_kit.comic.balloons.contour import Contour, Segment, Stretch, edges, even, flattened, oval
from lantern_kit.comic.geometry import Dot, Edges

MOST = 240
"""Bulges or spikes of a balloon."""
FINE = 256
"""Straight pieces of an oval along which bulges and spikes are spaced."""


USUAL = 24_000.0
"""A balloon with so long a shorter side, in micrometres, has bulges and spikes of the size that is given for them."""


ROUNDEST = 1.05
"""The fullness that no bulge exceeds."""


class Bulging(NamedTuple):
    """How a kind of cloud bulges."""

    chord: float
    """From valley to valley, over the balloon's shorter side as ``measure`` has it."""
    fullness: float
    """How round a bulge is: 0 is flat, 1 a half circle."""
    unevenness: float
    """By which share bulges are wider and narrower."""
    lean: float
    """By which share a bulge is fuller at one end."""


CLOUD = Bulging(0.34, 0.56, 0.34, 0.16)
THOUGHT = Bulging(0.46, 0.66, 0.2, 0.06)


class Ragged(NamedTuple):
    """An outline with valleys."""

    contour: Contour
    """It begins in the first valley."""
    inner: Contour
    """An oval through the valleys, or inside of them all: what words keep clear of."""
    valleys: tuple[Dot, ...]
    """In order, clockwise."""


def bulging(box: Edges, seed: int, kind: Bulging, handle: float) -> Ragged:
    """A cloud that fills a box (left, top, right, bottom)."""
    pick = random.Random(seed)  # noqa: S311 – a drawing, not a secret
    a, b = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    side = 2 * min(a, b)
    chord, depth = kind.chord * measure(side), bulge_depth(kind, side)
    inner = oval(0.0, 0.0, a - depth, b - depth, handle)
    ring = Ring(inner)
    count = min(MOST, max(7, round(ring.length / chord)))
    widths = [1 + kind.unevenness * (2 * pick.random() - 1) for _ in range(count)]
    begins = shares(widths, pick.random())
    valleys = [ring.at(share) for share in begins]
    segments: list[Segment] = []
    for number, start in enumerate(valleys):
        end = valleys[(number + 1) % count]
        lean = kind.lean * (2 * pick.random() - 1)
        length = math.dist(start, end) or 1.0
        until = begins[number + 1] if number + 1 < count else begins[0] + 1
        top = ring.at((begins[number] + until) / 2)
        under = math.dist(top, ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        # At the ends of a long balloon the oval itself rises over the chord; a long chord makes a flat bulge.
        least, most = 2 * under / length + kind.fullness / 2, (4 * depth + 2 * under) / length
        full = min(max(kind.fullness, least), most, ROUNDEST)
        segments.append(_bulge(start, end, full * (1 + lean), full * (1 - lean)))
    return settled(Contour(valleys[0], tuple(segments)), inner, tuple(valleys), box)


def bulge_depth(kind: Bulging, side: float) -> float:
    """How far bulges stand out from the room of a balloon with such a shorter side."""
    return min(kind.chord * measure(side) * kind.fullness / 2, 0.35 * side)


def _bulge(start: Dot, end: Dot, first: float, second: float) -> Segment:
    """An arch to the left of the way from start to end; first and second are tan(φ/2) of its slopes φ at the ends."""
    dx, dy = end[0] - start[0], end[1] - start[1]

    def handle(fullness: float) -> tuple[float, float]:
        # An arc that leaves its chord at φ has handles of (1 + t²)/3 chords, t = tan(φ/2).
        return (1 - fullness * fullness) / 3, 2 * fullness / 3

    (along, up), (back, down) = handle(first), handle(second)
    return (
        (start[0] + dx * along + dy * up, start[1] + dy * along - dx * up),
        (end[0] - dx * back + dy * down, end[1] - dy * back - dx * down),
        end,
    )


def settled(contour: Contour, inner: Contour, valleys: tuple[Dot, ...], box: Edges) -> Ragged:
    """All of it stretched so that the outline fills the box."""
    to = Stretch(edges(contour), box)
    moved = to.contour(contour)
    exact = Contour(even(moved.start), tuple((even(p), even(q), even(r)) for p, q, r in moved.segments))
    return Ragged(exact, to.contour(inner), tuple(even(to.dot(at)) for at in valleys))


class Ring:
    """A closed outline by the share of its length."""

    def __init__(self, contour: Contour) -> None:
        left, top, right, bottom = edges(contour)
        size = max(right - left, bottom - top, 1e-3)
        self._points = flattened(contour, size / FINE / 16)
        self._points.append(self._points[0])
        self._lengths = [0.0]
        for one, two in zip(self._points[:-1], self._points[1:], strict=True):
            self._lengths.append(self._lengths[-1] + math.dist(one, two))
        self.length = self._lengths[-1]

    def at(self, share: float) -> Dot:
        """The point after that share of the way round."""
        return self.along(share)[0]

    def along(self, share: float) -> tuple[Dot, Dot]:
        """That point, and the way on from it, of length 1."""
        wanted = (share % 1.0) * self.length
        low, high = 0, len(self._lengths) - 1
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if self._lengths[middle] <= wanted else (low, middle)
        (px, py), (qx, qy) = self._points[low], self._points[high]
        long = self._lengths[high] - self._lengths[low]
        part = (wanted - self._lengths[low]) / long if long else 0.0
        way = ((qx - px) / long, (qy - py) / long) if long else (1.0, 0.0)
        return (px + (qx - px) * part, py + (qy - py) * part), way


def measure(side: float) -> float:
    """A balloon's shorter side as bulges and spikes follow it: larger balloons have more of them, not only larger."""
    return side * math.sqrt(math.sqrt(USUAL / side))


def shares(widths: list[float], offset: float) -> list[float]:
    """Where pieces of such widths begin round a ring, in order."""
    whole, at, found = sum(widths), 0.0, []
    for width in widths:
        found.append(offset + at / whole)
        at += width
    return found
