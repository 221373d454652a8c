"""What an author said is to be seen of a picture, its focus, and what hides it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import shapely

from lantern_kit.comic.balloons.body import polygon
from lantern_kit.comic.checks.balloons import Body, is_bare, shape_of
from lantern_kit.comic.checks.frames import frame_area
from lantern_kit.comic.checks.seen import Pictures, Wrong, fold_of
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.model import MILLION, Frame, Image, Paper, Placement, Unit
from lantern_kit.comic.placement import placement_matrix

NEAR_FOLD = 3_000
"""What lies so near a spread's gutter, in micrometres, the fold takes with it."""
_MIDDLE = Placement().focus


class Point(NamedTuple):
    """Where the focus of a picture lies on the page."""

    image: Image
    x: float
    y: float


def focused(unit: Unit, paper: Paper, pictures: Pictures, there: Sequence[Body]) -> Iterator[tuple[str, Wrong]]:
    """balloon.focus, picture.fold: a focus that is given, and lies under a balloon or in a spread's gutter."""
    fold = fold_of(unit)
    for image, x, y in _points(unit, paper, pictures):
        at = {"focus_mm": [round(x / 1_000, 1), round(y / 1_000, 1)]}
        for body in there:
            if not is_bare(body.item) and shapely.intersects_xy(polygon(shape_of(body.item)), x, y):
                yield (
                    body.item.id,
                    Wrong(
                        "balloon.focus",
                        "note",
                        f"it covers the focus of the picture {image.id}; move it, or set another focus",
                        {"with": image.id, **at},
                    ),
                )
        if fold is not None and fold[0] - NEAR_FOLD < x < fold[1] + NEAR_FOLD:
            yield (
                image.id,
                Wrong(
                    "picture.fold",
                    "note",
                    "its focus lies in the spread's gutter, where the fold swallows it; move the picture to one side, "
                    "or set another focus",
                    at,
                ),
            )


def _points(unit: Unit, paper: Paper, pictures: Pictures) -> Iterator[Point]:
    """Where each focus that is not simply the middle lies on the page, if it is seen there."""
    for item in unit.objects:
        if not isinstance(item, Image) or item.placement.focus == _MIDDLE:
            continue
        size = pictures(item.asset)
        if size is None:
            continue
        frame = unit.index.get(item.parent)
        shape = outline(frame, unit, paper) if isinstance(frame, Frame) else None
        limits = bleed_rect(unit, paper) if shape is None else bounds(shape)
        matrix = placement_matrix(item.placement, limits, size.width, size.height)
        across, down = item.placement.focus
        x, y = matrix.map(across * size.width / MILLION, down * size.height / MILLION)
        if shape is None or not item.clip or shapely.intersects_xy(frame_area(shape), x, y):
            yield Point(item, x, y)
