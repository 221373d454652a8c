"""The words of a page for those who copy and search: invisible, in reading order, over the words that are drawn.

Readers differ in how they put lines together, and none joins the columns or lines of a balloon as they are read. So
every dialogue is one line for them, squeezed into the place of its words and ended by a space; and one span round all
of the page says once more, for readers that heed it, what the page says, a dialogue a line. Ruby and marks are no
part of it. ISO 32000-1, 14.9.4 (ActualText), 9.3.6 (rendering mode 3).
"""

from __future__ import annotations

import math
import re
import unicodedata
from collections.abc import Container, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import NamedTuple

import icu

from lantern_kit.comic.formats.pdf_fonts import PdfFont, PdfFonts
from lantern_kit.comic.formats.sheets import Sheet
from lantern_kit.comic.model import Lettering, Unit, Writing
from lantern_kit.comic.typeset.fonts import Face, Fonts
from lantern_kit.comic.typeset.setting import SetText, set_text

NARROWEST, WIDEST = 0.6, 2.0
"""How far glyphs are squeezed or stretched; past it the size gives way. Closer ones are taken for false bold."""
MIDDLE = 0.35
"""Of an em: half the height of letters, so that a line lies about its middle."""
CLOSE = 0.35
"""Ems between the heights of two dialogues below which readers take them for one line."""
_BREAK = re.compile(r"[^\S\n]*\n\s*")


class Spoken(NamedTuple):
    """What one lettering object says, and where."""

    text: str
    faces: tuple[Face, ...]
    start: tuple[float, float]
    """Where its line begins, in page micrometres."""
    end: tuple[float, float]
    across: float
    """The size its words are drawn in, in micrometres."""


def copied(text: str) -> str:
    """Words as they are copied: line ends are spaces, and nothing between characters that are set without spaces."""

    def joint(found: re.Match[str]) -> str:
        before, after = text[found.start() - 1 : found.start()], text[found.end() : found.end() + 1]
        return "" if not before or not after or (_close(before) and _close(after)) else " "

    return _BREAK.sub(joint, text)


def _close(character: str) -> bool:
    """Whether it belongs to a script without spaces between words."""
    name = unicodedata.name(character, "")
    return unicodedata.east_asian_width(character) in "WF" and not name.startswith("HANGUL") and character != "\u3000"


def said(unit: Unit, fonts: Fonts, *, only: Container[str] | None = None) -> Iterator[Spoken]:
    """All words of a unit in reading order; of some of its objects, those alone."""
    words = {item.id: item for item in unit.objects if isinstance(item, Lettering)}
    order = [name for name in unit.reading if name in words]
    order += [name for name in words if name not in {*order}]
    for name in order:
        item = words[name]
        if only is not None and name not in only:
            continue
        found = _spoken(set_text(item, fonts=fonts), fonts.choice(item.style).faces)
        if found is not None:
            yield found


def _spoken(words: SetText, faces: tuple[Face, ...]) -> Spoken | None:
    text = copied(words.text).strip()
    boxes = [line.box for line in words.lines]
    if not text or not boxes:
        return None
    left, top = min(box[0] for box in boxes), min(box[1] for box in boxes)
    right, bottom = max(box[2] for box in boxes), max(box[3] for box in boxes)
    if words.layout.writing is Writing.VERTICAL:
        middle = (left + right) / 2
        ends = [(middle, top), (middle, bottom)]
    else:
        middle = (top + bottom) / 2
        ends = [(left, middle), (right, middle)]
    turn = math.radians(words.rotate / 1_000)
    cos, sin = math.cos(turn), math.sin(turn)
    start, end = (
        (words.x + (x - words.x) * cos - (y - words.y) * sin, words.y + (x - words.x) * sin + (y - words.y) * cos)
        for x, y in ends
    )
    return Spoken(text, faces, start, end, float(words.size))


def text_layer(spoken: Sequence[Spoken], sheet: Sheet, fonts: PdfFonts) -> bytes:
    """The operators of a page's invisible words; empty where it says nothing."""
    if not spoken:
        return b""
    lines = [_line(item, sheet, fonts) for item in spoken]
    for line, following in pairwise(lines):
        line.keep_apart(following)
    rows: list[str] = []
    for turned, some in groupby(zip(spoken, lines, strict=True), lambda pair: is_from_the_right(pair[0].text)):
        pairs = [*some]
        shown = [line.operators() for _, line in pairs]
        if turned:  # what is said in so many words would be turned round once more
            rows += shown
        else:
            whole = "\n".join(item.text for item, _ in pairs)
            rows += [f"/Span <</ActualText <{_utf16(whole)}>>> BDC", *shown, "EMC"]
    return "\n".join(rows).encode("ascii")


