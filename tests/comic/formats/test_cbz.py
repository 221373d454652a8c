"""CBZ, judged by the published ComicInfo schema, another reader of comic archives, and Pillow."""

from __future__ import annotations

import datetime
import io
import zipfile
from collections.abc import Callable
from functools import cache
from importlib.resources import files
from pathlib import Path

import pytest
from darkseid.comic import Comic, MetadataFormat
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree
from PIL import Image

from lantern_kit.comic.formats.cbz import CbzPage, write_cbz
from lantern_kit.comic.formats.comicinfo import ComicInfo, PageInfo, sheet
from lantern_kit.comic.formats.report import Loss
from lantern_kit.comic.model import Direction, UnitKind
from lantern_kit.kernel.errors import BadInput, BadPicture

INFO = ComicInfo(series="Lanterns", number="3", title="The Cat at Noon", language="en")


@cache
def schema() -> etree.XMLSchema:
    return etree.XMLSchema(etree.fromstring((files("darkseid") / "schemas/ComicInfo/v2/ComicInfo.xsd").read_bytes()))


@cache
def picture(colour: str, width: int = 24, height: int = 36, form: str = "JPEG") -> bytes:
    held = io.BytesIO()
    Image.new("RGB", (width, height), colour).save(held, form)
    return held.getvalue()


def page(colour: str = "red", kind: UnitKind = UnitKind.PAGE, *, name: str = "", form: str = "JPEG") -> CbzPage:
    width = 48 if kind is UnitKind.SPREAD else 24
    media = "image/jpeg" if form == "JPEG" else "image/png"
    return CbzPage(data=picture(colour, width, 36, form), media=media, width=width, height=36, kind=kind, name=name)


@pytest.fixture
def read_sheet() -> Callable[[Path], etree._Element]:
    """Reads the sheet out of an archive, once the published schema has found it valid."""

    def read(path: Path) -> etree._Element:
        with zipfile.ZipFile(path) as archive:
            root = etree.fromstring(archive.read("ComicInfo.xml"))
        schema().assertValid(root)
        return root

    return read


def test_the_sheet_of_a_full_book_is_valid_by_the_published_schema(
    tmp_path: Path, read_sheet: Callable[[Path], etree._Element]
) -> None:
    info = ComicInfo(
        series="Lanterns & <Lamps>",
        number="7.5",
        title="“Noon”",
        language="zh-Hans",
        direction=Direction.RTL,
        summary="A cat\nwaits.",
        notes="First printing.",
        date=datetime.date(2024, 2, 29),
        writer=("Ann Ash", "Bo Birch"),
        penciller=("猫田 ミケ",),
        letterer=("Cy Cedar",),
        publisher="Small Press",
    )
    kinds = (UnitKind.COVER, UnitKind.PAGE, UnitKind.SPREAD, UnitKind.TRANSITION, UnitKind.COVER, UnitKind.COVER)
    write_cbz(tmp_path / "book.cbz", [page(kind=kind, name=f"{kind} 1") for kind in kinds], info)
    root = read_sheet(tmp_path / "book.cbz")
    assert {
        name: root.findtext(name) for name in ("Series", "Number", "Title", "LanguageISO", "Writer", "Summary")
    } == {
        "Series": "Lanterns & <Lamps>",
        "Number": "7.5",
        "Title": "“Noon”",
        "LanguageISO": "zh-Hans",
        "Writer": "Ann Ash, Bo Birch",
        "Summary": "A cat\nwaits.",
    }
    assert [root.findtext(name) for name in ("Year", "Month", "Day", "PageCount")] == ["2024", "2", "29", "6"]
    types = [row.get("Type") for row in root.iter("Page")]
    assert types == ["FrontCover", "Story", "Story", "Other", "InnerCover", "BackCover"]


@pytest.mark.parametrize(
    ("direction", "manga"), [(Direction.LTR, "No"), (Direction.RTL, "YesAndRightToLeft"), (Direction.TTB, "No")]
)
def test_only_a_right_to_left_book_is_marked_as_one(
    direction: Direction, manga: str, tmp_path: Path, read_sheet: Callable[[Path], etree._Element]
) -> None:
    report = write_cbz(tmp_path / "a.cbz", [page()], ComicInfo(series="S", direction=direction))
    assert read_sheet(tmp_path / "a.cbz").findtext("Manga") == manga
    assert ("direction" in {loss.code for loss in report.losses}) is (direction is Direction.TTB)


def test_another_reader_finds_the_pages_in_order_with_their_facts(tmp_path: Path) -> None:
    path = tmp_path / "book.cbz"
    pages = [page("red", UnitKind.COVER), page("green", UnitKind.SPREAD, form="PNG"), page("blue", name="Chapter end")]
    write_cbz(path, pages, ComicInfo(series="Lanterns", number="3", language="ja", direction=Direction.RTL))
    book = Comic(path)
    assert book.seems_to_be_a_comic_archive()
    assert [book.get_page(place) for place in range(3)] == [one.data for one in pages]
    facts = book.read_metadata(MetadataFormat.COMIC_INFO)
    assert (facts.series.name, facts.issue, facts.series.language, facts.page_count) == ("Lanterns", "3", "ja", 3)
    assert facts.manga == "YesAndRightToLeft"
    assert [row["Image"] for row in facts.pages] == [0, 1, 2]
    assert [row.get("DoublePage") for row in facts.pages] == [None, "true", None]
    assert [row.get("Bookmark") for row in facts.pages] == [None, None, "Chapter end"]
    for row, one in zip(facts.pages, pages, strict=True):
        with Image.open(io.BytesIO(one.data)) as shown:
            assert (int(row["ImageWidth"]), int(row["ImageHeight"])) == shown.size
        assert int(row["ImageSize"]) == len(one.data)


