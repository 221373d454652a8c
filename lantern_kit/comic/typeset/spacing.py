"""Space between characters (JLREQ 3.1, CSS Text 4): half-width marks in full-width places, ideographs beside letters.

A mark whose ink fills one half of its place has a blank half, wherever its font puts it: at a line's edge and beside
another mark's blank that half is taken away. So it holds for every language's forms alike.
"""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.comic.typeset import characters as kind
from lantern_kit.comic.typeset.shaping import Cell
from lantern_kit.comic.typeset.standing import ONE_PLACE, UPRIGHT

HALF = 0.5
LEAST_BLANK = 0.44
"""A side of a mark that is blank for less than this belongs to the mark."""
QUARTER = 0.25
MARKS = kind.OPENING | kind.CLOSING | kind.STOPS | kind.MIDDLE | frozenset(".,")


def space(cells: Sequence[Cell], text: str) -> None:
    """Set what is trimmed at the edges of lines and what is added or taken between cells."""
    blanks: tuple[float, float] = (0.0, 0.0)
    last: Cell | None = None
    for cell in cells:
        own = (0.0, 0.0)
        if cell.wide:
            own = _blank_halves(cell, text)
            cell.lead, cell.trail = max(own[0], 0.0) or min(cell.lead, 0.0), own[1] or min(cell.trail, 0.0)
            if own[1] and (text[cell.start] in kind.STOPS or text[cell.start] in ".,"):
                cell.hang = cell.advance - own[1]
        elif cell.stand in (ONE_PLACE, UPRIGHT):  # it takes its place whole
            cell.lead, cell.trail = min(cell.lead, 0.0), min(cell.trail, 0.0)
        if last is not None and last.end == cell.start:
            _between(last, blanks, cell, own, text)
        last, blanks = cell, own


def _blank_halves(cell: Cell, text: str) -> tuple[float, float]:
    """The blank half before and after a mark, in ems; 0 where there is none."""
    if text[cell.start] not in MARKS or cell.blank or cell.stand is ONE_PLACE or cell.advance < 0.9 * cell.scale:
        return 0.0, 0.0
    half, least = HALF * cell.scale, LEAST_BLANK * cell.scale
    before = min(half, cell.lead) if cell.lead >= least and cell.trail < least else 0.0
    after = min(half, cell.trail) if cell.trail >= least and cell.lead < least else 0.0
    return before, after


def _between(last: Cell, before: tuple[float, float], cell: Cell, own: tuple[float, float], text: str) -> None:
    first, second = text[last.end - 1], text[cell.start]
    if kind.is_hangul(second) and first in kind.CLOSING:  # a particle leans on what is quoted
        last.gap -= before[1]
        return
    if own[0] and (first == " " or kind.is_hangul(first)):
        last.gap -= own[0]
        return
    if before[1] and (
        own[0] or second == " " or second in kind.CLOSING or second in kind.STOPS or second in kind.MIDDLE
    ):
        last.gap -= before[1]
    elif own[0] and (first in kind.OPENING or first in kind.MIDDLE or first == "\u3000"):
        last.gap -= own[0]
    elif last.wide != cell.wide and _letter(last, first) and _letter(cell, second):
        last.gap += QUARTER * min(last.scale, cell.scale)


def _letter(cell: Cell, character: str) -> bool:
    """Whether a cell is an ideograph or kana, or a letter or digit that lies in a line as letters do."""
    if cell.wide:
        return kind.is_ideograph(character) or kind.is_kana(character)
    return cell.stand not in (ONE_PLACE, UPRIGHT) and kind.is_letter(character) and not cell.picture
