"""Whether words fit, can be read, and lie where trimming and folding leave them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple

from lantern_kit.comic.balloons.groups import groups
from lantern_kit.comic.checks.seen import Wrong, fold_of
from lantern_kit.comic.markup import suspects
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import Balloon, BalloonShape, Lettering, Paper, Rect, Text, Unit
from lantern_kit.comic.typeset.fonts import Fonts
from lantern_kit.comic.typeset.legible import TooSmall, too_small
from lantern_kit.comic.typeset.setting import set_text

TINIEST = 300
"""The smallest size that is tried to say how far words are from fitting, in micrometres."""
SEVERAL = 3
"""So many balloons make a usual size."""
UNEVEN = 0.85
"""A size is uneven below this, over the usual one."""
PLAIN = frozenset({BalloonShape.ELLIPSE, BalloonShape.ROUNDED, BalloonShape.BOX, BalloonShape.PATH})
"""Balloons in which people just speak."""


class Sheet(NamedTuple):
    """What lettering is held against."""

    safe: tuple[int, int, int, int]
    """Left, top, right, bottom of the area inside the safe inset."""
    gutter: tuple[int, int] | None
    """Left and right edge of a spread's gutter."""


def sheet_of(unit: Unit, paper: Paper) -> Sheet:
    """The sheet of a unit."""
    inset = paper.safe
    return Sheet((inset, inset, unit.width - inset, unit.height - inset), fold_of(unit))


@lru_cache(maxsize=8192)
def lettering(item: Lettering, sheet: Sheet, fonts: Fonts) -> tuple[Wrong, ...]:
    """What is wrong with one object's words: lettering.{font, glyph, overflow, marks, small, safe, gutter}."""
    words = set_text(item, fonts=fonts)
    found: list[Wrong] = []
    if words.unknown_font:
        found.append(
            Wrong(
                "lettering.font",
                "warning",
                f"no font of the family {words.unknown_font} is installed, so dialogue lettering stands in; "
                "use a role or an installed family",
                {"font": words.unknown_font, "known": list(fonts.families())},
            )
        )
    if words.missing:
        shown = " ".join(words.missing[:12])
        found.append(
            Wrong(
                "lettering.glyph",
                "warning",
                f"no font has a glyph for {len(words.missing)} of its characters ({shown}); write them otherwise",
                {"characters": [f"U+{ord(character):04X}" for character in words.missing]},
            )
        )
    if words.overflow:
        found.append(_overflow(item, fonts))
    marks = _marks(item)
    if marks is not None:
        found.append(marks)
    small = too_small(words)
    if small is not None:
        found.append(_small(item, words.size, small))
    ink = words.ink
    if ink is not None:
        outside = _outside(item, ink, sheet)
        if outside is not None:
            found.append(outside)
    over = _over_gutter(item, sheet, ink)
    if over is not None:
        found.append(over)
    return tuple(found)


def _marks(item: Lettering) -> Wrong | None:
    """What would be printed with its braces and bars."""
    found = suspects(item.text)
    if not found:
        return None
    first = found[0]
    write = f"write {first.meant}, or" if first.meant else "mend it, or write"
    return Wrong(
        "lettering.marks",
        "note",
        f"{first.written} looks like a mark and is none, so that it is printed as it stands; "
        f"{write} \\{first.written[0]} if that is meant",
        {"count": len(found), "found": first.written, "meant": first.meant},
    )


def _overflow(item: Lettering, fonts: Fonts) -> Wrong:
    style = item.style
    least = style.smallest if style.fit else style.size
    tiny = item.model_copy(update={"style": style.model_copy(update={"fit": True, "size": least, "smallest": TINIEST})})
    fitting = set_text(tiny, fonts=fonts)
    data: dict[str, Any] = {"smallest_mm": least / 1_000}
    if fitting.overflow:
        needed = f"would not fit even at {spoken(TINIEST)} mm"
        advice = "shorten the text or split it over several balloons"
    else:
        grow = least / fitting.size
        data |= {"fitting_mm": fitting.size / 1_000, "grow": round(grow, 2)}
        needed = f"would fit at {spoken(fitting.size)} mm"
        wide, tall = _tenths(item.box.w * grow), _tenths(item.box.h * grow)
        advice = f"enlarge its box to about {wide} × {tall} mm, or shorten the text"
    what = "smallest size" if style.fit else "size"
    return Wrong(
        "lettering.overflow",
        "warning",
        f"the words do not fit: they {needed}, the {what} is {spoken(least)} mm; {advice}",
        data,
    )


