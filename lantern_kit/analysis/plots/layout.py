"""How a chapter is laid out: frames and words page by page, sizes, gutters, balloons, and the way of reading."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from duckdb import DuckDBPyConnection
from matplotlib import colormaps
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, chapter_of, tables

FRAMES, WORDS = "#2f4356", "#9aabbb"
ACROSS, DOWN = "#2f4356", "#e0a526"
_UNITS = """
    WITH here AS (SELECT unit, kind, characters FROM objects WHERE line = $chapter)
    SELECT position, kind, width, height,
        (SELECT count(*) FROM here WHERE here.unit = units.unit AND here.kind = 'frame'),
        (SELECT coalesce(sum(characters), 0)::BIGINT FROM here WHERE here.unit = units.unit)
    FROM units WHERE line = $chapter ORDER BY position
"""
_SHARES = """
    SELECT 100 * area / (width * height) FROM objects JOIN units USING (line, unit)
    WHERE line = $chapter AND objects.kind = 'frame' AND area > 0 ORDER BY 1
"""
_GUTTERS = "SELECT direction, width FROM gutters WHERE line = $chapter ORDER BY ALL"
_BALLOONS = "SELECT characters FROM objects WHERE line = $chapter AND kind = 'balloon' AND characters > 0 ORDER BY 1"
_READING = """
    SELECT (x + w / 2) / width, (y + h / 2) / height,
        row_number() OVER (PARTITION BY unit ORDER BY reading_order) - 1, count(*) OVER (PARTITION BY unit)
    FROM objects JOIN units USING (line, unit)
    WHERE line = $chapter AND objects.kind = 'frame' AND reading_order IS NOT NULL AND units.kind <> 'spread'
    ORDER BY position, 3
"""


@dataclass(frozen=True)
class _Layout:
    """What the tables say of a chapter's working head."""

    units: Sequence[Any]
    """(place, kind, width, height, frames, characters)"""
    shares: Sequence[float]
    """Of each frame, the part of its unit that it covers, in per cent."""
    gutters: Sequence[tuple[str, float]]
    balloons: Sequence[int]
    """Characters of each balloon that has any."""
    reading: Sequence[Any]
    """(x, y, place, frames): where frames' middles lie on single pages, 0 to 1, and their place in the reading."""


def layout(source: Source, *, chapter: str | None = None) -> Figure:
    """Draw how a chapter is laid out, as its working line stands.

    Frames and characters on each unit; how much of its unit each frame covers; how wide the gutters are, between
    frames side by side and between rows; characters in a balloon; and where on the page the eye is led: the middles of
    all frames of single pages, from the first that is read to the last.

    Args:
        source: a chapter, a workspace with one chapter, or a connection of ``workspace.analysis()``.
        chapter: the chapter's id, where the source leaves it open.

    Raises:
        NotFound, BadInput: which chapter is not clear.
    """
    with tables(source) as connection:
        found = chapter_of(connection, source, chapter)
        told = None if found is None else _read(connection, found.id)
    if found is None or told is None:
        return look.no_chapter()
    title = look.short(f"Layout · {found.title}", 80)
    if not told.units:
        return look.nothing(title, "The chapter has no pages yet.")
    with look.drawn(10.2, 5.8, title=title, below=_facts(told)) as figure:
        halves = figure.add_gridspec(1, 2, width_ratios=(3, 0.95))
        cells = halves[0, 0].subgridspec(3, 3, height_ratios=(0.75, 0.75, 1.2))
        frames = figure.add_subplot(cells[0, :])
        words = figure.add_subplot(cells[1, :], sharex=frames)
        _by_unit(frames, told, 4, FRAMES, "frames")
        _by_unit(words, told, 5, WORDS, "characters")
        frames.tick_params(labelbottom=False)
        words.set_xlabel("page by page")
        _areas(figure.add_subplot(cells[2, 0]), told)
        _gutters(figure.add_subplot(cells[2, 1]), told)
        _balloons(figure.add_subplot(cells[2, 2]), told)
        _eye(figure.add_subplot(halves[0, 1]), told)
    return figure


def _read(connection: DuckDBPyConnection, chapter: str) -> _Layout:
    def rows(query: str) -> list[Any]:
        return connection.execute(query, {"chapter": chapter}).fetchall()

    return _Layout(
        units=rows(_UNITS),
        shares=[share for (share,) in rows(_SHARES)],
        gutters=rows(_GUTTERS),
        balloons=[count for (count,) in rows(_BALLOONS)],
        reading=rows(_READING),
    )


def _facts(told: _Layout) -> str:
    frames = sum(unit[4] for unit in told.units)
    said = [look.counted(len(told.units), "unit"), look.counted(frames, "frame")]
    said.append(f"{look.rounded(frames / len(told.units))} to a unit")
    if told.gutters:
        widths = [width for _, width in told.gutters]
        said.append(f"half of the gutters are {look.rounded(float(np.median(widths)))} mm or less")
    if told.balloons:
        said.append(
            f"half of the balloons have {look.counted(round(float(np.median(told.balloons))), 'character')} or less"
        )
    return "; ".join(said)


