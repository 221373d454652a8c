"""The ledger: instructions are taken, dealt with by revisions, or found to be in conflict (seed 004, 9)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from lantern_kit.kernel.errors import BadInput, IdempotencyConflict, WrongState
from lantern_kit.novel.edit.stamp import Stamp, require_work
from lantern_kit.novel.errors import NovelRequirementConflict, NovelRevisionConflict
from lantern_kit.novel.model import (
    PLANNING,
    Conflict,
    Instruction,
    InstructionSource,
    InstructionState,
    Outcome,
    Pause,
    Reason,
    Source,
    Status,
    UnitState,
)
from lantern_kit.novel.model.values import MOST_INSTRUCTIONS
from lantern_kit.novel.plan import OutcomeIn
from lantern_kit.novel.whole import Novel, changed, committed

ANSWERING = frozenset({InstructionSource.CLARIFICATION, InstructionSource.WITHDRAWAL})


def receive(
    novel: Novel, message: str, text: str, source: InstructionSource, answers: str | None, stamp: Stamp
) -> tuple[Novel, Instruction]:
    """Take an instruction, durably and in order; one message is taken once.

    Work that nobody began yet steps aside for it; a unit that is claimed may end first.

    Raises WrongState (the novel is completed, there is nothing to answer), IdempotencyConflict, NotFound, BadInput.
    """
    for held in novel.instructions.values():
        if held.message == message:
            if (held.text, held.source, held.answers) != (text, source, answers):
                raise IdempotencyConflict("this message was received before, with other words", ids=[held.id])
            return novel, held
    if novel.head.run.status is Status.COMPLETED:
        raise WrongState(
            "the novel is completed and takes no more instructions",
            ids=[novel.head.id],
            recovery="Begin another novel for what is to be told next.",
        )
    if novel.head.received >= MOST_INSTRUCTIONS:
        raise WrongState(
            f"a novel takes {MOST_INSTRUCTIONS:,} instructions, and has them",
            ids=[novel.head.id],
            recovery="Let it end, and begin another novel.",
        )
    if not text.strip():
        raise BadInput("an instruction says something", expected="words", found="none")
    check_answer(novel, source, answers)
    taken = Instruction(
        id=stamp.ids.new("in"),
        message=message,
        sequence=novel.head.received + 1,
        text=text,
        source=source,
        answers=answers,
        by=stamp.by,
        received_at=stamp.at,
        during=novel.head.claimed,
        state=InstructionState.PENDING,
        outcome=None,
        conflict=None,
        earlier=(),
        replaced_by=None,
    )
    after = novel.put("instructions", taken).with_head(received=taken.sequence)
    return aside(after), taken


def aside(novel: Novel) -> Novel:
    """The novel without work that nobody began: what was prepared for the way things were is superseded."""
    intent, unit = novel.head.run.intent, novel.prepared
    if unit is not None:
        novel = novel.put("units", changed(unit, state=UnitState.SUPERSEDED))
    if intent is not None and intent.kind not in PLANNING and novel.head.claimed is None:
        novel = novel.with_run(intent=None)
    return novel


def check_answer(novel: Novel, source: InstructionSource, answers: str | None) -> None:
    """Refuse to take what answers nothing that there is to answer. Raises WrongState, NotFound, BadInput."""
    if source is InstructionSource.CREATION:
        raise BadInput("a novel is created once", expected="instruction, clarification or withdrawal")
    if (source in ANSWERING) != (answers is not None):
        raise BadInput(
            "a clarification or a withdrawal names the instruction it is about, and nothing else does",
            expected="answers with clarification or withdrawal",
            found=source.value,
        )
    if answers is None:
        return
    held = novel.instruction(answers)
    if source is InstructionSource.WITHDRAWAL:
        if held.source is InstructionSource.CREATION or held.answers is not None:
            raise BadInput(
                "only an instruction can be withdrawn: not what the novel was begun for, nor an answer to another",
                found=held.source.value,
                ids=[answers],
                recovery="Say in a new instruction what is to be instead.",
            )
        if not (held.in_force or held.state in {InstructionState.PENDING, InstructionState.BLOCKED}):
            raise WrongState(
                f"{answers} holds no longer", found=held.state.value, ids=[answers], recovery="Nothing need be done."
            )
    elif held.state is not InstructionState.BLOCKED:
        raise WrongState(
            f"{answers} is not blocked",
            expected=InstructionState.BLOCKED.value,
            found=held.state.value,
            ids=[answers],
            recovery="Send it as an instruction of its own.",
        )


def deal(
    novel: Novel,
    outcomes: Sequence[OutcomeIn],
    names: Mapping[str, str],
    chapters: Mapping[str, object],
    revision: int,
    stamp: Stamp,
) -> Novel:
    """Note what came of instructions by a revision, and raise the watermark over those that are settled.

    They are the next ones in order, each once. One that was blocked needs a clarification or withdrawal that came for
    it, be it dealt with here or by a later revision. What came in meanwhile stays pending.

    Raises NovelRequirementConflict, NotFound, BadInput.
    """
    waiting = novel.open_instructions
    wanted = {item.instruction for item in outcomes}
    run = waiting[: len(outcomes)]
    if len(wanted) != len(outcomes) or {item.id for item in run} != wanted:
        raise NovelRequirementConflict(
            "a revision deals with the next instructions in order, each once, and passes none over",
            expected=[f"{item.sequence} {item.id}" for item in waiting[: max(len(outcomes), 1)]],
            found=[item.instruction for item in outcomes],
            ids=[item.id for item in waiting],
        )
    by_id = {item.instruction: item for item in outcomes}
    for held in run:
        outcome = by_id[held.id]
        novel = novel.put("instructions", _settled(novel, held, outcome, run, names, chapters, revision, stamp))
        novel = novel.put("instructions", *_replaced(novel, held, outcome))
    return novel.with_head(watermark=novel.head.watermark + len(outcomes))


def _settled(
    novel: Novel,
    held: Instruction,
    outcome: OutcomeIn,
    run: Sequence[Instruction],
    names: Mapping[str, str],
    chapters: Mapping[str, object],
    revision: int,
    stamp: Stamp,
) -> Instruction:
    effective = None if outcome.effective is None else names.get(outcome.effective, outcome.effective)
    if effective is not None and effective not in chapters:
        raise BadInput(f"{effective[:40]} is no chapter of the outline", ids=[held.id], expected=list(chapters)[:20])
    if (outcome.result == "superseded") != (outcome.superseded_by is not None):
        raise BadInput("superseded_by goes with superseded, and with nothing else", ids=[held.id])
    if outcome.superseded_by is not None and novel.instruction(outcome.superseded_by).sequence <= held.sequence:
        raise BadInput(
            "only a later instruction takes the place of one", found=outcome.superseded_by[:40], ids=[held.id]
        )
    conflict, withdrawn = held.conflict, _withdrawal(held, run)
    if held.state is InstructionState.PENDING and withdrawn is not None and outcome.result != "superseded":
        raise _was_withdrawn(held, withdrawn, outcome)
    if held.state is InstructionState.BLOCKED:
        after = 0 if conflict is None else conflict.after
        spoken = [*reversed(run), *reversed(novel.open_instructions)]
        answer = next((item for item in spoken if item.answers == held.id and item.sequence > after), None)
        if answer is None or conflict is None:
            raise NovelRequirementConflict(
                f"{held.id} is blocked, and nothing was said of it since",
                ids=[held.id],
                recovery="Leave it until its author says what it is to mean, or takes it back.",
            )
        if answer.source is InstructionSource.WITHDRAWAL and outcome.result != "superseded":
            raise _was_withdrawn(held, answer, outcome)
        conflict = changed(conflict, solved_by=answer.id)
    return changed(
        held,
        state=InstructionState(outcome.result),
        conflict=conflict,
        outcome=Outcome(
            note=outcome.note,
            outline_revision=revision,
            effective=effective,
            superseded_by=outcome.superseded_by,
            at=stamp.at,
        ),
    )


def _withdrawal(held: Instruction, run: Sequence[Instruction]) -> Instruction | None:
    """The withdrawal of an instruction among those that are dealt with."""
    return next((item for item in run if item.answers == held.id and item.source is InstructionSource.WITHDRAWAL), None)


def _was_withdrawn(held: Instruction, by: Instruction, outcome: OutcomeIn) -> NovelRequirementConflict:
    return NovelRequirementConflict(
        f"{held.id} was withdrawn",
        expected=f"superseded by {by.id}",
        found=outcome.result,
        ids=[held.id, by.id],
        recovery="Send it as superseded, with the withdrawal in superseded_by.",
    )


def _replaced(novel: Novel, held: Instruction, outcome: OutcomeIn) -> list[Instruction]:
    """Earlier instructions that hold no longer since this one: those it replaces, and one that it withdraws.

    Raises BadInput, NotFound.
    """
    if outcome.replaces and outcome.result != "applied":
        raise BadInput("only an instruction that is applied replaces others", ids=[held.id])
    made = []
    for name in dict.fromkeys(outcome.replaces):
        old = novel.instruction(name)
        if not old.in_force or old.sequence >= held.sequence:
            raise BadInput(
                f"{old.id} is no earlier instruction that is in force",
                expected=[item.id for item in novel.instructions.values() if item.in_force and item.id != held.id][
                    -20:
                ],
                found=old.state.value,
                ids=[held.id, old.id],
            )
        made.append(changed(old, replaced_by=held.id))
    if (
        held.source is InstructionSource.WITHDRAWAL
        and held.answers is not None
        and held.answers not in outcome.replaces
    ):
        old = novel.instruction(held.answers)
        made += [changed(old, replaced_by=held.id)] if old.in_force else []
    return made


def block(
    novel: Novel, instruction: str, reason: str, sources: Sequence[Source], expected: int, stamp: Stamp
) -> tuple[Novel, Instruction]:
    """Note that an instruction contradicts what is written, with the places, and pause until its author has spoken.

    Raises NovelStaleUnit, NovelPaused, NovelRevisionConflict, NovelRequirementConflict, NotFound, BadInput.
    """
    require_work(novel, stamp, *PLANNING)
    held = novel.instruction(instruction)
    if novel.head.outline_revision != expected:
        raise outline_moved(novel, expected)
    if held.settled:
        raise NovelRequirementConflict(
            f"{held.id} is dealt with already", expected="pending or blocked", found=held.state.value, ids=[held.id]
        )
    if not reason.strip():
        raise BadInput("say what contradicts the instruction", ids=[held.id])
    for source in sources:
        require_source(novel, source)
    blocked = changed(
        held,
        state=InstructionState.BLOCKED,
        conflict=Conflict(
            reason=reason, sources=tuple(sources), at=stamp.at, after=novel.head.received, solved_by=None
        ),
        earlier=held.earlier if held.conflict is None else (*held.earlier, held.conflict)[-20:],
    )
    pause = Pause(
        reason=Reason.REQUIREMENT_CONFLICT,
        told=reason,
        ids=(held.id, *map(str, sources[:30])),
        resume="Clarify or withdraw the instruction, then resume.",
        at=stamp.at,
    )
    after = novel.put("instructions", blocked)
    return after.with_run(status=Status.PAUSED, pause=pause, intent=None), blocked


def require_source(novel: Novel, source: Source) -> None:
    """Refuse a place that is in no committed prose. Raises BadInput."""
    unit = novel.commits.get(source.commit)
    if unit is None or source.paragraph >= committed(unit).paragraphs:
        raise BadInput(
            "a source is a paragraph of committed prose",
            expected="no such commit" if unit is None else f"a paragraph from 0 to {committed(unit).paragraphs - 1}",
            found=str(source),
            ids=[source.commit],
        )


def outline_moved(novel: Novel, expected: int) -> NovelRevisionConflict:
    """The error for an outline that is not the one the caller went by."""
    return NovelRevisionConflict(
        "the outline is another than the one this goes by",
        expected=f"outline revision {expected}",
        found=f"outline revision {novel.head.outline_revision}",
        ids=[novel.head.id],
    )
