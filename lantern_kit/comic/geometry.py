"""Shapes and sheets in page space: pure arithmetic on integer micrometres, exact wherever it can be.

Straight-edged questions (crossing, containing, area) are decided in integers. Curves are flattened to straight edges
no further than ``TOLERANCE`` from them, except for their bounds and area, which come from the curve itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise

from lantern_kit.comic.model import Curve, Edge, Frame, Paper, Point, Polygon, Rect, Shape, Surface, Unit, UnitKind
from lantern_kit.kernel.errors import BadInput

TOLERANCE = 10
"""Greatest distance of a flattened curve from the curve, in micrometres, before rounding to whole ones."""

Cubic = tuple[Point, Point, Point, Point]
Dot = tuple[float, float]
"""A point between whole micrometres, or pixels."""
Edges = tuple[float, float, float, float]
"""Left, top, right, bottom."""


def spanning(left: int, top: int, right: int, bottom: int) -> Rect:
    """The rectangle between four edges. What is measured may lie further out than a document can say."""
    return Rect.model_construct(x=left, y=top, w=right - left, h=bottom - top)


def enclosing(several: Iterable[Edges]) -> Edges | None:
    """The edges round all of several; None round none."""
    sides = tuple(zip(*several, strict=True))
    return (min(sides[0]), min(sides[1]), max(sides[2]), max(sides[3])) if sides else None


def polygon_of(rect: Rect) -> Polygon:
    """The rectangle as a polygon, clockwise from its top-left corner."""
    return Polygon(points=((rect.x, rect.y), (rect.right, rect.y), (rect.right, rect.bottom), (rect.x, rect.bottom)))


def rect_of(shape: Shape) -> Rect | None:
    """The rectangle that a polygon is, if it is an upright one; else None."""
    if not isinstance(shape, Polygon) or len(shape.points) != 4:
        return None
    (ax, ay), (bx, by), (cx, cy), (dx, dy) = shape.points
    if (ay == by and bx == cx and cy == dy and dx == ax) or (ax == bx and by == cy and cx == dx and dy == ay):
        return bounds(shape) if ax != cx and ay != cy else None
    return None


def cubics(curve: Curve) -> Iterator[Cubic]:
    """The curve's segments, each with its starting point; a straight one closes it where it is open."""
    start = curve.start
    for first, second, end in curve.segments:
        yield start, first, second, end
        start = end
    if start != curve.start:
        yield straight(start, curve.start)


