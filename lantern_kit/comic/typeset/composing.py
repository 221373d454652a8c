"""A text made ready for fitting: its cells, the pieces no line ends inside of, and how tall its lines are."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import accumulate
from typing import NamedTuple

from lantern_kit.comic.markup import Look, Marked, Stretch
from lantern_kit.comic.model import MILLION, TextStyle, Writing
from lantern_kit.comic.typeset import characters as kind
from lantern_kit.comic.typeset.breaking import AFTER, IN_LETTERS, NOT_AT_END, NOT_AT_START, WELL, opportunities
from lantern_kit.comic.typeset.fonts import Choice, Fonts
from lantern_kit.comic.typeset.items import take
from lantern_kit.comic.typeset.marks import ALPHABETIC_DESCENT, RUBY, add_dots, add_ruby
from lantern_kit.comic.typeset.shaping import CAP, DESCENT, Cell, cells
from lantern_kit.comic.typeset.spacing import space

LEADING = 1.15
WIDE_LEADING = 1.3
"""Line pitch of ideographs and Hangul, which fill their places, and of scripts with tall marks."""
CLEAR = 0.1
"""Least distance in ems of what stands beside a line from the line before it."""
DESCENT_WEIGHT = 0.3
"""Share of the descenders that counts when a block is centred by eye."""
COLUMN_HALF = 0.46
"""Half a column of ideographs, as the eye takes it."""
LETTERS_HALF = 0.36
STUB = 0.15
"""What is held against a last line that is hardly one."""


class Piece(NamedTuple):
    """Cells that no line ends inside of."""

    first: int
    last: int
    """After its last cell that is seen; spaces after it vanish at a line's end."""
    start: int
    end: int
    """What is seen of it in the text."""
    next: int
    forced: bool
    cost: float
    """Of a line's end after it."""


@dataclass(frozen=True, slots=True, eq=False)
class Words:
    """A text with all its glyphs, for every size it will be tried at. Lengths are in ems."""

    text: str
    columns: bool
    cells: tuple[Cell, ...]
    places: tuple[float, ...]
    """Where each cell begins on one endless line, and the end of the last."""
    pieces: tuple[Piece, ...]
    whole: tuple[tuple[int, int], ...]
    begins: tuple[float, ...]
    """Where each piece's ink begins."""
    ends: tuple[float, ...]
    hung: tuple[float, ...]
    """Where a piece ends when its last mark hangs past the line."""
    hang: float
    """How far marks that hang reach past the line."""
    costs: tuple[float, ...]
    """What speaks against a line's end after each piece."""
    over: float
    """Highest reach of anything above a line's axis."""
    under: float
    unit: float
    """Scale of its words when all are of one; else 1."""
    largest: float
    """Largest scale of its words."""
    varied: bool
    """Lines may differ in height: several sizes, or something beside some of them."""
    leading: float
    cap: float
    """Height of a line above its axis, as the eye takes it."""
    descent: float
    missing: tuple[str, ...]
    unknown: str

    def loosened(self, widest: float) -> Words:
        """The same words, with line ends inside those that are wider than any line, at a high cost."""
        pieces = tuple(part for piece in self.pieces for part in self._parts(piece, widest))
        return self if len(pieces) == len(self.pieces) else _with(self, pieces)

    def kept(self, limit: float) -> Words:
        """The same words, without the line ends that cost ``limit`` or more; 0 leaves those that are forced."""
        if not any(self._joined(piece, limit) for piece in self.pieces[:-1]):
            return self
        pieces: list[Piece] = []
        first: Piece | None = None
        for piece in self.pieces:
            grown = piece if first is None else piece._replace(first=first.first, start=first.start)
            first = grown if self._joined(piece, limit) else None
            if first is None:
                pieces.append(grown)
        if first is not None:
            pieces.append(first)
        return _with(self, tuple(pieces))

    @staticmethod
    def _joined(piece: Piece, limit: float) -> bool:
        return not piece.forced and (piece.cost >= limit or limit == 0.0)

    def _parts(self, piece: Piece, widest: float) -> Iterator[Piece]:
        places, items = self.places, self.cells
        if piece.last - piece.first < 2 or places[piece.last] - places[piece.first] <= widest:
            yield piece
            return
        first = piece.first
        for number in range(piece.first + 1, piece.last):
            before, at = items[number - 1], items[number].start
            if self.text[at] in NOT_AT_START or self.text[before.end - 1] in NOT_AT_END:
                continue
            if any(start < at < end for start, end in self.whole):
                continue
            yield Piece(first, number, items[first].start, before.end, at, forced=False, cost=IN_LETTERS)
            first = number
        yield piece._replace(first=first, start=items[first].start)


