"""What an export wrote, as people look at it."""

from __future__ import annotations

from lantern_kit.comic.formats.report import ExportReport
from lantern_kit.comic.measure import counted
from lantern_kit.listed import Listed


class Exports(Listed[ExportReport]):
    """The files of one export, each with what it does not hold; they show themselves as a table."""

    heads = (
        "file",
        "format",
        "size",
        "pages",
        "in its place before",
        "what it does not hold, or a printer should know",
    )
    key = "name"

    def row(self, item: ExportReport) -> tuple[str, ...]:
        """Path, format, size, pages, whether an older file was replaced, and the losses."""
        losses = " ".join(loss.message + (f" ({', '.join(loss.where)})" if loss.where else "") for loss in item.losses)
        before = "an older file, replaced" if item.replaced else ""
        size = f"{item.size / 1e6:.1f} MB"
        return (str(item.path), item.format, size, counted(item.pages, "page"), before, losses)
