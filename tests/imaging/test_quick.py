"""The short way for plain JPEG files against the long one, which stays the judge."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image, ImageCms

from lantern_kit.imaging import decode as room
from lantern_kit.imaging.decode import decode, read
from lantern_kit.kernel.errors import BadPicture
from tests.imaging.files import exif, save


def noise(width: int, height: int, seed: int = 0) -> Image.Image:
    levels = np.random.default_rng(seed).integers(0, 256, (height // 3 + 1, width // 3 + 1, 3), dtype=np.uint8)
    return Image.fromarray(levels.repeat(3, axis=0).repeat(3, axis=1)[:height, :width])


@given(
    st.integers(1, 70),
    st.integers(1, 70),
    st.sampled_from(["4:4:4", "4:2:2", "4:2:0"]),
    st.sampled_from([1, 40, 75, 92, 100]),
    st.sampled_from([{}, {"progressive": True}, {"optimize": True}, {"restart_marker_blocks": 3}, {"keep_rgb": True}]),
    st.integers(1, 8),
)
def test_both_ways_give_the_same_pixels(
    width: int, height: int, subsampling: str, quality: int, options: dict[str, Any], turn: int
) -> None:
    if "keep_rgb" in options:
        subsampling = "4:4:4"
    data = save(
        noise(width, height, quality), "JPEG", quality=quality, subsampling=subsampling, exif=exif(turn), **options
    )
    quick, (long, facts) = room._quick(data), read(data)
    assert quick is not None
    assert np.array_equal(quick.pixels, long.pixels)
    assert (quick.width, quick.height, quick.opaque) == (facts.width, facts.height, True)
    assert not quick.pixels.flags.writeable
    assert quick.pixels.flags.c_contiguous


def test_an_srgb_profile_goes_the_short_way_and_another_the_long_one() -> None:
    srgb = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    plain = save(noise(30, 20), "JPEG", icc_profile=srgb)
    assert room._quick(plain) is not None
    assert np.array_equal(decode(plain).pixels, read(plain)[0].pixels)
    lab = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    ignored = save(noise(30, 20), "JPEG", icc_profile=lab)
    assert np.array_equal(decode(ignored).pixels, read(ignored)[0].pixels)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff\xd8\xff",
        save(noise(20, 20).convert("L"), "JPEG"),
        save(noise(20, 20).convert("CMYK"), "JPEG"),
        save(noise(20, 20), "PNG"),
        save(noise(20, 20), "JPEG")[:-40],
        save(noise(20, 20), "JPEG")[:300],
    ],
)
def test_whatever_is_not_plain_goes_the_long_way(data: bytes) -> None:
    assert room._quick(data) is None


@given(st.integers(0, 10_000), st.integers(0, 255))
def test_damage_is_judged_by_the_long_way_or_gives_what_it_gives(at: int, value: int) -> None:
    data = bytearray(save(noise(40, 40), "JPEG"))
    data[at % len(data)] = value
    try:
        long = read(bytes(data))[0]
    except BadPicture:
        long = None
    quick = room._quick(bytes(data))
    if quick is not None and long is not None:
        assert np.array_equal(quick.pixels, long.pixels)
