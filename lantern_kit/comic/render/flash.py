"""The flash: a field of solid ink, in which a ragged burst of fine points stays open."""

from __future__ import annotations

import math
import random
from functools import lru_cache
from typing import Any

from lantern_kit.comic.model import MILLION, Effect, Rect
from lantern_kit.comic.render.engine import skia

MOST_POINTS = 3_000


@lru_cache(maxsize=64)
def flash(effect: Effect, box: Rect) -> Any:
    """The field's outline: needles of ink grow towards the centre, never past the radius left clear."""
    pick = random.Random(effect.seed)  # noqa: S311 – a drawing, not a secret
    x = box.x + box.w * effect.centre[0] / MILLION
    y = box.y + box.h * effect.centre[1] / MILLION
    clear = math.hypot(box.w, box.h) / 2 * effect.clear / MILLION
    made = skia.Path()
    out = float(effect.pitch)
    made.addRect(skia.Rect.MakeLTRB(box.x - out, box.y - out, box.right + out, box.bottom + out))
    made.setFillType(skia.PathFillType.kEvenOdd)
    count = round(2 * effect.density / MILLION * 2 * math.pi * clear * 1.3 / effect.pitch)
    count = min(MOST_POINTS, max(12, count))
    slot = 2 * math.pi / count
    # The middle of a bunch of needles reaches furthest in, and the gaps between bunches furthest out.
    far = 0.0
    left = size = 0
    for number in range(count):
        if not left:
            left = size = 4 + int(9 * pick.random())
            far = pick.random()
        left -= 1
        aside = abs(2 * (left + 0.5) / size - 1)
        angle = (number + 0.5 * (pick.random() - 0.5)) * slot
        needle = clear * (1 + 0.2 * aside**1.5 + 0.16 * pick.random() ** 2)
        gap = clear * (1.22 + 0.3 * aside * far + 0.2 * pick.random() + 0.5 * pick.random() ** 5)
        point = (x + math.cos(angle) * needle, y + math.sin(angle) * needle)
        middle = angle + slot * (0.5 + 0.24 * (pick.random() - 0.5))
        end = (x + math.cos(middle) * gap, y + math.sin(middle) * gap)
        if number:
            made.lineTo(*point)
        else:
            made.moveTo(*point)
        made.lineTo(*end)
    made.close()
    return made
