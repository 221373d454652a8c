"""Views: a rendered picture small enough to send, with the facts to act on what it shows."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.imaging.encode import encode_jpeg, encode_png
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.imaging.scale import scaled
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import IdSource

MAX_EDGE = 1_568
"""Longest side of a view in pixels; hosts refuse or shrink what is larger."""
MAX_BYTES = 700_000
QUALITIES = (85, 75, 62, 50)
SMALLEST_EDGE = 64
PREFIX = "vw"

Six = tuple[float, float, float, float, float, float]


class ViewFacts(BaseModel):
    """What a view shows, and how its pixels lie on the page. Lengths are millimetres."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    view: str
    """Id of this view."""
    revision: str
    """The revision that was drawn, as callers say it."""
    unit: str
    objects: dict[str, tuple[int, int, int, int]]
    """Objects that are seen, in the order of drawing, with left, top, right, bottom in the view's pixels."""
    width: int
    """Pixels."""
    height: int
    """Pixels."""
    visible: tuple[float, float, float, float]
    """The part of the page that is seen: x, y, width, height."""
    page_to_pixel: Six
    """a, b, c, d, e, f: pixel x = a·x + c·y + e, pixel y = b·x + d·y + f, of a point in millimetres."""
    pixel_to_page: Six
    """The way back, to millimetres."""
    media: str
    sha256: str
    """Of the encoded bytes."""
    bytes: int
    reduced: bool
    """Smaller or coarser than was asked for, to stay within the limits."""
    missing: tuple[str, ...]
    """Assets whose picture was not there: a hatched stand-in is drawn."""


@dataclass(frozen=True, eq=False)
class View:
    """An encoded picture of a unit and its facts."""

    facts: ViewFacts
    data: bytes


def make_view(
    rendered: Rendered, *, revision: str, ids: IdSource, max_bytes: int = MAX_BYTES, exact: bool = False
) -> View:
    """Encode a rendered unit for somebody to look at.

    Args:
        rendered: what was drawn.
        revision: the revision it shows.
        ids: makes the view's id.
        max_bytes: the encoded picture is made coarser, then smaller, until it is no longer than this.
        exact: keep every pixel (PNG) instead of JPEG. Pictures with transparency are PNG in any case.

    Raises:
        BadInput: ``max_bytes`` is too small for any picture.
    """
    lossless = exact or not rendered.opaque
    edge = max(rendered.width, rendered.height)
    factor = min(1.0, MAX_EDGE / edge)
    reduced = factor < 1
    while True:
        pixels = _resized(rendered, factor)
        for quality in (None,) if lossless else QUALITIES:
            data = encode_png(pixels) if quality is None else encode_jpeg(pixels, quality)
            if len(data) <= max_bytes:
                facts = _facts(rendered, pixels, data, revision=revision, ids=ids, png=lossless, reduced=reduced)
                return View(facts, data)
            reduced = True
        # A picture's bytes go with its area; a little more than that is taken off, so that one step is often enough.
        factor *= min(0.9, 0.95 * math.sqrt(max_bytes / len(data)))
        if edge * factor < SMALLEST_EDGE:
            raise BadInput(
                "no view is that small",
                expected=f"room for a picture of at least {SMALLEST_EDGE} pixels",
                found=f"{max_bytes} bytes",
                recovery="Allow more bytes, or look at a smaller part of the page.",
            )


def _resized(rendered: Rendered, factor: float) -> Pixels:
    if factor >= 1:
        return rendered.pixels
    picture = Picture(rendered.width, rendered.height, rendered.pixels, rendered.opaque)
    return scaled(picture, max(1, round(rendered.width * factor)), max(1, round(rendered.height * factor))).pixels


def _facts(
    rendered: Rendered, pixels: Pixels, data: bytes, *, revision: str, ids: IdSource, png: bool, reduced: bool
) -> ViewFacts:
    height, width = int(pixels.shape[0]), int(pixels.shape[1])
    across, down = width / rendered.width, height / rendered.height
    x, y, w, h = (length / 1_000 for length in rendered.visible)
    sx, sy = rendered.scale * 1_000 * across, rendered.scale * 1_000 * down
    return ViewFacts(
        view=ids.new(PREFIX),
        revision=revision,
        unit=rendered.unit,
        objects={
            item.id: (
                math.floor(item.pixels[0] * across),
                math.floor(item.pixels[1] * down),
                min(width, math.ceil(item.pixels[2] * across)),
                min(height, math.ceil(item.pixels[3] * down)),
            )
            for item in rendered.objects
        },
        width=width,
        height=height,
        visible=(round(x, 3), round(y, 3), round(w, 3), round(h, 3)),
        page_to_pixel=(sx, 0.0, 0.0, sy, -x * sx, -y * sy),
        pixel_to_page=(1 / sx, 0.0, 0.0, 1 / sy, x, y),
        media="image/png" if png else "image/jpeg",
        sha256=hashlib.sha256(data).hexdigest(),
        bytes=len(data),
        reduced=reduced,
        missing=rendered.missing,
    )
