"""What is said of an action while it runs, in both languages: what it works on, how far it is, how long it takes."""

from __future__ import annotations

import re
from functools import lru_cache
from html import escape
from typing import NamedTuple

from lantern_kit.comic.phrases import phrases

_WORDS = {
    # what actions do
    "Applying": "应用中",
    "Bringing the tables up to date": "更新各表",
    "Checking": "检查中",
    "Comparing": "比较中",
    "Drawing": "绘制中",
    "Exporting": "导出中",
    "Playing the demo": "演示中",
    "Reading a picture": "读取图片",
    "Reading the annotations": "读取批注",
    "Reading the history": "读取历史",
    "Registering": "登记中",
    "Running a notebook": "运行笔记本",
    "Working": "进行中",
    "Writing a novel": "写小说",
    "Writing a picture": "写入图片",
    "Writing the files for reading": "写入供阅读的文件",
    # what they work on
    "acts": "幕",
    "annotations": "批注",
    "approvals": "裁决",
    "assets": "素材",
    "blobs": "数据块",
    "candidates": "候选方案",
    "cells": "单元格",
    "changes": "改动",
    "comparing": "比较",
    "conflicts": "冲突",
    "documents": "文档",
    "drafts": "草稿",
    "file": "文件",
    "library": "资产库",
    "lines": "线",
    "merge": "合并",
    "novels": "小说",
    "pages": "页面",
    "parts": "部分",
    "places": "位置",
    "proposals": "提案",
    "reading": "读取",
    "revisions": "修订",
    "rules": "规则",
    "snapshots": "存档",
    "thumbs": "缩略图",
    "trees": "文档树",
    "waiting for another one": "等待另一项完成",
    "waiting for another process that writes them": "等待正在写入这些文件的另一个进程",
    "what people changed": "人改过的内容",
    "words": "文字",
    "writing": "写入",
    # what has become of them
    "done": "已完成",
    "failed": "失败",
    "it cannot be stopped": "无法中途停止",
    "running": "进行中",
    "stopped": "已停止",
    "stopping": "正在停止",
}
_TITLES = [phrases()[f"title.{kind}"] for kind in ("page", "spread", "transition", "cover")]
_NAMED = phrases()["title.named"]
STYLE = (
    '<style>.lk-zh{display:none}html[lang^="zh"] .lk-zh{display:inline}html[lang^="zh"] .lk-en{display:none}</style>'
)
"""Shows of two languages that of the page."""


class Two(NamedTuple):
    """Words in English and in Chinese."""

    en: str
    zh: str

    def html(self) -> str:
        """Both, of which ``STYLE`` lets the page show its own."""
        if self.en == self.zh:
            return escape(self.en)
        spans = zip(("en", "zh"), self, strict=True)
        return "".join(f'<span class="lk-{tongue}" lang="{tongue}">{escape(said)}</span>' for tongue, said in spans)


def spoken(words: str) -> Two:
    """What an action says in English, in both languages; names and titles of people's own stay as they are."""
    return Two(words, _WORDS.get(words) or _titled(words) or words)


def _titled(words: str) -> str:
    """The title of a unit in Chinese; nothing for what is none."""
    named = _read(_NAMED[0], words)
    if named:
        title = _titled(named["title"])
        return _NAMED[1].format(title=title, name=named["name"]) if title else ""
    return next((zh.format(**found) for en, zh in _TITLES if (found := _read(en, words)) is not None), "")


@lru_cache(maxsize=16)
def _pattern(phrase: str) -> re.Pattern[str]:
    holes = re.sub(r"\\\{(\w+)\\\}", r"(?P<\1>.+?)", re.escape(phrase))
    return re.compile(holes.replace("<number>.+?", r"<number>\d+").replace("<next>.+?", r"<next>\d+"))


def _read(phrase: str, words: str) -> dict[str, str] | None:
    """What stands in the holes of a phrase; None when these are not its words."""
    found = _pattern(phrase).fullmatch(words)
    return None if found is None else found.groupdict()


def figures(done: int, total: int) -> Two:
    """How far: nothing where that is not known."""
    if total <= 0:
        return Two("", "")
    return Two(f"{done:,} of {total:,}", f"{done:,} / {total:,}")


def lasted(seconds: float) -> Two:
    """How long, to the second."""
    whole = int(seconds)
    parts = [(whole // 3600, "h", "小时"), (whole // 60 % 60, "min", "分"), (whole % 60, "s", "秒")]
    said = [part for place, part in enumerate(parts) if part[0] or place == 2]
    return Two(" ".join(f"{count} {en}" for count, en, _ in said), " ".join(f"{count} {zh}" for count, _, zh in said))


def line(*parts: Two) -> Two:
    """Parts of one line; empty ones are left out."""
    return Two(" · ".join(part.en for part in parts if part.en), " · ".join(part.zh for part in parts if part.zh))


def bar(words: Two, done: int, total: int) -> str:
    """A bar with words beside it, as HTML without script; without a total it only says that something runs."""
    amount = f' max="{total}" value="{min(done, total)}"' if total > 0 else ""
    return (
        f'{STYLE}<div style="font:13px system-ui,sans-serif;padding:2px 0">'
        f'<progress{amount} aria-label="{escape(words.en)}" style="width:12em;vertical-align:middle"></progress> '
        f"{words.html()}</div>"
    )
