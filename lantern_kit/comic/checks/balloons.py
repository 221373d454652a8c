"""How balloons lie over one another, and where their tails lead."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import shapely
from shapely.affinity import rotate

from lantern_kit.comic.balloons.body import Form, form_of, polygon
from lantern_kit.comic.balloons.groups import groups
from lantern_kit.comic.balloons.tails import SHORTEST, spine
from lantern_kit.comic.checks.frames import Panel
from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.geometry import bleed_rect
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import (
    BANDS,
    MILLION,
    Balloon,
    BalloonShape,
    Lettering,
    Narration,
    Paper,
    Rect,
    Tail,
    Text,
    Unit,
)
from lantern_kit.comic.typeset.fonts import Fonts
from lantern_kit.comic.typeset.setting import set_text

COVERED = 150_000.0
"""Square micrometres of words that may be covered: less is the air round a glyph."""
ACROSS = 500.0
"""Micrometres by which a tail runs over another balloon before it is said to cross it."""
_CLOSE = math.ceil(SHORTEST)
DEEP = 600.0
"""Micrometres by which balloons lie over each other before it is told."""
SPEAKING = frozenset(
    {BalloonShape.ELLIPSE, BalloonShape.ROUNDED, BalloonShape.CLOUD, BalloonShape.BURST, BalloonShape.WHISPER}
)
"""Shapes that are spoken by somebody, as a rule with a tail."""


class Body(NamedTuple):
    """A balloon or a caption with a body that hides what lies under it."""

    item: Balloon | Narration
    group: str
    """Id of the balloon whose outline it shares."""
    edges: tuple[int, int, int, int]
    """Left, top, right, bottom of its box."""


def bodies(unit: Unit) -> list[Body]:
    """Balloons and captions as they are drawn from the bottom up."""
    level = {band: place for place, band in enumerate(BANDS)}
    items = sorted(
        (item for item in unit.objects if isinstance(item, Balloon | Narration)), key=lambda item: level[item.layer]
    )
    shared: dict[str, str] = {}
    if any(isinstance(item, Balloon) and item.joined for item in items):
        for group in groups(item for item in items if isinstance(item, Balloon)):
            shared |= {member.id: group.root.id for member in group.members}
    return [Body(item, shared.get(item.id, item.id), _edges(item.box)) for item in items]


def crowding(there: Sequence[Body], fonts: Fonts) -> Iterator[tuple[str, Wrong]]:
    """balloon.covers: words that a balloon hides, or that are set over other words; once for all that hide them."""
    for low, high in _pairs(there):
        covered = next(
            ((other, area) for other in high if (area := _covered(low.item, other.item, fonts)) >= COVERED), None
        )
        if covered is not None:
            other, area = covered
            yield (
                other.item.id,
                Wrong(
                    "balloon.covers",
                    "warning",
                    f"it lies over the words of {low.item.id}; move it away, or join the two if one speaker says both",
                    {"with": low.item.id, "covered_mm2": round(area / 1e6, 2)},
                ),
            )


def tails(balloon: Balloon, there: Sequence[Body]) -> Iterator[Wrong]:
    """tail.inside, tail.crosses: a tail that is not seen, or runs over another balloon."""
    own = next(body for body in there if body.item is balloon)
    form = form_of(balloon)
    for tail in balloon.tails:
        reach = _swing(own.edges, tail)
        near = [other for other in there if _meet(reach, other.edges) and other.group != own.group]
        (x, y), (left, top, right, bottom) = tail.tip, own.edges
        if not near and not (left - _CLOSE < x < right + _CLOSE and top - _CLOSE < y < bottom + _CLOSE):
            continue  # the usual case, told without drawing the tail
        way = spine(form, tail)
        if way is None:
            yield Wrong(
                "tail.inside",
                "warning",
                "its tail ends inside the balloon, or so near that it is not drawn; let it point at the speaker, or "
                "leave it out",
                {"tip_mm": [tail.tip[0] / 1_000, tail.tip[1] / 1_000]},
            )
            continue
        for other in near:
            over = _over(form, tail, shape_of(other.item))
            if over > ACROSS:
                yield Wrong(
                    "tail.crosses",
                    "warning",
                    f"its tail runs over {other.item.id} for {spoken(round(over))} mm; bend it round, or move one of "
                    "them",
                    {"with": other.item.id, "over_mm": round(over) / 1_000},
                )


def lying_over(there: Sequence[Body]) -> Iterator[tuple[str, Wrong]]:
    """balloon.overlap: balloons that lie over each other without being joined."""
    for low, high in combinations(there, 2):
        if low.group == high.group or not _meet(low.edges, high.edges) or is_bare(low.item) or is_bare(high.item):
            continue
        common = shapely.intersection(polygon(shape_of(low.item)), polygon(shape_of(high.item)))
        deep = 0.0 if common.is_empty else min(_sides(common))
        if deep > DEEP:
            yield (
                high.item.id,
                Wrong(
                    "balloon.overlap",
                    "note",
                    f"it lies over {low.item.id} by {spoken(round(deep))} mm without being joined to it; join them if "
                    "one speaker says both, or move them apart",
                    {"with": low.item.id, "over_mm": round(deep) / 1_000},
                ),
            )


def astray(unit: Unit, paper: Paper) -> Iterator[tuple[str, Wrong]]:
    """tail.away: a tail whose tip lies off the paper."""
    sheet = bleed_rect(unit, paper)
    for item in unit.objects:
        for tail in item.tails if isinstance(item, Balloon) else ():
            x, y = tail.tip
            if not (sheet.x <= x <= sheet.right and sheet.y <= y <= sheet.bottom):
                yield (
                    item.id,
                    Wrong(
                        "tail.away",
                        "note",
                        "its tail ends off the paper; let it point at the speaker, or at the frame's edge if that one "
                        "is out of sight",
                        {"tip_mm": [x / 1_000, y / 1_000]},
                    ),
                )


def voices(unit: Unit, panels: Sequence[Panel]) -> Iterator[tuple[str, Wrong]]:
    """tail.absent, balloon.speaker: nobody can tell who speaks, or the document does not say."""
    by_id = {panel.frame.id: panel for panel in panels}
    spoken_in: dict[str, list[Balloon]] = {}
    balloons = [item for item in unit.objects if isinstance(item, Balloon)]
    for item in balloons:
        home = by_id.get(item.parent) or home_of(item.box, panels)
        if home is not None:
            spoken_in.setdefault(home.frame.id, []).append(item)
    pointing = {item.id for item in balloons if item.tails}
    for group in groups(balloons):
        if any(member.tails for member in group.members):
            pointing |= {member.id for member in group.members}
    for here in spoken_in.values():
        names = list(dict.fromkeys(item.speaker.strip() for item in here if item.speaker.strip()))
        if len(names) < 2:
            continue
        for item in here:
            if item.id not in pointing and item.shape in SPEAKING:
                yield (
                    item.id,
                    Wrong(
                        "tail.absent",
                        "note",
                        f"it has no tail, though {len(names)} speak in its frame ({', '.join(names[:4])}); give it one "
                        "to its speaker, or join it to a balloon that has one",
                        {"speakers": names},
                    ),
                )
    if any(item.speaker.strip() for item in balloons):
        for item in balloons:
            if item.tails and not item.speaker.strip():
                yield (
                    item.id,
                    Wrong(
                        "balloon.speaker",
                        "note",
                        "it has a tail but names no speaker, as others on this page do; set its speaker",
                        {},
                    ),
                )


def home_of(box: Rect, panels: Sequence[Panel]) -> Panel | None:
    """The frame that the middle of a box lies in, the topmost."""
    x, y = box.centre
    return next((panel for panel in reversed(panels) if shapely.intersects_xy(panel.area, x, y)), None)


def shape_of(item: Balloon | Narration) -> Form:
    """The body of a balloon or caption."""
    return form_of(item) if isinstance(item, Balloon) else Form(BalloonShape.BOX, item.box)


def is_bare(item: Balloon | Narration) -> bool:
    """Whether words stand without a body."""
    if isinstance(item, Balloon):
        return item.shape is BalloonShape.NONE
    return item.fill is None and not item.stroke.width


def _swing(edges: tuple[int, int, int, int], tail: Tail) -> tuple[int, int, int, int]:
    """What may lie between a box and a tail's tip, its bend included."""
    (x, y), (left, top, right, bottom) = tail.tip, edges
    room = _CLOSE + abs(tail.bend) * (abs(x - left) + abs(y - top) + right - left + bottom - top) // MILLION
    return min(left, x) - room, min(top, y) - room, max(right, x) + room, max(bottom, y) + room


