"""Pages as pictures for print: sizes, halves, bands and refusals, read by Pillow."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from lantern_kit.comic.formats import raster
from lantern_kit.comic.formats.raster import RasterOptions, write_pictures
from lantern_kit.comic.formats.report import ExportReport
from lantern_kit.comic.model import Chapter, Direction, Paper, Rect, Surface, Unit, UnitKind
from lantern_kit.comic.render.page import render_unit
from lantern_kit.comic.render.rendered import Rendered
from lantern_kit.kernel.errors import BadInput
from tests.comic.formats import book

Write = Callable[..., tuple[ExportReport, ...]]


class Painting(book.Art):
    """The book's pictures, and what draws with them."""

    def render(self, unit: Unit, chapter: Chapter, **options: Any) -> Rendered:
        return render_unit(unit, chapter, self.pictures, **options)


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes some units with some options."""

    def made(
        units: tuple[Unit, ...], chapter: Chapter = book.CHAPTER, gone: tuple[str, ...] = (), **options: Any
    ) -> tuple[ExportReport, ...]:
        painting = Painting(book.Art.of(*gone).pictures)
        return write_pictures(
            tmp_path, "book", units, chapter, painting, RasterOptions(**options), titles=lambda unit: unit.id
        )

    return made


def strip(height: int, width: int = 20_000) -> Unit:
    surface = Surface(id="sf_long1", x=0, width=width, height=height)
    return Unit(kind=UnitKind.PAGE, id="un_long1", surfaces=(surface,))


STRIP = Chapter(
    id="ch_long1", comic="Long", direction=Direction.TTB, paper=Paper(width=20_000, height=100_000, bleed=0)
)


@pytest.mark.parametrize("to", ["png", "tiff", "webp"])
@pytest.mark.parametrize(("bleed", "size"), [(False, (640, 910)), (True, (670, 940))])
def test_a_picture_has_its_paper_s_size_its_resolution_and_the_pixels_of_the_screen(
    write: Write, to: str, bleed: bool, size: tuple[int, int]
) -> None:
    (report,) = write(book.units()[:1], to=to, dpi=127, bleed=bleed)
    wanted = render_unit(book.units()[0], book.CHAPTER, book.Art.of().pictures, dpi=127, bleed=bleed)
    with Image.open(report.path) as image:
        assert image.size == size
        assert (np.asarray(image.convert("RGB")) == wanted.pixels[..., :3]).all()
        held = image.info.get("dpi") or [image.getexif()[0x011A]] * 2
        assert [round(float(part)) for part in held] == [127, 127]


def test_a_split_spread_is_two_pictures_the_right_one_first(write: Write) -> None:
    spread = next(unit for unit in book.units() if unit.kind is UnitKind.SPREAD)
    whole = render_unit(spread, book.CHAPTER, book.Art.of().pictures, dpi=127).pixels[..., :3]
    right, left = write((spread,), to="png", dpi=127, spreads="split")
    assert [right.path.name, left.path.name] == ["book-001.png", "book-002.png"]
    # Where the halves meet, the edge of one is smoothed against nothing.
    assert (np.asarray(Image.open(right.path))[:, 3:] == whole[:, 643:]).mean() > 0.999
    assert (np.asarray(Image.open(left.path))[:, :-3] == whole[:, :637]).mean() > 0.999
    assert [loss.code for loss in right.losses] == ["flattened", "sides"]


@pytest.mark.parametrize("to", ["png", "tiff"])
@pytest.mark.parametrize("colour", ["rgb", "grey", "bitonal"])
def test_a_page_written_by_bands_is_the_page_written_at_once(
    write: Write, monkeypatch: pytest.MonkeyPatch, to: str, colour: str
) -> None:
    (report,) = write(book.units()[:1], to=to, dpi=127, colour=colour, bleed=True)
    with Image.open(report.path) as image:
        mode, at_once = image.mode, np.asarray(image)
    monkeypatch.setattr(raster, "AT_ONCE", 1)
    monkeypatch.setattr(raster, "BAND", 670 * 100)
    (report,) = write(book.units()[:1], to=to, dpi=127, colour=colour, bleed=True)
    with Image.open(report.path) as image:
        assert image.mode == mode == {"rgb": "RGB", "grey": "L", "bitonal": "1"}[colour]
        assert (np.asarray(image) == at_once).all()
        assert [round(float(part)) for part in image.info["dpi"]] == [127, 127]


def test_a_page_of_more_pixels_than_are_drawn_at_once_is_written_all_the_same(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Image, "MAX_IMAGE_PIXELS", None)
    # 1200 dpi on 300 × 200 mm: 134 million pixels.
    paper = Paper(width=300_000, height=200_000, bleed=0)
    surface = Surface(id="sf_big01", x=0, width=300_000, height=200_000)
    unit = Unit(kind=UnitKind.PAGE, id="un_big01", surfaces=(surface,), background="#336699")
    chapter = Chapter(id="ch_big01", comic="Big", paper=paper)
    (report,) = write((unit,), chapter, to="tiff", dpi=1_200, colour="grey")
    with Image.open(report.path) as image:
        assert image.size == (14_173, 9_449)
        assert image.getpixel((14_172, 9_448)) == image.getpixel((0, 0))


def test_a_strip_past_a_hundred_thousand_pixels_is_one_picture(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(raster, "AT_ONCE", 1_000_000)
    (report,) = write((strip(9_000_000),), STRIP, to="png", dpi=300)
    with Image.open(report.path) as image:
        assert image.size == (236, 106_299)


def test_a_strip_that_a_format_cannot_hold_is_refused_before_anything_is_written(write: Write, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="un_long1 would be too large for a WebP picture") as refused:
        write((book.units()[0], strip(9_000_000)), STRIP, to="webp", dpi=300)
    assert refused.value.expected == "at most 16,383 pixels on a side"
    assert "PNG or TIFF" in refused.value.recovery
    assert [*tmp_path.iterdir()] == []


def test_a_missing_picture_is_told_of_the_page_it_is_missing_on(write: Write, monkeypatch: pytest.MonkeyPatch) -> None:
    for _ in range(2):
        (report,) = write(book.units()[:1], gone=("as_disc",), to="tiff", dpi=100)
        assert [(loss.code, loss.where) for loss in report.losses[1:]] == [("missing", ("as_disc",))]
        monkeypatch.setattr(raster, "AT_ONCE", 1)


def test_black_and_white_keeps_words_crisp_and_screens_what_is_between(write: Write) -> None:
    (report,) = write(book.units()[:1], to="tiff", dpi=600, colour="bitonal")
    with Image.open(report.path) as image:
        assert image.mode == "1"
        assert image.info["compression"] == "group4"
        seen = np.asarray(image)
    gradient = seen[int(160 * 23.622) : int(172 * 23.622), int(9 * 23.622) : int(11 * 23.622)]
    assert 0.3 < gradient.mean() < 0.7
    assert seen[: int(7 * 23.622)].all()


def test_a_stopped_export_leaves_the_earlier_files(write: Write, tmp_path: Path) -> None:
    before = {report.path.name: report.sha256 for report in write(book.units()[:2], to="png", dpi=72)}

    def stop(what: str, done: int, total: int) -> None:
        if done:
            raise BadInput("stopped")

    painting = Painting(book.Art.of().pictures)
    with pytest.raises(BadInput, match="stopped"):
        write_pictures(
            tmp_path,
            "book",
            book.units()[:2],
            book.CHAPTER,
            painting,
            RasterOptions(to="png", dpi=100),
            titles=lambda unit: unit.id,
            progress=stop,
        )
    after = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in tmp_path.iterdir()}
    assert after == before


def test_what_is_seen_of_a_sheet_is_its_trim_or_its_bleed() -> None:
    options = RasterOptions(to="png", dpi=254)
    assert options.size(Rect(x=0, y=0, w=10_000, h=20_000)) == (100, 200)
