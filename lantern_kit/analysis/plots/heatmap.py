"""A chapter's units against its history: where the work was done, when, and by whom."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Colormap, ListedColormap, PowerNorm
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, actors_of, chapter_of, tables

COLUMNS = 60
"""More revisions than this are bundled, so that a column stays wide enough to see."""
_HISTORY = """
    SELECT revision, unit, actor_kind, revisions.actor, committed_at, count(*)
    FROM changes JOIN revisions USING (revision)
    WHERE cause <> 'apply' AND (line = $chapter OR line IN (SELECT draft FROM drafts WHERE chapter = $chapter))
    GROUP BY ALL ORDER BY min(number(revision)), unit
"""
_APPLIED = """
    SELECT result, proposal FROM approvals JOIN proposals USING (proposal)
    WHERE verdict = 'apply' AND chapter = $chapter ORDER BY number(result)
"""
_UNITS = "SELECT unit, position, kind, name FROM units WHERE line = $chapter ORDER BY position"
_DASHES = (0, (2, 2))


@dataclass
class _Grid:
    """Counted changes: rows are units, columns revisions or bundles of them."""

    labels: list[str]
    counts: np.ndarray
    actors: list[tuple[str, str]]
    """(kind, name), the busiest first."""
    colours: dict[tuple[str, str], str]
    shares: np.ndarray
    """actors × columns"""
    moments: list[datetime]
    """When each column begins."""
    verdicts: list[tuple[float, str]]
    """Where on the columns a proposal was applied."""
    revisions: int


def edit_heatmap(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw how many properties changed on each unit of a chapter in each revision.

    Agents' work is counted in their drafts, where it was done; the revisions that applied it are marked by their
    proposal and not counted again. Units that are not in the chapter, or not any more, share one row.

    Args:
        source: a chapter, a workspace with one chapter, or a connection of ``workspace.analysis()``.
        chapter: the chapter's id, where the source leaves it open.

    Raises:
        NotFound, BadInput: which chapter is not clear.
    """
    with tables(source) as connection:
        found = chapter_of(connection, source, chapter)
        grid = None if found is None else _counted(connection, found.id)
    if found is None:
        return look.no_chapter()
    title = look.short(found.title, 70)
    if grid is None:
        return look.nothing(title, "Nothing was changed yet.")
    most = int(grid.counts.max())
    norm = PowerNorm(0.5, vmin=1, vmax=max(2, most))
    colours = _shades()
    rows, columns = grid.counts.shape
    tall = float(np.clip(0.27 * rows, 0.8, 9))
    width = float(np.clip(4.4 + 0.13 * columns, 7.5, 11.5))
    per = "" if grid.revisions == columns else f", about {look.rounded(grid.revisions / columns)} to a column"
    said = f"{look.counted(int(grid.counts.sum()), 'change')} in {look.counted(grid.revisions, 'revision')}{per}"
    below = f"{said}; oldest at the left, times in UTC"
    with look.drawn(width, tall + 2.45, title=title, below=below) as figure:
        cells = figure.add_gridspec(3, 2, width_ratios=(1, 0.2), height_ratios=(0.75, tall, 0.1))
        body = figure.add_subplot(cells[1, 0])
        top = figure.add_subplot(cells[0, 0], sharex=body)
        side = figure.add_subplot(cells[1, 1], sharey=body)
        _body(body, grid, colours, norm)
        _top(top, grid)
        _legend(figure.add_subplot(cells[0, 1]), grid)
        _side(side, grid)
        scale = figure.add_subplot(cells[2, 1])
        bar = figure.colorbar(ScalarMappable(norm, colours), cax=scale, orientation="horizontal")
        bar.outline.set_visible(False)
        bar.set_ticks([1, max(2, most)])
        bar.ax.tick_params(length=0)
        bar.ax.minorticks_off()
        bar.set_label("changes in a cell")
    return figure


