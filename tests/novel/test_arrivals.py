"""When an instruction comes decides what it still changes: one test for each row of the requirement's table (9.2)."""

from __future__ import annotations

from pathlib import Path

import pytest

from lantern_kit.kernel.errors import WrongState
from lantern_kit.novel.errors import NovelPaused, NovelRequirementConflict, NovelRevisionConflict, NovelStaleUnit
from lantern_kit.novel.model import Approval, InstructionState, Reason, Status, UnitState, Why, WorkKind
from lantern_kit.novel.plan import OutcomeIn, Plan
from tests.novel.stage import Stage, config, content, stage, text


@pytest.fixture
def made(tmp_path: Path) -> Stage:
    stood = stage(tmp_path / "ws")
    stood.plan()
    return stood


def outcome(name: str, **facts: str) -> OutcomeIn:
    return OutcomeIn.model_validate({"instruction": name, "result": "applied", "note": "so be it", **facts})


def test_before_a_unit_is_scheduled_the_instruction_is_dealt_with_first(made: Stage) -> None:
    told = made.instruct()
    intent = made.next()
    assert (intent.kind, intent.why) == (WorkKind.OUTLINE_REVISE, Why.INSTRUCTIONS)
    made.desk.revise_outline(Plan(), [outcome(told.id)], "it rains", 1)
    made.end(made.novel)
    assert made.next().outline_revision == 2


def test_a_unit_that_is_prepared_and_not_claimed_gives_way(made: Stage) -> None:
    intent = made.next()
    unit, head = intent.unit or "", made.novel.head
    made.instruct()
    assert made.novel.unit(unit).state is UnitState.SUPERSEDED
    with pytest.raises(NovelStaleUnit):
        made.desk.claim(intent.id, unit, head.outline_revision, head.watermark)
    assert made.novel.head.commits == 0
    assert made.next().why is Why.INSTRUCTIONS


def test_a_brief_of_before_cannot_be_claimed_with_versions_of_before(made: Stage) -> None:
    old = made.novel.head
    made.instruct()
    made.plan()
    intent = made.next()
    for outline, watermark in ((old.outline_revision, made.novel.head.watermark), (2, old.watermark)):
        with pytest.raises(NovelRevisionConflict):
            made.desk.claim(intent.id, intent.unit or "", outline, watermark)
    assert made.desk.claim(intent.id, intent.unit or "", 2, 2)[1].watermark == 2


def test_a_unit_that_is_claimed_may_be_committed_as_it_was_claimed_and_the_instruction_comes_after_it(
    made: Stage,
) -> None:
    intent, before = made.next(), made.novel
    token = made.claim(intent)
    told = made.instruct()
    assert told.during == intent.unit
    weighed = made.desk.weigh(intent.unit or "", token, text(1), content())
    _, commit = made.desk.commit(token, weighed)
    assert (commit.watermark, made.novel.head.received) == (1, 2)
    made.end(before)
    assert made.novel.instruction(told.id).state is InstructionState.PENDING
    assert made.next().why is Why.INSTRUCTIONS


def test_a_claimed_unit_that_ends_without_a_commit_gives_way_to_what_came_meanwhile(made: Stage) -> None:
    intent, before = made.next(), made.novel
    made.claim(intent)
    made.instruct()
    made.end(before)
    assert made.novel.unit(intent.unit or "").state is UnitState.SUPERSEDED
    assert made.next().why is Why.INSTRUCTIONS


def test_between_a_commit_and_the_next_work_the_instruction_is_dealt_with_first(made: Stage) -> None:
    made.write()
    made.instruct()
    assert made.next().why is Why.INSTRUCTIONS


def test_several_instructions_are_dealt_with_in_their_order_each_with_its_outcome(made: Stage) -> None:
    first, second, third = (made.instruct(words) for words in ("Rain.", "Snow.", "Sun."))
    made.next()
    for wrong in ([second.id], [first.id, third.id], [first.id, first.id], [first.id, second.id, third.id, first.id]):
        with pytest.raises(NovelRequirementConflict):
            made.desk.revise_outline(Plan(), [outcome(name) for name in wrong], "weather", 1)
    given = [outcome(second.id, note="it snows"), outcome(first.id, result="superseded", superseded_by=second.id)]
    made.desk.revise_outline(Plan(), given, "weather", 1)
    novel = made.novel
    assert novel.head.watermark == 3
    states = [novel.instruction(item.id).state for item in (first, second, third)]
    assert states == [InstructionState.SUPERSEDED, InstructionState.APPLIED, InstructionState.PENDING]
    kept = novel.instruction(first.id)
    assert kept.text == "Rain."
    assert kept.outcome is not None
    assert kept.outcome.superseded_by == second.id


def test_what_comes_during_a_revision_stays_pending_when_it_is_kept(made: Stage) -> None:
    first = made.instruct("Rain.")
    made.next()
    second = made.instruct("Snow.")
    made.desk.revise_outline(Plan(), [outcome(first.id)], "it rains", 1)
    novel = made.novel
    assert [item.id for item in novel.open_instructions] == [second.id]
    assert (novel.head.watermark, novel.head.received) == (2, 3)


def test_while_it_is_paused_instructions_are_only_taken_and_come_first_when_a_person_lets_it_go_on(made: Stage) -> None:
    made.ann.pause()
    made.instruct()
    assert made.novel.head.run.status is Status.PAUSED
    assert made.halted().told == "Paused by a person."
    made.ann.resume()
    assert made.next().why is Why.INSTRUCTIONS


def test_while_an_outline_waits_for_approval_only_updating_it_lets_the_author_go_on(tmp_path: Path) -> None:
    made = stage(tmp_path / "ws", configured=config(approval=Approval.MANUAL))
    made.plan()
    made.instruct()
    pause = made.novel.head.run.pause
    assert pause is not None
    assert pause.reason is Reason.AWAITING_APPROVAL
    for refused in (made.ann.resume, lambda: made.ann.approve(1)):
        with pytest.raises(WrongState):
            refused()
    with pytest.raises(NovelPaused):
        made.desk.revise_outline(Plan(), made.settle(), "weather", 1)
    made.ann.update_outline()
    made.plan()
    assert made.novel.head.run.status is Status.PAUSED
    assert made.ann.approve(2).novel.head.run.status is Status.ACTIVE


def test_after_the_end_an_instruction_is_refused_and_kept_nowhere(made: Stage) -> None:
    assert made.whole().head.run.status is Status.COMPLETED
    before = made.service.head(made.novel_id)
    with pytest.raises(WrongState, match="takes no more instructions"):
        made.instruct()
    assert made.service.head(made.novel_id).revision == before.revision


def test_what_was_taken_before_the_end_is_answered_again_after_it(made: Stage) -> None:
    told = made.instruct(message="once")
    made.whole()
    assert made.instruct(message="once").id == told.id
