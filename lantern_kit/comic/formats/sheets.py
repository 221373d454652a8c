"""Where a page lies on its sheet: trim, bleed and media, crop marks, and the two halves of a spread.

Lengths are micrometres of the unit until they are asked for in points. ISO 32000-1, 14.11.2 (page boundaries).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

from lantern_kit.comic.formats.report import Loss
from lantern_kit.comic.geometry import grown, spanning, trim
from lantern_kit.comic.model import Direction, Paper, Rect, Surface, Unit, UnitKind

Spreads = Literal["whole", "split"]
Box = tuple[float, float, float, float]
Mark = tuple[float, float, float, float]

POINT = 25_400 / 72
"""Micrometres in a point."""
MOST_POINTS = 14_400
"""A page's longest side in units of its space; past it the unit grows (``UserUnit``)."""
GAP = 1_000
"""From the bleed to a crop mark."""
MARK = 5_000
"""Length of a crop mark."""
SLUG = GAP + MARK + 1_000
"""Room for crop marks outside the bleed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """One page of a PDF.

    Args:
        trim: what is left of it after cutting, in unit space.
        bleeds: drawn area past the trim at the left, top, right and bottom.
        label: what readers call the page.
        slug: room round the bleed, for marks.
        folds: x of the lines along which it is folded.
    """

    trim: Rect
    bleeds: tuple[int, int, int, int]
    label: str = ""
    slug: int = 0
    folds: tuple[int, ...] = ()

    @property
    def bleed(self) -> Rect:
        """All that is drawn of the unit."""
        left, top, right, bottom = self.bleeds
        area = self.trim
        return spanning(area.x - left, area.y - top, area.right + right, area.bottom + bottom)

    @property
    def media(self) -> Rect:
        """The whole sheet."""
        return grown(self.bleed, self.slug)

    @property
    def unit(self) -> int:
        """Points in a unit of the page's space: 1, and more for a page past 5.08 m."""
        return max(1, math.ceil(max(self.media.w, self.media.h) / POINT / MOST_POINTS))

    @property
    def scale(self) -> float:
        """Units of the page's space in a micrometre."""
        return 1 / POINT / self.unit

    def box(self, area: Rect) -> Box:
        """An area in the page's space: left, bottom, right, top."""
        media, scale = self.media, self.scale
        return (
            round((area.x - media.x) * scale, 4),
            round((media.bottom - area.bottom) * scale, 4),
            round((area.right - media.x) * scale, 4),
            round((media.bottom - area.y) * scale, 4),
        )

    def spot(self, x: float, y: float) -> tuple[float, float]:
        """A place of the unit in the page's space."""
        return (x - self.media.x) * self.scale, (self.media.bottom - y) * self.scale

    def marks(self) -> Iterator[Mark]:
        """Crop marks at the corners of the trim, and ticks at the folds: x and y of both ends, in unit space."""
        if not self.slug:
            return
        area = self.trim
        left, top, right, bottom = (side + GAP for side in self.bleeds)
        for y in (area.y, area.bottom):
            yield area.x - left - MARK, y, area.x - left, y
            yield area.right + right, y, area.right + right + MARK, y
        for x in (area.x, area.right, *self.folds):
            yield x, area.y - top - MARK, x, area.y - top
            yield x, area.bottom + bottom, x, area.bottom + bottom + MARK


def sheets(unit: Unit, paper: Paper, labels: Sequence[str], *, spreads: Spreads, rtl: bool, slug: int) -> list[Sheet]:
    """The pages of a unit, in reading order.

    Args:
        unit: what is printed.
        paper: its chapter's paper; the bleed counts.
        labels: what readers call its page, or the two pages of a spread in reading order.
        spreads: a spread as one wide page, or as two, each with its own boxes. Where the two meet there is no bleed.
        rtl: the right page of a spread is read first.
        slug: room round the bleed, for marks.
    """
    by = paper.bleed
    if unit.kind is not UnitKind.SPREAD or len(unit.surfaces) < 2:
        return [Sheet(trim=trim(unit), bleeds=(by, by, by, by), label=labels[0], slug=slug)]
    left, right = unit.surfaces
    if spreads == "whole":
        folds = tuple(dict.fromkeys((left.width, right.x)))
        label = "–".join(labels)
        return [Sheet(trim=trim(unit), bleeds=(by, by, by, by), label=label, slug=slug, folds=folds)]
    order = [(right, (0, by, by, by)), (left, (by, by, 0, by))]
    if not rtl:
        order.reverse()
    return [
        Sheet(trim=_area(surface), bleeds=bleeds, label=label, slug=slug)
        for (surface, bleeds), label in zip(order, labels, strict=True)
    ]


def _area(surface: Surface) -> Rect:
    return Rect(x=surface.x, y=0, w=surface.width, h=surface.height)


class Pages:
    """Counts the pages of a chapter as readers do: from 1, a spread as two, covers apart."""

    def __init__(self, direction: Direction) -> None:
        self._next = 1
        self._direction = direction
        self.torn: list[str] = []
        """Titles of spreads that begin on an odd page: their halves would be the two sides of one leaf."""

    def labels(self, unit: Unit, title: str) -> tuple[str, ...]:
        """What readers call the page of a unit, or the two pages of a spread; the next unit comes after them."""
        number = self._next
        if unit.kind is UnitKind.COVER:
            return (unit.name or title,)
        if unit.kind is not UnitKind.SPREAD or len(unit.surfaces) < 2:
            self._next += 1
            return (str(number),)
        self._next += 2
        if number % 2 and self._direction is not Direction.TTB:
            self.torn.append(title)
        return str(number), str(number + 1)

    def losses(self) -> tuple[Loss, ...]:
        """What a printer should be told of the order."""
        if not self.torn:
            return ()
        message = "These spreads begin on an odd page: bound so, their halves would be two sides of one leaf."
        return (Loss("sides", message, tuple(self.torn)),)
