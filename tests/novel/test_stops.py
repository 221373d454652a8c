"""What stops a novel: the rows of the requirement's table (13) that the state alone decides."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import BadInput, WrongState
from lantern_kit.novel.brief import Brief, brief
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.errors import (
    NovelLengthLimit,
    NovelNotComplete,
    NovelPaused,
    NovelRequirementConflict,
    NovelStaleUnit,
)
from lantern_kit.novel.model import (
    Approval,
    AttemptEnd,
    Config,
    InstructionSource,
    InstructionState,
    Reason,
    Source,
    Status,
    Target,
    UnitState,
    Why,
    WorkKind,
)
from lantern_kit.novel.plan import OutcomeIn, Plan
from lantern_kit.novel.reading import Reader
from lantern_kit.novel.schedule import Halt
from lantern_kit.novel.turns import Turns
from tests.novel.stage import CONFIG, Stage, config, content, outline, stage, text


def begun(folder: Path, configured: Config = CONFIG, **facts: Any) -> Stage:
    made = stage(folder / "ws", configured=configured)
    made.plan(outline(**facts))
    return made


def reason(made: Stage) -> Reason | None:
    pause = made.novel.head.run.pause
    return None if pause is None else pause.reason


def status(made: Stage) -> Status:
    return made.novel.head.run.status


def length(characters: int, hard: int | None = None, tolerance: int = 100_000) -> Target:
    return Target(kind="target", characters=characters, tolerance=tolerance, hard_maximum=hard)


def test_when_all_that_completes_it_holds_it_becomes_completed_and_nothing_more_is_asked_for(tmp_path: Path) -> None:
    made = begun(tmp_path)
    done = made.whole()
    assert done.head.run.status is Status.COMPLETED
    assert done.head.finished is not None
    assert done.head.finished.ending == list(done.commits)[-1]
    assert made.halted() == Halt("The novel is completed.")
    with pytest.raises(NovelPaused):
        made.desk.claim("wi_0000", "nu_0000", 1, 1)


def test_a_requested_pause_takes_back_what_nobody_claimed_and_lets_a_claimed_unit_end(tmp_path: Path) -> None:
    made = begun(tmp_path)
    unit = made.next().unit or ""
    made.ann.pause()
    assert (made.novel.unit(unit).state, made.novel.head.run.intent) == (UnitState.PREPARED, None)
    made.ann.resume()
    intent, before = made.next(), made.novel
    assert intent.unit == unit
    token = made.claim(intent)
    made.ann.pause()
    made.desk.commit(token, made.desk.weigh(intent.unit or "", token, text(1), content()))
    made.end(before)
    assert (made.novel.head.commits, made.novel.head.run.status, reason(made)) == (1, Status.PAUSED, Reason.REQUESTED)
    assert made.halted().reason is None


def test_a_stop_refuses_what_comes_after_it_and_keeps_what_came_before(tmp_path: Path) -> None:
    made = begun(tmp_path)
    first = made.write()
    intent, before = made.next(), made.novel
    unit, token = intent.unit or "", made.claim(intent)
    weighed = made.desk.weigh(unit, token, text(2), content())
    made.ann.stop()
    with pytest.raises(NovelStaleUnit):
        made.desk.commit(token, weighed)
    novel = made.end(before)
    assert list(novel.commits) == [first.id]
    assert novel.unit(unit).attempts[-1].end is AttemptEnd.STOPPED
    made.instruct("Stop.")
    assert (made.novel.head.run.status, reason(made)) == (Status.PAUSED, Reason.STOPPED)
    made.ann.resume()
    with pytest.raises(NovelStaleUnit):
        made.desk.commit(token, weighed)


def test_a_unit_that_was_stopped_is_tried_again_under_its_own_id_and_keeps_what_was_tried(tmp_path: Path) -> None:
    made = begun(tmp_path)
    first = made.next()
    made.claim(first)
    made.ann.stop()
    made.ann.resume()
    again = made.next()
    made.claim(again)
    assert again.unit == first.unit
    assert [item.end for item in made.novel.unit(again.unit or "").attempts] == [AttemptEnd.STOPPED, None]


def test_a_stop_ends_planning_that_is_under_way_too(tmp_path: Path) -> None:
    made = begun(tmp_path)
    made.instruct()
    made.next()
    made.ann.stop()
    with pytest.raises(NovelPaused):
        made.desk.revise_outline(Plan(), made.settle(), "weather", 1)
    assert made.novel.head.outline_revision == 1


def test_an_outline_that_waits_for_approval_pauses_the_novel_with_its_revision_kept(tmp_path: Path) -> None:
    made = begun(tmp_path, config(approval=Approval.MANUAL))
    assert (reason(made), made.novel.head.outline_revision) == (Reason.AWAITING_APPROVAL, 1)
    assert made.halted().reason is None
    made.ann.approve(1)
    assert made.next().kind is WorkKind.WRITE_UNIT


def blocked(made: Stage, commit: str) -> str:
    told = made.instruct("He never died.")
    made.next()
    made.desk.block(told.id, "he is dead", [Source(commit=commit, paragraph=0)], made.novel.head.outline_revision)
    return told.id


def test_a_contradiction_to_what_is_written_pauses_with_the_instruction_and_the_place(tmp_path: Path) -> None:
    made = begun(tmp_path)
    commit = made.write().id
    told = blocked(made, commit)
    pause = made.novel.head.run.pause
    assert pause is not None
    assert (pause.reason, pause.ids) == (Reason.REQUIREMENT_CONFLICT, (told, f"{commit}:0"))
    with pytest.raises(WrongState, match="contradicts"):
        made.ann.resume()
    assert made.novel.head.watermark == 1


def test_a_conflict_is_solved_by_a_clarification_a_resume_and_a_revision_and_stays_told_of(tmp_path: Path) -> None:
    made = begun(tmp_path)
    told = blocked(made, made.write().id)
    answer = made.instruct("He is dreamt of.", source=InstructionSource.CLARIFICATION, answers=told)
    assert status(made) is Status.PAUSED
    made.ann.resume()
    assert made.next().why is Why.INSTRUCTIONS
    made.desk.revise_outline(Plan(), made.settle(), "a dream", 1)
    novel = made.novel
    held = novel.instruction(told)
    assert (held.state, novel.head.watermark) == (InstructionState.APPLIED, 3)
    assert held.conflict is not None
    assert (held.conflict.reason, held.conflict.solved_by) == ("he is dead", answer.id)


def test_a_clarification_that_does_not_help_pauses_again_until_another_one_comes(tmp_path: Path) -> None:
    made = begun(tmp_path)
    commit = made.write().id
    told = blocked(made, commit)
    made.instruct("Yet he lives.", source=InstructionSource.CLARIFICATION, answers=told)
    made.ann.resume()
    made.next()
    made.desk.block(told, "still dead", [Source(commit=commit, paragraph=1)], 1)
    with pytest.raises(WrongState, match="contradicts"):
        made.ann.resume()
    last = made.instruct("Forget it.", source=InstructionSource.WITHDRAWAL, answers=told)
    made.ann.resume()
    made.next()
    with pytest.raises(NovelRequirementConflict, match="withdrawn"):
        made.desk.revise_outline(Plan(), made.settle(), "as asked", 1)
    given = [
        OutcomeIn(instruction=told, result="superseded", note="taken back", superseded_by=last.id),
        *made.settle()[1:],
    ]
    made.desk.revise_outline(Plan(), given, "as asked", 1)
    held = made.novel.instruction(told)
    assert held.state is InstructionState.SUPERSEDED
    assert [item.reason for item in held.earlier] == ["he is dead"]


def test_turns_without_progress_past_the_limit_pause_it_as_stalled(tmp_path: Path) -> None:
    made = begun(tmp_path, config(limits={"stalled": 2}))
    for _ in range(2):
        made.next()
        made.end(made.novel)
    assert made.halted().reason is Reason.STALLED
    assert reason(made) is Reason.STALLED
    made.ann.resume()
    made.write()
    assert made.novel.head.spent.stalled == 0


def test_refining_a_plan_makes_no_stalled_turn_good(tmp_path: Path) -> None:
    made = begun(tmp_path, config(limits={"stalled": 3}), scenes=1)
    made.write(foreshadows=[{"foreshadow": made.made["key"], "move": "planted", "at": 0}])
    made.complete()
    chapter = made.made["c2"]
    made.instruct("Drop it.")
    made.plan(Plan.model_validate({"chapters": [{"id": chapter, "dropped_scenes": [made.made["s2_1"]]}]}))
    for _ in range(2):
        assert made.next().why is Why.REFINE
        made.end(made.novel)
    assert made.novel.head.spent.stalled == 2
    before = (made.next(), made.novel)[1]
    more = Plan.model_validate({"chapters": [{"id": chapter, "scenes": [{"as": "s", "goal": "the end"}]}]})
    made.desk.revise_outline(more, [], "a scene", 2)
    assert made.end(before).head.spent.stalled == 2


def test_refining_deals_with_no_instruction_that_came_in_meanwhile(tmp_path: Path) -> None:
    made = begun(tmp_path, scenes=1)
    made.write()
    made.complete()
    chapter = made.made["c2"]
    made.instruct("Drop it.")
    made.plan(Plan.model_validate({"chapters": [{"id": chapter, "dropped_scenes": [made.made["s2_1"]]}]}))
    assert made.next().why is Why.REFINE
    said, watermark = made.instruct("Let it snow."), made.novel.head.watermark
    more = Plan.model_validate({"chapters": [{"id": chapter, "scenes": [{"as": "s", "goal": "the end"}]}]})
    with pytest.raises(NovelRequirementConflict, match="refining deals with no instruction"):
        made.desk.revise_outline(more, made.settle(), "a scene", 2)
    made.desk.revise_outline(more, [], "a scene", 2)
    assert (made.novel.head.watermark, made.novel.instruction(said.id).settled) == (watermark, False)
    assert made.next().why is Why.INSTRUCTIONS


@pytest.mark.parametrize(
    ("limits", "what"),
    [({"turns": 6}, "turns"), ({"minutes": 1}, "minutes"), ({"tokens": 10}, "tokens")],
)
def test_a_limit_that_is_reached_pauses_it_and_only_raising_that_lets_it_go_on(
    tmp_path: Path, limits: dict[str, int], what: str
) -> None:
    made = begun(tmp_path, config(limits=limits))
    while status(made) is Status.ACTIVE:
        _, work = made.turns.prepare()
        if isinstance(work, Halt):
            continue
        made.turn += 1
        made.turns.send(work.id, f"turn{made.turn}")
        made.turns.ended(made.novel, Usage(30_000, 1, 3, 3))
    pause = made.novel.head.run.pause
    assert pause is not None
    assert (pause.reason, pause.ids) == (Reason.BUDGET, (what,))
    spent = made.novel.head.spent
    with pytest.raises(WrongState, match=what):
        made.ann.resume()
    made.ann.configure(limits={what: 1_000})
    assert status(made) is Status.PAUSED
    made.ann.resume()
    assert status(made) is Status.ACTIVE
    after = made.novel.head.spent
    assert (after.turns, after.milliseconds, after.input_tokens) == (
        spent.turns,
        spent.milliseconds,
        3 * spent.requests,
    )


def test_planning_turns_have_a_limit_of_their_own(tmp_path: Path) -> None:
    made = begun(tmp_path, config(limits={"planning_turns": 1}))
    made.write()
    made.instruct()
    assert made.halted().reason is Reason.BUDGET
    made.ann.configure(limits={"planning_turns": 2})
    made.ann.resume()
    assert made.next().why is Why.INSTRUCTIONS


def test_failures_of_the_host_in_a_row_pause_it_and_one_that_goes_well_counts_them_anew(tmp_path: Path) -> None:
    made = begun(tmp_path, config(limits={"failures": 2}))
    made.next()
    made.end(made.novel, failed="no answer")
    made.write()
    assert made.novel.head.spent.failures == 0
    for _ in range(2):
        made.next()
        made.end(made.novel, failed="no answer")
    assert made.halted().reason is Reason.EXTERNAL


def test_prose_past_the_hard_maximum_is_refused_whole_and_pauses_when_it_stays_so(tmp_path: Path) -> None:
    made = begun(tmp_path, config(length=length(50, 50), limits={"corrections": 1}))
    intent, before = made.next(), made.novel
    unit, token = intent.unit or "", made.claim(intent)
    for left in (1, 0):
        with pytest.raises(NovelLengthLimit) as refused:
            made.desk.weigh(unit, token, ["x" * 51], content())
        assert refused.value.details["over"] == 1
        assert (status(made) is Status.ACTIVE) == bool(left)
    assert reason(made) is Reason.LENGTH
    assert (made.end(before).head.commits, made.novel.head.characters) == (0, 0)


def test_a_hard_maximum_that_is_used_up_with_scenes_to_come_pauses_it(tmp_path: Path) -> None:
    made = begun(tmp_path, config(length=length(50, 50)))
    intent, before = made.next(), made.novel
    token = made.claim(intent)
    made.desk.commit(token, made.desk.weigh(intent.unit or "", token, ["x" * 50], content()))
    made.end(before)
    assert made.halted().reason is Reason.LENGTH
    made.ann.configure(length=length(500, 600))
    made.ann.resume()
    assert made.next().kind is WorkKind.WRITE_UNIT


def test_a_story_that_ends_too_long_for_its_target_pauses_with_the_gap(tmp_path: Path) -> None:
    made = begun(tmp_path, config(length=length(60)), chapters=1, scenes=1)
    made.write()
    made.complete()
    halt = made.halted()
    over = made.novel.head.characters - length(60).high
    assert over > 0
    assert (halt.reason, f"{over:,} characters more than" in halt.told) == (Reason.LENGTH, True)


def test_a_story_that_ends_too_short_is_planned_further_and_pauses_when_nothing_comes_of_it(tmp_path: Path) -> None:
    made = begun(tmp_path, config(length=length(5_000)), chapters=1, scenes=1)
    made.write(
        foreshadows=[{"foreshadow": made.made["key"], "move": move, "at": 0} for move in ("planted", "resolved")]
    )
    made.complete()
    intent = made.next()
    assert (intent.why, intent.chapter) == (Why.REFINE, None)
    with pytest.raises(BadInput, match="adds a scene"):
        made.desk.revise_outline(Plan(), [], "as it was", 1)
    made.end(made.novel)
    halt = made.halted()
    assert halt.reason is Reason.LENGTH
    assert "too few" in halt.told


@pytest.mark.parametrize(("language", "told"), [("en", "cannot end yet"), ("zh", "全书还不能结束")])
def test_what_must_be_taken_up_is_planned_for_after_the_last_chapter_and_named_in_the_brief(
    tmp_path: Path, language: str, told: str
) -> None:
    made = begun(tmp_path, config(language=language), chapters=1, scenes=1)
    key = made.made["key"]
    made.write(foreshadows=[{"foreshadow": key, "move": "planted", "at": 0}])
    made.complete()
    before, intent = made.novel, made.next()
    assert (intent.why, intent.chapter) == (Why.REFINE, None)
    shown = brief(made.novel, intent, Reader(made.service, made.novel_id))
    assert isinstance(shown, Brief)
    assert told in shown.text
    assert [item["id"] for item in shown.facts["due"]] == [key]
    more = {"as": "c", "title": "More", "purpose": "p", "events": ["e"], "scenes": [{"as": "s", "goal": "the key"}]}
    made.desk.revise_outline(Plan.model_validate({"chapters": [more]}), [], "the key", 1)
    made.end(before)
    made.write(foreshadows=[{"foreshadow": key, "move": "resolved", "at": 0}])
    made.complete()
    assert made.finish().head.run.status is Status.COMPLETED


def test_what_must_be_taken_up_and_was_never_planted_may_be_let_go_after_the_last_chapter(tmp_path: Path) -> None:
    made = begun(tmp_path, chapters=1, scenes=1)
    made.write()
    made.complete()
    before, intent = made.novel, made.next()
    assert intent.why is Why.REFINE
    made.desk.revise_outline(Plan(dropped_foreshadows=(made.made["key"],)), [], "no key", 1)
    made.end(before)
    assert made.finish().head.run.status is Status.COMPLETED


def test_refining_that_brings_nothing_pauses_and_names_what_must_be_taken_up(tmp_path: Path) -> None:
    made = begun(tmp_path, chapters=1, scenes=1)
    made.write()
    made.complete()
    made.next()
    made.end(made.novel)
    halt = made.halted()
    assert (halt.reason, "without what must be taken up: “the key”" in halt.told) == (Reason.STALLED, True)
    assert made.made["key"] in halt.ids
    made.ann.resume()
    assert made.next().why is Why.REFINE


def test_what_must_be_taken_up_where_the_length_has_no_room_for_it_pauses_at_once(tmp_path: Path) -> None:
    made = begun(tmp_path, config(length=length(50, 50)), chapters=1, scenes=1)
    intent, before = made.next(), made.novel
    token = made.claim(intent)
    made.desk.commit(token, made.desk.weigh(intent.unit or "", token, ["x" * 50], content()))
    made.end(before)
    made.complete()
    halt = made.halted()
    assert (halt.reason, "“the key”" in halt.told) == (Reason.LENGTH, True)
    with pytest.raises(WrongState, match="the key"):
        made.ann.resume()


def test_what_an_author_believes_completes_nothing(tmp_path: Path) -> None:
    made = begun(tmp_path, chapters=1, scenes=1)
    made.write(
        foreshadows=[{"foreshadow": made.made["key"], "move": move, "at": 0} for move in ("planted", "resolved")]
    )
    made.complete()
    intent = made.next()
    assert intent.kind is WorkKind.FINISH
    with pytest.raises(NovelNotComplete) as refused:
        made.desk.finish(made.novel.head.content_revision, 1, "cm_0000", "the end")
    assert [item["rule"] for item in refused.value.details["findings"]] == ["completion.ending"]
    assert status(made) is Status.ACTIVE


def test_a_foreshadow_that_was_dropped_keeps_nothing_from_its_end(tmp_path: Path) -> None:
    made = begun(tmp_path, chapters=1, scenes=1)
    made.write()
    made.instruct("No key.")
    made.next()
    drop = Plan(dropped_foreshadows=(made.made["key"],))
    made.desk.revise_outline(drop, made.settle(), "no key", 1)
    made.end(made.novel)
    made.complete()
    assert made.finish().head.run.status is Status.COMPLETED


def test_a_pause_of_the_kit_changes_nothing_that_a_person_paused_or_that_is_completed(tmp_path: Path) -> None:
    made = begun(tmp_path)
    pending = Halt("The reading projection is behind.", Reason.PROJECTION_PENDING, (), "Repair it, then resume.")
    made.ann.stop()
    Turns(made.service, made.seat).halt(pending)
    assert reason(made) is Reason.STOPPED
    made.ann.resume()
    made.whole()
    assert Turns(made.service, made.seat).halt(pending).novel.head.run.status is Status.COMPLETED


def test_a_turn_that_ends_late_takes_nothing_from_the_one_after_it(tmp_path: Path) -> None:
    made = begun(tmp_path)
    made.next()
    old = made.novel
    made.ann.stop()
    made.ann.resume()
    intent = made.next()
    token = made.claim(intent)
    made.end(old)
    assert made.novel.head.claimed == intent.unit
    made.desk.commit(token, made.desk.weigh(intent.unit or "", token, text(1), content()))
    assert made.novel.head.commits == 1


def test_a_turn_that_ended_can_do_nothing_more(tmp_path: Path) -> None:
    made = begun(tmp_path)
    intent = made.next()
    made.end(made.novel)
    with pytest.raises(NovelStaleUnit):
        made.claim(intent)


def test_a_limit_that_a_turn_reaches_lets_that_turn_end_however_often_it_is_asked_for(tmp_path: Path) -> None:
    made = begun(tmp_path, config(limits={"planning_turns": 2}))
    made.instruct()
    made.next()
    before = made.novel
    assert made.halted().reason is Reason.BUDGET
    assert status(made) is Status.ACTIVE
    made.desk.revise_outline(Plan(), made.settle(), "weather", 1)
    made.end(before)
    made.instruct()
    assert made.halted().reason is Reason.BUDGET
    assert status(made) is Status.PAUSED


def test_whatever_a_host_says_of_its_failure_can_be_kept(tmp_path: Path) -> None:
    made = begun(tmp_path)
    for words in ("\x1b[31mred\x00\ud800", "x" * 239 + " " + "y" * 9_000, "\n\n"):
        intent = made.next()
        made.claim(intent)
        novel = made.end(made.novel, failed=words)
        assert novel.unit(intent.unit or "").attempts[-1].end is AttemptEnd.FAILED
        Turns(made.service, made.seat).halt(Halt(words, Reason.EXTERNAL, (words,), words))
        made.ann.resume()
