"""Agents' calls in time: what they looked at, what they changed, what failed, and how long it took."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, actors_of, tables

IDLE = timedelta(minutes=10)
"""A longer pause ends a session; the pause is folded away."""
CROWD = 1_000
"""More calls than this are drawn small and see-through, all alike, so that their density shows."""
_CALLS = """
    SELECT occurred_at, actor, tool, effect, outcome, duration_ms FROM activity
    WHERE capability <> '' AND ($actor IS NULL OR actor = $actor) ORDER BY number(event)
"""
_EFFECTS = ("observe", "resource_mutation", "candidate", "direct_change", "collaboration_change")
Call = tuple[datetime, str, str, str, str, float]


@dataclass(frozen=True)
class _Session:
    """Calls without a long pause between them, and where they lie on the axis."""

    start: datetime
    end: datetime
    left: float
    width: float

    def place(self, moment: datetime) -> float:
        """Where a moment lies, from 0 to 1 over all sessions."""
        length = (self.end - self.start).total_seconds()
        return self.left + (self.width * (moment - self.start).total_seconds() / length if length else self.width / 2)


def activity_timeline(source: Source, *, actor: str | None = None) -> Figure:
    """Draw every call of the agents: a lane for each tool, a dot for each call, larger the longer it took.

    Failed calls are crosses. Pauses of more than ten minutes are folded away and say how long they were.

    Args:
        source: a workspace, a chapter, or a connection of ``workspace.analysis()``.
        actor: one agent only.
    """
    with tables(source) as connection:
        calls: list[Call] = connection.execute(_CALLS, {"actor": actor}).fetchall()
        colours = actors_of(connection)
    title = "Agents' activity" if actor is None else f"Activity of {look.short(actor, 50)}"
    if not calls:
        return look.nothing(title, "No agent has called anything yet.")
    calls.sort(key=lambda call: call[0])
    lanes = _lanes(calls)
    sessions = _sessions(calls)
    failed = sum(call[4] != "ok" for call in calls)
    middle = float(np.median([call[5] for call in calls]))
    below = (
        f"{look.counted(len(calls), 'call')} in {look.counted(len(sessions), 'session')}, {failed:,} failed;"
        f" half of them took {look.spoken(middle)} or less; times in UTC"
    )
    tall = 0.36 * len(lanes)
    with look.drawn(9.5, tall + 1.75, title=title, below=below) as figure:
        axes = figure.add_subplot()
        _ground(axes, lanes, sessions)
        _dots(axes, calls, lanes, sessions, colours)
    return figure


def _lanes(calls: Sequence[Call]) -> dict[str, int]:
    """A lane for each tool: those that look on top, those that change below, the busiest first."""
    busy = Counter(call[2] for call in calls)
    effect: dict[str, int] = {}
    for _, _, tool, kind, _, _ in calls:
        rank = _EFFECTS.index(kind) if kind in _EFFECTS else len(_EFFECTS)
        effect[tool] = max(rank, effect.get(tool, 0))
    tools = sorted(busy, key=lambda tool: (effect[tool], -busy[tool], tool))
    return {tool: place for place, tool in enumerate(tools)}


def _sessions(calls: Sequence[Call]) -> list[_Session]:
    """Split at long pauses; each session is as wide as it is long, though never too narrow to see."""
    spans: list[list[datetime]] = []
    for moment, *_ in calls:
        if spans and moment - spans[-1][1] <= IDLE:
            spans[-1][1] = moment
        else:
            spans.append([moment, moment])
    gap = min(0.03, 0.3 / len(spans))
    room = 1 - gap * (len(spans) - 1)
    lengths = np.array([(end - start).total_seconds() for start, end in spans])
    least = 0.5 / len(spans)
    shares = np.maximum(lengths / max(lengths.sum(), 1e-9), least)
    widths = room * shares / shares.sum()
    lefts = np.concatenate([[0.0], np.cumsum(widths + gap)[:-1]])
    return [
        _Session(start, end, float(left), float(width))
        for (start, end), left, width in zip(spans, lefts, widths, strict=True)
    ]


def _ground(axes: Axes, lanes: dict[str, int], sessions: Sequence[_Session]) -> None:
    for session in sessions:
        margin = min(0.012, 0.2 * session.width)
        axes.axvspan(
            session.left - margin, session.left + session.width + margin, color=look.EMPTY, linewidth=0, zorder=0
        )
    for place in lanes.values():
        axes.axhline(place, color=look.PAPER, linewidth=1.2, zorder=1)
    axes.set_yticks(list(lanes.values()), [look.short(tool) for tool in lanes])
    axes.set_ylim(len(lanes) - 0.4, -0.6)
    axes.set_xlim(-0.02, 1.02)
    ticks: list[float] = []
    moments: list[datetime] = []
    for session in sessions:
        if not ticks or session.left - ticks[-1] > 0.09:
            ticks.append(session.place(session.start))
            moments.append(session.start)
    if len(sessions) == 1 and sessions[0].end > sessions[0].start:
        only = sessions[0]
        moments = [only.start + (only.end - only.start) * part for part in (0, 0.25, 0.5, 0.75, 1)]
        ticks = [only.place(moment) for moment in moments]
    brief = len(sessions) == 1 and sessions[0].end - sessions[0].start < timedelta(minutes=20)
    axes.set_xticks(ticks, look.clock_labels(moments, "%H:%M:%S" if brief else "%H:%M"))
    for before, after in pairwise(sessions):
        pause = (after.start - before.end).total_seconds()
        if len(sessions) <= 12:
            axes.annotate(
                look.spoken(1000 * pause),
                ((before.left + before.width + after.left) / 2, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 3),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=7.5,
                color=look.MUTED,
            )
    look.bare(axes)


def _dots(
    axes: Axes,
    calls: Sequence[Call],
    lanes: dict[str, int],
    sessions: Sequence[_Session],
    colours: Mapping[tuple[str, str], str],
) -> None:
    actors = [name for name, _ in Counter(call[1] for call in calls).most_common()]
    spread = {
        name: 0.0 if len(actors) == 1 else 0.24 * (place / (len(actors) - 1) - 0.5) for place, name in enumerate(actors)
    }
    place = 0
    for name in actors:
        xs, ys, sizes, ill = [], [], [], []
        place = 0
        for moment, actor, tool, _, outcome, took in calls:
            while moment > sessions[place].end:
                place += 1
            if actor == name:
                xs.append(sessions[place].place(moment))
                ys.append(lanes[tool] + spread[name])
                sizes.append(14 + 3.2 * np.sqrt(min(took, 20_000.0)))
                ill.append(outcome != "ok")
        x, y, size, bad = np.array(xs), np.array(ys), np.array(sizes), np.array(ill, dtype=bool)
        colour = colours["agent", name]
        many = len(calls) > CROWD
        axes.scatter(
            x[~bad],
            y[~bad],
            s=8 if many else size[~bad],
            color=colour,
            alpha=0.15 if many else 0.75,
            linewidths=0 if many else 0.5,
            edgecolors=look.PAPER,
            zorder=3,
        )
        axes.scatter(x[bad], y[bad], s=34, color=look.FAILED, marker="x", linewidths=1.4, zorder=4)
    handles = [
        Line2D([], [], marker="o", linestyle="", color=colours["agent", name], markersize=6, label=look.short(name, 22))
        for name in actors[:5]
    ]
    if any(call[4] != "ok" for call in calls):
        handles.append(Line2D([], [], marker="x", linestyle="", color=look.FAILED, markersize=6, label="failed"))
    axes.legend(handles=handles, loc="upper left", bbox_to_anchor=(1.005, 1.02), borderaxespad=0, handletextpad=0.3)
