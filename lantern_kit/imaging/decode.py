"""Bytes to pixels: told from the content, refused by the header before anything is unpacked, noted where changed."""

from __future__ import annotations

import io
import re
import threading
import warnings
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import PurePath
from typing import Any

import numpy as np
from PIL import ExifTags, Image, TiffImagePlugin, UnidentifiedImageError

from lantern_kit.imaging.colour import to_srgb
from lantern_kit.imaging.deep import deepened
from lantern_kit.imaging.heard import Heard
from lantern_kit.imaging.picture import Picture, PictureFacts, Pixels
from lantern_kit.imaging.quick import plain_jpeg
from lantern_kit.imaging.sniff import SUFFIXES, Sniffed, ends_early, sniff
from lantern_kit.kernel.errors import BadPicture
from lantern_kit.kernel.progress import reporting

MAX_PIXELS = 100_000_000
"""Pixels a picture may have, checked in its header."""
MAX_SIDE = 65_500
"""Pixels a side may have: what JPEG can hold."""

_FORMATS = ("PNG", "JPEG", "WEBP", "TIFF", "GIF", "BMP", "AVIF")
_EXPECTED = "a PNG, JPEG, WebP, TIFF, GIF, BMP or AVIF picture"

# Pillow speaks through Python's warnings, whose filters belong to the whole process: one reader at a time changes them.
# Whoever is told of a picture's progress may read another one meanwhile.
_WARNINGS = threading.RLock()

_TURNS: dict[int, Callable[[Pixels], Pixels]] = {
    2: np.fliplr,
    3: lambda a: np.rot90(a, 2),
    4: np.flipud,
    5: lambda a: np.swapaxes(a, 0, 1),
    6: lambda a: np.rot90(a, -1),
    7: lambda a: np.rot90(np.swapaxes(a, 0, 1), 2),
    8: lambda a: np.rot90(a, 1),
}


def probe(data: bytes, *, name: str = "") -> PictureFacts:
    """What is known of a picture's bytes; the whole picture is decoded, so what passes here can be drawn.

    Args:
        data: the file's bytes.
        name: its name, only to note an extension that does not match.

    Raises:
        BadPicture: see :func:`read`.
    """
    return read(data, name=name)[1]


def decode(data: bytes) -> Picture:
    """The picture in a file's bytes: upright, sRGB, straight alpha.

    Raises:
        BadPicture: see :func:`read`.
    """
    return _quick(data) or read(data)[0]


def read(data: bytes, *, name: str = "") -> tuple[Picture, PictureFacts]:
    """The picture and its facts, decoding once.

    Of an animation or a file of several pages, the first is taken and a note says so.

    Args:
        data: the file's bytes.
        name: its name, only to note an extension that does not match.

    Raises:
        BadPicture: ``details["reason"]`` says which: ``empty``, ``not_a_picture``, ``unsupported``, ``truncated``,
            ``damaged``, ``too_large`` (by the header, before decoding) or ``mode``.
    """
    sniffed = sniff(data)
    if not sniffed.readable:
        raise BadPicture(
            "There is no picture here." if not data else "This is not a picture the kit can read.",
            expected=_EXPECTED,
            found=sniffed.what,
            recovery=sniffed.recovery,
            details={"reason": sniffed.reason},
        )
    with (
        reporting(None, "Reading a picture") as tell,
        closing(Heard(data, tell)) as heard,
        _quiet(),
        _refusing(data, sniffed, heard),
        Image.open(heard, formats=_FORMATS) as image,
    ):
        _check_size(*image.size)
        notes = _first_notes(image, sniffed, name)
        bits = _bits(image, data)
        deep = deepened(image, data, bits=bits)  # now: whoever looks for a PNG's EXIF has it read whole
        orientation = _orientation(image, notes)
        stored_mode, alpha = image.mode, bool(image.has_transparency_data)
        turned_by_pillow = isinstance(image, TiffImagePlugin.TiffImageFile)
        image.load()
        if ends_early(data, sniffed.media):
            notes.append("the end of the file is missing, but no pixel of this picture")
        picture, profile = to_srgb(image, notes, bits=bits, deep=deep)
    if orientation != 1:
        notes.append(f"turned upright (EXIF orientation {orientation})")
        if not turned_by_pillow:
            picture = Picture.of(_TURNS[orientation](picture.pixels), opaque=picture.opaque)
    facts = PictureFacts(
        media=sniffed.media,
        width=picture.width,
        height=picture.height,
        mode=stored_mode,
        bits=bits,
        alpha=alpha,
        profile=profile,
        orientation=orientation,
        bytes=len(data),
        notes=tuple(notes),
    )
    return picture, facts


def _quick(data: bytes) -> Picture | None:
    """The picture of a plain JPEG; None for everything else, and for what is wrong with it."""
    if sniff(data).media != "image/jpeg":
        return None
    try:
        with _quiet(), Image.open(io.BytesIO(data), formats=_FORMATS) as image:
            _check_size(*image.size)
            orientation = _orientation(image, [])
    except (BadPicture, Image.DecompressionBombError, OSError, SyntaxError, ValueError):
        return None
    pixels = plain_jpeg(data, image)
    if pixels is None:
        return None
    pixels.flags.writeable = False
    return Picture.of(_TURNS[orientation](pixels) if orientation != 1 else pixels, opaque=True)


