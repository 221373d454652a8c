"""PDF for print: pages as vectors with their pictures, exact boxes, and words that can be copied.

skia draws every page, glyphs as outlines, onto pages whose pictures are only named; what it wrote is then given the
pictures, the words, the boxes and the facts of the book. Page after page goes to the disk, so that a book of any
length takes the memory of one page. The same chapter gives the same bytes: there is no time in it, and its identifier
is a hash of what it holds. ISO 32000-1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Protocol

import pikepdf
from pikepdf import Array, Dictionary, Name

from lantern_kit.comic.formats.halves import halves, straddling_loss
from lantern_kit.comic.formats.levels import ANGLE, Colour, beating, beating_loss
from lantern_kit.comic.formats.pdf_facts import BookFacts, describe
from lantern_kit.comic.formats.pdf_fonts import PdfFonts
from lantern_kit.comic.formats.pdf_intent import Intent, declare, srgb_intent
from lantern_kit.comic.formats.pdf_pictures import MOST_HIDDEN, keep_jpeg, keep_levels, keep_picture
from lantern_kit.comic.formats.pdf_spool import Spool
from lantern_kit.comic.formats.pdf_text import said, text_layer
from lantern_kit.comic.formats.raster import bands, measured
from lantern_kit.comic.formats.report import STAND_INS, ExportReport, Loss
from lantern_kit.comic.formats.sheets import SLUG, Pages, Sheet, Spreads, sheets
from lantern_kit.comic.model import Chapter, Direction, Rect, Unit
from lantern_kit.comic.render.engine import skia
from lantern_kit.comic.render.page import record_unit
from lantern_kit.comic.render.part import PartPainter
from lantern_kit.comic.render.plate import Plate
from lantern_kit.comic.render.proxy import Proxies, Use, numbered_point
from lantern_kit.comic.typeset.fonts import Fonts, packaged_fonts
from lantern_kit.kernel.files import beside, replacing, translated
from lantern_kit.kernel.progress import Progress, quiet, steps

FORMAT = "PDF 1.7"


class Art(Protocol):
    """Where the pictures of a book are, and who paints pages that are pictures themselves."""

    def painter(self, unit: Unit, chapter: Chapter, *, area: Rect | None = None) -> PartPainter:
        """A unit part by part."""
        ...

    def plate(self, asset: str) -> Plate | None:
        """A picture; None where there is none."""
        ...

    def jpeg(self, asset: str) -> Callable[[], bytes] | None:
        """Reads a picture as it is stored, if that is a JPEG of three channels whose samples are drawn as they are."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class PdfOptions:
    """How a chapter becomes a PDF.

    Args:
        dpi: pictures are kept no finer than this.
        spreads: a spread as one wide page, or as two.
        marks: crop marks, in a margin of 7 mm outside the bleed.
        intent: the printing condition; None is sRGB.
        author: who is named as the author; nobody when empty.
        colour: in colour; or every page as one picture, in greys or in black and white alone.
        lpi, angle: the screen of what is black and white alone: rows of dots an inch, None as manga is, and degrees.
    """

    dpi: int = 600
    spreads: Spreads = "whole"
    marks: bool = True
    intent: Intent | None = None
    author: str = ""
    colour: Colour = "rgb"
    lpi: float | None = None
    angle: float = ANGLE


def write_pdf(
    path: Path,
    units: Sequence[Unit],
    chapter: Chapter,
    art: Art,
    options: PdfOptions,
    *,
    titles: Callable[[Unit], str],
    fonts: Fonts | None = None,
    progress: Progress = quiet,
) -> ExportReport:
    """Write units, in reading order, as one PDF; an older file of that name is replaced in one step.

    Args:
        path: the file.
        units: what is printed.
        chapter: their chapter.
        art: their pictures.
        options: see there.
        titles: what people call a unit.
        fonts: the fonts to use; None is those that come with the kit.
        progress: told before each unit, and before all of it is written.

    Raises:
        BadInput: the file cannot be written.
        Corrupt: a picture is damaged.
    """
    intent = options.intent or srgb_intent()
    with ExitStack() as stack:
        kept = stack.enter_context(_scratch(path))
        book = _Book(chapter, art, options, fonts or packaged_fonts(), Spool(kept))
        with translated(path.name):
            for unit in steps(units, progress, titles, len(units)):
                book.draw(unit, titles(unit))
            progress("writing", 0, 1)
            pdf = stack.enter_context(book.spool.done())
            book.finish(pdf)
            declare(pdf, intent)
            describe(pdf, book.facts())
        with replacing(path) as file:
            pdf.save(
                file,
                deterministic_id=True,
                force_version="1.7",
                object_stream_mode=pikepdf.ObjectStreamMode.disable,
                fix_metadata_version=False,
            )
            size, digest = measured(file)
    return ExportReport(
        path=path, format=FORMAT, size=size, sha256=digest, pages=len(units), losses=book.losses(intent)
    )


