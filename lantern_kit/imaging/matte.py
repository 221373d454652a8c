"""Whether a transparent picture may stand as the foreground of another: the rules of a bound breakout.

A foreground is its source with everything but the subject made transparent: PNG or lossless WebP, the same pixel size
and origin, the same colour space, real alpha. Whether the subject was redrawn is measured and reported, not refused.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict, Field

from lantern_kit.imaging.colour import NONE, SRGB
from lantern_kit.imaging.decode import read
from lantern_kit.imaging.picture import PictureFacts
from lantern_kit.kernel.errors import BadPicture

TOLERANCE = 4
"""Levels (of 255) a channel may differ before a pixel counts as redrawn: what two JPEG decoders may disagree by."""

Box = tuple[int, int, int, int]
"""Left, top, right, bottom in pixels; right and bottom lie just outside."""


class MatteReport(BaseModel):
    """What a foreground shows of its source."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    width: int
    height: int
    media: str
    profile: str
    subject: Box
    """Around every pixel that is not fully transparent."""
    solid: float = Field(ge=0, le=1)
    """Share of all pixels that are fully opaque."""
    soft: float = Field(ge=0, le=1)
    """Share of all pixels that are partly transparent."""
    redrawn: float = Field(ge=0, le=1)
    """Share of the opaque pixels whose colour differs from the source."""
    worst: int = Field(ge=0, le=255)
    """Largest difference of a channel at an opaque pixel."""
    redrawn_box: Box | None
    """Around the pixels that differ."""


def check_foreground(source: bytes, matte: bytes) -> MatteReport:
    """How well a transparent picture serves as the foreground of another.

    Args:
        source: bytes of the picture in the frame.
        matte: bytes of the same picture with all but its subject made transparent.

    Raises:
        BadPicture: one of them cannot be read, or the matte is neither PNG nor lossless WebP, or has another size,
            another colour space or no real alpha; ``details["reason"]`` says ``format``, ``size``, ``colour_space``
            or ``alpha`` (or one of :func:`lantern_kit.imaging.decode.read`).
    """
    below, source_facts = read(source)
    above, facts = read(matte)
    _check_format(matte, facts)
    if (above.width, above.height) != (below.width, below.height):
        raise _refused(
            "The foreground must have exactly the source's pixels.",
            "size",
            expected=f"{below.width} × {below.height} pixels",
            found=f"{above.width} × {above.height} pixels",
            recovery="Make everything but the subject transparent, without cropping, scaling or moving anything.",
        )
    if _space(source_facts) != _space(facts):
        raise _refused(
            "The foreground must keep the source's colour space.",
            "colour_space",
            expected=_space(source_facts),
            found=_space(facts),
            recovery=(
                "Register an sRGB copy of the source, and make the foreground from that."
                if source_facts.mode in ("CMYK", "LAB")
                else "Save the foreground with the source's colour profile, its pixel values unchanged."
            ),
        )
    alpha = above.pixels[..., 3]
    clear, solid = int((alpha == 0).sum()), int((alpha == 255).sum())
    if not clear or clear == alpha.size:
        raise _refused(
            "The foreground needs real transparency.",
            "alpha",
            expected="transparent pixels around a visible subject",
            found="no alpha" if not facts.alpha else "no visible pixel" if clear else "no fully transparent pixel",
            recovery="Make everything but the subject fully transparent and keep the subject opaque.",
        )
    differences = np.abs(above.pixels[..., :3].astype(np.int16) - below.pixels[..., :3]).max(axis=2)
    differences[alpha < 255] = 0
    redrawn = differences > TOLERANCE
    return MatteReport(
        width=above.width,
        height=above.height,
        media=facts.media,
        profile=facts.profile,
        subject=_box(alpha > 0) or (0, 0, 0, 0),
        solid=solid / alpha.size,
        soft=(alpha.size - clear - solid) / alpha.size,
        redrawn=int(redrawn.sum()) / solid if solid else 0.0,
        worst=int(differences.max()),
        redrawn_box=_box(redrawn),
    )


def _check_format(matte: bytes, facts: PictureFacts) -> None:
    lossy = facts.media == "image/webp" and not is_lossless_webp(matte)
    if facts.media not in ("image/png", "image/webp") or lossy:
        raise _refused(
            "A foreground is a PNG or a lossless WebP.",
            "format",
            expected="image/png or lossless image/webp",
            found="lossy image/webp" if lossy else facts.media,
            recovery="Save it as a PNG with alpha.",
        )


def is_lossless_webp(data: bytes) -> bool:
    """Whether a WebP's picture is a VP8L chunk (in an animation: every frame's)."""
    found = list(_bitstreams(data[12:]))
    return bool(found) and all(kind == b"VP8L" for kind in found)


def _bitstreams(chunks: bytes) -> list[bytes]:
    """The kinds of the RIFF chunks that hold pixels."""
    kinds: list[bytes] = []
    at = 0
    while at + 8 <= len(chunks):
        kind, size = chunks[at : at + 4], int.from_bytes(chunks[at + 4 : at + 8], "little")
        if kind in (b"VP8L", b"VP8 "):
            kinds.append(kind)
        elif kind == b"ANMF":  # sixteen bytes of frame facts, then chunks again
            kinds.extend(_bitstreams(chunks[at + 24 : at + 8 + size]))
        at += 8 + size + size % 2
    return kinds


def _space(facts: PictureFacts) -> str:
    """The colour space two pictures must share; sRGB is what a picture without a profile is taken to be in."""
    if facts.profile == NONE:
        return f"{facts.mode} without a profile" if facts.mode == "CMYK" else SRGB
    return facts.profile


def _box(mask: NDArray[np.bool_]) -> Box | None:
    rows, columns = np.flatnonzero(mask.any(axis=1)), np.flatnonzero(mask.any(axis=0))
    if not rows.size:
        return None
    return int(columns[0]), int(rows[0]), int(columns[-1]) + 1, int(rows[-1]) + 1


def _refused(message: str, reason: str, *, expected: str, found: str, recovery: str) -> BadPicture:
    return BadPicture(message, expected=expected, found=found, recovery=recovery, details={"reason": reason})
