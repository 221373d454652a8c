"""Pixels without meaning: bytes to upright sRGB and back. Knows only the kernel's errors.

picture    Picture (pixels) and PictureFacts (what is known of the stored bytes)
sniff, decode, quick, colour   what a file is; reading it, plain JPEGs the short way; its way to 8-bit sRGB
deep, shaper      more than eight bits a channel, and profiles applied to all of them
encode, bands     JPEG, PNG, TIFF, lossless WebP at once; PNG and TIFF of any length band by band
profile, light    the colour profiles that files carry; sRGB's curve
alpha      straight, premultiplied, laid on a ground
screening, perception   colours to greys and to black and white; how far apart they are to the eye
heard      how codecs say that they are still at it
scale, sendable   other sizes; pictures within what may be sent
matte      whether a transparent picture may be the foreground of another
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lantern_kit.imaging.decode import MAX_PIXELS, MAX_SIDE, probe, read
    from lantern_kit.imaging.encode import encode_jpeg, encode_png, encode_tiff, encode_webp
    from lantern_kit.imaging.matte import MatteReport, check_foreground
    from lantern_kit.imaging.picture import Picture, PictureFacts, Pixels
    from lantern_kit.imaging.scale import fitted, scaled

__all__ = [
    "MAX_PIXELS",
    "MAX_SIDE",
    "MatteReport",
    "Picture",
    "PictureFacts",
    "Pixels",
    "check_foreground",
    "encode_jpeg",
    "encode_png",
    "encode_tiff",
    "encode_webp",
    "fitted",
    "probe",
    "read",
    "scaled",
]

_HOMES = {
    "decode": ("MAX_PIXELS", "MAX_SIDE", "probe", "read"),
    "encode": ("encode_jpeg", "encode_png", "encode_tiff", "encode_webp"),
    "matte": ("MatteReport", "check_foreground"),
    "picture": ("Picture", "PictureFacts", "Pixels"),
    "scale": ("fitted", "scaled"),
}
_HOME = {name: home for home, names in _HOMES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
