"""Pictures made small enough to send."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from lantern_kit.imaging.picture import Picture
from lantern_kit.imaging.sendable import sendable
from lantern_kit.kernel.errors import BadInput


def noise(width: int, height: int, channels: int = 3) -> Picture:
    """What compresses worst."""
    pixels = np.random.default_rng(1).integers(0, 256, (height, width, channels), dtype=np.uint8)
    return Picture.of(pixels)


def test_a_picture_within_the_limits_is_sent_as_it_is() -> None:
    sent = sendable(noise(200, 100), max_edge=300, max_bytes=200_000)
    assert (sent.media, sent.width, sent.height, sent.reduced) == ("image/jpeg", 200, 100, False)
    assert Image.open(io.BytesIO(sent.data)).size == (200, 100)


def test_a_large_picture_is_scaled_to_the_longest_side() -> None:
    sent = sendable(noise(900, 300), max_edge=300, max_bytes=200_000)
    assert (sent.width, sent.height, sent.reduced) == (300, 100, True)


@pytest.mark.parametrize("exact", [True, False])
def test_bytes_are_kept_by_coarser_then_fewer_pixels(exact: bool) -> None:
    sent = sendable(noise(600, 600), max_edge=600, max_bytes=60_000, exact=exact)
    assert len(sent.data) <= 60_000
    assert sent.reduced
    assert sent.media == ("image/png" if exact else "image/jpeg")
    assert Image.open(io.BytesIO(sent.data)).size == (sent.width, sent.height)


def test_transparency_is_kept() -> None:
    sent = sendable(noise(50, 50, 4), max_edge=100, max_bytes=100_000)
    assert sent.media == "image/png"
    assert Image.open(io.BytesIO(sent.data)).mode == "RGBA"


def test_no_picture_is_small_enough_for_a_few_bytes() -> None:
    with pytest.raises(BadInput):
        sendable(noise(600, 600), max_edge=600, max_bytes=900)
