"""What was rejected and why: what became of proposals, what people left out of those they took, and their words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, chapter_or_all, tables

REASONS = 8
"""Reasons that are listed, those given most often."""
FATES = {
    "whole": ("applied whole", "#0072b2"),
    "part": ("applied in part", "#7fb8d8"),
    "kept": ("kept", "#f0d58a"),
    "pending": ("pending", "#dfe3e8"),
    "superseded": ("frozen anew", "#aab2bb"),
    "discarded": ("discarded", look.FAILED),
}
"""What may become of a proposal, as people read it, and its colour."""
_FATES = """
    SELECT actor, CASE WHEN state <> 'applied' THEN state
            WHEN proposal IN (SELECT proposal FROM rejections) THEN 'part' ELSE 'whole' END, count(*)
    FROM proposals WHERE $chapter IS NULL OR chapter = $chapter GROUP BY ALL ORDER BY ALL
"""
_LEFT_OUT = """
    SELECT coalesce(object_kind, 'other'), went_with IS NOT NULL, count(*)
    FROM rejections JOIN proposals USING (proposal)
    WHERE $chapter IS NULL OR chapter = $chapter GROUP BY ALL ORDER BY ALL
"""
_REASONS = """
    SELECT what, reason, count(*) FROM (
        SELECT 'part' AS what, rejections.reason, chapter FROM rejections JOIN proposals USING (proposal)
        WHERE went_with IS NULL
        UNION ALL SELECT 'discarded', approvals.reason, chapter FROM approvals JOIN proposals USING (proposal)
        WHERE verdict = 'discard'
    ) WHERE $chapter IS NULL OR chapter = $chapter GROUP BY ALL ORDER BY 3 DESC, 2, 1
"""


class _Told(NamedTuple):
    """What the tables say."""

    fates: Mapping[str, Mapping[str, int]]
    """Agent → fate → proposals; the busiest agent first."""
    left_out: Mapping[str, tuple[int, int]]
    """Kind of thing → parts named by people, and parts that went along."""
    reasons: Sequence[tuple[str, int, int]]
    """Words, how many parts and how many whole proposals were rejected with them."""


def rejections(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw what became of each agent's proposals, what was left out of those applied in part, and people's reasons.

    A part that could not stand without a rejected one went along with it: it was not named, and has no reason of its
    own.

    Args:
        source: a chapter, a workspace, or a connection of ``workspace.analysis()``.
        chapter: one chapter only, by its id.

    Raises:
        NotFound: there is no such chapter.
    """
    with tables(source) as connection:
        chosen = chapter_or_all(connection, source, chapter)
        told = _read(connection, None if chosen is None else chosen.id)
    title = look.short("What was rejected, and why" + (f" · {chosen.title}" if chosen else ""), 80)
    if not told.fates:
        return look.no_proposal(title)
    rows = max(len(told.left_out), len(told.reasons), 2)
    heights = (0.36 * len(told.fates) + 0.3, 0.27 * rows + 0.3)
    with look.drawn(9.8, sum(heights) + 2.0, title=title, below=_facts(told)) as figure:
        cells = figure.add_gridspec(2, 2, height_ratios=heights, width_ratios=(0.8, 1), hspace=0.08)
        _outcomes(figure.add_subplot(cells[0, :]), told)
        _things(figure.add_subplot(cells[1, 0]), told, rows)
        _words(figure.add_subplot(cells[1, 1]), told, rows)
    return figure


def _read(connection: DuckDBPyConnection, chapter: str | None) -> _Told:
    parameters = {"chapter": chapter}
    fates: dict[str, dict[str, int]] = {}
    busy: Counter[str] = Counter()
    for actor, fate, count in connection.execute(_FATES, parameters).fetchall():
        fates.setdefault(actor, {})[fate] = count
        busy[actor] += count
    left_out: dict[str, tuple[int, int]] = {}
    for kind, along, count in connection.execute(_LEFT_OUT, parameters).fetchall():
        named, went = left_out.get(kind, (0, 0))
        left_out[kind] = (named, went + count) if along else (named + count, went)
    words: dict[str, tuple[int, int]] = {}
    for what, reason, count in connection.execute(_REASONS, parameters).fetchall():
        parts, whole = words.get(reason, (0, 0))
        words[reason] = (parts + count, whole) if what == "part" else (parts, whole + count)
    said = sorted(((reason, *counts) for reason, counts in words.items()), key=lambda item: -item[1] - item[2])
    kinds = sorted(left_out, key=lambda kind: -sum(left_out[kind]))
    return _Told(
        {actor: fates[actor] for actor, _ in busy.most_common()},
        {kind: left_out[kind] for kind in kinds},
        said[:REASONS],
    )


