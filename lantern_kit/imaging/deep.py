"""Pictures of more than eight bits a channel, read to the last bit.

Pillow keeps 16 bits of greys alone; of all else it keeps the upper byte. So such files are decoded twice, the second
time with the bytes of every sample taken in the other order, which leaves the lower ones.
"""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageFile, TiffImagePlugin

Levels = NDArray[np.uint16]
GREYS = ("I;16", "I;16L", "I;16B", "I;16N")
_OTHER = {"16B": "16L", "16L": "16B", "16N": "16B" if sys.byteorder == "little" else "16L"}
_KINDS = ("RGB", "RGBA", "RGBa", "CMYK")
_WHITE_IS_ZERO = 0


@dataclass(frozen=True, eq=False)
class Deep:
    """A picture of more than eight bits a channel."""

    image: Image.Image
    """The upper bytes; of greys, all."""
    kind: str
    """``L``, ``LA``, ``RGB``, ``RGBA``, ``RGBa`` (premultiplied) or ``CMYK``."""
    lower: Image.Image | None = None
    """The lower bytes; None where ``image`` has all."""
    highest: int = 65_535
    """The level of white, or of black where it is inverted."""
    inverted: bool = False
    """0 is white."""

    def band(self, top: int, bottom: int) -> Levels:
        """Some of the rows, (rows, width, channels)."""
        box = (0, top, self.image.width, bottom)
        upper = np.asarray(self.image.crop(box))
        if self.kind == "L":
            grey = upper.astype(np.uint16) if self.highest == 65_535 else _widened(upper, self.highest)
            return (np.uint16(65_535) - grey if self.inverted else grey)[..., None]
        if self.kind == "LA":  # both bytes of both samples, in four bands
            pair = upper.astype(np.uint16)
            return _joined(pair[..., ::2], pair[..., 1::2])
        if self.lower is None:
            raise ValueError(self.kind)
        return _joined(upper.astype(np.uint16), np.asarray(self.lower.crop(box)))


def deepened(image: ImageFile.ImageFile, data: bytes, *, bits: int) -> Deep | None:
    """The same picture with all its bits; None where eight are all, or Pillow's way of reading it is not known.

    Args:
        image: opened and not yet loaded; whoever asked loads it afterwards.
        data: the file's bytes.
        bits: bits a channel as stored.
    """
    if image.mode in GREYS:
        if isinstance(image, TiffImagePlugin.TiffImageFile):
            inverted = image.tag_v2.get(TiffImagePlugin.PHOTOMETRIC_INTERPRETATION) == _WHITE_IS_ZERO
            return Deep(image, "L", highest=2**bits - 1, inverted=inverted)
        return Deep(image, "L")
    if bits != 16 or not image.tile:
        return None
    raw = {_raw(tile.args) for tile in image.tile}
    if raw == {"LA;16B"}:
        _read_as(image, "LA;16B", "RGBA")
        return Deep(image, "LA")
    if len(raw) != 1:
        return None
    (way,) = raw
    kind, _, order = way.partition(";")
    if kind not in _KINDS or order not in _OTHER:
        return None
    straight = f"RGBA;{order}" if kind == "RGBa" else way  # as it is stored; it is divided with all its bits
    lower = Image.open(io.BytesIO(data), formats=[image.format or ""])
    _read_as(lower, way, f"{straight.partition(';')[0]};{_OTHER[order]}")
    _read_as(image, way, straight)
    lower.load()
    return Deep(image, kind, lower)


def _joined(upper: Levels, lower: NDArray[Any]) -> Levels:
    made: Levels = upper * np.uint16(256) + lower
    return made


def _raw(args: object) -> str:
    return str(args[0] if isinstance(args, tuple) and args else args)


def _read_as(image: ImageFile.ImageFile, way: str, other: str) -> None:
    """Have samples unpacked in another way."""

    def changed(args: object) -> tuple[object, ...] | str:
        return (other, *args[1:]) if isinstance(args, tuple) else other

    if way != other:
        image.tile = [tile._replace(args=changed(tile.args)) for tile in image.tile]


def _widened(levels: NDArray[np.uint16], highest: int) -> Levels:
    """Levels of fewer than 16 bits, spread over all of them."""
    return ((levels.astype(np.uint32) * 65_535 + highest // 2) // highest).astype(np.uint16)


def rounded(levels: Levels) -> NDArray[np.uint8]:
    """The nearest of 256 levels."""
    return _NEAREST[levels]


_NEAREST = ((np.arange(65_536, dtype=np.uint32) * 255 + 32_767) // 65_535).astype(np.uint8)
