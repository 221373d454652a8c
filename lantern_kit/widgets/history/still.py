"""The static form of a history: a drawn graph of the newest rows and a table of them."""

from __future__ import annotations

import base64
from html import escape
from typing import Any

from lantern_kit.comic.phrases import Language
from lantern_kit.comic.work import show
from lantern_kit.kernel.clock import minute
from lantern_kit.widgets.history.lanes import TRUNK, Edge
from lantern_kit.widgets.history.telling import line_id
from lantern_kit.widgets.history.weave import Row, Woven

ROWS = 30
LANES = 10
"""Lanes right of the trunk that are drawn apart; those beyond lie on the last."""
HEIGHT, STEP, EDGE = 20, 14, 14
"""Pixels: of a row, between lanes, at the sides."""
LONGEST = 120
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#b8860b", "#56b4e9", "#7a4ea3")
"""Told apart by people who see few colours; each branch is also named in its rows."""
_HEADS = {
    "en": ("revision", "line", "when (UTC)", "who", "what", "message", "changes", "marks"),
    "zh": ("修订", "线", "时间（UTC）", "谁", "操作", "说明", "改动", "标记"),
}
WORDS = {
    "en": {
        "work": "work", "person": "person", "agent": "agent", "kit": "kit", "left": "{count} left out",
        "graph": "Graph of the newest {count} rows", "more": "{count} rows of {all} revisions; run the cell for all.",
        "run": "{count} edits", "missing": "this revision is missing", "unreadable": "this revision cannot be read",
        "none": "nothing has happened yet", "saved": "saved as {id} “{words}”", "begun": "draft {id}",
        "create": "begun", "edit": "edited", "changeset": "edited", "fork": "draft begun", "apply": "proposal applied",
        "undo": "undone", "redo": "redone", "restore": "restored", "pick": "picked", "resolve": "choice settled",
        "follow": "taken up again", "adopt": "candidate adopted",
    },
    "zh": {
        "work": "正稿", "person": "人", "agent": "智能体", "kit": "套件", "left": "留下 {count} 处未采纳",
        "graph": "最新 {count} 行的图", "more": "共 {all} 个修订，此处列出 {count} 行；运行此单元格可查看全部。",
        "run": "{count} 次编辑", "missing": "此修订缺失", "unreadable": "此修订无法读取",
        "none": "尚无历史", "saved": "存为 {id}“{words}”", "begun": "草稿 {id}",
        "create": "开始", "edit": "编辑", "changeset": "编辑", "fork": "开始草稿", "apply": "应用提案",
        "undo": "撤销", "redo": "重做", "restore": "恢复", "pick": "摘取", "resolve": "解决冲突", "follow": "再次提出",
        "adopt": "采纳候选",
    },
}  # fmt: skip


