"""What a PDF says of itself: title, language, the way it is leafed through, page labels and bookmarks.

ISO 32000-1, 12.2 (viewer preferences), 12.4.2 (page labels); XMP, ISO 16684-1.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from lantern_kit.comic.model import Chapter, Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class BookFacts:
    """The facts of one file.

    Args:
        chapter: whose pages they are.
        author: nobody is named when empty.
        layout: ``TwoPageRight`` where the first page stands alone, ``TwoPageLeft`` where the first two face each other,
            ``SinglePage`` where a spread is one page, ``OneColumn`` for a strip.
        labels: what readers call each page.
        bookmarks: pages from 0, and what is there.
    """

    chapter: Chapter
    author: str
    layout: str
    labels: tuple[str, ...]
    bookmarks: tuple[tuple[int, str], ...]

    @property
    def title(self) -> str:
        """Comic, number and title."""
        chapter = self.chapter
        return f"{chapter.comic} {chapter.number}" + (f": {chapter.title}" if chapter.title else "")


def describe(pdf: pikepdf.Pdf, facts: BookFacts) -> None:
    """Write the facts into a PDF."""
    root, chapter = pdf.Root, facts.chapter
    root.Lang = String(chapter.language)
    root.PageLayout = Name("/" + facts.layout)
    right = chapter.direction is Direction.RTL
    root.ViewerPreferences = Dictionary(
        Direction=Name.R2L if right else Name.L2R, DisplayDocTitle=True, PrintScaling=Name("/None")
    )
    root.PageLabels = pdf.make_indirect(Dictionary(Nums=Array([*_labels(facts.labels)])))
    producer = f"Lantern Kit {version('lantern-kit')}"
    if "/Info" in pdf.trailer:
        del pdf.trailer["/Info"]
    info = {"/Title": facts.title, "/Producer": producer} | ({"/Author": facts.author} if facts.author else {})
    for key, value in info.items():
        pdf.docinfo[key] = value
    with pdf.open_metadata(set_pikepdf_as_editor=False, update_docinfo=False) as xmp:
        xmp["dc:title"] = facts.title
        xmp["dc:language"] = {chapter.language}
        if facts.author:
            xmp["dc:creator"] = [facts.author]
        xmp["pdf:Producer"] = producer
    if facts.bookmarks:
        with pdf.open_outline() as outline:
            for page, name in facts.bookmarks:
                outline.root.append(pikepdf.OutlineItem(name, page, "Fit"))


def _labels(labels: tuple[str, ...]) -> list[Any]:
    """A number tree with an entry wherever counting does not simply go on."""
    rows: list[Any] = []
    counted: int | None = None
    for place, label in enumerate(labels):
        number = int(label) if label.isascii() and label.isdigit() else None
        if number is None:
            rows += [place, Dictionary(P=String(label))]
        elif counted is None or number != counted + 1:
            rows += [place, Dictionary(S=Name.D, St=number)]
        counted = number
    return rows
