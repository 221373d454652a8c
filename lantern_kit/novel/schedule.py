"""What is to be done next: decided by the state alone, without a model (seed 004, 6.3, 12.1, 13)."""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.novel.length import left
from lantern_kit.novel.model import Approval, Reason, Status, Target, Why, WorkKind
from lantern_kit.novel.model.values import MOST_PLANS, MOST_UNITS
from lantern_kit.novel.pace import owed
from lantern_kit.novel.whole import Novel, next_scene

_MINUTE = 60_000


@dataclass(frozen=True)
class Work:
    """Something for an author to do."""

    kind: WorkKind
    why: Why
    chapter: str | None = None
    scene: str | None = None


@dataclass(frozen=True)
class Halt:
    """Why nothing is to be done; a reason means that the novel is to be paused for it."""

    told: str
    reason: Reason | None = None
    ids: tuple[str, ...] = ()
    resume: str = ""


def next_work(novel: Novel) -> Work | Halt:
    """The next work, or why there is none."""
    run = novel.head.run
    if run.status is Status.COMPLETED:
        return Halt("The novel is completed.")
    if run.status is Status.PAUSED:
        return Halt("The novel is paused." if run.pause is None else run.pause.told)
    return _spent(novel) or _instructed(novel) or _approved(novel) or _writing(novel)


def _spent(novel: Novel) -> Halt | None:
    """Why the run's limits allow no more."""
    limits, spent = novel.config.limits, novel.head.spent
    counts = [
        ("turns", spent.turns, limits.turns),
        ("minutes", spent.milliseconds // _MINUTE, limits.minutes),
    ]
    if limits.tokens is not None:
        counts.append(("tokens", spent.input_tokens + spent.output_tokens, limits.tokens))
    for what, used, most in counts:
        if used >= most:
            return Halt(
                f"The limit of {most:,} {what} is reached.",
                Reason.BUDGET,
                (what,),
                f"Raise the limit of {what}, then resume.",
            )
    for what, count, most in (
        ("units", novel.head.units, MOST_UNITS),
        ("outline revisions", novel.head.outline_revision, MOST_PLANS),
    ):
        if count >= most:
            return Halt(
                f"A novel holds {most:,} {what}, and this one has them.",
                Reason.BUDGET,
                (what.replace(" ", "_"),),
                "Export it as it is, and begin another novel for what follows.",
            )
    if spent.failures >= limits.failures:
        return Halt(
            f"The author's host failed {spent.failures} times in a row.",
            Reason.EXTERNAL,
            (),
            "Look at the host's error, then resume.",
        )
    if spent.stalled >= limits.stalled:
        return Halt(
            f"{spent.stalled} turns in a row brought nothing forward.",
            Reason.STALLED,
            () if novel.head.run.intent is None else (novel.head.run.intent.id,),
            "Look at the last work, add an instruction or raise the limit, then resume.",
        )
    return None


def _planning(novel: Novel, work: Work) -> Work | Halt:
    limits, spent = novel.config.limits, novel.head.spent
    if spent.planning_turns >= limits.planning_turns:
        return Halt(
            f"The limit of {limits.planning_turns:,} planning turns is reached.",
            Reason.BUDGET,
            ("planning_turns",),
            "Raise the limit of planning turns, then resume.",
        )
    return work


def _instructed(novel: Novel) -> Work | Halt | None:
    waiting = novel.open_instructions
    stuck = novel.unanswered
    if stuck:
        return Halt(
            f"Instruction {stuck[0].sequence} contradicts what is written.",
            Reason.REQUIREMENT_CONFLICT,
            tuple(item.id for item in stuck),
            "Clarify or withdraw the instruction, then resume.",
        )
    if not waiting:
        return None
    if not novel.head.outline_revision:
        return _planning(novel, Work(WorkKind.OUTLINE_CREATE, Why.BEGINNING))
    current = novel.current
    chapter = None if current is None else current.id
    return _planning(novel, Work(WorkKind.OUTLINE_REVISE, Why.INSTRUCTIONS, chapter))


def _approved(novel: Novel) -> Halt | None:
    if novel.config.approval is Approval.AUTOMATIC or novel.head.approved:
        return None
    return Halt(
        f"Outline revision {novel.head.outline_revision} waits to be approved.",
        Reason.AWAITING_APPROVAL,
        (novel.head.id,),
        "Read the outline, then approve that revision.",
    )


def _writing(novel: Novel) -> Work | Halt:
    chapter = novel.current
    if chapter is None:
        return _ending(novel)
    scene = next_scene(chapter)
    if scene is not None:
        if (room := left(novel)) is not None and room.hard == 0:
            return Halt(
                "The hard maximum is used up, and there are scenes to be written.",
                Reason.LENGTH,
                (scene.id,),
                "Raise the length, or ask for an earlier end; then resume.",
            )
        return Work(WorkKind.WRITE_UNIT, Why.WRITING, chapter.id, scene.id)
    if chapter.scenes:
        return Work(WorkKind.CHAPTER_COMPLETE, Why.COMPLETION, chapter.id)
    return _planning(novel, Work(WorkKind.OUTLINE_REVISE, Why.REFINE, chapter.id))


def _ending(novel: Novel) -> Work | Halt:
    """All chapters are completed: the end, more chapters where something lacks, or a pause that names what does."""
    room, late = left(novel), owed(novel)
    gaps = []
    if room is not None and room.low:
        gaps.append(f"with {room.low:,} characters too few")
    if over := _over(novel):
        gaps.append(f"with {over:,} characters more than its length allows")
    if late:
        gaps.append(f"without what must be taken up: {'; '.join(f'“{item.what[:80]}”' for item in late[:10])}")
    if not gaps:
        return Work(WorkKind.FINISH, Why.COMPLETION)
    full = room is not None and (room.high == 0 or room.hard == 0)
    if not full and not novel.head.spent.stalled:
        return _planning(novel, Work(WorkKind.OUTLINE_REVISE, Why.REFINE))
    return Halt(
        f"All chapters are completed {', and '.join(gaps)}.",
        Reason.LENGTH if full or (room is not None and room.low) else Reason.STALLED,
        (novel.head.id, *(item.id for item in late[:30])),
        "Change the length, or ask for what is to be added; then resume.",
    )


def _over(novel: Novel) -> int:
    length = novel.config.length
    return max(0, novel.head.characters - length.high) if isinstance(length, Target) else 0