class Still:
    """A history without script."""

    def __init__(self, title: str, woven: Woven, language: Language) -> None:
        self._title = title
        self._woven = woven
        self._language = language
        self._rows = woven.rows[:ROWS]

    def text(self) -> str:
        """Title and rows in plain text."""
        lines = ["  ".join(cell for cell in self._cells(row) if cell) for row in self._rows]
        return "\n".join([self._title, *(lines or [self._say("none")]), *([self._more()] if self._is_part() else [])])

    def html(self) -> str:
        """Title, graph, table."""
        if not self._rows:
            return show.heading(self._title) + show.small(self._say("none"))
        words = self._say("graph", count=len(self._rows))
        drawn = base64.b64encode(self.svg().encode()).decode()
        graph = show.Markup(
            f'<img src="data:image/svg+xml;base64,{drawn}" alt="{escape(words)}" style="max-width:100%">'
        )
        rows = show.table(_HEADS[self._language], [self._cells(row) for row in self._rows])
        table = show.Markup(f'<div style="font-size:12px">{rows}</div>')
        rest = show.small(self._more()) if self._is_part() else ""
        return show.heading(self._title) + show.side_by_side([graph, table]) + rest

    def svg(self) -> str:
        """The graph, each row with its name; readable on light and on dark ground."""
        woven, count = self._woven, len(self._rows)
        right = min(LANES, woven.drawn.right)
        labels = EDGE + (woven.drawn.left + right + 1) * STEP
        size = (labels + 190, count * HEIGHT)
        head = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{size[0]}" height="{size[1]}"'
            f' viewBox="0 0 {size[0]} {size[1]}" font-family="system-ui,sans-serif" font-size="12">'
        )
        parts = [head, '<rect width="100%" height="100%" rx="4" fill="#fff"/>']
        parts += [self._line(edge) for edge in woven.drawn.edges if edge.top < 2 * count]
        for place, row in enumerate(self._rows):
            parts.append(self._node(place, row))
            label = " ".join(
                [row.step.id, *(str(mark["id"]) for mark in self._woven.tale.marks.get(row.step.number, ()))]
            )
            parts.append(f'<text x="{labels}" y="{place * HEIGHT + 14}" fill="#222">{escape(label[:28])}</text>')
        return "".join([*parts, "</svg>"])

    # parts

    def _x(self, lane: int) -> int:
        return EDGE + (self._woven.drawn.left + min(lane, LANES)) * STEP

    def _line(self, edge: Edge) -> str:
        half = HEIGHT // 2
        x, top, bottom = self._x(edge.lane), half + edge.top * half, half + edge.bottom * half
        above, below = self._x(edge.top_lane), self._x(edge.bottom_lane)
        if edge.bottom - edge.top < 2 and (above != x or below != x):
            path = f"M{above} {top}C{above} {top + half // 2} {below} {bottom - half // 2} {below} {bottom}"
        else:
            path = f"M{above} {top}"
            path += f"C{above} {top + half // 2} {x} {top + half // 2} {x} {top + half}" if above != x else ""
            path += (
                f"V{bottom - half}C{x} {bottom - half // 2} {below} {bottom - half // 2} {below} {bottom}"
                if below != x
                else f"V{bottom}"
            )
        dash = ' stroke-dasharray="3 3"' if edge.dashed or edge.kind == "copy" else ""
        faint = ' stroke-opacity="0.5"' if edge.kind == "copy" else ""
        return f'<path d="{path}" fill="none" stroke="{_colour(edge.lane)}" stroke-width="2"{dash}{faint}/>'

    def _node(self, place: int, row: Row) -> str:
        lane = self._woven.drawn.lanes.get(row.step.branch, TRUNK)
        x, y, colour = self._x(lane), place * HEIGHT + HEIGHT // 2, _colour(lane)
        if row.step.damage:
            return f'<path d="M{x - 4} {y - 4}l8 8m0 -8l-8 8" stroke="#b42318" stroke-width="2"/>'
        if row.step.kind == "agent":
            return f'<path d="M{x} {y - 5}l5 5l-5 5l-5 -5z" fill="{colour}"/>'
        return f'<circle cx="{x}" cy="{y}" r="4.5" fill="{colour}"/>'

    def _cells(self, row: Row) -> tuple[str, ...]:
        step, tale = row.step, self._woven.tale
        run = len(row.steps) > 1
        name = f"{row.steps[-1].id}–{step.id}" if run else step.id
        if step.damage:
            return (name, "", "", "", "", self._say(step.damage), "", "")
        words = self._say("run", count=len(row.steps)) if run else step.message
        marks = "; ".join(self._mark(mark) for mark in tale.marks.get(step.number, ()))
        return (
            name,
            line_id(step.branch) or self._say("work"),
            minute(step.at),
            f"{step.actor} ({self._say(step.kind)})",
            WORDS[self._language].get(step.cause, step.cause),
            _clipped(words),
            str(sum(item.changes for item in row.steps)),
            _clipped(marks),
        )

    def _mark(self, mark: dict[str, Any]) -> str:
        match mark["kind"]:
            case "saved":
                return self._say("saved", **mark)
            case "draft":
                return self._say("begun", **mark)
            case "proposal":
                return f"{mark['id']} {mark['state']}"
        left = f" ({self._say('left', count=mark['left_out'])})" if mark["left_out"] else ""
        return f"{mark['id']}: {mark['verdict']} {mark['proposal']}, {mark['by']}{left}"

    def _is_part(self) -> bool:
        return len(self._rows) < len(self._woven.rows)

    def _more(self) -> str:
        return self._say("more", count=len(self._rows), all=len(self._woven.tale.steps))

    def _say(self, key: str, **values: Any) -> str:
        return WORDS[self._language][key].format(**values)


def _colour(lane: int) -> str:
    return "#444" if lane == TRUNK else "#777" if lane < 0 else COLOURS[(lane - 1) % len(COLOURS)]


def _clipped(words: str) -> str:
    line = " ".join(words.split())
    return line if len(line) <= LONGEST else f"{line[: LONGEST - 1]}…"
