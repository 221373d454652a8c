"""A chapter as files: PNG pages, or one CBZ."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from lantern_kit.comic.formats.cbz import CbzPage, write_cbz
from lantern_kit.comic.formats.comicinfo import ComicInfo
from lantern_kit.comic.formats.file import replacing
from lantern_kit.comic.formats.report import FLATTENED, ExportReport
from lantern_kit.comic.model import Chapter
from lantern_kit.comic.service import Moment
from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from lantern_kit.comic.render.rendered import Rendered
    from lantern_kit.comic.renderer import Renderer

FORMATS = ("png", "cbz")
Progress = Callable[[str, int, int], None]


def export_chapter(
    renderer: Renderer, moment: Moment, folder: Path, *, to: str, dpi: int, progress: Progress | None = None
) -> tuple[ExportReport, ...]:
    """Write a chapter into a folder: one report for each file.

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
    reports: list[ExportReport] = []
    pages: list[CbzPage] = []
    for place, unit in enumerate(book.units(), 1):
        if progress is not None:
            progress(f"{unit.kind.value} {place}", place - 1, len(book))
        drawn = renderer.render(unit, book.chapter, dpi=dpi)
        if to == "png":
            reports.append(_write_png(folder / f"{name}-{place:03d}.png", drawn))
        else:
            pages.append(
                CbzPage(
                    data=drawn.jpeg(90),
                    media="image/jpeg",
                    width=drawn.width,
                    height=drawn.height,
                    kind=unit.kind,
                    name=unit.name,
                )
            )
    if to == "cbz":
        reports.append(write_cbz(folder / f"{name}.cbz", pages, ComicInfo.of(book.chapter)))
    if progress is not None:
        progress("done", len(book), len(book))
    return tuple(reports)


def stem(chapter: Chapter) -> str:
    """A file name for a chapter: words of its comic and its number."""
    words = re.sub(r"[^\w]+", "-", chapter.comic, flags=re.UNICODE).strip("-").lower()
    return f"{words[:60] or 'comic'}-{chapter.number:02d}"


def _write_png(path: Path, drawn: Rendered) -> ExportReport:
    data = drawn.png(fast=False)
    with replacing(path) as file:
        file.write(data)
    return ExportReport(
        path=path,
        format="PNG",
        size=len(data),
        sha256=hashlib.sha256(data).hexdigest(),
        pages=1,
        losses=(FLATTENED,),
    )
