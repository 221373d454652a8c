from __future__ import annotations

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image

from lantern_kit.imaging.decode import decode, probe
from lantern_kit.imaging.encode import encode_jpeg, encode_png, encode_webp
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.kernel.errors import BadInput

RNG = np.random.default_rng(11)
NOISE = RNG.integers(0, 256, (21, 33, 4), dtype=np.uint8)


@st.composite
def arrays(draw: st.DrawFn) -> Pixels:
    """Pictures of every small size, noisy, flat or mixed, with three or four channels."""
    height, width, channels = draw(st.tuples(st.integers(1, 40), st.integers(1, 40), st.sampled_from([3, 4])))
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    made = rng.integers(0, 256, (height, width, channels), dtype=np.uint8)
    flat = draw(st.integers(0, 3))
    if flat == 1:
        made[:] = made[0, 0]
    elif flat == 2:
        made[height // 2 :] = 255
    elif flat == 3 and channels == 4:
        made[..., 3] = 255
    return made


def rgba(pixels: Pixels) -> Pixels:
    return Picture.of(pixels).pixels


@given(arrays(), st.booleans(), st.none() | st.integers(1, 65_535))
@settings(max_examples=150, deadline=None)
def test_a_png_gives_back_every_pixel(pixels: Pixels, fast: bool, dpi: int | None) -> None:
    data = encode_png(pixels, fast=fast, dpi=dpi)
    assert (decode(data).pixels == rgba(pixels)).all()
    assert data == encode_png(pixels.copy(), fast=fast, dpi=dpi)


@given(arrays())
@settings(max_examples=60, deadline=None)
def test_a_lossless_webp_gives_back_every_pixel_even_under_full_transparency(pixels: Pixels) -> None:
    data = encode_webp(pixels)
    assert (decode(data).pixels == rgba(pixels)).all()
    assert data == encode_webp(pixels.copy())


@given(arrays(), st.integers(1, 100))
@settings(max_examples=60, deadline=None)
def test_a_jpeg_keeps_the_size_and_is_deterministic(pixels: Pixels, quality: int) -> None:
    opaque = pixels[..., :3]
    data = encode_jpeg(opaque, quality)
    picture = decode(data)
    assert picture.opaque
    assert (picture.height, picture.width) == pixels.shape[:2]
    assert data == encode_jpeg(rgba(opaque), quality)


def test_a_jpeg_stays_close_and_keeps_thin_coloured_lines() -> None:
    page = np.full((64, 64, 3), 255, np.uint8)
    page[:, 20:22] = (200, 0, 0)
    back = decode(encode_jpeg(page)).pixels[..., :3].astype(int)
    assert np.abs(back - page).mean() < 3
    assert back[30, 20, 0] - back[30, 20, 1] > 150  # halved colour would wash a thin red line out


def test_an_opaque_png_stores_no_alpha() -> None:
    assert probe(encode_png(rgba(NOISE[..., :3]))).mode == "RGB"
    assert probe(encode_png(NOISE)).mode == "RGBA"


@pytest.mark.parametrize("fast", [True, False])
def test_a_png_says_its_colour_space_and_resolution_to_other_readers(fast: bool) -> None:
    data = encode_png(NOISE, fast=fast, dpi=300)
    image = Image.open(io.BytesIO(data))
    image.load()
    assert image.info["srgb"] == 0
    assert image.info["dpi"] == pytest.approx((300, 300), abs=0.01)
    assert b"pHYs" + struct.pack(">IIB", 11811, 11811, 1) in data
    assert "dpi" not in Image.open(io.BytesIO(encode_png(NOISE, fast=fast))).info
    assert probe(data).profile == "sRGB"


def test_a_jpeg_says_its_resolution_to_other_readers() -> None:
    data = encode_jpeg(NOISE[..., :3], dpi=600)
    assert Image.open(io.BytesIO(data)).info["dpi"] == (600, 600)
    assert (decode(data).pixels == decode(encode_jpeg(NOISE[..., :3])).pixels).all()


def test_a_view_of_an_array_is_encoded_as_what_it_shows() -> None:
    turned = NOISE.swapaxes(0, 1)[::2, ::-1]
    assert (decode(encode_png(turned)).pixels == turned).all()
    assert (decode(encode_webp(turned)).pixels == turned).all()


def test_a_master_is_smaller_than_a_quick_png_of_a_smooth_picture() -> None:
    ramp = np.add.outer(np.arange(200), np.arange(300))
    smooth = np.stack([ramp % 256, ramp // 2 % 256, ramp // 3 % 256], axis=-1).astype(np.uint8)
    assert len(encode_png(smooth, fast=False)) < len(encode_png(smooth))


@pytest.mark.parametrize(
    "pixels",
    [
        NOISE.astype(np.float32),
        NOISE[..., 0],
        NOISE[..., :2],
        NOISE[:0],
    ],
)
def test_what_are_not_pixels_is_refused(pixels: Pixels) -> None:
    for encode in (encode_png, encode_jpeg, encode_webp):
        with pytest.raises(BadInput, match="pixels"):
            encode(pixels)


def test_a_jpeg_refuses_transparency_and_impossible_numbers() -> None:
    with pytest.raises(BadInput, match="transparency"):
        encode_jpeg(NOISE)
    for quality in (0, 101):
        with pytest.raises(BadInput, match="quality"):
            encode_jpeg(NOISE[..., :3], quality)
    for dpi in (0, 65_536):
        with pytest.raises(BadInput, match="resolution"):
            encode_jpeg(NOISE[..., :3], dpi=dpi)
        with pytest.raises(BadInput, match="resolution"):
            encode_png(NOISE, dpi=dpi)


def test_a_side_that_the_format_cannot_hold_is_refused() -> None:
    with pytest.raises(BadInput, match="WebP"):
        encode_webp(np.zeros((1, 16_384, 3), np.uint8))
    with pytest.raises(BadInput, match="JPEG"):
        encode_jpeg(np.zeros((65_501, 1, 3), np.uint8))
