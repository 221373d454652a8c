"""Words into a shape: which sizes fit, and the lines they make.

For a size and a number of lines the free piece of every line is known, because the block stands centred. A greedy pass
says whether the words fit, bisection finds the largest size, and a shortest-path search shares the words out evenly
over the lines of layouts near that one. Columns are lines of a room turned by a quarter.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lantern_kit.comic.balloons.room import Room
from lantern_kit.comic.model import Align, TextStyle
from lantern_kit.comic.typeset.balancing import HALF_FULL, SHORT, lonely, shared, stub
from lantern_kit.comic.typeset.block import EPSILON, TALLEST, Block, Row
from lantern_kit.comic.typeset.composing import Words

SCALE_LIMIT = 3.0
"""Layouts are compared up to this many times the style's size; beyond it shape no longer matters."""
BISECTIONS = 12
COARSE = 8
"""Bisections for long texts, and where a little is left to be found."""
BEYOND = (1.03, 1.07, 1.12, 1.18, 1.25)
"""Over the largest size that bisection finds, others that are tried."""
WORDS_SEARCHED = 320
"""Texts of more pieces than this are filled line by line instead of balanced."""
LINES_TRIED = 2
"""Layouts of so many lines more and fewer than the tightest one's are compared."""
PROPORTION, COLUMN_PROPORTION = 0.2, 0.14
"""What a block of other proportions than its room's costs, against uneven lines."""
RAGGED, COLUMN_RAGGED = 1.0, 0.75
"""What uneven lines cost; columns hang from one height, and their lower ends are free."""
UNEVEN = 0.03
"""A room whose area is centred further than this from its box's middle, over its height, is uneven."""
SHIFTS = (-0.12, -0.06, 0.06, 0.12)
"""How far from the middle of an uneven room's area a block is tried too, over the room's height."""
WORTH = 1.02
"""How much larger the words must become for that."""
ROUNDS = 6
"""Lines of differing height are shared out anew so often until they stay."""

Fill = Callable[[list[float]], "list[Row] | None"]


