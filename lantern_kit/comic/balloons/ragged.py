"""What outlines with bulges and with spikes have in common: valleys along an oval, unevenly spaced."""

from __future__ import annotations

import math
from typing import NamedTuple

from lantern_kit.comic.balloons.contour import Contour, Stretch, edges, even, flattened
from lantern_kit.comic.geometry import Dot, Edges

MOST = 240
"""Bulges or spikes of a balloon."""
FINE = 256
"""Straight pieces of an oval along which bulges and spikes are spaced."""
USUAL = 24_000.0
"""A balloon with so long a shorter side, in micrometres, has bulges and spikes of the size that is given for them."""


class Ragged(NamedTuple):
    """An outline with valleys."""

    contour: Contour
    """It begins in the first valley."""
    inner: Contour
    """An oval through the valleys, or inside of them all: what words keep clear of."""
    valleys: tuple[Dot, ...]
    """In order, clockwise."""


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


def settled(contour: Contour, inner: Contour, valleys: tuple[Dot, ...], box: Edges) -> Ragged:
    """All of it stretched so that the outline fills the box."""
    to = Stretch(edges(contour), box)
    moved = to.contour(contour)
    exact = Contour(even(moved.start), tuple((even(p), even(q), even(r)) for p, q, r in moved.segments))
    return Ragged(exact, to.contour(inner), tuple(even(to.dot(at)) for at in valleys))


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