def _small(item: Lettering, size: int, small: TooSmall) -> Wrong:
    what = "readings" if small.reading else "words"
    fitted = item.style.fit and size < item.style.size
    advice = f"{'enlarge its box about ' if fitted else 'set them '}{math.ceil(small.grow * 100) / 100:g} times"
    return Wrong(
        "lettering.small",
        "warning",
        f"its {what} are set at {spoken(small.size)} mm, below the {spoken(small.least)} mm that print keeps legible; "
        + (f"{advice} as large, or shorten the text" if fitted else f"{advice} as large"),
        {
            "size_mm": small.size / 1_000,
            "least_mm": small.least / 1_000,
            "grow": math.ceil(small.grow * 100) / 100,
            "reading": small.reading,
            "fitted": fitted,
        },
    )


def _tenths(um: float) -> str:
    """Millimetres to say, never less than what is needed."""
    return spoken(math.ceil(um / 100) * 100)


def _outside(item: Lettering, ink: Rect, sheet: Sheet) -> Wrong | None:
    left, top, right, bottom = sheet.safe
    over = {"left": left - ink.x, "top": top - ink.y, "right": ink.right - right, "bottom": ink.bottom - bottom}
    past = {side: by for side, by in over.items() if by > 0}
    if not past:
        return None
    said = " and ".join(f"{_tenths(by)} mm at the {side}" for side, by in past.items())
    turned = {"left": "right", "right": "left", "top": "down", "bottom": "up"}
    move = " and ".join(f"{_tenths(by)} mm {turned[side]}" for side, by in past.items())
    opposite = {"left", "right"} <= past.keys() or {"top", "bottom"} <= past.keys()
    advice = "make it smaller" if opposite else f"move it {move}"
    sound = isinstance(item, Text) and item.style.font == "sound"
    return Wrong(
        "lettering.safe",
        "note" if sound else "warning",
        f"the words reach {said} outside the safe area, where trimming may cut them; {advice}",
        {f"{side}_mm": by / 1_000 for side, by in past.items()},
    )


def _over_gutter(item: Lettering, sheet: Sheet, ink: Rect | None) -> Wrong | None:
    if sheet.gutter is None or isinstance(item, Text) or (isinstance(item, Balloon) and not item.gutter_safe):
        return None
    left, right = sheet.gutter
    # A body fills its box; where there is none, the words alone count.
    bare = isinstance(item, Balloon) and item.shape is BalloonShape.NONE
    box = ink if bare and ink is not None else item.box
    if box.right <= left or box.x >= right:
        return None
    to_left, to_right = box.right - left, right - box.x
    by, way = min((to_left, "left"), (to_right, "right"))
    free = ", or switch gutter_safe off if it is meant to lie there" if isinstance(item, Balloon) else ""
    return Wrong(
        "lettering.gutter",
        "warning",
        f"it lies over the spread's gutter, where the fold swallows words; move it {_tenths(by)} mm {way}{free}",
        {"over_mm": by / 1_000, "gutter_mm": [left / 1_000, right / 1_000]},
    )


def torn(unit: Unit, sheet: Sheet) -> Iterator[tuple[str, Wrong]]:
    """lettering.gutter: balloons that are joined across the gutter, each on a page of its own."""
    if sheet.gutter is None:
        return
    left, right = sheet.gutter
    for group in groups(item for item in unit.objects if isinstance(item, Balloon)):
        for one, two in group.links:
            first, last = sorted((one.box, two.box), key=lambda box: box.x)
            if first.right <= left and last.x >= right and (one.gutter_safe or two.gutter_safe):
                yield (
                    one.id,
                    Wrong(
                        "lettering.gutter",
                        "warning",
                        f"what joins it to {two.id} runs over the spread's gutter; move both to one page, or part them",
                        {"with": two.id, "gutter_mm": [left / 1_000, right / 1_000]},
                    ),
                )


def uneven(unit: Unit, fonts: Fonts) -> Iterator[tuple[str, Wrong]]:
    """lettering.uneven: words fitted to a size that is seen to be smaller than the usual one of the page."""
    said = [item for item in unit.objects if isinstance(item, Balloon) and item.shape in PLAIN and item.text.strip()]
    if len(said) < SEVERAL:
        return
    sizes = {item.id: set_text(item, fonts=fonts).size for item in said}
    usual = statistics.median_low(sizes.values())
    for item in said:
        size = sizes[item.id]
        if item.style.fit and size < item.style.size and size < UNEVEN * usual:
            yield (
                item.id,
                Wrong(
                    "lettering.uneven",
                    "note",
                    f"its words were fitted to {spoken(size)} mm, while {spoken(usual)} mm is usual on this page; "
                    f"enlarge its box about {_times(usual / size)} times, or shorten the text",
                    {"size_mm": size / 1_000, "usual_mm": usual / 1_000, "grow": float(_times(usual / size))},
                ),
            )


def _times(grow: float) -> str:
    return f"{math.ceil(grow * 100) / 100:g}"
