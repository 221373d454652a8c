"""Words into a shape: which sizes fit, and the lines they make.

For a size and a number of lines the free width of every line is known, because the block stands centred. A greedy pass
says whether the words fit, bisection finds the largest size, and a shortest-path search shares the words out evenly
over the lines of layouts near that one.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

from lantern_kit.comic.balloons.room import Room
from lantern_kit.comic.model import MILLION, Align, TextStyle
from lantern_kit.comic.typeset.breaking import AFTER, CLOSING, is_hiragana, is_ideographic, opportunities
from lantern_kit.comic.typeset.fonts import Choice
from lantern_kit.comic.typeset.shaping import Shaped

SCALE_LIMIT = 3.0
"""Layouts are compared up to this many times the style's size; beyond it shape no longer matters."""
BISECTIONS = 12
WORDS_SEARCHED = 160
"""Texts of more pieces than this are filled line by line instead of balanced."""
DESCENT_WEIGHT = 0.3
"""Share of the descenders that counts when a block is centred by eye."""
LINES_TRIED = 2
"""Layouts of so many lines more and fewer than the tightest one's are compared."""
PROPORTION = 0.2
"""What a block of other proportions than its room's costs, against uneven lines."""
EPSILON = 1e-6


class Piece(NamedTuple):
    """Text that no line ends inside of."""

    start: int
    end: int
    """End of what is seen; the spaces after it vanish at a line's end."""
    next: int
    forced: bool


Row = tuple[int, int]
"""First piece of a line, and the one after its last."""


