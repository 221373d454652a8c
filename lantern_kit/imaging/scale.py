"""Pictures in other sizes, for views and tiles."""

from __future__ import annotations

import numpy as np
from PIL import Image

from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput


def scaled(picture: Picture, width: int, height: int) -> Picture:
    """The picture at another size in pixels, by Lanczos (large reductions box-averaged first).

    Transparent pixels lend no colour to their neighbours.

    Raises:
        BadInput: a side below one pixel.
    """
    if width < 1 or height < 1:
        raise BadInput(
            "A picture is at least one pixel wide and high.", expected="1 × 1 or more", found=f"{width} × {height}"
        )
    if (width, height) == (picture.width, picture.height):
        return picture
    # Four bands by themselves would mix the colours under full transparency in, so Pillow premultiplies RGBA here.
    image = Image.fromarray(picture.pixels) if not picture.opaque else Image.fromarray(picture.pixels[..., :3].copy())
    small = image.resize((width, height), Image.Resampling.LANCZOS, reducing_gap=3.0)
    return Picture.of(np.asarray(small.convert("RGBA")), opaque=picture.opaque or None)


def fitted(picture: Picture, long_edge: int) -> Picture:
    """The picture with its longer side reduced to ``long_edge`` pixels; a smaller one stays as it is.

    Raises:
        BadInput: a long edge below one pixel.
    """
    if long_edge < 1:
        raise BadInput("A picture is at least one pixel long.", expected="1 or more", found=long_edge)
    longest = max(picture.width, picture.height)
    if longest <= long_edge:
        return picture
    return scaled(
        picture,
        max(1, (picture.width * long_edge * 2 + longest) // (2 * longest)),
        max(1, (picture.height * long_edge * 2 + longest) // (2 * longest)),
    )