@dataclass(eq=False)
class _Line:
    """A dialogue as one line on a sheet, in the units of its space."""

    pieces: list[tuple[PdfFont, list[int]]]
    start: tuple[float, float]
    end: tuple[float, float]
    across: float

    @property
    def length(self) -> float:
        return max(math.dist(self.start, self.end), 0.01)

    @property
    def squeeze(self) -> float:
        return min(max(self.length / (self.ems * self.across), NARROWEST), WIDEST)

    @property
    def size(self) -> float:
        return min(self.across, self.length / (self.ems * self.squeeze))

    @property
    def ems(self) -> float:
        return sum(font.width(code) for font, codes in self.pieces for code in codes) / 1_000 or 1.0

    def keep_apart(self, following: _Line) -> None:
        """Put the next dialogue a little lower where it stands on the same height: readers would make them one line."""
        size = max(self.size, following.size)
        (x0, y0), (x1, y1) = self.start, self.end
        cos, sin = (x1 - x0) / self.length, (y1 - y0) / self.length
        (nx0, ny0), (nx1, ny1) = following.start, following.end
        straight = (nx1 - nx0) * cos + (ny1 - ny0) * sin > 0.9 * following.length
        aside = (ny0 - y0) * cos - (nx0 - x0) * sin
        if straight and abs(aside) < CLOSE * size:
            down = CLOSE * size + aside
            following.start = (nx0 + down * sin, ny0 - down * cos)
            following.end = (nx1 + down * sin, ny1 - down * cos)

    def operators(self) -> str:
        (x0, y0), (x1, y1) = self.start, self.end
        cos, sin = (x1 - x0) / self.length, (y1 - y0) / self.length
        down = MIDDLE * self.size
        place = f"{cos:.6g} {sin:.6g} {-sin:.6g} {cos:.6g} {x0 + down * sin:.4f} {y0 - down * cos:.4f} Tm"
        shown = (
            f"/{font.key} {self.size:.5g} Tf <{''.join(f'{code:04X}' for code in codes)}> Tj"
            for font, codes in self.pieces
        )
        return " ".join((f"BT 3 Tr {100 * self.squeeze:.4g} Tz", place, *shown, "ET"))


def _line(item: Spoken, sheet: Sheet, fonts: PdfFonts) -> _Line:
    start, end = _inside(sheet, sheet.spot(*item.start), sheet.spot(*item.end))
    shown = as_seen(item.text) if is_from_the_right(item.text) else item.text
    return _Line([*_pieces(shown + " ", item.faces, fonts)], start, end, item.across * sheet.scale)


def is_from_the_right(text: str) -> bool:
    """Whether some of it is written from right to left."""
    return any(unicodedata.bidirectional(character) in ("R", "AL") for character in text)


def as_seen(text: str) -> str:
    """Characters in the order in which they stand from left to right: readers of PDF turn them back (UAX #9)."""
    bidi = icu.Bidi()
    bidi.setPara(icu.UnicodeString(text), icu.Bidi.DEFAULT_LTR)
    return str(bidi.writeReordered(0))


def _pieces(text: str, faces: tuple[Face, ...], fonts: PdfFonts) -> Iterator[tuple[PdfFont, list[int]]]:
    """Stretches of one font."""
    font: PdfFont | None = None
    codes: list[int] = []
    for character in text:
        found = fonts.font_for(character, faces, before=font)
        if found is not font:
            if font is not None:
                yield font, codes
            font, codes = found, []
        codes.append(found.code(character))
    if font is not None:
        yield font, codes


def _inside(
    sheet: Sheet, start: tuple[float, float], end: tuple[float, float]
) -> tuple[tuple[float, float], tuple[float, float]]:
    """A line on the sheet: readers leave out what lies beside it."""
    width, height = sheet.media.w * sheet.scale, sheet.media.h * sheet.scale
    xs, ys = _between(start[0], end[0], width), _between(start[1], end[1], height)
    return (xs[0], ys[0]), (xs[1], ys[1])


def _between(one: float, other: float, most: float) -> tuple[float, float]:
    edge = min(2.0, most / 4)
    low, high = edge, most - edge
    span = abs(other - one)
    if span > high - low:
        return (low, high) if one <= other else (high, low)
    shift = max(0.0, low - min(one, other)) - max(0.0, max(one, other) - high)
    return one + shift, other + shift


def _utf16(text: str) -> str:
    return (b"\xfe\xff" + text.encode("utf-16-be", "surrogatepass")).hex().upper()
