"""Pictures as a PDF keeps them: exact, and no finer than they are printed.

A plain JPEG goes in as it was stored, without its camera's notes. Everything else is deflated over PNG's predictors:
colours, greys where there are no colours, one bit where there is only black and white; alpha is a soft mask.
ISO 32000-1, 8.9.5 and 7.4.4.4.
"""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable
from typing import Any

import fpng
import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lantern_kit.comic.formats.levels import Colour
from lantern_kit.comic.formats.pdf_spool import Spool
from lantern_kit.comic.render.proxy import Use
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.kernel.progress import reporting

LEVEL = 6
MOST_HIDDEN = 0.5
"""A JPEG of which less than this share shows is cut to what shows, and deflated."""
_KEPT = {0xC0, 0xC1, 0xC2, 0xC4, 0xDB, 0xDD, 0xDA, 0xE0, 0xEE}


def keep_picture(spool: Spool, number: int, picture: Picture, use: Use) -> None:
    """Write what is needed of a picture."""
    left, top, right, bottom = use.part
    pixels = _reduced(picture.pixels[top:bottom, left:right], use.factor, opaque=picture.opaque)
    more: dict[str, Any] = {}
    if pixels.shape[2] == 4 and not (pixels[..., 3] == 255).all():
        mask = np.ascontiguousarray(pixels[..., 3])
        more["SMask"] = f"{spool.stream(*_grey(mask))} 0 R"
    entries, data = _plain(np.ascontiguousarray(pixels[..., :3]))
    spool.stream(entries | more, data, number)


def keep_jpeg(spool: Spool, number: int, data: bytes, width: int, height: int) -> None:
    """Write a JPEG of three channels as it is stored, without what is no part of the picture."""
    entries = _entries(width, height, "/DeviceRGB", 8) | {"Filter": "/DCTDecode"}
    spool.stream(entries, bare_jpeg(data), number)


def keep_levels(
    spool: Spool, number: int, bands: Iterable[NDArray[Any]], size: tuple[int, int], colour: Colour
) -> None:
    """Write a page from the top down: greys (h, w) uint8, or black and white (h, w) bool, True for white."""
    deflate, found = zlib.compressobj(LEVEL), []
    above: NDArray[Any] | None = None
    with reporting(None, "Writing a picture") as tell:
        for rows in bands:
            if rows.dtype == np.bool_:
                found.append(deflate.compress(np.packbits(rows, axis=1).tobytes()))
            else:
                found.append(deflate.compress(_upward(rows, above)))
                above = rows[-1].copy()
            tell("", 0, 0)
    found.append(deflate.flush())
    entries = _entries(*size, "/DeviceGray", 1) | {"Filter": "/FlateDecode"}
    if colour == "grey":
        entries = _flate(*size, "/DeviceGray", 8, 1, b"")[0]
    spool.stream(entries, b"".join(found), number)


def bare_jpeg(data: bytes) -> bytes:
    """A JPEG with only those segments that its decoding needs: no EXIF, no thumbnail, no place, no comment."""
    kept, at = [data[:2]], 2
    while at + 4 <= len(data):
        marker, length = data[at + 1], int.from_bytes(data[at + 2 : at + 4])
        if data[at] != 0xFF:
            return data
        if marker == 0xDA:
            return b"".join((*kept, data[at:]))
        if marker in _KEPT or 0xC3 <= marker <= 0xCF:
            kept.append(data[at : at + 2 + length])
        at += 2 + length
    return data


def _reduced(pixels: Pixels, factor: int, *, opaque: bool) -> Pixels:
    """The mean of every ``factor`` × ``factor`` pixels, weighted by their alpha."""
    if factor == 1:
        return pixels
    height, width = pixels.shape[:2]
    whole = np.ascontiguousarray(pixels)
    if opaque or pixels.shape[2] == 3:
        mode = "RGB" if pixels.shape[2] == 3 else "RGBX"
        return np.asarray(Image.frombuffer(mode, (width, height), whole, "raw", mode, 0, 1).reduce(factor))
    premultiplied = Image.frombuffer("RGBA", (width, height), whole, "raw", "RGBA", 0, 1).convert("RGBa")
    return np.asarray(premultiplied.reduce(factor).convert("RGBA"))


def _plain(rgb: Pixels) -> tuple[dict[str, Any], bytes]:
    height, width, _ = rgb.shape
    first = rgb[..., 0]
    if (rgb[..., 1] == first).all() and (rgb[..., 2] == first).all():
        white = first == 255
        return _bits(white) if (white | (first == 0)).all() else _grey(np.ascontiguousarray(first))
    return _flate(width, height, "/DeviceRGB", 8, 3, _png_data(fpng.from_ndarray(rgb)))


def _grey(levels: NDArray[Any]) -> tuple[dict[str, Any], bytes]:
    height, width = levels.shape
    return _flate(width, height, "/DeviceGray", 8, 1, zlib.compress(_upward(levels), LEVEL))


def _bits(white: NDArray[Any]) -> tuple[dict[str, Any], bytes]:
    height, width = white.shape
    entries = _entries(width, height, "/DeviceGray", 1)
    packed: NDArray[np.uint8] = np.packbits(white, axis=1)
    return entries | {"Filter": "/FlateDecode"}, zlib.compress(packed.tobytes(), 9)


def _upward(levels: NDArray[Any], above: NDArray[Any] | None = None) -> bytes:
    """Rows as PNG's filter 2 has them: each less the one above."""
    height, width = levels.shape
    rows = np.empty((height, width + 1), np.uint8)
    rows[:, 0] = 2
    rows[0, 1:] = levels[0] if above is None else levels[0] - above
    np.subtract(levels[1:], levels[:-1], out=rows[1:, 1:])
    return rows.tobytes()


def _png_data(png: bytes) -> bytes:
    """The deflated rows of a PNG."""
    found, at = [], 8
    while at < len(png):
        (length,) = struct.unpack_from(">I", png, at)
        if png[at + 4 : at + 8] == b"IDAT":
            found.append(png[at + 8 : at + 8 + length])
        at += 12 + length
    return b"".join(found)


def _flate(width: int, height: int, space: str, bits: int, channels: int, data: bytes) -> tuple[dict[str, Any], bytes]:
    params = f"<< /Predictor 15 /Colors {channels} /BitsPerComponent {bits} /Columns {width} >>"
    return _entries(width, height, space, bits) | {"Filter": "/FlateDecode", "DecodeParms": params}, data


def _entries(width: int, height: int, space: str, bits: int) -> dict[str, Any]:
    return {
        "Type": "/XObject",
        "Subtype": "/Image",
        "Width": width,
        "Height": height,
        "ColorSpace": space,
        "BitsPerComponent": bits,
    }
