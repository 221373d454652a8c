"""Pages as pictures for print: PNG, lossless WebP or TIFF, of one size with their paper.

A page of ordinary size is painted at once. A larger one, or a strip of any length, is painted and written by bands, in
the memory of one band; it shows the same pixels.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Literal, Protocol

from lantern_kit.comic.formats.halves import halves, straddling_loss
from lantern_kit.comic.formats.levels import ANGLE, Colour, beating, beating_loss, inked, inked_bands
from lantern_kit.comic.formats.report import FLATTENED, STAND_INS, ExportReport, Loss
from lantern_kit.comic.formats.sheets import Pages, Sheet, Spreads, sheets
from lantern_kit.comic.model import Chapter, Direction, Rect, Unit
from lantern_kit.imaging.bands import Kind, PngBands, TiffBands
from lantern_kit.imaging.encode import encode_png, encode_tiff, encode_webp
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.files import Batch, replacing_all
from lantern_kit.kernel.progress import Progress, quiet, reporting, steps

if TYPE_CHECKING:
    from lantern_kit.comic.render.part import PartPainter
    from lantern_kit.comic.render.rendered import Rendered

Raster = Literal["png", "webp", "tiff"]
AT_ONCE = 40_000_000
"""Pixels of a page that is painted whole."""
BAND = 8_000_000
"""Pixels of a band, about."""
ROWS = 2_048
"""Most rows of a band. Bands end where the painter's own windows do."""
SIDES = {"webp": 16_383, "png": 2**31 - 1, "tiff": 2**32 - 1}
NAMES = {"png": "PNG", "webp": "WebP", "tiff": "TIFF"}


