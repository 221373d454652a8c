"""What an accepted change cost: calls and sizes of answers of the tasks that led to it, and what led to nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, actors_of, chapter_or_all, tables
from lantern_kit.analysis.plots.strips import Strip, draw_strips

TOOLS = 12
"""Tools that are listed, those that gave most; the others share a row."""
TICKS = tuple(size * 10.0**power for power in range(-3, 9) for size in (1, 3))
LANDED, AWAY, OPEN = "#0072b2", "#d98880", "#dfe3e8"
_TASKS = """
    WITH spent AS (
        SELECT g.draft, g.actor, tool, count(*) AS calls, sum(answer_bytes)::BIGINT AS bytes
        FROM activity JOIN activity_groups AS g USING (activity_group)
        WHERE capability <> '' AND g.draft <> '' AND ($chapter IS NULL OR g.work = $chapter) GROUP BY ALL
    ),
    landed AS (
        SELECT draft, sum(revisions.changes)::BIGINT AS changes
        FROM approvals JOIN proposals USING (proposal) JOIN revisions ON revision = result GROUP BY 1
    )
    SELECT draft, spent.actor, tool, calls, bytes, coalesce(landed.changes, 0),
        coalesce(landed.changes, 0) = 0 AND (state = 'discarded' OR draft IN (
            SELECT draft FROM proposals GROUP BY 1 HAVING bool_and(state IN ('discarded', 'superseded'))))
    FROM spent JOIN drafts USING (draft) LEFT JOIN landed USING (draft) ORDER BY number(draft), tool, spent.actor
"""


class _Spent(NamedTuple):
    """What one agent spent with one tool on one draft."""

    draft: str
    actor: str
    tool: str
    calls: int
    bytes: int
    changes: int
    """Rows of changes that verdicts on the draft brought into the work."""
    nothing: bool
    """Everything that was proposed of it was turned down."""


def cost_of_change(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw how many calls, and how many bytes of answers, a change took that a person accepted.

    Each dot is a draft of which something was applied: all calls of its tasks, the looks before it began included,
    over the rows of changes that the verdict brought into the work. Below, what each tool was called for: drafts that
    landed, drafts that were turned down, and those still open.

    Args:
        source: a chapter, a workspace, or a connection of ``workspace.analysis()``.
        chapter: one chapter only, by its id.

    Raises:
        NotFound: there is no such chapter.
    """
    with tables(source) as connection:
        chosen = chapter_or_all(connection, source, chapter)
        spent = _read(connection, None if chosen is None else chosen.id)
        colours = actors_of(connection)
    title = look.short("What an accepted change cost" + (f" · {chosen.title}" if chosen else ""), 80)
    if not spent:
        return look.nothing(title, "No agent has worked on a draft yet. Let one in with: lantern connect")
    actors = [name for name, _ in Counter({item.actor: 0 for item in spent}).most_common()]
    actors.sort(key=lambda name: -sum(item.calls for item in spent if item.actor == name))
    tools = _tools(spent)
    heights = (0.4 * len(actors) + 0.3, 0.25 * len(tools) + 0.3)
    with look.drawn(9.8, sum(heights) + 2.1, title=title, below=_facts(spent)) as figure:
        cells = figure.add_gridspec(2, 2, height_ratios=heights)
        for column, (what, words, told) in enumerate(
            (("calls", "calls per accepted change", look.rounded), ("bytes", "answers per accepted change", look.sized))
        ):
            strips = [
                Strip(look.short(name, 16), _ratios(spent, name, what), colours.get(("agent", name), look.OTHERS))
                for name in actors
            ]
            axes = figure.add_subplot(cells[0, column])
            draw_strips(axes, strips, ticks=TICKS, told=told)
            axes.set_xlabel(f"{words}; the middle at the right")
            body = figure.add_subplot(cells[1, column])
            _by_tool(body, spent, tools, what)
    return figure


def _read(connection: DuckDBPyConnection, chapter: str | None) -> list[_Spent]:
    return [_Spent(*row) for row in connection.execute(_TASKS, {"chapter": chapter}).fetchall()]


def _ratios(spent: Sequence[_Spent], actor: str, what: str) -> list[float]:
    """Of each draft that an agent worked on and of which something landed."""
    sums: Counter[str] = Counter()
    landed = {item.draft: item.changes for item in spent if item.actor == actor and item.changes}
    for item in spent:
        if item.actor == actor and item.draft in landed:
            sums[item.draft] += getattr(item, what)
    return [max(sums[draft], 1e-3) / changes for draft, changes in landed.items()]


def _tools(spent: Sequence[_Spent]) -> dict[str, list[str]]:
    """Rows of tools, those that gave most on top; of many, the rest share the last."""
    given: Counter[str] = Counter()
    for item in spent:
        given[item.tool] += item.bytes + item.calls
    names = [name for name, _ in given.most_common()]
    if len(names) <= TOOLS:
        return {name or "no tool": [name] for name in names}
    return {**{name or "no tool": [name] for name in names[: TOOLS - 1]}, "others": names[TOOLS - 1 :]}


def _facts(spent: Sequence[_Spent]) -> str:
    calls, given = sum(item.calls for item in spent), sum(item.bytes for item in spent)
    changes = sum({item.draft: item.changes for item in spent}.values())
    lost = sum(item.bytes for item in spent if item.nothing) / max(1, given)
    said = f"{look.counted(calls, 'call')} and {look.sized(given)} of answers"
    said += f" for {look.counted(changes, 'accepted change')}"
    return f"{said}; {lost:.0%} of the answers went into drafts that were turned down"


def _by_tool(axes: Axes, spent: Sequence[_Spent], tools: dict[str, list[str]], what: str) -> None:
    rows = np.arange(len(tools))
    left = np.zeros(len(rows))
    parts = (
        ("drafts that landed", LANDED, [item for item in spent if item.changes]),
        ("turned down", AWAY, [item for item in spent if item.nothing]),
        ("open", OPEN, [item for item in spent if not item.changes and not item.nothing]),
    )
    for _, colour, some in parts:
        sums = np.array(
            [sum(getattr(item, what) for item in some if item.tool in names) for names in tools.values()], dtype=float
        )
        axes.barh(rows, sums, left=left, height=0.68, color=colour)
        left += sums
    axes.set_yticks(rows, list(tools))
    axes.set_ylim(len(rows) - 0.4, -0.6)
    axes.xaxis.set_major_locator(MaxNLocator(4, integer=True))
    if what == "bytes":
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: look.sized(value) if value else "0"))
        axes.set_xlabel("answers in all, by tool")
        axes.tick_params(labelleft=False)
    else:
        axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
        axes.set_xlabel("calls in all, by tool")
    look.bare(axes, keep=("left",))
    if what == "bytes":
        handles = [Patch(color=colour, label=words) for words, colour, some in parts if some]
        axes.legend(handles=handles, loc="lower right", **look.TIGHT)
