"""Two states of a unit compared as they are drawn: where they differ, by how much, and which objects do.

Drawing is deterministic, so a pixel is changed when it is not the same; no threshold hides a change or invents one.
What is hardly seen is told apart by its distance (ΔE OK, ``imaging.perception``). Pages of different sizes lie on each
other by the top left corner of the trim; paper that is only on one side differs by 100 all over, and a unit that was
added or removed is all such paper.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from lantern_kit.comic.change import Change, Kind
from lantern_kit.comic.contract import is_order, turns
from lantern_kit.comic.diff import diff_unit
from lantern_kit.comic.geometry import bleed_rect, bounds, spanning, trim
from lantern_kit.comic.model import Chapter, Direction, Frame, Rect, Unit
from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.coverage import Covering
from lantern_kit.comic.render.difference import difference_picture, regions_beside
from lantern_kit.comic.render.distance import ObjectDistance
from lantern_kit.comic.render.page import render_unit
from lantern_kit.comic.render.regions import Mask, Patch, Weights, patches
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.comic.render.stage import Pictures, Stage
from lantern_kit.comic.render.weighing import Pair, Weighed, shared, weigh
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.imaging.perception import FARTHEST, NOTICEABLE, difference
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput

MOST = 12
"""Regions that are told one by one."""
CELL = 1_000
"""Micrometres of the grid on which changes are gathered to regions."""
PAD = 1_500
"""Micrometres round what changed in a region."""
NEAR = 6_000
"""Micrometres from a frame up to which a region is read with it."""
ROWS = 12
"""Rows of a page in which regions of one frame are read."""


@dataclass(frozen=True)
class Region:
    """A part of the page in which something changed."""

    number: int
    """From 1, in the order of reading."""
    rect: Rect
    """In page micrometres, as the document counts; ``mm`` has it in millimetres."""
    pixels: tuple[int, int, int, int]
    """Left, top, right, bottom in the pictures."""
    share: float
    """Share of the page's pixels that changed here."""
    difference: float
    """Mean ΔE OK × 100 of the pixels that changed here."""
    objects: tuple[str, ...]
    """Objects whose look changed here: those that changed themselves first, then by how much of them is here."""

    @property
    def mm(self) -> tuple[float, float, float, float]:
        """x, y, width and height in millimetres from the trim's top-left corner."""
        return self.rect.x / 1_000, self.rect.y / 1_000, self.rect.w / 1_000, self.rect.h / 1_000


@dataclass(frozen=True)
class Rest:
    """Changes that are not told one by one: the slightest."""

    regions: int
    share: float
    """Share of the page's pixels that changed in them."""


