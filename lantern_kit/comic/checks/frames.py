"""How frames lie on the paper and beside one another."""

from __future__ import annotations

import statistics
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations
from typing import NamedTuple

import shapely

from lantern_kit.comic.checks.seen import Wrong, fold_of
from lantern_kit.comic.geometry import extent, outline_points
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Direction, Edge, Frame, Paper, Shape, Unit

INSET = 0.8
"""A frame with so much of it inside a larger one is an inset of that."""
SLIVER = 1_500
"""Frames that lie over each other by less than this, in micrometres, hardly do so on purpose."""
TOUCH = 50
"""Less is an overlap by rounding."""
FACING = 0.3
"""Frames face each other along at least so much of the shorter one's side."""
UNEVEN = 0.25
"""A gutter may differ by so much from what is usual on its page …"""
LEAST_UNEVEN = 1_000
"""… and by so many micrometres."""
USUAL = 3
"""So many gutters make a usual one."""
MOST = 60
"""More frames than this on one page are no layout, and are not held against one another."""


class Panel(NamedTuple):
    """A frame as it lies on the page."""

    frame: Frame
    area: shapely.Polygon
    edges: tuple[int, int, int, int]
    """Left, top, right, bottom."""

    @property
    def middle(self) -> tuple[float, float]:
        """The middle of its bounds."""
        left, top, right, bottom = self.edges
        return (left + right) / 2, (top + bottom) / 2


def panels_of(unit: Unit) -> tuple[Panel, ...]:
    """A unit's frames, in drawing order."""
    return tuple(
        Panel(item, frame_area(item.shape), extent(item.shape)) for item in unit.objects if isinstance(item, Frame)
    )


@lru_cache(maxsize=1_024)
def frame_area(shape: Shape) -> shapely.Polygon:
    """What a shape encloses."""
    made = shapely.Polygon(outline_points(shape))
    return made if made.is_valid else shapely.Polygon(shapely.get_coordinates(made.convex_hull))


def insets(panels: Sequence[Panel]) -> dict[str, str]:
    """Frames that lie in a larger one, with that one."""
    found: dict[str, str] = {}
    if len(panels) > MOST:
        return found
    for one, two in combinations(panels, 2):
        small, large = sorted((one, two), key=lambda panel: panel.area.area)
        if _apart(one, two):
            continue
        if shapely.intersection(one.area, two.area).area >= INSET * small.area.area:
            found[small.frame.id] = large.frame.id
    return found


def reach(frame: Frame, unit: Unit, paper: Paper, direction: Direction) -> Iterator[Wrong]:
    """frame.reach: an edge of the paper that a frame runs to, or says it runs over, without reaching the bleed."""
    if direction is Direction.TTB or not paper.bleed:
        return
    left, top, right, bottom = extent(frame.shape)
    if not frame.bleed and left > 0 and top > 0 and right < unit.width and bottom < unit.height:
        return
    past = {Edge.LEFT: -left, Edge.TOP: -top, Edge.RIGHT: right - unit.width, Edge.BOTTOM: bottom - unit.height}
    short = {edge: paper.bleed - by for edge, by in past.items() if 0 <= by < paper.bleed and edge not in frame.bleed}
    if short:
        sides = " and ".join(f"the {edge}" for edge in short)
        named = [*sorted({*frame.bleed, *short})]
        yield Wrong(
            "frame.reach",
            "warning",
            f"it runs to the trim at {sides} but not to the bleed, {spoken(max(short.values()))} mm further, so that "
            f"cutting may leave a white edge; set its bleed to {', '.join(named)}, or draw it in",
            {**{f"{edge}_mm": by / 1_000 for edge, by in short.items()}, "bleed": [edge.value for edge in named]},
        )
    for edge in frame.bleed:
        if past[edge] < 0:
            yield Wrong(
                "frame.unreached",
                "warning",
                f"it is to bleed at the {edge} but ends {spoken(-past[edge])} mm before the trim there; draw it out to "
                "the edge, or leave that edge out of its bleed",
                {"edge": edge.value, "short_mm": -past[edge] / 1_000},
            )


def safe(panel: Panel, unit: Unit, paper: Paper, direction: Direction) -> Iterator[Wrong]:
    """frame.safe: an edge that lies between the safe area and the trim, where cutting shows that it wanders."""
    if direction is Direction.TTB:
        return
    left, top, right, bottom = panel.edges
    inside = {Edge.LEFT: left, Edge.TOP: top, Edge.RIGHT: unit.width - right, Edge.BOTTOM: unit.height - bottom}
    near = {edge: by for edge, by in inside.items() if 0 < by < paper.safe and edge not in panel.frame.bleed}
    if near:
        said = " and ".join(f"{spoken(by)} mm from the {edge}" for edge, by in near.items())
        yield Wrong(
            "frame.safe",
            "note",
            f"its edge lies {said}, between the safe area ({spoken(paper.safe)} mm) and the trim, where it "
            "shows how far each cut is off; draw it in to the safe area, or let it bleed",
            {**{f"{edge}_mm": by / 1_000 for edge, by in near.items()}, "safe_mm": paper.safe / 1_000},
        )


