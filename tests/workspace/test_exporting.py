"""Files out of a workspace, with its own pictures."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pikepdf
import pytest
from PIL import Image

from lantern_kit import datasets
from lantern_kit.assets import SourceType
from lantern_kit.comic.formats.pdf_pictures import bare_jpeg
from lantern_kit.comic.work.chapter import ChapterWork
from lantern_kit.kernel.errors import BadInput
from lantern_kit.workspace import Workspace


def pictures(path: Path) -> list[bytes]:
    """The stored bytes of a PDF's pictures."""
    with pikepdf.open(path) as pdf:
        streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream)]
        return [item.read_raw_bytes() for item in streams if item.get("/Subtype") == "/Image"]


@pytest.mark.parametrize(("photo", "as_stored"), [("hubble_deep_field", True), ("retina", True), ("rocket", False)])
def test_a_photograph_in_srgb_goes_into_a_printed_book_byte_for_byte(
    ws: Workspace, chapter: ChapterWork, tmp_path: Path, photo: str, *, as_stored: bool
) -> None:
    """The rocket is in Adobe RGB: it is converted as for the screen."""
    sky = ws.assets.register(
        datasets.open_photo(photo), title="Sky", licence="CC0-1.0", source_type=SourceType.PHOTOGRAPH
    )
    with chapter.edit("a sky") as edit:
        edit[1].add_frame(rect=(20, 20, 60, 60)).place(sky, fit="cover")
    (report,) = chapter.export(tmp_path, to="pdf", dpi=1_200)
    assert (bare_jpeg(ws.assets.read(sky)) in pictures(report.path)) is as_stored
    assert report.losses == ()
    assert report.payload()["format"] == "PDF 1.7"


def test_a_picture_that_is_gone_is_stood_in_for_and_named_by_its_page(
    ws: Workspace, chapter: ChapterWork, tmp_path: Path
) -> None:
    for blob in (path for path in (ws.path / "blobs").rglob("*") if path.is_file()):
        blob.unlink()
    (report,) = chapter.export(tmp_path, to="pdf")
    assert [(loss.code, loss.where) for loss in report.losses] == [("missing", ("Page 1 “One”",))]
    first, second = chapter.export(tmp_path, to="tiff", dpi=72)
    assert [loss.code for loss in first.losses] == ["flattened", "missing"]
    assert [loss.code for loss in second.losses] == ["flattened"]


def test_a_pdf_and_a_tiff_go_by_the_paper_s_own_resolution(chapter: ChapterWork, tmp_path: Path) -> None:
    assert chapter.book.chapter.paper.dpi == 600
    first, _ = chapter.export(tmp_path, to="tiff", colour="grey")
    with Image.open(first.path) as page:
        assert [round(float(part)) for part in page.info["dpi"]] == [600, 600]
        assert page.size == (round(105 * 600 / 25.4), round(148 * 600 / 25.4))


@pytest.mark.parametrize("to", ["pdf", "tiff", "webp", "png", "cbz"])
def test_a_revision_gives_the_same_bytes_again(chapter: ChapterWork, tmp_path: Path, to: str) -> None:
    first = [report.sha256 for report in chapter.export(tmp_path / "one", to, dpi=100)]
    again = [report.sha256 for report in chapter.export(tmp_path / "two", to, dpi=100)]
    assert first == again


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"to": "doc"}, "doc is not a format"),
        ({"to": "pdf", "dpi": 2_400}, "outside what is printed"),
        ({"to": "pdf", "spreads": "three"}, "spreads is whole or split"),
        ({"to": "tiff", "colour": "cmyk"}, "colour is rgb or grey or bitonal"),
        ({"to": "webp", "colour": "bitonal"}, "webp takes no colour"),
        ({"to": "cbz", "spreads": "split", "bleed": True}, "cbz takes no bleed and no spreads"),
        ({"to": "png", "intent": "some.icc"}, "png takes no intent"),
        ({"to": "tiff", "lpi": 50}, "lpi is of a screen"),
        ({"to": "webp", "angle": 15}, "webp takes no angle"),
        ({"to": "tiff", "colour": "bitonal", "dpi": 300, "lpi": 150}, "lpi lies outside what can be screened at 300"),
        ({"to": "pdf", "colour": "bitonal", "angle": "15"}, "angle lies outside"),
    ],
)
def test_what_cannot_be_written_is_refused_before_a_folder_is_made(
    chapter: ChapterWork, tmp_path: Path, options: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadInput, match=said):
        chapter.export(tmp_path / "out", **options)
    assert not (tmp_path / "out").exists()


