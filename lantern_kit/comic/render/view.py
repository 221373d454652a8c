"""Views: a rendered picture small enough to send, with the facts to act on what it shows."""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass

from pydantic import BaseModel, ConfigDict

from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.sendable import Sendable, sendable
from lantern_kit.kernel.ids import IdSource

MAX_EDGE = 1_568
"""Longest side of a view in pixels; hosts refuse or shrink what is larger."""
MAX_BYTES = 700_000
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
    picture = Picture(rendered.width, rendered.height, rendered.pixels, rendered.opaque)
    sent = sendable(picture, max_edge=MAX_EDGE, max_bytes=max_bytes, exact=exact)
    return View(_facts(rendered, sent, revision=revision, ids=ids), sent.data)


def _facts(rendered: Rendered, sent: Sendable, *, revision: str, ids: IdSource) -> ViewFacts:
    width, height = sent.width, sent.height
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
        media=sent.media,
        sha256=hashlib.sha256(sent.data).hexdigest(),
        bytes=len(sent.data),
        reduced=sent.reduced,
        missing=rendered.missing,
    )
