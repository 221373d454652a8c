"""Bursts: long and short spikes in turn, their sides a little hollow, no two alike."""

from __future__ import annotations

import math
import random

from lantern_kit.comic.balloons.contour import ROUND, Contour, Segment, oval
from lantern_kit.comic.balloons.ragged import MOST, Ragged, Ring, measure, settled, shares
from lantern_kit.comic.geometry import Dot, Edges

PITCH = 0.19
"""From spike to spike, over the balloon's shorter side as ``measure`` has it."""
DEPTH = 0.21
"""Of a long spike, over that."""
DEEPEST = 0.22
"""Of a long spike at most, over the shorter side."""
SHORT = 0.6
"""A short spike over a long one."""
HOLLOW = 0.055
"""By which share of their length sides bend inwards."""
WAVE = 0.12
"""By which share of a spike's depth valleys lie deeper and less deep."""


def spiky(box: Edges, seed: int) -> Ragged:
    """A burst that fills a box (left, top, right, bottom); each spike is two segments from valley to valley."""
    pick = random.Random(seed)  # noqa: S311 – a drawing, not a secret
    a, b = (box[2] - box[0]) / 2, (box[3] - box[1]) / 2
    side = 2 * min(a, b)
    deep = spike_depth(side)
    inner = oval(0.0, 0.0, a - deep, b - deep, ROUND)
    ring = Ring(inner)
    count = min(MOST, max(10, 2 * round(ring.length / (PITCH * measure(side)) / 2)))
    widths = [(1.14 if number % 2 == 0 else 0.86) * (0.84 + 0.32 * pick.random()) for number in range(count)]
    begins = shares(widths, pick.random())
    valleys = []
    for share in begins:
        (x, y), (wx, wy) = ring.along(share)
        out = WAVE * deep * pick.random()
        valleys.append((x + wy * out, y - wx * out))
    segments: list[Segment] = []
    for number, start in enumerate(valleys):
        end = valleys[(number + 1) % count]
        until = begins[number + 1] if number + 1 < count else begins[0] + 1
        (x, y), (wx, wy) = ring.along((begins[number] + until) / 2)
        long = deep * ((1 - 0.2 * pick.random()) if number % 2 == 0 else SHORT * (1 - 0.22 * pick.random()))
        aside = math.dist(start, end) * 0.2 * (2 * pick.random() - 1)
        tip = (x + wy * long + wx * aside, y - wx * long + wy * aside)
        segments += [_side(start, tip), _side(tip, end)]
    return settled(Contour(valleys[0], tuple(segments)), inner, tuple(valleys), box)


def spike_depth(side: float) -> float:
    """How far long spikes stand out from the room of a balloon with such a shorter side."""
    return min(DEPTH * measure(side), DEEPEST * side)


def _side(start: Dot, end: Dot) -> Segment:
    """A side of a spike, hollow to the right of its way."""
    dx, dy = end[0] - start[0], end[1] - start[1]
    ox, oy = -dy * HOLLOW, dx * HOLLOW
    return (
        (start[0] + dx / 3 + ox, start[1] + dy / 3 + oy),
        (start[0] + dx * 2 / 3 + ox, start[1] + dy * 2 / 3 + oy),
        end,
    )
