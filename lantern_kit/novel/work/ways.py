"""What would let a novel go on: the deeds that a person may do next, as its state has it (seed 004, 13)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lantern_kit.kernel.errors import WrongState
from lantern_kit.kernel.ids import RandomIds
from lantern_kit.novel.edit.control import resume
from lantern_kit.novel.edit.stamp import Stamp
from lantern_kit.novel.model import Reason, Status
from lantern_kit.novel.whole import Novel


class Deed(StrEnum):
    """What a person may do."""

    RUN = "run"
    RESUME = "resume"
    APPROVE = "approve"
    UPDATE = "update"
    INSTRUCT = "instruct"
    CLARIFY = "clarify"
    WITHDRAW = "withdraw"
    RAISE = "raise"
    """Change a limit."""
    LENGTHEN = "lengthen"
    """Change the length aimed at."""
    EXPORT = "export"


@dataclass(frozen=True)
class Way:
    """One deed that helps."""

    deed: Deed
    target: str = ""
    """An instruction's id, an outline revision, or the name of a limit."""

    @property
    def code(self) -> str:
        """It as it is written in Python, of a novel called ``novel``."""
        return {
            Deed.RUN: "novel.run()",
            Deed.RESUME: "novel.resume()",
            Deed.APPROVE: f"novel.approve({self.target})",
            Deed.UPDATE: "novel.update_outline()",
            Deed.INSTRUCT: 'novel.instruct("…")',
            Deed.CLARIFY: f'novel.clarify("{self.target}", "…")',
            Deed.WITHDRAW: f'novel.withdraw("{self.target}")',
            Deed.RAISE: f"novel.configure(limits={{{self.target!r}: …}})",
            Deed.LENGTHEN: "novel.configure(length=…)",
            Deed.EXPORT: 'novel.export("novel.md")',
        }[self.deed]


def ways(novel: Novel, author: str = "") -> tuple[Way, ...]:
    """What helps now and is not refused, the likeliest first; no run while ``author`` has the seat."""
    run = novel.head.run
    if run.status is Status.COMPLETED:
        return (Way(Deed.EXPORT),)
    if run.status is Status.ACTIVE or run.pause is None:
        return (Way(Deed.INSTRUCT),) if author else (Way(Deed.RUN), Way(Deed.INSTRUCT))
    reason, on = run.pause.reason, (Way(Deed.RESUME),) if _goes_on(novel) else ()
    if reason is Reason.AWAITING_APPROVAL:
        return (Way(Deed.UPDATE),) if novel.open_instructions else (_approve(novel), Way(Deed.INSTRUCT))
    stuck = [item.id for item in novel.unanswered]
    if stuck:
        return tuple(Way(deed, name) for name in stuck for deed in (Deed.CLARIFY, Deed.WITHDRAW))
    if reason is Reason.BUDGET:
        return (*(Way(Deed.RAISE, name) for name in run.pause.ids), *on)
    if reason is Reason.LENGTH:
        return (Way(Deed.LENGTHEN), Way(Deed.INSTRUCT), *on)
    if reason is Reason.STALLED:
        return (Way(Deed.INSTRUCT), *on)
    return on


def _goes_on(novel: Novel) -> bool:
    """Whether resuming it would be taken: tried, never guessed."""
    try:
        resume(novel, Stamp(0, "", RandomIds()))
    except WrongState:
        return False
    return True


def _approve(novel: Novel) -> Way:
    return Way(Deed.APPROVE, str(novel.head.outline_revision))
