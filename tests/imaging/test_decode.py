from __future__ import annotations

import io
import struct
import tracemalloc
import warnings
import zlib
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from PIL import Image, ImageCms

from lantern_kit.imaging.decode import MAX_PIXELS, decode, probe, read
from lantern_kit.imaging.picture import Picture, PictureFacts
from lantern_kit.kernel.errors import BadPicture
from tests.imaging.files import (
    ADOBE_TO_XYZ_D50,
    SRGB_TO_XYZ_D50,
    chunk,
    cmyk_profile,
    exif,
    grey_profile,
    lab_to_srgb,
    matrix_profile,
    png,
    save,
    srgb_of,
)

RNG = np.random.default_rng(7)
NOISE = RNG.integers(0, 256, (11, 17, 4), dtype=np.uint8)
RGBA = Image.fromarray(NOISE)
RGB = RGBA.convert("RGB")
FRAMES = [Image.fromarray(RNG.integers(0, 256, (9, 13, 3), dtype=np.uint8)) for _ in range(3)]
MORE = {"save_all": True, "append_images": FRAMES[1:]}
FILES = {
    "png": save(RGBA, "PNG"),
    "apng": save(FRAMES[0], "PNG", **MORE),
    "palette": save(RGB.convert("P"), "PNG", transparency=3),
    "jpeg": save(RGB, "JPEG", exif=exif(6)),
    "progressive": save(RGB, "JPEG", progressive=True),
    "webp": save(RGBA, "WEBP", lossless=True, exact=True),
    "lossy webp": save(RGBA, "WEBP"),
    "tiff": save(RGBA, "TIFF"),
    "lzw tiff": save(RGBA, "TIFF", compression="tiff_lzw"),
    "gif": save(FRAMES[0], "GIF", **MORE),
    "bmp": save(RGB, "BMP"),
    "avif": save(RGBA, "AVIF"),
}


def pixels(data: bytes) -> list[list[list[int]]]:
    return decode(data).pixels.tolist()


def refusal(data: bytes) -> BadPicture:
    with pytest.raises(BadPicture) as caught:
        read(data)
    error = caught.value
    assert error.code == "bad_picture"
    assert error.expected
    assert error.found
    assert error.recovery
    return error


def outcome(data: bytes) -> tuple[Picture, PictureFacts] | BadPicture:
    try:
        return read(data)
    except BadPicture as error:
        return error


# What is stored, and what it becomes


def test_rgb_and_rgba_pass_unchanged_and_unnoted() -> None:
    picture, facts = read(FILES["png"])
    assert (picture.pixels == NOISE).all()
    assert not picture.opaque
    assert facts.model_dump() == {
        "media": "image/png",
        "width": 17,
        "height": 11,
        "mode": "RGBA",
        "bits": 8,
        "alpha": True,
        "profile": "none",
        "orientation": 1,
        "bytes": len(FILES["png"]),
        "notes": (),
    }
    assert read(FILES["bmp"])[1].alpha is False
    assert decode(FILES["bmp"]).opaque


def test_a_picture_cannot_be_written_to() -> None:
    picture = decode(FILES["png"])
    assert picture.pixels.flags.c_contiguous
    with pytest.raises(ValueError, match="read-only"):
        picture.pixels[0, 0] = 0


def test_stored_alpha_that_is_opaque_everywhere_is_alpha_in_the_facts_and_an_opaque_picture() -> None:
    solid = NOISE.copy()
    solid[..., 3] = 255
    picture, facts = read(save(Image.fromarray(solid), "PNG"))
    assert facts.alpha
    assert picture.opaque


def test_grey_is_expanded() -> None:
    data = png(2, 1, 8, 0, b"\0\x10\xfe")
    assert pixels(data) == [[[16, 16, 16, 255], [254, 254, 254, 255]]]
    assert probe(data).notes == ("grey expanded to RGB",)