def _by_unit(axes: Axes, told: _Layout, column: int, colour: str, name: str) -> None:
    places = np.array([unit[0] for unit in told.units])
    counts = np.array([unit[column] for unit in told.units], dtype=float)
    wide = 1.0 if len(places) > 60 else np.array([0.84 if unit[1] != "spread" else 0.98 for unit in told.units])
    axes.bar(places, counts, width=wide, color=colour)
    middle = float(np.median(counts))
    axes.axhline(middle, color=look.MUTED, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.annotate(
        f"middle {look.rounded(middle)}", (1, middle), xycoords=("axes fraction", "data"), xytext=(-2, 2),
        textcoords="offset points", ha="right", va="bottom", fontsize=7.5, color=look.MUTED,
    )  # fmt: skip
    axes.set_xlim(0.4, max(places.max(), 5) + 0.6)
    axes.set_ylim(0, max(1.0, float(counts.max())) * 1.18)
    axes.set_ylabel(name)
    axes.xaxis.set_major_locator(MaxNLocator(12, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    look.bare(axes, keep=("bottom",))


def _histogram(axes: Axes, values: Sequence[float], bins: np.ndarray, colour: str, label: str) -> None:
    axes.hist(np.clip(values, bins[0], bins[-1] - 1e-9), bins=list(bins), color=colour, rwidth=0.9, label=label)


def _counts(axes: Axes, words: str) -> None:
    axes.yaxis.set_major_locator(MaxNLocator(3, integer=True))
    axes.set_xlabel(words)
    look.bare(axes, keep=("bottom",))


def _areas(axes: Axes, told: _Layout) -> None:
    if not told.shares:
        look.none_of(axes, "no frames")
        return
    top = min(100.0, 10 * np.ceil(max(told.shares) / 10))
    _histogram(axes, told.shares, np.linspace(0, top, 11), FRAMES, "frames")
    axes.set_ylabel("frames")
    _counts(axes, "share of the page, %")


def _gutters(axes: Axes, told: _Layout) -> None:
    if not told.gutters:
        look.none_of(axes, "no gutters")
        return
    widths = np.array([width for _, width in told.gutters])
    top = max(4.0, float(np.ceil(np.quantile(widths, 0.98)) + 1))
    step = 0.5 if top <= 10 else top / 20
    bins = np.arange(-step / 2, top + step, step)
    sides = [np.array([w for way, w in told.gutters if way == name]) for name in ("across", "down")]
    clipped = [np.clip(side, 0, bins[-1] - step / 2) for side in sides]
    axes.hist(
        clipped, bins=list(bins), stacked=True, color=[ACROSS, DOWN], rwidth=0.9, label=["side by side", "between rows"]
    )
    axes.legend(loc="upper left", bbox_to_anchor=(0, 1.14), borderaxespad=0, labelspacing=0.2, **look.TIGHT)
    axes.margins(y=0.28)
    axes.set_ylabel("gutters")
    _counts(axes, "width of gutters, mm" + (" (last: and wider)" if widths.max() > bins[-1] else ""))


def _balloons(axes: Axes, told: _Layout) -> None:
    if not told.balloons:
        look.none_of(axes, "no words in balloons")
        return
    top = max(10, int(np.ceil(np.quantile(told.balloons, 0.98) / 10)) * 10)
    _histogram(axes, told.balloons, np.linspace(0, top, 11), WORDS, "balloons")
    axes.set_ylabel("balloons")
    _counts(axes, "characters in a balloon" + (" (last: and more)" if max(told.balloons) > top else ""))


def _eye(axes: Axes, told: _Layout) -> None:
    pages = [unit for unit in told.units if unit[1] != "spread"]
    axes.set_title("where the eye goes", fontsize=8.5, color=look.MUTED)
    if not told.reading or not pages:
        look.none_of(axes, "no single page\nwith frames to read")
        return
    ratio = float(np.median([unit[3] / unit[2] for unit in pages]))
    axes.add_patch(Rectangle((0, 0), 1, ratio, facecolor=look.EMPTY, edgecolor=look.RULE, linewidth=0.8))
    shades = colormaps["viridis"]
    rows = np.array(told.reading, dtype=float)
    when = rows[:, 2] / np.maximum(rows[:, 3] - 1, 1)
    starts = np.flatnonzero(rows[:, 2] == 0)
    for begin, end in zip(starts, [*starts[1:], len(rows)], strict=True):
        axes.plot(
            rows[begin:end, 0], rows[begin:end, 1] * ratio, color=look.MUTED, linewidth=0.6,
            alpha=float(np.clip(6 / len(starts), 0.06, 0.5)), zorder=2,
        )  # fmt: skip
    axes.scatter(
        rows[:, 0], rows[:, 1] * ratio, c=shades(0.88 * when), s=30 if len(rows) < 150 else 12, linewidths=0.4,
        edgecolors=look.PAPER, zorder=3,
    )  # fmt: skip
    axes.set_xlim(-0.03, 1.03)
    axes.set_ylim(ratio * 1.02 + 0.01, -0.03)
    axes.set_aspect("equal")
    axes.set_anchor("N")
    axes.set_xticks([])
    axes.set_yticks([])
    for place, words in ((0.0, "read first"), (0.88, "read last")):
        axes.scatter([], [], color=shades(place), s=30, label=words)
    axes.legend(loc="upper center", bbox_to_anchor=(0.5, -0.01), ncols=2, borderaxespad=0, **look.TIGHT)
    axes.set_xlabel("frames of single pages", labelpad=22)
    look.bare(axes)