class Fitting:
    """One text and one room: which sizes and line ends fit."""

    def __init__(self, shaped: Shaped, style: TextStyle, choice: Choice, free: Room) -> None:
        self.shaped = shaped
        self.style = style
        self.choice = choice
        self.room = free
        self.leading = (style.leading or 1_150_000) / MILLION
        self.pieces = self._pieces()
        self.flush = style.align is not Align.CENTRE
        heavy = choice.weight / 2
        self.lean = choice.lean
        self.top = shaped.top + heavy
        self.bottom = shaped.bottom + heavy
        self.side = heavy
        """Ink beyond a line's own on either side, in ems."""
        self.cap, self.descent = self._optical()
        edges, lefts, rights = shaped.edges, shaped.lefts, shaped.rights
        self.begins = [edges[p.start] + lefts[p.start] if p.end > p.start else edges[p.start] for p in self.pieces]
        self.ends = [edges[p.end] - rights[p.end - 1] if p.end > p.start else edges[p.start] for p in self.pieces]
        self.extra = 2 * self.side + self.lean * self.cap

    def _pieces(self) -> list[Piece]:
        text, pieces, start = self.shaped.text, [], 0
        for at, forced in opportunities(text):
            end = at
            while end > start and text[end - 1].isspace():
                end -= 1
            pieces.append(Piece(start, end, at, forced))
            start = at
        return pieces

    def _optical(self) -> tuple[float, float]:
        """Height of a line above its baseline and depth below it, as the eye takes them."""
        text = self.shaped.text
        ideographs = sum(map(is_ideographic, text))
        if ideographs * 2 > len(text.replace(" ", "")):
            face = self.choice.faces[-1]
            ink = face.ink(face.glyph(ord("国")))
            return ink.top, -ink.bottom
        if not any(map(str.isalnum, text)):
            return self.shaped.top, self.shaped.bottom
        cap = self.choice.faces[0].height_of("H", 0.7)
        return cap, DESCENT_WEIGHT * max(self.shaped.bottom, 0.0)

    def width(self, first: int, last: int) -> float:
        """Ink of a line of the pieces first … last (included), in ems, with what weight and lean add."""
        bare = self.ends[last] - self.begins[first]
        return bare + self.extra if bare > 0 else 0.0

    def baseline(self, line: int, lines: int, size: float) -> float:
        """Baseline of a line of a block that stands centred by eye, from the centre of the box."""
        block = (lines - 1) * self.leading + self.cap + self.descent
        return (line * self.leading + self.cap - block / 2) * size

    def limits(self, lines: int, size: float) -> list[float] | None:
        """Free width of every line in ems; None when the block is too tall."""
        limits = []
        for line in range(lines):
            baseline = self.baseline(line, lines, size)
            half = _half(self.room, baseline - self.top * size, baseline + self.bottom * size)
            if half <= 0:
                return None
            limits.append(2 * half / size)
        if self.flush:
            least = min(limits)
            return [least] * lines
        return limits

    def fits(self, lines: int, size: float) -> bool:
        """Whether the words fill just that many lines when each takes as many as it can."""
        limits = self.limits(lines, size)
        if limits is None:
            return False
        begins, ends = self.begins, self.ends
        line = 0
        start, most = begins[0], limits[0] - self.extra + EPSILON
        after_forced = False
        for place, piece in enumerate(self.pieces):
            if after_forced or ends[place] - start > most:
                line += 1
                if line >= lines:
                    return False
                start, most = begins[place], limits[line] - self.extra + EPSILON
                if ends[place] - start > most:
                    return False
            after_forced = piece.forced
        return line + 1 == lines

    def line_counts(self, size: float) -> range:
        """Numbers of lines that may be possible at a size, by width, height and forced ends alone."""
        if self.limits(1, size) is None:
            return range(0)
        forced = sum(piece.forced for piece in self.pieces)
        total = self.shaped.edges[-1]
        least = max(forced, int(total * size / (2 * max(self.room.width / 2, 1.0))))
        most = min(len(self.pieces), 1 + int(2 * _reach(self.room) / (self.leading * size)))
        return range(max(1, least), most + 1)

    def lines_at(self, size: float) -> int | None:
        """The least number of lines in which the words fit at a size, found quickly."""
        return next((lines for lines in self.line_counts(size) if self.fits(lines, size)), None)

    def largest(self) -> tuple[float, int] | None:
        """The largest size at which the words fit, and the lines they then take; None when nothing fits.

        It may pass the style's own size: what the shape could hold at most tells which layout follows it best.
        """
        style = self.style
        low = float(min(style.smallest, style.size) if style.fit else style.size)
        lines = self.some_lines_at(low)
        if lines is None:
            return None
        high = max(low, min(style.size * SCALE_LIMIT, 2 * _reach(self.room) / max(self.top + self.bottom, 0.1)))
        for _ in range(BISECTIONS):
            middle = math.sqrt(low * high)
            found = self.lines_at(middle)
            if found is None:
                high = middle
            else:
                low, lines = middle, found
        return low, lines

    def rows(self) -> tuple[float, list[Row]] | None:
        """The size to set at and the words shared out over lines; None when they do not fit."""
        largest = self.largest()
        if largest is None:
            return None
        size = float(min(self.style.size, math.floor(largest[0])))
        smallest = float(min(self.style.smallest, size) if self.style.fit else size)
        while True:
            rows = self.rows_at(size, largest[1])
            if rows is not None or size <= smallest:
                return None if rows is None else (size, rows)
            size = max(smallest, math.floor(size * 0.98))

    def rows_at(self, size: float, about: int) -> list[Row] | None:
        """The best of the layouts of ``about`` so many lines; None when the words do not fit at that size."""
        if len(self.pieces) > WORDS_SEARCHED:
            lines = self.lines_at(size)
            return None if lines is None else self.filled(size, lines)
        if self.flush:  # a caption is read like a paragraph: as few lines as it needs
            fewest = self.lines_at(size)
            tried = range(fewest, fewest + 1) if fewest else range(0)
        else:
            tried = range(max(1, about - LINES_TRIED), about + LINES_TRIED + 1)
        best: list[Row] | None = None
        least = math.inf
        for lines in tried:
            rows = self.balanced(size, lines)
            if rows is not None:
                cost = self.raggedness(rows, size) + PROPORTION * self.mismatch(rows)
                if cost < least - EPSILON:
                    least, best = cost, rows
        if best is None:
            lines = self.some_lines_at(size)
            best = None if lines is None else self.balanced(size, lines)
        return best

    def some_lines_at(self, size: float) -> int | None:
        """A number of lines in which the words fit, found slowly and surely."""
        lines = self.lines_at(size)
        if lines is None and len(self.pieces) <= WORDS_SEARCHED:
            lines = next((lines for lines in self.line_counts(size) if self.balanced(size, lines)), None)
        return lines

    def raggedness(self, rows: list[Row], size: float) -> float:
        """How unevenly lines fill their room, with all grudges: 0 when all are alike and none is held against any."""
        limits = self.limits(len(rows), size) or [1.0] * len(rows)
        fills = [self.width(first, end - 1) / limit for (first, end), limit in zip(rows, limits, strict=True)]
        mean = sum(fills) / len(fills)
        spread = sum(fill * fill for fill in fills) / len(fills) / (mean * mean) - 1 if mean > 0 else 0.0
        return spread + sum(self.grudge(first, end - 1, last=end == len(self.pieces)) for first, end in rows)

    def mismatch(self, rows: list[Row]) -> float:
        """How far a block's proportions are from the room's: 0 is the same, 0.7 is twice as wide or as tall."""
        wide = max(self.width(first, end - 1) for first, end in rows)
        tall = (len(rows) - 1) * self.leading + self.cap + self.descent
        if wide <= 0 or tall <= 0:  # nothing of it can be seen
            return 0.0
        return abs(math.log(wide / tall * _reach(self.room) / max(self.room.width / 2, 1.0)))

    def balanced(self, size: float, lines: int) -> list[Row] | None:
        """The ends of exactly so many lines at which all are filled most alike; None when there are none.

        What is least is the mean square of the lines' fill over a mean fill, and the grudges.
        """
        limits, count = self.limits(lines, size), len(self.pieces)
        if limits is None or count < lines:
            return None
        begins, ends, extra = self.begins, self.ends, self.extra
        total = sum(self.width(place, place) for place in range(count))
        mean = max(total / sum(limits), EPSILON)
        # For every line: the pieces used up to its end → (cost so far, first piece of that line).
        states: list[dict[int, tuple[float, int]]] = [{0: (0.0, -1)}]
        for line, limit in enumerate(limits):
            reached: dict[int, tuple[float, int]] = {}
            last_line = line == lines - 1
            for first, (so_far, _) in states[-1].items():
                for place in range(first, count):
                    width = ends[place] - begins[first] + extra
                    if width > limit + EPSILON:
                        break
                    if (place + 1 == count) == last_line:
                        fill = max(width, 0.0) / limit / mean
                        cost = so_far + fill * fill / lines + self.grudge(first, place, last=last_line)
                        if place + 1 not in reached or cost < reached[place + 1][0] - EPSILON:
                            reached[place + 1] = (cost, first)
                    if self.pieces[place].forced:
                        break
            states.append(reached)
        if count not in states[-1]:
            return None
        rows: list[Row] = []
        end = count
        for line in range(lines, 0, -1):
            first = states[line][end][1]
            rows.append((first, end))
            end = first
        return rows[::-1]

    def grudge(self, first: int, place: int, *, last: bool) -> float:
        """What speaks against a line of the pieces first … place, beside its width."""
        text, piece = self.shaped.text, self.pieces[place]
        words = text[self.pieces[first].start : piece.end]
        if last:
            lonely = first > 0 and place == first and len(words) < 6 and not self.pieces[first - 1].forced
            return 0.15 if lonely else 0.0
        if piece.forced:
            return 0.0
        end, after = words[-1:], text[piece.next : piece.next + 1]
        if end in CLOSING and end not in AFTER:
            return -0.03
        if end in AFTER or is_hiragana(after):
            return 0.08
        tail = words.rsplit(" ", 1)[-1]
        return 0.04 if len(tail) <= 2 and tail.isalpha() and tail.isascii() else 0.0

    def filled(self, size: float, lines: int) -> list[Row]:
        """Each line as full as it goes."""
        limits = self.limits(lines, size) or [self.room.width / size] * lines
        return self._greedy(lambda line: limits[min(line, lines - 1)])

    def spill(self, size: float) -> list[Row]:
        """Lines for words that do not fit: as wide as the shape is at its middle."""
        widest = max(self.room.width / size, 0.0)
        return self._greedy(lambda _: widest)

    def _greedy(self, limit: Callable[[int], float]) -> list[Row]:
        rows: list[Row] = []
        first = 0
        for place, piece in enumerate(self.pieces):
            if place > first and self.width(first, place) > limit(len(rows)) + EPSILON:
                rows.append((first, place))
                first = place
            if piece.forced:
                rows.append((first, place + 1))
                first = place + 1
        return rows


def _reach(room: Room) -> float:
    return min(-room.top, room.bottom)


def _half(room: Room, top: float, bottom: float) -> float:
    found = room.span(top, bottom)
    return -1.0 if found is None else min(-found[0], found[1])
