"""From whatever a file stores to 8-bit sRGB with straight alpha, saying what was done.

Colour profiles go through LittleCMS, relative colorimetric with black point compensation. A profile that gives sRGB's
own values (within one level) counts as sRGB, so that pixels in sRGB pass unchanged, whatever their profile is called.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageCms

from lantern_kit.imaging.deep import Deep, Levels, rounded
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.imaging.shaper import shaper
from lantern_kit.kernel.errors import BadPicture

NONE = "none"
SRGB = "sRGB"

_SPACES = {"RGB": "RGB", "GRAY": "L", "CMYK": "CMYK", "LAB": "LAB"}  # ICC colour space -> Pillow mode
_INTENT = ImageCms.Intent.RELATIVE_COLORIMETRIC
_FLAGS = ImageCms.Flags.BLACKPOINTCOMPENSATION
_BILEVEL = "black and white expanded to RGB"
_BAND = 1 << 20
"""Pixels that are worked on at once, about."""


def to_srgb(image: Image.Image, notes: list[str], *, bits: int, deep: Deep | None = None) -> tuple[Picture, str]:
    """The loaded image as a picture, not yet turned, and the name of the colour profile it was stored with.

    It goes band by band, so that beside the image and the picture nothing of their size is made.

    Args:
        image: loaded, in any mode that Pillow stores pictures in.
        notes: receives a line for each conversion.
        bits: bits a channel as stored, where Pillow has already reduced them.
        deep: the same image with all its bits, where it has more than eight.

    Raises:
        BadPicture: a mode without a settled meaning as a picture (32-bit integers, floating point).
    """
    width, height = image.size
    pixels = np.empty((height, width, 4), np.uint8)
    rows = max(1, _BAND // width)
    opaque, profile = True, NONE
    for top in range(0, height, rows):
        said = notes if top == 0 else []
        bottom = min(height, top + rows)
        if deep is None:
            part = image if rows >= height else image.crop((0, top, width, bottom))
            base, alpha = _split(part, said, bits=bits)
            rgb, profile = _convert(base, image.info, said)
        else:
            base, alpha, levels = _reduced(deep, top, bottom, image.info.get("transparency"), said, bits=bits)
            rgb, profile = _convert(base, image.info, said, levels)
        pixels[top:bottom, :, :3] = np.asarray(rgb)
        pixels[top:bottom, :, 3] = 255 if alpha is None else alpha
        opaque = opaque and (alpha is None or bool((alpha == 255).all()))
    pixels.flags.writeable = False
    return Picture.of(pixels, opaque=opaque), profile


def _reduced(
    deep: Deep, top: int, bottom: int, key: object, notes: list[str], *, bits: int
) -> tuple[Image.Image, Pixels | None, Levels]:
    """Rows of a deep picture: the colour in 8 bits, the alpha, and the colour in all bits, straight."""
    levels = deep.band(top, bottom)
    notes.append(f"{bits} bits a channel reduced to 8")
    if deep.kind == "CMYK":
        ink = np.ascontiguousarray(rounded(levels))
        return Image.frombuffer("CMYK", (ink.shape[1], ink.shape[0]), ink, "raw", "CMYK", 0, 1), None, levels
    if deep.kind in ("L", "RGB"):
        colours, alpha = levels, _keyed(levels, key, notes)
    else:
        colours, alpha = levels[..., :-1], rounded(levels[..., -1])
    if deep.kind == "RGBa":
        whole = np.maximum(levels[..., 3:].astype(np.uint64), 1)
        colours = np.minimum((colours * np.uint64(65_535) + whole // 2) // whole, 65_535).astype(np.uint16)
    near = rounded(colours)
    return Image.fromarray(np.ascontiguousarray(near[..., 0] if near.shape[2] == 1 else near)), alpha, colours


def _split(image: Image.Image, notes: list[str], *, bits: int) -> tuple[Image.Image, Pixels | None]:
    """The colour (L, RGB, CMYK or LAB, 8 bits) and the alpha of an image."""
    mode = image.mode
    key = image.info.get("transparency")
    if bits == 16:
        notes.append("16 bits a channel reduced to 8")
    if mode in ("P", "PA"):
        notes.append("palette expanded")
        if mode == "PA" or key is not None or _palette_alpha(image):
            rgba = np.asarray(image.convert("RGBA"))
            return Image.fromarray(np.ascontiguousarray(rgba[..., :3])), np.ascontiguousarray(rgba[..., 3])
        return image.convert("RGB"), None
    if mode in ("LA", "RGBA"):
        bands = image.split()
        colour = bands[0] if mode == "LA" else Image.merge("RGB", bands[:3])
        return colour, np.asarray(bands[-1])
    if mode == "1":
        notes.append(_BILEVEL)
        image = image.convert("L")
        if isinstance(key, int):
            key = 255 if key else 0
    elif mode in ("YCbCr", "HSV", "RGBX"):
        notes.append(f"{mode} converted to RGB")
        image = image.convert("RGB")
    if image.mode in ("L", "RGB"):
        if isinstance(key, tuple) and bits == 16:
            key = tuple(int(value) >> 8 for value in key)
        levels = np.asarray(image)
        return image, _keyed(levels if image.mode == "RGB" else levels[..., None], key, notes)
    if image.mode in ("CMYK", "LAB"):
        return image, None
    raise BadPicture(
        f"Pixels of the kind {mode} have no settled meaning as a picture.",
        expected="8 or 16 bits a channel: grey, RGB, CMYK, Lab or a palette",
        found=mode,
        recovery="Save it as an 8- or 16-bit PNG or TIFF and use that.",
        details={"reason": "mode"},
    )


def _keyed(levels: NDArray[Any], key: object, notes: list[str]) -> Pixels | None:
    """Alpha of a picture in which one colour stands for transparent; ``levels`` is (h, w, channels)."""
    if key is None:
        return None
    wanted = np.asarray(key)
    if wanted.size != levels.shape[2]:
        notes.append("an unusable transparent colour was ignored")
        return None
    notes.append("one colour made transparent")
    return np.where((levels == wanted.reshape(-1)).all(axis=2), 0, 255).astype(np.uint8)


def _palette_alpha(image: Image.Image) -> bool:
    return image.palette is not None and image.palette.mode == "RGBA"


def _convert(
    base: Image.Image, info: dict[Any, Any], notes: list[str], levels: Levels | None = None
) -> tuple[Image.Image | Pixels, str]:
    """The colours in sRGB, and the name of the profile they came in; ``levels`` are the same with all their bits."""
    icc = info.get("icc_profile")
    if isinstance(icc, bytes) and icc:
        known = _read_profile(icc)
        if known is None:
            notes.append("unreadable colour profile ignored")
        else:
            space, name = known
            if space == "RGB":
                base = _plain(base, notes) if base.mode == "L" else base
            if space != base.mode:
                notes.append(f"colour profile for {space} ignored: the pixels are {base.mode}")
            elif name == SRGB:
                return _plain(base, notes), SRGB
            else:
                notes.append(f"converted from {name} to sRGB")
                exact = None if levels is None else shaper(icc)
                if levels is None or exact is None:
                    return _transform(icc, base), name
                return exact.applied(levels.repeat(3, axis=2) if levels.shape[2] < len(exact.curves) else levels), name
    if base.mode == "LAB":
        notes.append("converted from Lab to sRGB")
        return _transform(b"", base), "Lab"
    if base.mode == "CMYK":
        notes.append("CMYK without a profile converted by plain arithmetic: colours are approximate")
    elif "srgb" in info:
        return _plain(base, notes), SRGB
    elif not 0.44 < info.get("gamma", 0.45455) < 0.47:
        notes.append(f"a gamma of {info['gamma']:.5g} is stored and was not applied")
    return _plain(base, notes), NONE


def keeps_values(info: Mapping[Any, Any]) -> bool:
    """Whether an RGB image with such information goes to sRGB with its levels as they are."""
    icc = info.get("icc_profile")
    known = _read_profile(icc) if isinstance(icc, bytes) and icc else None
    return "transparency" not in info and (known is None or known[0] != "RGB" or known[1] == SRGB)


def _plain(base: Image.Image, notes: list[str]) -> Image.Image:
    if base.mode == "L" and _BILEVEL not in notes:
        notes.append("grey expanded to RGB")
    return base if base.mode == "RGB" else base.convert("RGB")


@lru_cache(maxsize=32)
def _read_profile(icc: bytes) -> tuple[str, str] | None:
    """The Pillow mode a profile is for, and its name: ``sRGB`` when it gives sRGB's own values."""
    try:
        profile = ImageCms.ImageCmsProfile(io.BytesIO(icc))
        mode = _SPACES[profile.profile.xcolor_space.strip().upper()]
        sample = _sample(mode)
        same = sample is not None and _equals_srgb(icc, sample)
        name = ImageCms.getProfileDescription(profile)
        _transform(icc, Image.new(mode, (1, 1)))
    except (ImageCms.PyCMSError, OSError, KeyError, ValueError):
        return None
    name = " ".join("".join(c if c.isprintable() else " " for c in name).split())[:80]
    if not same and name.lower() in ("", NONE, SRGB.lower()):
        name = f"unnamed {mode} profile"
    return mode, SRGB if same else name