def compose(marked: Marked, style: TextStyle, fonts: Fonts) -> Words:
    """Make a text ready. Its paragraphs end in line feeds and nothing else."""
    writing, language = style.writing, style.language
    columns = writing is Writing.VERTICAL
    tracking = style.tracking / MILLION
    taken = take(marked, style, fonts, writing)
    items = cells(taken.items, language, columns=columns, tracking=tracking)
    text = marked.text
    space(items, text)
    missing = dict.fromkeys(taken.missing)
    whole: list[tuple[int, int]] = []
    if marked.rubies:

        def reading(words: str, base: Cell) -> list[Cell]:
            look = _look_at(marked, base.start)
            small = Look(look.bold, look.italic, round(look.size * RUBY), look.colour, look.font)
            inside = Marked(words, (Stretch(0, len(words), small),), ())
            read = take(inside, style, fonts, writing)
            missing.update(dict.fromkeys(read.missing))
            found = cells(read.items, language, columns=columns)
            space(found, words)
            return found

        whole = add_ruby(items, text, marked.rubies, reading, columns=columns)
    below = bool(kind.chinese(language)) and not columns
    for stretch in marked.stretches:
        if stretch.look.marks:
            inside = [cell for cell in items if stretch.start <= cell.start < stretch.end]
            choice = fonts.named(stretch.look.font or style.font, bold=style.bold, italic=style.italic)
            add_dots(inside, choice, stretch.look.marks, text, columns=columns, below=below)
    return _words(text, items, whole, style, fonts.choice(style, text), tuple(missing), taken.unknown)


def _look_at(marked: Marked, at: int) -> Look:
    return next((s.look for s in marked.stretches if s.start <= at < s.end), Look())


def _words(
    text: str,
    items: list[Cell],
    whole: list[tuple[int, int]],
    style: TextStyle,
    choice: Choice,
    missing: tuple[str, ...],
    unknown: str,
) -> Words:
    columns = style.writing is Writing.VERTICAL
    if any(cell.level for cell in items):
        # In a line of two directions any cell may come to stand at either edge.
        out = min((min(cell.lead, cell.trail) for cell in items), default=0.0)
        for cell in items:
            cell.lead = cell.trail = min(out, 0.0)
    places = tuple(accumulate((cell.advance + cell.gap for cell in items), initial=0.0))
    seen = [cell for cell in items if not cell.blank]
    scales = {cell.scale for cell in seen}
    unit = scales.pop() if len(scales) == 1 else 1.0
    beside = any(cell.beside for cell in items)
    cap, descent = _optical(seen, text, choice, columns=columns)
    leading = unit * (style.leading / MILLION if style.leading else _leading(seen))
    if beside and not scales:
        foot = max((_foot(cell, columns=columns) for cell in seen), default=0.0)
        over = max((cell.over for cell in seen), default=0.0)
        leading = max(leading, CLEAR * unit + foot + over)
    pieces = tuple(_pieces(text, items, whole, style.language))
    made = Words(
        text=text,
        columns=columns,
        cells=tuple(items),
        places=places,
        pieces=(),
        whole=tuple(whole),
        begins=(),
        ends=(),
        hung=(),
        hang=max((cell.hang for cell in seen), default=0.0),
        costs=(),
        over=max((cell.over for cell in seen), default=0.0),
        under=max((cell.under for cell in seen), default=0.0),
        unit=unit,
        largest=max((cell.scale for cell in seen), default=1.0),
        varied=beside or bool(scales),
        leading=leading,
        cap=cap * unit,
        descent=descent * unit,
        missing=missing,
        unknown=unknown,
    )
    return _with(made, pieces)


