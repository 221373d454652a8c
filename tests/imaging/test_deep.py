"""Pictures of 16 bits a channel, against the numbers they were made of and the textbook's way to sRGB."""

from __future__ import annotations

import io
import struct
import zlib
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageCms

from lantern_kit.imaging.decode import decode, read
from lantern_kit.imaging.profile import srgb_profile
from lantern_kit.imaging.shaper import shaper
from lantern_kit.kernel.errors import BadPicture
from tests.imaging.files import (
    ADOBE_TO_XYZ_D50,
    SRGB_TO_XYZ_D50,
    chunk,
    grey_profile,
    lab_to_srgb,
    matrix_profile,
    png,
    save,
    srgb_of,
)

Levels = NDArray[np.uint16]
NOISE: Levels = np.random.default_rng(5).integers(0, 65_536, (9, 14, 4), dtype=np.uint16)
COLOUR_TYPES = {1: 0, 2: 4, 3: 2, 4: 6}


def nearest(levels: Any) -> Any:
    return np.floor(np.asarray(levels).astype(float) * 255 / 65_535 + 0.5).astype(np.uint8)


def deep_png(levels: Levels, *extra: bytes) -> bytes:
    height, width, channels = levels.shape
    rows = b"".join(b"\0" + row.astype(">u2").tobytes() for row in levels)
    return png(width, height, 16, COLOUR_TYPES[channels], rows, *extra)


def tiff(
    levels: NDArray[Any],
    *,
    order: str = "<",
    packing: int = 1,
    photometric: int = 2,
    alpha: int | None = None,
    bits: int = 16,
    raw: bytes | None = None,
    icc: bytes = b"",
    orientation: int = 1,
) -> bytes:
    """A TIFF of one strip, by the book (TIFF 6.0); ``packing`` 8 is deflate."""
    height, width, channels = levels.shape
    body = levels.astype(f"{order}u2").tobytes() if raw is None else raw
    body = zlib.compress(body) if packing == 8 else body
    body += bytes(len(body) % 2)
    more = 8 + len(body)
    depths = struct.pack(f"{order}{channels}H", *[bits] * channels)
    entries: list[tuple[int, int, int, bytes]] = [
        (256, 3, 1, struct.pack(f"{order}HH", width, 0)),
        (257, 3, 1, struct.pack(f"{order}HH", height, 0)),
        (258, 3, channels, struct.pack(f"{order}I", more) if channels > 2 else depths.ljust(4, b"\0")),
        (259, 3, 1, struct.pack(f"{order}HH", packing, 0)),
        (262, 3, 1, struct.pack(f"{order}HH", photometric, 0)),
        (273, 4, 1, struct.pack(f"{order}I", 8)),
        (274, 3, 1, struct.pack(f"{order}HH", orientation, 0)),
        (277, 3, 1, struct.pack(f"{order}HH", channels, 0)),
        (278, 3, 1, struct.pack(f"{order}HH", height, 0)),
        (279, 4, 1, struct.pack(f"{order}I", len(body))),
    ]
    if alpha is not None:
        entries.append((338, 3, 1, struct.pack(f"{order}HH", alpha, 0)))
    if icc:
        entries.append((34675, 7, len(icc), struct.pack(f"{order}I", more + len(depths))))
    start = more + len(depths) + len(icc) + len(icc) % 2
    head = (b"II*\0" if order == "<" else b"MM\0*") + struct.pack(f"{order}I", start)
    table = b"".join(struct.pack(f"{order}HHI", tag, kind, count) + value for tag, kind, count, value in entries)
    return head + body + depths + icc + bytes(len(icc) % 2) + struct.pack(f"{order}H", len(entries)) + table + bytes(4)


@pytest.mark.parametrize("channels", [1, 2, 3, 4])
def test_a_deep_png_is_rounded_to_the_nearest_level(channels: int) -> None:
    levels = NOISE[..., :channels]
    picture, facts = read(deep_png(levels))
    colours = nearest(levels[..., : 3 if channels > 2 else 1])
    assert np.array_equal(picture.pixels[..., :3], np.broadcast_to(colours, (*colours.shape[:2], 3)))
    assert np.array_equal(
        picture.pixels[..., 3], nearest(levels[..., -1]) if channels in (2, 4) else np.full((9, 14), 255)
    )
    assert (facts.bits, facts.notes[0]) == (16, "16 bits a channel reduced to 8")


