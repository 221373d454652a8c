"""A chapter as files: a PDF for print, one picture a page, or one CBZ for readers."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, cast

from lantern_kit.comic.formats.cbz import CbzPage, write_cbz
from lantern_kit.comic.formats.comicinfo import ComicInfo
from lantern_kit.comic.formats.report import ExportReport
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.files import sweep
from lantern_kit.kernel.progress import Progress, reporting, steps

if TYPE_CHECKING:
    from lantern_kit.comic.formats.levels import Colour
    from lantern_kit.comic.formats.pdf import PdfOptions
    from lantern_kit.comic.formats.raster import Raster, RasterOptions
    from lantern_kit.comic.formats.sheets import Spreads
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.comic.renderer import Renderer

Format = Literal["cbz", "pdf", "png", "tiff", "webp"]
FORMATS: tuple[Format, ...] = ("cbz", "pdf", "png", "tiff", "webp")
SPREADS, COLOURS = ("whole", "split"), ("rgb", "grey", "bitonal")
DPI = 300
"""Of what is read on a screen; a PDF and a TIFF go by the chapter's paper."""
_TAKES: dict[str, frozenset[str]] = {
    "cbz": frozenset(),
    "pdf": frozenset({"spreads", "bleed", "colour", "marks", "intent", "author", "lpi", "angle"}),
    "png": frozenset({"spreads", "bleed", "colour", "lpi", "angle"}),
    "tiff": frozenset({"spreads", "bleed", "colour", "lpi", "angle"}),
    "webp": frozenset({"spreads", "bleed"}),
}


@dataclass(frozen=True, slots=True)
class Wanted:
    """How a chapter is exported; the defaults are what is usual, and not in a file's name."""

    spreads: str = "whole"
    """As one wide page, or ``split`` into two, the one that is read first before the other."""
    bleed: bool = False
    """Pictures with their bleed; a PDF always has it."""
    colour: str = "rgb"
    """``grey`` or ``bitonal`` (black and white alone) are for books without colour."""
    marks: bool = True
    """Crop marks in a PDF, in a margin outside the bleed."""
    intent: Path | str | None = None
    """A printer's ICC profile, for a PDF; None is sRGB."""
    author: str = ""
    """Who is named as the author of a PDF."""
    lpi: float | None = None
    """Of ``bitonal``: rows of dots an inch in what is neither black nor white; None is 60, and fewer below 300 dpi."""
    angle: float | None = None
    """Of ``bitonal``: degrees of those rows; None is 45."""


_USUAL = asdict(Wanted())


def export_chapter(
    renderer: Renderer,
    moment: Moment,
    folder: Path,
    *,
    to: str,
    dpi: int | None = None,
    wanted: Wanted,
    progress: Progress | None = None,
) -> tuple[ExportReport, ...]:
    """Write a chapter into a folder: one report for each file. All of them take their places at the end, or none.

    A file is called by its comic and chapter and by what is unusual of it, ``comic-01-split-grey.pdf``: so kinds do not
    take each other's places. An older file of the same name is replaced, and the report says so.

    Args:
        renderer: draws it.
        moment: the revision that is written.
        folder: where to; it is made where it is missing.
        to: ``cbz``, ``pdf``, ``png``, ``tiff`` or ``webp``.
        dpi: pixels an inch, 72 to 1200; of a PDF, how fine its pictures are kept at most. None is the paper's own
            resolution for PDF and TIFF, and 300 for the others.
        wanted: all else.
        progress: told of every unit.

    Raises:
        BadInput: an unknown format, an option that it does not take, an empty chapter, a resolution outside 72 … 1200,
            a profile that is none, or a file that cannot be written.
    """
    _check(to, dpi, wanted)
    book = moment.book
    if not len(book):
        raise BadInput("the chapter has no units yet", recovery="Add a page, then export.")
    chapter = book.chapter
    if dpi is None:
        dpi = min(1_200, chapter.paper.dpi) if to in ("pdf", "tiff") else DPI
    _check_screen(wanted, dpi)
    units = [*book.units()]
    book_options = _pdf_options(dpi, wanted) if to == "pdf" else None
    there = _make(folder)
    sweep(folder)
    name = stem(chapter) + _kind(wanted)

    def title(unit: Unit) -> str:
        return moment.titles[unit.id]

    made: tuple[ExportReport, ...]
    with reporting(progress, "Exporting") as tell:
        if to == "cbz":
            pages = [_page(renderer.render(unit, chapter, dpi=dpi), unit) for unit in steps(units, tell, title)]
            made = (write_cbz(folder / f"{name}.cbz", pages, ComicInfo.of(chapter), tell),)
        elif book_options is not None:
            from lantern_kit.comic.formats.pdf import write_pdf

            path, fonts = folder / f"{name}.pdf", renderer.fonts
            made = (write_pdf(path, units, chapter, renderer, book_options, titles=title, fonts=fonts, progress=tell),)
        else:
            from lantern_kit.comic.formats.raster import write_pictures

            options = _raster_options(to, dpi, wanted)
            made = write_pictures(folder, name, units, chapter, renderer, options, titles=title, progress=tell)
    return tuple(replace(report, replaced=report.name in there) for report in made)