def _edges(box: Rect) -> tuple[int, int, int, int]:
    return box.x, box.y, box.x + box.w, box.y + box.h


def _meet(one: tuple[int, int, int, int], two: tuple[int, int, int, int]) -> bool:
    return one[0] < two[2] and two[0] < one[2] and one[1] < two[3] and two[1] < one[3]


def _pairs(there: Sequence[Body]) -> Iterator[tuple[Body, list[Body]]]:
    """Each body with those drawn above it, from the nearest up, whose boxes meet its own."""
    for place, low in enumerate(there):
        above = [high for high in there[place + 1 :] if high.group != low.group and _meet(low.edges, high.edges)]
        if above:
            yield low, above


@lru_cache(maxsize=2_048)
def _covered(low: Balloon | Narration, high: Balloon | Narration, fonts: Fonts) -> float:
    """How much of the words of the lower one the upper one lies over, in square micrometres."""
    words = words_area(low, fonts)
    over = words_area(high, fonts) if is_bare(high) else polygon(shape_of(high))
    return float(shapely.intersection(words, over).area)


@lru_cache(maxsize=2_048)
def words_area(item: Lettering, fonts: Fonts) -> shapely.Geometry:
    """What the lines of some words take as they stand on the page, turned too, without the air round them."""
    made = [shapely.box(*line.box) for line in set_text(item, fonts=fonts).lines]
    tight = [box.buffer(-0.15 * min(_sides(box)), join_style="mitre") for box in made if box.area]
    area = shapely.union_all(tight)
    if not isinstance(item, Text) or not item.rotate:
        return area
    return rotate(area, item.rotate / 1_000, origin=tuple(item.box.centre))  # clockwise, as y runs downwards


@lru_cache(maxsize=2_048)
def _over(form: Form, tail: Tail, other: Form) -> float:
    """How much of a tail's middle runs over another body, in micrometres."""
    way = spine(form, tail)
    if way is None or shapely.intersects_xy(polygon(other), *way.tip):
        return 0.0  # a tail that ends in another balloon ties the two together
    line = shapely.LineString([way.at(step / 16) for step in range(17)])
    return float(shapely.intersection(line, polygon(other)).length)


def _sides(common: shapely.Geometry) -> tuple[float, float]:
    left, top, right, bottom = shapely.bounds(common).tolist()
    return right - left, bottom - top
