"""Whether print keeps what is drawn fine."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from lantern_kit.comic.checks.seen import Wrong
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import (
    AnyObject,
    Balloon,
    Effect,
    EffectType,
    Frame,
    Lettering,
    Narration,
    Paper,
    Rect,
    Screen,
    Stroke,
    Unit,
)
from lantern_kit.comic.placement import MICROMETRES_PER_INCH

FINEST_LINE = 80
"""Micrometres: a thinner black line breaks up in offset print (0.25 pt is 88)."""
FINEST_TONE = 5.0
"""Dots of the printer to one dot of a screen, at least: fewer make no even tint."""
NEAR_ANGLE = 15_000
"""Millidegrees by which two screens' angles may differ and still beat against each other to be seen."""


def thin_lines(item: AnyObject) -> Iterator[Wrong]:
    """print.line: a line that is thinner than print holds."""
    lines: list[tuple[str, Stroke]] = []
    if isinstance(item, Frame):
        lines.append(("border", item.border))
    elif isinstance(item, Balloon | Narration):
        lines.append(("stroke", item.stroke))
    if isinstance(item, Lettering) and item.style.outline is not None:
        lines.append(("outline", item.style.outline))
    for what, line in lines:
        if 0 < line.width < FINEST_LINE:
            yield Wrong(
                "print.line",
                "warning",
                f"its {what} is {spoken(line.width, 3)} mm thick, below the {spoken(FINEST_LINE)} mm that print holds; "
                "make it thicker, or leave it out with a width of 0",
                {"line": what, "width_mm": line.width / 1_000, "least_mm": FINEST_LINE / 1_000},
            )


def tones(unit: Unit, paper: Paper) -> Iterator[tuple[str, Wrong]]:
    """print.tone, print.moire: screens too fine for the printer, and screens that beat against each other."""
    screened = [
        item
        for item in unit.objects
        if isinstance(item, Effect) and item.effect is EffectType.TONE and item.screen is not Screen.GRAIN
    ]
    for item in screened:
        dots = item.pitch * paper.dpi / MICROMETRES_PER_INCH
        if dots < FINEST_TONE:
            coarser = round(FINEST_TONE * MICROMETRES_PER_INCH / paper.dpi)
            yield (
                item.id,
                Wrong(
                    "print.tone",
                    "note",
                    f"its screen of {_lpi(item.pitch)} lines an inch is too fine for {paper.dpi} dpi, where it fills "
                    f"in or vanishes; use at most {_lpi(coarser)}",
                    {"lpi": _lpi(item.pitch), "most_lpi": _lpi(coarser), "dpi": paper.dpi},
                ),
            )
    for one, two in combinations(screened, 2):
        apart = _between(one, two)
        if apart >= NEAR_ANGLE or (apart == 0 and one.pitch == two.pitch and one.screen is two.screen):
            continue
        if not _meet(_box(one, unit, paper), _box(two, unit, paper)):
            continue
        yield (
            two.id,
            Wrong(
                "print.moire",
                "note",
                f"its screen lies over that of {one.id} at {spoken(apart)}° to it and {_lpi(two.pitch)} against "
                f"{_lpi(one.pitch)} lines an inch, which shows as moiré; give both one pitch and angle, or turn one by "
                "30°",
                {"with": one.id, "apart": apart / 1_000, "lpi": [_lpi(one.pitch), _lpi(two.pitch)]},
            ),
        )


def _lpi(pitch: int) -> float:
    return round(MICROMETRES_PER_INCH / pitch, 1)


def _between(one: Effect, two: Effect) -> int:
    """How far two screens are turned against each other: dots repeat after 90°, lines after 180°."""
    whole = 180_000 if Screen.LINES in (one.screen, two.screen) else 90_000
    apart = abs(one.angle - two.angle) % whole
    return min(apart, whole - apart)


def _box(item: Effect, unit: Unit, paper: Paper) -> Rect:
    """What an effect may cover."""
    frame = unit.index.get(item.parent)
    limits = bounds(outline(frame, unit, paper)) if isinstance(frame, Frame) else bleed_rect(unit, paper)
    if item.box is None:
        return limits
    left, top = max(limits.x, item.box.x), max(limits.y, item.box.y)
    right, bottom = min(limits.right, item.box.right), min(limits.bottom, item.box.bottom)
    return Rect.model_construct(x=left, y=top, w=right - left, h=bottom - top)


def _meet(one: Rect, two: Rect) -> bool:
    return (
        min(one.w, one.h, two.w, two.h) > 0
        and one.x < two.right
        and two.x < one.right
        and one.y < two.bottom
        and two.y < one.bottom
    )
