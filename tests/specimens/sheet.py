"""A small sheet on which specimens are laid out: lengths in millimetres, every sample with a caption."""

from __future__ import annotations

from functools import lru_cache
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from lantern_kit import datasets
from lantern_kit.comic.geometry import polygon_of
from lantern_kit.comic.model import (
    READABLE,
    Align,
    Balloon,
    BalloonShape,
    Chapter,
    Direction,
    Effect,
    EffectType,
    Foreground,
    Frame,
    Image,
    Overlay,
    Paper,
    Placement,
    Rect,
    Stroke,
    Surface,
    Tail,
    Text,
    TextStyle,
    Unit,
    UnitKind,
    Writing,
)
from lantern_kit.imaging.decode import decode
from lantern_kit.imaging.picture import Picture

CAPTION = TextStyle(font="sans", size=2_000, smallest=1_500, align=Align.LEFT, colour="#606060")
TITLE = TextStyle(font="sans", size=3_200, bold=True, align=Align.LEFT)
UNIT = "un_specimen"


class Specimen(NamedTuple):
    """One page of the book."""

    name: str
    title: str
    look: tuple[str, ...]
    """What to look at."""
    rules: tuple[str, ...]
    """The public rules it follows."""
    unit: Unit
    chapter: Chapter
    dpi: int = 180
    """Of its picture."""


class Sheet:
    """Collects the objects of one page.

    Args:
        name: of the picture.
        title: stands at the top.
        width, height: of one page.
        spread: two such pages, with so wide a gutter; None is a single page.
        language, direction: of the chapter.
    """

    def __init__(
        self,
        name: str,
        title: str,
        *,
        width: float = 100,
        height: float = 100,
        spread: float | None = None,
        language: str = "en",
        direction: Direction = Direction.LTR,
        background: str = "#ffffff",
    ) -> None:
        self.name, self.title = name, title
        self.width, self.height, self.gutter = width, height, spread
        self.language, self.direction, self.background = language, direction, background
        self.objects: list[Any] = []
        self._numbers = count(1)
        self.text(4, 3, width - 8, 5, title, style=TITLE, name="title")

    def id(self, prefix: str) -> str:
        """A fresh id."""
        return f"{prefix}_{next(self._numbers):04d}"

    def add(self, item: Any) -> Any:
        """Put an object on the sheet."""
        self.objects.append(item)
        return item

    def caption(self, x: float, y: float, words: str, width: float = 44, height: float = 3, **more: Any) -> Text:
        """What a sample shows, set small."""
        style = CAPTION.model_copy(update={"language": "en"} | more)
        return self.text(x, y, width, height, words, style=style, name="caption")

    def text(self, x: float, y: float, w: float, h: float, words: str, *, style: TextStyle, **more: Any) -> Text:
        """Lettering on the paper."""
        return self.add(Text(id=self.id("tx"), parent=UNIT, box=rect(x, y, w, h), text=words, style=style, **more))

    def balloon(
        self,
        x: float,
        y: float,
        w: float,
        h: float,
        words: str,
        *tails: Tail,
        style: TextStyle | None = None,
        shape: BalloonShape = BalloonShape.ELLIPSE,
        **more: Any,
    ) -> Balloon:
        """Speech."""
        return self.add(
            Balloon(
                id=self.id("bl"),
                parent=UNIT,
                box=rect(x, y, w, h),
                text=words,
                tails=tails,
                shape=shape,
                style=style or TextStyle(language=self.language),
                **more,
            )
        )

    def frame(self, x: float, y: float, w: float, h: float, **more: Any) -> Frame:
        """A panel."""
        return self.add(Frame(id=self.id("fr"), parent=UNIT, shape=polygon_of(rect(x, y, w, h)), **more))

    def image(self, frame: Frame, asset: str, placement: Placement | None = None, **more: Any) -> Image:
        """A photograph in a panel."""
        made = Image(id=self.id("im"), parent=frame.id, asset=asset, placement=placement or Placement(), **more)
        return self.add(made)

    def foreground(self, image: Image, asset: str) -> Foreground:
        """A bound breakout."""
        return self.add(Foreground(id=self.id("fg"), parent=image.id, asset=asset))

    def overlay(self, asset: str, placement: Placement, **more: Any) -> Overlay:
        """A free object on the paper."""
        return self.add(Overlay(id=self.id("ov"), parent=UNIT, asset=asset, placement=placement, **more))

    def effect(self, frame: Frame, kind: EffectType, **more: Any) -> Effect:
        """An effect in a panel."""
        return self.add(Effect(id=self.id("ef"), parent=frame.id, effect=kind, **more))

    def specimen(self, look: tuple[str, ...], rules: tuple[str, ...], *, dpi: int = 180) -> Specimen:
        """The page as a document."""
        width, height = um(self.width), um(self.height)
        surfaces: tuple[Surface, ...] = (Surface(id="sf_first", x=0, width=width, height=height),)
        kind, gutter = UnitKind.PAGE, 0
        if self.gutter is not None:
            kind, gutter = UnitKind.SPREAD, um(self.gutter)
            surfaces = (*surfaces, Surface(id="sf_second", x=width + gutter, width=width, height=height))
        unit = Unit(
            kind=kind,
            id=UNIT,
            name=self.title,
            background=self.background,
            gutter=gutter,
            surfaces=surfaces,
            objects=tuple(self.objects),
            reading=tuple(item.id for item in self.objects if item.kind in READABLE),
        )
        chapter = Chapter(
            id="ch_specimens",
            comic="Specimens",
            language=self.language,
            direction=self.direction,
            paper=Paper(width=width, height=height, safe=2_000),
        )
        return Specimen(self.name, self.title, look, rules, unit, chapter, dpi)


def um(millimetres: float) -> int:
    """Micrometres."""
    return round(millimetres * 1_000)


def rect(x: float, y: float, w: float, h: float) -> Rect:
    """A rectangle from millimetres."""
    return Rect(x=um(x), y=um(y), w=um(w), h=um(h))


def tail(x: float, y: float, *, width: float = 4, bend: float = 0, **more: Any) -> Tail:
    """A tail to a tip; ``bend`` over its length."""
    return Tail(tip=(um(x), um(y)), width=um(width), bend=round(bend * 1_000_000), **more)


def style(language: str, size: float = 4, **more: Any) -> TextStyle:
    """Dialogue of at most so many millimetres."""
    facts: dict[str, Any] = {"language": language, "size": um(size), "smallest": min(um(size), 1_700)} | more
    return TextStyle(**facts)


def columns(language: str, size: float = 4, **more: Any) -> TextStyle:
    """Dialogue in columns."""
    return style(language, size, writing=Writing.VERTICAL, **more)


NO_STROKE = Stroke(width=0)


@lru_cache(maxsize=32)
def picture(asset: str) -> Picture | None:
    """A photograph of the kit's own by its name, or its matte by ``<name>-matte``; its face when there is none."""
    name, _, matte = asset.partition("-")
    if name not in datasets.names():
        return None
    return decode(datasets.open_matte(name) if matte else datasets.open_photo(name))


def paper_tint(colour: tuple[int, int, int]) -> Picture:
    """A picture of one colour."""
    pixels = np.empty((8, 8, 3), np.uint8)
    pixels[:] = colour
    return Picture.of(pixels)
