"""CBZ: a zip of page pictures in reading order, with a ComicInfo 2.0 sheet.

The same pages and facts give the same bytes: no times, nothing compressed twice, names in reading order.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lantern_kit.comic.formats import comicinfo
from lantern_kit.comic.formats.comicinfo import ComicInfo, PageInfo
from lantern_kit.comic.formats.report import FLATTENED, ExportReport
from lantern_kit.comic.model import UnitKind
from lantern_kit.kernel.errors import BadInput, BadPicture
from lantern_kit.kernel.files import replacing
from lantern_kit.kernel.progress import Progress, quiet, steps

FORMAT = "CBZ with ComicInfo 2.0"

_MEDIA = {"image/jpeg": ("jpg", b"\xff\xd8\xff"), "image/png": ("png", b"\x89PNG\r\n\x1a\n")}
_NO_TIME = (1980, 1, 1, 0, 0, 0)
_PLAIN_FILE = 0o100644 << 16


@dataclass(frozen=True, slots=True, kw_only=True)
class CbzPage:
    """One rendered unit.

    Args:
        data: the encoded picture.
        media: what it is encoded as.
        width: pixels.
        height: pixels.
        kind: page, cover, transition or spread (one picture of both facing pages).
        name: a label under which readers list the page; empty for none.

    Raises:
        BadPicture: the bytes are not of that media type, or the size is none.
    """

    data: bytes
    media: Literal["image/jpeg", "image/png"]
    width: int
    height: int
    kind: UnitKind = UnitKind.PAGE
    name: str = ""

    def __post_init__(self) -> None:
        known = _MEDIA.get(self.media)
        if known is None:
            raise BadPicture("a CBZ page is a JPEG or PNG picture", expected=sorted(_MEDIA), found=self.media)
        if not self.data.startswith(known[1]):
            raise BadPicture(f"these bytes are not {self.media}", expected=self.media, found=self.data[:8].hex())
        if self.width < 1 or self.height < 1:
            raise BadPicture("a page has no pixels", found=f"{self.width}×{self.height}")


def write_cbz(path: Path, pages: Sequence[CbzPage], info: ComicInfo, tell: Progress = quiet) -> ExportReport:
    """Write the pages, in reading order, as one archive; an older file of that name is replaced in one step.

    Raises:
        BadInput: there are no pages, or the file cannot be written there.
    """
    if not pages:
        raise BadInput("a CBZ needs at least one page", recovery="Add a unit to the chapter, then export again.")
    rows = [_row(place, pages) for place in range(len(pages))]
    xml, losses = comicinfo.sheet(info, rows, [FLATTENED])
    digits = max(3, len(str(len(pages))))
    with replacing(path) as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            _add(archive, comicinfo.FILENAME, xml)
            for number, page in enumerate(steps(pages, tell, "writing"), start=1):
                _add(archive, f"{number:0{digits}}.{_MEDIA[page.media][0]}", page.data)
        size = file.tell()
        file.seek(0)
        sha256 = hashlib.file_digest(file, "sha256").hexdigest()
    return ExportReport(path=path, format=FORMAT, size=size, sha256=sha256, pages=len(pages), losses=losses)


def _add(archive: zipfile.ZipFile, name: str, data: bytes) -> None:
    entry = zipfile.ZipInfo(name, _NO_TIME)
    entry.create_system = 3  # the same on every system
    entry.external_attr = _PLAIN_FILE
    archive.writestr(entry, data)


def _row(place: int, pages: Sequence[CbzPage]) -> PageInfo:
    page = pages[place]
    return PageInfo(
        type=_page_type(place, pages),
        double=page.kind is UnitKind.SPREAD,
        size=len(page.data),
        width=page.width,
        height=page.height,
        bookmark=page.name,
    )


def _page_type(place: int, pages: Sequence[CbzPage]) -> str:
    """The schema's word: covers by where they stand, everything else by its kind."""
    if pages[place].kind is UnitKind.COVER:
        if place == 0:
            return "FrontCover"
        return "BackCover" if place == len(pages) - 1 else "InnerCover"
    return "Other" if pages[place].kind is UnitKind.TRANSITION else "Story"
