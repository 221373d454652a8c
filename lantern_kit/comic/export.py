"""A chapter as files: a PDF for print, one picture a page, or one CBZ for readers."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from lantern_kit.comic.formats.cbz import CbzPage, write_cbz
from lantern_kit.comic.formats.comicinfo import ComicInfo
from lantern_kit.comic.formats.report import ExportReport
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import Progress, reporting, steps

if TYPE_CHECKING:
    from collections.abc import Callable

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


def export_chapter(
    renderer: Renderer,
    moment: Moment,
    folder: Path,
    *,
    to: str,
    dpi: int | None = None,
    spreads: str = "whole",
    bleed: bool = False,
    colour: str = "rgb",
    marks: bool = True,
    intent: Path | str | None = None,
    author: str = "",
    lpi: float | None = None,
    angle: float | None = None,
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
        spreads: ``whole`` as one wide page, or ``split`` into two, the one that is read first before the other.
        bleed: pictures with their bleed; a PDF always has it.
        colour: ``rgb``; ``grey`` or ``bitonal`` (black and white alone) for books without colour.
        marks: crop marks in a PDF, in a margin outside the bleed.
        intent: a printer's ICC profile, for a PDF; None is sRGB.
        author: who is named as the author of a PDF.
        lpi, angle: of ``bitonal``, the screen of what is neither black nor white: rows of dots an inch (60, fewer below
            300 dpi, if not given) and degrees (45).
        progress: told of every unit.

    Raises:
        BadInput: an unknown format, an option that it does not take, an empty chapter, a resolution outside 72 … 1200,
            a profile that is none, or a file that cannot be written.
    """
    asked = {
        "spreads": spreads, "bleed": bleed, "colour": colour, "marks": marks, "intent": intent, "author": author,
        "lpi": lpi, "angle": angle,
    }  # fmt: skip
    _check(to, dpi, asked)
    book = moment.book
    if not len(book):
        raise BadInput("the chapter has no units yet", recovery="Add a page, then export.")
    chapter = book.chapter
    if dpi is None:
        dpi = min(1_200, chapter.paper.dpi) if to in ("pdf", "tiff") else DPI
    _check_screen(lpi, angle, colour, dpi)
    units = [*book.units()]
    wanted = {**asked, "dpi": dpi, "spreads": spreads, "colour": colour}
    condition = _condition(intent)
    there = _make(folder)
    name = stem(chapter) + _kind(asked)

    def title(unit: Unit) -> str:
        return moment.titles[unit.id]

    made: tuple[ExportReport, ...]
    with reporting(progress, "Exporting") as tell:
        if to == "cbz":
            pages = [_page(renderer.render(unit, chapter, dpi=dpi), unit) for unit in steps(units, tell, title)]
            made = (write_cbz(folder / f"{name}.cbz", pages, ComicInfo.of(chapter), tell),)
        elif to == "pdf":
            made = (_pdf(renderer, folder / f"{name}.pdf", units, chapter, wanted, condition, title, tell),)
        else:
            made = _pictures(renderer, folder, name, units, chapter, to, wanted, title, tell)
    return tuple(replace(report, replaced=report.name in there) for report in made)


def stem(chapter: Chapter) -> str:
    """A file name for a chapter: words of its comic and its number."""
    words = re.sub(r"[^\w]+", "-", chapter.comic, flags=re.UNICODE).strip("-").lower()
    return f"{words[:60] or 'comic'}-{chapter.number:02d}"


def _kind(asked: dict[str, Any]) -> str:
    """What of an export is unusual, for its file's name; nothing for whole spreads in colour, as cut."""
    words = [asked[name] for name, usual in (("spreads", "whole"), ("colour", "rgb")) if asked[name] != usual]
    return "".join(f"-{word}" for word in (*words, *(["bleed"] if asked["bleed"] else [])))


