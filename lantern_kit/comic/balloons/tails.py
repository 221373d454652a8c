"""What points from a balloon at its speaker: pointed tails, bubbles of thought, and the line from words without a body.

A pointed tail is a closed outline that begins inside the body, so that the union of both has no gap. Where it leaves
depends on the shape: from an edge of a box and never from its corner, between the bulges of a cloud, in place of the
nearest spike of a burst.
"""

from __future__ import annotations

import itertools
import math
from functools import lru_cache
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.body import STRAIGHT, Form, body, corner_radius, edge_towards, polygon, ragged
from lantern_kit.comic.balloons.contour import ROUND, Contour, arch, line, oval
from lantern_kit.comic.geometry import Dot
from lantern_kit.comic.model import MILLION, BalloonShape, Rect, Tail, TailStyle

WAIST = 0.34
"""Half width of a tail at its middle over half its width at the root: below one half its sides are hollow."""
WIDEST = 0.7
"""A tail is at most this wide, over the balloon's shorter side."""
SMALLER = 0.68
"""A bubble over the one before."""
FLAT = 0.8
"""Height of a bubble over its width."""
GAP = 0.38
"""Free way before a bubble, over its width."""
NEAR = 0.45
"""A tail leaves from a valley that is no further off than this, over its length."""
LEANING = 0.6
"""By which share of its bend the place where a tail leaves gives way."""
FIRST = 0.3
"""By which share of its usual length the free way before the first bubble is longer."""
MOST_BUBBLES = 4
STRETCHED = 1.4
"""Bubbles on a long way grow by up to so much."""
SHORTEST = 600.0
"""What a tail would stand out from its balloon by less than this, in micrometres, is not drawn."""
LINE = 0.16
"""Thickness of the line from words without a body, over the tail's width."""


class Spine(NamedTuple):
    """The middle of a tail, as one quadratic curve."""

    heart: Dot
    """Inside the body: where the tail comes from."""
    root: Dot
    """On its edge."""
    middle: Dot
    """The curve's control point."""
    tip: Dot

    def at(self, t: float) -> Dot:
        """A point of it, from the root to the tip."""
        s = 1 - t
        (ax, ay), (bx, by), (cx, cy) = self.root, self.middle, self.tip
        return s * s * ax + 2 * s * t * bx + t * t * cx, s * s * ay + 2 * s * t * by + t * t * cy

    @property
    def length(self) -> float:
        """From root to tip, straight."""
        return math.dist(self.root, self.tip)


def is_bubbles(shape: BalloonShape, tail: Tail) -> bool:
    """Whether a tail is made of bubbles."""
    return (tail.style or (TailStyle.BUBBLES if shape is BalloonShape.THOUGHT else TailStyle.POINTED)) is (
        TailStyle.BUBBLES
    )


@lru_cache(maxsize=4096)
def spine(form: Form, tail: Tail) -> Spine | None:
    """The middle of a tail; None when its tip lies in the balloon."""
    tip = (float(tail.tip[0]), float(tail.tip[1]))
    found = leaves(form, tip, tail.width / 2, tail.bend / MILLION)
    if found is None:
        return None
    return None if math.dist(found[1], tip) < SHORTEST else _bent(*found, tip, tail.bend / MILLION)


def _bent(heart: Dot, root: Dot, tip: Dot, bend: float) -> Spine:
    length = math.dist(root, tip)
    ux, uy = (tip[0] - root[0]) / length, (tip[1] - root[1]) / length
    swing = bend * length
    # Clockwise from root to tip, with y down: a quarter turn of (ux, uy) is (−uy, ux).
    middle = ((root[0] + tip[0]) / 2 - uy * swing, (root[1] + tip[1]) / 2 + ux * swing)
    return Spine(heart, root, middle, tip)


