"""From draft to verdict: how long agents draft, and how long what they propose waits for a person."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.dates import AutoDateLocator, ConciseDateFormatter, date2num
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, actors_of, chapter_or_all, tables
from lantern_kit.analysis.plots.strips import Strip, draw_strips, log_scale

SECOND = 1_000.0
MINUTE, HOUR, DAY = 60 * SECOND, 3_600 * SECOND, 86_400 * SECOND
TICKS = (
    *(1.0, 10.0, 100.0, SECOND, 5 * SECOND, 15 * SECOND),
    *(MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 4 * HOUR, DAY, 3 * DAY, 10 * DAY, 30 * DAY, 100 * DAY, 365 * DAY),
)
"""Milliseconds that are marked on a scale of durations."""
MARKS = {"applied": "o", "discarded": "X", "superseded": "d", "waiting": "o"}
_PROPOSALS = """
    WITH looked AS (SELECT proposal, min(decided_at) AS first_at FROM approvals GROUP BY 1),
    now AS (SELECT greatest(max(committed_at), (SELECT max(occurred_at) FROM activity)) AS at FROM revisions)
    SELECT proposals.actor, frozen_at,
        CASE WHEN state IN ('pending', 'kept') THEN 'waiting' ELSE state END,
        date_diff('microsecond', created_at, frozen_at) / 1000.0,
        date_diff('microsecond', frozen_at, CASE
            WHEN state = 'superseded' THEN decided_at WHEN state IN ('pending', 'kept') THEN now.at
            ELSE coalesce(decided_at, first_at) END) / 1000.0
    FROM proposals LEFT JOIN looked USING (proposal), now
    WHERE $chapter IS NULL OR chapter = $chapter ORDER BY number(proposal)
"""


class _Proposal(NamedTuple):
    """One proposal; durations in milliseconds, one at least."""

    actor: str
    frozen_at: datetime
    fate: str
    """applied, discarded, superseded, or waiting for a last word."""
    drafted: float
    waited: float


def lead_time(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw every proposal by when it was frozen and how long it waited; and how long drafting and waiting take.

    Drafting is the time from beginning the draft to freezing it, waiting that from there to the verdict that settled
    it, both by the clock on the wall. What still waits is drawn hollow, as long as it has waited by the newest event
    in the tables.

    Args:
        source: a chapter, a workspace, or a connection of ``workspace.analysis()``.
        chapter: one chapter only, by its id.

    Raises:
        NotFound: there is no such chapter.
    """
    with tables(source) as connection:
        chosen = chapter_or_all(connection, source, chapter)
        proposals = _read(connection, None if chosen is None else chosen.id)
        colours = actors_of(connection)
    title = look.short("From draft to verdict" + (f" · {chosen.title}" if chosen else ""), 80)
    if not proposals:
        return look.no_proposal(title)
    actors = [name for name, _ in Counter(item.actor for item in proposals).most_common()]
    with look.drawn(9.8, max(3.6, 1.9 + 0.42 * 2 * len(actors)), title=title, below=_facts(proposals)) as figure:
        cells = figure.add_gridspec(2, 2, width_ratios=(1.25, 1))
        shade = {name: colours.get(("agent", name), look.OTHERS) for name in actors}
        _calendar(figure.add_subplot(cells[:, 0]), proposals, shade)
        for row, (what, heading) in enumerate((("drafted", "drafting"), ("waited", "waiting for the verdict"))):
            axes = figure.add_subplot(cells[row, 1])
            settled = [item for item in proposals if what == "drafted" or item.fate != "waiting"]
            strips = [
                Strip(
                    look.short(name, 16), [getattr(item, what) for item in settled if item.actor == name], shade[name]
                )
                for name in actors
            ]
            draw_strips(axes, strips, ticks=TICKS, told=look.spoken)
            axes.set_xlabel(f"time spent {heading}; the middle at the right")
    return figure


def _read(connection: DuckDBPyConnection, chapter: str | None) -> list[_Proposal]:
    rows = connection.execute(_PROPOSALS, {"chapter": chapter}).fetchall()
    return [
        _Proposal(actor, at, fate, max(1.0, drafted), max(1.0, waited)) for actor, at, fate, drafted, waited in rows
    ]


def _facts(proposals: Sequence[_Proposal]) -> str:
    settled = [item.waited for item in proposals if item.fate in {"applied", "discarded"}]
    waiting = sum(item.fate == "waiting" for item in proposals)
    said = [look.counted(len(proposals), "proposal")]
    said.append(f"half were drafted in {look.spoken(float(np.median([item.drafted for item in proposals])))} or less")
    if settled:
        said.append(f"half of the verdicts came within {look.spoken(float(np.median(settled)))}")
    if waiting:
        said.append(f"{waiting} still waiting")
    return "; ".join(said)


def _calendar(axes: Axes, proposals: Sequence[_Proposal], shade: dict[str, str]) -> None:
    axes.set_facecolor(look.EMPTY)
    for item in proposals:
        hollow = item.fate == "waiting"
        axes.scatter(
            [float(date2num(item.frozen_at))],  # type: ignore[no-untyped-call]
            [item.waited],
            marker=MARKS[item.fate],
            s=42,
            facecolors="none" if hollow else shade[item.actor],
            edgecolors=shade[item.actor] if hollow else look.PAPER,
            linewidths=1.4 if hollow else 0.6,
            alpha=1.0 if len(proposals) < 80 else 0.8,
            zorder=3,
        )
    log_scale(axes, [item.waited for item in proposals], ticks=TICKS, told=look.spoken, on="y")
    axes.grid(axis="y", color=look.PAPER, linewidth=1.0, zorder=0)
    axes.set_axisbelow(True)
    axes.set_ylabel("waited for the verdict")
    axes.set_xlabel("frozen as a proposal, in UTC")
    locator = AutoDateLocator(minticks=2, maxticks=5)  # type: ignore[no-untyped-call]
    axes.xaxis.set_major_locator(locator)
    axes.xaxis.set_major_formatter(ConciseDateFormatter(locator))  # type: ignore[no-untyped-call]
    axes.margins(x=0.06)
    look.bare(axes)
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=mark,
            markersize=6.5,
            markerfacecolor="none" if fate == "waiting" else look.MUTED,
            markeredgecolor=look.MUTED,
            label={"waiting": "still waiting", "superseded": "frozen anew"}.get(fate, fate),
        )
        for fate, mark in MARKS.items()
        if any(item.fate == fate for item in proposals)
    ]
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1.0), ncols=4, borderaxespad=0.2, **look.TIGHT)
