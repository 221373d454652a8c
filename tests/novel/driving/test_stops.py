"""The driver's rows of seed 004, 13: what each stop and each error does to a run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.kernel.errors import BadInput
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.errors import NovelCapability, NovelOwnership, ProjectionFailed
from lantern_kit.novel.host import Guarantee, HostFailed, HostReport, Order, Row
from lantern_kit.novel.model import Approval, AttemptEnd, InstructionState, Reason, Status, UnitState
from lantern_kit.novel.steps import logged
from tests.novel.driving.rig import Odd, Projector, Reported, Rig, rig


def reason(made: Rig) -> Reason:
    pause = made.stage.novel.head.run.pause
    assert pause is not None
    return pause.reason


def test_when_all_that_completes_it_holds_the_run_ends_completed_and_its_author_is_not_woken_again(
    tmp_path: Path,
) -> None:
    made = rig(tmp_path / "ws", language="zh")
    host = Odd()
    assert made.driver(host).run().completed
    asked = len(host.turns)
    assert host.turns[0] == "outline-create" and host.turns[-1] == "finish"
    again = made.driver(host).run()
    assert again.completed and again.steps == 1
    assert len(host.turns) == asked


def test_a_requested_pause_lets_the_claimed_unit_end_and_asks_for_no_other(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    host = Odd(claimed=lambda order: made.stage.ann.pause() and None)
    made.driver(host).run()
    assert reason(made) is Reason.REQUESTED
    assert made.stage.novel.head.commits == 1
    assert host.turns == ["outline-create", "write-unit"]
    assert host.cancelled == 0


def test_a_pause_between_work_that_is_prepared_and_its_author_asks_nobody_for_it(tmp_path: Path) -> None:
    def paused(report: HostReport) -> HostReport:
        intent = made.stage.novel.head.run.intent
        if intent is not None and intent.unit is not None:
            made.stage.ann.pause()
        return report

    made = rig(tmp_path / "ws")
    host = Reported(paused)
    pause = made.driver(host).run().moment.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.REQUESTED
    assert host.turns == ["outline-create"]


def test_a_stop_is_noticed_in_the_middle_of_a_turn_and_its_author_told_to_end(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")

    def stopped(order: Order) -> None:
        made.stage.ann.stop()
        assert host._stopped.wait(10)  # nothing but the watch tells it

    host = Odd(claimed=stopped)
    made.driver(host).run()
    assert reason(made) is Reason.STOPPED
    assert host.cancelled == 1
    unit = next(iter(made.stage.novel.units.values()))
    assert unit.commit is None
    assert unit.attempts[0].end is AttemptEnd.STOPPED
    spent = made.stage.novel.head.spent
    assert (spent.failures, spent.stalled) == (0, 0)


def test_a_commit_that_comes_before_a_stop_stays(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    host = Odd(committed=lambda order: made.stage.ann.stop() and None)
    made.driver(host).run()
    assert reason(made) is Reason.STOPPED
    assert made.stage.novel.head.commits == 1


def test_after_a_stop_neither_an_instruction_nor_a_restart_lets_it_go_on(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.driver().run(made.commits(1))
    made.stage.ann.stop()
    made.stage.ann.instruct("Go on.", message="m1")
    host = Odd()
    made.driver(host).run()
    assert host.turns == []
    made.stage.ann.resume()
    made.driver(host).run(made.commits(2))
    assert host.turns[0] == "outline-revise"


def test_an_outline_that_waits_for_approval_ends_the_run_before_any_prose(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", approval=Approval.MANUAL)
    made.driver().run()
    assert reason(made) is Reason.AWAITING_APPROVAL
    assert made.stage.novel.head.commits == 0
    made.stage.ann.approve(1)
    made.driver().run(made.commits(1))
    assert made.stage.novel.head.commits == 1


def test_a_failure_that_may_pass_is_tried_again_with_a_warning_and_longer_waits_then_pauses_with_the_last_error(
    tmp_path: Path,
) -> None:
    made = rig(tmp_path / "ws")
    failures = iter(range(1, 100))

    def failing(order: Order) -> None:
        raise HostFailed(f"no answer {next(failures)}", status=503, usage=Usage(0, 1, 7, 0))

    ended = made.driver(Odd(claimed=failing)).run()
    assert reason(made) is Reason.EXTERNAL
    assert ended.error is not None and ended.error.message == "no answer 3"
    assert "no answer 3" in str(ended.moment.novel.head.run.pause)
    assert [(item.code, item.tries, item.wait) for item in made.warned] == [
        ("host_failed", 1, 2_000),
        ("host_failed", 2, 4_000),
        ("host_failed", 3, 0),
    ]
    assert all(item.unit and item.attempt and item.turn and item.revision for item in made.warned)
    assert sum(made.waits) == 6
    assert made.stage.novel.head.spent.input_tokens == 21
    unit = next(iter(made.stage.novel.units.values()))
    assert [item.end for item in unit.attempts] == [AttemptEnd.FAILED] * 3
    made.stage.ann.resume()
    made.driver().run(made.commits(1))
    assert made.stage.novel.head.commits == 1
    assert made.stage.novel.head.spent.input_tokens == 21


def test_a_failure_that_passes_leaves_no_trace_in_the_prose(tmp_path: Path) -> None:
    plain, odd = rig(tmp_path / "a"), rig(tmp_path / "b")
    plain.driver().run(plain.commits(2))
    once = iter([HostFailed("a moment")])

    def failing(order: Order) -> None:
        for error in once:
            raise error

    odd.driver(Odd(claimed=failing)).run(odd.commits(2))
    assert odd.prose == plain.prose


def test_a_warning_is_put_into_the_log_with_each_fact_apart_and_none_of_the_story(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    made = rig(tmp_path / "ws", limits={"failures": 1})

    def failing(order: Order) -> None:
        raise HostFailed("no answer")

    driver = made.driver(Odd(claimed=failing))
    driver._warn = logged
    driver.run()
    (record,) = caplog.records
    assert record.getMessage() == "novel: turn"
    facts = {name: value for name, value in vars(record).items() if name.startswith("novel_")}
    assert facts["novel_novel"] == made.stage.novel_id
    assert facts["novel_code"] == "host_failed"
    assert facts["novel_unit"] in made.stage.novel.units


def test_an_instruction_that_comes_while_a_unit_is_written_waits_for_its_commit_and_no_longer(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    said: list[Any] = []

    def meanwhile(order: Order) -> None:
        if not said:
            said.append(made.stage.ann.instruct("a heron on the roof", message="m1")[1])

    host = Odd(claimed=meanwhile)
    made.driver(host).run(made.commits(2))
    assert host.turns == ["outline-create", "write-unit", "outline-revise", "write-unit"]
    assert said[0].during == next(iter(made.stage.novel.units))
    assert not any("heron" in text for text in made.prose[:3])


def test_an_instruction_that_comes_after_a_commit_is_dealt_with_before_the_next_work(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")

    def after(order: Order) -> None:
        made.stage.ann.instruct("a heron on the roof", message="m1")

    host = Odd(committed=after)
    made.driver(host).run(made.commits(2))
    assert host.turns == ["outline-create", "write-unit", "outline-revise", "write-unit"]


def test_a_pause_during_a_wait_ends_the_wait(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", limits={"retries": {"attempts": 3, "wait_ms": 600_000}})
    driver = made.driver(Odd(asked=lambda order: (_ for _ in ()).throw(HostFailed("no"))))
    driver._sleep = lambda seconds: made.stage.ann.stop() and None
    driver.run()
    assert reason(made) is Reason.STOPPED


@pytest.mark.parametrize("error", [BadInput("that is no plan"), ValueError("a bug of the host's")])
def test_what_trying_again_does_not_mend_is_told_at_once_and_not_tried_again(tmp_path: Path, error: Exception) -> None:
    made = rig(tmp_path / "ws")

    def wrong(order: Order) -> None:
        raise error

    host = Odd(asked=wrong)
    ended = made.driver(host).run()
    assert reason(made) is Reason.INVALID
    assert ended.error is not None and len(host.turns) == 1
    assert made.waits == []


def test_prose_that_is_damaged_stops_the_run_and_says_which(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.driver().run(made.commits(2))
    commit = next(iter(made.stage.novel.commits.values())).commit
    assert commit is not None
    blob = next((tmp_path / "ws").rglob(f"*{commit.body[4:]}*"))
    blob.chmod(0o644)
    blob.write_bytes(b"something else\n")
    host = Odd()
    ended = made.driver(host).run()
    assert reason(made) is Reason.INVALID
    assert ended.error is not None and ended.error.code == "novel_storage_corruption"
    assert made.stage.novel.head.commits == 2


def test_an_author_who_brings_nothing_forward_is_stalled(tmp_path: Path) -> None:
    class Idle(Odd):
        def work(self, order: Order) -> Usage:
            self.turns.append(order.intent.kind.value)
            return Usage(0)

    made, host = rig(tmp_path / "ws", limits={"stalled": 4}), Idle()
    made.driver(host).run()
    assert reason(made) is Reason.STALLED
    assert len(host.turns) == 4


@pytest.mark.parametrize("limits", [{"turns": 4}, {"minutes": 1}, {"tokens": 100}])
def test_a_limit_that_is_reached_pauses_before_the_next_turn(tmp_path: Path, limits: dict[str, int]) -> None:
    class Costly(Odd):
        def work(self, order: Order) -> Usage:
            super().work(order)
            return Usage(20_000, 1, 20, 15)

    made = rig(tmp_path / "ws", limits=limits)
    made.driver(Costly()).run()
    assert reason(made) is Reason.BUDGET
    assert 3 <= made.stage.novel.head.spent.turns <= 4
    spent = made.stage.novel.head.spent
    with pytest.raises(Exception, match="cannot go on"):
        made.stage.ann.resume()
    assert made.stage.novel.head.spent == spent


def test_a_projection_that_fails_pauses_and_on_going_on_only_it_is_tried_again(tmp_path: Path) -> None:
    made, host, projector = rig(tmp_path / "ws"), Odd(), Projector()
    made.driver(host, projector=projector).run(made.commits(1))
    projector.error = ProjectionFailed("the disk is full")
    made.driver(host, projector=projector).run(made.commits(2))
    assert reason(made) is Reason.PROJECTION_PENDING
    turns, prose = len(host.turns), made.prose
    made.stage.ann.resume()
    made.driver(host, projector=projector).run()
    assert reason(made) is Reason.PROJECTION_PENDING
    assert len(host.turns) == turns
    projector.error = None
    made.stage.ann.resume()
    made.driver(host, projector=projector).run(made.commits(2))
    assert made.prose[: len(prose)] == prose
    units = [unit for unit in made.stage.novel.units.values() if unit.state is UnitState.COMMITTED]
    assert [len(unit.attempts) for unit in units] == [1, 1]


def without(guarantee: Guarantee) -> Any:
    def change(report: HostReport) -> HostReport:
        rows = [
            Row(guarantee, ok=False, reason=f"no {guarantee}") if row.guarantee is guarantee else row
            for row in report.rows
        ]
        return replace(report, rows=tuple(rows))

    return change


@pytest.mark.parametrize(
    "guarantee", [Guarantee.FOLLOWUP, Guarantee.BARRIER, Guarantee.PERMISSIONS, Guarantee.PERSISTENCE]
)
def test_a_host_that_lacks_what_a_novel_needs_is_refused_with_its_reason_and_nothing_is_touched(
    tmp_path: Path, guarantee: Guarantee
) -> None:
    made = rig(tmp_path / "ws")
    before = made.stage.service.head(made.stage.novel_id).id
    with pytest.raises(NovelCapability, match=f"no {guarantee}") as caught:
        made.driver(Reported(without(guarantee))).run()
    assert caught.value.details["host"]["guarantees"][guarantee]["ok"] is False
    assert made.stage.service.head(made.stage.novel_id).id == before


def test_a_limit_of_tokens_is_refused_with_a_host_that_cannot_count_them(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", limits={"tokens": 1_000})
    host = Reported(lambda report: replace(report, counts_tokens=False))
    with pytest.raises(NovelCapability, match="limit of tokens"):
        made.driver(host).run()
    free = rig(tmp_path / "free")
    free.driver(host).run(free.commits(1))
    free.stage.ann.configure(limits={"tokens": 1_000})

    with pytest.raises(NovelCapability):
        free.driver(host).run()


def test_a_limit_of_tokens_that_is_set_during_a_run_pauses_it_with_a_host_that_cannot_count(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    host = Reported(
        lambda report: replace(report, counts_tokens=False),
        committed=lambda order: made.stage.ann.configure(limits={"tokens": 1_000}) and None,
    )
    made.driver(host).run()
    assert reason(made) is Reason.CAPABILITY
    assert made.stage.novel.head.commits == 1


def test_what_an_author_must_be_told_and_has_no_room_for_pauses_with_its_name(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.stage.ann.instruct("And again a heron. " * 300, message="m1")
    made.driver(Reported(lambda report: replace(report, room=4_000))).run()
    assert reason(made) is Reason.CAPABILITY
    assert "requirements" in str(made.stage.novel.head.run.pause)  # planning goes on with their beginnings
    assert made.stage.novel.head.commits == 0
    made.stage.ann.resume()
    made.driver().run(made.commits(1))
    assert made.stage.novel.head.commits == 1


def test_an_interrupted_run_gives_back_its_seat_and_its_unit_and_counts_against_nobody(tmp_path: Path) -> None:
    def interrupted(order: Order) -> None:
        raise KeyboardInterrupt

    made = rig(tmp_path / "ws")
    made.stage.service.authors.release(made.stage.seat)
    with pytest.raises(KeyboardInterrupt):
        made.driver(Odd(claimed=interrupted), holder="a").run()
    assert made.stage.service.authors.holder(made.stage.novel_id) == ""
    novel = made.stage.novel
    assert novel.head.claimed is None and novel.head.run.status is Status.ACTIVE
    assert (novel.head.spent.failures, novel.head.spent.stalled) == (0, 0)
    assert made.driver(holder="b").run(made.commits(1)).steps == 1


def test_a_seat_that_is_freed_during_a_turn_ends_the_turn_without_a_word(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    with pytest.raises(NovelOwnership):
        made.driver(Odd(claimed=lambda order: made.stage.ann.free())).run()
    assert made.stage.novel.head.commits == 0


def test_an_instruction_that_comes_before_the_claim_is_dealt_with_first(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    said: list[str] = []

    def early(order: Order) -> None:
        if order.intent.unit is not None and not said:
            said.append(made.stage.ann.instruct("a heron on the roof", message="m1")[1].id)

    host = Odd(asked=early)
    made.driver(host).run(made.commits(1))
    assert host.turns == ["outline-create", "write-unit", "outline-revise", "write-unit"]
    assert made.stage.novel.instruction(said[0]).state is InstructionState.APPLIED
    assert made.stage.novel.head.spent.stalled == 0
