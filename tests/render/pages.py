"""Small units to draw, in millimetres, and pictures of plain colours to place on them."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lantern_kit.comic.geometry import polygon_of
from lantern_kit.comic.model import (
    READABLE,
    Balloon,
    Chapter,
    Effect,
    EffectType,
    Foreground,
    Frame,
    Image,
    Narration,
    Overlay,
    Paper,
    Placement,
    Polygon,
    Rect,
    Stroke,
    Surface,
    Tail,
    Text,
    TextStyle,
    Unit,
    UnitKind,
)
from lantern_kit.imaging.picture import Picture

UNIT = "un_page1"
CHAPTER = Chapter(id="ch_test1", comic="Test", paper=Paper(width=100_000, height=140_000))
RED, GREEN, BLUE = (220, 30, 30), (30, 160, 60), (30, 60, 200)


class Maker:
    """Objects with fresh ids; lengths in millimetres."""

    def __init__(self) -> None:
        self._numbers = count(1)

    def id(self, prefix: str) -> str:
        return f"{prefix}_{next(self._numbers):04d}"

    def frame(self, x: float, y: float, w: float, h: float, **more: Any) -> Frame:
        return Frame(id=self.id("fr"), parent=UNIT, shape=polygon_of(rect(x, y, w, h)), **more)

    def polygon(self, *points: tuple[float, float], **more: Any) -> Frame:
        corners = tuple((round(x * 1_000), round(y * 1_000)) for x, y in points)
        return Frame(id=self.id("fr"), parent=UNIT, shape=Polygon(points=corners), **more)

    def image(self, parent: str, asset: str, placement: Placement | None = None, **more: Any) -> Image:
        return Image(id=self.id("im"), parent=parent, asset=asset, placement=placement or Placement(), **more)

    def overlay(self, asset: str, placement: Placement, **more: Any) -> Overlay:
        return Overlay(id=self.id("ov"), parent=UNIT, asset=asset, placement=placement, **more)

    def foreground(self, image: Image, asset: str, **more: Any) -> Foreground:
        return Foreground(id=self.id("fg"), parent=image.id, asset=asset, **more)

    def balloon(
        self, x: float, y: float, w: float, h: float, text: str, *, tip: tuple[float, float] | None = None, **more: Any
    ) -> Balloon:
        tails = () if tip is None else (Tail(tip=(round(tip[0] * 1_000), round(tip[1] * 1_000))),)
        more.setdefault("tails", tails)
        return Balloon(id=self.id("bl"), parent=UNIT, box=rect(x, y, w, h), text=text, **more)

    def narration(self, x: float, y: float, w: float, h: float, text: str, **more: Any) -> Narration:
        return Narration(id=self.id("na"), parent=UNIT, box=rect(x, y, w, h), text=text, **more)

    def text(self, x: float, y: float, w: float, h: float, text: str, **more: Any) -> Text:
        return Text(id=self.id("tx"), parent=UNIT, box=rect(x, y, w, h), text=text, **more)

    def effect(self, parent: str, kind: EffectType, **more: Any) -> Effect:
        return Effect(id=self.id("ef"), parent=parent, effect=kind, **more)


def rect(x: float, y: float, w: float, h: float) -> Rect:
    return Rect(x=round(x * 1_000), y=round(y * 1_000), w=round(w * 1_000), h=round(h * 1_000))


def page(*objects: Any, kind: UnitKind = UnitKind.PAGE, gutter: int = 0, background: str = "#ffffff") -> Unit:
    surfaces: tuple[Surface, ...] = (Surface(id="sf_left1", x=0, width=100_000, height=140_000),)
    if kind is UnitKind.SPREAD:
        surfaces = (*surfaces, Surface(id="sf_right1", x=100_000 + gutter, width=100_000, height=140_000))
    return Unit(
        kind=kind,
        id=UNIT,
        background=background,
        gutter=gutter,
        surfaces=surfaces,
        objects=objects,
        reading=tuple(item.id for item in objects if item.kind in READABLE),
    )


def plain(colour: tuple[int, int, int], width: int = 60, height: int = 40) -> Picture:
    pixels = np.empty((height, width, 3), np.uint8)
    pixels[:] = colour
    return Picture.of(pixels)


def quarters(width: int = 80, height: int = 60) -> Picture:
    """Red, green, blue and white quarters, row by row."""
    pixels = np.full((height, width, 3), 255, np.uint8)
    pixels[: height // 2, : width // 2] = RED
    pixels[: height // 2, width // 2 :] = GREEN
    pixels[height // 2 :, : width // 2] = BLUE
    return Picture.of(pixels)


def disc(colour: tuple[int, int, int], width: int = 60, height: int = 40, radius: float = 12) -> Picture:
    """A disc in the middle of nothing."""
    y, x = np.mgrid[:height, :width]
    pixels = np.zeros((height, width, 4), np.uint8)
    inside = np.hypot(x + 0.5 - width / 2, y + 0.5 - height / 2) < radius
    pixels[inside] = (*colour, 255)
    return Picture.of(pixels)


PICTURES = {
    "as_red00": plain(RED),
    "as_green": plain(GREEN),
    "as_four0": quarters(),
    "as_disc0": disc(BLUE),
}


def pictures(asset: str) -> Picture | None:
    return PICTURES.get(asset)


def near(pixels: NDArray[np.uint8], colour: tuple[int, int, int], by: int = 12) -> NDArray[np.bool_]:
    """Which pixels are of that colour."""
    found: NDArray[np.bool_] = (np.abs(pixels[..., :3].astype(int) - np.array(colour)) <= by).all(axis=-1)
    return found


NO_BORDER = Stroke(width=0)
BIG = TextStyle(size=4_000, smallest=1_000)
