"""What stands beside words: readings (ruby, JLREQ 3.3) and emphasis marks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lantern_kit.comic.markup import Ruby
from lantern_kit.comic.typeset import characters as kind
from lantern_kit.comic.typeset.fonts import Choice
from lantern_kit.comic.typeset.shaping import ASCENT, DESCENT, Cell, Glyph, Part, Pen

RUBY = 0.5
"""Size of a reading over that of its base."""
OVERHANG = 0.5
"""How far a reading may reach over kana beside its base, in its own ems."""
LARGEST_END = 0.5
"""Space at most between the end of a base and the first character of its reading, in ems of the base."""
ALPHABETIC_ASCENT, ALPHABETIC_DESCENT = 0.76, 0.2
DOTS = {"dots": ("●", 0.3), "sesame": ("﹅", 0.5)}
"""The mark, and its size over that of what it marks."""
DOT_PLACE = 0.36
"""What marks take beside a line, over the size of what they mark."""

Reading = Callable[[str, Cell], list[Cell]]


def add_ruby(
    cells: list[Cell], text: str, rubies: Sequence[Ruby], reading: Reading, *, columns: bool
) -> list[tuple[int, int]]:
    """Set readings beside their bases, which are spread where a reading is longer.

    Args:
        cells: of the whole text, spaced.
        text: the whole text.
        rubies: what to read how.
        reading: shapes a reading to stand beside a cell, at its size.
        columns: readings stand at the right of a column, not above a line.

    Returns:
        Stretches of characters inside which no line may end.
    """
    whole: list[tuple[int, int]] = []
    taken = {at for ruby in rubies for at in range(ruby.start, ruby.end)}
    for ruby in rubies:
        base = [number for number, cell in enumerate(cells) if ruby.start <= cell.start < ruby.end]
        if not base:
            continue
        groups = [(base, ruby.readings[0])]
        if len(ruby.readings) > 1 and len(ruby.readings) == len(base):
            groups = [([number], words) for number, words in zip(base, ruby.readings, strict=True)]
        elif len(ruby.readings) > 1:
            groups = [(base, "".join(ruby.readings))]
        for numbers, words in groups:
            _over_base(cells, text, taken, numbers, reading(words, cells[numbers[0]]), columns=columns)
            whole.append((cells[numbers[0]].start, cells[numbers[-1]].end))
    return whole


def _over_base(
    cells: list[Cell], text: str, taken: set[int], numbers: list[int], ruby: list[Cell], *, columns: bool
) -> None:
    if not ruby:
        return
    base = [cells[number] for number in numbers]
    scale = max(cell.scale for cell in base)
    long = sum(cell.advance + cell.gap for cell in base) - base[-1].gap
    length = sum(cell.advance + cell.gap for cell in ruby) - ruby[-1].gap
    rest = long - length
    if rest >= 0:  # spread the reading: one part of space at its ends, two between
        spaced = ruby if all(cell.wide for cell in ruby) else []
        part = rest / len(spaced) if spaced else 0.0
        end = min(part / 2, LARGEST_END * scale) if spaced else rest / 2
        between = (rest - 2 * end) / (len(spaced) - 1) if len(spaced) > 1 else 0.0
        if len(ruby) == 1:
            end = rest / 2
        _lay(base, ruby, end, between, scale, columns=columns)
        return
    excess = -rest
    most = OVERHANG * RUBY * scale
    before = most if _may_overhang(cells, text, taken, numbers[0] - 1, base[0].start, -1) else 0.0
    after = most if _may_overhang(cells, text, taken, numbers[-1] + 1, base[-1].end, 1) else 0.0
    hangs = min(before, excess / 2), min(after, excess / 2)
    spread = excess - sum(hangs)
    if spread > 0 and sum(hangs) < min(before + after, excess):  # what one side cannot take the other may
        hangs = min(before, excess - hangs[1]), min(after, excess - hangs[0])
        spread = max(0.0, excess - sum(hangs))
    if all(cell.wide for cell in base):
        for cell in base:
            _widen(cell, spread / len(base) / 2, spread / len(base) / 2)
    else:  # letters of a word are not torn apart
        _widen(base[0], spread / 2, 0.0)
        _widen(base[-1], 0.0, spread / 2)
    _lay(base, ruby, -hangs[0], 0.0, scale, columns=columns)
    # At the edge of a line nothing is there to reach over.
    base[0].lead, base[-1].trail = -hangs[0], -hangs[1]


def _widen(cell: Cell, before: float, after: float) -> None:
    cell.glyphs = [item._replace(u=item.u + before) for item in cell.glyphs]
    cell.advance += before + after


def _may_overhang(cells: list[Cell], text: str, taken: set[int], number: int, place: int, step: int) -> bool:
    """Whether the cell on that side is kana without a reading of its own."""
    if not 0 <= number < len(cells):
        return False
    cell = cells[number]
    joined = cell.end == place if step < 0 else cell.start == place
    return joined and kind.is_kana(text[cell.start]) and cell.start not in taken


def _lay(base: list[Cell], ruby: list[Cell], start: float, between: float, scale: float, *, columns: bool) -> None:
    """Put a reading's glyphs beside that cell of its base which stands first from the left."""
    at, first = base[0].start, base[-1] if base[0].level & 1 else base[0]
    size = RUBY * scale
    wide = any(cell.wide for cell in ruby)
    if columns:
        across = -(scale + size) / 2
        over = scale / 2 + size
    else:
        top = max(_ascent(cell) for cell in base)
        foot = (DESCENT if wide else ALPHABETIC_DESCENT) * size
        across = -(top + foot)
        over = top + foot + (ASCENT if wide else ALPHABETIC_ASCENT) * size
    pen = start
    for cell in reversed(ruby) if ruby[0].level & 1 else ruby:
        for item in cell.glyphs:
            first.beside.append(
                item._replace(
                    u=pen + item.u,
                    v=across + item.v,
                    at=at,
                    pen=item.pen._replace(part=Part.RUBY),
                )
            )
        pen += cell.advance + cell.gap + between
    for cell in base:
        cell.over = max(cell.over, over)


