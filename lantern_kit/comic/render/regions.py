"""Where two pictures differ: pixels that belong together, in upright boxes that do not overlap."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.bool_]
Weights = NDArray[np.float32]
Boxes = NDArray[np.int64]
"""(n, 4): left, top, right, bottom."""


class Patch(NamedTuple):
    """An upright box of pixels with all that differs in it."""

    left: int
    top: int
    right: int
    bottom: int
    pixels: int
    """So many of it differ."""
    weight: float
    """Sum of their distances."""


def patches(changed: Mask, apart: Weights, *, cell: int, pad: int) -> list[Patch]:
    """Boxes round the pixels that differ, by their place from the top: every such pixel is in one, no two overlap.

    Args:
        changed: (height, width), which pixels differ.
        apart: (height, width), by how much.
        cell: pixels of the grid on which neighbours are sought. What is no farther apart than two of them is in one
            box, what is farther than four only where boxes would overlap.
        pad: pixels added round each box, as far as the picture goes.
    """
    height, width = changed.shape
    down, across = np.flatnonzero(changed.any(axis=1)), np.flatnonzero(changed.any(axis=0))
    if not len(down):
        return []
    top, bottom, left, right = int(down[0]), int(down[-1]) + 1, int(across[0]), int(across[-1]) + 1
    part = changed[top:bottom, left:right]
    boxes = _tight(part, cell)
    boxes += np.array([left - pad, top - pad, left + pad, top + pad])
    boxes = _disjoint(np.clip(boxes, 0, [width, height, width, height]))
    found = []
    for x0, y0, x1, y1 in boxes.tolist():
        inside = changed[y0:y1, x0:x1]
        weight = float(apart[y0:y1, x0:x1].sum(dtype=np.float64))
        found.append(Patch(x0, y0, x1, y1, int(np.count_nonzero(inside)), weight))
    return sorted(found, key=lambda item: (item.top, item.left))


def _tight(changed: Mask, cell: int) -> Boxes:
    """Boxes round groups of neighbouring cells, each no larger than the pixels in it."""
    rows, columns = np.arange(0, changed.shape[0], cell), np.arange(0, changed.shape[1], cell)
    by_row = np.logical_or.reduceat(changed, columns, axis=1)
    by_column = np.logical_or.reduceat(changed, rows, axis=0)
    cells = np.logical_or.reduceat(by_row, rows, axis=0)
    groups = _groups(_grown(cells))[cells]
    count = int(groups.max()) + 1
    down, across = cells.nonzero()
    top, bottom = _ends(by_row, rows, cell, down, across)
    left, right = _ends(by_column.T, columns, cell, across, down)
    return _around(groups, count, left, top, right, bottom)


def _around(
    groups: NDArray[np.int64],
    count: int,
    left: NDArray[np.int64],
    top: NDArray[np.int64],
    right: NDArray[np.int64],
    bottom: NDArray[np.int64],
) -> Boxes:
    """The box round all that has the same number."""
    found = np.empty((count, 4), np.int64)
    for place, values, join in (
        (0, left, np.minimum), (1, top, np.minimum), (2, right, np.maximum), (3, bottom, np.maximum)
    ):  # fmt: skip
        reached = np.empty(count, np.int64)
        reached[groups] = values  # any of each, to begin with
        join.at(reached, groups, values)
        found[:, place] = reached
    return found


def _ends(
    lines: Mask, starts: NDArray[np.int64], cell: int, which: NDArray[np.int64], across: NDArray[np.int64]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """First line of each cell that has a change, and the one after its last."""
    spare = -len(lines) % cell
    whole = np.pad(lines, ((0, spare), (0, 0))).reshape(-1, cell, lines.shape[1])
    first = whole.argmax(axis=1)
    last = cell - whole[:, ::-1].argmax(axis=1)
    return starts[which] + first[which, across], starts[which] + last[which, across]


def _grown(cells: Mask) -> Mask:
    """Cells and their eight neighbours."""
    wide = cells.copy()
    wide[:, 1:] |= cells[:, :-1]
    wide[:, :-1] |= cells[:, 1:]
    tall = wide.copy()
    tall[1:] |= wide[:-1]
    tall[:-1] |= wide[1:]
    return tall


def _groups(cells: Mask) -> NDArray[np.int64]:
    """A number for each group of cells that touch, corners included; -1 beside them."""
    found = np.full(cells.shape, -1, np.int64)
    parents: list[int] = []

    def root(name: int) -> int:
        while parents[name] != name:
            parents[name] = parents[parents[name]]
            name = parents[name]
        return name

    above: list[tuple[int, int, int]] = []
    for row, line in enumerate(cells):
        own: list[tuple[int, int, int]] = []
        for start, end in _runs(line):
            name = len(parents)
            parents.append(name)
            for first, last, other in above:
                if first <= end and start <= last:  # ends are exclusive, so corners count
                    one, two = sorted((root(name), root(other)))
                    parents[two] = one
            own.append((start, end, name))
            found[row, start:end] = name
        above = own
    roots = np.array([root(name) for name in range(len(parents))], np.int64)
    _, numbers = np.unique(roots, return_inverse=True)
    found[cells] = numbers[found[cells]]
    return found


def _runs(line: Mask) -> Iterator[tuple[int, int]]:
    turns = np.flatnonzero(np.diff(line, prepend=False, append=False))
    return zip(turns[::2].tolist(), turns[1::2].tolist(), strict=True)


def _disjoint(boxes: Boxes) -> Boxes:
    """Boxes that overlap as one, until none do."""
    while len(boxes) > 1:
        left, top, right, bottom = boxes.T
        meet = (left[:, None] < right) & (left < right[:, None]) & (top[:, None] < bottom) & (top < bottom[:, None])
        first = meet.argmax(axis=1)  # each box goes to the first one it meets, itself at the latest
        if (first == np.arange(len(boxes))).all():
            return boxes
        names, numbers = np.unique(first, return_inverse=True)
        boxes = _around(numbers, len(names), left, top, right, bottom)
    return boxes
