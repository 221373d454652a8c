"""Pictures of any length written from the top down, a band of rows at a time, in the memory of one band.

PNG (ISO/IEC 15948) and TIFF 6.0. The same rows give the same bytes, however they are cut into bands.
"""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any, BinaryIO, Literal

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from lantern_kit.imaging.profile import grey_profile, srgb_profile
from lantern_kit.kernel.errors import BadInput

Kind = Literal["rgba", "rgb", "grey", "bits"]
"""(h, w, 4 or 3) uint8 in sRGB, straight alpha; (h, w) uint8 greys by its curve; (h, w) bool, True for white."""
LEVEL = 6
STRIP = 64
"""Rows in a strip of a TIFF; the same, whatever the bands are."""
MOST_TIFF = 2**32 - 2**20
_CHANNELS = {"rgba": 4, "rgb": 3, "grey": 1, "bits": 1}
_PNG_TYPES = {"rgba": 6, "rgb": 2, "grey": 0, "bits": 0}
_CHUNK = 1 << 20
_DEFLATE, _GROUP4 = 8, 4


class PngBands:
    """A PNG in the making.

    Args:
        file: an empty file, open for writing.
        width: pixels.
        height: pixels.
        kind: what the rows are.
        dpi: resolution to write.
    """

    def __init__(self, file: BinaryIO, width: int, height: int, kind: Kind, *, dpi: int) -> None:
        self._file, self._kind = file, kind
        self._deflate = zlib.compressobj(LEVEL)
        self._above: NDArray[Any] | None = None
        self._waiting = bytearray()
        per_metre = (dpi * 10_000 + 127) // 254
        file.write(b"\x89PNG\r\n\x1a\n")
        bits = 1 if kind == "bits" else 8
        self._chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, bits, _PNG_TYPES[kind], 0, 0, 0))
        self._chunk(b"sRGB", b"\0")
        self._chunk(b"pHYs", struct.pack(">IIB", per_metre, per_metre, 1))

    def write(self, rows: NDArray[Any]) -> None:
        """The next rows."""
        height = len(rows)
        if self._kind == "bits":
            flat: NDArray[Any] = np.packbits(rows, axis=1)
        else:
            flat = np.ascontiguousarray(rows).reshape(height, -1)
        filtered = np.empty((height, flat.shape[1] + 1), np.uint8)
        if self._kind == "bits":
            filtered[:, 0] = 0
            filtered[:, 1:] = flat
        else:
            filtered[:, 0] = 2  # each row less the one above
            filtered[0, 1:] = flat[0] if self._above is None else flat[0] - self._above
            np.subtract(flat[1:], flat[:-1], out=filtered[1:, 1:])
            self._above = flat[-1].copy()
        self._waiting += self._deflate.compress(filtered.tobytes())
        self._let_go(_CHUNK)

    def close(self) -> None:
        """The end of the file."""
        self._waiting += self._deflate.flush()
        self._let_go(1)
        self._chunk(b"IEND", b"")

    def _let_go(self, least: int) -> None:
        """Chunks of one size, however the bytes came."""
        while len(self._waiting) >= least:
            self._chunk(b"IDAT", bytes(self._waiting[:_CHUNK]))
            del self._waiting[:_CHUNK]

    def _chunk(self, kind: bytes, data: bytes) -> None:
        self._file.write(struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)))


