"""Where the rows of a history stand beside each other: a trunk in the middle, branches right of it, copies left.

A pure function, and the widget's browser half only draws what it says. Heights are half rows: row ``i`` is at
``2 * i``, the gap below it at ``2 * i + 1``, so that a branch whose base is not shown joins the trunk at its place.

The laws: no two edges share a lane at a height; every edge ends at the node, or at the place on the trunk, that it
leads to; from each row one comes to the trunk; no more lanes are used right of it than edges are abreast somewhere.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

COPY_LANES = 3
"""Lanes left of the trunk at most; a copy that finds none free is told in words only."""
COPY_REACH = 300
"""Rows that a copy's edge runs past at most."""
TRUNK = 0

Kind = Literal["trunk", "branch", "fork", "merge", "copy"]


@dataclass(frozen=True, slots=True)
class Node:
    """One row, as far as its place depends on it. Rows stand in the order of their ids, the greatest on top."""

    id: int
    branch: int = TRUNK
    """0 is the trunk."""
    whole: bool = True
    """Whether nothing is left out between it and the next older row of its branch, or the place it comes from."""
    root: bool = False
    """Whether nothing comes before it."""


@dataclass(frozen=True, slots=True)
class Join:
    """Where a branch leaves the trunk (``fork``), or comes back to it (``merge``)."""

    branch: int
    trunk: int
    """The trunk's id, be it shown or not."""
    node: int
    """The row of the branch from which it leads there."""
    whole: bool = True
    """Whether both its ends are shown as they are."""


@dataclass(frozen=True, slots=True)
class Edge:
    """A line down one lane. Its ends bend over to the lanes of what it joins."""

    kind: Kind
    lane: int
    top: int
    """Half rows."""
    bottom: int
    top_lane: int
    bottom_lane: int
    dashed: bool
    """Something between its ends is not shown."""
    branch: int


@dataclass(frozen=True, slots=True)
class Layout:
    """A drawn history."""

    lanes: dict[int, int]
    """Lane of each branch that has rows."""
    edges: tuple[Edge, ...]
    right: int
    """Lanes right of the trunk."""
    left: int
    """Lanes left of it."""


@dataclass(slots=True)
class _Span:
    """What needs a lane to itself from one height to another; an open end only touches its height, at the trunk."""

    top: int
    bottom: int
    open_top: bool
    open_bottom: bool
    lane: int = 0


def layout(
    nodes: Sequence[Node],
    forks: Iterable[Join] = (),
    merges: Iterable[Join] = (),
    copies: Iterable[tuple[int, int]] = (),
) -> Layout:
    """Lanes and edges of rows that stand newest first.

    Args:
        nodes: the rows.
        forks: one for each branch that has rows, from its oldest one.
        merges: from rows of branches.
        copies: pairs of rows: one, and the older one whose content it copied.
    """
    run = _Run(nodes)
    run.branches({join.branch: join for join in forks}, list(merges))
    run.trunk()
    run.copies(copies)
    return run.made()


