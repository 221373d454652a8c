"""Pictures written by bands, read by Pillow."""

from __future__ import annotations

import io
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageCms

from lantern_kit.imaging import bands as module
from lantern_kit.imaging.bands import Kind, PngBands, TiffBands
from lantern_kit.kernel.errors import BadInput

Writer = Callable[..., PngBands | TiffBands]
WRITERS: dict[str, Writer] = {"PNG": PngBands, "TIFF": TiffBands}
MODES: dict[Kind, str] = {"rgba": "RGBA", "rgb": "RGB", "grey": "L", "bits": "1"}


def picture(kind: Kind, width: int, height: int, seed: int = 1) -> NDArray[Any]:
    noise = np.random.default_rng(seed)
    if kind == "bits":
        return noise.random((height, width)) > 0.4
    shape = (height, width) if kind == "grey" else (height, width, len(kind))
    return noise.integers(0, 256, shape, np.uint8)


def written(writer: str, kind: Kind, pixels: NDArray[Any], cuts: list[int], dpi: int = 600) -> bytes:
    file = io.BytesIO()
    made = WRITERS[writer](file, pixels.shape[1], pixels.shape[0], kind, dpi=dpi)
    for top, bottom in zip([0, *cuts], [*cuts, len(pixels)], strict=True):
        if bottom > top:
            made.write(pixels[top:bottom])
    made.close()
    return file.getvalue()


@pytest.mark.parametrize("writer", WRITERS)
@pytest.mark.parametrize("kind", MODES)
def test_every_kind_is_read_back_with_its_resolution(writer: str, kind: Kind) -> None:
    pixels = picture(kind, 37, 150)
    with Image.open(io.BytesIO(written(writer, kind, pixels, [1, 64, 90, 149], 1_200))) as image:
        assert image.format == writer
        assert image.mode == MODES[kind]
        assert (np.asarray(image) == pixels).all()
        assert [round(float(part)) for part in image.info["dpi"]] == [1_200, 1_200]
        if writer == "TIFF" and kind != "bits":
            profile = ImageCms.ImageCmsProfile(io.BytesIO(image.info["icc_profile"]))
            assert "sRGB" in ImageCms.getProfileDescription(profile)


@pytest.mark.parametrize("writer", WRITERS)
@given(st.sampled_from([*MODES]), st.integers(1, 70), st.integers(1, 200), st.data())
def test_the_bytes_do_not_depend_on_the_bands(
    writer: str, kind: Kind, width: int, height: int, data: st.DataObject
) -> None:
    pixels = picture(kind, width, height)
    cuts = sorted(data.draw(st.lists(st.integers(0, height), max_size=5)))
    whole = written(writer, kind, pixels, [])
    assert written(writer, kind, pixels, cuts) == whole
    with Image.open(io.BytesIO(whole)) as image:
        assert (np.asarray(image) == pixels).all()


def test_black_and_white_is_group_4(monkeypatch: pytest.MonkeyPatch) -> None:
    with Image.open(io.BytesIO(written("TIFF", "bits", picture("bits", 64, 200), [100]))) as image:
        assert image.info["compression"] == "group4"


def test_a_tiff_past_what_it_can_hold_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "MOST_TIFF", 2_000)
    with pytest.raises(BadInput, match="too large for a TIFF"):
        written("TIFF", "rgb", picture("rgb", 40, 130), [])


def test_a_long_strip_is_written_in_the_memory_of_a_band() -> None:
    import tracemalloc

    width, band, count = 400, 256, 512  # 131,072 rows, 157 MB of pixels
    rows = picture("rgb", width, band)
    for writer in WRITERS.values():
        file = io.BytesIO()
        made = writer(file, width, band * count, "rgb", dpi=300)
        flat = np.zeros_like(rows)
        tracemalloc.start()
        for number in range(count):
            made.write(flat if number else rows)
        made.close()
        _, peak = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert peak < 12_000_000
        with Image.open(file) as image:
            assert image.size == (width, band * count)
