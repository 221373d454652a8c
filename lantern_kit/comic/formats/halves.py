"""Which half of a split spread each dialogue belongs to, and which of them the fold would cut."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from lantern_kit.comic.formats.report import Loss
from lantern_kit.comic.formats.sheets import Sheet
from lantern_kit.comic.model import Lettering, Unit
from lantern_kit.comic.typeset.fonts import Fonts
from lantern_kit.comic.typeset.setting import SetText, set_text
from lantern_kit.comic.words import object_name

Box = tuple[float, float, float, float]


class Halves(NamedTuple):
    """The words of a spread, shared out over its two pages."""

    home: dict[str, int]
    """The sheet, from 0, on which each lettering object is: every one is on exactly one."""
    straddling: tuple[str, ...]
    """What people call those whose ink does not all lie on their sheet's side of the fold."""


def halves(unit: Unit, sheets: Sequence[Sheet], fonts: Fonts | None = None) -> Halves:
    """Share the words of a unit out over its sheets: each to the one that most of its ink lies on.

    Args:
        unit: a page, or a spread.
        sheets: one, or the two halves in reading order.
        fonts: the fonts to set it with; None is those that come with the kit.

    Returns:
        What has as much of its ink on either half goes to the one that is read first; what lies in the gutter
        altogether goes to the nearer one.
    """
    home: dict[str, int] = {}
    straddling: list[str] = []
    for item in unit.objects:
        if not isinstance(item, Lettering):
            continue
        if len(sheets) == 1:
            home[item.id] = 0
            continue
        boxes = _ink(set_text(item, fonts=fonts)) or [(item.box.x, item.box.y, item.box.right, item.box.bottom)]
        held = [sum(_within(box, sheet) for box in boxes) for sheet in sheets]
        far = [sum(_away(box, sheet) for box in boxes) for sheet in sheets]
        home[item.id] = max(range(len(sheets)), key=lambda place: (held[place], -far[place], -place))
        sheet = sheets[home[item.id]]
        if any(left < _sides(sheet)[0] or right > _sides(sheet)[1] for left, _, right, _ in boxes):
            straddling.append(object_name(unit, item.id))
    return Halves(home, tuple(straddling))


def straddling_loss(found: Sequence[str]) -> tuple[Loss, ...]:
    """What a report says of words that the fold cuts; nothing where there are none."""
    if not found:
        return ()
    message = "These words lie across the fold: they are cut there, and copied from the half with most of them."
    return (Loss("straddling", message, tuple(found)),)


def _ink(words: SetText) -> list[Box]:
    """What the words cover: line by line, or all of it where they are turned."""
    if words.rotate or words.skew or not words.lines:
        ink = words.ink
        return [] if ink is None else [(ink.x, ink.y, ink.right, ink.bottom)]
    return [line.box for line in words.lines]


def _sides(sheet: Sheet) -> tuple[float, float]:
    """Where a sheet ends at the left and at the right: only where another begins is that an end."""
    left, _, right, _ = sheet.bleeds
    return sheet.trim.x if left == 0 else -float("inf"), sheet.trim.right if right == 0 else float("inf")


def _within(box: Box, sheet: Sheet) -> float:
    left, right = _sides(sheet)
    return max(0.0, min(box[2], right) - max(box[0], left)) * (box[3] - box[1])


def _away(box: Box, sheet: Sheet) -> float:
    left, right = _sides(sheet)
    middle = (box[0] + box[2]) / 2
    return max(left - middle, middle - right, 0.0)