def _with(words: Words, pieces: tuple[Piece, ...]) -> Words:
    """The same words in other pieces."""
    places, items = words.places, words.cells
    begins: list[float] = []
    ends: list[float] = []
    hung: list[float] = []
    for piece in pieces:
        start = places[min(piece.first, len(places) - 1)]
        begin = end = out = start
        if piece.last > piece.first:
            last = items[piece.last - 1]
            begin = start + items[piece.first].lead
            out = end = places[piece.last - 1] + last.advance - last.trail
            if last.hang and piece.last - piece.first > 1:
                out = places[piece.last - 1]
        begins.append(begin)
        ends.append(end)
        hung.append(out)
    text = words.text
    costs = tuple(
        0.0 if piece.forced else _grudge(text, piece, wide=piece.last > 0 and items[piece.last - 1].wide)
        for piece in pieces
    )
    return replace(words, pieces=pieces, begins=tuple(begins), ends=tuple(ends), hung=tuple(hung), costs=costs)


def _grudge(text: str, piece: Piece, *, wide: bool) -> float:
    """What speaks against a line that ends after a piece, beside its width."""
    end = text[piece.end - 1 : piece.end]
    if end in WELL and (wide or end not in AFTER):
        return piece.cost - WELL[end]
    if end in AFTER and not piece.cost:
        return 0.08
    start = max(text.rfind(" ", 0, piece.end), text.rfind("\n", 0, piece.end)) + 1
    tail = text[start : piece.end]
    return piece.cost + (0.04 if len(tail) <= 2 and tail.isalpha() and tail.isascii() else 0.0)


def _pieces(text: str, items: list[Cell], whole: list[tuple[int, int]], language: str) -> Iterator[Piece]:
    numbers = {cell.start: number for number, cell in enumerate(items)}
    inside = {at for start, end in whole for at in range(start + 1, end)}
    start = first = 0
    for at, forced, cost in opportunities(text, language):
        if not forced and (at not in numbers or at in inside):
            continue
        end = at
        while end > start and text[end - 1].isspace():
            end -= 1
        upto = first
        while upto < len(items) and items[upto].start < at:
            upto += 1
        last = upto
        while last > first and items[last - 1].start >= end:
            last -= 1
        yield Piece(first, last, start, end, at, forced, cost)
        start, first = at, upto


def _foot(cell: Cell, *, columns: bool) -> float:
    if columns:
        return cell.scale / 2
    return max(cell.under, (DESCENT if cell.wide else ALPHABETIC_DESCENT) * cell.scale)


def _leading(seen: list[Cell]) -> float:
    wide = sum(cell.full or cell.script == "Arab" for cell in seen)
    return WIDE_LEADING if wide * 2 > len(seen) else LEADING


def _optical(seen: list[Cell], text: str, choice: Choice, *, columns: bool) -> tuple[float, float]:
    """Height of a line above its axis and depth below it, as the eye takes them."""
    wide = sum(cell.full for cell in seen) * 2 > len(seen)
    if columns:
        half = COLUMN_HALF if wide else LETTERS_HALF
        return half, half
    over = max((cell.over for cell in seen), default=0.0)
    under = max((cell.under for cell in seen), default=0.0)
    if wide:
        face = next((face for face in choice.wide_faces if face.glyph(ord("国"))), choice.faces[0])
        ink = face.ink(face.glyph(ord("国")))
        return ink.top, -ink.bottom
    if not any(text[cell.start].isalnum() for cell in seen):
        return over, under
    return choice.faces[0].height_of("H", CAP), DESCENT_WEIGHT * max(under, 0.0)
