"""Strips: a row a name, a dot a case along one logarithmic scale, the middle marked and said."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.ticker import FixedLocator, FuncFormatter, NullLocator

from lantern_kit.analysis.plots import look

SPREAD = 0.3
"""How far dots of one row are moved apart, up and down, so that equal ones do not hide each other."""


@dataclass(frozen=True)
class Strip:
    """One row."""

    label: str
    values: Sequence[float]
    """Each above zero."""
    colour: str


def draw_strips(axes: Axes, strips: Sequence[Strip], *, ticks: Sequence[float], told: Callable[[float], str]) -> None:
    """Draw rows from the top down.

    Args:
        axes: to be drawn on.
        strips: the rows.
        ticks: values that may be marked on the scale, growing; those around the dots are.
        told: a value as people say it.
    """
    for row, strip in enumerate(strips):
        axes.axhspan(row - 0.42, row + 0.42, color=look.EMPTY, zorder=0)
        if not strip.values:
            axes.text(0.5, row, "none", transform=axes.get_yaxis_transform(), ha="center", va="center", fontsize=8)
            continue
        values = np.sort(np.asarray(strip.values, dtype=float))
        axes.scatter(
            values,
            row + _apart(len(values)),
            s=26 if len(values) < 60 else 12,
            color=strip.colour,
            alpha=0.75,
            linewidths=0.5,
            edgecolors=look.PAPER,
            zorder=3,
        )
        middle = float(np.median(values))
        if len(values) > 1:
            axes.plot([middle, middle], [row - 0.42, row + 0.42], color=look.INK, linewidth=1.6, zorder=2)
        axes.annotate(
            told(middle),
            (1, row),
            xycoords=("axes fraction", "data"),
            xytext=(5, 0),
            textcoords="offset points",
            va="center",
            fontsize=8,
            fontweight="bold",
        )
    axes.set_yticks(range(len(strips)), [strip.label for strip in strips])
    axes.set_ylim(len(strips) - 0.5, -0.5)
    log_scale(axes, [value for strip in strips for value in strip.values], ticks=ticks, told=told)
    look.bare(axes)


def log_scale(
    axes: Axes, values: Sequence[float], *, ticks: Sequence[float], told: Callable[[float], str], on: str = "x"
) -> None:
    """A logarithmic scale round some values, marked where people would mark it, at six places at most."""
    low, high = (min(values), max(values)) if values else (ticks[0], ticks[-1])
    low, high = low / 1.6, high * 1.6
    inside = [tick for tick in ticks if low <= tick <= high]
    if len(inside) < 2:  # all is of one size: the marks around it belong to the picture
        below, above = [tick for tick in ticks if tick < low], [tick for tick in ticks if tick > high]
        inside = [*below[-1:], *inside, *above[:1]]
        low, high = min(low, inside[0] / 1.2), max(high, inside[-1] * 1.2)
    inside = inside[:: math.ceil(len(inside) / 6)]
    if on == "x":
        axes.set_xscale("log")
        axes.set_xlim(low, high)
    else:
        axes.set_yscale("log")
        axes.set_ylim(low, high)
    axis = axes.xaxis if on == "x" else axes.yaxis
    axis.set_major_locator(FixedLocator(inside))
    axis.set_major_formatter(FuncFormatter(lambda value, _: told(value)))
    axis.set_minor_locator(NullLocator())


def _apart(count: int) -> np.ndarray:
    """Offsets that fill a row evenly, by a fixed pattern: the same values give the same picture."""
    steps = (np.arange(count) * 0.618034) % 1.0
    return np.zeros(1) if count == 1 else SPREAD * (2 * steps - 1)
