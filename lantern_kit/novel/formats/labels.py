"""The labels of an outline, in the language of its novel: the same revision gives the same ones for ever."""

from __future__ import annotations

import re

from lantern_kit.novel.model import is_chinese

_CHINESE = {
    "Premise": "前提",
    "Theme": "主题",
    "Conflict": "冲突",
    "Ending": "结局",
    "View": "视角",
    "Style": "文风",
    "Taboos": "禁忌",
    "not to be told": "不可写",
    "differs by {id}": "按 {id} 改动",
    "People": "人物",
    "Also": "别名",
    "Role": "角色",
    "At first": "起初",
    "Motive": "动机",
    "Bonds": "关系",
    "Arc": "弧线",
    "Choices": "抉择",
    "Knows": "所知",
    "Chapters": "章节",
    "State": "状态",
    "Purpose": "用意",
    "Events": "事件",
    "Planned characters": "计划字数",
    "Begins when": "起点",
    "Ends when": "终点",
    "Foreshadows": "伏笔",
    "must be taken up": "必须回收",
    "may be taken up": "可以回收",
    " by “{chapter}”": "于“{chapter}”",
    "outline revision {number}": "大纲第 {number} 版",
    "planned": "计划中",
    "writing": "写作中",
    "completed": "已完成",
    "done": "已完成",
    "planted": "已埋下",
    "resolved": "已回收",
    "dropped": "已放弃",
    "; ": "；",
    ", ": "，",
    ": ": "：",
    " ({words})": "（{words}）",
    "  [{words}]": "（{words}）",
}
_NOUNS = {"person": "名人物", "people": "名人物", "chapter": "章", "foreshadow": "条伏笔"}
_DEEDS = {"added": "新增", "changed": "修改", "dropped": "删除"}
_COUNTED = re.compile(r"(\d+) (person|people|chapter|foreshadow)s? (added|changed|dropped)")


def label(words: str, language: str) -> str:
    """A label in a novel's language: Chinese for ``zh``, else English."""
    return _CHINESE.get(words, words) if is_chinese(language) else words


def changed(line: str, language: str) -> str:
    """A line of a revision's summary, which the kit composed: Chinese for ``zh``, else as it is kept."""
    if not is_chinese(language):
        return line
    if line == "story":
        return "故事主线"
    found = _COUNTED.fullmatch(line)
    return line if found is None else f"{_DEEDS[found[3]]} {found[1]} {_NOUNS[found[2]]}"
