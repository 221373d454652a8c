"""Alpha: straight, premultiplied, and laid on a ground."""

from __future__ import annotations

import numpy as np

from lantern_kit.imaging.picture import Pixels

_BAND = 1 << 18
"""Bytes that are worked on at once, about."""


def laid(rgba: Pixels, ground: int) -> Pixels:
    """Straight alpha laid on a grey of 0 to 255: (…, 4) uint8 to (…, 3)."""
    share = rgba[..., 3:].astype(np.uint16)
    mixed: Pixels = ((rgba[..., :3] * share + ground * (255 - share) + 127) // 255).astype(np.uint8)
    return mixed


def premultiplied(pixels: Pixels) -> Pixels:
    """Straight RGBA with its colours multiplied by its alpha, rounded to the nearest."""
    made = np.empty_like(pixels)
    colours = pixels[..., :3] * pixels[..., 3:].astype(np.uint16)
    colours += 128  # with the next line: division by 255, rounded, exact for every product of two bytes
    colours += colours >> 8
    made[..., :3] = colours >> 8
    made[..., 3] = pixels[..., 3]
    return made


def straight_alpha(pixels: Pixels, *, opaque: bool) -> Pixels:
    """Premultiplied pixels (h, w, 4) as straight ones, read-only; those that are opaque as they are."""
    if not opaque:
        straight = np.empty_like(pixels)
        rows = max(1, _BAND // (4 * pixels.shape[1]))
        for top in range(0, pixels.shape[0], rows):
            part = pixels[top : top + rows]
            whole = np.maximum(part[..., 3:].astype(np.uint16), 1)
            colours = (part[..., :3] * np.uint16(255) + whole // 2) // whole
            straight[top : top + rows, :, :3] = np.minimum(colours, 255)
            straight[top : top + rows, :, 3] = part[..., 3]
        pixels = straight
    pixels.flags.writeable = False
    return pixels
