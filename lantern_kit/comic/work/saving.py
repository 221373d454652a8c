"""Pixels as picture files: the name's ending says which kind."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.files import replacing

if TYPE_CHECKING:
    from lantern_kit.imaging.picture import Pixels

ENDINGS = (".png", ".jpg", ".jpeg", ".webp", ".tif", ".tiff")
QUALITY = 95
"""Of a JPEG; the others are exact."""


def save_pixels(path: str | Path, pixels: Pixels, *, dpi: int | None = None) -> Path:
    """Write pixels as PNG, JPEG, lossless WebP or TIFF, by the name's ending; an older file is replaced in one step.

    Args:
        path: the file.
        pixels: (h, w, 4) or (h, w, 3) uint8 in sRGB, straight alpha.
        dpi: the resolution to write into it, if any.

    Raises:
        BadInput: another ending or none, transparency in a JPEG, or a file that cannot be written.
    """
    target = Path(path)
    ending = target.suffix.lower()
    if ending not in ENDINGS:
        raise BadInput(
            f"{target.name} does not say what kind of picture it is to be",
            expected=[*ENDINGS],
            found=target.suffix or "no ending",
            recovery=f"Name the file with one of these endings, such as {target.stem or 'page'}.png.",
        )
    data = _encoded(pixels, ending, dpi)
    with replacing(target) as file:
        file.write(data)
    return target


def _encoded(pixels: Pixels, ending: str, dpi: int | None) -> bytes:
    from lantern_kit.imaging.encode import encode_jpeg, encode_png, encode_tiff, encode_webp

    if ending == ".png":
        return encode_png(pixels, fast=False, dpi=dpi)
    if ending == ".webp":
        return encode_webp(pixels, dpi=dpi)
    return encode_jpeg(pixels, QUALITY, dpi=dpi) if ending.startswith(".j") else encode_tiff(pixels, dpi=dpi)
