"""Pixels to bytes; the same pixels always give the same bytes.

JPEG by simplejpeg (views), PNG by fpng (exact, quick) or Pillow at level 6 (masters, smaller and some fifteen times
slower), lossless WebP by Pillow. PNGs declare sRGB; a resolution is written where one is given.
"""

from __future__ import annotations

import io
import struct
import zlib

import fpng
import numpy as np
import simplejpeg
from PIL import Image

from lantern_kit.imaging.heard import Heard
from lantern_kit.imaging.picture import Pixels, check_pixels, is_opaque
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import reporting

_JPEG_SIDE = 65_500
_WEBP_SIDE = 16_383
_PNG_HEAD = 33  # signature (8) and IHDR (4 + 4 + 13 + 4)


def encode_jpeg(rgb: Pixels, quality: int = 85, *, dpi: int | None = None) -> bytes:
    """JFIF bytes with full-resolution colour (4:4:4), so that coloured lettering stays sharp.

    Args:
        rgb: (h, w, 3) uint8 in sRGB, or (h, w, 4) whose alpha is 255 everywhere.
        quality: 1 to 100.
        dpi: resolution to write, if any.

    Raises:
        BadInput: other pixels, a quality out of range, transparency, or a side over 65,500 pixels.
    """
    pixels = _contiguous(rgb)
    if not 1 <= quality <= 100:
        raise BadInput("A JPEG's quality is a number from 1 to 100.", expected="1 to 100", found=quality)
    if not is_opaque(pixels):
        raise BadInput(
            "A JPEG cannot hold transparency.",
            expected="opaque pixels",
            found="transparent ones",
            recovery="Encode a PNG or a lossless WebP, or lay the picture on a background first.",
        )
    _check_side(pixels, _JPEG_SIDE, "JPEG")
    colours = "RGB" if pixels.shape[2] == 3 else "RGBX"
    data: bytes = simplejpeg.encode_jpeg(pixels, quality=quality, colorspace=colours, colorsubsampling="444")
    if dpi is None:
        return data
    # JFIF's APP0 comes first: SOI, marker, length, "JFIF\0", version, then unit (1: inch) and both densities.
    return data[:13] + struct.pack(">BHH", 1, _check_dpi(dpi), dpi) + data[18:]


def encode_png(rgba: Pixels, *, fast: bool = True, dpi: int | None = None) -> bytes:
    """PNG bytes, exact; alpha is left out when every pixel is opaque.

    Args:
        rgba: (h, w, 4) or (h, w, 3) uint8 in sRGB, straight alpha.
        fast: fpng; otherwise Pillow at level 6, for masters.
        dpi: resolution to write, if any.

    Raises:
        BadInput: other pixels.
    """
    pixels = _contiguous(rgba)
    if pixels.shape[2] == 4 and is_opaque(pixels):
        pixels = np.ascontiguousarray(pixels[..., :3])
    if fast:
        data: bytes = fpng.from_ndarray(pixels)
    else:
        with reporting(None, "Writing a picture") as tell:
            out = Heard(b"", tell)
            Image.fromarray(pixels).save(out, "PNG", compress_level=6)
        data = out.getvalue()
    extra = _chunk(b"sRGB", b"\0")
    if dpi is not None:
        per_metre = (_check_dpi(dpi) * 10_000 + 127) // 254
        extra += _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    return data[:_PNG_HEAD] + extra + data[_PNG_HEAD:]


def encode_webp(rgba: Pixels) -> bytes:
    """Lossless WebP bytes; colours under full transparency are kept too.

    Args:
        rgba: (h, w, 4) or (h, w, 3) uint8 in sRGB, straight alpha.

    Raises:
        BadInput: other pixels, or a side over 16,383 pixels.
    """
    pixels = _contiguous(rgba)
    _check_side(pixels, _WEBP_SIDE, "WebP")
    out = io.BytesIO()
    Image.fromarray(pixels).save(out, "WEBP", lossless=True, exact=True, method=0, quality=0)
    return out.getvalue()


def _contiguous(pixels: Pixels) -> Pixels:
    return np.ascontiguousarray(check_pixels(pixels))


def _check_side(pixels: Pixels, most: int, kind: str) -> None:
    height, width, _ = pixels.shape
    if max(height, width) > most:
        raise BadInput(
            f"The picture is too large for a {kind}.",
            expected=f"at most {most:,} pixels on a side",
            found=f"{width:,} × {height:,} pixels",
            recovery="Encode a PNG, or scale the picture down first.",
        )


def _check_dpi(dpi: int) -> int:
    if not 1 <= dpi <= 65_535:
        raise BadInput("A resolution is a number of pixels per inch.", expected="1 to 65,535", found=dpi)
    return dpi


def _chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))
