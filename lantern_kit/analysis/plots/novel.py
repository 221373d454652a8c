"""How far a novel is: its length with each commit, and what is written of each chapter beside what was planned."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from duckdb import DuckDBPyConnection
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from matplotlib.ticker import FuncFormatter, MaxNLocator

from lantern_kit.analysis.plots import look
from lantern_kit.analysis.plots.source import Source, tables
from lantern_kit.kernel.errors import BadInput, NotFound

_STATES = (("completed", "complete", "#0072b2"), ("writing", "being written", "#56b4e9"))
_NAMED = 24
"""Chapters of which each is numbered."""
_BAND = "#e9f5f0"


class _Novel(NamedTuple):
    novel: str
    title: str
    status: str
    characters: int
    chapters: int
    completed: int
    low: int | None
    high: int | None
    hard: int | None


class _Chapter(NamedTuple):
    position: int
    state: str
    planned: int
    written: int


def novel_progress(source: Source, *, novel: str | None = None) -> Figure:
    """Draw how a novel grew commit by commit, and how much of each chapter is written and planned.

    Args:
        source: a workspace, a novel, or a connection of ``workspace.analysis()``.
        novel: its id; None: the one the source is, or the only one there is.

    Raises:
        NotFound, BadInput: several could be meant.
    """
    with tables(source) as connection:
        found = _chosen(connection, novel if novel is not None else getattr(source, "id", None), named=novel)
        if found is None:
            return look.nothing("How far a novel is", "There is no novel here yet. Begin one with: lantern novel new")
        sizes = connection.execute(
            "SELECT characters_so_far FROM novel_units WHERE novel = ? AND commit IS NOT NULL"
            " ORDER BY content_revision",
            [found.novel],
        ).fetchall()
        rows = connection.execute(
            "SELECT position, state, planned_characters, characters FROM novel_chapters WHERE novel = ? ORDER BY 1",
            [found.novel],
        ).fetchall()
    chapters = [_Chapter(*row) for row in rows]
    with look.drawn(9.8, 4.2, title=found.title, below=_facts(found, len(sizes))) as figure:
        left, right = figure.subplots(1, 2, width_ratios=(3, 4))
        _growth(left, found, [size for (size,) in sizes])
        _chapters(right, chapters)
    return figure


def _chosen(connection: DuckDBPyConnection, wanted: object, *, named: str | None) -> _Novel | None:
    rows = connection.execute(
        "SELECT novel, title, status, characters, chapters, chapters_completed, low, high, hard_maximum"
        " FROM novels ORDER BY created_at, novel"
    ).fetchall()
    known = {row[0]: _Novel(*row) for row in rows}
    if wanted in known:
        return known[str(wanted)]
    if named is not None:
        raise NotFound(f"there is no novel {named}", ids=list(known), recovery="Name one of these.")
    if len(known) > 1:
        raise BadInput("several novels could be meant", expected="novel=…", ids=list(known))
    return next(iter(known.values()), None)


def _facts(found: _Novel, commits: int) -> str:
    done = f"{found.completed} of {look.counted(found.chapters, 'chapter')} complete"
    return f"{found.status}: {found.characters:,} characters in {look.counted(commits, 'commit')}, {done}"


def _growth(axes: Axes, found: _Novel, sizes: Sequence[int]) -> None:
    if found.low is not None and found.high is not None:
        axes.axhspan(found.low, found.high, color=_BAND, linewidth=0)
        place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "xytext": (0, 3), "textcoords": "offset points"}
        axes.annotate("aimed at", (0.02, found.high), color=look.MUTED, fontsize=8, **place)
    axes.step(range(len(sizes) + 1), [0, *sizes], where="post", color=look.PEOPLE[0], linewidth=1.6)
    axes.set_ylim(0, 1.1 * max([1, found.high or 0, *sizes]))
    axes.set_xlim(0, max(1, len(sizes)))
    axes.set_xlabel("commits")
    axes.set_ylabel("characters")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    look.bare(axes, keep=("left", "bottom"))


def _chapters(axes: Axes, chapters: Sequence[_Chapter]) -> None:
    colours = {state: colour for state, _, colour in _STATES}
    for item in chapters:
        axes.bar(item.position, item.written, width=0.72, color=colours.get(item.state, look.EMPTY))
        if item.planned:
            axes.hlines(item.planned, item.position - 0.42, item.position + 0.42, color=look.INK, linewidth=1.2)
    axes.set_xlim(0.4, max(1, len(chapters)) + 0.6)
    axes.set_ylim(0, 1.1 * max([1, *(max(item.planned, item.written) for item in chapters)]))
    axes.set_xlabel("chapters")
    if len(chapters) <= _NAMED:
        axes.set_xticks([item.position for item in chapters])
    else:
        axes.xaxis.set_major_locator(MaxNLocator(10, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))
    look.bare(axes, keep=("left", "bottom"))
    handles: list[Patch | Line2D] = [Patch(color=colour, label=words) for _, words, colour in _STATES]
    handles.append(Line2D([], [], color=look.INK, linewidth=1.2, label="planned"))
    axes.legend(handles=handles, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=len(handles), **look.TIGHT)
