"""Pictures prepared for drawing: premultiplied, in levels of which each is made from a finer one.

The levels are reduced by whole factors, the means of blocks. Which finer level one is made from is settled by its
factor alone, never by what happens to be remembered: so a level has the same pixels on every way to it. (The scaled
decoding of JPEG would be faster for a first look and is left alone for that reason.)

What is remembered on the way is the picture itself, unless it is large, and the levels below it. So those who come back
for another size decode a large picture at most once more: for its own size, or a third of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from PIL import Image as Pillow

from lantern_kit.comic.render.cache import RenderCache
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.plate import Plate
from lantern_kit.imaging.alpha import premultiplied
from lantern_kit.imaging.picture import Picture, Pixels

PARENTS = {1: 0, 2: 1, 3: 1, 4: 2, 6: 2, 8: 4, 12: 4, 16: 8, 24: 8, 32: 16, 48: 16, 64: 32}
"""Each level's factor, and that of the level it is made from; 0 is the picture as it was decoded."""
FACTORS = tuple(PARENTS)
_BAND = 1 << 20
"""Pixels that are worked on at once, about: nothing of a picture's whole size is made but what is asked for."""


@dataclass(frozen=True, slots=True, eq=False)
class Level:
    """A picture reduced by a whole factor, as skia draws it."""

    image: Any
    factor: int
    pixels: Pixels
    """Premultiplied, what ``image`` shows."""
    borrowed: bool
    """Whether the image reads ``pixels`` where they are and must not outlive them; otherwise it owns its memory."""
    source: Picture | None
    """Kept, so that its identity stays its own as long as this is remembered; a plate is known by its digest."""

    @property
    def size(self) -> int:
        """Bytes held."""
        pinned = 0 if self.source is None or self.borrowed else self.source.pixels.nbytes
        return self.pixels.nbytes + pinned

    def lasting(self) -> Any:
        """The image, for what is drawn later from a recording."""
        if not self.borrowed:
            return self.image
        return skia.Image.fromarray(self.pixels, skia.kRGBA_8888_ColorType, skia.kOpaque_AlphaType, copy=True)


def level(picture: Picture | Plate, factor: int, cache: RenderCache | None) -> Level:
    """The picture reduced ``factor`` times, one of ``FACTORS``."""
    if isinstance(picture, Plate):
        with picture.turn:
            return _level(_OfPlate(picture), factor, cache)
    return _level(_OfPicture(picture), factor, cache)


def _level(source: _OfPicture | _OfPlate, factor: int, cache: RenderCache | None, *, passing: bool = False) -> Level:
    key = ("level", source.name, factor)
    held: Level | None = None if cache is None else cache.get(key)
    if held is not None and source.shows(held):
        return held
    parent = PARENTS[factor]
    if parent > 1:
        made = _made(source, _level(source, parent, cache, passing=True), factor, parent)
    else:
        made = _first(source, factor, cache)
    if cache is not None and (not passing or cache.small(made.size)):
        cache.put(key, made, made.size)
    if factor == 1:  # it has every pixel: the decoded picture beside it would only take its room again
        source.let_go()
    return made


def _first(source: _OfPicture | _OfPlate, factor: int, cache: RenderCache | None) -> Level:
    """A level that is made from every pixel there is."""
    whole: Level | None = None if cache is None or factor == 1 else cache.get(("level", source.name, 1))
    if whole is not None and source.shows(whole):
        return _made(source, whole, factor, 1)
    picture = source.picture()
    if factor == 1 and picture.opaque:
        image = skia.Image.fromarray(picture.pixels, skia.kRGBA_8888_ColorType, skia.kOpaque_AlphaType, copy=False)
        return Level(image, 1, picture.pixels, borrowed=True, source=source.pinned)
    band = picture.pixels.__getitem__ if picture.opaque else lambda rows: premultiplied(picture.pixels[rows])
    return _reduced(source, band, (picture.height, picture.width), factor, 1, opaque=picture.opaque)


def _made(source: _OfPicture | _OfPlate, finer: Level, factor: int, parent: int) -> Level:
    height, width, _ = finer.pixels.shape
    opaque = finer.image.alphaType() == skia.kOpaque_AlphaType
    return _reduced(source, finer.pixels.__getitem__, (height, width), factor, parent, opaque=opaque)


def _reduced(
    source: _OfPicture | _OfPlate,
    band: Callable[[slice], Pixels],
    size: tuple[int, int],
    factor: int,
    parent: int,
    *,
    opaque: bool,
) -> Level:
    """A level of its own, from premultiplied rows of the level ``parent``."""
    by = factor // parent
    height, width = size
    alpha = skia.kOpaque_AlphaType if opaque else skia.kPremul_AlphaType
    info = skia.ImageInfo.Make(-(-width // by), -(-height // by), skia.kRGBA_8888_ColorType, alpha)
    bitmap = skia.Bitmap()
    bitmap.allocPixels(info)
    pixels: Pixels = np.array(bitmap, copy=False)
    rows = max(1, _BAND // width // by) * by
    for top in range(0, height, rows):
        part = np.ascontiguousarray(band(slice(top, top + rows)))
        if by > 1:
            # RGBX for any four bands: nothing in Pillow then takes the last for alpha.
            whole = Pillow.frombuffer("RGBX", (width, part.shape[0]), part, "raw", "RGBX", 0, 1)
            part = np.asarray(whole.reduce(by))
        pixels[top // by : top // by + part.shape[0]] = part
    pixels.flags.writeable = False
    bitmap.setImmutable()
    return Level(skia.Image.MakeFromBitmap(bitmap), factor, pixels, borrowed=False, source=source.pinned)


class _OfPicture:
    """A picture that is all there."""

    def __init__(self, picture: Picture) -> None:
        self.pinned: Picture | None = picture
        self.name: object = id(picture.pixels)
        self._picture = picture

    def picture(self) -> Picture:
        return self._picture

    def shows(self, held: Level) -> bool:
        """Whether what was found is of this one: the address of a picture that is gone may be used again."""
        return held.source is not None and held.source.pixels is self._picture.pixels

    def let_go(self) -> None:
        """Whoever drew with it holds it."""


class _OfPlate:
    """A picture that is decoded when it is wanted."""

    def __init__(self, plate: Plate) -> None:
        self.pinned: Picture | None = None
        self.name: object = plate.digest
        self.picture = plate.picture
        self.let_go = plate.let_go

    def shows(self, held: Level) -> bool:
        return True
