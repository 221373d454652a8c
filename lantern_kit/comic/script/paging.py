"""A page for so many panels: rows whose heights, and panels whose widths, go by what is said in them."""

from __future__ import annotations

from collections.abc import Sequence

from lantern_kit.comic.layout.template import MOST_SLOTS, Place, Slot, Template, fit, tiers
from lantern_kit.comic.model import MILLION, Direction, Paper, Unit

NARROWEST, WIDEST = 0.6, 1.7
"""A panel's width over that of its row's usual one; the same holds for the heights of rows."""
MOST_IN_A_ROW = 4


def paged(
    unit: Unit, paper: Paper, direction: Direction, needs: Sequence[float], *, cap: int = MOST_SLOTS
) -> tuple[Place, ...]:
    """Places for panels in reading order, in rows within the safe area.

    Args:
        unit: a spread has half of them on either page; a single one lies across it.
        paper: its safe inset bounds the live area.
        direction: rtl turns rows round; ttb has one panel a row.
        needs: how much room each wants, over the usual 1.
        cap: panels on a page at most.

    Raises:
        BadInput: too many, or no room for their gutters.
    """
    pages = len(unit.surfaces)
    if pages > 1 and len(needs) == 1:
        across = Slot(points=((0, 0), (MILLION, 0), (MILLION, MILLION), (0, MILLION)), page="both")
        return fit(Template(name="script", title="Across", sheet="spread", slots=(across,)), unit, paper, direction)
    found: list[Place] = []
    done = 0
    for page in range(pages):
        many = (len(needs) - done + pages - 1 - page) // (pages - page)
        share = needs[done : done + many]
        if share:
            template = Template(name="script", title="Rows", slots=tuple(_slots(share, direction)))
            found += fit(template, unit, paper, direction)[page * many : (page + 1) * many]
        done += many
    return tuple(found)


def _slots(needs: Sequence[float], direction: Direction) -> list[Slot]:
    rows = _rows(needs, direction)
    heights = _shares([sum(row) / len(row) ** 0.5 for row in rows])
    slots: list[Slot] = []
    top = 0.0
    for row, high in zip(rows, heights, strict=True):
        left = 0.0
        for wide in _shares(row):
            edges = [round(value * MILLION) for value in (left, top, left + wide, top + high)]
            x, y, right, bottom = (min(MILLION, edge) for edge in edges)
            slots.append(Slot(points=((x, y), (right, y), (right, bottom), (x, bottom))))
            left += wide
        top += high
    return slots


def _rows(needs: Sequence[float], direction: Direction) -> list[Sequence[float]]:
    """The panels in rows: as many as a plain layout has, those with much to say among fewer."""
    count = len(needs)
    if direction is Direction.TTB and count <= MOST_IN_A_ROW + 2:
        return [needs[place : place + 1] for place in range(count)]
    tops = [slot.points[0][1] for slot in tiers(count).slots]
    rows = len(set(tops))
    most = max(tops.count(top) for top in set(tops)) + (1 if count > rows else 0)
    usual = sum(needs) / rows
    best: dict[tuple[int, int], tuple[float, list[int]]] = {(0, 0): (0.0, [])}
    for row in range(1, rows + 1):
        for end in range(row, count + 1):
            tried = []
            for start in range(max(row - 1, end - most), end):
                before = best.get((row - 1, start))
                if before is not None:
                    many = end - start
                    # Rows as even in what is said as can be, and none much fuller than a plain layout's.
                    cost = (sum(needs[start:end]) - usual) ** 2 + 0.3 * (many - count / rows) ** 2
                    tried.append((before[0] + cost, [*before[1], end]))
            if tried:
                best[row, end] = min(tried)
    ends = best[rows, count][1]
    return [needs[start:end] for start, end in zip([0, *ends], ends, strict=False)]


def _shares(needs: Sequence[float]) -> list[float]:
    """What each takes of a whole, none much less or more than the others."""
    usual = sum(needs) / len(needs) or 1.0
    held = [min(max(need / usual, NARROWEST), WIDEST) for need in needs]
    return [share / sum(held) for share in held]