def _facts(told: _Told) -> str:
    total = Counter[str]()
    for fates in told.fates.values():
        total.update(fates)
    named, along = (sum(counts[place] for counts in told.left_out.values()) for place in (0, 1))
    said = [
        look.counted(total.total(), "proposal"),
        f"{total['whole'] + total['part']} applied, {total['part']} of them in part",
        f"{total['discarded']} discarded",
    ]
    if named:
        said.append(f"{look.counted(named, 'part')} left out" + (f", {along} more went along" if along else ""))
    return "; ".join(said)


def _outcomes(axes: Axes, told: _Told) -> None:
    rows = np.arange(len(told.fates))
    left = np.zeros(len(rows))
    for fate, (_, colour) in FATES.items():
        counts = np.array([fates.get(fate, 0) for fates in told.fates.values()], dtype=float)
        axes.barh(rows, counts, left=left, height=0.66, color=colour, edgecolor=look.PAPER, linewidth=0.6)
        for row, count in enumerate(counts):
            if count:
                dark = fate in {"whole", "discarded"}
                axes.text(
                    left[row] + count / 2, row, f"{count:.0f}", ha="center", va="center", fontsize=8,
                    color=look.PAPER if dark else look.INK,
                )  # fmt: skip
        left += counts
    axes.set_yticks(rows, [look.short(name, 20) for name in told.fates])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, 1.03 * float(left.max()))
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.set_xlabel("proposals")
    look.bare(axes)
    there = {fate for fates in told.fates.values() for fate in fates}
    handles = [Patch(color=colour, label=words) for fate, (words, colour) in FATES.items() if fate in there]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=6, borderaxespad=0.2, **look.TIGHT)


def _things(axes: Axes, told: _Told, room: int) -> None:
    axes.set_xlabel("parts left out, by what they are")
    if not told.left_out:
        look.none_of(axes, "nothing was left out of a proposal that was applied")
        return
    rows = np.arange(len(told.left_out))
    named, along = (np.array([counts[place] for counts in told.left_out.values()]) for place in (0, 1))
    axes.barh(rows, named, height=0.62, color="#2f4356", label="named")
    axes.barh(rows, along, left=named, height=0.62, color="#9aabbb", label="went along")
    axes.set_yticks(rows, list(told.left_out))
    axes.set_ylim(room - 0.4, -0.6)
    axes.set_xlim(0, 1.08 * float((named + along).max()))
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    look.bare(axes, keep=("left",))
    if along.any():
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, **look.TIGHT)


def _words(axes: Axes, told: _Told, room: int) -> None:
    axes.set_xlabel("how often with these words")
    if not told.reasons:
        look.none_of(axes, "nobody rejected anything")
        return
    rows = np.arange(len(told.reasons))
    parts, whole = (np.array([item[place] for item in told.reasons]) for place in (1, 2))
    axes.barh(rows, whole, height=0.62, color=look.FAILED, label="whole proposals")
    axes.barh(rows, parts, left=whole, height=0.62, color="#7fb8d8", label="parts")
    axes.set_yticks(
        rows, [f"“{look.short(reason, 34)}”" if reason else "no reason given" for reason, *_ in told.reasons]
    )
    axes.set_ylim(room - 0.4, -0.6)
    axes.set_xlim(0, 1.08 * float((parts + whole).max()))
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    look.bare(axes, keep=("left",))
    if parts.any() and whole.any():
        axes.legend(loc="lower left", bbox_to_anchor=(0, 1.0), ncols=2, borderaxespad=0.2, **look.TIGHT)
