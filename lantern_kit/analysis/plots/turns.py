"""Turns of the kit's own agents: what each spent its time on, and what its tokens were."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, tables
from lantern_kit.kernel.errors import BadInput

MOST = 40
TIMES = (("the model", "#0072b2"), ("tools", "#009e73"), ("recall", "#cc79a7"), ("the graph itself", "#e69f00"))
PARTS = (
    ("instructions", "#56b4e9"),
    ("tools", "#009e73"),
    ("the talk", "#0072b2"),
    ("recalled", "#cc79a7"),
    ("said", "#d55e00"),
)
_TURNS = """
    WITH whole AS (
        SELECT turn, min(begun_at) AS begun, any_value(agent) AS agent,
            sum(duration_ms) FILTER (kind = 'invoke_workflow') AS whole,
            coalesce(sum(duration_ms) FILTER (kind = 'chat'), 0) AS chat,
            coalesce(sum(duration_ms) FILTER (kind = 'execute_tool'), 0) AS tools,
            coalesce(sum(duration_ms) FILTER (kind = 'retrieval'), 0) AS recall
        FROM spans GROUP BY 1
    ),
    spent AS (
        SELECT turn, sum(system) AS system, sum(tools) AS described, sum(history) AS history,
            sum(retrieved) AS retrieved, sum(output) AS said, bool_or(estimated = 'all') AS estimated
        FROM tokens GROUP BY 1
    )
    SELECT turn, coalesce(whole, 0), chat, tools, recall, coalesce(system, 0), coalesce(described, 0),
        coalesce(history, 0), coalesce(retrieved, 0), coalesce(said, 0), coalesce(estimated, false)
    FROM whole LEFT JOIN spent USING (turn) ORDER BY begun DESC, turn LIMIT ?
"""


class _Turn(NamedTuple):
    """One turn: milliseconds, then tokens."""

    turn: str
    whole: float
    chat: float
    tools: float
    recall: float
    system: int
    described: int
    history: int
    retrieved: int
    said: int
    estimated: bool

    @property
    def times(self) -> tuple[float, ...]:
        """In the order of TIMES; the graph's own is what the others leave."""
        return self.chat, self.tools, self.recall, max(0.0, self.whole - self.chat - self.tools - self.recall)

    @property
    def parts(self) -> tuple[int, ...]:
        """In the order of PARTS."""
        return self.system, self.described, self.history, self.retrieved, self.said


def agent_turns(source: Source, *, last: int = 20) -> Figure:
    """Draw what the last turns of the kit's own agents spent their time and their tokens on.

    Args:
        source: a workspace, or a connection of ``workspace.analysis()``.
        last: how many turns, at most 40.

    Raises:
        BadInput: ``last`` is out of bounds.
    """
    if not 1 <= last <= MOST:
        raise BadInput("so many turns cannot be drawn", expected=f"1 to {MOST}", found=last)
    with tables(source) as connection:
        turns = _read(connection, last)
    title = "What agents' turns spent"
    if not turns:
        return look.nothing(title, 'No agent of the kit has worked here yet. Ask one with: lantern agent "…"')
    height = 0.26 * len(turns) + 1.7
    with look.drawn(9.8, height, title=title, below=_facts(turns)) as figure:
        left, right = figure.subplots(1, 2)
        _stacked(left, turns, [turn.times for turn in turns], TIMES)
        left.xaxis.set_major_formatter(FuncFormatter(lambda value, _: look.spoken(value) if value else "0"))
        left.set_xlabel("time")
        _stacked(right, turns, [turn.parts for turn in turns], PARTS)
        right.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        right.set_xlabel("tokens" + (", estimated where nobody counted" if any(t.estimated for t in turns) else ""))
        right.tick_params(labelleft=False)
    return figure


def _read(connection: DuckDBPyConnection, last: int) -> list[_Turn]:
    return [_Turn(*row) for row in connection.execute(_TURNS, [last]).fetchall()]


def _facts(turns: Sequence[_Turn]) -> str:
    whole = sum(turn.whole for turn in turns)
    own = sum(turn.times[-1] for turn in turns)
    tokens = sum(sum(turn.parts) for turn in turns)
    said = f"the last {look.counted(len(turns), 'turn')}, the newest on top: {look.spoken(whole)}"
    return f"{said}, {own / max(whole, 1e-9):.0%} of it the graph's own; {tokens:,} tokens"


def _stacked(
    axes: Axes, turns: Sequence[_Turn], values: Sequence[Sequence[float]], kinds: Sequence[tuple[str, str]]
) -> None:
    rows = np.arange(len(turns))
    left = np.zeros(len(turns))
    for place, (_, colour) in enumerate(kinds):
        widths = np.array([value[place] for value in values], dtype=float)
        axes.barh(rows, widths, left=left, height=0.68, color=colour)
        left += widths
    axes.set_yticks(rows, [look.short(turn.turn, 16) for turn in turns])
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(4))
    look.bare(axes, keep=("left",))
    handles = [Patch(color=colour, label=words) for words, colour in kinds]
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(kinds), **look.TIGHT)