def overlaps(panels: Sequence[Panel]) -> Iterator[tuple[str, Wrong]]:
    """frame.overlap: frames that lie over each other, and are no insets; by a sliver it is hardly meant."""
    nested = insets(panels)
    for one, two in combinations(panels, 2) if len(panels) <= MOST else ():
        if _apart(one, two) or nested.get(one.frame.id) == two.frame.id or nested.get(two.frame.id) == one.frame.id:
            continue
        common = shapely.intersection(one.area, two.area)
        deep = _depth(common)
        if deep < TOUCH:
            continue
        sliver = deep < SLIVER
        advice = "draw them apart" if sliver else "draw them apart, unless it is meant"
        yield (
            two.frame.id,
            Wrong(
                "frame.overlap",
                "warning" if sliver else "note",
                f"it lies over {one.frame.id} by {spoken(round(deep))} mm; {advice}",
                {"with": one.frame.id, "over_mm": round(deep) / 1_000},
            ),
        )


def gutters(panels: Sequence[Panel], unit: Unit) -> Iterator[tuple[str, Wrong]]:
    """frame.gutter: a gutter that is much wider or narrower than is usual on its page, across or down."""
    nested = insets(panels)
    plain = [panel for panel in panels if panel.frame.id not in nested]
    gaps = _gaps(plain, fold_of(unit)) if len(plain) <= MOST else []
    for way in ("across", "down"):
        here = [gap for gap in gaps if gap.way == way]
        if len(here) < USUAL:
            continue
        usual = statistics.median_low([gap.width for gap in here])
        bound = max(LEAST_UNEVEN, UNEVEN * usual)
        odd = [gap for gap in here if abs(gap.width - usual) > bound]
        if 3 * len(odd) > len(here):
            continue  # no gutter is usual here
        # A row or column of gutters is told once.
        for gap in {(gap.width, gap.after.edges[way == "down"]): gap for gap in reversed(odd)}.values():
            yield (
                gap.after.frame.id,
                Wrong(
                    "frame.gutter",
                    "note",
                    f"the gutter between it and {gap.before.frame.id} is {spoken(gap.width)} mm wide, others that run "
                    f"{'down' if way == 'across' else 'across'} the page {spoken(usual)} mm; make it as wide, unless "
                    "it is meant",
                    {"with": gap.before.frame.id, "gutter_mm": gap.width / 1_000, "usual_mm": usual / 1_000},
                ),
            )


class _Gap(NamedTuple):
    before: Panel
    after: Panel
    way: str
    width: int


def _gaps(panels: Sequence[Panel], fold: tuple[int, int] | None) -> list[_Gap]:
    """The gutters between frames that face each other with nothing between."""
    found: list[_Gap] = []
    for one, two in combinations(panels, 2):
        for way, axis in (("across", 0), ("down", 1)):
            first, second = sorted((one, two), key=lambda panel: panel.edges[axis])
            side = min(_side(one, 1 - axis), _side(two, 1 - axis))
            start, end = max(one.edges[1 - axis], two.edges[1 - axis]), min(one.edges[3 - axis], two.edges[3 - axis])
            if end - start < FACING * side or second.middle[axis] <= first.edges[axis + 2]:
                continue
            if axis == 0 and fold is not None and first.middle[0] < fold[0] and second.middle[0] > fold[1]:
                continue
            gap = shapely.distance(one.area, two.area)
            if gap == 0 and shapely.intersection(one.area, two.area).area > 0:
                continue
            way_between = shapely.shortest_line(one.area, two.area)
            low, high = first.edges[axis + 2], second.edges[axis]
            strip = shapely.box(low, start, high, end) if axis == 0 else shapely.box(start, low, end, high)
            between = strip if high > low else way_between
            if any(
                shapely.intersects(between, other.area) and shapely.intersection(between, other.area).area > 0
                for other in panels
                if other is not one and other is not two
            ):
                continue
            found.append(_Gap(first, second, way, round(gap)))
    return found


def _side(panel: Panel, axis: int) -> int:
    return panel.edges[axis + 2] - panel.edges[axis]


def _apart(one: Panel, two: Panel) -> bool:
    return (
        one.edges[0] >= two.edges[2]
        or two.edges[0] >= one.edges[2]
        or one.edges[1] >= two.edges[3]
        or two.edges[1] >= one.edges[3]
    )


def _depth(common: shapely.Geometry) -> float:
    """How far two areas lie over each other: the lesser side of the smallest rectangle round what they share."""
    if common.is_empty or common.area == 0:
        return 0.0
    corners = shapely.get_coordinates(shapely.minimum_rotated_rectangle(common))
    if len(corners) < 4:
        return 0.0
    sides = ((corners[1:3] - corners[0:2]) ** 2).sum(axis=1) ** 0.5
    return float(sides.min())