def test_grey_with_alpha_keeps_its_alpha() -> None:
    data = png(2, 1, 8, 4, b"\0\x10\x80\xfe\x00")
    assert pixels(data) == [[[16, 16, 16, 128], [254, 254, 254, 0]]]


def test_a_transparent_grey_level_becomes_alpha() -> None:
    data = png(2, 1, 8, 0, b"\0\x10\xfe", chunk(b"tRNS", b"\0\x10"))
    assert pixels(data) == [[[16, 16, 16, 0], [254, 254, 254, 255]]]
    assert "one colour made transparent" in probe(data).notes


def test_a_transparent_colour_becomes_alpha() -> None:
    data = png(2, 1, 8, 2, b"\0\x01\x02\x03\x01\x02\x04", chunk(b"tRNS", b"\0\x01\0\x02\0\x03"))
    assert pixels(data) == [[[1, 2, 3, 0], [1, 2, 4, 255]]]
    assert probe(data).alpha


def test_one_bit_is_black_and_white() -> None:
    data = png(3, 1, 1, 0, b"\0\xa0")
    assert pixels(data) == [[[255, 255, 255, 255], [0, 0, 0, 255], [255, 255, 255, 255]]]
    assert (probe(data).mode, probe(data).bits) == ("1", 1)
    keyed = png(3, 1, 1, 0, b"\0\xa0", chunk(b"tRNS", b"\0\x01"))
    assert [p[3] for p in pixels(keyed)[0]] == [0, 255, 0]


@pytest.mark.parametrize("depth", [1, 2, 4, 8])
def test_a_palette_with_alpha_is_expanded(depth: int) -> None:
    row = {1: b"\x40", 2: b"\x10", 4: b"\x01", 8: b"\x00\x01"}[depth]
    data = png(2, 1, depth, 3, b"\0" + row, chunk(b"PLTE", b"\x0a\x14\x1e\xff\x00\x80"), chunk(b"tRNS", b"\x40"))
    assert pixels(data) == [[[10, 20, 30, 64], [255, 0, 128, 255]]]
    facts = probe(data)
    assert (facts.mode, facts.bits, facts.alpha, facts.notes) == ("P", depth, True, ("palette expanded",))


def test_a_palette_with_one_transparent_index_is_expanded() -> None:
    picture = decode(FILES["palette"])
    stored = Image.open(io.BytesIO(FILES["palette"]))
    assert ((np.asarray(stored) == 3) == (picture.pixels[..., 3] == 0)).all()


def test_sixteen_bit_grey_is_rounded_to_eight() -> None:
    data = png(4, 1, 16, 0, b"\0" + struct.pack(">4H", 0, 128, 129, 65535))
    assert [p[0] for p in pixels(data)[0]] == [0, 0, 1, 255]  # 128 × 255 / 65535 = 0.498, 129: 0.502
    facts = probe(data)
    assert (facts.mode, facts.bits) == ("I;16", 16)
    assert "16 bits a channel reduced to 8" in facts.notes


def test_a_transparent_level_of_sixteen_bit_grey_is_compared_exactly() -> None:
    data = png(2, 1, 16, 0, b"\0" + struct.pack(">2H", 0x1234, 0x1235), chunk(b"tRNS", b"\x12\x34"))
    assert [p[3] for p in pixels(data)[0]] == [0, 255]


def test_sixteen_bit_rgb_is_reduced_and_says_so() -> None:
    data = png(1, 1, 16, 2, b"\0" + struct.pack(">3H", 0x0080, 0x80FF, 0xFFFF))
    assert pixels(data) == [[[0, 128, 255, 255]]]
    facts = probe(data)
    assert (facts.mode, facts.bits, facts.notes) == ("RGB", 16, ("16 bits a channel reduced to 8",))


def test_sixteen_bit_tiff_says_so() -> None:
    deep = Image.fromarray(np.array([[0, 65535]], np.uint16))
    facts = probe(save(deep, "TIFF"))
    assert facts.bits == 16
    assert "16 bits a channel reduced to 8" in facts.notes


