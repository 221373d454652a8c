from __future__ import annotations

import io
import struct
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from lantern_kit.imaging.decode import decode, probe
from lantern_kit.imaging.encode import encode_jpeg, encode_png, encode_tiff, encode_webp
from lantern_kit.imaging.picture import Picture, Pixels
from lantern_kit.imaging.profile import grey_profile, srgb_profile
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
        NOISE[..., 0].astype(np.int16),
        NOISE[..., :2],
        NOISE[:0],
        NOISE[:0, :, 0],
    ],
)
def test_what_are_not_pixels_is_refused(pixels: Pixels) -> None:
    for encode in (encode_png, encode_jpeg, encode_webp, encode_tiff):
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
        for encode in (encode_png, encode_tiff, encode_webp):
            with pytest.raises(BadInput, match="resolution"):
                encode(NOISE, dpi=dpi)


def test_a_side_that_the_format_cannot_hold_is_refused() -> None:
    with pytest.raises(BadInput, match="WebP"):
        encode_webp(np.zeros((1, 16_384, 3), np.uint8))
    with pytest.raises(BadInput, match="JPEG"):
        encode_jpeg(np.zeros((65_501, 1, 3), np.uint8))


@given(arrays(), st.sampled_from(["colour", "grey", "bilevel"]), st.booleans())
@settings(max_examples=60, deadline=None)
def test_a_tiff_gives_back_every_pixel(pixels: Pixels, kind: str, lzw: bool) -> None:
    stored: Any = {"colour": pixels, "grey": pixels[..., 0], "bilevel": pixels[..., 0] > 127}[kind]
    data = encode_tiff(stored, lzw=lzw, dpi=600)
    levels: Any = stored.astype(np.uint8) * np.uint8(255 if kind == "bilevel" else 1)
    expected = rgba(levels if kind == "colour" else np.stack([levels] * 3, axis=-1))
    assert (decode(data).pixels == expected).all()
    assert data == encode_tiff(stored.copy(), lzw=lzw, dpi=600)


@pytest.mark.parametrize("lzw", [False, True])
def test_a_tiff_says_its_colour_space_resolution_and_packing_to_other_readers(lzw: bool) -> None:
    for pixels, mode in ((NOISE, "RGBA"), (NOISE[..., :3], "RGB"), (NOISE[..., 0], "L"), (NOISE[..., 0] > 9, "1")):
        image = Image.open(io.BytesIO(encode_tiff(pixels, dpi=1200, lzw=lzw)))
        packing = "group4" if mode == "1" else "tiff_lzw" if lzw else "tiff_adobe_deflate"
        assert (image.mode, image.info["compression"], image.info["dpi"]) == (mode, packing, (1200, 1200))
        assert ("icc_profile" in image.info) == (mode != "1")
    assert probe(encode_tiff(NOISE)).profile == probe(encode_tiff(NOISE[..., 0])).profile == "sRGB"


def test_a_webp_says_its_colour_space_and_resolution_to_other_readers() -> None:
    data = encode_webp(NOISE, dpi=300)
    exif = Image.open(io.BytesIO(data)).getexif()
    assert (exif[282], exif[283], exif[296]) == (300, 300, 2)
    assert (decode(data).pixels == NOISE).all()
    assert probe(data).profile == probe(encode_webp(NOISE)).profile == "sRGB"
    assert not Image.open(io.BytesIO(encode_webp(NOISE))).getexif()


def test_the_profiles_are_those_of_srgb_to_littlecms() -> None:
    theirs = ImageCms.createProfile("sRGB")
    levels = np.random.default_rng(3).integers(0, 256, (40, 50, 3), dtype=np.uint8)
    for mode, profile, image in (
        ("RGB", srgb_profile(), Image.fromarray(levels)),
        ("L", grey_profile(), Image.fromarray(np.arange(256, dtype=np.uint8)[None])),
    ):
        ours = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        made = ImageCms.applyTransform(image, ImageCms.buildTransform(ours, theirs, mode, "RGB"))
        assert made is not None
        assert np.abs(np.asarray(made).astype(int) - np.asarray(image.convert("RGB"))).max() <= 1


def test_a_grey_png_is_stored_as_grey_and_black_and_white_in_one_bit() -> None:
    for pixels, mode, bits in ((NOISE[..., 0], "L", 8), (NOISE[..., 0] > 127, "1", 1)):
        data = encode_png(pixels, dpi=600)
        assert (probe(data).mode, probe(data).bits) == (mode, bits)
        assert (decode(data).pixels[..., 0] == pixels.astype(np.uint8) * (255 if bits == 1 else 1)).all()
