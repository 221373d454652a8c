"""What edges snap to: the paper's lines, neighbours' edges, and the usual gutter before them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from lantern_kit.comic.geometry import extent, safe_areas
from lantern_kit.comic.layout.edges import frames_of, pairs
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Edge, Paper, Shape, Unit

REACH = 1_500
"""How far away, in micrometres, something is snapped to."""
USUAL = 4_000
"""The gutter where a unit has none yet."""
LEAST_GUTTER = 300
"""Frames nearer to each other than this touch."""


@dataclass(frozen=True, slots=True)
class Line:
    """Something to snap to, upright or level by the edge that snaps."""

    at: int
    """x or y in micrometres."""
    words: str


def usual_gutter(unit: Unit) -> int:
    """The gutter that a unit has most often, to a tenth of a millimetre; of several as frequent ones the narrowest."""
    found = Counter(round(pair.gutter, -2) for pair in pairs(unit) if pair.gutter >= LEAST_GUTTER)
    if not found:
        return USUAL
    most = max(found.values())
    return min(gutter for gutter, times in found.items() if times == most)


def lines(unit: Unit, paper: Paper, edge: Edge, moving: Collection[str]) -> Iterator[Line]:
    """All that an edge of a frame may snap to, the most telling first.

    Args:
        unit: where the frame is.
        paper: with its bleed and safe inset.
        edge: which one snaps.
        moving: ids of the frames that move along, to which nothing snaps.
    """
    upright = edge in {Edge.LEFT, Edge.RIGHT}
    yield from _of_paper(unit, paper, upright)
    gutter = usual_gutter(unit)
    back = -gutter if edge in {Edge.RIGHT, Edge.BOTTOM} else gutter
    for frame in frames_of(unit):
        if frame.id in moving:
            continue
        left, top, right, bottom = extent(frame.shape)
        near, far = (left, right) if upright else (top, bottom)
        first, last = ("left", "right") if upright else ("top", "bottom")
        yield Line(near, f"the {first} edge of {frame.id}")
        yield Line(far, f"the {last} edge of {frame.id}")
        if back < 0:
            yield Line(near + back, f"a gutter of {spoken(gutter)} mm before {frame.id}")
        else:
            yield Line(far + back, f"a gutter of {spoken(gutter)} mm after {frame.id}")


def _of_paper(unit: Unit, paper: Paper, upright: bool) -> Iterator[Line]:  # noqa: FBT001 - one axis or the other
    size = unit.width if upright else unit.height
    yield Line(0, "the trim")
    yield Line(size, "the trim")
    safes = safe_areas(unit, paper)
    for low, high in {(safe.x, safe.right) if upright else (safe.y, safe.bottom): None for safe in safes}:
        yield Line(low, "the safe area")
        yield Line(high, "the safe area")
    if paper.bleed:
        yield Line(-paper.bleed, "the bleed")
        yield Line(size + paper.bleed, "the bleed")
    if len(unit.surfaces) == 1 or not upright:
        yield Line(size // 2, "the middle of the page")
        return
    left, right = unit.surfaces
    yield Line(left.width // 2, "the middle of the left page")
    yield Line(right.x + right.width // 2, "the middle of the right page")
    yield Line((left.width + right.x) // 2, "the fold")
    if unit.gutter:
        yield Line(left.width, "the trim at the fold")
        yield Line(right.x, "the trim at the fold")


def snapped(value: int, unit: Unit, paper: Paper, edge: Edge, moving: Collection[str]) -> Line | None:
    """The nearest line within ``REACH`` of a value, the first of those as near; None where there is none."""
    near = [line for line in lines(unit, paper, edge, moving) if abs(line.at - value) <= REACH]
    return min(near, key=lambda line: abs(line.at - value)) if near else None


def snapped_shape(shape: Shape, unit: Unit, paper: Paper, frame: str) -> tuple[tuple[int, int, int, int], list[str]]:
    """Left, top, right and bottom of a frame's outline after snapping each of them, and in words what snapped.

    A side is left where it is when its snapping would leave no width or height.
    """
    edges = dict(zip((Edge.LEFT, Edge.TOP, Edge.RIGHT, Edge.BOTTOM), extent(shape), strict=True))
    opposite = {Edge.LEFT: Edge.RIGHT, Edge.RIGHT: Edge.LEFT, Edge.TOP: Edge.BOTTOM, Edge.BOTTOM: Edge.TOP}
    notes = []
    for edge, value in list(edges.items()):
        line = snapped(value, unit, paper, edge, {frame})
        if line is None or line.at == value:
            continue
        against = edges[opposite[edge]]
        if (line.at < against) if edge in {Edge.LEFT, Edge.TOP} else (line.at > against):
            edges[edge] = line.at
            notes.append(told(edge, value, line))
    left, top, right, bottom = edges.values()
    return (left, top, right, bottom), notes


def told(edge: Edge, value: int, line: Line) -> str:
    """What snapped, in words."""
    return f"the {edge} edge snapped from {spoken(value)} to {spoken(line.at)} mm, {line.words}"