class TiffBands:
    """A TIFF in the making: deflated over differences of neighbours; black and white as Group 4 has it.

    Args:
        file: an empty file, open for writing, that can be gone back in.
        width: pixels.
        height: pixels.
        kind: what the rows are.
        dpi: resolution to write.

    Raises:
        BadInput: while it is written, when it grows past the 4 GB that TIFF can hold.
    """

    def __init__(self, file: BinaryIO, width: int, height: int, kind: Kind, *, dpi: int) -> None:
        self._file, self._kind, self._dpi = file, kind, dpi
        self._width, self._height = width, height
        self._rows: list[NDArray[Any]] = []
        self._count = 0
        self._offsets: list[int] = []
        self._sizes: list[int] = []
        self._photometric = {"rgba": 2, "rgb": 2, "grey": 1, "bits": 0}[kind]
        file.write(b"II*\0\0\0\0\0")

    def write(self, rows: NDArray[Any]) -> None:
        """The next rows."""
        self._rows.append(rows)
        self._count += len(rows)
        if self._count >= STRIP:
            held = np.concatenate(self._rows)
            whole = len(held) - len(held) % STRIP
            for top in range(0, whole, STRIP):
                self._strip(held[top : top + STRIP])
            self._rows, self._count = [held[whole:].copy()], len(held) - whole

    def close(self) -> None:
        """The end of the file, and the directory that says where its strips are."""
        if self._count:
            self._strip(np.concatenate(self._rows))
        profile = b"" if self._kind == "bits" else grey_profile() if self._kind == "grey" else srgb_profile()
        channels = _CHANNELS[self._kind]
        bits = 1 if self._kind == "bits" else 8
        tags: dict[int, tuple[int, bytes]] = {
            256: _longs(self._width),
            257: _longs(self._height),
            258: _shorts(*[bits] * channels),
            259: _shorts(_GROUP4 if self._kind == "bits" else _DEFLATE),
            262: _shorts(self._photometric),
            273: _longs(*self._offsets),
            277: _shorts(channels),
            278: _longs(min(STRIP, self._height)),
            279: _longs(*self._sizes),
            282: (5, struct.pack("<II", self._dpi, 1)),
            283: (5, struct.pack("<II", self._dpi, 1)),
            284: _shorts(1),
            296: _shorts(2),
        }
        if self._kind != "bits":
            tags[317] = _shorts(2)
        if self._kind == "rgba":
            tags[338] = _shorts(2)
        if profile:
            tags[34675] = (7, profile)
        self._directory(dict(sorted(tags.items())))

    def _strip(self, rows: NDArray[Any]) -> None:
        if self._kind == "bits":
            data = self._group4(rows)
        else:
            flat = np.ascontiguousarray(rows).reshape(len(rows), self._width, -1)
            less = flat.copy()
            np.subtract(flat[:, 1:], flat[:, :-1], out=less[:, 1:])
            data = zlib.compress(less.tobytes(), LEVEL)
        place = self._file.tell()
        if place + len(data) > MOST_TIFF:
            raise BadInput(
                "the picture is too large for a TIFF",
                expected="at most 4 GB",
                recovery="Ask for fewer dpi, or for PNG.",
            )
        self._offsets.append(place)
        self._sizes.append(len(data))
        self._file.write(data + bytes(len(data) % 2))

    def _group4(self, rows: NDArray[Any]) -> bytes:
        """One strip by the only encoder at hand, taken out of the file it makes."""
        made = io.BytesIO()
        Image.fromarray(np.ascontiguousarray(rows)).save(made, "TIFF", compression="group4", strip_size=1 << 30)
        made.seek(0)
        with Image.open(made) as image:
            tags: Any = image.tag_v2  # type: ignore[attr-defined]
            (start,), (size,) = tags[273], tags[279]
            self._photometric = int(tags[262])
        return made.getvalue()[start : start + size]

    def _directory(self, tags: dict[int, tuple[int, bytes]]) -> None:
        place = self._file.tell()
        after = place + 2 + 12 * len(tags) + 4
        rows, rest = [], b""
        for tag, (kind, data) in tags.items():
            count = len(data) // {3: 2, 4: 4, 5: 8, 7: 1}[kind]
            if len(data) > 4:
                value = struct.pack("<I", after + len(rest))
                rest += data + bytes(len(data) % 2)
            else:
                value = data.ljust(4, b"\0")
            rows.append(struct.pack("<HHI", tag, kind, count) + value)
        self._file.write(struct.pack("<H", len(rows)) + b"".join(rows) + bytes(4) + rest)
        self._file.seek(4)
        self._file.write(struct.pack("<I", place))
        self._file.seek(0, 2)


def _shorts(*values: int) -> tuple[int, bytes]:
    return 3, struct.pack(f"<{len(values)}H", *values)


def _longs(*values: int) -> tuple[int, bytes]:
    return 4, struct.pack(f"<{len(values)}I", *values)