def test_a_transparent_colour_of_sixteen_bit_rgb_becomes_alpha() -> None:
    rows = b"\0" + struct.pack(">6H", 0x1234, 0, 0xFFFF, 0x9934, 0, 0xFFFF)
    data = png(2, 1, 16, 2, rows, chunk(b"tRNS", struct.pack(">3H", 0x1234, 0, 0xFFFF)))
    assert [p[3] for p in pixels(data)[0]] == [0, 255]


def test_a_tiff_with_premultiplied_alpha_is_made_straight() -> None:
    image = Image.fromarray(np.array([[[100, 50, 20, 128], [9, 9, 9, 255]]], np.uint8))
    extra_samples = struct.pack("<HHI", 338, 3, 1)
    data = save(image, "TIFF").replace(extra_samples + b"\2", extra_samples + b"\1")  # associated alpha
    assert pixels(data) == [[[199, 99, 39, 128], [9, 9, 9, 255]]]


@pytest.mark.parametrize("dtype", [np.float32, np.int32])
def test_pixels_without_a_settled_meaning_are_refused(dtype: type) -> None:
    error = refusal(save(Image.fromarray(np.ones((2, 2), dtype)), "TIFF"))
    assert error.details["reason"] == "mode"


# Colour


def test_an_srgb_profile_leaves_every_level_alone() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()
    picture, facts = read(save(RGBA, "PNG", icc_profile=profile))
    assert (picture.pixels == NOISE).all()
    assert (facts.profile, facts.notes) == ("sRGB", ())


def test_a_profile_that_only_calls_itself_srgb_is_not_taken_at_its_word() -> None:
    profile = matrix_profile(SRGB_TO_XYZ_D50, 1.0, "sRGB")
    facts = probe(save(RGB, "PNG", icc_profile=profile))
    assert facts.profile == "unnamed RGB profile"
    assert facts.notes == ("converted from unnamed RGB profile to sRGB",)


def test_a_linear_profile_is_converted_by_the_standard_curve() -> None:
    profile = matrix_profile(SRGB_TO_XYZ_D50, 1.0, "Linear")
    levels = np.arange(256, dtype=np.uint8)
    image = Image.fromarray(np.stack([levels] * 3, axis=-1)[None])
    picture, facts = read(save(image, "PNG", icc_profile=profile))
    assert np.abs(picture.pixels[0, :, 0] - srgb_of(levels / 255)).max() <= 1.0
    assert picture.pixels[0, 128, 0] == 188
    assert (facts.profile, facts.notes) == ("Linear", ("converted from Linear to sRGB",))


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "P"])
def test_a_wide_gamut_is_converted_and_clipped(mode: str) -> None:
    profile = matrix_profile(ADOBE_TO_XYZ_D50, 563 / 256, "Adobe-like RGB")
    colours = np.array([[[120, 130, 140], [200, 100, 60], [10, 255, 10], [128, 128, 128]]], np.uint8)
    image = Image.fromarray(colours)
    image = image.convert("P", palette=Image.Palette.ADAPTIVE) if mode == "P" else image.convert(mode)
    if mode == "RGBA":
        image.putalpha(77)
    picture = decode(save(image, "PNG", icc_profile=profile))
    linear = (colours[0] / 255) ** (563 / 256) @ (np.linalg.inv(SRGB_TO_XYZ_D50) @ ADOBE_TO_XYZ_D50).T
    assert np.abs(picture.pixels[0, :, :3] - srgb_of(linear)).max() <= 1.5
    assert picture.pixels[0, 2, 0] == 0  # more saturated than sRGB can say
    assert (picture.pixels[..., 3] == (77 if mode == "RGBA" else 255)).all()


