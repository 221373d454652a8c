"""Clouds and thoughts: arches that bulge from an oval and meet in valleys, no two alike."""

from __future__ import annotations

import math
import random
from typing import NamedTuple

from lantern_kit.comic.balloons.contour import Contour, Segment, oval
from lantern_kit.comic.balloons.ragged import MOST, Ragged, Ring, measure, settled, shares
from lantern_kit.comic.geometry import Dot, Edges

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
