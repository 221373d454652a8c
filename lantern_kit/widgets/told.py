"""What is said of an action while it runs, in both languages: what it works on, how far it is, how long it takes."""

from __future__ import annotations

import re
from html import escape
from typing import NamedTuple

_WORDS = {
    # what actions do
    "Exporting": "导出中",
    "Checking": "检查中",
    "Comparing": "比较中",
    "Applying": "应用中",
    "Drawing": "绘制中",
    "Registering": "登记中",
    "Signing": "签署中",
    "Reading the history": "读取历史",
    "Bringing the tables up to date": "更新各表",
    "Playing the demo": "演示中",
    "Working": "进行中",
    # what they work on
    "documents": "文档",
    "revisions": "修订",
    "trees": "文档树",
    "lines": "线",
    "blobs": "数据块",
    "assets": "素材",
    "annotations": "批注",
    "decisions": "裁决",
    "records": "记录",
    "places": "位置",
    "pages": "页面",
    "changes": "改动",
    "words": "文字",
    "writing": "写入",
    "reading": "读取",
    "waiting for another one": "等待另一项完成",
    # what has become of them
    "running": "进行中",
    "stopping": "正在停止",
    "done": "已完成",
    "failed": "失败",
    "stopped": "已停止",
    "it cannot be stopped": "无法中途停止",
}
_UNITS = (
    (re.compile(r"Pages (\d+)–(\d+) \(spread\)"), r"第 \1–\2 页（跨页）"),
    (re.compile(r"Page (\d+) \(transition\)"), r"第 \1 页（过场）"),
    (re.compile(r"Page (\d+)"), r"第 \1 页"),
    (re.compile(r"Cover"), "封面"),
)
"""How units are titled in English, and in Chinese."""
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
    found = _WORDS.get(words)
    if found is not None:
        return Two(words, found)
    for pattern, chinese in _UNITS:
        match = pattern.match(words)
        if match is not None:
            return Two(words, match.expand(chinese) + words[match.end() :].replace(" “", "“"))
    return Two(words, words)


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
