"""What a good page should not have: findings of severity ``warning`` and ``note``. None of them ever refuses an edit.

lettering.overflow, lettering.small, lettering.glyph, lettering.font, lettering.safe, lettering.gutter;
picture.missing, picture.dpi
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple, Protocol

from lantern_kit.comic.balloons.groups import groups
from lantern_kit.comic.finding import Finding, Severity
from lantern_kit.comic.geometry import bleed_rect, bounds, outline
from lantern_kit.comic.measure import spoken
from lantern_kit.comic.model import (
    Balloon,
    BalloonShape,
    Chapter,
    Foreground,
    Frame,
    Image,
    Lettering,
    Overlay,
    Paper,
    Placement,
    Rect,
    Text,
    Unit,
    UnitKind,
)
from lantern_kit.comic.placement import effective_dpi
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.comic.typeset.legible import TooSmall, too_small
from lantern_kit.comic.typeset.setting import set_text
from lantern_kit.kernel.errors import NotFound

LEAST_DPI = 150
TINIEST = 300
"""The smallest size that is tried to say how far words are from fitting, in micrometres."""


class PictureSize(Protocol):
    """What the checks ask of a picture."""

    @property
    def width(self) -> int:
        """Pixels."""
        ...

    @property
    def height(self) -> int:
        """Pixels."""
        ...


class PictureShelf(Protocol):
    """Where a checker looks pictures up."""

    def get(self, asset: str) -> PictureSize:
        """A picture by asset id. Raises NotFound."""
        ...


class _Wrong(NamedTuple):
    rule: str
    severity: Severity
    message: str
    data: dict[str, Any]


class _Sheet(NamedTuple):
    """What lettering is held against."""

    safe: tuple[int, int, int, int]
    """Left, top, right, bottom of the area inside the safe inset."""
    gutter: tuple[int, int] | None
    """Left and right edge of a spread's gutter."""


class Checker:
    """Checks units against the pictures of a library.

    Args:
        library: the assets.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
    """

    def __init__(self, library: PictureShelf, *, fonts: Fonts | None = None) -> None:
        self._library = library
        self._fonts = fonts or packaged_fonts()

    def check(self, unit: Unit, chapter: Chapter) -> tuple[Finding, ...]:
        """Everything that a good page should not have; see ``check_unit``."""
        return check_unit(unit, chapter, self._size, fonts=self._fonts)

    def _size(self, asset: str) -> PictureSize | None:
        try:
            return self._library.get(asset)
        except NotFound:
            return None


def check_unit(
    unit: Unit, chapter: Chapter, pictures: Callable[[str], PictureSize | None], *, fonts: Fonts | None = None
) -> tuple[Finding, ...]:
    """Everything that a good page should not have, in the order of its objects.

    Args:
        unit: what to check.
        chapter: its chapter; the paper's safe inset counts.
        pictures: asset id → a picture's size in pixels, or None when there is none.
        fonts: the fonts that lettering is set in; None is those that come with the kit.
    """
    fonts = fonts or packaged_fonts()
    sheet = _sheet(unit, chapter.paper)
    torn = _torn(unit, sheet)
    found: list[Finding] = []
    for item in unit.objects:
        wrongs: Iterator[_Wrong] | tuple[_Wrong, ...] = ()
        if isinstance(item, Lettering):
            wrongs = (*_lettering(item, sheet, fonts), *torn.get(item.id, ()))
        elif isinstance(item, Image | Overlay | Foreground):
            wrongs = _picture(item, unit, chapter.paper, pictures)
        found.extend(
            Finding(
                rule=wrong.rule,
                severity=wrong.severity,
                unit=unit.id,
                object=item.id,
                message=wrong.message,
                data=dict(wrong.data),
            )
            for wrong in wrongs
        )
    return tuple(found)


def _sheet(unit: Unit, paper: Paper) -> _Sheet:
    inset = paper.safe
    gutter = None
    if unit.kind is UnitKind.SPREAD and len(unit.surfaces) == 2:
        left, right = unit.surfaces
        gutter = left.x + left.width, right.x
    return _Sheet((inset, inset, unit.width - inset, unit.height - inset), gutter)