def test_a_grey_profile_is_converted() -> None:
    data = save(Image.fromarray(np.array([[0, 128, 255]], np.uint8)), "PNG", icc_profile=grey_profile(1.0, "Flat grey"))
    picture, facts = read(data)
    assert picture.pixels[0, :, 1].tolist() == [0, 188, 255]
    assert facts.profile == "Flat grey"


def test_grey_with_an_rgb_profile_is_read_as_rgb() -> None:
    profile = matrix_profile(SRGB_TO_XYZ_D50, 1.0, "Linear")
    data = save(Image.fromarray(np.array([[128]], np.uint8)), "PNG", icc_profile=profile)
    assert pixels(data) == [[[188, 188, 188, 255]]]
    assert probe(data).notes == ("grey expanded to RGB", "converted from Linear to sRGB")


def test_cmyk_goes_through_its_own_profile() -> None:
    inks = RNG.integers(60, 200, (2, 2, 2, 2, 3), dtype=np.uint8)
    inks[..., 1:] = RNG.integers(118, 139, (2, 2, 2, 2, 2))  # near grey, so that sRGB holds them all
    inks[0, 0, 0, 0] = (255, 128, 128)
    inks[1, 1, 1, 1] = (0, 128, 128)
    corners = np.indices((2, 2, 2, 2)).reshape(4, 16).T
    image = Image.frombytes("CMYK", (16, 1), (corners * 255).astype(np.uint8).tobytes())
    picture, facts = read(save(image, "TIFF", icc_profile=cmyk_profile(inks, "Test press")))
    for at, (c, m, y, k) in enumerate(corners):
        lightness, a, b = inks[c, m, y, k].astype(float)
        expected = lab_to_srgb(lightness * 100 / 255, a - 128, b - 128)
        assert np.abs(picture.pixels[0, at, :3] - expected).max() <= 2.0
    assert (facts.mode, facts.profile, facts.alpha) == ("CMYK", "Test press", False)
    assert facts.notes == ("converted from Test press to sRGB",)


