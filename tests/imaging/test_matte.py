from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageCms

from lantern_kit.imaging.encode import encode_png
from lantern_kit.imaging.matte import check_foreground, is_lossless_webp
from lantern_kit.imaging.picture import Pixels
from lantern_kit.kernel.errors import BadPicture
from tests.imaging.files import ADOBE_TO_XYZ_D50, SRGB_TO_XYZ_D50, exif, matrix_profile, save

RNG = np.random.default_rng(5)
SOURCE = RNG.integers(20, 230, (30, 40, 3), dtype=np.uint8)
SOURCE_PNG = encode_png(SOURCE)


def cut_out() -> Pixels:
    """Opaque in columns 10-19 of rows 5-24, half transparent in column 20, clear elsewhere."""
    matte = np.zeros((30, 40, 4), np.uint8)
    matte[..., :3] = SOURCE
    matte[5:25, 10:20, 3] = 255
    matte[5:25, 20, 3] = 128
    return matte


def refusal(source: bytes, matte: bytes) -> BadPicture:
    with pytest.raises(BadPicture) as caught:
        check_foreground(source, matte)
    assert caught.value.expected
    assert caught.value.found
    assert caught.value.recovery
    return caught.value


def webp(pixels: Pixels, *, lossless: bool) -> bytes:
    return save(Image.fromarray(pixels), "WEBP", lossless=lossless, exact=True)


@pytest.mark.parametrize("kind", ["image/png", "image/webp"])
def test_a_true_foreground_passes_with_its_figures(kind: str) -> None:
    matte = encode_png(cut_out()) if kind == "image/png" else webp(cut_out(), lossless=True)
    report = check_foreground(SOURCE_PNG, matte)
    assert report.media == kind
    assert (report.width, report.height) == (40, 30)
    assert report.subject == (10, 5, 21, 25)
    assert report.solid == pytest.approx(200 / 1200)
    assert report.soft == pytest.approx(20 / 1200)
    assert (report.redrawn, report.worst, report.redrawn_box) == (0.0, 0, None)


def test_a_redrawn_subject_is_measured_and_located() -> None:
    matte = cut_out()
    matte[8:12, 11:16, :3] ^= 0x80
    report = check_foreground(SOURCE_PNG, encode_png(matte))
    assert report.redrawn == pytest.approx(20 / 200)
    assert report.redrawn_box == (11, 8, 16, 12)
    assert report.worst == 128


def test_what_two_decoders_may_disagree_by_is_not_redrawing() -> None:
    matte = cut_out()
    matte[..., :3] += 4
    assert check_foreground(SOURCE_PNG, encode_png(matte)).redrawn == 0
    matte[..., 1] += 1
    assert check_foreground(SOURCE_PNG, encode_png(matte)).redrawn == 1


def test_colours_under_transparency_are_free() -> None:
    matte = cut_out()
    matte[matte[..., 3] < 255, :3] = 0
    report = check_foreground(SOURCE_PNG, encode_png(matte))
    assert (report.redrawn, report.worst) == (0.0, 0)


def test_a_lossy_webp_and_other_formats_are_refused() -> None:
    error = refusal(SOURCE_PNG, webp(cut_out(), lossless=False))
    assert (error.details["reason"], error.found) == ("format", "lossy image/webp")
    error = refusal(SOURCE_PNG, save(Image.fromarray(cut_out()), "TIFF"))
    assert (error.details["reason"], error.found) == ("format", "image/tiff")


def test_lossless_webp_is_told_by_its_chunks() -> None:
    lossless, lossy = (webp(cut_out(), lossless=lossless) for lossless in (True, False))
    assert b"VP8X" in lossy
    assert is_lossless_webp(lossless)
    assert not is_lossless_webp(lossy)
    frames = {"save_all": True, "append_images": [Image.fromarray(cut_out()[::-1].copy())]}
    assert is_lossless_webp(save(Image.fromarray(cut_out()), "WEBP", lossless=True, **frames))
    assert not is_lossless_webp(save(Image.fromarray(cut_out()), "WEBP", **frames))
    assert not is_lossless_webp(b"RIFF\x04\0\0\0WEBP")
    # A profile that happens to contain the letters of the other chunk changes nothing.
    assert not is_lossless_webp(save(Image.fromarray(cut_out()), "WEBP", xmp=b"VP8L" * 9))


def test_another_size_is_refused_even_by_one_pixel() -> None:
    error = refusal(SOURCE_PNG, encode_png(cut_out()[:, :-1]))
    assert (error.details["reason"], error.expected, error.found) == ("size", "40 × 30 pixels", "39 × 30 pixels")


def test_the_size_compared_is_the_upright_one() -> None:
    stored = Image.fromarray(np.ascontiguousarray(np.rot90(SOURCE, 1)))
    turned = save(stored, "PNG", exif=exif(6))  # lies on its side, and says so
    assert check_foreground(turned, encode_png(cut_out())).redrawn == 0


@pytest.mark.parametrize(
    ("alpha", "found"),
    [
        (None, "no alpha"),
        (255, "no fully transparent pixel"),
        (128, "no fully transparent pixel"),
        (0, "no visible pixel"),
    ],
)
def test_a_foreground_without_real_alpha_is_refused(alpha: int | None, found: str) -> None:
    matte = cut_out()
    matte[..., 3] = alpha or 0
    data = save(Image.fromarray(matte if alpha is not None else SOURCE), "PNG")
    error = refusal(SOURCE_PNG, data)
    assert (error.details["reason"], error.found) == ("alpha", found)


def test_another_colour_space_is_refused() -> None:
    wide = matrix_profile(ADOBE_TO_XYZ_D50, 563 / 256, "Adobe-like RGB")
    source = save(Image.fromarray(SOURCE), "PNG", icc_profile=wide)
    error = refusal(source, encode_png(cut_out()))
    assert (error.details["reason"], error.expected, error.found) == ("colour_space", "Adobe-like RGB", "sRGB")
    kept = save(Image.fromarray(cut_out()), "PNG", icc_profile=wide)
    report = check_foreground(source, kept)
    assert (report.profile, report.redrawn, report.worst) == ("Adobe-like RGB", 0.0, 0)
    other = matrix_profile(SRGB_TO_XYZ_D50, 1.0, "Linear")
    assert refusal(source, save(Image.fromarray(cut_out()), "PNG", icc_profile=other)).found == "Linear"


def test_srgb_with_and_without_its_profile_are_one_space() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    source = save(Image.fromarray(SOURCE), "PNG", icc_profile=profile)
    assert check_foreground(source, save(Image.fromarray(cut_out()), "PNG")).redrawn == 0


def test_a_cmyk_source_has_no_foreground_in_its_own_colour_space() -> None:
    error = refusal(save(Image.fromarray(SOURCE).convert("CMYK"), "TIFF"), encode_png(cut_out()))
    assert error.details["reason"] == "colour_space"
    assert "sRGB copy" in error.recovery


def test_a_jpeg_source_and_its_png_foreground_agree_exactly() -> None:
    source = save(Image.fromarray(SOURCE), "JPEG", quality=80)
    matte = cut_out()
    with Image.open(io.BytesIO(source)) as image:
        matte[..., :3] = np.asarray(image.convert("RGB"))
    assert check_foreground(source, encode_png(matte)).worst == 0


def test_a_broken_picture_is_refused_for_what_it_is() -> None:
    assert refusal(SOURCE_PNG, encode_png(cut_out())[:200]).details["reason"] == "truncated"
    assert refusal(b"", encode_png(cut_out())).details["reason"] == "empty"