@dataclass(frozen=True)
class Distance:
    """How far two pictures of a unit are from each other."""

    difference: float
    """Mean ΔE OK × 100 over the page; 0 for equal pictures, 100 from black to white."""
    changed: float
    """Share of the page's pixels that are not the same."""
    noticed: float
    """Share of the page's pixels whose difference is to be seen, 2 or more."""
    greatest: float
    """The largest difference of a pixel."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """Two states of a unit, and what is to be seen of the way from one to the other."""

    unit: str
    before: Rendered | None
    """None where there was no unit; outside the paper nothing is drawn."""
    after: Rendered | None
    """None where there is none."""
    distance: Distance
    regions: tuple[Region, ...]
    """In the order of reading; they do not overlap, and each change is in one, or in the rest."""
    rest: Rest
    objects: tuple[ObjectDistance, ...]
    """Those that changed in the document first, then those that only look different; most to be seen first."""
    properties: tuple[str, ...]
    """Of the unit itself, as far as they changed: its paper, its background, the order of drawing."""
    changed: Mask
    """(height, width): pixels that are not the same."""
    apart: Weights
    """(height, width): by how much, ΔE OK × 100."""
    weighed: Weighed
    draw: Callable[[Rect, int], tuple[Rendered | None, Rendered | None]]
    """Draws a part of both sides anew, its longer side in pixels."""

    @property
    def alike(self) -> bool:
        """Whether both are the same to the pixel."""
        return not self.regions

    @property
    def shown(self) -> Rendered:
        """The picture after, or before where there is none after."""
        found = self.after or self.before
        if found is None:  # pragma: no cover  there is always one
            raise LookupError(self.unit)
        return found

    @cached_property
    def missing(self) -> tuple[str, ...]:
        """Assets whose picture was not there on either side; stand-ins were compared."""
        sides = (side for side in (self.before, self.after) if side is not None)
        return tuple(dict.fromkeys(asset for side in sides for asset in side.missing))

    def object(self, name: str) -> ObjectDistance | None:
        """The distance of one object; None where it neither changed nor looks different."""
        return next((item for item in self.objects if item.id == name), None)

    def picture(self, *, numbered: bool = True) -> Picture:
        """What changed, in colour on a faded page: gone is orange and striped, come is blue, altered is yellow."""
        return difference_picture(self, numbered=numbered)

    def beside(self, regions: Iterable[Region] | None = None, *, edge: int = 1_024) -> Picture:
        """Regions before and after beside each other, drawn anew as large as they fit; the strongest when not named."""
        return regions_beside(self, regions, edge=edge)


def compare_units(
    before: Unit | None,
    after: Unit | None,
    chapter_before: Chapter,
    chapter_after: Chapter,
    pictures: Pictures,
    *,
    long_edge: int | None = None,
    dpi: float | None = None,
    scale: float | None = None,
    bleed: bool = False,
    most: int = MOST,
    fonts: Fonts | None = None,
    cache: RenderCache | None = None,
) -> Comparison:
    """Compare two states of a unit.

    Args:
        before: the unit as it was; None when it was added.
        after: the unit as it is; None when it was removed.
        chapter_before: its chapter as it was.
        chapter_after: its chapter as it is.
        pictures: asset id → its decoded picture, or None when there is none.
        long_edge: pixels of the longer side of both together; the default, at 1024, when no size is given.
        dpi: pixels an inch of paper instead.
        scale: pixels a millimetre instead.
        bleed: compare the bleed too.
        most: regions that are told one by one.
        fonts: the fonts to use; None is those that come with the kit.
        cache: keeps prepared pictures and finished layers; None keeps nothing, and gives the same.

    Raises:
        BadInput: there is a unit on neither side, or the size is none that ``render_unit`` takes.
    """
    fonts = fonts or packaged_fonts()
    one, other = (
        None if unit is None else _Page(unit, chapter, pictures, fonts, cache, _sheet(unit, chapter, bleed=bleed))
        for unit, chapter in ((before, chapter_before), (after, chapter_after))
    )
    shown = other or one
    if shown is None:
        raise BadInput("there is nothing to compare", expected="a unit on one side at least")
    area = _around([page.sheet for page in (one, other) if page is not None])
    size = {"long_edge": long_edge, "dpi": dpi, "scale": scale}
    was, now = (None if page is None else page.draw(area, **size) for page in (one, other))
    view = now or was
    if view is None:  # pragma: no cover  one of them was drawn
        raise LookupError(shown.unit.id)
    papers = tuple(_paper(page, view) for page in (one, other))
    changed, apart = _differing(was, now, *papers)
    paper = max(1, int(np.count_nonzero(papers[0] | papers[1])))
    rows = _rows(before, after)
    first, second = (None if page is None else page.covering(view) for page in (one, other))
    weighed = weigh(Pair(first, second, changed, apart, (0.001 / view.scale) ** 2), rows)
    cell, pad = (max(2, round(length * view.scale)) for length in (CELL, PAD))
    found = sorted(patches(changed, apart, cell=cell, pad=pad), key=lambda patch: -patch.weight)
    told, rest = sorted(found[:most], key=_reading(shown, view)), found[most:]
    flags = {item.id: item.change == "" for item in weighed.objects}

    def both(part: Rect, edge: int) -> tuple[Rendered | None, Rendered | None]:
        first, second = (None if page is None else page.draw(part, long_edge=edge) for page in (one, other))
        return first, second

    return Comparison(
        unit=shown.unit.id,
        before=was,
        after=now,
        distance=_distance(changed, apart, paper),
        regions=tuple(_region(place, patch, view, weighed, flags, paper) for place, patch in enumerate(told, 1)),
        rest=Rest(len(rest), sum(patch.pixels for patch in rest) / paper),
        objects=weighed.objects,
        properties=tuple(
            row.property
            for row in rows
            if row.object == row.unit and row.property is not None and (not is_order(row) or turns(row))
        ),
        changed=changed,
        apart=apart,
        weighed=weighed,
        draw=both,
    )


@dataclass(frozen=True, eq=False)
class _Page:
    """One side of a comparison."""

    unit: Unit
    chapter: Chapter
    pictures: Pictures
    fonts: Fonts
    cache: RenderCache | None
    sheet: Rect
    """The paper that counts."""

    def draw(self, area: Rect, **size: Any) -> Rendered:
        """A part of the page; nothing where it has no paper."""
        drawn = render_unit(
            self.unit, self.chapter, self.pictures, rect=area, fonts=self.fonts, cache=self.cache, **size
        )
        left, top, right, bottom = self.box(drawn)
        if (left, top, right, bottom) == (0, 0, drawn.width, drawn.height):
            return drawn
        pixels = np.zeros_like(drawn.pixels)
        pixels[top:bottom, left:right] = drawn.pixels[top:bottom, left:right]
        pixels.flags.writeable = False
        return replace(drawn, pixels=pixels, opaque=False)

    def box(self, view: Rendered) -> tuple[int, int, int, int]:
        """Where its paper lies in a picture."""
        left, top = view.page_to_pixel.map(self.sheet.x, self.sheet.y)
        right, bottom = view.page_to_pixel.map(self.sheet.right, self.sheet.bottom)
        x, y = min(view.width, max(0, round(left))), min(view.height, max(0, round(top)))
        return x, y, max(x, min(view.width, round(right))), max(y, min(view.height, round(bottom)))

    def covering(self, view: Rendered) -> Covering:
        """Its objects in a picture of it."""
        stage = Stage(self.unit, self.chapter, self.pictures, self.fonts, self.cache, view.scale)
        return Covering(stage, view.page_to_pixel, view.width, view.height)


def _sheet(unit: Unit, chapter: Chapter, *, bleed: bool) -> Rect:
    return bleed_rect(unit, chapter.paper) if bleed else trim(unit)


def _around(sheets: list[Rect]) -> Rect:
    left, top = min(sheet.x for sheet in sheets), min(sheet.y for sheet in sheets)
    right, bottom = max(sheet.right for sheet in sheets), max(sheet.bottom for sheet in sheets)
    return spanning(left, top, right, bottom)


def _paper(page: _Page | None, view: Rendered) -> Mask:
    """Where a side has paper."""
    found = np.zeros((view.height, view.width), np.bool_)
    if page is not None:
        left, top, right, bottom = page.box(view)
        found[top:bottom, left:right] = True
    return found


def _differing(
    one: Rendered | None, other: Rendered | None, one_paper: Mask, other_paper: Mask
) -> tuple[Mask, Weights]:
    """Which pixels are not the same, and by how much."""
    lone = one_paper != other_paper
    changed, apart = lone, lone.astype(np.float32) * np.float32(FARTHEST)
    if one is not None and other is not None:
        unlike = (one.pixels.view(np.uint32) != other.pixels.view(np.uint32))[..., 0] & ~lone
        if unlike.any():
            changed = lone | unlike
            apart[unlike] = difference(one.pixels[unlike], other.pixels[unlike])
    return changed, apart


def _rows(before: Unit | None, after: Unit | None) -> tuple[Change, ...]:
    """What changed in the document."""
    if before is not None and after is not None:
        return tuple(diff_unit(before, after))
    made: Kind = "added" if before is None else "removed"
    unit = after or before
    if unit is None:
        return ()
    return tuple(Change(unit.id, item.id, item.kind, made, None, None, None) for item in unit.objects)


def _distance(changed: Mask, apart: Weights, paper: int) -> Distance:
    return Distance(
        difference=float(apart.sum(dtype=np.float64)) / paper,
        changed=int(np.count_nonzero(changed)) / paper,
        noticed=int(np.count_nonzero(apart >= NOTICEABLE)) / paper,
        greatest=float(apart.max()),
    )


def _region(
    number: int, patch: Patch, view: Rendered, weighed: Weighed, bystanders: Mapping[str, bool], paper: int
) -> Region:
    box = (patch.left, patch.top, patch.right, patch.bottom)
    to_page = view.pixel_to_page
    (left, top), (right, bottom) = to_page.map(patch.left, patch.top), to_page.map(patch.right, patch.bottom)
    x, y = round(left), round(top)
    here = {name: shared(box, None, *place) for name, place in weighed.places.items()}
    names = sorted((name for name, count in here.items() if count), key=lambda name: (bystanders[name], -here[name]))
    return Region(
        number=number,
        rect=spanning(x, y, max(x + 1, round(right)), max(y + 1, round(bottom))),
        pixels=box,
        share=patch.pixels / paper,
        difference=patch.weight / patch.pixels,
        objects=tuple(names),
    )


def _reading(page: _Page, view: Rendered) -> Callable[[Patch], tuple[float, ...]]:
    """A key by which parts of a picture stand as they are read: frame by frame, then row by row."""
    unit = page.unit
    frames = [item for name in unit.reading if isinstance(item := unit.index.get(name), Frame)]
    boxes = [bounds(item.shape) for item in frames]
    rightwards = -1 if page.chapter.direction is Direction.RTL else 1

    def key(patch: Patch) -> tuple[float, ...]:
        x, y = view.pixel_to_page.map((patch.left + patch.right) / 2, (patch.top + patch.bottom) / 2)
        apart = [math.hypot(max(box.x - x, 0, x - box.right), max(box.y - y, 0, y - box.bottom)) for box in boxes]
        nearest = min(range(len(apart)), key=apart.__getitem__) if apart else 0
        frame: float = nearest
        if apart and apart[nearest] > NEAR:  # beside all frames: after those that end above it
            frame = max((place for place, box in enumerate(boxes) if box.bottom <= y), default=-1) + 0.5
        return frame, y // (page.sheet.h / ROWS), rightwards * x, y

    return key
