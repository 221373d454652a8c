"""From the revisions that are shown to rows and the graph between them: runs folded, what is left out passed over."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from lantern_kit.widgets.history.lanes import TRUNK, Join, Layout, Node, layout
from lantern_kit.widgets.history.look import Look, sift
from lantern_kit.widgets.history.step import Step, Tale

LEAST = 4
"""Edits of a run that is folded."""
PLAIN = frozenset({"changeset", "adopt", "undo", "pick"})
"""What agents do in a draft, one after the other."""


@dataclass(frozen=True, slots=True)
class Row:
    """One row: a revision, or a run of them under its newest."""

    steps: tuple[Step, ...]
    """Newest first; one, unless it is a run."""
    run: int = 0
    """The oldest revision of the run it belongs to, folded or opened; 0 for none."""

    @property
    def step(self) -> Step:
        """The newest."""
        return self.steps[0]


@dataclass(frozen=True)
class Woven:
    """The rows of one look at one moment, newest first, and how they hang together."""

    tale: Tale
    rows: tuple[Row, ...]
    drawn: Layout
    shown: int
    """Revisions that are shown, those in folded runs included."""

    @cached_property
    def places(self) -> Mapping[int, int]:
        """The row that shows each revision."""
        return {step.number: place for place, row in enumerate(self.rows) for step in row.steps}


def weave(tale: Tale, look: Look, touching: Collection[int] | None = None) -> Woven:
    """Rows and graph of what a look shows."""
    shown = sift(tale, look, touching)
    rows = tuple(_rows(tale, shown, look))
    return Woven(tale, rows, _Graph(tale, rows).drawn(), len(shown))


def _rows(tale: Tale, shown: Sequence[Step], look: Look) -> Iterator[Row]:
    """Newest first."""
    folded: dict[int, tuple[int, tuple[Step, ...]]] = {}
    opened = set(look.opened)
    inside: set[int] = set()
    if look.fold:
        for run in _runs(tale, shown):
            first = run[-1].number
            if first in opened:
                folded.update({step.number: (first, (step,)) for step in run})
            else:
                folded[run[0].number] = (first, run)
                inside.update(step.number for step in run[1:])
    for step in reversed(shown):
        if step.number not in inside:
            first, steps = folded.get(step.number, (0, (step,)))
            yield Row(steps, first)


def _runs(tale: Tale, shown: Sequence[Step]) -> Iterator[tuple[Step, ...]]:
    """Long runs of one agent's edits in a draft, each newest first."""
    current: dict[int, list[Step]] = {}
    for step in shown:
        if step.branch == TRUNK:
            continue
        run = current.setdefault(step.branch, [])
        plain = step.cause in PLAIN and step.kind == "agent" and not step.damage and step.number not in tale.marks
        if run and not (plain and step.actor == run[-1].actor):
            if len(run) >= LEAST:
                yield tuple(reversed(run))
            run.clear()
        if plain:
            run.append(step)
    for run in current.values():
        if len(run) >= LEAST:
            yield tuple(reversed(run))


class _Graph:
    """What leads from which row to which, with what is not shown passed over."""

    def __init__(self, tale: Tale, rows: Sequence[Row]) -> None:
        self.tale = tale
        self.rows = rows
        self.home = {step.number: row.step.number for row in rows for step in row.steps}
        self.own: dict[int, list[Row]] = {}
        for row in rows:
            self.own.setdefault(row.step.branch, []).append(row)

    def drawn(self) -> Layout:
        return layout(list(self._nodes()), list(self._forks()), list(self._merges()), list(self._copies()))

    def _nodes(self) -> Iterator[Node]:
        following = {upper.step.number: lower for rows in self.own.values() for upper, lower in pairwise(rows)}
        for row in self.rows:
            oldest, lower = row.steps[-1], following.get(row.step.number)
            known = oldest.parent is not None and oldest.parent in self.tale.by_number
            whole = _gapless(row) and (oldest.parent == (lower.step.number if lower is not None else None) or not known)
            if lower is None and row.step.branch != TRUNK:
                whole = _gapless(row) and oldest.seq == 0
            yield Node(row.step.number, row.step.branch, whole, root=oldest.parent is None)

    def _forks(self) -> Iterator[Join]:
        for branch, rows in self.own.items():
            if branch == TRUNK:
                continue
            oldest = rows[-1].steps[-1]
            base = self._base(branch, oldest)
            yield Join(branch, base, rows[-1].step.number, whole=base in self.home and oldest.seq == 0)

    def _base(self, branch: int, oldest: Step) -> int:
        """The revision of the trunk that a draft was forked from, as far as can be told."""
        draft = self.tale.drafts.get(branch)
        if draft is not None and 0 < draft.base < oldest.number:
            return draft.base
        return oldest.number - 1

    def _merges(self) -> Iterator[Join]:
        for verdict in self.tale.verdicts:
            proposal = self.tale.proposals.get(verdict.proposal)
            if verdict.result is None or proposal is None:
                continue
            rows = self.own.get(proposal.draft, ())
            node = next((row for row in rows if row.steps[-1].number <= proposal.frozen), None)
            result = self.tale.by_number.get(verdict.result)
            if node is None or result is None or result.branch != TRUNK or result.number <= node.step.number:
                continue
            whole = verdict.result in self.home and proposal.frozen in {step.number for step in node.steps}
            yield Join(proposal.draft, verdict.result, node.step.number, whole=whole)

    def _copies(self) -> Iterator[tuple[int, int]]:
        for copy, source in self.tale.sources.items():
            if copy in self.home and source in self.home:
                yield self.home[copy], self.home[source]


def _gapless(row: Row) -> bool:
    """Whether a run has no revision left out of it."""
    return all(upper.parent == lower.number for upper, lower in pairwise(row.steps))
