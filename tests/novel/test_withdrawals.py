from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from lantern_kit.kernel.errors import BadInput, WrongState
from lantern_kit.novel.errors import NovelRequirementConflict
from lantern_kit.novel.model import Instruction, InstructionSource, InstructionState, Source
from lantern_kit.novel.plan import OutcomeIn, Plan
from tests.novel.stage import Stage, stage

WITHDRAWAL = InstructionSource.WITHDRAWAL


@pytest.fixture
def made(tmp_path: Path) -> Iterator[Stage]:
    """A novel with an outline."""
    held = stage(tmp_path / "ws")
    held.plan()
    yield held
    held.close()


def ask(made: Stage, text: str) -> Instruction:
    return made.ann.instruct(text, message=text)[1]


def withdraw(made: Stage, held: Instruction) -> Instruction:
    return made.ann.instruct("No.", message=f"no {held.id}", source=WITHDRAWAL, answers=held.id)[1]


def revise(made: Stage, *outcomes: OutcomeIn) -> None:
    made.next()
    made.desk.revise_outline(Plan(), outcomes, "as asked", made.novel.head.outline_revision)


def applied(item: Instruction) -> OutcomeIn:
    return OutcomeIn(instruction=item.id, result="applied", note="as asked")


def test_one_that_waits_is_superseded_by_its_withdrawal_and_never_applied(made: Stage) -> None:
    asked = ask(made, "Let it rain.")
    gone = withdraw(made, asked)
    made.next()
    with pytest.raises(NovelRequirementConflict, match="was withdrawn"):
        made.desk.revise_outline(Plan(), [applied(asked), applied(gone)], "so", made.novel.head.outline_revision)
    given_up = OutcomeIn(instruction=asked.id, result="superseded", note="taken back", superseded_by=gone.id)
    made.desk.revise_outline(Plan(), [given_up, applied(gone)], "so", made.novel.head.outline_revision)
    assert made.novel.instruction(asked.id).state is InstructionState.SUPERSEDED
    assert made.novel.head.watermark == gone.sequence


def test_one_that_is_in_force_holds_no_longer_once_its_withdrawal_is_dealt_with(made: Stage) -> None:
    asked = ask(made, "Let it rain.")
    revise(made, applied(asked))
    assert made.novel.instruction(asked.id).in_force
    gone = withdraw(made, asked)
    assert made.novel.instruction(asked.id).in_force, "until the outline knows of it"
    revise(made, applied(gone))
    assert not made.novel.instruction(asked.id).in_force
    assert made.novel.instruction(asked.id).replaced_by == gone.id


def test_what_holds_no_longer_cannot_be_withdrawn_nor_what_the_novel_was_begun_for(made: Stage) -> None:
    asked = ask(made, "Let it rain.")
    revise(made, applied(asked))
    gone = withdraw(made, asked)
    revise(made, applied(gone))
    with pytest.raises(WrongState, match="holds no longer"):
        made.ann.instruct("No.", message="again", source=WITHDRAWAL, answers=asked.id)
    for other in (gone, next(iter(made.novel.instructions.values()))):
        with pytest.raises(BadInput, match="only an instruction"):
            withdraw(made, other)


@pytest.mark.parametrize("answered", [WITHDRAWAL, InstructionSource.CLARIFICATION])
def test_one_that_was_blocked_is_dealt_with_though_what_was_said_of_it_waits_for_a_later_revision(
    made: Stage, answered: InstructionSource
) -> None:
    written = made.write()
    asked = ask(made, "Let it never have rained.")
    made.next()
    place = [Source(commit=written.id, paragraph=0)]
    made.desk.block(asked.id, "It rained.", place, made.novel.head.outline_revision)
    between = ask(made, "Let it snow.")
    said = made.ann.instruct("Let it stop.", message="said", source=answered, answers=asked.id)[1]
    made.ann.resume()
    replaced = OutcomeIn(instruction=asked.id, result="superseded", note="as said", superseded_by=said.id)
    revise(made, replaced, applied(between))
    assert made.novel.instruction(asked.id).state is InstructionState.SUPERSEDED
    assert made.novel.instruction(said.id).state is InstructionState.PENDING
    revise(made, applied(said))
    assert made.novel.instruction(said.id).in_force
    assert made.ws.verify().clean
