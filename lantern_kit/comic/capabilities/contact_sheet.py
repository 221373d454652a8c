"""Contact sheets: units side by side at one scale, in the direction of reading."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lantern_kit.comic.model import Unit
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.imaging.picture import Picture, Pixels

GAP = 12
"""Pixels between units and round them."""
GREY = 128
SHORT = 3
"""So many units still stand in one row."""

Draw = Callable[[Unit, float], Rendered]
"""Draws a unit at so many pixels a micrometre."""


@dataclass(frozen=True)
class Tile:
    """Where a unit lies on the sheet, in pixels."""

    unit: Unit
    x: int
    y: int
    width: int
    height: int


def contact_sheet(units: Sequence[Unit], draw: Draw, *, edge: int, rightwards: bool) -> tuple[Picture, list[Tile]]:
    """Units on one picture whose longer side is about ``edge`` pixels, and where each lies.

    Args:
        units: in the order of reading, at least one.
        draw: draws one of them.
        edge: pixels; ample for the gaps.
        rightwards: rows are read from left to right.
    """
    rows = _rows(units)
    most = max(len(row) for row in rows)
    widest = max(sum(unit.width for unit in row) for row in rows)
    tall = sum(max(unit.height for unit in row) for row in rows)
    scale = min((edge - GAP * (most + 1)) / widest, (edge - GAP * (len(rows) + 1)) / tall)
    drawn = [[draw(unit, scale) for unit in row] for row in rows]
    width = max(sum(item.width + GAP for item in row) for row in drawn) + GAP
    height = sum(max(item.height for item in row) + GAP for row in drawn) + GAP
    pixels = np.full((height, width, 4), GREY, np.uint8)
    pixels[..., 3] = 255
    tiles: list[Tile] = []
    y = GAP
    for row, pictures in zip(rows, drawn, strict=True):
        x = GAP if rightwards else width
        for unit, item in zip(row, pictures, strict=True):
            x -= 0 if rightwards else item.width + GAP
            _lay(pixels[y : y + item.height, x : x + item.width], item.pixels)
            tiles.append(Tile(unit, x, y, item.width, item.height))
            x += item.width + GAP if rightwards else 0
        y += max(item.height for item in pictures) + GAP
    return Picture.of(pixels, opaque=True), tiles


def _rows(units: Sequence[Unit]) -> list[Sequence[Unit]]:
    """Units in rows of about equal length: one, two or three."""
    count = 1 if len(units) <= SHORT else 2 if len(units) <= 2 * SHORT else 3
    across = -(-len(units) // count)
    return [units[place : place + across] for place in range(0, len(units), across)]


def _lay(ground: Pixels, above: Pixels) -> None:
    """Lay a picture with straight alpha on opaque ground."""
    share = above[..., 3:].astype(np.uint16)
    ground[..., :3] = ((above[..., :3] * share + ground[..., :3] * (255 - share)) // 255).astype(np.uint8)