@contextmanager
def _quiet() -> Iterator[None]:
    with _WARNINGS, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        yield


@contextmanager
def _refusing(data: bytes, sniffed: Sniffed, heard: Heard) -> Iterator[None]:
    """Turns whatever a decoder stumbles over into a BadPicture."""
    try:
        yield
    except BadPicture:
        raise
    except Image.DecompressionBombError as error:
        counted = re.search(r"\((\d+) pixels\)", str(error))
        raise _too_large(f"{int(counted[1]):,} pixels" if counted else "more") from None
    except MemoryError:
        raise _too_large("more than the memory at hand") from None
    except Exception as error:  # decoders fail in every way on bytes that mean them harm
        if error is heard.raised:
            raise
        said = str(error).lower()
        cut = isinstance(error, EOFError) or "truncated" in said or ends_early(data, sniffed.media)
        header = isinstance(error, UnidentifiedImageError)
        kind = _kind_of_tiff(data) if header and not cut and sniffed.media == "image/tiff" else ""
        if kind:
            raise BadPicture(
                "This TIFF stores its pixels in a way the kit cannot read.",
                expected="8 or 16 bits a channel of grey, RGB, RGB with alpha or CMYK; 8-bit Lab; a palette",
                found=kind,
                recovery="Save it as a PNG, or as an RGB TIFF, and use that.",
                details={"reason": "unsupported"},
            ) from None
        raise BadPicture(
            f"This {sniffed.what} {'ends before its picture is complete' if cut else 'is damaged'}.",
            expected=f"a complete {sniffed.what}",
            found=f"{len(data):,} bytes" if cut else "a header that cannot be read" if header else "damaged data",
            recovery="Save or download the picture again and use the new file.",
            details={"reason": "truncated" if cut else "damaged"},
        ) from None


def _kind_of_tiff(data: bytes) -> str:
    """How a TIFF that Pillow does not know says that its pixels are stored; empty when it does not say."""
    try:
        folder = TiffImagePlugin.ImageFileDirectory_v2(data[:8])
        stream = io.BytesIO(data)
        stream.seek(folder.next)
        folder.load(stream)
        bits, meaning = folder[TiffImagePlugin.BITSPERSAMPLE], folder[TiffImagePlugin.PHOTOMETRIC_INTERPRETATION]
        return f"{'+'.join(map(str, bits))} bits, photometric interpretation {int(meaning)}"[:80]
    except Exception:  # noqa: BLE001 - whatever is wrong with it, then it is damaged
        return ""


def _check_size(width: int, height: int) -> None:
    if width < 1 or height < 1:
        raise BadPicture(
            "The picture has no area.",
            expected="at least 1 × 1 pixel",
            found=f"{width} × {height} pixels",
            recovery="Save the picture again and use the new file.",
            details={"reason": "damaged"},
        )
    if width > MAX_SIDE or height > MAX_SIDE or width * height > MAX_PIXELS:
        raise _too_large(f"{width:,} × {height:,} pixels")


def _too_large(found: str) -> BadPicture:
    return BadPicture(
        "The picture is too large to open.",
        expected=f"at most {MAX_PIXELS:,} pixels and {MAX_SIDE:,} on a side",
        found=found,
        recovery="Scale it down or cut it into parts, and use those.",
        details={"reason": "too_large"},
    )


def _first_notes(image: Image.Image, sniffed: Sniffed, name: str) -> list[str]:
    notes = []
    suffix = PurePath(name).suffix.lower()
    if suffix and suffix not in SUFFIXES[sniffed.media]:
        notes.append(f"named {suffix[:12]}, but the bytes are a {sniffed.what}")
    frames = int(getattr(image, "n_frames", 1))
    if frames > 1:
        notes.append(f"first of {frames} {'pages' if sniffed.media == 'image/tiff' else 'frames'} taken")
    return notes


def _orientation(image: Image.Image, notes: list[str]) -> int:
    try:
        stored = image.getexif().get(ExifTags.Base.Orientation, 1)
    except Exception:  # noqa: BLE001 - a broken EXIF block must not cost the picture
        notes.append("unreadable EXIF ignored")
        return 1
    if stored in range(1, 9):
        return int(stored)
    notes.append("an EXIF orientation without meaning was ignored")
    return 1


def _bits(image: Image.Image, data: bytes) -> int:
    """Bits a channel as stored, also where Pillow reads fewer."""
    if image.format == "PNG":
        return data[24]  # IHDR: bit depth follows the signature, chunk head, width and height
    if isinstance(image, TiffImagePlugin.TiffImageFile):
        stored: Any = image.tag_v2.get(TiffImagePlugin.BITSPERSAMPLE, 1)
        return int(max(stored) if isinstance(stored, tuple) else stored)
    return 1 if image.mode == "1" else 8
