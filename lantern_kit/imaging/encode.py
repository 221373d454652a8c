"""Pixels to bytes; the same pixels always give the same bytes.

JPEG by simplejpeg (views), PNG by fpng (exact, quick) or Pillow at level 6 (masters, smaller and some fifteen times
slower), lossless WebP and TIFF by Pillow. All but JPEG, which is taken for it, declare sRGB; a resolution is written
where one is given.
"""

from __future__ import annotations

import struct
import zlib
from typing import Any

import fpng
import numpy as np
import simplejpeg
from numpy.typing import NDArray
from PIL import ExifTags, Image

from lantern_kit.imaging.heard import Heard
from lantern_kit.imaging.picture import Pixels, check_pixels, is_opaque
from lantern_kit.imaging.profile import grey_profile, srgb_profile
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import reporting

_JPEG_SIDE = 65_500
_WEBP_SIDE = 16_383
_PREDICTOR = 317  # of TIFF; 2: each sample less its left neighbour
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


def encode_png(pixels: NDArray[np.uint8] | NDArray[np.bool_], *, fast: bool = True, dpi: int | None = None) -> bytes:
    """PNG bytes, exact; alpha is left out when every pixel is opaque.

    Args:
        pixels: (h, w, 4) or (h, w, 3) uint8 in sRGB, straight alpha; (h, w) uint8 greys; (h, w) bool, True for white.
        fast: fpng, where there are colours; otherwise Pillow at level 6, for masters.
        dpi: resolution to write, if any.

    Raises:
        BadInput: other pixels.
    """
    given = _plane(pixels)
    if fast and given.ndim == 3:
        data: bytes = fpng.from_ndarray(given)
    else:
        data = _saved(given, "PNG", compress_level=6)
    extra = _chunk(b"sRGB", b"\0")
    if dpi is not None:
        per_metre = (_check_dpi(dpi) * 10_000 + 127) // 254
        extra += _chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))
    return data[:_PNG_HEAD] + extra + data[_PNG_HEAD:]


def encode_webp(rgba: Pixels, *, dpi: int | None = None) -> bytes:
    """Lossless WebP bytes with sRGB's profile; colours under full transparency are kept too.

    Args:
        rgba: (h, w, 4) or (h, w, 3) uint8 in sRGB, straight alpha.
        dpi: resolution to write, if any: as EXIF, WebP has no place of its own for it.

    Raises:
        BadInput: other pixels, or a side over 16,383 pixels.
    """
    pixels = _contiguous(rgba)
    _check_side(pixels, _WEBP_SIDE, "WebP")
    more = {} if dpi is None else {"exif": _exif(dpi)}
    return _saved(pixels, "WEBP", lossless=True, exact=True, method=0, quality=0, icc_profile=srgb_profile(), **more)


def encode_tiff(pixels: NDArray[np.uint8] | NDArray[np.bool_], *, dpi: int | None = None, lzw: bool = False) -> bytes:
    """TIFF bytes for print, exact, with their colour profile.

    Colours and greys are deflated over differences of neighbours; black and white is Group 4 as fax has it.

    Args:
        pixels: (h, w, 3 or 4) uint8 in sRGB with straight alpha, left out where all of it is opaque; (h, w) uint8 greys
            by sRGB's curve; (h, w) bool, True for white.
        dpi: resolution to write, if any.
        lzw: LZW instead of deflate, for readers of the last century.

    Raises:
        BadInput: other pixels.
    """
    given = _plane(pixels)
    options: dict[str, Any] = {}
    if dpi is not None:
        options["dpi"] = (_check_dpi(dpi), dpi)
    if given.dtype == np.bool_:
        return _saved(given, "TIFF", compression="group4", **options)
    profile = grey_profile() if given.ndim == 2 else srgb_profile()
    packing = "tiff_lzw" if lzw else "tiff_adobe_deflate"
    return _saved(given, "TIFF", compression=packing, icc_profile=profile, tiffinfo={_PREDICTOR: 2}, **options)


def _plane(pixels: NDArray[Any]) -> NDArray[Any]:
    """The array as it is stored: contiguous, without alpha that says nothing."""
    if pixels.ndim == 2 and pixels.dtype in (np.uint8, np.bool_) and pixels.size:
        return np.ascontiguousarray(pixels)
    given = _contiguous(pixels)
    return np.ascontiguousarray(given[..., :3]) if given.shape[2] == 4 and is_opaque(given) else given


def _saved(pixels: NDArray[Any], kind: str, **options: Any) -> bytes:
    """What Pillow writes, told of as it goes."""
    with reporting(None, "Writing a picture") as tell:
        out = Heard(b"", tell)
        Image.fromarray(pixels).save(out, kind, **options)
    return out.getvalue()


def _exif(dpi: int) -> Image.Exif:
    block = Image.Exif()
    block[ExifTags.Base.XResolution] = block[ExifTags.Base.YResolution] = float(_check_dpi(dpi))
    block[ExifTags.Base.ResolutionUnit] = 2  # inches
    return block


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
