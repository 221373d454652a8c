"""Where a picture lies on the page: from its pixels to micrometres, and how finely it is then resolved."""

from __future__ import annotations

import math
from typing import NamedTuple

from lantern_kit.comic.model import MILLION, Fit, Placement, Rect
from lantern_kit.kernel.errors import BadInput

MICROMETRES_PER_INCH = 25_400


class Affine(NamedTuple):
    """A flat transform in the order of SVG and CSS: x' = a·x + c·y + e, y' = b·x + d·y + f."""

    a: float
    b: float
    c: float
    d: float
    e: float
    f: float

    def map(self, x: float, y: float) -> tuple[float, float]:
        """The image of a point."""
        return self.a * x + self.c * y + self.e, self.b * x + self.d * y + self.f

    def then(self, other: Affine) -> Affine:
        """This transform, followed by another."""
        x, y = other.map(self.e, self.f)
        return Affine(
            other.a * self.a + other.c * self.b,
            other.b * self.a + other.d * self.b,
            other.a * self.c + other.c * self.d,
            other.b * self.c + other.d * self.d,
            x,
            y,
        )

    def inverse(self) -> Affine:
        """The transform that undoes this one. Raises BadInput when it flattens the plane."""
        det = self.a * self.d - self.b * self.c
        if det == 0 or not math.isfinite(det):
            raise BadInput("this transform cannot be undone: it flattens everything to a line")
        a, b, c, d = self.d / det, -self.b / det, -self.c / det, self.a / det
        return Affine(a, b, c, d, -(a * self.e + c * self.f), -(b * self.e + d * self.f))

    def quad(self, left: float, top: float, right: float, bottom: float) -> tuple[tuple[float, float], ...]:
        """The four corners of a rectangle, mapped, clockwise from the top left."""
        return self.map(left, top), self.map(right, top), self.map(right, bottom), self.map(left, bottom)

    def around(self, left: float, top: float, right: float, bottom: float) -> tuple[float, float, float, float]:
        """Left, top, right, bottom of the upright rectangle round a rectangle's image."""
        corners = self.quad(left, top, right, bottom)
        xs, ys = [x for x, _ in corners], [y for _, y in corners]
        return min(xs), min(ys), max(xs), max(ys)


def crop_window(placement: Placement, width: int, height: int) -> tuple[float, float, float, float]:
    """The part of a picture of ``width`` × ``height`` pixels that is used: left, top, right, bottom in pixels.

    A crop that leaves nothing is taken as one pixel at its corner, so that no placement is ever impossible.
    """
    left, top, right, bottom = (
        value * size / MILLION for value, size in zip(placement.crop, (width, height, width, height), strict=True)
    )
    left, top = min(left, width - 1), min(top, height - 1)
    return left, top, min(max(right, left + 1), width), min(max(bottom, top + 1), height)


def box_of(placement: Placement, bounds: Rect) -> Rect:
    """The box a placement speaks of: its own, or the bounds of the parent frame."""
    return bounds if placement.box is None else placement.box


def fit_matrix(placement: Placement, bounds: Rect, width: int, height: int) -> Affine:
    """Pixels → page micrometres by crop, fit and focus alone, before the placement's own transform.

    ``cover`` brings the focus as near to the middle of the box as it can while the picture still fills the box;
    ``contain`` and ``stretch`` show the whole crop, so that focus has no meaning there.
    """
    if width < 1 or height < 1:
        raise BadInput("a picture has at least one pixel", found=f"{width}×{height}")
    box = box_of(placement, bounds)
    left, top, right, bottom = crop_window(placement, width, height)
    across, down = box.w / (right - left), box.h / (bottom - top)
    match placement.fit:
        case Fit.STRETCH:
            sx, sy = across, down
        case Fit.CONTAIN:
            sx = sy = min(across, down)
        case Fit.COVER:
            sx = sy = max(across, down)
    if placement.fit is Fit.COVER:
        x = _cover(box.x, box.w, left * sx, right * sx, placement.focus[0] * width * sx / MILLION)
        y = _cover(box.y, box.h, top * sy, bottom * sy, placement.focus[1] * height * sy / MILLION)
    else:
        x = box.x + box.w / 2 - (left + right) / 2 * sx
        y = box.y + box.h / 2 - (top + bottom) / 2 * sy
    return Affine(sx, 0.0, 0.0, sy, x, y)


def _cover(start: float, size: float, low: float, high: float, focus: float) -> float:
    """Shift that puts ``focus`` in the middle of [start, start + size] while [low, high] still covers it."""
    wanted = start + size / 2 - focus
    return min(start - low, max(start + size - high, wanted))


def own_transform(placement: Placement, bounds: Rect) -> Affine:
    """The placement's transform alone, in page space: scale, flip and turn about the centre of the box, then shift."""
    box = box_of(placement, bounds)
    change = placement.transform
    x, y = box.x + box.w / 2, box.y + box.h / 2
    scale = change.scale / MILLION
    sx, sy = (-scale if change.flip_x else scale), (-scale if change.flip_y else scale)
    turn = math.radians(change.rotate / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    a, b, c, d = cos * sx, sin * sx, -sin * sy, cos * sy
    return Affine(a, b, c, d, x + change.dx - (a * x + c * y), y + change.dy - (b * x + d * y))


def placement_matrix(placement: Placement, bounds: Rect, width: int, height: int) -> Affine:
    """Picture pixels → page micrometres.

    Args:
        placement: how the picture lies in its box.
        bounds: bounds of the parent frame, in page space; used when the placement has no box of its own.
        width: width of the picture, in pixels.
        height: its height, in pixels.

    Returns:
        Six floats, from pixel space (origin at the picture's top left corner) to page space.
    """
    return fit_matrix(placement, bounds, width, height).then(own_transform(placement, bounds))


def effective_dpi(placement: Placement, bounds: Rect, width: int, height: int) -> float:
    """Source pixels per inch of paper as placed, along the worse of the picture's two axes."""
    matrix = placement_matrix(placement, bounds, width, height)
    pitch = max(math.hypot(matrix.a, matrix.b), math.hypot(matrix.c, matrix.d))
    return MICROMETRES_PER_INCH / pitch