@dataclass(eq=False)
class _Book:
    """A PDF in the making."""

    chapter: Chapter
    art: Art
    options: PdfOptions
    fonts: Fonts
    spool: Spool
    sheets: list[Sheet] = field(default_factory=list)
    texts: list[bytes] = field(default_factory=list)
    marks: list[tuple[int, str]] = field(default_factory=list)
    gone: list[str] = field(default_factory=list)
    gutters: list[str] = field(default_factory=list)
    straddling: list[str] = field(default_factory=list)
    beats: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.pages = Pages(self.chapter.direction)
        self.embedded = PdfFonts()
        self.proxies = Proxies(self.art.plate, self._whole)
        self.kept = 0

    @property
    def rtl(self) -> bool:
        return self.chapter.direction is Direction.RTL

    def draw(self, unit: Unit, title: str) -> None:
        """A unit's pages, its words and its pictures."""
        labels = self.pages.labels(unit, title)
        made = sheets(
            unit,
            self.chapter.paper,
            labels,
            spreads=self.options.spreads,
            rtl=self.rtl,
            slug=SLUG if self.options.marks else 0,
        )
        self.marks.append((len(self.sheets), title if unit.name or len(labels) == 2 or not labels[0].isdigit() else ""))
        if len(made) == 2 and unit.gutter:
            self.gutters.append(title)
        shared = halves(unit, made, self.fonts)
        self.straddling += [f"{title}, {name}" for name in shared.straddling]
        for place, sheet in enumerate(made):
            spoken = [*said(unit, self.fonts, only={name for name, home in shared.home.items() if home == place})]
            self.texts.append(text_layer(spoken, sheet, self.embedded))
        self.sheets += made
        if self.options.colour != "rgb":
            for sheet in made:
                self._flat(unit, sheet, title)
            return
        recording = record_unit(unit, self.chapter, self._picture(title), scale=self.options.dpi / 25.4)
        for sheet in made:
            self.spool.page(_drawn(recording, sheet))
        for use in self.proxies.uses[self.kept :]:
            self._keep(use, self.spool.picture(self.kept))
            self.kept += 1

    def _flat(self, unit: Unit, sheet: Sheet, title: str) -> None:
        """A page that is one picture, in levels of grey or in black and white."""
        area = sheet.bleed
        recorder = skia.PictureRecorder()
        canvas = recorder.beginRecording(skia.Rect.MakeXYWH(area.x, area.y, area.w, area.h))
        point, number = numbered_point(self.kept), self.spool.picture(self.kept)
        self.kept += 1
        canvas.drawImageRect(point, skia.Rect.MakeXYWH(area.x, area.y, area.w, area.h))
        self.spool.page(_drawn(recorder.finishRecordingAsPicture(), sheet))
        painter = self.art.painter(unit, self.chapter, area=area)
        size = painter.size(self.options.dpi / 25.4)
        options = self.options
        rows = bands(painter, options.dpi, options.colour, lpi=options.lpi, angle=options.angle)
        keep_levels(self.spool, number, rows, size, options.colour)
        if options.colour == "bitonal" and beating(unit) and title not in self.beats:
            self.beats.append(title)
        if painter.missing and title not in self.gone:
            self.gone.append(title)

    def _picture(self, title: str) -> Callable[[str], Any]:
        def find(asset: str) -> Any:
            found = self.proxies(asset)
            if found is None and title not in self.gone:
                self.gone.append(title)
            return found

        return find

    def _whole(self, asset: str, share: float) -> bool:
        return share >= MOST_HIDDEN and self.art.jpeg(asset) is not None

    def _keep(self, use: Use, number: int) -> None:
        plate = self.proxies.plate(use.asset)
        everything = use.part == (0, 0, plate.width, plate.height)
        stored = self.art.jpeg(use.asset) if use.factor == 1 and everything else None
        if stored is not None:
            keep_jpeg(self.spool, number, stored(), plate.width, plate.height)
        else:
            keep_picture(self.spool, number, plate.picture(), use)

    def finish(self, pdf: pikepdf.Pdf) -> None:
        """Give the pages their boxes and words."""
        fonts = self.embedded.write(pdf)
        ink = pdf.make_indirect(_every_plate())
        for page, sheet, words in zip(pdf.pages, self.sheets, self.texts, strict=True):
            _finish_page(pdf, page, sheet, words, fonts, ink)

    def facts(self) -> BookFacts:
        """What the file says of itself."""
        split = self.options.spreads == "split"
        wide = any(len(sheet.folds) for sheet in self.sheets)
        alone = len(self.marks) < 2 or self.marks[1][0] == 1
        layout = "SinglePage" if wide and not split else "TwoPageRight" if alone else "TwoPageLeft"
        return BookFacts(
            chapter=self.chapter,
            author=self.options.author,
            layout="OneColumn" if self.chapter.direction is Direction.TTB else layout,
            labels=tuple(sheet.label for sheet in self.sheets),
            bookmarks=tuple((page, name) for page, name in self.marks if name),
        )

    def losses(self, intent: Intent) -> tuple[Loss, ...]:
        """What the file does not hold, and what a printer should be told."""
        found = []
        if self.gone:
            found.append(Loss("missing", STAND_INS, tuple(self.gone)))
        if self.gutters:
            message = "What lies between the two pages of a spread is on neither of them."
            found.append(Loss("gutter", message, tuple(self.gutters)))
        found += [*straddling_loss(self.straddling), *self.pages.losses(), *beating_loss(self.beats)]
        if self.options.colour != "rgb":
            found.append(Loss("pictures", "Pages are pictures: frames, layers and lettering cannot be told apart."))
        elif not intent.own:
            message = "Colours stay sRGB and are not separated; the printing condition they are for is declared."
            found.append(Loss("colours", message, (intent.name,)))
        return tuple(found)