def _check(to: str, dpi: int | None, asked: dict[str, Any]) -> None:
    if to not in FORMATS:
        raise BadInput(f"{to[:20]} is not a format of this export", expected=list(FORMATS), found=to[:20])
    if dpi is not None and (isinstance(dpi, bool) or not isinstance(dpi, int)):
        raise BadInput("a resolution is a whole number", expected="72 to 1200 dpi", found=repr(dpi)[:20])
    if dpi is not None and not 72 <= dpi <= 1_200:
        raise BadInput("the resolution lies outside what is printed", expected="72 to 1200 dpi", found=dpi)
    for name, known in (("spreads", SPREADS), ("colour", COLOURS)):
        if asked[name] not in known:
            raise BadInput(f"{name} is {' or '.join(known)}", expected=list(known), found=str(asked[name])[:20])
    usual = {
        "spreads": "whole",
        "bleed": False,
        "colour": "rgb",
        "marks": True,
        "intent": None,
        "author": "",
        "lpi": None,
        "angle": None,
    }
    idle = sorted(name for name, value in asked.items() if value != usual[name] and name not in _TAKES[to])
    if idle:
        holders = [one for one in FORMATS if _TAKES[one] >= {*idle}]
        raise BadInput(
            f"{to} takes no {' and no '.join(idle)}",
            expected=sorted(_TAKES[to]) or "none of these options",
            found=idle,
            recovery=f"Leave it out, or write {' or '.join(holders)}.",
        )


def _check_screen(lpi: Any, angle: Any, colour: str, dpi: int) -> None:
    for name, value, low, high in (("lpi", lpi, 10, dpi / 3), ("angle", angle, -360, 360)):
        if value is None:
            continue
        if colour != "bitonal":
            raise BadInput(f"{name} is of a screen", expected="colour bitonal", found=colour)
        number = isinstance(value, int | float) and not isinstance(value, bool)
        if not (number and low <= value <= high):
            raise BadInput(
                f"{name} lies outside what can be screened at {dpi} dpi",
                expected=f"{low:g} to {high:g}",
                found=repr(value)[:20],
            )


def _condition(intent: Path | str | None) -> Any:
    if intent is None:
        return None
    from lantern_kit.comic.formats.pdf_intent import read_intent

    return read_intent(Path(intent).expanduser())


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


def _pdf(
    renderer: Renderer,
    path: Path,
    units: list[Unit],
    chapter: Chapter,
    wanted: dict[str, Any],
    condition: Any,
    title: Callable[[Unit], str],
    tell: Progress,
) -> ExportReport:
    from lantern_kit.comic.formats.levels import ANGLE
    from lantern_kit.comic.formats.pdf import PdfOptions, write_pdf

    options = PdfOptions(
        dpi=wanted["dpi"],
        spreads=wanted["spreads"],
        marks=wanted["marks"],
        intent=condition,
        author=wanted["author"],
        colour=wanted["colour"],
        lpi=wanted["lpi"],
        angle=ANGLE if wanted["angle"] is None else wanted["angle"],
    )
    return write_pdf(path, units, chapter, renderer, options, titles=title, fonts=renderer.fonts, progress=tell)


def _pictures(
    renderer: Renderer,
    folder: Path,
    name: str,
    units: list[Unit],
    chapter: Chapter,
    to: Any,
    wanted: dict[str, Any],
    title: Callable[[Unit], str],
    tell: Progress,
) -> tuple[ExportReport, ...]:
    from lantern_kit.comic.formats.levels import ANGLE
    from lantern_kit.comic.formats.raster import RasterOptions, write_pictures

    options = RasterOptions(
        to=to,
        dpi=wanted["dpi"],
        spreads=wanted["spreads"],
        bleed=wanted["bleed"],
        colour=wanted["colour"],
        lpi=wanted["lpi"],
        angle=ANGLE if wanted["angle"] is None else wanted["angle"],
    )
    return write_pictures(folder, name, units, chapter, renderer, options, titles=title, progress=tell)


def _page(drawn: Rendered, unit: Unit) -> CbzPage:
    return CbzPage(
        data=drawn.jpeg(90),
        media="image/jpeg",
        width=drawn.width,
        height=drawn.height,
        kind=unit.kind,
        name=unit.name,
    )