def _ascent(cell: Cell) -> float:
    return max(cell.over, (ASCENT if cell.full else ALPHABETIC_ASCENT) * cell.scale)


def add_dots(cells: Sequence[Cell], choice: Choice, marks: str, text: str, *, columns: bool, below: bool) -> None:
    """Set an emphasis mark beside every letter; spaces and punctuation have none.

    Where any of what is marked has a reading, all marks stand outside it, in one line (CSS Text Decoration 4, 3.4).

    Args:
        cells: what is marked.
        choice: the fonts; marks are those of the ideographs.
        marks: ``dots`` or ``sesame``.
        text: the whole text.
        columns: at the right of a column; else above the line.
        below: under the line, as Chinese has them.
    """
    character, size = DOTS[marks]
    face = next((face for face in choice.wide_faces if face.glyph(ord(character))), None)
    if face is None:
        return
    glyph = face.glyph(ord(character))
    ink = face.ink(glyph)
    read = any(cell.beside for cell in cells)
    line = max((cell.over for cell in cells if not cell.blank), default=0.0)
    for cell in cells:
        letter = text[cell.start]
        if cell.blank or not (letter.isalnum() or kind.is_kana(letter) or letter in "々〆〇"):
            continue
        pen = Pen(face, size * cell.scale, colour=cell.glyphs[0].pen.colour, part=Part.DOTS)
        room = DOT_PLACE * cell.scale
        middle = (cell.lead + cell.advance - cell.trail) / 2 if not cell.wide else cell.advance / 2
        wide, tall = (ink.left + ink.right) / 2 * pen.scale, (ink.top + ink.bottom) / 2 * pen.scale
        if columns:
            inner = max(line, cell.scale / 2) if read else cell.scale / 2
            centre = -(inner + room / 2)
            item = Glyph(pen, glyph, middle + tall, centre + wide, 0.0, True, cell.start)
            cell.over = inner + room
        elif below:
            inner = max(cell.under, DESCENT * cell.scale)
            item = Glyph(pen, glyph, middle - wide, inner + room / 2 + tall, 0.0, False, cell.start)
            cell.under = inner + room
        else:
            inner = max(line, _ascent(cell)) if read else _ascent(cell)
            item = Glyph(pen, glyph, middle - wide, -(inner + room / 2) + tall, 0.0, False, cell.start)
            cell.over = inner + room
        cell.beside.append(item)