@contextmanager
def _scratch(path: Path) -> Iterator[BinaryIO]:
    """A file of no name that anybody looks for, gone when the block ends."""
    with beside(path) as made, translated(path.name), made.open("xb+") as file:
        yield file


def _drawn(recording: Any, sheet: Sheet) -> bytes:
    """A PDF of one page, as skia writes it."""
    media, area = sheet.media, sheet.bleed
    stream = skia.DynamicMemoryWStream()
    document = skia.PDF.MakeDocument(stream, skia.PDF.Metadata())
    canvas = document.beginPage(*_whole_points(sheet))
    canvas.scale(sheet.scale, sheet.scale)
    canvas.translate(-media.x, -media.y)
    canvas.clipRect(skia.Rect.MakeXYWH(area.x, area.y, area.w, area.h))
    canvas.drawPicture(recording)
    document.endPage()
    document.close()
    return bytes(stream.detachAsData())


def _whole_points(sheet: Sheet) -> tuple[int, int]:
    """The page as skia has it, which knows no parts of a point."""
    _, _, width, height = sheet.box(sheet.media)
    return max(1, -int(-width // 1)), max(1, -int(-height // 1))


def _finish_page(pdf: pikepdf.Pdf, page: Any, sheet: Sheet, words: bytes, fonts: dict[str, Any], ink: Any) -> None:
    _, _, width, height = sheet.box(sheet.media)
    page.obj.MediaBox = Array([0, 0, width, height])
    page.obj.BleedBox = Array([*sheet.box(sheet.bleed)])
    page.obj.TrimBox = Array([*sheet.box(sheet.trim)])
    if sheet.unit > 1:
        page.obj.UserUnit = sheet.unit
    # What is translucent is mixed as on the screen, whatever the printer's own space is.
    page.obj.Group = Dictionary(Type=Name.Group, S=Name.Transparency, CS=Name.DeviceRGB)
    resources = page.obj.Resources
    after = [b"Q"]
    marks = [*sheet.marks()]
    if marks:
        resources["/ColorSpace"] = Dictionary({"/All": ink})
        after += [b"q /All CS 1 SCN 0.25 w", *(_stroke(sheet, mark) for mark in marks), b"Q"]
    if words:
        after.append(words)
        used = {key: font for key, font in fonts.items() if b"/%s " % key.encode() in words}
        resources["/Font"] = Dictionary({"/" + key: font for key, font in used.items()})
    lowered = height - _whole_points(sheet)[1]
    page.contents_add(b"q 1 0 0 1 0 %.4f cm" % lowered, prepend=True)
    page.contents_add(b"\n".join(after))


def _stroke(sheet: Sheet, mark: tuple[float, float, float, float]) -> bytes:
    (x0, y0), (x1, y1) = sheet.spot(mark[0], mark[1]), sheet.spot(mark[2], mark[3])
    return b"%.4f %.4f m %.4f %.4f l S" % (x0, y0, x1, y1)


def _every_plate() -> Array:
    """The colour that is on every plate, for marks: ISO 32000-1, 8.6.6.4."""
    grey = Dictionary(FunctionType=2, Domain=Array([0, 1]), C0=Array([1]), C1=Array([0]), N=1)
    return Array([Name.Separation, Name.All, Name.DeviceGray, grey])
