"""Pictures in answers: within what hosts take, opaque ones as JPEG, the rest as PNG."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from lantern_kit.comic.render.view import MAX_BYTES, MAX_EDGE, ViewFacts
from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.sendable import sendable
from lantern_kit.kernel import capability

DEFAULT_EDGE = 1_024

Edge = Annotated[int, Field(ge=64, le=MAX_EDGE, description=f"pixels of the longer side, at most {MAX_EDGE}")]


def fitting(picture: Picture, edge: int) -> tuple[capability.Picture, dict[str, Any]]:
    """A picture for an answer, and what became of it."""
    sent = sendable(picture, max_edge=edge, max_bytes=MAX_BYTES)
    facts = {
        "size": [sent.width, sent.height],
        "of": [picture.width, picture.height],
        "media": sent.media,
        "bytes": len(sent.data),
        "reduced": sent.reduced,
    }
    return capability.Picture(sent.data, sent.media), facts


def viewed(facts: ViewFacts) -> dict[str, Any]:
    """How a view's pixels lie on the page, in millimetres, and what was sent."""
    return {
        "view": facts.view,
        "size": [facts.width, facts.height],
        "visible": [round(part, 2) for part in facts.visible],
        "page_to_pixel": [_short(part) for part in facts.page_to_pixel],
        "pixel_to_page": [_short(part) for part in facts.pixel_to_page],
        "media": facts.media,
        "bytes": facts.bytes,
        "sha256": facts.sha256,
        "reduced": facts.reduced,
    }


def _short(value: float) -> float:
    return float(f"{value:.6g}") + 0.0  # no -0.0