class Fitting(Block):
    """One text and one room: which sizes and line ends fit."""

    def __init__(self, words: Words, style: TextStyle, free: Room, slack: float) -> None:
        super().__init__(words, style, free, slack)
        self.overflow = False
        """Nothing fits: the lines stand over."""
        self.paragraph = style.align is not Align.CENTRE
        """Read like a paragraph: as few lines as it needs."""
        self.ragged = COLUMN_RAGGED if self.columns else RAGGED
        self.proportion = COLUMN_PROPORTION if self.columns else PROPORTION

    # Widths: what fits on a line.

    def outs(self, size: float) -> Sequence[float]:
        """Where each piece ends for the question whether it fits a line: marks may hang past it."""
        words = self.words
        return words.hung if words.hang and words.hang * size <= self.slack else words.ends

    def width(self, row: Row, limit: float = math.inf) -> float:
        """Length of a line in ems, without the mark that hangs past ``limit``."""
        words = self.words
        start, end = words.begins[row[0]], words.ends[row[1] - 1]
        return max(0.0, end - start if end - start <= limit else words.hung[row[1] - 1] - start)

    def fits(self, lines: int, size: float) -> bool:
        """Whether the words fill just that many lines when each takes as many as it can."""
        if self.words.varied:
            return self.settled(lines, size, lambda limits: self.exactly(limits, size)) is not None
        limits = self.limits(lines, size)
        if limits is None:
            return False
        begins, outs = self.words.begins, self.outs(size)
        line = 0
        start, most = begins[0], limits[0]
        after_forced = False
        for place, piece in enumerate(self.words.pieces):
            if after_forced or outs[place] - start > most:
                line += 1
                if line >= lines:
                    return False
                start, most = begins[place], limits[line]
                if outs[place] - start > most:
                    return False
            after_forced = piece.forced
        return line + 1 == lines and outs[0] - begins[0] <= limits[0]

    def settled(self, lines: int, size: float, fill: Fill) -> list[Row] | None:
        """Rows that fill just so many lines, whose heights are their own; None when there are none."""
        limits = self.limits(lines, size)
        found = None if limits is None else fill(limits)
        if not self.words.varied:
            return found
        for guess in (found, None):
            rows, good = guess, None
            if guess is None:  # all as tall as the tallest
                limits = self.limits(lines, size, TALLEST)
                rows = None if limits is None else fill(limits)
            for _ in range(ROUNDS):
                if rows is None:
                    break
                if self.holds(rows, size):
                    good = rows
                limits = self.limits(lines, size, rows)
                found = None if limits is None else fill(limits)
                if found == rows:
                    break
                rows = found
            if good is not None:
                return good
        return None

    def holds(self, rows: list[Row], size: float) -> bool:
        """Whether all rows fit the lines they make."""
        limits = self.limits(len(rows), size, rows)
        outs, begins = self.outs(size), self.words.begins
        return limits is not None and all(
            outs[end - 1] - begins[first] <= limit for (first, end), limit in zip(rows, limits, strict=True)
        )

    def exactly(self, limits: list[float], size: float) -> list[Row] | None:
        """Each line as full as it goes, when that makes just as many lines as there are limits."""
        rows = self.greedy(lambda line: limits[min(line, len(limits) - 1)], size)
        begins, outs = self.words.begins, self.outs(size)
        if len(rows) != len(limits):
            return None
        fitting = (outs[end - 1] - begins[first] <= limit for (first, end), limit in zip(rows, limits, strict=True))
        return rows if all(fitting) else None

    def greedy(self, limit: Callable[[int], float], size: float) -> list[Row]:
        """Each line as full as it goes, and at least one piece on each."""
        begins, outs = self.words.begins, self.outs(size)
        rows: list[Row] = []
        first = 0
        for place, piece in enumerate(self.words.pieces):
            if place > first and outs[place] - begins[first] > limit(len(rows)):
                rows.append((first, place))
                first = place
            if piece.forced:
                rows.append((first, place + 1))
                first = place + 1
        return rows

    # Sizes.

    def line_counts(self, size: float) -> range:
        """Numbers of lines that may be possible at a size, by width, height and forced ends alone."""
        words = self.words
        if self.spans(1, size) is None and not words.varied:
            return range(0)
        forced = sum(piece.forced for piece in words.pieces)
        total = max(words.places[-1], 0.0)
        least = max(forced, int(total * size / max(self.longest, 1.0)))
        most = min(len(words.pieces), 1 + int(2 * self.reach / (words.leading * size * self.flattest)))
        return range(max(1, least), most + 1)

    @property
    def flattest(self) -> float:
        """The least height a line may have, over the leading."""
        return 0.3 if self.words.varied else 1.0

    def lines_at(self, size: float) -> int | None:
        """The least number of lines in which the words fit at a size, found quickly."""
        return next((lines for lines in self.line_counts(size) if self.fits(lines, size)), None)

    def some_lines_at(self, size: float) -> int | None:
        """A number of lines in which the words fit, found slowly and surely."""
        lines = self.lines_at(size)
        if lines is None and len(self.words.pieces) <= WORDS_SEARCHED:
            lines = next((lines for lines in self.line_counts(size) if self.balanced(lines, size)), None)
        return lines

    def largest(self) -> tuple[float, int] | None:
        """The largest size at which the words fit, and the lines they then take; None when nothing fits.

        It may pass the style's own size: what the shape could hold at most tells which layout follows it best.
        """
        low, words = self.least, self.words
        lines = self.some_lines_at(low)
        if lines is None:
            return None
        high = max(low, min(self.style.size * SCALE_LIMIT, 2 * self.reach / max(words.over + words.under, 0.1)))
        short = len(words.pieces) <= WORDS_SEARCHED
        low, lines = self._narrowed(low, lines, high, BISECTIONS if short else COARSE)
        # Lines fill otherwise at every size, so that sizes that fit may lie beyond one that does not.
        while short:
            beyond = ((low * share, self.lines_at(low * share)) for share in BEYOND if low * share < high)
            size, found = next(((size, found) for size, found in beyond if found is not None), (low, None))
            if found is None:
                break
            low, lines = self._narrowed(size, found, min(high, size * BEYOND[0]), COARSE)
        return low, lines

    def _narrowed(self, low: float, lines: int, high: float, steps: int) -> tuple[float, int]:
        """A size that fits with its lines, between one that does and one that may not."""
        for _ in range(steps):
            middle = math.sqrt(low * high)
            found = self.lines_at(middle)
            if found is None:
                high = middle
            else:
                low, lines = middle, found
        return low, lines

    def rows(self) -> tuple[float, list[Row]] | None:
        """The size to set at and the words shared out over lines; None when they do not fit."""
        largest = self.best_placed()
        if largest is None:
            return None
        size = float(min(self.style.size, math.floor(largest[0])))
        smallest = float(min(self.style.smallest, size) if self.style.fit else size)
        while True:
            rows = self.rows_at(size, largest[1])
            if rows is not None or size <= smallest:
                return None if rows is None else (size, rows)
            size = max(smallest, math.floor(size * 0.98))

    def best_placed(self) -> tuple[float, int] | None:
        """The largest size, in a room of uneven shape also about other heights than the middle of its area."""
        found, middle = self.largest(), self.middle
        best = middle
        if abs(middle) < UNEVEN * self.room.height or (found is not None and found[0] >= self.style.size):
            return found
        for share in SHIFTS:
            self.stand(middle + share * self.room.height)
            other = self.largest()
            if other is not None and (found is None or other[0] > WORTH * found[0]):
                found, best = other, self.middle
        self.stand(best)
        return found

    def cost(self, rows: list[Row], size: float) -> float:
        """What speaks against a layout."""
        return self.raggedness(rows, size) + self.proportion * self.mismatch(rows)

    def rows_at(self, size: float, about: int) -> list[Row] | None:
        """The best of the layouts of ``about`` so many lines; None when the words do not fit at that size."""
        if len(self.words.pieces) > WORDS_SEARCHED:
            lines = self.lines_at(size)
            return None if lines is None else self.settled(lines, size, lambda limits: self.exactly(limits, size))
        if self.paragraph:
            fewest = self.lines_at(size)
            tried = range(fewest, fewest + 1) if fewest else range(0)
        else:
            tried = range(max(1, about - LINES_TRIED), about + LINES_TRIED + 1)
        best: list[Row] | None = None
        least = math.inf
        for lines in tried:
            rows = self.balanced(lines, size)
            if rows is not None:
                cost = self.cost(rows, size)
                if cost < least - EPSILON:
                    least, best = cost, rows
        if best is None:
            lines_found = self.some_lines_at(size)
            best = None if lines_found is None else self.balanced(lines_found, size)
        return best

    # Balance.

    def balanced(self, lines: int, size: float) -> list[Row] | None:
        """The ends of exactly so many lines at which all are filled most alike; None when there are none."""
        if len(self.words.pieces) < lines:
            return None
        return self.settled(lines, size, lambda limits: shared(self.words, limits, self.outs(size), self.ragged))

    def raggedness(self, rows: list[Row], size: float) -> float:
        """How unevenly lines fill their room, with all grudges: 0 when all are alike and none is held against any."""
        limits = self.limits(len(rows), size, rows) or [1.0] * len(rows)
        fills = [self.width(row) / limit for row, limit in zip(rows, limits, strict=True)]
        mean = sum(fills) / len(fills)
        spread = sum(fill * fill for fill in fills) / len(fills) / (mean * mean) - 1 if mean > 0 else 0.0
        first, end = rows[-1]
        held = stub(self.words, first, end - 1, fills[-1] / mean if mean > 0 else 1.0)
        held += sum(
            lonely(self.words, first, line, len(rows)) for line, (first, end) in enumerate(rows) if end == first + 1
        )
        if self.columns and mean > 0:
            forced = [self.words.pieces[end - 1].forced for _, end in rows]
            held += SHORT * sum(f / mean < HALF_FULL and not end for f, end in zip(fills, forced, strict=True))
        return self.ragged * spread + held + sum(self.words.costs[end - 1] for _, end in rows[:-1])

    def mismatch(self, rows: list[Row]) -> float:
        """How far a block's proportions are from the room's: 0 is the same, 0.7 is twice as wide or as tall."""
        wide = max(self.width(row) for row in rows)
        tall = (len(rows) - 1) * self.words.leading + self.words.cap + self.words.descent
        if wide <= 0 or tall <= 0:  # nothing of it can be seen
            return 0.0
        return abs(math.log(wide / tall * self.reach / max(self.longest / 2, 1.0)))

    def spill(self, size: float) -> list[Row]:
        """Lines for words that do not fit: as long as the shape is at its longest."""
        widest = max(self.longest / size, 0.0) + EPSILON
        return self.greedy(lambda _: widest, size)