def test_a_book_of_a_thousand_pages_keeps_its_order_for_readers_that_sort_names(tmp_path: Path) -> None:
    pages = [page(colour) for colour in ("red", "green")] * 500
    write_cbz(tmp_path / "long.cbz", pages, INFO)
    with zipfile.ZipFile(tmp_path / "long.cbz") as archive:
        names = [name for name in archive.namelist() if name != "ComicInfo.xml"]
        assert names == sorted(names)
        assert [archive.read(name) for name in sorted(names)] == [one.data for one in pages]


def test_the_same_pages_and_facts_give_the_same_bytes(tmp_path: Path) -> None:
    pages = [page(), page("blue", UnitKind.SPREAD)]
    first = write_cbz(tmp_path / "a.cbz", pages, INFO)
    second = write_cbz(tmp_path / "b.cbz", pages, INFO)
    assert (tmp_path / "a.cbz").read_bytes() == (tmp_path / "b.cbz").read_bytes()
    assert first.sha256 == second.sha256


def test_the_report_says_what_was_written_and_what_was_lost(tmp_path: Path) -> None:
    path = tmp_path / "a.cbz"
    report = write_cbz(
        path, [page(), page()], ComicInfo(series="A\x00B", direction=Direction.TTB, writer=("Ash, Ann",))
    )
    assert (report.pages, report.size, report.path) == (2, path.stat().st_size, path)
    assert [loss.code for loss in report.losses] == ["flattened", "direction", "names", "characters"]
    assert report.losses[-1] == Loss(
        "characters", "Characters that XML cannot hold were left out: U+0000.", ("Series",)
    )
    assert report.payload()["file"] == "a.cbz"
    assert str(tmp_path) not in str(report.payload())


def test_what_was_lost_is_told_in_the_file_too(tmp_path: Path, read_sheet: Callable[[Path], etree._Element]) -> None:
    info = ComicInfo(series="S", notes="By hand.", direction=Direction.TTB)
    report = write_cbz(tmp_path / "a.cbz", [page()], info)
    notes = read_sheet(tmp_path / "a.cbz").findtext("Notes")
    assert notes is not None
    assert notes.startswith("By hand.")
    assert all(loss.message in notes for loss in report.losses)


def test_an_older_file_is_replaced_and_nothing_else_is_left_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "a.cbz"
    path.write_bytes(b"old")
    write_cbz(path, [page()], INFO)
    assert zipfile.is_zipfile(path)
    assert [left.name for left in tmp_path.iterdir()] == ["a.cbz"]


def test_a_failure_half_way_leaves_the_older_file_as_it_was(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.cbz"
    path.write_bytes(b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadInput, match="No space left") as caught:
        write_cbz(path, [page()], INFO)
    assert "has space left" in caught.value.recovery
    assert path.read_bytes() == b"old"
    assert [left.name for left in tmp_path.iterdir()] == ["a.cbz"]


def test_a_folder_that_is_not_there_is_named_as_the_trouble_without_its_path(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"^a\.cbz could not be written: No such file or directory · "):
        write_cbz(tmp_path / "none" / "a.cbz", [page()], INFO)


def test_a_book_without_pages_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="at least one page"):
        write_cbz(tmp_path / "a.cbz", [], INFO)
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("data", "media", "width"),
    [(b"\x89PNG\r\n\x1a\n", "image/jpeg", 1), (b"GIF89a", "image/gif", 1), (b"\xff\xd8\xff\xe0", "image/jpeg", 0)],
    ids=["another format", "a format readers do not promise", "no pixels"],
)
def test_bytes_that_are_no_page_are_refused(data: bytes, media: str, width: int) -> None:
    with pytest.raises(BadPicture):
        CbzPage(data=data, media=media, width=width, height=1)  # type: ignore[arg-type]


ODD = st.text(
    st.characters(exclude_categories=[]) | st.sampled_from("\x00\x0b\x1b\x7f\x85\u2028\ud800\ufffe\r\n\t<>&\"']")
)


def as_xml_holds(value: str) -> str:
    """What a reader must get back, said by the characters XML 1.0 lists rather than by our expression."""

    def allowed(point: int) -> bool:
        return point in {9, 10, 13} or 0x20 <= point <= 0xD7FF or 0xE000 <= point <= 0xFFFD or point >= 0x10000

    return "".join(one for one in value if allowed(ord(one))).replace("\r\n", "\n").replace("\r", "\n")


@given(series=ODD, summary=ODD, label=ODD, writer=ODD)
def test_any_text_makes_a_valid_sheet_that_reads_back(series: str, summary: str, label: str, writer: str) -> None:
    info = ComicInfo(series=series, summary=summary, writer=(writer,), number="1")
    row = PageInfo(type="Story", double=False, size=1, width=1, height=1, bookmark=label)
    xml, losses = sheet(info, [row])
    root = etree.fromstring(xml)
    schema().assertValid(root)
    assert (root.findtext("Series") or "") == as_xml_holds(series)
    assert (root.findtext("Summary") or "") == as_xml_holds(summary)
    assert (root.findtext("Writer") or "") == as_xml_holds(writer)
    assert root.find("Pages/Page").get("Bookmark", "") == as_xml_holds(label)  # type: ignore[union-attr]
    given_text = {"Series": series, "Summary": summary, "Writer": writer, "Bookmark": label}
    cut = {name for name, value in given_text.items() if len(as_xml_holds(value)) < len(value.replace("\r\n", "\n"))}
    assert {name for loss in losses if loss.code == "characters" for name in loss.where} == cut