@pytest.mark.parametrize("packing", [1, 8])
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("channels", [1, 3, 4])
def test_a_deep_tiff_is_rounded_to_the_nearest_level(channels: int, order: str, packing: int) -> None:
    levels = NOISE[..., :channels]
    data = tiff(
        levels, order=order, packing=packing, photometric=1 if channels == 1 else 2, alpha=2 if channels == 4 else None
    )
    picture = decode(data)
    colours = nearest(levels[..., :3])
    assert np.array_equal(picture.pixels[..., :3], np.broadcast_to(colours, (9, 14, 3)))
    assert picture.opaque == (channels != 4)
    if channels == 4:
        assert np.array_equal(picture.pixels[..., 3], nearest(levels[..., 3]))


@pytest.mark.parametrize("order", ["<", ">"])
def test_a_deep_tiff_with_premultiplied_alpha_is_divided_with_all_its_bits(order: str) -> None:
    levels = np.array([[[100, 50, 20, 500], [300, 257, 1, 300], [0, 0, 0, 0], [65_535, 30_000, 7, 65_535]]], np.uint16)
    picture = decode(tiff(levels, order=order, alpha=1))
    straight = levels[..., :3] / np.maximum(levels[..., 3:], 1)
    assert np.abs(picture.pixels[..., :3] - 255 * straight).max() <= 0.51
    assert picture.pixels[0, :, 3].tolist() == [2, 1, 0, 255]