def test_cmyk_without_a_profile_is_converted_plainly_and_says_that_it_is_approximate() -> None:
    image = Image.frombytes("CMYK", (3, 1), bytes([0, 0, 0, 0, 255, 0, 0, 0, 0, 0, 0, 255]))
    for data in (save(image, "TIFF"), save(image.resize((48, 16), 0), "JPEG", quality=100)):
        picture, facts = read(data)
        at = [0, picture.width // 2, picture.width - 1]
        found = picture.pixels[0, at, :3].astype(int)
        assert np.abs(found - [[255, 255, 255], [0, 255, 255], [0, 0, 0]]).max() <= 3
        assert "approximate" in facts.notes[0]


def test_lab_is_converted() -> None:
    image = Image.frombytes("LAB", (2, 1), bytes([128, 0, 0, 153, 20, 236]))  # a = b = 0; a = 20, b = -20
    picture, facts = read(save(image, "TIFF"))
    assert np.abs(picture.pixels[0, 0, :3] - lab_to_srgb(128 * 100 / 255, 0, 0)).max() <= 2
    assert np.abs(picture.pixels[0, 1, :3] - lab_to_srgb(60, 20, -20)).max() <= 2
    assert (facts.mode, facts.profile) == ("LAB", "Lab")


def test_a_profile_of_another_space_or_without_sense_is_ignored_and_noted() -> None:
    other = save(RGB, "PNG", icc_profile=grey_profile(1.0, "Flat grey"))
    assert probe(other).notes == ("colour profile for L ignored: the pixels are RGB",)
    broken = save(RGB, "PNG", icc_profile=b"not a profile")
    assert (probe(broken).profile, probe(broken).notes) == ("none", ("unreadable colour profile ignored",))
    assert (decode(other).pixels == decode(broken).pixels).all()


def test_an_srgb_chunk_says_srgb_and_a_foreign_gamma_is_noted() -> None:
    assert probe(png(1, 1, 8, 2, b"\0\1\2\3", chunk(b"sRGB", b"\0"))).profile == "sRGB"
    plain = probe(png(1, 1, 8, 2, b"\0\1\2\3", chunk(b"gAMA", struct.pack(">I", 45455))))
    assert (plain.profile, plain.notes) == ("none", ())
    linear = probe(png(1, 1, 8, 2, b"\0\1\2\3", chunk(b"gAMA", struct.pack(">I", 100000))))
    assert linear.notes == ("a gamma of 1 is stored and was not applied",)


# Turning, frames, names

# Where EXIF says row 0 and column 0 of the stored pixels belong; the picture below is 3 × 2 with levels 0 to 5.
UPRIGHT = {
    1: [[0, 1, 2], [3, 4, 5]],
    2: [[2, 1, 0], [5, 4, 3]],
    3: [[5, 4, 3], [2, 1, 0]],
    4: [[3, 4, 5], [0, 1, 2]],
    5: [[0, 3], [1, 4], [2, 5]],
    6: [[3, 0], [4, 1], [5, 2]],
    7: [[5, 2], [4, 1], [3, 0]],
    8: [[2, 5], [1, 4], [0, 3]],
}


@pytest.mark.parametrize("kind", ["PNG", "TIFF", "WEBP"])
@pytest.mark.parametrize("orientation", range(1, 9))
def test_an_exif_turn_is_undone(kind: str, orientation: int) -> None:
    image = Image.fromarray(np.arange(6, dtype=np.uint8).reshape(2, 3)).convert("RGB")
    options = {"lossless": True} if kind == "WEBP" else {}
    picture, facts = read(save(image, kind, exif=exif(orientation), **options))
    assert picture.pixels[..., 0].tolist() == UPRIGHT[orientation]
    assert picture.pixels.flags.c_contiguous
    assert (facts.width, facts.height) == (picture.width, picture.height)
    assert facts.orientation == orientation
    turned = f"turned upright (EXIF orientation {orientation})"
    assert facts.notes == (() if orientation == 1 else (turned,))


@pytest.mark.parametrize("kind", ["JPEG", "AVIF"])
def test_an_exif_turn_is_undone_in_lossy_formats(kind: str) -> None:
    half = np.zeros((16, 32, 3), np.uint8)
    half[:, 16:] = 255
    picture, facts = read(save(Image.fromarray(half), kind, exif=exif(6)))
    assert (facts.width, facts.height, facts.orientation) == (16, 32, 6)
    assert picture.pixels[:12, :, 0].max() < 40
    assert picture.pixels[20:, :, 0].min() > 215


def test_an_orientation_without_meaning_is_ignored_and_noted() -> None:
    facts = probe(save(RGB, "PNG", exif=exif(9)))
    assert (facts.orientation, facts.notes) == (1, ("an EXIF orientation without meaning was ignored",))


@pytest.mark.parametrize(
    ("kind", "options", "note"),
    [
        ("PNG", {}, "first of 3 frames taken"),
        ("WEBP", {"lossless": True}, "first of 3 frames taken"),
        ("TIFF", {}, "first of 3 pages taken"),
    ],
)
def test_of_several_frames_the_first_is_taken(kind: str, options: dict[str, bool], note: str) -> None:
    picture, facts = read(save(FRAMES[0], kind, **MORE, **options))
    assert (picture.pixels[..., :3] == np.asarray(FRAMES[0])).all()
    assert facts.notes == (note,)


def test_of_an_animated_gif_the_first_frame_is_taken() -> None:
    picture, facts = read(FILES["gif"])
    first = Image.open(io.BytesIO(FILES["gif"])).convert("RGBA")
    assert (picture.pixels == np.asarray(first)).all()
    assert facts.notes[0] == "first of 3 frames taken"


def test_a_name_that_does_not_match_the_bytes_is_noted_and_not_believed() -> None:
    facts = probe(FILES["jpeg"], name="panel.png")
    assert facts.media == "image/jpeg"
    assert "named .png, but the bytes are a JPEG" in facts.notes
    assert not [note for note in probe(FILES["jpeg"], name="panel.JPG").notes if "named" in note]


# Bad input


@pytest.mark.parametrize(
    ("data", "reason", "found"),
    [
        (b"", "empty", "0 bytes"),
        (b"hello, I am a picture", "not_a_picture", "text"),
        ("日本語の文章。".encode()[:-1], "not_a_picture", "text"),
        (bytes(range(128, 256)), "not_a_picture", "unknown bytes"),
        (b"<!DOCTYPE html><html></html>", "not_a_picture", "a web page"),
        (b'<?xml version="1.0"?>\n<svg xmlns="http://www.w3.org/2000/svg"/>', "unsupported", "an SVG drawing"),
        (b"\xef\xbb\xbf<svg/>", "unsupported", "an SVG drawing"),
        (b"%PDF-1.7\n", "unsupported", "a PDF"),
        (b"8BPS\0\1", "unsupported", "a Photoshop document"),
        (b"PK\x03\x04....", "unsupported", "a zip archive"),
        (b"PK\x03\x04".ljust(30, b"\0") + b"mimetypeapplication/x-krita", "unsupported", "a Krita document"),
        (b"PK\x03\x04".ljust(30, b"\0") + b"mimetypeimage/openraster", "unsupported", "an OpenRaster document"),
        (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "unsupported", "a HEIC picture"),
        (b"\0\0\0\x18ftypisom\0\0\0\0isomiso2", "not_a_picture", "a video or sound file"),
    ],
)
def test_what_is_no_picture_is_named_and_told_what_to_do(data: bytes, reason: str, found: str) -> None:
    error = refusal(data)
    assert (error.details["reason"], error.found) == (reason, found)


@pytest.mark.parametrize("kind", ["png", "jpeg", "webp", "tiff", "gif", "bmp", "avif"])
def test_half_a_picture_is_refused_as_truncated(kind: str) -> None:
    data = FILES[kind][: len(FILES[kind]) * 3 // 4] if kind != "gif" else FILES[kind][:600]
    error = refusal(data)
    assert error.details["reason"] == "truncated"
    assert error.found == f"{len(data):,} bytes"


@given(st.sampled_from(sorted(FILES)), st.integers(min_value=0))
@settings(max_examples=200, deadline=None)
def test_a_shortened_file_is_refused_or_gives_every_pixel(kind: str, length: int) -> None:
    whole, part = FILES[kind], FILES[kind][: length % len(FILES[kind])]
    made = outcome(part)
    if isinstance(made, BadPicture):
        assert made.recovery
    else:
        assert (made[0].pixels == decode(whole).pixels).all()


@given(
    st.sampled_from(sorted(FILES)),
    st.lists(st.tuples(st.integers(min_value=0), st.binary(max_size=6), st.integers(0, 6)), min_size=1, max_size=6),
)
@settings(max_examples=300, deadline=None)
def test_damaged_bytes_never_escape_as_anything_but_a_bad_picture(
    kind: str, edits: list[tuple[int, bytes, int]]
) -> None:
    data = FILES[kind]
    for at, new, gone in edits:
        at %= len(data) + 1
        data = data[:at] + new + data[at + gone :]
    made = outcome(data)
    if isinstance(made, BadPicture):
        reasons = {"empty", "not_a_picture", "unsupported", "truncated", "damaged", "too_large"}
        assert made.details["reason"] in reasons
        assert made.recovery
    else:
        picture, facts = made
        assert picture.pixels.shape == (facts.height, facts.width, 4)


def test_a_missing_end_is_noted_when_every_pixel_is_there() -> None:
    picture, facts = read(FILES["png"][:-12])
    assert (picture.pixels == NOISE).all()
    assert facts.notes == ("the end of the file is missing, but no pixel of this picture",)


def _gif(width: int, height: int) -> bytes:
    size = struct.pack("<HH", width, height)
    return b"GIF89a" + size + b"\0\0\0,\0\0\0\0" + size + b"\0\x02\x02\x4c\x01\0;"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (png(494_741, 1, 1, 0, b"\0"), "494,741 × 1 pixels"),
        (png(1, 65_501, 1, 0, b"\0"), "1 × 65,501 pixels"),
        (png(10_001, 10_000, 8, 2, b"\0"), "10,001 × 10,000 pixels"),
        (png(2**31 - 1, 2**31 - 1, 16, 6, b"\0"), f"{(2**31 - 1) ** 2:,} pixels"),
        (_gif(65_535, 65_535), f"{65_535**2:,} pixels"),
    ],
)
def test_a_bomb_is_refused_by_its_header(data: bytes, found: str) -> None:
    error = refusal(data)
    assert (error.details["reason"], error.found) == ("too_large", found)
    assert f"{MAX_PIXELS:,}" in str(error.expected)


