"""What a browser wants of pages before anything else: the tiles of its first picture, as it will choose them itself."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from lantern_kit.widgets.sheets import AT_ONCE, UnitsArgs

Mode = Literal["page", "spread", "strip"]
MODES: tuple[Mode, ...] = ("page", "spread", "strip")
USUAL = (1_000, 600)
"""Pixels across and down of a view in most notebooks."""
MARGIN = 12
"""Pixels that the browser leaves round a page; as it leaves them."""
ENOUGH = 1.15
"""By how much a level may have fewer pixels than the screen; as the browser chooses it."""
WIDEST = 820
"""Pixels of a strip; as the browser shows it."""


class OpenArgs(UnitsArgs):
    """What is looked at first, and how large."""

    unit: str = Field("", max_length=60)
    """The first unit when it is empty."""
    mode: Mode = "page"
    screen: tuple[int, int] | None = None
    """Pixels across and down; without them the units alone are wanted."""
    ratio: float = Field(1.0, gt=0, le=8)
    """Pixels of the screen for one of the page's."""


def first_tiles(sheet: dict[str, Any], args: OpenArgs) -> tuple[int, list[tuple[int, int]]]:
    """The level and the tiles that a browser will want first, the nearest to the middle first; AT_ONCE at most."""
    across, down = args.screen or (1, 1)
    margin = 2 * MARGIN * args.ratio
    strip = args.mode == "strip"
    if strip:
        scale = max(1.0, min(across, WIDEST * args.ratio) - 16 * args.ratio) / sheet["trim"][2]
    else:
        _, _, width, height = sheet["area"]
        if args.mode == "spread" and sheet["kind"] in {"page", "transition"}:
            width *= 2
        scale = min(max(1.0, across - margin) / width, max(1.0, down - margin) / height)
    levels = sheet["levels"]
    level = next((place for place, item in enumerate(levels) if item["scale"] >= scale / ENOUGH), len(levels) - 1)
    chosen, tile = levels[level], sheet["tile"]
    columns, rows = -(-chosen["width"] // tile), -(-chosen["height"] // tile)
    if strip:
        seen = down / scale * chosen["scale"]
        rows = min(rows, int(seen // tile) + 1)
    spots = [(column, row) for row in range(rows) for column in range(columns)]
    middle = ((columns - 1) / 2, 0.0 if strip else (rows - 1) / 2)
    spots.sort(key=lambda spot: (spot[0] - middle[0]) ** 2 + (spot[1] - middle[1]) ** 2)
    return level, spots[:AT_ONCE]
