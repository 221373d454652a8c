"""Pictures made small enough to send to somebody who only looks: a longest side and a number of bytes, both kept."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lantern_kit.imaging.encode import encode_jpeg, encode_png
from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.scale import fitted
from lantern_kit.kernel.errors import BadInput

QUALITIES = (85, 75, 62, 50)
SMALLEST_EDGE = 64


@dataclass(frozen=True)
class Sendable:
    """An encoded picture within limits."""

    data: bytes
    media: str
    width: int
    height: int
    reduced: bool
    """It has fewer pixels than were given, or is coarser than JPEG at its best quality here."""


def sendable(picture: Picture, *, max_edge: int, max_bytes: int, exact: bool = False) -> Sendable:
    """Encode a picture: JPEG, or PNG where it has transparency or every pixel must be kept.

    Args:
        picture: what to send.
        max_edge: longest side in pixels; a larger picture is scaled down.
        max_bytes: the encoded picture is made coarser, then smaller, until it is no longer than this.
        exact: PNG even when opaque.

    Raises:
        BadInput: ``max_bytes`` is too small for any picture.
    """
    edge = max_edge
    while True:
        small = fitted(picture, edge)
        lossless = exact or not small.opaque
        for quality in (None,) if lossless else QUALITIES:
            data = encode_png(small.pixels) if quality is None else encode_jpeg(small.pixels, quality)
            if len(data) <= max_bytes:
                reduced = small is not picture or quality not in {None, QUALITIES[0]}
                media = "image/png" if lossless else "image/jpeg"
                return Sendable(data, media, small.width, small.height, reduced)
        # Bytes go with the area; a little more is taken off, so that one step is often enough.
        longest = max(small.width, small.height)
        edge = int(longest * min(0.9, 0.95 * math.sqrt(max_bytes / len(data))))
        if edge < SMALLEST_EDGE:
            raise BadInput(
                "no picture is that small",
                expected=f"room for at least {SMALLEST_EDGE} pixels",
                found=f"{max_bytes} bytes",
                recovery="Allow more bytes, or send a smaller part of it.",
            )