def test_deep_cmyk_is_rounded_and_converted_as_eight_bits_are() -> None:
    levels = (NOISE // 257 * 257).astype(np.uint16)
    shallow = Image.frombytes("CMYK", (14, 9), nearest(levels).tobytes())
    assert np.array_equal(decode(tiff(levels, photometric=5)).pixels, decode(save(shallow, "TIFF")).pixels)


@pytest.mark.parametrize("bits", [8, 16])
def test_greys_whose_zero_is_white_are_turned_round(bits: int) -> None:
    levels = np.array([[[0], [65_535], [257 * 40]]], np.uint16)
    raw = None if bits == 16 else nearest(levels).tobytes()
    assert decode(tiff(levels, photometric=0, bits=bits, raw=raw)).pixels[0, :, 1].tolist() == [255, 0, 215]


def test_twelve_bits_of_grey_are_spread_over_all_levels() -> None:
    values = [0, 4_095, 2_048, 16]
    packed = b"".join(
        bytes((a >> 4, (a & 15) << 4 | b >> 8, b & 255)) for a, b in zip(values[::2], values[1::2], strict=True)
    )
    picture, facts = read(tiff(np.zeros((1, 4, 1)), photometric=1, bits=12, raw=packed))
    assert picture.pixels[0, :, 0].tolist() == [round(value * 255 / 4_095) for value in values]
    assert (facts.bits, facts.notes[0]) == (12, "12 bits a channel reduced to 8")


def test_a_transparent_colour_is_told_from_its_neighbour_by_the_lowest_bit() -> None:
    levels = np.array([[[0x1234, 0, 0xFFFF], [0x1235, 0, 0xFFFF]]], np.uint16)
    data = deep_png(levels, chunk(b"tRNS", struct.pack(">3H", 0x1234, 0, 0xFFFF)))
    assert decode(data).pixels[0, :, 3].tolist() == [0, 255]


def iccp(profile: bytes) -> bytes:
    return chunk(b"iCCP", b"profile\0\0" + zlib.compress(profile))


@pytest.mark.parametrize(
    ("primaries", "gamma"), [(SRGB_TO_XYZ_D50, 1.0), (ADOBE_TO_XYZ_D50, 563 / 256), (ADOBE_TO_XYZ_D50, 1.0)]
)
@pytest.mark.parametrize("kind", ["png", "tiff"])
def test_deep_colours_go_to_srgb_with_all_their_bits(kind: str, primaries: NDArray[np.float64], gamma: float) -> None:
    levels = NOISE[..., :3].copy()
    levels[0] = np.arange(14)[:, None] * 40  # shadows: all of them are the same eight bits of light
    profile = matrix_profile(primaries, gamma, "Working space")
    data = deep_png(levels, iccp(profile)) if kind == "png" else tiff(levels, icc=profile, packing=8)
    picture, facts = read(data)
    light = (levels / 65_535) ** (round(gamma * 256) / 256) @ (np.linalg.inv(SRGB_TO_XYZ_D50) @ primaries).T
    assert np.abs(picture.pixels[..., :3] - srgb_of(light)).max() <= 0.6
    assert facts.profile == "Working space"
    if gamma == 1.0 and primaries is SRGB_TO_XYZ_D50:
        assert len(np.unique(picture.pixels[0, :, 0])) > 8


def test_deep_greys_go_to_srgb_with_all_their_bits() -> None:
    levels = np.array([[[value] for value in (0, 10, 60, 200, 800, 3_000, 20_000, 65_535)]], np.uint16)
    for gamma in (1.0, 2.2):
        data = deep_png(levels, iccp(grey_profile(gamma, "Grey")))
        light = (levels[..., 0] / 65_535) ** (round(gamma * 256) / 256)
        assert np.abs(decode(data).pixels[..., 1] - srgb_of(light)).max() <= 0.55


def test_eight_bit_greys_of_gamma_2_2_are_converted() -> None:
    levels = np.arange(256, dtype=np.uint8)[None]
    data = save(Image.fromarray(levels), "PNG", icc_profile=grey_profile(2.2, "Grey 2.2"))
    assert np.abs(decode(data).pixels[..., 0] - srgb_of((levels / 255) ** (563 / 256))).max() <= 1.1


def test_deep_grey_with_a_profile_for_colours_is_read_as_colours() -> None:
    levels = np.array([[[257 * 128], [300]]], np.uint16)
    data = deep_png(levels, iccp(matrix_profile(SRGB_TO_XYZ_D50, 1.0, "Linear")))
    assert np.abs(decode(data).pixels[0, :, :3] - srgb_of(levels[0] / 65_535)).max() <= 0.6


def test_deep_colours_that_are_srgb_already_are_only_rounded() -> None:
    levels = NOISE[..., :3]
    picture, facts = read(deep_png(levels, iccp(srgb_profile())))
    assert np.array_equal(picture.pixels[..., :3], nearest(levels))
    assert facts.profile == "sRGB"


def curves() -> list[bytes]:
    """A curve of every kind that profiles have (ICC.1:2022, 10.6 and 10.18)."""

    def parametric(kind: int, *numbers: float) -> bytes:
        return b"para" + bytes(4) + struct.pack(f">HH{len(numbers)}i", kind, 0, *(round(n * 65_536) for n in numbers))

    table = [round(65_535 * (step / 99) ** 1.8) for step in range(100)]
    return [
        b"curv" + bytes(4) + struct.pack(">I", 0),
        b"curv" + bytes(4) + struct.pack(">IH", 1, 461),
        b"curv" + bytes(4) + struct.pack(">I100H", 100, *table),
        parametric(0, 2.2),
        parametric(1, 2.4, 1 / 1.1, 0.1 / 1.1),
        parametric(2, 2.4, 0.9, 0.1, 0.02),
        parametric(3, 2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045),
        parametric(4, 2.4, 0.94, 0.05, 0.08, 0.04, 0.002, 0.001),
    ]


@pytest.mark.parametrize("number", range(8))
def test_every_kind_of_curve_gives_what_littlecms_gives(number: int) -> None:
    plain = matrix_profile(ADOBE_TO_XYZ_D50, 1.0, "Curved")
    old = b"curv" + bytes(4) + struct.pack(">IH", 1, 256)
    curve = curves()[number]
    # The three curves lie at the end of no other tag: each entry of the table is pointed at one new curve instead.
    start = len(plain)
    table = plain.index(b"rTRC")
    changed = bytearray(plain + curve + bytes(-len(curve) % 4))
    for place in range(3):
        assert changed[table + 12 * place + 1 : table + 12 * place + 4] == b"TRC"
        changed[table + 12 * place + 4 : table + 12 * place + 12] = struct.pack(">II", start, len(curve))
    changed[:4] = struct.pack(">I", len(changed))
    assert old in plain
    profile = bytes(changed)
    levels = np.random.default_rng(number).integers(0, 256, (20, 30, 3), dtype=np.uint8)
    theirs = ImageCms.buildTransform(
        ImageCms.ImageCmsProfile(io.BytesIO(profile)), ImageCms.createProfile("sRGB"), "RGB", "RGB",
        renderingIntent=ImageCms.Intent.RELATIVE_COLORIMETRIC,
    )  # fmt: skip
    expected = ImageCms.applyTransform(Image.fromarray(levels), theirs)
    ours = shaper(profile)
    assert ours is not None
    assert expected is not None
    made = ours.applied(levels.astype(np.uint16) * 257)
    assert np.abs(made.astype(int) - np.asarray(expected)).max() <= 1


@pytest.mark.parametrize("icc", [b"", b"no profile at all", bytes(200), grey_profile(1.0, "g")[:150]])
def test_what_is_no_profile_of_curves_is_left_to_littlecms(icc: bytes) -> None:
    assert shaper(icc) is None


@given(st.integers(0, 400), st.integers(0, 255))
@settings(max_examples=200, deadline=None)
def test_a_damaged_profile_never_costs_the_picture(at: int, value: int) -> None:
    profile = bytearray(matrix_profile(ADOBE_TO_XYZ_D50, 2.0, "Adobe-like"))
    profile[at % len(profile)] = value
    picture = decode(deep_png(NOISE[..., :3], iccp(bytes(profile))))
    assert (picture.width, picture.height) == (14, 9)


@pytest.mark.parametrize("orientation", range(1, 9))
def test_a_deep_tiff_is_turned_upright(orientation: int) -> None:
    levels = (np.arange(6, dtype=np.uint16).reshape(2, 3, 1) * 257).repeat(3, axis=2)
    upright = decode(tiff(levels, orientation=orientation)).pixels[..., 0]
    shallow = save(Image.fromarray(np.arange(6, dtype=np.uint8).reshape(2, 3)).convert("RGB"), "TIFF")
    block = Image.Exif()
    block[0x0112] = orientation
    with Image.open(io.BytesIO(shallow)) as image:
        assert np.array_equal(upright, decode(save(image, "PNG", exif=block)).pixels[..., 0])


def test_lab_and_cmyk_of_every_kind_of_file_agree() -> None:
    lab = Image.frombytes("LAB", (1, 1), bytes([153, 20, 236]))
    assert (
        np.abs(decode(save(lab, "TIFF", compression="tiff_lzw")).pixels[0, 0, :3] - lab_to_srgb(60, 20, -20)).max() <= 2
    )
    inks = Image.frombytes("CMYK", (32, 16), bytes([200, 30, 60, 20]) * 512)
    stored, jpeg = decode(save(inks, "TIFF")), decode(save(inks, "JPEG", quality=100))
    assert np.abs(stored.pixels.astype(int) - jpeg.pixels).max() <= 2, "Adobe's JPEGs hold inks turned round"
    assert np.abs(stored.pixels[0, 0, :3] - np.array([55, 225, 195]) * 235 / 255).max() <= 1


def test_a_tiff_of_a_kind_that_is_not_read_is_not_called_damaged() -> None:
    with pytest.raises(BadPicture, match="in a way the kit cannot read") as caught:
        read(tiff(NOISE[..., :2], photometric=1, alpha=2))
    assert caught.value.details["reason"] == "unsupported"
    assert caught.value.found == "16+16 bits, photometric interpretation 1"
    with pytest.raises(BadPicture, match="is damaged"):
        read(b"II*\0" + struct.pack("<I", 8) + bytes(40))
