"""What the desk says of a novel without a browser's tables, in both languages."""

from __future__ import annotations

from collections.abc import Mapping

from lantern_kit.comic.phrases import Language
from lantern_kit.novel.model import Pause, Reason

_PAUSED: Mapping[Reason, tuple[str, str, str, str]] = {
    Reason.REQUESTED: ("Paused", "Resume it.", "已暂停", "点击“恢复”继续。"),
    Reason.STOPPED: ("Stopped at once", "Resume it.", "已立即停止", "点击“恢复”继续。"),
    Reason.AWAITING_APPROVAL: (
        "The outline waits to be approved",
        "Read the outline and approve it; or add instructions and have it updated.",
        "大纲等待批准",
        "阅读大纲后批准；或补充指令并更新大纲。",
    ),
    Reason.REQUIREMENT_CONFLICT: (
        "An instruction contradicts what is written",
        "Clarify or withdraw the instruction, then resume.",
        "有指令与已写内容冲突",
        "澄清或撤回该指令，然后恢复。",
    ),
    Reason.EXTERNAL: (
        "The author's host failed",
        "Look at what it says, then resume.",
        "作者宿主出错",
        "查看原因后恢复。",
    ),
    Reason.INVALID: (
        "A check refused what the author did",
        "Look at what it says, then resume.",
        "作者的操作未通过检查",
        "查看原因后恢复。",
    ),
    Reason.STALLED: (
        "Nothing came forward",
        "Look at the last work, add an instruction or raise the limit, then resume.",
        "多轮没有进展",
        "查看最近的工作，补充指令或提高上限，然后恢复。",
    ),
    Reason.BUDGET: (
        "A limit is reached",
        "Raise the limit under “Length and limits”, then resume.",
        "已达运行上限",
        "在“篇幅与上限”中提高上限，然后恢复。",
    ),
    Reason.LENGTH: (
        "Its length does not work out",
        "Change it under “Length and limits”, or ask for more or for less; then resume.",
        "篇幅无法满足",
        "在“篇幅与上限”中调整篇幅，或要求增减内容，然后恢复。",
    ),
    Reason.PROJECTION_PENDING: (
        "The pages for reading could not be written",
        "Make room or mend the folder, then resume; the text itself is safe.",
        "阅读文件未能写出",
        "腾出空间或修复文件夹后恢复；正文本身完好。",
    ),
    Reason.RECOVERY_REQUIRED: (
        "Nobody can tell whether the former author has ended",
        "Make sure that it has, then resume.",
        "无法确认之前的作者是否已结束",
        "确认它已结束，然后恢复。",
    ),
    Reason.CAPABILITY: (
        "The host cannot guarantee what this needs",
        "Choose another host, or leave out what needs it.",
        "宿主不具备所需能力",
        "更换宿主，或去掉需要该能力的设置。",
    ),
}
"""What a pause is called and what is to be done, in English and in Chinese."""
_LIMITS = {"turns": "轮数", "planning_turns": "规划轮数", "minutes": "时长（分钟）", "tokens": "token 数"}


def paused(pause: Pause, language: Language) -> tuple[str, str, str]:
    """A pause in words: what it is, what was told of it beyond that, and what is to be done."""
    title, todo, title_zh, todo_zh = _PAUSED[pause.reason]
    told = "" if pause.chosen else pause.told
    if language != "zh":
        return title, told, todo
    if pause.reason is Reason.BUDGET:
        told = "、".join(_LIMITS.get(name, name) for name in pause.ids)
    return title_zh, told, todo_zh


def todo(reason: Reason, language: Language) -> str:
    """What is to be done about a reason."""
    return _PAUSED[reason][3 if language == "zh" else 1]