def test_a_bomb_is_refused_without_being_unpacked() -> None:
    rows = zlib.compress(bytes(9_999), 9)  # far too few rows: unpacking them would say truncated instead
    data = b"".join(
        (
            b"\x89PNG\r\n\x1a\n",
            chunk(b"IHDR", struct.pack(">IIBBBBB", 11_000, 11_000, 8, 6, 0, 0, 0)),
            chunk(b"IDAT", rows),
            chunk(b"IEND", b""),
        )
    )
    tracemalloc.start()
    error = refusal(data)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert error.details["reason"] == "too_large"
    assert peak < 2_000_000


@pytest.mark.parametrize("kind", ["RGB", "RGBA", "CMYK", "16 bits", "profile", "turned"])
def test_a_large_picture_is_read_without_copies_of_its_size(kind: str) -> None:
    levels = np.full((1_500, 2_000, 4), 77, np.uint8)
    more: dict[str, bytes | Image.Exif] = {}
    if kind == "profile":
        more["icc_profile"] = matrix_profile(ADOBE_TO_XYZ_D50, 2.0, "Adobe-like")
    if kind == "turned":
        more["exif"] = exif(6)
    if kind == "16 bits":
        rows = (b"\0" + bytes(2_000 * 6)) * 1_500
        data = png(2_000, 1_500, 16, 2, rows)
    elif kind == "CMYK":
        data = save(Image.frombytes("CMYK", (2_000, 1_500), levels.tobytes()), "TIFF")
    else:
        shown = levels if kind == "RGBA" else levels[..., :3].copy()
        data = save(Image.fromarray(shown), "PNG", compress_level=1, **more)
    read(save(RGB, "PNG"))  # what is made once and for all
    tracemalloc.start()
    picture = read(data)[0]
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    size = picture.pixels.nbytes
    assert peak < (2 if kind == "turned" else 1) * size + (45_000_000 if kind == "16 bits" else 10_000_000)


def test_a_picture_that_pillow_would_warn_of_raises_no_warning(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", 100)
    with pytest.warns(Image.DecompressionBombWarning):
        Image.open(io.BytesIO(FILES["png"]))
    assert (decode(FILES["png"]).pixels == NOISE).all()


def test_reading_in_threads_leaves_the_warning_filters_as_they_were() -> None:
    before = list(warnings.filters)
    with ThreadPoolExecutor(4) as pool:
        read_back = list(pool.map(decode, [FILES["png"]] * 40))
    assert all((picture.pixels == NOISE).all() for picture in read_back)
    assert list(warnings.filters) == before


def test_the_same_bytes_always_give_the_same_pixels_and_facts() -> None:
    for data in FILES.values():
        first, second = read(data), read(data)
        assert first[0].pixels.tobytes() == second[0].pixels.tobytes()
        assert first[1] == second[1]
