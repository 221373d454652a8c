"""The look that all pictures share."""

from __future__ import annotations

import io
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import cache
from importlib.resources import as_file, files
from typing import Any

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, fontManager

INK = "#24292f"
MUTED = "#6e7781"
RULE = "#d0d7de"
PAPER = "#ffffff"
EMPTY = "#f3f4f6"
FAILED = "#b3261e"
PEOPLE = ("#0072b2", "#56b4e9")
AGENTS = ("#e69f00", "#009e73", "#cc79a7", "#d55e00")
"""Okabe and Ito's colours, which people with any colour vision can tell apart; people are blue."""
OTHERS = "#9aa0a6"
_CJK = (
    ("noto_cjk_sans_jp_regular", "NotoSansCJKjp-Regular.otf"),
    ("noto_cjk_sans_jp_bold", "NotoSansCJKjp-Bold.otf"),
)
TIGHT: dict[str, Any] = {"handlelength": 0.9, "handletextpad": 0.4, "columnspacing": 1.1}
"""How the parts of a legend in one line stand together."""
HEAD = 0.62
"""Inches at the top for the title and the line under it."""
_MARGIN = 0.14
_STYLE: dict[Any, Any] = {
    "axes.edgecolor": RULE,
    "axes.labelcolor": MUTED,
    "axes.labelsize": 8.5,
    "axes.linewidth": 0.8,
    "axes.unicode_minus": False,
    "figure.facecolor": PAPER,
    "font.size": 9.0,
    "legend.fontsize": 8.5,
    "legend.frameon": False,
    "svg.hashsalt": "lantern",
    "text.color": INK,
    "text.parse_math": False,  # a dollar in a title is a dollar
    "xtick.color": MUTED,
    "xtick.labelsize": 8.0,
    "ytick.color": INK,
    "ytick.labelsize": 8.5,
}


class Plot(Figure):
    """A figure that shows itself in a notebook, whether or not pyplot was ever imported there."""

    def _repr_png_(self) -> bytes:
        target = io.BytesIO()
        self.savefig(target, format="png", dpi=120)
        return target.getvalue()

    def __repr__(self) -> str:
        """What it is about, for those who do not see it: its title and the facts under it."""
        return ": ".join(text.get_text() for text in self.texts[:2])


@contextmanager
def drawn(width: float, height: float, *, title: str, below: str) -> Iterator[Plot]:
    """A new figure, in inches, with a title and a line of facts, to be drawn on under the shared style."""
    with mpl.rc_context({**_STYLE, "font.family": list(_families())}):
        figure = Plot(figsize=(width, height), layout="constrained")
        FigureCanvasAgg(figure)
        figure.set_layout_engine("constrained", rect=(0, 0, 1, 1 - HEAD / height), w_pad=0.06, h_pad=0.05)
        left = _MARGIN / width
        figure.text(left, 1 - 0.14 / height, title, va="top", fontsize=12.5, fontweight="bold")
        figure.text(left, 1 - 0.40 / height, below, va="top", fontsize=8.5, color=MUTED)
        yield figure
        figure.draw_without_rendering()  # settles the layout, and the fonts, while the style holds


def nothing(title: str, sentence: str) -> Plot:
    """A figure that says why there is nothing to see."""
    with drawn(7, 0.8, title=title, below=sentence) as figure:
        return figure


def no_chapter() -> Plot:
    """A figure that says that there is no chapter, and how one is begun."""
    return nothing(
        "No chapter yet", 'Begin one, as in the notebook 01-first-chapter: ws.comic("Chelsea").begin_chapter(1)'
    )


def no_proposal(title: str) -> Plot:
    """A figure that says that no agent has proposed anything, and how one comes to."""
    return nothing(title, "No draft was frozen as a proposal yet. Let an agent in with: lantern connect")


def none_of(axes: Axes, sentence: str) -> None:
    """Axes that say why there is nothing on them."""
    axes.set_xticks([])
    axes.set_yticks([])
    axes.text(0.5, 0.5, sentence, transform=axes.transAxes, ha="center", va="center", fontsize=8.5, color=MUTED)
    axes.set_facecolor(EMPTY)
    bare(axes)


def bare(axes: Axes, *, keep: Sequence[str] = ()) -> None:
    """Only the named spines, and no tick marks."""
    for name, spine in axes.spines.items():
        spine.set_visible(name in keep)
    axes.tick_params(length=0)


def actor_colours(actors: Sequence[tuple[str, str]]) -> dict[tuple[str, str], str]:
    """A colour for each (kind, name), the busiest first: people blue, agents each their own, the rest grey."""
    people, agents = list(PEOPLE), list(AGENTS)
    found = {}
    for actor in actors:
        shelf = people if actor[0] == "person" else agents
        found[actor] = shelf.pop(0) if shelf else OTHERS
    return found


def clock_labels(moments: Sequence[datetime], form: str = "%H:%M") -> list[str]:
    """Times of day, with the date under the first of each day, and the year with the first of each year."""
    labels = []
    before: datetime | None = None
    for moment in moments:
        date = "" if before is not None and before.date() == moment.date() else f"\n{moment.day} {moment:%b}"
        year = "" if before is not None and before.year == moment.year else f" {moment.year}"
        labels.append(f"{moment:{form}}{date}{year}")
        before = moment
    return labels


def counted(number: int, noun: str) -> str:
    """``1,204 calls``, ``1 call``."""
    return f"{number:,} {noun}" + ("" if number == 1 else "s")


def rounded(number: float) -> str:
    """Two digits that matter, or all that stand before the point."""
    return f"{number:,.0f}" if number >= 10 else f"{number:.1f}".removesuffix(".0")


def spoken(milliseconds: float) -> str:
    """A duration in the unit people would use: ``2.5 h``."""
    for size, unit in ((86_400_000, "d"), (3_600_000, "h"), (60_000, "min"), (1_000, "s")):
        if milliseconds >= size:
            return f"{rounded(milliseconds / size)} {unit}"
    return f"{rounded(milliseconds)} ms"


def sized(amount: float) -> str:
    """An amount of bytes in the unit people would use: ``2.5 kB``."""
    for size, unit in ((1_000_000_000, "GB"), (1_000_000, "MB"), (1_000, "kB")):
        if amount >= size:
            return f"{rounded(amount / size)} {unit}"
    return f"{rounded(amount)} bytes"


def short(text: str, length: int = 26) -> str:
    """Text of a bounded length."""
    return text if len(text) <= length else text[: length - 1].rstrip() + "…"


@cache
def _families() -> tuple[str, ...]:
    """DejaVu Sans, and after it the packaged fonts that have Chinese and Japanese characters."""
    names = ["DejaVu Sans"]
    for package, name in _CJK:
        with as_file(files(package).joinpath(name)) as path:
            fontManager.addfont(path)
            names.append(FontProperties(fname=path).get_name())
    return tuple(dict.fromkeys(names))