def leaves(form: Form, tip: Dot, half: float, bend: float = 0.0) -> tuple[Dot, Dot] | None:
    """A point inside a body and the point of its edge where a tail to ``tip`` leaves; None when the tip is inside."""
    outline = polygon(form)
    if outline.is_empty or shapely.intersects_xy(outline, *tip):
        return None
    if _by_an_edge(form, half):
        return _from_an_edge(form, tip, half)
    heart = _heart(form) if form.shape is BalloonShape.PATH else spine_point(form.box, tip)
    # A bent tail leaves the way it bends, so that it stands square on the edge.
    dx, dy = tip[0] - heart[0], tip[1] - heart[1]
    bent = (heart[0] + dx - dy * bend * LEANING, heart[1] + dy + dx * bend * LEANING)
    aim = tip if shapely.intersects_xy(outline, *bent) else bent
    share = edge_towards(outline, heart, aim)
    return heart, (heart[0] + (aim[0] - heart[0]) * share, heart[1] + (aim[1] - heart[1]) * share)


def _by_an_edge(form: Form, half: float) -> bool:
    """Whether a tail leaves by a straight edge; a large round corner is as good a place as an oval's side."""
    if form.shape is BalloonShape.ROUNDED:
        return corner_radius(form.box.w, form.box.h) <= 1.5 * half
    return form.shape in STRAIGHT


@lru_cache(maxsize=1024)
def _heart(form: Form) -> Dot:
    """The middle of the largest circle in a free outline."""
    outline = polygon(form)
    found = shapely.maximum_inscribed_circle(outline, tolerance=max(1.0, 0.01 * max(form.box.w, form.box.h)))
    x, y = shapely.get_coordinates(found)[0].tolist()
    return x, y


def _from_an_edge(form: Form, tip: Dot, half: float) -> tuple[Dot, Dot]:
    """Off the corners of a box: what is round or sharp there stays whole."""
    box = form.box
    x, y, a, b = box.x + box.w / 2, box.y + box.h / 2, box.w / 2, box.h / 2
    hx, hy = spine_point(box, tip)
    dx, dy = tip[0] - hx, tip[1] - hy
    across, down = a - abs(hx - x), b - abs(hy - y)
    # The edge that the tip lies further out from.
    upright = abs(tip[0] - x) - a > abs(tip[1] - y) - b
    corner = corner_radius(box.w, box.h) * 0.9 if form.shape is BalloonShape.ROUNDED else 1.7 * min(half, a, b)
    keep = corner + min(half, WIDEST * min(a, b))
    if upright:
        side = math.copysign(a, dx)
        at = _between(hy + dy * across / abs(dx), y, b - keep)
        return (x + side - math.copysign(min(a, b), dx), at), (x + side, at)
    side = math.copysign(b, dy)
    at = _between(hx + dx * down / abs(dy), x, a - keep)
    return (at, y + side - math.copysign(min(a, b), dy)), (at, y + side)


def _between(value: float, middle: float, reach: float) -> float:
    reach = max(0.0, reach)
    return min(max(value, middle - reach), middle + reach)


@lru_cache(maxsize=4096)
def pointed(form: Form, tail: Tail) -> Contour | None:
    """The outline of a pointed tail; None when its tip lies in the balloon.

    It runs from an inner corner to the root, along one curve to the tip, along another back to the root on the other
    side and the other inner corner.
    """
    way = spine(form, tail)
    if way is None:
        return None
    if form.shape is BalloonShape.BURST:
        return _spike(form, tail, way)
    made, root = ragged(form), way.root
    if made is not None:
        valley = min(made.valleys, key=lambda at: math.dist(at, root))
        if math.dist(valley, root) < NEAR * way.length:
            way = _bent(spine_point(form.box, way.tip), valley, way.tip, tail.bend / MILLION)
    return _sides(form, tail, way)