class _Run:
    def __init__(self, nodes: Sequence[Node]) -> None:
        self.nodes = nodes
        self.row = {node.id: place for place, node in enumerate(nodes)}
        self._ages = [-node.id for node in nodes]
        self.edges: list[Edge] = []
        self.lanes: dict[int, int] = {}
        self.joints: list[int] = []
        self.right = self.left = 0

    def height(self, trunk: int) -> int:
        """Where a revision of the trunk stands, or would."""
        place = self.row.get(trunk)
        return 2 * bisect_left(self._ages, -trunk) - 1 if place is None else 2 * place

    # branches

    def branches(self, forks: dict[int, Join], merges: list[Join]) -> None:
        """Give each branch a lane, and each merge that does not start at its branch's newest row one of its own."""
        own: dict[int, list[Node]] = {}
        for node in self.nodes:
            if node.branch != TRUNK:
                own.setdefault(node.branch, []).append(node)
        home: dict[int, Join] = {}
        apart: list[Join] = []
        for join in merges:
            first = own[join.branch][0].id
            if join.node == first and join.branch not in home:
                home[join.branch] = join
            else:
                apart.append(join)
        spans: dict[int, _Span] = {}
        for branch, rows in own.items():
            merge = home.get(branch)
            top = 2 * self.row[rows[0].id] if merge is None else self.height(merge.trunk)
            spans[branch] = _Span(top, self.height(forks[branch].trunk), merge is not None, open_bottom=True)
        beside = [_Span(self.height(join.trunk), 2 * self.row[join.node], True, True) for join in apart]
        self.right = _assign([*spans.values(), *beside])
        self.lanes = {branch: span.lane for branch, span in spans.items()}
        for branch, rows in own.items():
            self._branch(rows, forks[branch], home.get(branch))
        for join, span in zip(apart, beside, strict=True):
            self._merge(join, span.lane)

    def _branch(self, rows: Sequence[Node], fork: Join, merge: Join | None) -> None:
        lane = self.lanes[fork.branch]
        if merge is not None:
            self._merge(merge, lane)
        for upper, lower in pairwise(rows):
            ends = 2 * self.row[upper.id], 2 * self.row[lower.id]
            self.edges.append(Edge("branch", lane, *ends, lane, lane, not upper.whole, fork.branch))
        bottom = self.height(fork.trunk)
        dashed = not fork.whole or not rows[-1].whole
        self.joints.append(bottom)
        self.edges.append(Edge("fork", lane, 2 * self.row[rows[-1].id], bottom, lane, TRUNK, dashed, fork.branch))

    def _merge(self, join: Join, lane: int) -> None:
        top, bottom = self.height(join.trunk), 2 * self.row[join.node]
        self.joints.append(top)
        home = self.lanes[join.branch]
        self.edges.append(Edge("merge", lane, top, bottom, TRUNK, home, not join.whole, join.branch))

    # the trunk, and what it copied

    def trunk(self) -> None:
        """One line from the newest thing on the trunk to the oldest."""
        rows = [node for node in self.nodes if node.branch == TRUNK]
        stations = [2 * self.row[node.id] for node in rows]
        end = 2 * len(self.nodes) - 1
        top = min([*stations, *self.joints], default=end)
        if top < (stations[0] if stations else end):
            self._along(top, stations[0] if stations else end, dashed=True)
        for node, upper, lower in zip(rows, stations, [*stations[1:], end], strict=False):
            last = lower == end
            if not (last and node.root):
                self._along(upper, lower, dashed=last or not node.whole)

    def _along(self, top: int, bottom: int, *, dashed: bool) -> None:
        self.edges.append(Edge("trunk", TRUNK, top, bottom, TRUNK, TRUNK, dashed, TRUNK))

    def copies(self, pairs: Iterable[tuple[int, int]]) -> None:
        """Edges left of the trunk, short ones first, as long as there are lanes."""
        wanted = []
        for newer, older in pairs:
            top, bottom = 2 * self.row[newer], 2 * self.row[older]
            if 0 < bottom - top <= 2 * COPY_REACH:
                wanted.append((bottom - top, top, bottom))
        taken: list[list[tuple[int, int]]] = [[] for _ in range(COPY_LANES)]
        for _, top, bottom in sorted(set(wanted)):
            lane = next((lane for lane, held in enumerate(taken) if _is_free(held, top, bottom)), None)
            if lane is None:
                continue
            insort(taken[lane], (top, bottom))
            self.left = max(self.left, lane + 1)
            ends = self._lane_at(top), self._lane_at(bottom)
            self.edges.append(Edge("copy", -1 - lane, top, bottom, *ends, dashed=False, branch=TRUNK))

    def _lane_at(self, height: int) -> int:
        return self.lanes.get(self.nodes[height // 2].branch, TRUNK)

    def made(self) -> Layout:
        """What came of it."""
        return Layout(self.lanes, tuple(self.edges), self.right, self.left)


def _assign(spans: list[_Span]) -> int:
    """Give each span the lowest lane that is free, oldest first: as few lanes as spans are abreast. Gives their number.

    A lane is free for a span that ends above everything in it, or just where the newest in it begins, if both only
    touch the trunk there.
    """
    tops: list[tuple[int, bool]] = []
    for span in sorted(spans, key=lambda span: (-span.bottom, -span.top)):
        free = (
            lane
            for lane, (top, is_open) in enumerate(tops)
            if span.bottom < top or (span.bottom == top and is_open and span.open_bottom)
        )
        lane = next(free, len(tops))
        span.lane = lane + 1
        tops[lane : lane + 1] = [(span.top, span.open_top)]
    return len(tops)


def _is_free(held: list[tuple[int, int]], top: int, bottom: int) -> bool:
    """Whether nothing of what a lane holds, in order and apart, is between two heights."""
    place = bisect_left(held, (top, bottom))
    return (place == 0 or held[place - 1][1] <= top) and (place == len(held) or held[place][0] >= bottom)
