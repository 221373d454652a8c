"""PDF for print: boxes, spreads, colours, pictures and the same bytes, judged by poppler and qpdf."""

from __future__ import annotations

import hashlib
import io
import os
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pikepdf
import pytest
from PIL import Image, ImageCms

from lantern_kit.comic.formats.pdf import PdfOptions, write_pdf
from lantern_kit.comic.formats.pdf_intent import read_intent
from lantern_kit.comic.formats.pdf_pictures import bare_jpeg
from lantern_kit.comic.formats.report import ExportReport
from lantern_kit.comic.model import Chapter, Direction, Paper, Surface, Unit, UnitKind
from lantern_kit.imaging.profile import srgb_profile
from lantern_kit.kernel.errors import BadInput, Corrupt
from tests.comic.formats import book
from tests.comic.formats.judges import boxes, needs_judges, run

MM = 72 / 25.4
SLUG = 7
LTR = Chapter(id="ch_test1", comic="Test", number=2, paper=Paper(width=100_000, height=140_000, bleed=3_000))
Write = Callable[..., ExportReport]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes the book, or some units of it, with some options."""

    def made(
        units: tuple[Unit, ...] = book.units(),
        chapter: Chapter = book.CHAPTER,
        art: book.Art | None = None,
        name: str = "book.pdf",
        **options: Any,
    ) -> ExportReport:
        return write_pdf(
            tmp_path / name,
            units,
            chapter,
            art or book.Art.of(),
            PdfOptions(**options),
            titles=lambda unit: f"page {unit.id}",
        )

    return made


def blank(number: int, kind: UnitKind = UnitKind.PAGE, *, gutter: int = 0, height: int = 140_000) -> Unit:
    surfaces = [Surface(id=f"sf_a{number:03d}", x=0, width=100_000, height=height)]
    if kind is UnitKind.SPREAD:
        surfaces.append(Surface(id=f"sf_b{number:03d}", x=100_000 + gutter, width=100_000, height=height))
    return Unit(kind=kind, id=f"un_pg{number:02d}", gutter=gutter, surfaces=tuple(surfaces))


def millimetres(box: tuple[float, ...]) -> tuple[float, ...]:
    return tuple(round(edge / MM, 1) for edge in box)


@needs_judges
def test_a_page_has_three_boxes_of_its_paper_s_size(write: Write) -> None:
    path = write().path
    found = {name: millimetres(box) for name, box in boxes(path, 1).items()}
    assert found["MediaBox"] == (0, 0, 128 + 2 * (3 + SLUG), 182 + 2 * (3 + SLUG))
    assert found["BleedBox"] == (SLUG, SLUG, SLUG + 134, SLUG + 188)
    assert found["TrimBox"] == (SLUG + 3, SLUG + 3, SLUG + 131, SLUG + 185)
    bare = {name: millimetres(box) for name, box in boxes(write(marks=False).path, 1).items()}
    assert bare["MediaBox"] == bare["BleedBox"] == (0, 0, 134, 188)
    assert bare["TrimBox"] == (3, 3, 131, 185)


def test_boxes_are_exact_to_a_ten_thousandth_of_a_point(write: Write) -> None:
    with pikepdf.open(write().path) as pdf:
        left, bottom, right, top = (float(edge) for edge in pdf.pages[3].TrimBox)
    assert right - left == pytest.approx(128 * MM, abs=2e-4)
    assert top - bottom == pytest.approx(182 * MM, abs=2e-4)


@needs_judges
@pytest.mark.parametrize("options", [{}, {"spreads": "split", "marks": False}, {"colour": "bitonal", "dpi": 150}])
def test_qpdf_finds_nothing_wrong(write: Write, options: dict[str, Any]) -> None:
    said = run("qpdf", "--check", write(**options).path)
    assert "No syntax or stream encoding errors found" in said
    assert "WARNING" not in said


@needs_judges
@pytest.mark.parametrize(("direction", "first"), [(Direction.RTL, "right"), (Direction.LTR, "left")])
def test_a_split_spread_is_two_pages_in_reading_order_with_their_own_sides(
    write: Write, direction: Direction, first: str
) -> None:
    chapter = LTR.model_copy(update={"direction": direction})
    units = (blank(1), blank(2, UnitKind.SPREAD), blank(4))
    path = write(units, chapter, spreads="split").path
    sides = {"left": (3, 0), "right": (0, 3)}
    other = "left" if first == "right" else "right"
    for page, side in ((2, first), (3, other)):
        found = {name: millimetres(box) for name, box in boxes(path, page).items()}
        bleed, trim = found["BleedBox"], found["TrimBox"]
        assert (round(trim[0] - bleed[0], 1), round(bleed[2] - trim[2], 1)) == sides[side]
        assert (round(trim[2] - trim[0], 1), round(trim[3] - trim[1], 1)) == (100, 140)
    assert len(pikepdf.open(path).pages) == 4
    whole = millimetres(boxes(write(units, chapter).path, 2)["TrimBox"])
    assert round(whole[2] - whole[0], 1) == 200


def test_halves_of_a_spread_are_called_by_their_numbers(write: Write) -> None:
    units = (blank(0, UnitKind.COVER), blank(1), blank(2, UnitKind.SPREAD), blank(4))
    with pikepdf.open(write(units, LTR, spreads="split").path) as pdf:
        assert [page.label for page in pdf.pages] == ["page un_pg00", "1", "2", "3", "4"]
    with pikepdf.open(write(units, LTR).path) as pdf:
        assert [page.label for page in pdf.pages] == ["page un_pg00", "1", "2–3", "4"]
        with pdf.open_outline() as outline:
            assert [item.title for item in outline.root] == ["page un_pg00", "page un_pg02"]


@pytest.mark.parametrize(
    ("units", "options", "layout"),
    [
        ((blank(1), blank(2)), {}, "/TwoPageRight"),
        ((blank(1), blank(2, UnitKind.SPREAD)), {}, "/SinglePage"),
        ((blank(1), blank(2, UnitKind.SPREAD)), {"spreads": "split"}, "/TwoPageRight"),
        ((blank(2, UnitKind.SPREAD), blank(4)), {"spreads": "split"}, "/TwoPageLeft"),
    ],
)
def test_pages_are_shown_side_by_side_as_they_are_bound(
    write: Write, units: tuple[Unit, ...], options: dict[str, Any], layout: str
) -> None:
    with pikepdf.open(write(units, LTR, **options).path) as pdf:
        assert pdf.Root.PageLayout == layout
        assert pdf.Root.ViewerPreferences.Direction == "/L2R"


def test_a_book_from_the_right_says_so_and_in_which_language_it_is(write: Write) -> None:
    with pikepdf.open(write(author="Ann Ōno").path) as pdf:
        assert pdf.Root.ViewerPreferences.Direction == "/R2L"
        assert pdf.Root.Lang == "ja"
        assert pdf.docinfo.Title == "灯台の猫 3: Noon"
        assert pdf.docinfo.Author == "Ann Ōno"
        assert not {"/CreationDate", "/ModDate"} & {*pdf.docinfo.keys()}
        with pdf.open_metadata() as xmp:
            assert xmp["dc:title"] == "灯台の猫 3: Noon"
            assert xmp["dc:creator"] == ["Ann Ōno"]


def test_a_spread_whose_halves_would_share_a_leaf_is_told(write: Write) -> None:
    assert write().losses == ()
    report = write((blank(1, UnitKind.SPREAD), blank(3)), LTR, spreads="split")
    assert [(loss.code, loss.where) for loss in report.losses] == [("sides", ("page un_pg01",))]
    gutter = write((blank(1), blank(2, UnitKind.SPREAD, gutter=4_000)), LTR, spreads="split")
    assert [loss.code for loss in gutter.losses] == ["gutter"]


def test_a_strip_longer_than_a_page_may_be_keeps_its_size(write: Write) -> None:
    strip = blank(1, height=9_900_000)
    with pikepdf.open(write((strip,), LTR.model_copy(update={"direction": Direction.TTB})).path) as pdf:
        page = pdf.pages[0]
        unit = int(page.UserUnit)
        assert float(page.MediaBox[3]) <= 14_400
        assert unit > 1
        assert float(page.TrimBox[3] - page.TrimBox[1]) * unit == pytest.approx(9_900 * MM, abs=0.01)
        assert pdf.Root.PageLayout == "/OneColumn"


# colours


def test_the_file_is_meant_for_srgb_where_no_printer_is_named(write: Write) -> None:
    with pikepdf.open(write().path) as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert intent.S == "/GTS_PDFA1"
        assert "sRGB" in str(intent.OutputConditionIdentifier)
        assert int(intent.DestOutputProfile.N) == 3
        profile = ImageCms.ImageCmsProfile(io.BytesIO(intent.DestOutputProfile.read_bytes()))
        assert "sRGB" in ImageCms.getProfileDescription(profile)
        assert "/GTS_PDFXVersion" not in pdf.docinfo
        assert {(page.obj.Group.S, page.obj.Group.CS) for page in pdf.pages} == {("/Transparency", "/DeviceRGB")}


def cmyk(folder: Path) -> Path:
    """A small profile of a printer in four inks: ICC.1:2001-04 with tables of two points a side."""

    def table(inputs: int, outputs: int) -> bytes:
        head = b"mft1" + bytes(4) + bytes((inputs, outputs, 2, 0))
        matrix = struct.pack(">9i", *(65_536 * (row == column) for row in range(3) for column in range(3)))
        ramp = bytes(range(256))
        grid = bytes((37 * place) % 256 for place in range(2**inputs * outputs))
        return head + matrix + ramp * inputs + grid + ramp * outputs

    name = b"Small printer\0"
    tags = {
        b"desc": b"desc" + bytes(4) + struct.pack(">I", len(name)) + name + bytes(78),
        b"cprt": b"text" + bytes(4) + b"none\0",
        b"wtpt": b"XYZ " + bytes(4) + struct.pack(">3i", 63_190, 65_536, 54_061),
        b"A2B0": table(4, 3),
        b"B2A0": table(3, 4),
    }
    directory, body = b"", b""
    for tag, content in tags.items():
        directory += tag + struct.pack(">II", 128 + 4 + 12 * len(tags) + len(body), len(content))
        body += content + bytes(-len(content) % 4)
    size = 128 + 4 + len(directory) + len(body)
    head = struct.pack(">I4sI4s4s4s", size, bytes(4), 0x02400000, b"prtr", b"CMYK", b"Lab ").ljust(36, b"\0") + b"acsp"
    head = head.ljust(68, b"\0") + struct.pack(">3i", 63_190, 65_536, 54_061)
    path = folder / "printer.icc"
    path.write_bytes(head.ljust(128, b"\0") + struct.pack(">I", len(tags)) + directory + body)
    return path


def test_a_printer_s_profile_is_declared_and_what_is_drawn_stays_srgb(write: Write, tmp_path: Path) -> None:
    report = write(intent=read_intent(cmyk(tmp_path)))
    assert [(loss.code, loss.where) for loss in report.losses] == [("colours", ("Small printer",))]
    with pikepdf.open(report.path) as pdf:
        (intent,) = pdf.Root.OutputIntents
        assert (intent.S, int(intent.DestOutputProfile.N)) == ("/GTS_PDFX", 4)
        assert intent.OutputConditionIdentifier == "Small printer"
        for page in pdf.pages:
            assert page.Resources.ColorSpace.DefaultRGB[0] == "/ICCBased"
            assert int(page.Resources.ColorSpace.DefaultGray[1].N) == 1
            for form in (item for item in page.Resources.XObject.values() if item.Subtype == "/Form"):
                assert form.Resources.ColorSpace.DefaultRGB[0] == "/ICCBased"


@pytest.mark.parametrize(
    ("data", "found"),
    [
        (b"", "a file that is none"),
        (b"not a profile at all" * 40, "a file that is none"),
        (srgb_profile()[:1_000], "one that ends early"),
        (srgb_profile()[:16] + b"Lab " + srgb_profile()[20:], "Lab"),
        (srgb_profile()[:12] + b"link" + srgb_profile()[16:], "link"),
        (
            srgb_profile()[:128] + bytes(len(srgb_profile()) - 128),
            "a damaged one, or one that says nothing of printing",
        ),
    ],
)
def test_what_is_no_profile_to_print_by_is_refused(tmp_path: Path, data: bytes, found: str) -> None:
    path = tmp_path / "some.icc"
    path.write_bytes(data)
    with pytest.raises(BadInput, match="no colour profile") as refused:
        read_intent(path)
    assert refused.value.found == found
    with pytest.raises(BadInput, match="cannot be read"):
        read_intent(tmp_path)


# pictures


@needs_judges
def test_pictures_are_kept_as_they_are_and_once_a_book(write: Write) -> None:
    path = write().path
    rows = [line.split() for line in run("pdfimages", "-list", path).splitlines()[2:]]
    kinds = {(row[2], row[3], row[4], row[5], row[7], row[8], row[10]) for row in rows}
    assert ("image", "800", "600", "rgb", "8", "jpeg", rows[0][10]) in kinds
    by_kind = {(row[2], row[5], row[7], row[8]): row[10] for row in rows}
    assert set(by_kind) == {
        ("image", "rgb", "8", "jpeg"),
        ("image", "gray", "1", "image"),
        ("image", "rgb", "8", "image"),
        ("smask", "gray", "8", "image"),
    }
    assert len({(row[2], row[10]) for row in rows}) == 4


def test_a_jpeg_goes_in_byte_for_byte_without_its_notes(write: Write) -> None:
    with pikepdf.open(write().path) as pdf:
        streams = [item for item in pdf.objects if isinstance(item, pikepdf.Stream) and item.get("/Width") == 800]
        (stored,) = (stream.read_raw_bytes() for stream in streams)
    assert stored == bare_jpeg(book.photo())
    held = io.BytesIO()
    block = Image.Exif()
    block[0x010F] = "A camera that knows too much"
    Image.new("RGB", (8, 8), "red").save(held, "JPEG", exif=block, comment=b"said in secret")
    bare = bare_jpeg(held.getvalue())
    assert b"camera" not in bare
    assert b"secret" not in bare
    assert (np.asarray(Image.open(io.BytesIO(bare))) == np.asarray(Image.open(held))).all()


def test_pictures_are_no_finer_than_they_are_printed_and_never_coarser(write: Write) -> None:
    def widest(dpi: int) -> int:
        with pikepdf.open(write(dpi=dpi).path) as pdf:
            return max(int(item.Width) for item in pdf.objects if isinstance(item, pikepdf.Stream) and "/Width" in item)

    assert widest(1_200) == 800
    # The photograph lies 112 mm wide or more: 800 pixels are 181 dpi at most.
    assert 800 > widest(72) >= 72 * 112 / 25.4


def test_a_missing_picture_is_stood_in_for_and_told(write: Write) -> None:
    report = write(art=book.Art.of("as_photo", "as_disc"))
    (loss,) = report.losses
    assert loss.code == "missing"
    assert len(loss.where) == len(book.units())


def test_a_damaged_picture_stops_the_export_and_leaves_nothing(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    art = book.Art.of()
    plate = art.plate("as_disc")
    assert plate is not None

    def broken() -> None:
        raise Corrupt("the picture is damaged", found="", recovery="")

    monkeypatch.setattr(type(plate), "picture", lambda _: broken())
    with pytest.raises(Corrupt):
        write(art=art)
    assert [*tmp_path.iterdir()] == []


# black and white


@needs_judges
@pytest.mark.parametrize(("colour", "bits"), [("grey", "8"), ("bitonal", "1")])
def test_a_book_without_colour_has_pages_of_grey_or_of_black_and_white_and_its_words(
    write: Write, colour: str, bits: str
) -> None:
    report = write(book.units()[:2], colour=colour, dpi=150)
    rows = [line.split() for line in run("pdfimages", "-list", report.path).splitlines()[2:]]
    size = (str(round(134 * 150 / 25.4)), str(round(188 * 150 / 25.4)))
    assert [(row[3], row[4], row[5], row[7]) for row in rows] == [(*size, "gray", bits)] * 2
    assert "灯台の猫は、もう知っている。" in run("pdftotext", report.path, "-")
    assert [loss.code for loss in report.losses] == ["pictures"]


# the same bytes, whole files

_AGAIN = """
import hashlib, sys
from pathlib import Path
from lantern_kit.comic.formats.pdf import PdfOptions, write_pdf
from tests.comic.formats import book
report = write_pdf(Path(sys.argv[1]), book.units(), book.CHAPTER, book.Art.of(), PdfOptions(), titles=lambda u: u.id)
print(report.sha256)
"""


def test_the_same_book_gives_the_same_bytes_in_another_process_and_on_another_day(tmp_path: Path, root: Path) -> None:
    digests = set()
    for day, seed in (("UTC", "1"), ("Asia/Tokyo", "2")):
        path = tmp_path / f"{seed}.pdf"
        environment = {**os.environ, "PYTHONHASHSEED": seed, "TZ": day, "PYTHONPATH": str(root)}
        words = [sys.executable, "-c", _AGAIN, str(path)]
        done = subprocess.run(words, env=environment, capture_output=True, text=True, check=True, cwd=root)
        assert done.stdout.strip() == hashlib.sha256(path.read_bytes()).hexdigest()
        digests.add(done.stdout.strip())
    assert len(digests) == 1
    data = (tmp_path / "1.pdf").read_bytes()
    assert b"CreationDate" not in data
    assert b"xmp:ModifyDate" not in data


def test_an_older_file_is_replaced_whole_or_stays(
    write: Write, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = write().path.read_bytes()

    def full(*_: Any, **__: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(BadInput, match="No space left"):
        write(spreads="split")
    monkeypatch.undo()
    assert write().path.read_bytes() == first
    assert [path.name for path in tmp_path.iterdir()] == ["book.pdf"]


def test_a_disk_that_is_full_while_pages_are_drawn_leaves_nothing(write: Write, tmp_path: Path) -> None:
    import resource

    limits = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, limits[1]))
    try:
        with pytest.raises(BadInput, match="could not be written"):
            write(dpi=1_200)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
    assert [*tmp_path.iterdir()] == []


def test_a_place_that_takes_no_file_is_refused(write: Write, tmp_path: Path) -> None:
    (tmp_path / "book.pdf").mkdir()
    with pytest.raises(BadInput, match=r"book\.pdf could not be written"):
        write()
    assert [path.name for path in tmp_path.iterdir()] == ["book.pdf"]
    with pytest.raises(BadInput, match="could not be written"):
        write(name="nowhere/book.pdf")


def test_a_spread_s_halves_are_cut_from_the_same_art(write: Write) -> None:
    spread = next(unit for unit in book.units() if unit.kind is UnitKind.SPREAD)
    with pikepdf.open(write((book.units()[0], spread), spreads="split").path) as pdf:
        right, left = pdf.pages[1], pdf.pages[2]
        assert {*right.Resources.XObject.keys()} == {*left.Resources.XObject.keys()}
