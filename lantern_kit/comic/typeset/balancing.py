"""Words shared out over lines so that all are filled alike and break where they like to."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.comic.typeset.block import EPSILON, Row
from lantern_kit.comic.typeset.composing import STUB, Words

HALF_FULL, SHORT = 0.55, 0.06
"""A column filled less than this, over the mean, and what is held against it."""
LONELY, LONELY_FIRST, LONELY_LAST = 0.09, 0.07, 0.08
"""What is held against a line between others, a first and a last one that is a single short word."""
SHORT_WORD = 10
"""Letters of a word that is lonely on a line."""
VANISHING = 1.3
"""What of a text may vanish at a line's end, in ems: spaces, and the blank halves of marks."""


def shared(words: Words, limits: Sequence[float], outs: Sequence[float], ragged: float) -> list[Row] | None:
    """The best line ends: least mean square of the lines' fill over a mean fill, and grudges.

    Args:
        words: the text.
        limits: how long each line may be, in ems.
        outs: where each piece ends when it is asked whether it fits.
        ragged: what uneven lines cost.

    Returns:
        As many rows as there are limits; None when the words do not make so many.
    """
    begins, ends, costs, pieces = words.begins, words.ends, words.costs, words.pieces
    count, lines = len(pieces), len(limits)
    total = sum(max(0.0, end - begin) for begin, end in zip(begins, ends, strict=True))
    mean = max(total / sum(limits), EPSILON)
    share = ragged / lines
    short = HALF_FULL if words.columns else 0.0
    rest = sum(limits)
    # For every line: the pieces used up to its end → (cost so far, first piece of that line).
    states: list[dict[int, tuple[float, int]]] = [{0: (0.0, -1)}]
    for line, limit in enumerate(limits):
        reached: dict[int, tuple[float, int]] = {}
        last_line = line == lines - 1
        scale = 1 / (limit * mean)
        rest -= limit
        # What is left after a line must find room on those below it.
        earliest = ends[-1] - rest - VANISHING * words.largest * (lines - line)
        for first, (so_far, _) in states[-1].items():
            begin = begins[first]
            for place in range(first, count):
                if outs[place] - begin > limit:
                    break
                if (place + 1 == count) == last_line and ends[place] >= earliest:
                    fill = (ends[place] - begin) * scale
                    if fill < 0.0:
                        fill = 0.0
                    cost = so_far + fill * fill * share
                    cost += stub(words, first, place, fill) if last_line else costs[place]
                    if place == first:
                        cost += lonely(words, first, line, lines)
                    if fill < short and not pieces[place].forced:
                        cost += SHORT
                    known = reached.get(place + 1)
                    if known is None or cost < known[0] - EPSILON:
                        reached[place + 1] = (cost, first)
                if pieces[place].forced:
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


def lonely(words: Words, place: int, line: int, lines: int) -> float:
    """What speaks against a line of one piece of a text of letters, wherever the text does not ask for it."""
    piece = words.pieces[place]
    first, last = line == 0, line == lines - 1
    if piece.last == piece.first or words.cells[piece.first].full or piece.end - piece.start > SHORT_WORD:
        return 0.0
    if (first and last) or (piece.forced and not last) or (place > 0 and words.pieces[place - 1].forced):
        return 0.0
    return LONELY_FIRST if first else LONELY_LAST if last else LONELY


def stub(words: Words, first: int, place: int, fill: float) -> float:
    """What speaks against a last line that is hardly one."""
    pieces = words.pieces
    if first == 0 or pieces[first - 1].forced:
        return 0.0
    shown = pieces[place].end - pieces[first].start
    alone = place == first and shown < 6
    return STUB if alone or shown <= 2 or (words.columns and fill < HALF_FULL) else 0.0