class Painting(Protocol):
    """What draws units."""

    def render(self, unit: Unit, chapter: Chapter, **options: Any) -> Rendered:
        """A unit, or a part of it, at once."""
        ...

    def painter(self, unit: Unit, chapter: Chapter, *, area: Rect | None = None) -> PartPainter:
        """A unit part by part."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class RasterOptions:
    """How a chapter becomes pictures.

    Args:
        to: their format.
        dpi: pixels an inch.
        spreads: a spread as one picture, or as two.
        bleed: with the bleed, for a printer who cuts; else as cut.
        colour: in colour, in greys, or in black and white alone.
        lpi, angle: the screen of what is black and white alone, as of ``inked``.
    """

    to: Raster
    dpi: int
    spreads: Spreads = "whole"
    bleed: bool = False
    colour: Colour = "rgb"
    lpi: float | None = None
    angle: float = ANGLE

    def area(self, sheet: Sheet) -> Rect:
        """What is shown of a sheet."""
        return sheet.bleed if self.bleed else sheet.trim

    def size(self, area: Rect) -> tuple[int, int]:
        """Pixels of an area."""
        return max(1, round(area.w * self.dpi / 25_400)), max(1, round(area.h * self.dpi / 25_400))


def write_pictures(
    folder: Path,
    name: str,
    units: Sequence[Unit],
    chapter: Chapter,
    painting: Painting,
    options: RasterOptions,
    *,
    titles: Callable[[Unit], str],
    progress: Progress = quiet,
) -> tuple[ExportReport, ...]:
    """Write units, in reading order, as one picture a page; all files take their places at the end, or none.

    Args:
        folder: where to.
        name: what the files' names begin with; the number of the page follows.
        units: what is printed.
        chapter: their chapter.
        painting: draws them.
        options: see there.
        titles: what people call a unit.
        progress: told before each unit.

    Raises:
        BadInput: a picture would be larger than its format can hold, or a file cannot be written.
    """
    pages = Pages(chapter.direction)
    wanted: list[tuple[Unit, list[Sheet]]] = []
    for unit in units:
        labels = pages.labels(unit, titles(unit))
        found = sheets(unit, chapter.paper, labels, spreads=options.spreads, rtl=_rtl(chapter), slug=0)
        wanted.append((unit, found))
    for unit, found in wanted:
        for sheet in found:
            _check_size(options, options.size(options.area(sheet)), titles(unit))
    reports: list[ExportReport] = []
    with replacing_all(folder) as batch:
        for unit, found in steps(wanted, progress, lambda item: titles(item[0]), len(wanted)):
            for sheet in found:
                path = folder / f"{name}-{len(reports) + 1:03d}.{options.to}"
                reports.append(_picture(batch, path, unit, chapter, painting, options, options.area(sheet)))
    if reports and options.spreads == "split":
        cut = [f"{titles(unit)}, {name}" for unit, found in wanted for name in halves(unit, found).straddling]
        reports[0] = replace(reports[0], losses=(*reports[0].losses, *straddling_loss(cut), *pages.losses()))
    if reports and options.colour == "bitonal":
        beats = beating_loss([titles(unit) for unit in units if beating(unit)])
        reports[0] = replace(reports[0], losses=(*reports[0].losses, *beats))
    return tuple(reports)


def _rtl(chapter: Chapter) -> bool:
    return chapter.direction is Direction.RTL


def _check_size(options: RasterOptions, size: tuple[int, int], title: str) -> None:
    most = SIDES[options.to]
    if max(size) > most:
        raise BadInput(
            f"{title} would be too large for a {NAMES[options.to]} picture",
            expected=f"at most {most:,} pixels on a side",
            found=f"{size[0]:,} × {size[1]:,} pixels",
            recovery="Ask for PNG or TIFF, which hold strips of any length, or for fewer dpi.",
        )


def _picture(
    batch: Batch, path: Path, unit: Unit, chapter: Chapter, painting: Painting, options: RasterOptions, area: Rect
) -> ExportReport:
    width, height = options.size(area)
    losses: tuple[Loss, ...] = (FLATTENED,)
    with batch.open(path.name) as file:
        if width * height <= AT_ONCE or options.to == "webp":
            drawn = painting.render(unit, chapter, rect=area, dpi=options.dpi)
            file.write(_encoded(drawn, options))
            missing = drawn.missing
        else:
            painter = painting.painter(unit, chapter, area=area)
            _write_bands(file, painter, options)
            missing = painter.missing
        size, digest = measured(file)
    if missing:
        losses += (Loss("missing", STAND_INS, missing),)
    return ExportReport(path=path, format=NAMES[options.to], size=size, sha256=digest, pages=1, losses=losses)


def _encoded(drawn: Rendered, options: RasterOptions) -> bytes:
    pixels = inked(drawn.pixels, options.colour, dpi=options.dpi, lpi=options.lpi, angle=options.angle)
    if options.to == "png":
        return encode_png(pixels, fast=False, dpi=options.dpi)
    return encode_tiff(pixels, dpi=options.dpi) if options.to == "tiff" else encode_webp(pixels, dpi=options.dpi)


def bands(
    painter: PartPainter, dpi: int, colour: Colour, *, lpi: float | None = None, angle: float = ANGLE
) -> Iterator[Any]:
    """A page from the top down, as it is printed; the screen as of ``inked``."""
    scale = dpi / 25.4
    width, height = painter.size(scale)
    rows = ROWS
    while rows > 16 and rows * width > BAND:
        rows //= 2
    painted = (painter.paint(scale, 0, top, width, min(rows, height - top)) for top in range(0, height, rows))
    return inked_bands(painted, colour, dpi=dpi, lpi=lpi, angle=angle)


def _write_bands(file: BinaryIO, painter: PartPainter, options: RasterOptions) -> None:
    width, height = painter.size(options.dpi / 25.4)
    kind: Kind = "rgb" if painter.opaque else "rgba"
    if options.colour != "rgb":
        kind = "grey" if options.colour == "grey" else "bits"
    made = (PngBands if options.to == "png" else TiffBands)(file, width, height, kind, dpi=options.dpi)
    with reporting(None, "Writing a picture") as tell:
        for rows in bands(painter, options.dpi, options.colour, lpi=options.lpi, angle=options.angle):
            made.write(rows[..., :3] if kind == "rgb" else rows)
            tell("", 0, 0)
    made.close()


def measured(file: BinaryIO) -> tuple[int, str]:
    """Size and SHA-256 of a file that was written."""
    digest = hashlib.sha256()
    size = file.seek(0, 2)
    file.seek(0)
    while chunk := file.read(1 << 20):
        digest.update(chunk)
    return size, digest.hexdigest()
