"""Plain JPEG files, as photographs mostly are, decoded in one pass to the pixels that the long way gives."""

from __future__ import annotations

import simplejpeg
from PIL import Image

from lantern_kit.imaging.colour import keeps_values
from lantern_kit.imaging.picture import Pixels


def plain_jpeg(data: bytes, image: Image.Image) -> Pixels | None:
    """The pixels as stored, RGBA and not turned; None for what has to go the long way.

    Args:
        data: the file's bytes.
        image: the same file with its header read, and no more.
    """
    if image.format != "JPEG" or image.mode != "RGB" or not keeps_values(image.info):
        return None
    try:
        pixels: Pixels = simplejpeg.decode_jpeg(data, colorspace="RGBA")
    except ValueError:  # anything odd: the long way says what it is
        return None
    return pixels if pixels.shape == (image.height, image.width, 4) else None
