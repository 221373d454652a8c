"""Which tools a model is told of, chosen before it sees any: no model, no tokens (seed 001, 2.1)."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence

from lantern_kit.agents.counting import tokens
from lantern_kit.agents.tools import Tool

_WORD = re.compile(r"[a-z][a-z0-9]+|[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]", re.IGNORECASE)
_RUN = re.compile(r"[\u4e00-\u9fff\u3040-\u30ff\uac00-\ud7af]{2,}")
_LOOKS = re.compile(
    r"^\s*(what|which|who|where|when|why|how|is|are|does|do|did|has|have|show|list|tell|describe|explain|check|review|compare|find)\b"
    r"|^\s*(请|帮我)?(看看|列出|说明|告诉|检查|比较|查找|找出|哪|谁|为什么|怎么|有没有|是不是|多少)"
    r"|[吗呢？?]\s*$",
    re.IGNORECASE,
)
_CHANGES = re.compile(
    r"\b(make|draw|add|write|create|change|move|remove|delete|replace|fix|cut|place|letter|lay|redo|edit|draft|propose"
    r"|rename|put|set|turn|split|join|swap|shorten|translate|correct)\b"
    r"|[做画加写改移删换修剪放排译]|创建|新建|生成|起草|翻译|调整|重排|拆分|合并",
    re.IGNORECASE,
)


def wants_change(text: str) -> bool:
    """Whether somebody's words ask for something to be made, and not only for an answer."""
    if _LOOKS.search(text):
        return bool(re.search(r"\b(and|then|please)\b.*", text, re.IGNORECASE)) and _asks_both(text)
    return bool(_CHANGES.search(text))


def _asks_both(text: str) -> bool:
    """``Check page 2 and fix what is wrong``: a look, and then a change."""
    parts = re.split(r"\band\b|\bthen\b|[，,;；。.]", text, flags=re.IGNORECASE)
    return any(_CHANGES.search(part) and not _LOOKS.search(part) for part in parts[1:])


def chosen(offered: Sequence[Tool], text: str, *, changes: bool, budget: int) -> list[Tool]:
    """The tools that a request needs, in the order they are offered.

    Only readers where nothing is to change. Those whose words are nearest to the request's come first while their
    descriptions fit the budget (tokens); what changes something keeps its place before what only reads.
    """
    open_to = [tool for tool in offered if changes or not tool.writes]
    asked = words_of(text)
    costs = {tool.name: tokens(json.dumps([tool.description, dict(tool.parameters)])) for tool in open_to}

    def rank(tool: Tool) -> tuple[int, int, int]:
        near = len(asked & words_of(f"{tool.name.replace('_', ' ')} {tool.description}"))
        return (0 if tool.writes else 1, -near, costs[tool.name])

    left, kept = budget, set()
    for tool in sorted(open_to, key=rank):
        if costs[tool.name] <= left:
            left -= costs[tool.name]
            kept.add(tool.name)
    return [tool for tool in open_to if tool.name in kept]


def words_of(text: str) -> set[str]:
    """The words of a text, in small letters; of scripts without spaces each character."""
    return {word.lower() for word in _WORD.findall(text)}


def pairs_of(text: str) -> list[str]:
    """Neighbouring characters of scripts without spaces, each pair once, in the order in which they come."""
    return list(dict.fromkeys(run[at : at + 2] for run in _RUN.findall(text) for at in range(len(run) - 1)))