def _counted(connection: DuckDBPyConnection, chapter: str) -> _Grid | None:
    parameters = {"chapter": chapter}
    history = connection.execute(_HISTORY, parameters).fetchall()
    if not history:
        return None
    units = connection.execute(_UNITS, parameters).fetchall()
    applied = connection.execute(_APPLIED, parameters).fetchall()
    revisions = list(dict.fromkeys(row[0] for row in history))
    columns = min(len(revisions), COLUMNS)
    column = {revision: place * columns // len(revisions) for place, revision in enumerate(revisions)}
    places = {unit: place for place, (unit, *_) in enumerate(units)}
    labels = [f"{position}  {look.short(name or kind)}" for _, position, kind, name in units]
    if any(row[1] == chapter for row in history):
        labels = ["order and title", *labels]
        places = {chapter: 0, **{unit: place + 1 for unit, place in places.items()}}
    if any(row[1] not in places for row in history):
        labels.append("not in the chapter")
    busy: Counter[tuple[str, str]] = Counter()
    for _, _, kind, name, _, count in history:
        busy[kind, name] += count
    actors = [actor for actor, _ in busy.most_common()]
    counts, shares = np.zeros((len(labels), columns)), np.zeros((len(actors), columns))
    moments: dict[int, datetime] = {}
    for revision, unit, kind, name, moment, count in history:
        at = column[revision]
        counts[places.get(unit, len(labels) - 1), at] += count
        shares[actors.index((kind, name)), at] += count
        moments.setdefault(at, moment)
    numbers = [int(revision[1:]) for revision in revisions]
    verdicts = [
        (sum(number < int(result[1:]) for number in numbers) * columns / len(revisions), proposal)
        for result, proposal in applied
    ]
    columns_begin = [moments[at] for at in range(columns)]
    return _Grid(labels, counts, actors, actors_of(connection), shares, columns_begin, verdicts, len(revisions))


def _body(axes: Axes, grid: _Grid, colours: Colormap, norm: PowerNorm) -> None:
    rows, columns = grid.counts.shape
    axes.set_facecolor(look.EMPTY)
    shown = np.ma.masked_equal(grid.counts, 0)
    edge = 0.7 if columns < COLUMNS // 2 else 0.4
    axes.pcolormesh(shown, cmap=colours, norm=norm, edgecolors=look.PAPER, linewidth=edge)
    for row in range(rows + 1):
        axes.axhline(row, color=look.PAPER, linewidth=1.0)
    axes.set_ylim(rows, 0)
    axes.set_xlim(0, columns)
    step = max(1, -(-rows // 36))
    axes.set_yticks(np.arange(0, rows, step) + 0.5, grid.labels[::step])
    ticks = sorted({round(place) for place in np.linspace(0, columns - 1, min(columns, 6))})
    moments = [grid.moments[place] for place in ticks]
    brief = (moments[-1] - moments[0]).total_seconds() < 60 * len(ticks)
    labels = look.clock_labels(moments, "%H:%M:%S" if brief else "%H:%M")
    axes.set_xticks([place + 0.5 for place in ticks], labels)
    for place, _ in grid.verdicts:
        axes.axvline(place, color=look.INK, linewidth=0.8, linestyle=_DASHES, alpha=_ink(grid))
    look.bare(axes)


def _top(axes: Axes, grid: _Grid) -> None:
    colours = grid.colours
    columns = grid.counts.shape[1]
    floor = np.zeros(columns)
    for actor, counts in zip(grid.actors, grid.shares, strict=True):
        axes.bar(np.arange(columns) + 0.5, counts, bottom=floor, width=0.86, color=colours[actor])
        floor += counts
    axes.yaxis.set_major_locator(MaxNLocator(2, integer=True))
    axes.tick_params(labelbottom=False, labelcolor=look.MUTED)
    high = max(1.0, float(floor.max()))
    axes.set_ylim(0, high * 1.04)
    last = -1e9
    for place, proposal in grid.verdicts:
        axes.axvline(place, color=look.INK, linewidth=0.8, linestyle=_DASHES, alpha=_ink(grid))
        if place - last > columns / 24:
            axes.annotate(
                proposal,
                (place, 1.0),
                xycoords=("data", "axes fraction"),
                xytext=(0, 2),
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=7.5,
            )
            last = place
    axes.set_ylabel("changes")
    look.bare(axes, keep=("bottom",))


def _ink(grid: _Grid) -> float:
    """How strong the lines of verdicts are: many of them must not hide the cells."""
    return 1.0 if len(grid.verdicts) < 12 else 0.35


def _legend(axes: Axes, grid: _Grid) -> None:
    axes.axis("off")
    colours = grid.colours
    shown = grid.actors[:5]
    handles: list[Patch | Line2D] = [Patch(color=colours[actor], label=look.short(actor[1], 18)) for actor in shown]
    if len(grid.actors) > len(shown):
        handles.append(Patch(color=look.OTHERS, label=f"{len(grid.actors) - len(shown)} more"))
    if grid.verdicts:
        handles.append(Line2D([], [], color=look.INK, linewidth=0.8, linestyle=_DASHES, label="proposal applied"))
    axes.legend(
        handles=handles,
        loc="upper left",
        bbox_to_anchor=(0, 1.25),
        borderaxespad=0,
        handlelength=1.0,
        labelspacing=0.3,
    )


def _side(axes: Axes, grid: _Grid) -> None:
    totals = grid.counts.sum(axis=1)
    rows = len(totals)
    axes.barh(np.arange(rows) + 0.5, totals, height=0.62, color=look.RULE)
    step = max(1, -(-rows // 36))
    for row in range(0, rows, step):
        axes.annotate(
            f"{int(totals[row]):,}",
            (totals[row], row + 0.5),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            color=look.MUTED,
        )
    axes.set_xlim(0, max(1.0, float(totals.max())) * 1.3)
    axes.set_xticks([])
    axes.tick_params(labelleft=False)
    look.bare(axes, keep=("left",))


def _shades() -> Colormap:
    """From pale to dark, one way in lightness, so that grey print and any eye read it alike."""
    return ListedColormap(colormaps["YlGnBu"](np.linspace(0.22, 1.0, 256)))
