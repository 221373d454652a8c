"""ComicInfo 2.0, the metadata sheet of comic archives.

The element order is that of the published schema (anansi-project, ComicInfo.xsd 2.0): readers that validate refuse any
other.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from dataclasses import dataclass
from xml.etree import ElementTree

from lantern_kit.comic.formats.report import Loss
from lantern_kit.comic.model import Chapter, Direction

FILENAME = "ComicInfo.xml"

_MANGA = {Direction.LTR: "No", Direction.RTL: "YesAndRightToLeft", Direction.TTB: "No"}

# Everything outside production [2] Char of XML 1.0, lone surrogates included: no escape can put these into a document.
_NOT_XML = re.compile("[^\\t\\n\\r\\x20-\\ud7ff\\ue000-\\ufffd\\U00010000-\\U0010ffff]")


@dataclass(frozen=True, slots=True, kw_only=True)
class ComicInfo:
    """What a reader's library shows of a book. Empty fields are left out of the sheet.

    Args:
        series: title of the comic.
        number: number of the chapter in its series, as people write it ("12", "7.5").
        title: title of the chapter.
        language: BCP 47 tag.
        direction: reading direction.
        summary: what it is about.
        notes: remarks; what the format could not hold is added to them.
        date: when it was published.
        writer: names; the format separates them by commas.
        penciller: names.
        letterer: names.
        publisher: a name.
    """

    series: str
    number: str = ""
    title: str = ""
    language: str = ""
    direction: Direction = Direction.LTR
    summary: str = ""
    notes: str = ""
    date: datetime.date | None = None
    writer: tuple[str, ...] = ()
    penciller: tuple[str, ...] = ()
    letterer: tuple[str, ...] = ()
    publisher: str = ""

    @classmethod
    def of(cls, chapter: Chapter) -> ComicInfo:
        """The facts that a chapter itself holds."""
        return cls(
            series=chapter.comic,
            number=str(chapter.number),
            title=chapter.title,
            language=chapter.language,
            direction=chapter.direction,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PageInfo:
    """One page's row in the sheet.

    Args:
        type: a ComicPageType of the schema (``FrontCover``, ``Story`` …).
        double: whether the picture shows two facing pages.
        size: bytes of the picture file.
        width: pixels.
        height: pixels.
        bookmark: a label under which readers list the page; empty for none.
    """

    type: str
    double: bool
    size: int
    width: int
    height: int
    bookmark: str = ""


def sheet(info: ComicInfo, pages: Sequence[PageInfo], losses: Sequence[Loss] = ()) -> tuple[bytes, tuple[Loss, ...]]:
    """The sheet as UTF-8 XML, and everything that is not as it was given: ``losses`` first, then the sheet's own.

    Line ends become line feeds, as every XML reader would make them.
    """
    text = _Text()
    names = {"Writer": info.writer, "Penciller": info.penciller, "Letterer": info.letterer}
    fields = {"Title": info.title, "Series": info.series, "Number": info.number, "Summary": info.summary}
    fields |= {"Publisher": info.publisher, "LanguageISO": info.language, "Notes": info.notes}
    held = {name: text.clean(name, value) for name, value in fields.items()}
    credits_held = {name: ", ".join(text.clean(name, one) for one in people) for name, people in names.items()}
    rows = [_page(place, page, text) for place, page in enumerate(pages)]

    found = [*losses, *_direction(info.direction), *_commas(names), *text.losses()]
    remarks = "\n".join(loss.message for loss in found)
    held["Notes"] = "\n\n".join(part for part in (held["Notes"], remarks) if part)
    day = info.date
    elements = {
        "Title": held["Title"],
        "Series": held["Series"],
        "Number": held["Number"],
        "Summary": held["Summary"],
        "Notes": held["Notes"],
        "Year": str(day.year) if day else "",
        "Month": str(day.month) if day else "",
        "Day": str(day.day) if day else "",
        **credits_held,
        "Publisher": held["Publisher"],
        "PageCount": str(len(rows)),
        "LanguageISO": held["LanguageISO"],
        "Manga": _MANGA[info.direction],
    }
    root = ElementTree.Element("ComicInfo")
    for name, value in elements.items():
        if value:
            ElementTree.SubElement(root, name).text = value
    ElementTree.SubElement(root, "Pages").extend(rows)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True) + b"\n", tuple(found)


def _page(place: int, page: PageInfo, text: _Text) -> ElementTree.Element:
    facts = {"Image": str(place), "Type": page.type}
    if page.double:
        facts["DoublePage"] = "true"
    facts["ImageSize"] = str(page.size)
    if page.bookmark:
        facts["Bookmark"] = text.clean("Bookmark", page.bookmark)
    facts["ImageWidth"] = str(page.width)
    facts["ImageHeight"] = str(page.height)
    return ElementTree.Element("Page", facts)


def _direction(direction: Direction) -> list[Loss]:
    if direction is not Direction.TTB:
        return []
    return [Loss("direction", "Reading from top to bottom has no mark in ComicInfo; readers will turn pages instead.")]


def _commas(names: dict[str, tuple[str, ...]]) -> list[Loss]:
    where = tuple(field for field, people in names.items() if any("," in one for one in people))
    if not where:
        return []
    return [Loss("names", "ComicInfo separates names by commas, so a name with a comma reads as two.", where)]


class _Text:
    """Cleans text for XML and remembers what it had to leave out."""

    def __init__(self) -> None:
        self._removed: dict[str, set[str]] = {}

    def clean(self, field: str, value: str) -> str:
        """The value with line feeds as line ends and without the characters that XML cannot hold."""
        kept, count = _NOT_XML.subn("", value)
        if count:
            self._removed.setdefault(field, set()).update(_NOT_XML.findall(value))
        return kept.replace("\r\n", "\n").replace("\r", "\n")

    def losses(self) -> list[Loss]:
        """One loss that names the characters left out, if there are any."""
        if not self._removed:
            return []
        points = sorted({ord(one) for removed in self._removed.values() for one in removed})
        named = ", ".join(f"U+{point:04X}" for point in points[:8]) + (" …" if len(points) > 8 else "")
        message = f"Characters that XML cannot hold were left out: {named}."
        return [Loss("characters", message, tuple(sorted(self._removed)))]
