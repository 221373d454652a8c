"""What a person may do with a novel as it stands: tried on it, never guessed, so that desk and store agree."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from lantern_kit.comic.phrases import Language
from lantern_kit.kernel.errors import LanternError, WrongState
from lantern_kit.kernel.ids import RandomIds
from lantern_kit.novel.edit import control
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.model import Approval, Reason, Status
from lantern_kit.novel.whole import Novel
from lantern_kit.novel.work.ways import Deed, ways
from lantern_kit.widgets.novel.words import todo

_TRIED: Mapping[str, Callable[[Novel, Stamp], Novel]] = {
    "resume": control.resume,
    "approve": lambda novel, stamp: control.approve(novel, novel.head.outline_revision, stamp),
    "update": control.update_outline,
}
_WHY: Mapping[str, tuple[str, str]] = {
    "completed": ("The novel is completed.", "作品已完结。"),
    "active": ("It is going on.", "正在进行中。"),
    "paused": ("It is paused, and nothing is being written.", "已暂停，且没有正在写的单元。"),
    "approve": (
        "Instructions came in that this outline does not know; have it updated first.",
        "有大纲尚未处理的指令，请先更新大纲。",
    ),
    "update": ("There is no instruction that the outline does not know.", "没有大纲尚未处理的指令。"),
    "waits": ("No outline waits to be approved.", "没有等待批准的大纲。"),
    "empty": ("Nothing is written yet.", "尚无正文。"),
    "free": (
        "Whether anybody has the author's seat can be told without you.",
        "作者席位是否被占用，无需人工判断。",
    ),
}
_HELPS = {
    Deed.RESUME: "resume",
    Deed.APPROVE: "approve",
    Deed.UPDATE: "update",
    Deed.RAISE: "configure",
    Deed.LENGTHEN: "configure",
    Deed.EXPORT: "export",
}
"""The control that is a deed which helps, as the shell advises it too."""


def controls(novel: Novel, at: int, by: str, language: Language, *, doubtful: bool) -> dict[str, dict[str, Any]]:
    """What may be done now, by name: whether it may, why not, whether it helps, and whether it is of any use here.

    Args:
        doubtful: whether nobody but a person can say if the author's seat is taken.
    """
    manual = novel.config.approval is Approval.MANUAL and not novel.head.approved
    told = {name: {"why": why(novel, name, at, by, language), "shown": True} for name in NAMES}
    told["approve"]["shown"] = told["update"]["shown"] = manual and novel.head.outline_revision > 0
    free = doubtful and novel.head.run.status is not Status.COMPLETED
    told["free"] = {"why": "" if free else _say("free", language), "shown": free}
    helps = {_HELPS.get(way.deed) for way in ways(novel)}
    return {name: {**facts, "can": not facts["why"], "helps": name in helps} for name, facts in told.items()}


NAMES = ("instruct", "pause", "stop", "resume", "update", "approve", "export", "configure")


def why(novel: Novel, name: str, at: int, by: str, language: Language) -> str:
    """Why something cannot be done now; empty: it can."""
    run = novel.head.run
    if name == "export":
        return "" if novel.head.commits else _say("empty", language)
    if run.status is Status.COMPLETED:
        return _say("completed", language)
    if name in {"instruct", "configure"}:
        return ""
    if name in {"pause", "stop"}:
        on = run.status is Status.ACTIVE or (name == "stop" and novel.head.claimed is not None)
        return "" if on else _say("paused", language)
    if name == "resume" and run.status is Status.ACTIVE:
        return _say("active", language)
    try:
        after = _TRIED[name](novel, Stamp(at, by, RandomIds()))
    except LanternError as error:
        return _refused(novel, name, error, language)
    return "" if after is not novel else _say("waits", language)


def require(novel: Novel, name: str, at: int, by: str, language: Language) -> None:
    """Refuse what cannot be done now. Raises WrongState."""
    found = why(novel, name, at, by, language)
    if found:
        raise WrongState(found, ids=[novel.head.id], recovery="")


def _refused(novel: Novel, name: str, error: LanternError, language: Language) -> str:
    if name == "resume":
        pause = novel.head.run.pause
        stands = next((item for item in Reason if item.value == error.found), None)
        reason = stands or (None if pause is None else pause.reason)
        return error.message if reason is None else todo(reason, language)
    waits = novel.head.run.pause is not None and novel.head.run.pause.reason is Reason.AWAITING_APPROVAL
    return _say(name if waits else "waits", language)


def _say(key: str, language: Language) -> str:
    return _WHY[key][language == "zh"]