def straight(start: Point, end: Point) -> Cubic:
    """A straight line as a cubic."""
    (ax, ay), (bx, by) = start, end
    return start, (ax + (bx - ax) // 3, ay + (by - ay) // 3), (bx - (bx - ax) // 3, by - (by - ay) // 3), end


def outline_points(shape: Shape) -> tuple[Point, ...]:
    """Corners of the shape: a polygon's own, a curve's flattened ones. Neighbours are never equal."""
    return distinct(shape.points if isinstance(shape, Polygon) else _flattened(shape))


def distinct(points: Iterable[Point]) -> tuple[Point, ...]:
    """The points of a closed outline without those that repeat their neighbour, round the end too."""
    found: list[Point] = []
    for point in points:
        if not found or point != found[-1]:
            found.append(point)
    if len(found) > 1 and found[0] == found[-1]:
        found.pop()
    return tuple(found)


def _flattened(curve: Curve) -> Iterator[Point]:
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in cubics(curve):
        # n chords stray from a cubic by at most max|B″| / 8n², and B″ is six times the larger second difference.
        bulge = max(math.hypot(ax - 2 * bx + cx, ay - 2 * by + cy), math.hypot(bx - 2 * cx + dx, by - 2 * cy + dy))
        steps = max(1, math.ceil(math.sqrt(0.75 * bulge / TOLERANCE)))
        whole, half = steps**3, steps**3 // 2
        for i in range(steps):
            j = steps - i
            u, v, w, z = j * j * j, 3 * j * j * i, 3 * j * i * i, i * i * i
            yield (
                (u * ax + v * bx + w * cx + z * dx + half) // whole,
                (u * ay + v * by + w * cy + z * dy + half) // whole,
            )


def extent(shape: Shape) -> tuple[int, int, int, int]:
    """Left, top, right, bottom of the shape; of a curve outward to whole micrometres."""
    if isinstance(shape, Polygon):
        xs, ys = [x for x, _ in shape.points], [y for _, y in shape.points]
        return min(xs), min(ys), max(xs), max(ys)
    reaches: tuple[list[int], list[int], list[int], list[int]] = ([], [], [], [])
    for a, b, c, d in cubics(shape):
        for axis in (0, 1):
            least, most = _reach(a[axis], b[axis], c[axis], d[axis])
            reaches[axis].append(least)
            reaches[axis + 2].append(most)
    left, top, right, bottom = reaches
    return min(left), min(top), max(right), max(bottom)


def _reach(a: int, b: int, c: int, d: int) -> tuple[int, int]:
    least, most = min(a, d), max(a, d)
    if least <= b <= most and least <= c <= most:
        return least, most
    for t in turning_points(a, b, c, d):
        value = bernstein(a, b, c, d, t)
        least, most = min(least, math.floor(value + 1e-6)), max(most, math.ceil(value - 1e-6))
    return least, most


def bernstein(a: float, b: float, c: float, d: float, t: float) -> float:
    """The value of a cubic in Bernstein form at a parameter."""
    s = 1 - t
    return s * s * s * a + 3 * s * s * t * b + 3 * s * t * t * c + t * t * t * d


def turning_points(a: float, b: float, c: float, d: float) -> list[float]:
    """Parameters between 0 and 1 where a cubic in Bernstein form turns round, in order."""
    p, q, r = d - 3 * c + 3 * b - a, 2 * (c - 2 * b + a), b - a
    if p == 0:
        roots = [-r / q] if q else []
    else:
        under = q * q - 4 * p * r
        if under < 0:
            return []
        root = math.sqrt(under)
        roots = [(-q - root) / (2 * p), (-q + root) / (2 * p)]
    return sorted(t for t in roots if 0 < t < 1)


def bounds(shape: Shape) -> Rect:
    """The smallest upright rectangle round the shape. Raises BadInput where it has no width or no height."""
    left, top, right, bottom = extent(shape)
    if right <= left or bottom <= top:
        raise BadInput("the shape has no width or no height", expected="a shape that encloses an area")
    return spanning(left, top, right, bottom)


def doubled_area(points: Sequence[Point]) -> int:
    """Twice the signed area inside straight edges: positive when they run clockwise on the page."""
    total = 0
    x, y = points[-1]
    for next_x, next_y in points:
        total += x * next_y - next_x * y
        x, y = next_x, next_y
    return total


def area(shape: Shape) -> int:
    """Enclosed area in square micrometres, rounded down."""
    if isinstance(shape, Polygon):
        return abs(doubled_area(shape.points)) // 2
    total = 0  # twenty times the signed area: Green's theorem over each cubic has whole coefficients
    for (ax, ay), (bx, by), (cx, cy), (dx, dy) in cubics(shape):
        total += 6 * (ax * by - bx * ay) + 3 * (ax * cy - cx * ay) + (ax * dy - dx * ay)
        total += 3 * (bx * cy - cx * by) + 3 * (bx * dy - dx * by) + 6 * (cx * dy - dx * cy)
    return abs(total) // 20


def turn(a: Point, b: Point, c: Point) -> int:
    """Positive when the way a, b, c turns clockwise on the page, negative when it turns back, 0 when it is straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two straight edges, ends included, have a point in common."""
    if (
        max(a[0], b[0]) < min(c[0], d[0])
        or max(c[0], d[0]) < min(a[0], b[0])
        or max(a[1], b[1]) < min(c[1], d[1])
        or max(c[1], d[1]) < min(a[1], b[1])
    ):
        return False
    first, second = turn(a, b, c), turn(a, b, d)
    if (first > 0 and second > 0) or (first < 0 and second < 0):
        return False
    third, fourth = turn(c, d, a), turn(c, d, b)
    return not ((third > 0 and fourth > 0) or (third < 0 and fourth < 0))


def crossing(points: Sequence[Point]) -> tuple[int, int] | None:
    """Places of two edges of a closed outline that cross, touch or fold back; None when it is simple.

    Edge ``i`` runs from point ``i`` to the next. The points hold no equal neighbours (see ``outline_points``).
    """
    count = len(points)
    ends = [points[(i + 1) % count] for i in range(count)]
    for i in range(count):
        after = (i + 1) % count
        a, b, c = points[i], ends[i], ends[after]
        if turn(a, b, c) == 0 and (b[0] - a[0]) * (c[0] - b[0]) + (b[1] - a[1]) * (c[1] - b[1]) < 0:
            return min(i, after), max(i, after)
    # A sweep from left to right: only edges whose widths overlap are compared.
    order = sorted(range(count), key=lambda i: (min(points[i][0], ends[i][0]), i))
    active: list[int] = []
    for i in order:
        left = min(points[i][0], ends[i][0])
        active = [j for j in active if max(points[j][0], ends[j][0]) >= left]
        for j in active:
            if (i - j) % count in (1, count - 1):
                continue
            if meet(points[i], ends[i], points[j], ends[j]):
                return min(i, j), max(i, j)
        active.append(i)
    return None


def is_simple(shape: Shape) -> bool:
    """Whether the outline neither crosses nor touches itself and encloses an area."""
    points = outline_points(shape)
    return len(points) >= 3 and doubled_area(points) != 0 and crossing(points) is None


def contains(shape: Shape, point: Point) -> bool:
    """Whether the point lies inside the shape or on its edge."""
    x, y = point
    points = outline_points(shape)
    inside = False
    a = points[-1]
    for b in points:
        if (
            turn(a, b, point) == 0
            and min(a[0], b[0]) <= x <= max(a[0], b[0])
            and min(a[1], b[1]) <= y <= max(a[1], b[1])
        ):
            return True
        if (a[1] > y) != (b[1] > y) and (turn(a, b, point) > 0) == (b[1] > a[1]):
            inside = not inside
        a = b
    return inside


def _distance(point: Point, a: Point, b: Point) -> int:
    (x, y), (ax, ay), (bx, by) = point, a, b
    dx, dy = bx - ax, by - ay
    along, length = (x - ax) * dx + (y - ay) * dy, dx * dx + dy * dy
    if along <= 0 or length == 0:
        return math.isqrt((x - ax) ** 2 + (y - ay) ** 2)
    if along >= length:
        return math.isqrt((x - bx) ** 2 + (y - by) ** 2)
    return math.isqrt(turn(a, b, point) ** 2 // length)


def _closed(points: tuple[Point, ...]) -> Iterator[tuple[Point, Point]]:
    return pairwise((*points, points[0]))


def distance(shape: Shape, point: Point) -> int:
    """Distance of the point from the shape in micrometres, rounded down; 0 inside it."""
    if contains(shape, point):
        return 0
    return min(_distance(point, a, b) for a, b in _closed(outline_points(shape)))


def gap(first: Shape, second: Shape) -> int:
    """Least distance between two shapes in micrometres, rounded down; 0 when they touch or overlap."""
    one, two = outline_points(first), outline_points(second)
    if contains(first, two[0]) or contains(second, one[0]):
        return 0
    if any(meet(a, b, c, d) for a, b in _closed(one) for c, d in _closed(two)):
        return 0
    pairs = ((one, two), (two, one))
    return min(_distance(point, a, b) for points, other in pairs for point in points for a, b in _closed(other))


def moved(shape: Shape, dx: int, dy: int) -> Shape:
    """The shape, shifted."""
    if isinstance(shape, Polygon):
        return Polygon(points=tuple((x + dx, y + dy) for x, y in shape.points))
    (x, y), segments = shape.start, shape.segments
    return Curve(
        start=(x + dx, y + dy),
        segments=tuple(
            ((ax + dx, ay + dy), (bx + dx, by + dy), (cx + dx, cy + dy)) for (ax, ay), (bx, by), (cx, cy) in segments
        ),
    )


def stretched(shape: Shape, box: Rect) -> Shape:
    """The shape, stretched so that its bounds are a box."""
    if bounds(shape) == box:
        return shape
    left, top, right, bottom = extent(shape)
    wide, high = max(1, right - left), max(1, bottom - top)

    def there(at: Point) -> Point:
        return box.x + round((at[0] - left) * box.w / wide), box.y + round((at[1] - top) * box.h / high)

    if isinstance(shape, Polygon):
        return Polygon(points=tuple(map(there, shape.points)))
    segments = tuple((there(a), there(b), there(c)) for a, b, c in shape.segments)
    return Curve(start=there(shape.start), segments=segments)


def grown(rect: Rect, by: int) -> Rect:
    """The rectangle with every side moved outward (inward when negative)."""
    return spanning(rect.x - by, rect.y - by, rect.right + by, rect.bottom + by)


def trim(unit: Unit) -> Rect:
    """The paper of the unit after cutting, a spread's gutter included."""
    return spanning(0, 0, unit.width, unit.height)


def bleed_rect(unit: Unit, paper: Paper) -> Rect:
    """The trim with its bleed on every side: all that is drawn of a unit."""
    return grown(trim(unit), paper.bleed)


def gutter(unit: Unit) -> Rect | None:
    """The strip between the two surfaces of a spread; None on other units and where the surfaces touch."""
    if unit.kind is not UnitKind.SPREAD or unit.gutter == 0:
        return None
    return Rect(x=unit.surfaces[0].width, y=0, w=unit.gutter, h=unit.height)


def safe_areas(unit: Unit, paper: Paper) -> tuple[Rect, ...]:
    """Where lettering may stand: each surface's trim without the safe inset, from left to right.

    Raises:
        BadInput: when the inset leaves nothing of a surface.
    """
    inset = paper.safe
    for surface in unit.surfaces:
        if 2 * inset >= min(surface.width, surface.height):
            raise BadInput(
                "the safe inset leaves nothing of the page", expected="less than half the page", ids=[unit.id]
            )
    return tuple(
        Rect(x=surface.x + inset, y=inset, w=surface.width - 2 * inset, h=surface.height - 2 * inset)
        for surface in unit.surfaces
    )


def surface_of(unit: Unit, point: Point) -> Surface | None:
    """The surface a point belongs to; past the trim the nearest one, in the gutter None."""
    if len(unit.surfaces) == 1:
        return unit.surfaces[0]
    left, right = unit.surfaces
    if point[0] <= left.x + left.width:
        return left
    return right if point[0] >= right.x else None


def edges_reached(shape: Shape, unit: Unit) -> tuple[Edge, ...]:
    """Edges of the paper that the shape lies on or runs over, in the order a frame keeps them."""
    left, top, right, bottom = extent(shape)
    reached = {
        Edge.LEFT: left <= 0,
        Edge.TOP: top <= 0,
        Edge.RIGHT: right >= unit.width,
        Edge.BOTTOM: bottom >= unit.height,
    }
    return tuple(sorted(edge for edge, there in reached.items() if there))


def outline(frame: Frame, unit: Unit, paper: Paper) -> Shape:
    """What the frame really encloses: its shape, pushed out to the bleed over the edges that it names.

    Points on or past such an edge of the trim move out to the bleed's edge; those further out stay.
    """
    if not frame.bleed:
        return frame.shape
    width, height, by = unit.width, unit.height, paper.bleed

    def pushed(point: Point) -> Point:
        x, y = point
        if Edge.LEFT in frame.bleed and x <= 0:
            x = min(x, -by)
        if Edge.RIGHT in frame.bleed and x >= width:
            x = max(x, width + by)
        if Edge.TOP in frame.bleed and y <= 0:
            y = min(y, -by)
        if Edge.BOTTOM in frame.bleed and y >= height:
            y = max(y, height + by)
        return x, y

    shape = frame.shape
    if isinstance(shape, Polygon):
        return Polygon(points=tuple(pushed(point) for point in shape.points))
    return Curve(
        start=pushed(shape.start),
        segments=tuple((pushed(first), pushed(second), pushed(end)) for first, second, end in shape.segments),
    )
