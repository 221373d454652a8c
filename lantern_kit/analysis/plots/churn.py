"""Which pages churn: how much of the work on each unit made something, and how much went over it again."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, actors_of, chapter_of, tables

MOST = 28
"""Units that are drawn; of more, those that churn most."""
KINDS = (
    ("made", "made new", "#d5dbe1"),
    ("once", "changed once", "#9aabbb"),
    ("again", "changed again", "#2f4356"),
    ("gone", "taken out", "#b3261e"),
)
"""Kinds of change: as the tables are asked, as people read it, and its colour, which is no actor's."""
_CHANGES = """
    SELECT unit, revisions.actor_kind, revisions.actor, CASE
            WHEN change = 'added' THEN 'made' WHEN change = 'removed' THEN 'gone'
            WHEN row_number() OVER (PARTITION BY object, property, change ORDER BY number(revision)) = 1 THEN 'once'
            ELSE 'again' END AS what
    FROM changes JOIN revisions USING (revision)
    WHERE cause <> 'apply' AND property IS DISTINCT FROM 'reading' AND property IS DISTINCT FROM 'objects'
        AND (line = $chapter OR line IN (SELECT draft FROM drafts WHERE chapter = $chapter))
"""
_COUNTED = f"SELECT unit, actor_kind, actor, what, count(*) FROM ({_CHANGES}) GROUP BY ALL ORDER BY ALL"  # noqa: S608
_UNITS = "SELECT unit, position, kind, name FROM units WHERE line = $chapter ORDER BY position"


@dataclass(frozen=True)
class _Pages:
    """Counted changes of the units that are drawn."""

    labels: list[str]
    kinds: np.ndarray
    """units × KINDS"""
    actors: list[tuple[str, str]]
    """(kind, name), the busiest first."""
    colours: dict[tuple[str, str], str]
    shares: np.ndarray
    """units × actors"""
    units: int
    """How many there are in all."""


def churn(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw, for each unit of a chapter, what was made there, changed once, changed again and taken out; and by whom.

    Work is counted where it was done, in agents' drafts and by people's own edits; a property that was changed before
    counts as changed again, whoever changed it. What follows from adding and removing, the orders of drawing and of
    reading, is left out. Units that are not in the chapter any more are left out too.

    Args:
        source: a chapter, a workspace with one chapter, or a connection of ``workspace.analysis()``.
        chapter: the chapter's id, where the source leaves it open.

    Raises:
        NotFound, BadInput: which chapter is not clear.
    """
    with tables(source) as connection:
        found = chapter_of(connection, source, chapter)
        pages = None if found is None else _counted(connection, found.id)
    if found is None:
        return look.no_chapter()
    title = look.short(f"Churn · {found.title}", 80)
    if pages is None:
        return look.nothing(title, "Nothing was changed yet.")
    counts = pages.kinds.sum(axis=0)
    over = counts[2] / max(1, counts.sum())
    which = f"The {MOST} of {pages.units} units that churn most; " if pages.units > MOST else ""
    below = f"{which}{look.counted(int(counts.sum()), 'change')}, {over:.0%} of them to what had been changed before"
    with look.drawn(9.5, 0.27 * len(pages.labels) + 1.85, title=title, below=below) as figure:
        cells = figure.add_gridspec(1, 2, width_ratios=(1, 0.55))
        bars = figure.add_subplot(cells[0, 0])
        hands = figure.add_subplot(cells[0, 1], sharey=bars)
        _bars(bars, pages)
        _hands(hands, pages)
    return figure


def _counted(connection: DuckDBPyConnection, chapter: str) -> _Pages | None:
    rows = connection.execute(_COUNTED, {"chapter": chapter}).fetchall()
    units = connection.execute(_UNITS, {"chapter": chapter}).fetchall()
    places = {unit: place for place, (unit, *_) in enumerate(units)}
    rows = [row for row in rows if row[0] in places]
    if not rows:
        return None
    busy: Counter[tuple[str, str]] = Counter()
    for _, kind, name, _, count in rows:
        busy[kind, name] += count
    actors = [actor for actor, _ in busy.most_common()]
    whats = [what for what, *_ in KINDS]
    kinds, shares = np.zeros((len(units), len(KINDS))), np.zeros((len(units), len(actors)))
    for unit, kind, name, what, count in rows:
        kinds[places[unit], whats.index(what)] += count
        shares[places[unit], actors.index((kind, name))] += count
    worst = np.argsort(-(1_000 * kinds[:, 2] + kinds.sum(axis=1)), kind="stable")[:MOST]
    kept = np.sort(worst)
    labels = [f"{units[place][1]}  {look.short(units[place][3] or units[place][2])}" for place in kept]
    return _Pages(labels, kinds[kept], actors, actors_of(connection), shares[kept], len(units))


def _bars(axes: Axes, pages: _Pages) -> None:
    rows = np.arange(len(pages.labels))
    left = np.zeros(len(rows))
    for column, (_, _, colour) in enumerate(KINDS):
        axes.barh(rows, pages.kinds[:, column], left=left, height=0.7, color=colour)
        left += pages.kinds[:, column]
    for row in rows:
        again = pages.kinds[row, 2] / max(1.0, left[row])
        axes.annotate(
            f"{again:.0%} again" if again >= 0.005 else "",
            (left[row], row),
            xytext=(4, 0),
            textcoords="offset points",
            va="center",
            fontsize=7.5,
            color=look.MUTED,
        )
    axes.set_yticks(rows, pages.labels)
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.set_xlim(0, max(1.0, float(left.max())) * 1.14)
    axes.xaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.set_xlabel("changed properties, added and removed things")
    look.bare(axes, keep=("left",))
    there = pages.kinds.sum(axis=0) > 0
    handles = [Patch(color=colour, label=words) for (_, words, colour), some in zip(KINDS, there, strict=True) if some]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, **look.TIGHT)


def _hands(axes: Axes, pages: _Pages) -> None:
    rows = np.arange(len(pages.labels))
    colours = pages.colours
    totals = np.maximum(pages.shares.sum(axis=1), 1)
    left = np.zeros(len(rows))
    for column, actor in enumerate(pages.actors):
        share = pages.shares[:, column] / totals
        axes.barh(rows, share, left=left, height=0.7, color=colours[actor], edgecolor=look.PAPER, linewidth=0.6)
        left += share
    axes.set_xlim(0, 1)
    axes.set_xticks([0, 0.5, 1], ["0", "50 %", "100 %"])
    axes.set_xlabel("whose changes")
    axes.tick_params(labelleft=False)
    look.bare(axes)
    shown = pages.actors[:4]
    handles = [Patch(color=colours[actor], label=look.short(actor[1], 14)) for actor in shown]
    if len(pages.actors) > len(shown):
        handles.append(Patch(color=look.OTHERS, label=f"{len(pages.actors) - len(shown)} more"))
    axes.legend(
        handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=len(handles), borderaxespad=0.2, **look.TIGHT
    )
