"""Small picture files made by hand, so that what they mean is known without asking the code under test."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image

D50 = (0.9642, 1.0, 0.8249)
SRGB_TO_XYZ_D50 = np.array(
    [[0.4360747, 0.3850649, 0.1430804], [0.2225045, 0.7168786, 0.0606169], [0.0139322, 0.0971045, 0.7141733]]
)
ADOBE_TO_XYZ_D50 = np.array(
    [[0.6097559, 0.2052401, 0.1492240], [0.3111242, 0.6256560, 0.0632197], [0.0194811, 0.0608902, 0.7448387]]
)


def save(image: Image.Image, kind: str, **options: Any) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


def chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def png(width: int, height: int, depth: int, colour: int, rows: bytes, *extra: bytes) -> bytes:
    """A PNG of unfiltered rows (each starting with its filter byte, 0)."""
    return b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, depth, colour, 0, 0, 0)),
            *extra,
            chunk(b"IDAT", zlib.compress(rows)),
            chunk(b"IEND", b""),
        )
    )


def exif(orientation: int) -> Image.Exif:
    block = Image.Exif()
    block[0x0112] = orientation
    return block


def srgb_of(linear: NDArray[np.float64]) -> NDArray[np.float64]:
    """IEC 61966-2-1's transfer curve, linear light 0 to 1 -> levels 0 to 255."""
    clipped = np.clip(linear, 0, 1)
    return 255 * np.where(clipped <= 0.0031308, 12.92 * clipped, 1.055 * clipped ** (1 / 2.4) - 0.055)


def lab_to_srgb(lightness: float, a: float, b: float) -> NDArray[np.float64]:
    """CIE Lab (D50) -> sRGB levels, by the textbook."""
    fy = (lightness + 16) / 116
    f = np.array([fy + a / 500, fy, fy - b / 200])
    xyz = np.where(f > 6 / 29, f**3, 3 * (6 / 29) ** 2 * (f - 4 / 29)) * np.array(D50)
    return srgb_of(np.linalg.solve(SRGB_TO_XYZ_D50, xyz))


def matrix_profile(to_xyz: NDArray[np.float64], gamma: float, name: str) -> bytes:
    """An ICC 2 display profile of three primaries (columns, D50) and one gamma."""
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))
    tags = {b"rTRC": curve, b"gTRC": curve, b"bTRC": curve}
    for kind, column in zip((b"rXYZ", b"gXYZ", b"bXYZ"), to_xyz.T, strict=True):
        tags[kind] = _xyz(column)
    return _profile(b"mntr", b"RGB ", b"XYZ ", name, tags)


def grey_profile(gamma: float, name: str) -> bytes:
    curve = b"curv" + bytes(4) + struct.pack(">IH", 1, round(gamma * 256))
    return _profile(b"mntr", b"GRAY", b"XYZ ", name, {b"kTRC": curve})


def cmyk_profile(corners: NDArray[np.uint8], name: str) -> bytes:
    """An ICC 2 printer profile whose table holds the Lab (as stored: L 0-255, a and b + 128) of the 16 solid inks.

    Args:
        corners: (2, 2, 2, 2, 3), indexed by cyan, magenta, yellow, black.
        name: its description.
    """
    identity = bytes(range(256))
    eye = struct.pack(">9i", *(65536 if i % 4 == 0 else 0 for i in range(9)))
    table = b"mft1" + bytes(4) + bytes((4, 3, 2, 0)) + eye + identity * 4 + corners.tobytes() + identity * 3
    return _profile(b"prtr", b"CMYK", b"Lab ", name, {b"A2B0": table, b"A2B1": table})


def _xyz(values: Any) -> bytes:
    return b"XYZ " + bytes(4) + struct.pack(">3i", *(round(float(v) * 65536) for v in values))


def _profile(kind: bytes, space: bytes, pcs: bytes, name: str, tags: dict[bytes, bytes]) -> bytes:
    text = name.encode("ascii") + b"\0"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(text)) + text + bytes(78),
        b"wtpt": _xyz(D50),
        b"cprt": b"text" + bytes(4) + b"public domain\0",
        **tags,
    }
    table, body = b"", b""
    start = 128 + 4 + 12 * len(tags)
    for tag, content in tags.items():
        table += tag + struct.pack(">II", start + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    size = start + len(body)
    head = struct.pack(">I4sI4s4s4s", size, b"lcms", 0x02400000, kind, space, pcs)
    head += struct.pack(">6H", 2024, 1, 1, 0, 0, 0) + b"acsp" + bytes(4 + 4 + 4 + 4 + 8 + 4)
    head += struct.pack(">3i", *(round(v * 65536) for v in D50))
    return head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + table + body
