"""Focus lines and speed lines, in bunches of uneven length and weight as a pen leaves them."""

from __future__ import annotations

import math
import random
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from lantern_kit.comic.model import MILLION, Effect, Rect
from lantern_kit.comic.render.engine import skia

MOST_LINES = 6_000
MEAN_WIDTH = 0.46
"""Mean width of a line at its thick end, over the widest."""
BLUNTEST = 0.05
"""Half the width of a focus line, over its length, at most."""


class Mark(NamedTuple):
    """One line of a bunch."""

    place: float
    """Where it stands in the row of all lines, in slots."""
    back: float
    """How far it stays behind the longest, 0 … 1."""
    weight: float
    """Width at its thick end, over the widest."""


def bunched(count: int, pick: random.Random) -> Iterator[Mark]:
    """Lines by the bunch: the middle of a bunch is longest and boldest, hairlines stand between, gaps part bunches."""
    number = 0
    while number < count:
        size = min(count - number, 3 + int(6 * pick.random()))
        held = 0.55 * pick.random() ** 1.4
        bold = 0.55 + 0.45 * pick.random()
        tight = 0.72 + 0.2 * pick.random()
        middle = number + size / 2
        peak = 0.6 * (pick.random() - 0.5)
        for step in range(size):
            aside = (step + 0.5 - size / 2) / (size / 2)
            slope = min(1.0, abs(aside - peak))
            place = middle + tight * aside * size / 2 + 0.4 * (pick.random() - 0.5)
            back = held + (1 - held) * (0.5 * slope**1.5 + 0.3 * pick.random() ** 2)
            heavy = pick.random()
            weight = 0.14 + 0.12 * pick.random() if heavy < 0.3 else bold * (0.45 + 0.55 * heavy) * (1 - 0.35 * slope)
            yield Mark(place, min(1.0, back), weight)
        number += size


@lru_cache(maxsize=64)
def focus_lines(effect: Effect, box: Rect) -> Any:
    """Wedges from outside the box towards a point, none of them nearer to it than the radius left clear."""
    pick = random.Random(effect.seed)  # noqa: S311 – a drawing, not a secret
    x = box.x + box.w * effect.centre[0] / MILLION
    y = box.y + box.h * effect.centre[1] / MILLION
    corners = ((box.x, box.y), (box.right, box.y), (box.x, box.bottom), (box.right, box.bottom))
    outside = max(math.dist((x, y), corner) for corner in corners)
    clear = math.hypot(box.w, box.h) / 2 * effect.clear / MILLION
    mean = (outside + math.sqrt(box.w * box.h) / 2) / 2
    count = round(effect.density / MILLION * 2 * math.pi * mean / (MEAN_WIDTH * effect.pitch))
    count = min(MOST_LINES, max(8, count))
    made = skia.Path()
    for mark in bunched(count, pick):
        angle = mark.place * 2 * math.pi / count
        cos, sin = math.cos(angle), math.sin(angle)
        edge = _way_out(box, x, y, cos, sin)
        room = outside - clear
        reach = clear + (0.62 * mark.back * room if room > 0 else 0.0)
        if edge <= reach:
            continue
        half = effect.pitch * mark.weight * min(1.6, (edge / mean) ** 0.7) / 2
        half = min(half, BLUNTEST * (edge - reach))
        _wedge(made, (x + cos * reach, y + sin * reach), (cos, sin), edge - reach, outside * 1.02 - reach, half)
    return made


def _way_out(box: Rect, x: float, y: float, cos: float, sin: float) -> float:
    """How far a point in the box is from its edge in one direction."""
    across = ((box.right if cos > 0 else box.x) - x) / cos if abs(cos) > 1e-12 else math.inf
    down = ((box.bottom if sin > 0 else box.y) - y) / sin if abs(sin) > 1e-12 else math.inf
    return max(0.0, min(across, down))


def _wedge(
    made: Any, tip: tuple[float, float], way: tuple[float, float], length: float, whole: float, half: float
) -> None:
    """A line that grows from its tip to ``half`` its width after ``length``, a little hollow, and on to ``whole``."""
    (x, y), (cos, sin) = tip, way

    def at(along: float, aside: float) -> tuple[float, float]:
        return x + cos * along - sin * aside, y + sin * along + cos * aside

    end = half * max(1.0, whole / length)
    made.moveTo(x, y)
    made.quadTo(*at(0.55 * length, 0.42 * half), *at(length, half))
    made.lineTo(*at(whole, end))
    made.lineTo(*at(whole, -end))
    made.lineTo(*at(length, -half))
    made.quadTo(*at(0.55 * length, -0.42 * half), x, y)
    made.close()


@lru_cache(maxsize=64)
def speed_lines(effect: Effect, box: Rect) -> Any:
    """Lines along one direction: most come in thick over the edge and run out to a point, some have two points."""
    pick = random.Random(effect.seed)  # noqa: S311 – a drawing, not a secret
    turn = math.radians(effect.angle / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    x, y = box.x + box.w / 2, box.y + box.h / 2
    along = (abs(box.w * cos) + abs(box.h * sin)) / 2
    across = (abs(box.w * sin) + abs(box.h * cos)) / 2
    count = round(effect.density / MILLION * 2 * across / (MEAN_WIDTH * effect.pitch))
    count = min(MOST_LINES, max(3, count))
    full = 2 * along * (1 - effect.clear / MILLION)
    made = skia.Path()
    for mark in bunched(count, pick):
        aside = -across + mark.place * 2 * across / count
        half = effect.pitch * mark.weight / 2
        length = full * (1 - 0.68 * mark.back)
        start = full * (0.04 + 0.3 * pick.random()) if pick.random() < 0.16 else 0.0
        if length <= 0:
            continue
        sx = x + cos * (start - along) - sin * aside
        sy = y + sin * (start - along) + cos * aside
        _stroke(made, (sx, sy), (cos, sin), length - start, half, pointed=start > 0)
    return made


def _stroke(
    made: Any, start: tuple[float, float], way: tuple[float, float], length: float, half: float, *, pointed: bool
) -> None:
    (x, y), (cos, sin) = start, way

    def at(along: float, aside: float) -> tuple[float, float]:
        return x + cos * along - sin * aside, y + sin * along + cos * aside

    if pointed:
        made.moveTo(x, y)
        made.quadTo(*at(0.12 * length, 0.8 * half), *at(0.3 * length, 0.8 * half))
        made.quadTo(*at(0.6 * length, 0.6 * half), *at(length, 0.0))
        made.quadTo(*at(0.6 * length, -0.6 * half), *at(0.3 * length, -0.8 * half))
        made.quadTo(*at(0.12 * length, -0.8 * half), x, y)
    else:
        made.moveTo(*at(0.0, half))
        made.quadTo(*at(0.5 * length, 0.62 * half), *at(length, 0.0))
        made.quadTo(*at(0.5 * length, -0.62 * half), *at(0.0, -half))
    made.close()