@lru_cache(maxsize=8192)
def _lettering(item: Lettering, sheet: _Sheet, fonts: Fonts) -> tuple[_Wrong, ...]:
    words = set_text(item, fonts=fonts)
    found: list[_Wrong] = []
    if words.unknown_font:
        found.append(
            _Wrong(
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
            _Wrong(
                "lettering.glyph",
                "warning",
                f"no font has a glyph for {len(words.missing)} of its characters ({shown}); write them otherwise",
                {"characters": [f"U+{ord(character):04X}" for character in words.missing]},
            )
        )
    if words.overflow:
        found.append(_overflow(item, fonts))
    small = too_small(words)
    if small is not None:
        found.append(_small(item, small))
    ink = words.ink
    if ink is not None:
        outside = _outside(item, ink, sheet)
        if outside is not None:
            found.append(outside)
    over = _over_gutter(item, sheet, ink)
    if over is not None:
        found.append(over)
    return tuple(found)


def _overflow(item: Lettering, fonts: Fonts) -> _Wrong:
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
    return _Wrong(
        "lettering.overflow",
        "warning",
        f"the words do not fit: they {needed}, the {what} is {spoken(least)} mm; {advice}",
        data,
    )


def _small(item: Lettering, small: TooSmall) -> _Wrong:
    what = "readings" if small.reading else "words"
    fitted = item.style.fit and small.size < item.style.size
    advice = f"{'enlarge its box about ' if fitted else 'set them '}{math.ceil(small.grow * 100) / 100:g} times"
    return _Wrong(
        "lettering.small",
        "warning",
        f"its {what} are set at {spoken(small.size)} mm, below the {spoken(small.least)} mm that print keeps legible; "
        + (f"{advice} as large, or shorten the text" if fitted else f"{advice} as large"),
        {
            "size_mm": small.size / 1_000,
            "least_mm": small.least / 1_000,
            "grow": math.ceil(small.grow * 100) / 100,
            "reading": small.reading,
        },
    )


def _tenths(um: float) -> str:
    """Millimetres to say, never less than what is needed."""
    return spoken(math.ceil(um / 100) * 100)


def _outside(item: Lettering, ink: Rect, sheet: _Sheet) -> _Wrong | None:
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
    return _Wrong(
        "lettering.safe",
        "note" if sound else "warning",
        f"the words reach {said} outside the safe area, where trimming may cut them; {advice}",
        {f"{side}_mm": by / 1_000 for side, by in past.items()},
    )


def _over_gutter(item: Lettering, sheet: _Sheet, ink: Rect | None) -> _Wrong | None:
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
    return _Wrong(
        "lettering.gutter",
        "warning",
        f"it lies over the spread's gutter, where the fold swallows words; move it {_tenths(by)} mm {way}{free}",
        {"over_mm": by / 1_000, "gutter_mm": [left / 1_000, right / 1_000]},
    )


def _torn(unit: Unit, sheet: _Sheet) -> dict[str, tuple[_Wrong, ...]]:
    """Balloons that are joined across the gutter, each on a page of its own."""
    if sheet.gutter is None:
        return {}
    left, right = sheet.gutter
    found: dict[str, tuple[_Wrong, ...]] = {}
    for group in groups(item for item in unit.objects if isinstance(item, Balloon)):
        for one, two in group.links:
            first, last = sorted((one.box, two.box), key=lambda box: box.x)
            if first.right <= left and last.x >= right and (one.gutter_safe or two.gutter_safe):
                found[one.id] = (
                    _Wrong(
                        "lettering.gutter",
                        "warning",
                        f"what joins it to {two.id} runs over the spread's gutter; move both to one page, or part them",
                        {"joined": two.id, "gutter_mm": [left / 1_000, right / 1_000]},
                    ),
                )
    return found


def _picture(
    item: Image | Overlay | Foreground, unit: Unit, paper: Paper, pictures: Callable[[str], PictureSize | None]
) -> Iterator[_Wrong]:
    size = pictures(item.asset)
    if size is None:
        yield _Wrong(
            "picture.missing",
            "warning",
            f"its picture {item.asset} is not there, and a hatched box stands in; register it or place another",
            {"asset": item.asset},
        )
        return
    if isinstance(item, Foreground):
        return
    frame = unit.index.get(item.parent)
    yield from _resolution(item.placement, _limits(frame, unit, paper), size.width, size.height)


def _limits(frame: Any, unit: Unit, paper: Paper) -> Rect:
    return bounds(outline(frame, unit, paper)) if isinstance(frame, Frame) else bleed_rect(unit, paper)


@lru_cache(maxsize=8192)
def _resolution(placement: Placement, limits: Rect, width: int, height: int) -> tuple[_Wrong, ...]:
    dpi = effective_dpi(placement, limits, width, height)
    if dpi >= LEAST_DPI:
        return ()
    wide, tall = (math.ceil(side * LEAST_DPI / dpi) for side in (width, height))
    return (
        _Wrong(
            "picture.dpi",
            "warning",
            f"the picture has {math.floor(dpi)} dpi as it is placed, below {LEAST_DPI}; place it at most "
            f"{math.floor(100 * dpi / LEAST_DPI)}% as large, or use one of about {wide} × {tall} pixels",
            {"dpi": round(dpi, 1), "least": LEAST_DPI},
        ),
    )