def _sides(form: Form, tail: Tail, way: Spine) -> Contour:
    box, outline = form.box, polygon(form)
    heart, root, middle, tip = way
    length = way.length
    ux, uy = (tip[0] - root[0]) / length, (tip[1] - root[1]) / length
    # From a straight edge it leaves square, and so does a short one; from all else it leaves the way it goes on.
    square = heart != root and (_by_an_edge(form, tail.width / 2) or length < tail.width)
    (px, py), (qx, qy) = (heart, root) if square else (root, middle)
    start = math.dist((px, py), (qx, qy)) or 1.0
    vx, vy = (qx - px) / start, (qy - py) / start
    half = min(float(tail.width), WIDEST * min(box.w, box.h)) / 2
    half = min(half, 1.2 * length)
    # The sides begin to curve inside the body already, so that they leave it without a knuckle.
    usual = min(2 * half, 0.9 * math.dist(root, heart)) if heart != root else half
    for attempt in range(36):
        # A tail on a slant begins deeper; a body that is thinner here, or curves away, holds no more.
        by, depth = half * 0.92 ** (attempt // 4), usual * 0.95 ** (attempt // 4) * (1.0, 1.5, 2.2, 3.0)[attempt % 4]
        inner = (root[0] - vx * depth, root[1] - vy * depth)
        begin = (root[0] - vx * depth / 2, root[1] - vy * depth / 2)
        ends = [(x - vy * side, y + vx * side) for x, y in (inner, begin) for side in (by, -by)]
        if shapely.contains_xy(outline, ends).all():
            break
    half = by
    # Begun further in, they are wider there, by what they lose until they reach the body's edge.
    lost = depth / 2 / (length + depth / 2)
    half /= max(0.5, (1 - lost) ** 2 + 2 * lost * (1 - lost) * WAIST)
    waist = half * WAIST
    corners: tuple[Dot, ...] = (
        (inner[0] - vy * half, inner[1] + vx * half),
        (begin[0] - vy * half, begin[1] + vx * half),
        (middle[0] - uy * waist, middle[1] + ux * waist),
        tip,
        (middle[0] + uy * waist, middle[1] - ux * waist),
        (begin[0] + vy * half, begin[1] - vx * half),
        (inner[0] + vy * half, inner[1] - vx * half),
    )
    one, two, three, four, five, six, seven = corners
    sides = (line(one, two), arch(two, three, four), arch(four, five, six), line(six, seven), line(seven, one))
    return Contour(one, sides)


class Spikes(NamedTuple):
    """Spikes of a burst that one tail takes the place of."""

    first: int
    amount: int


def spikes_taken(form: Form, tail: Tail) -> Spikes | None:
    """Which spikes of a burst a pointed tail takes the place of."""
    way, made = spine(form, tail), ragged(form)
    if way is None or made is None or form.shape is not BalloonShape.BURST:
        return None
    valleys = made.valleys
    whole = len(valleys)
    pitch = sum(math.dist(valleys[n], valleys[(n + 1) % whole]) for n in range(whole)) / whole
    count = min(max(1, round(tail.width / max(pitch, 1e-6))), max(1, whole // 4))

    def off(first: int) -> float:
        one, two = valleys[first], valleys[(first + count) % whole]
        return math.dist(((one[0] + two[0]) / 2, (one[1] + two[1]) / 2), way.root)

    return Spikes(min(range(whole), key=off), count)


def blunted(form: Form, taken: tuple[Spikes, ...]) -> Contour:
    """A burst without some of its spikes."""
    whole = body(form)
    gone = {(spikes.first + number) % (len(whole.segments) // 2) for spikes in taken for number in range(spikes.amount)}
    segments = []
    at = whole.start
    for number in range(0, len(whole.segments), 2):
        first, second = whole.segments[number], whole.segments[number + 1]
        segments += [line(at, second[2])] if number // 2 in gone else [first, second]
        at = second[2]
    return Contour(whole.start, tuple(segments))


def _spike(form: Form, tail: Tail, way: Spine) -> Contour:
    """A tail that is one long spike, from valley to valley."""
    made, taken = ragged(form), spikes_taken(form, tail)
    if made is None or taken is None:
        return _sides(form, tail, way)
    valleys = made.valleys
    left, right = valleys[taken.first], valleys[(taken.first + taken.amount) % len(valleys)]
    base = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    tip = way.tip
    dx, dy = tip[0] - base[0], tip[1] - base[1]
    swing = tail.bend / MILLION
    hx, hy = -dy * swing, dx * swing

    def by(end: Dot) -> Dot:
        # Nearly straight sides, drawn in a little as those of the other spikes are.
        waist = 0.42
        across = (end[0] - base[0]) * waist, (end[1] - base[1]) * waist
        return base[0] + dx / 2 + hx + across[0], base[1] + dy / 2 + hy + across[1]

    x, y = form.box.x + form.box.w / 2, form.box.y + form.box.h / 2
    inside = (base[0] + (x - base[0]) * 0.3, base[1] + (y - base[1]) * 0.3)
    sides = (arch(left, by(left), tip), arch(tip, by(right), right), line(right, inside), line(inside, left))
    return Contour(left, sides)


@lru_cache(maxsize=4096)
def bubbles(form: Form, tail: Tail) -> tuple[Contour, ...]:
    """Two to four ever smaller ovals on the way from a body to a tip, the largest first; none when there is no way."""
    way = spine(form, tail)
    if way is None:
        return ()
    dots = [way.at(number / 64) for number in range(65)]
    lengths = [0.0]
    for one, two in itertools.pairwise(dots):
        lengths.append(lengths[-1] + math.dist(one, two))
    long = lengths[-1]
    dx, dy = way.tip[0] - way.root[0], way.tip[1] - way.root[1]
    slope = math.hypot(dx, dy * FLAT) / math.hypot(dx, dy)
    first = min(float(tail.width), 0.5 * min(form.box.w, form.box.h))
    count = MOST_BUBBLES
    while count > 2 and _needed(first, count, slope) > long:
        count -= 1
    first *= min(STRETCHED, long / _needed(first, count, slope), 0.5 * min(form.box.w, form.box.h) / first)
    widths = [first * SMALLER**number for number in range(count)]
    free = (long - sum(widths) * slope) / (sum(widths) + FIRST * first)
    made, at = [], FIRST * first * free
    for width in widths:
        at += width * (free + slope / 2)
        x, y = _after(dots, lengths, at)
        made.append(oval(x, y, width / 2, width * FLAT / 2, ROUND))
        at += width * slope / 2
    return tuple(made)


def _needed(first: float, count: int, slope: float) -> float:
    return sum(first * SMALLER**number for number in range(count)) * (slope + GAP) + FIRST * first * GAP


def _after(dots: list[Dot], lengths: list[float], wanted: float) -> Dot:
    number = next((n for n in range(1, len(lengths)) if lengths[n] >= wanted), len(lengths) - 1)
    (ax, ay), (bx, by) = dots[number - 1], dots[number]
    long = lengths[number] - lengths[number - 1]
    share = min(1.0, (wanted - lengths[number - 1]) / long) if long else 0.0
    return ax + (bx - ax) * share, ay + (by - ay) * share


@lru_cache(maxsize=4096)
def stem(form: Form, tail: Tail) -> Contour | None:
    """The line from words without a body to who says them, thinner towards its tip; None when the tip is among them."""
    way = spine(form, tail)
    if way is None:
        return None
    (rx, ry), (mx, my), (tx, ty) = way.root, way.middle, way.tip
    start = math.dist(way.root, way.middle) or 1.0
    vx, vy = (mx - rx) / start, (my - ry) / start
    ux, uy = (tx - rx) / way.length, (ty - ry) / way.length
    half = LINE * min(float(tail.width), WIDEST * min(form.box.w, form.box.h)) / 2
    left, right = (rx - vy * half, ry + vx * half), (rx + vy * half, ry - vx * half)
    before, after = (mx - uy * half * 0.8, my + ux * half * 0.8), (mx + uy * half * 0.8, my - ux * half * 0.8)
    cap = 4 / 3 * half
    round_end = ((right[0] - vx * cap, right[1] - vy * cap), (left[0] - vx * cap, left[1] - vy * cap), left)
    return Contour(left, (arch(left, before, way.tip), arch(way.tip, after, right), round_end))


def spine_point(box: Rect, tip: Dot) -> Dot:
    """The point of the body's long middle line a tail springs from: drawn towards its tip, so that it leaves square."""
    a, b = box.w / 2, box.h / 2
    x, y = box.x + a, box.y + b
    along, across = max(0.0, a - b) * 0.75, max(0.0, b - a) * 0.75
    return x + min(along, max(-along, (tip[0] - x) * 0.6)), y + min(across, max(-across, (tip[1] - y) * 0.6))