def stem(chapter: Chapter) -> str:
    """A file name for a chapter: words of its comic and its number."""
    words = re.sub(r"[^\w]+", "-", chapter.comic, flags=re.UNICODE).strip("-").lower()
    return f"{words[:60] or 'comic'}-{chapter.number:02d}"


def _kind(wanted: Wanted) -> str:
    """What of an export is unusual, for its file's name; nothing for whole spreads in colour, as cut."""
    values = asdict(wanted)
    words = [values[name] for name in ("spreads", "colour") if values[name] != _USUAL[name]]
    return "".join(f"-{word}" for word in (*words, *(["bleed"] if wanted.bleed else [])))


def _check(to: str, dpi: int | None, wanted: Wanted) -> None:
    asked = asdict(wanted)
    if to not in FORMATS:
        raise BadInput(f"{to[:20]} is not a format of this export", expected=list(FORMATS), found=to[:20])
    if dpi is not None and (isinstance(dpi, bool) or not isinstance(dpi, int)):
        raise BadInput("a resolution is a whole number", expected="72 to 1200 dpi", found=repr(dpi)[:20])
    if dpi is not None and not 72 <= dpi <= 1_200:
        raise BadInput("the resolution lies outside what is printed", expected="72 to 1200 dpi", found=dpi)
    for name, known in (("spreads", SPREADS), ("colour", COLOURS)):
        if asked[name] not in known:
            raise BadInput(f"{name} is {' or '.join(known)}", expected=list(known), found=str(asked[name])[:20])
    idle = sorted(name for name, value in asked.items() if value != _USUAL[name] and name not in _TAKES[to])
    if idle:
        holders = [one for one in FORMATS if _TAKES[one] >= {*idle}]
        raise BadInput(
            f"{to} takes no {' and no '.join(idle)}",
            expected=sorted(_TAKES[to]) or "none of these options",
            found=idle,
            recovery=f"Leave it out, or write {' or '.join(holders)}.",
        )


def _check_screen(wanted: Wanted, dpi: int) -> None:
    asked: tuple[tuple[str, Any, float, float], ...] = (
        ("lpi", wanted.lpi, 10, dpi / 3),
        ("angle", wanted.angle, -360, 360),
    )
    for name, value, low, high in asked:
        if value is None:
            continue
        if wanted.colour != "bitonal":
            raise BadInput(f"{name} is of a screen", expected="colour bitonal", found=wanted.colour)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and low <= value <= high):
            raise BadInput(
                f"{name} lies outside what can be screened at {dpi} dpi",
                expected=f"{low:g} to {high:g}",
                found=repr(value)[:20],
            )


def _pdf_options(dpi: int, wanted: Wanted) -> PdfOptions:
    from lantern_kit.comic.formats.levels import ANGLE
    from lantern_kit.comic.formats.pdf import PdfOptions
    from lantern_kit.comic.formats.pdf_intent import read_intent

    return PdfOptions(
        dpi=dpi,
        spreads=cast("Spreads", wanted.spreads),
        marks=wanted.marks,
        intent=None if wanted.intent is None else read_intent(Path(wanted.intent).expanduser()),
        author=wanted.author,
        colour=cast("Colour", wanted.colour),
        lpi=wanted.lpi,
        angle=ANGLE if wanted.angle is None else wanted.angle,
    )


def _raster_options(to: str, dpi: int, wanted: Wanted) -> RasterOptions:
    from lantern_kit.comic.formats.levels import ANGLE
    from lantern_kit.comic.formats.raster import RasterOptions

    return RasterOptions(
        to=cast("Raster", to),
        dpi=dpi,
        spreads=cast("Spreads", wanted.spreads),
        bleed=wanted.bleed,
        colour=cast("Colour", wanted.colour),
        lpi=wanted.lpi,
        angle=ANGLE if wanted.angle is None else wanted.angle,
    )


def _make(folder: Path) -> frozenset[str]:
    """Make the folder where it is missing; gives the names of what is in it."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        return frozenset(item.name for item in folder.iterdir())
    except OSError as problem:
        raise BadInput(
            f"{folder.name} cannot be a folder: {problem.strerror or type(problem).__name__}",
            recovery="Name a folder, in a place that may be written to.",
        ) from problem


def _page(drawn: Rendered, unit: Unit) -> CbzPage:
    return CbzPage(
        data=drawn.jpeg(90),
        media="image/jpeg",
        width=drawn.width,
        height=drawn.height,
        kind=unit.kind,
        name=unit.name,
    )