def test_files_are_called_by_what_is_unusual_of_them_and_say_what_they_replaced(
    chapter: ChapterWork, tmp_path: Path
) -> None:
    kinds: list[dict[str, Any]] = [
        {},
        {"spreads": "split"},
        {"colour": "grey"},
        {"spreads": "split", "colour": "bitonal"},
    ]
    made = [chapter.export(tmp_path, to="pdf", dpi=72, **kind)[0] for kind in kinds]
    assert [report.name for report in made] == [
        f"chelsea-goes-up-01{kind}.pdf" for kind in ("", "-split", "-grey", "-split-bitonal")
    ]
    assert not any(report.replaced for report in made)
    assert len({*tmp_path.glob("*.pdf")}) == 4
    (again,) = chapter.export(tmp_path, to="pdf", dpi=72)
    assert again.replaced
    assert again.payload()["replaced"]
    page, _ = chapter.export(tmp_path, to="tiff", dpi=72, bleed=True)
    assert page.name == "chelsea-goes-up-01-bleed-001.tiff"


@pytest.mark.parametrize("to", ["pdf", "tiff"])
def test_a_page_in_black_and_white_has_the_screen_that_is_asked_for(
    chapter: ChapterWork, tmp_path: Path, to: str
) -> None:
    options: dict[str, Any] = {"to": to, "colour": "bitonal", "dpi": 150}
    usual = chapter.export(tmp_path / "one", **options)[0].sha256
    named = chapter.export(tmp_path / "two", **options, lpi=30, angle=45)[0].sha256
    other = chapter.export(tmp_path / "three", **options, lpi=20, angle=15)[0].sha256
    assert usual == named != other


def test_pages_where_a_drawn_tone_may_beat_with_a_screened_picture_are_told(
    chapter: ChapterWork, tmp_path: Path
) -> None:
    frame = next(item for item in chapter[0].model.objects if item.kind == "image").parent
    with chapter.edit("a tone beside the picture") as edit:
        edit[1].effect("tone", box=(10, 10, 30, 30), lpi=42)
    for to in ("pdf", "png"):
        told = chapter.export(tmp_path, to=to, colour="bitonal", dpi=100)[0].losses
        assert "beating" not in {loss.code for loss in told}
    with chapter.edit("a tone over it") as edit:
        edit[frame].effect("tone", lpi=42)
    for to in ("pdf", "png"):
        told = chapter.export(tmp_path, to=to, colour="bitonal", dpi=100)[0].losses
        assert [loss.where for loss in told if loss.code == "beating"] == [("Page 1 “One”",)]
        coloured = chapter.export(tmp_path, to=to, dpi=100)[0].losses
        assert "beating" not in {loss.code for loss in coloured}


def test_reports_show_themselves_as_a_table(chapter: ChapterWork, tmp_path: Path) -> None:
    made = chapter.export(tmp_path, to="png", dpi=72)
    made = chapter.export(tmp_path, to="png", dpi=72)
    shown = made._repr_mimebundle_()
    assert shown["text/html"].count("<tr>") == 3
    for part in (str(made[0].path), "an older file, replaced", "lettering cannot be told apart"):
        assert part in shown["text/html"]
        assert part in shown["text/plain"]
    assert made["chelsea-goes-up-01-002.png"] is made[1]


def test_a_file_is_no_folder_to_write_into(chapter: ChapterWork, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine")
    with pytest.raises(BadInput, match="file cannot be a folder"):
        chapter.export(tmp_path / "file", to="pdf")
    assert (tmp_path / "file").read_text() == "mine"


def test_what_a_killed_export_left_behind_is_taken_away_once_it_is_a_day_old(
    chapter: ChapterWork, tmp_path: Path
) -> None:
    left, new, own = (tmp_path / f".{name}.part" for name in ("0123456789abcdef", "fedcba9876543210", "my-own"))
    for path in (left, new, own):
        path.write_bytes(b"half a page")
    for path in (left, own):
        os.utime(path, (1, 1))
    chapter.export(tmp_path, to="cbz", dpi=72)
    assert sorted(path.name for path in tmp_path.glob(".*.part")) == sorted([new.name, own.name])
