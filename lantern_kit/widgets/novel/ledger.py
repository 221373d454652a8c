"""The author's ledger as the desk shows it: each instruction, what came of it, and where it takes effect."""

from __future__ import annotations

from typing import Any

from lantern_kit.kernel.errors import LanternError
from lantern_kit.novel.edit.ledger import check_answer
from lantern_kit.novel.model import Instruction, InstructionSource, InstructionState, Reason, Source, Status
from lantern_kit.novel.service import NovelService
from lantern_kit.novel.whole import Novel, committed
from lantern_kit.widgets.novel.prose import place

AT_ONCE = 25
"""Instructions in one answer."""


def page(service: NovelService, novel: Novel, before: int | None) -> dict[str, Any]:
    """Instructions, newest first, before one; those that are open come with the first page whatever their age."""
    known = [item for item in novel.instructions.values() if before is None or item.sequence < before]
    told = known[-AT_ONCE:]
    old = [] if before is not None else [item for item in novel.open_instructions if item.sequence < told[0].sequence]
    return {
        "instructions": [instruction(service, novel, item) for item in [*reversed(told), *reversed(old)]],
        "earlier": told[0].sequence if told and told[0].sequence > 1 else None,
    }


def instruction(service: NovelService, novel: Novel, item: Instruction) -> dict[str, Any]:
    """One instruction; others are named by their numbers."""
    outcome, conflict = item.outcome, item.conflict
    return {
        "id": item.id,
        "sequence": item.sequence,
        "message": item.message,
        "text": item.text,
        "source": item.source.value,
        "answers": _number(novel, item.answers),
        "by": item.by,
        "at": item.received_at,
        "during": None if item.during is None else novel.unit(item.during).number,
        "state": item.state.value,
        "in_force": item.in_force,
        "may": _may(novel, item),
        "takes": _takes(novel, item),
        "replaced_by": _number(novel, item.replaced_by),
        "outcome": None
        if outcome is None
        else {
            "note": outcome.note,
            "revision": outcome.outline_revision,
            "effective": _chapter(novel, outcome.effective),
            "superseded_by": _number(novel, outcome.superseded_by),
            "first": _first(service, novel, outcome.outline_revision),
        },
        "conflict": None
        if conflict is None
        else {
            "reason": conflict.reason,
            "places": [found for source in conflict.sources if (found := place(service, novel, source)) is not None],
            "solved_by": _number(novel, conflict.solved_by),
        },
        "answered": _answered(novel, item),
    }


def _may(novel: Novel, item: Instruction) -> list[str]:
    """How its author may answer it now: what the ledger would take, and was not told already."""
    if novel.head.run.status is Status.COMPLETED:
        return []
    told = {held.source for held in novel.open_instructions if held.answers == item.id}
    return [
        source.value
        for source in (InstructionSource.CLARIFICATION, InstructionSource.WITHDRAWAL)
        if _takes_answer(novel, source, item.id)
        and (InstructionSource.WITHDRAWAL not in told or item.state is InstructionState.BLOCKED)
    ]


def _takes_answer(novel: Novel, source: InstructionSource, instruction: str) -> bool:
    try:
        check_answer(novel, source, instruction)
    except LanternError:
        return False
    return True


def _answered(novel: Novel, item: Instruction) -> list[int]:
    """What was said of one that is blocked since it was found to be in conflict."""
    if item.state is not InstructionState.BLOCKED or item.conflict is None:
        return []
    after = item.conflict.after
    return [x.sequence for x in novel.open_instructions if x.answers == item.id and x.sequence > after]


def _takes(novel: Novel, item: Instruction) -> dict[str, Any] | None:
    """When one that waits is dealt with; None for others."""
    if item.state is not InstructionState.PENDING:
        return None
    run, claimed = novel.head.run, novel.head.claimed
    if claimed is not None:
        return {"when": "after_unit", "unit": novel.unit(claimed).number}
    if run.status is Status.PAUSED:
        waits = run.pause is not None and run.pause.reason is Reason.AWAITING_APPROVAL
        return {"when": "on_update" if waits else "on_resume"}
    return {"when": "next"}


def _first(service: NovelService, novel: Novel, revision: int) -> dict[str, Any] | None:
    """The first prose that was written by a revision of the outline or a later one."""
    for name, unit in novel.commits.items():
        if committed(unit).outline_revision >= revision:
            return place(service, novel, Source(commit=name, paragraph=0))
    return None


def _chapter(novel: Novel, chapter: str | None) -> dict[str, Any] | None:
    if chapter is None or chapter not in novel.chapters:
        return None
    return {"chapter": chapter, "title": novel.chapter(chapter).title}


def _number(novel: Novel, name: str | None) -> int | None:
    return None if name is None else novel.instruction(name).sequence
