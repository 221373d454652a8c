from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from lantern_kit import datasets
from lantern_kit.imaging.decode import read
from lantern_kit.imaging.matte import check_foreground
from lantern_kit.kernel.errors import NotFound

PHOTOS = datasets.photos()
MATTED = [photo for photo in PHOTOS if photo.matte]


def test_there_are_photographs_to_tell_a_story_with() -> None:
    assert datasets.names() == (
        "astronaut",
        "chelsea",
        "coffee",
        "hubble_deep_field",
        "moon",
        "motorcycle",
        "retina",
        "rocket",
    )
    assert [photo.name for photo in MATTED] == ["astronaut", "chelsea", "rocket"]


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_a_photograph_is_the_file_its_index_describes_and_opens(photo: datasets.Photo) -> None:
    data = datasets.open_photo(photo.name)
    assert hashlib.sha256(data).hexdigest() == photo.sha256
    picture, facts = read(data, name=photo.path.name)
    assert (facts.width, facts.height) == (photo.width, photo.height) == (picture.width, picture.height)
    assert picture.opaque
    assert not [note for note in facts.notes if "named" in note]
    assert picture.pixels.std() > 5  # a photograph, not an empty file of the right size


@pytest.mark.parametrize("photo", PHOTOS, ids=lambda photo: photo.name)
def test_a_photograph_carries_its_author_source_and_licence_text(photo: datasets.Photo) -> None:
    assert photo.title
    assert photo.author
    assert photo.source
    assert photo.carried_by.startswith("scikit-image ")
    assert datasets.licence(photo.name) == photo.licence
    text = datasets.licence_text(photo.name)
    assert len(text) > 300
    word = {"CC0-1.0": "CC0 1.0 Universal", "BSD-3-Clause": "Redistributions of source code"}.get(photo.licence)
    assert (word or {"P": "NASA", "F": "permission to use and publish"}[photo.licence[0]]) in text
    readme = (datasets.root() / "README.md").read_text("utf-8")
    assert f"| `{photo.name}` | {photo.width} × {photo.height}" in readme


@pytest.mark.parametrize("photo", MATTED, ids=lambda photo: photo.name)
def test_a_matte_is_a_true_foreground_of_its_photograph(photo: datasets.Photo) -> None:
    matte = datasets.open_matte(photo.name)
    assert hashlib.sha256(matte).hexdigest() == photo.matte_sha256
    report = check_foreground(datasets.open_photo(photo.name), matte)
    assert (report.redrawn, report.redrawn_box) == (0.0, None)
    assert report.worst <= 1
    assert report.solid > 0.01
    assert 0.001 < report.soft < 0.05  # edges that are neither jagged nor foggy


@pytest.mark.parametrize("photo", MATTED, ids=lambda photo: photo.name)
def test_a_matte_laid_on_its_photograph_changes_nothing(photo: datasets.Photo) -> None:
    below = read(datasets.open_photo(photo.name))[0].pixels.astype(float)
    above = read(datasets.open_matte(photo.name))[0].pixels.astype(float)
    alpha = above[..., 3:] / 255
    laid = above[..., :3] * alpha + below[..., :3] * (1 - alpha)
    assert abs(laid - below[..., :3]).max() <= 1


def test_no_file_is_left_out_of_the_index() -> None:
    root = datasets.root()
    listed = {photo.path for photo in PHOTOS} | {photo.matte for photo in MATTED} | {photo.terms for photo in PHOTOS}
    found = {path for folder in ("photos", "mattes", "licences") for path in (root / folder).iterdir()}
    assert found - listed == {root / "photos" / "index.json"}


def test_a_wrong_name_names_the_nearest() -> None:
    with pytest.raises(NotFound) as caught:
        datasets.photo("rockt")
    assert caught.value.expected == "rocket"
    with pytest.raises(NotFound, match="no photograph"):
        datasets.open_photo("../index")
    with pytest.raises(NotFound, match="No matte"):
        datasets.open_matte("coffee")


def test_the_photographs_are_found_inside_a_wheel_and_missed_clearly(tmp_path: Path) -> None:
    package = tmp_path / "site-packages" / "lantern_kit"
    package.mkdir(parents=True)
    with pytest.raises(NotFound, match="not installed"):
        datasets._root(package)
    shutil.copytree(datasets.root(), package / "_datasets")
    assert datasets._root(package) == package / "_datasets"
    index = json.loads((package / "_datasets" / "photos" / "index.json").read_text("utf-8"))
    assert all((package / "_datasets" / entry["file"]).is_file() for entry in index)


def test_listing_the_photographs_loads_no_imaging() -> None:
    code = "import sys; from lantern_kit import datasets; datasets.names(); print('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


def test_scripts_are_read_by_name_and_come_with_their_licence() -> None:
    assert datasets.script_names() == ("gull-rock", "last-train", "rooftop-cat")
    assert datasets.script("gull-rock").startswith("# The Lamp on Gull Rock\n")
    assert "CC0 1.0" in (datasets.root() / "README.md").read_text("utf-8")
    assert (datasets.root() / "licences" / "CC0-1.0.txt").is_file()
    with pytest.raises(NotFound, match="gull-rok"):
        datasets.script("gull-rok")