def _sample(mode: str) -> Image.Image | None:
    """Levels spread over a colour space, to tell whether a profile changes any."""
    steps = np.linspace(0, 255, 9).round().astype(np.uint8)
    if mode == "L":
        return Image.fromarray(np.arange(256, dtype=np.uint8)[None])
    if mode == "RGB":
        grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=-1)
        return Image.fromarray(np.ascontiguousarray(grid.reshape(27, 27, 3)))
    return None


def _equals_srgb(icc: bytes, sample: Image.Image) -> bool:
    before = np.asarray(sample.convert("RGB")).astype(np.int16)
    after = np.asarray(_transform(icc, sample)).astype(np.int16)
    return int(np.abs(before - after).max()) <= 1


def _transform(icc: bytes, image: Image.Image) -> Image.Image:
    """The image through a profile (Lab's own, when empty) to sRGB."""
    made = ImageCms.applyTransform(image, _way(icc, image.mode))
    if made is None:  # only when asked to work in place
        raise ImageCms.PyCMSError("no image was made")
    return made


@lru_cache(maxsize=8)
def _way(icc: bytes, mode: str) -> ImageCms.ImageCmsTransform:
    source = ImageCms.ImageCmsProfile(io.BytesIO(icc)) if icc else ImageCms.createProfile("LAB")
    return ImageCms.buildTransform(
        source, ImageCms.createProfile("sRGB"), mode, "RGB", renderingIntent=_INTENT, flags=_FLAGS
    )
