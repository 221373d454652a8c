"""A chapter as files: PNG pages, or one CBZ."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import TYPE_CHECKING

from lantern_kit.comic.formats.cbz import CbzPage, write_cbz
from lantern_kit.comic.formats.comicinfo import ComicInfo
from lantern_kit.comic.formats.file import Write, replacing_all
from lantern_kit.comic.formats.report import FLATTENED, ExportReport
from lantern_kit.comic.model import Chapter, Unit
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.progress import Progress, reporting, steps

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.comic.renderer import Renderer

FORMATS = ("png", "cbz")


def export_chapter(
    renderer: Renderer, moment: Moment, folder: Path, *, to: str, dpi: int, progress: Progress | None = None
) -> tuple[ExportReport, ...]:
    """Write a chapter into a folder: one report for each file. All of them take their places at the end, or none.

    Raises:
        BadInput: an unknown format, an empty chapter, a resolution outside 72 … 1200, or a file that cannot be written.
    """
    if to not in FORMATS:
        raise BadInput(f"{to[:20]} is not a format of this export", expected=list(FORMATS), found=to[:20])
    if not 72 <= dpi <= 1_200:
        raise BadInput("the resolution lies outside what is printed", expected="72 to 1200 dpi", found=dpi)
    book = moment.book
    if not len(book):
        raise BadInput("the chapter has no units yet", recovery="Add a page, then export.")
    folder.mkdir(parents=True, exist_ok=True)
    name = stem(book.chapter)
    with reporting(progress, "Exporting") as tell:
        units = enumerate(steps(book.units(), tell, lambda unit: moment.titles[unit.id], len(book)), 1)
        if to == "cbz":
            pages = [_page(renderer.render(unit, book.chapter, dpi=dpi), unit) for _, unit in units]
            return (write_cbz(folder / f"{name}.cbz", pages, ComicInfo.of(book.chapter), tell),)
        with replacing_all(folder) as write:
            return tuple(
                _picture(write, folder / f"{name}-{place:03d}.png", renderer.render(unit, book.chapter, dpi=dpi))
                for place, unit in units
            )


def stem(chapter: Chapter) -> str:
    """A file name for a chapter: words of its comic and its number."""
    words = re.sub(r"[^\w]+", "-", chapter.comic, flags=re.UNICODE).strip("-").lower()
    return f"{words[:60] or 'comic'}-{chapter.number:02d}"


def _page(drawn: Rendered, unit: Unit) -> CbzPage:
    return CbzPage(
        data=drawn.jpeg(90),
        media="image/jpeg",
        width=drawn.width,
        height=drawn.height,
        kind=unit.kind,
        name=unit.name,
    )


def _picture(write: Write, path: Path, drawn: Rendered) -> ExportReport:
    data = drawn.png(fast=False)
    write(path.name, data)
    return ExportReport(
        path=path,
        format="PNG",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        pages=1,
        losses=(FLATTENED,),
    )
