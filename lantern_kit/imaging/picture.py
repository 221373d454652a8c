"""What the kit holds of a picture: its pixels, and the facts of the bytes they came from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from lantern_kit.kernel.errors import BadInput

Pixels = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """Decoded pixels: upright, sRGB, straight (unpremultiplied) alpha.

    Build one with :meth:`of`; the array is then contiguous and read-only, so it can be shared between threads.
    """

    width: int
    height: int
    pixels: Pixels
    """(height, width, 4) uint8, RGBA."""
    opaque: bool
    """Whether every alpha is 255."""

    @classmethod
    def of(cls, pixels: Pixels, *, opaque: bool | None = None) -> Picture:
        """A picture of an RGB or RGBA array.

        Args:
            pixels: (h, w, 3) or (h, w, 4) uint8. Copied unless it is already what a picture holds.
            opaque: what is known of the alpha; looked up when left out.

        Raises:
            BadInput: another shape or type.
        """
        pixels = check_pixels(pixels)
        height, width, channels = pixels.shape
        if channels == 3:
            filled = np.empty((height, width, 4), np.uint8)
            filled[..., :3] = pixels
            filled[..., 3] = 255
            pixels, opaque = filled, True
        elif pixels.flags.writeable or not pixels.flags.c_contiguous:
            pixels = np.array(pixels, order="C")
        pixels.flags.writeable = False
        if opaque is None:
            opaque = is_opaque(pixels)
        return cls(width, height, pixels, opaque)

    @property
    def alpha(self) -> bool:
        """Whether some of it may be seen through."""
        return not self.opaque


class PictureFacts(BaseModel):
    """What is known of a picture's stored bytes, and what was done to them on the way to sRGB."""

    model_config = ConfigDict(frozen=True, extra="forbid", strict=True)

    media: str
    """Media type, such as ``image/png``, told from the bytes and never from a name."""
    width: int = Field(gt=0)
    """Pixels across, after the EXIF turn."""
    height: int = Field(gt=0)
    """Pixels down, after the EXIF turn."""
    mode: str
    """Channels as stored: ``1``, ``L``, ``LA``, ``P``, ``RGB``, ``RGBA``, ``I;16``, ``CMYK``, ``LAB`` …"""
    bits: int = Field(gt=0)
    """Bits a channel (of an index, for a palette) as stored."""
    alpha: bool
    """Whether transparency of any kind is stored, even if every pixel turns out opaque."""
    profile: str
    """``sRGB`` (stored, or equal to it), ``none``, or the description of another colour profile."""
    orientation: int = Field(ge=1, le=8)
    """EXIF orientation as stored; 1 is upright."""
    bytes: int = Field(gt=0)
    """Length of the file."""
    notes: tuple[str, ...] = ()
    """The conversions on the way to upright 8-bit sRGB, in words."""


def check_pixels(pixels: Pixels) -> Pixels:
    """The array itself, when it is a non-empty (h, w, 3) or (h, w, 4) of uint8.

    Raises:
        BadInput: another shape or type.
    """
    if pixels.dtype != np.uint8 or pixels.ndim != 3 or pixels.shape[2] not in (3, 4) or 0 in pixels.shape:
        raise BadInput(
            "These are not the pixels of a picture.",
            expected="an array of uint8, (height, width, 3) or (height, width, 4)",
            found=f"{pixels.dtype}, {pixels.shape}",
        )
    return pixels


def is_opaque(pixels: Pixels) -> bool:
    """Whether no pixel of an (h, w, 3 or 4) array lets anything through."""
    return pixels.shape[2] == 3 or bool((pixels[..., 3] == 255).all())
