"""Where the weight of a drawn page lies, and which of its pictures look unlike those about them: by its pixels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from lantern_kit.comic.checks.frames import insets, panels_of
from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.model import Chapter, Image, Lettering, Unit
from lantern_kit.imaging.perception import oklab
from lantern_kit.imaging.picture import Pixels

EDGE = 128
"""Pixels of a view's longer side."""
INKED = 0.04
"""A page with less weight, over a black one, is empty on purpose."""
ASIDE = 0.17
"""How far the weight's middle may lie from the page's, over the page's side."""
ALIKE = 3.0
"""Hues no further apart, of the hundred from black to white, are alike."""
UNLIKE = 9.0
SMALLEST = 3
"""Pixels of a frame's shorter side in a view, at least, for its hue to be told."""

View = Callable[[Unit, Chapter], Pixels]
"""A unit after trimming, drawn small: ``EDGE`` pixels long, rows, columns, RGBA."""


def unlettered(unit: Unit) -> Unit:
    """A unit without its words and balloons: what is drawn by hand."""
    objects = tuple(item for item in unit.objects if not isinstance(item, Lettering))
    return unit.model_copy(update={"objects": objects, "reading": ()})


def weighed(pixels: Pixels) -> Iterator[Wrong]:
    """balance.aside: a page whose weight lies far to one side."""
    dark = 1.0 - oklab(pixels)[..., 0].astype(np.float64)
    total = float(dark.sum())
    if total < INKED * dark.size:
        return
    rows, columns = dark.shape
    x = float((dark.sum(axis=0) * (np.arange(columns) + 0.5)).sum()) / total / columns - 0.5
    y = float((dark.sum(axis=1) * (np.arange(rows) + 0.5)).sum()) / total / rows - 0.5
    far = max((abs(x), "right" if x > 0 else "left"), (abs(y), "bottom" if y > 0 else "top"))
    if far[0] > ASIDE:
        yield Wrong(
            "balance.aside",
            "note",
            f"its weight lies {round(100 * far[0])}% of the page's side towards the {far[1]}; darken the other side, "
            "lighten this one, or leave it if it is meant to tip",
            {"side": far[1], "aside": round(far[0], 3), "middle": [round(x + 0.5, 3), round(y + 0.5, 3)]},
        )


class Hue(NamedTuple):
    """The mean hue of a frame with a picture."""

    unit: str
    frame: str
    a: float
    b: float

    def apart(self, other: Hue) -> float:
        """Distance of two hues, lightness left out: 100 would be from black to white."""
        return 100 * float(np.hypot(self.a - other.a, self.b - other.b))


def hues(unit: Unit, pixels: Pixels) -> Iterator[Hue]:
    """The hues of a unit's frames with pictures, as they are read."""
    pictured = {item.parent for item in unit.objects if isinstance(item, Image)}
    panels = panels_of(unit)
    nested = insets(panels)
    by_id = {panel.frame.id: panel for panel in panels if panel.frame.id in pictured and panel.frame.id not in nested}
    lab = oklab(pixels)
    rows, columns = lab.shape[:2]
    for name in unit.reading:
        if name not in by_id:
            continue
        left, top, right, bottom = by_id[name].edges
        x0, x1 = (min(max(round(x * columns / unit.width), 0), columns) for x in (left, right))
        y0, y1 = (min(max(round(y * rows / unit.height), 0), rows) for y in (top, bottom))
        if min(x1 - x0, y1 - y0) >= SMALLEST:
            mean = lab[y0:y1, x0:x1].reshape(-1, 3).mean(axis=0)
            yield Hue(unit.id, name, float(mean[1]), float(mean[2]))


def odd_hues(read: Sequence[Hue]) -> Iterator[tuple[Hue, Wrong]]:
    """continuity.palette: a frame of another hue than the ones before and after it, which are alike."""
    for before, here, after in zip(read, read[1:], read[2:], strict=False):
        if before.apart(after) > ALIKE:
            continue
        apart = min(here.apart(before), here.apart(after))
        if apart >= UNLIKE:
            yield (
                here,
                Wrong(
                    "continuity.palette",
                    "note",
                    f"its colours lie {apart:.0f} of 100 from those of {before.frame} and {after.frame}, which are "
                    "alike; grade its picture like theirs, if all three are one scene",
                    {"with": before.frame, "after": after.frame, "apart": round(apart, 1)},
                ),
            )
