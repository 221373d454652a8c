from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

import lantern_kit.imaging
from lantern_kit.imaging.picture import Picture
from lantern_kit.kernel.errors import BadInput


def test_the_room_exports_just_these_names() -> None:
    assert lantern_kit.imaging.__all__ == [
        "MAX_PIXELS",
        "MAX_SIDE",
        "MatteReport",
        "Picture",
        "PictureFacts",
        "Pixels",
        "check_foreground",
        "encode_jpeg",
        "encode_png",
        "encode_tiff",
        "encode_webp",
        "fitted",
        "probe",
        "read",
        "scaled",
    ]
    for name in lantern_kit.imaging.__all__:
        assert getattr(lantern_kit.imaging, name) is not None
    with pytest.raises(AttributeError):
        _ = lantern_kit.imaging.paint


def test_importing_the_room_loads_no_codec() -> None:
    code = "import sys, lantern_kit.imaging; print(sorted({'PIL', 'numpy', 'fpng', 'simplejpeg'} & set(sys.modules)))"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_a_picture_of_an_array_owes_nothing_to_it() -> None:
    array = np.zeros((2, 3, 4), np.uint8)
    picture = Picture.of(array)
    array[:] = 9
    assert not picture.pixels.any()
    assert not picture.opaque


def test_a_picture_of_rgb_is_opaque() -> None:
    picture = Picture.of(np.full((2, 3, 3), 7, np.uint8))
    assert picture.opaque
    assert picture.pixels[1, 2].tolist() == [7, 7, 7, 255]
    assert (picture.width, picture.height) == (3, 2)


def test_a_read_only_array_is_shared() -> None:
    array = np.zeros((2, 3, 4), np.uint8)
    array.flags.writeable = False
    assert Picture.of(array).pixels is array


@pytest.mark.parametrize("shape", [(2, 3), (2, 3, 2), (0, 3, 4), (1, 2, 3, 4)])
def test_another_shape_is_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(BadInput):
        Picture.of(np.zeros(shape, np.uint8))
