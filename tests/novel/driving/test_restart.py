"""Waking a novel again: twice, after a crash at any point, after another process (seed 004, 12.2, 12.3, 18)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.novel.errors import NovelOwnership, NovelStaleUnit, NovelStorageCorruption, ProjectionFailed
from lantern_kit.novel.host import Order
from lantern_kit.novel.model import AttemptEnd, InstructionSource, Reason, Status
from lantern_kit.novel.offline import OfflineAuthor
from lantern_kit.novel.service import NovelService
from tests.novel.driving.rig import Crash, Odd, Projector, Rig, rig
from tests.novel.stage import outline


def crashing(service: NovelService, at: int, *, after: bool) -> Callable[..., Any]:
    """``service.step`` that ends the process at its n-th call, before or after what it does: nothing comes after it."""
    step, calls = service.step, iter(range(1, 10_000))

    def wrapped(*given: Any, **more: Any) -> Any:
        number = next(calls)
        if number > at or (number == at and not after):
            raise Crash
        made = step(*given, **more)
        if number == at:
            raise Crash
        return made

    return wrapped


def die(made: Rig, monkeypatch: pytest.MonkeyPatch, host: Odd) -> None:
    """Run until the host raises Crash, after which its process does nothing more."""
    step = made.stage.service.step

    def wrapped(*given: Any, **more: Any) -> Any:
        if more.get("cause") == "turn ended" and made.stage.novel.head.claimed is not None:
            raise Crash
        return step(*given, **more)

    with monkeypatch.context() as patched:
        patched.setattr(made.stage.service, "step", wrapped)
        with pytest.raises(Crash):
            made.driver(host).run()


def crash(order: Order) -> None:
    raise Crash


def points(folder: Path, units: int) -> int:
    """How many steps a run of so many units takes."""
    made = rig(folder)
    before = made.stage.service.head(made.stage.novel_id).revision.number
    made.driver().run(made.commits(units))
    return made.stage.service.head(made.stage.novel_id).revision.number - before


def crashed_and_gone_on(folder: Path, at: int, units: int, monkeypatch: pytest.MonkeyPatch, *, after: bool) -> Rig:
    made = rig(folder)
    with monkeypatch.context() as patched:
        patched.setattr(made.stage.service, "step", crashing(made.stage.service, at, after=after))
        with pytest.raises(Crash):
            made.driver().run(made.commits(units))
    made.driver(OfflineAuthor(1)).run(made.commits(units))
    return made


@pytest.mark.parametrize(
    "after", [pytest.param(False, id="before", marks=pytest.mark.prove), pytest.param(True, id="after")]
)
def test_a_crash_at_any_step_of_a_plan_or_a_unit_and_going_on_gives_the_same_prose_with_each_unit_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, after: bool
) -> None:
    plain = rig(tmp_path / "plain")
    plain.driver().run(plain.commits(2))
    for at in range(1, points(tmp_path / "count", 1) + 1):
        made = crashed_and_gone_on(tmp_path / f"ws{at}", at, 2, monkeypatch, after=after)
        assert made.prose == plain.prose, at
        scenes = [(unit.scene, unit.part) for unit in made.stage.novel.units.values() if unit.commit]
        assert len(scenes) == len(set(scenes))
        made.stage.close()


@pytest.mark.prove
def test_a_crash_after_any_step_of_a_whole_novel_and_going_on_gives_the_same_novel(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = rig(tmp_path / "plain")
    plain.driver().run()
    for at in range(1, points(tmp_path / "count", 1_000)):
        made = crashed_and_gone_on(tmp_path / f"ws{at}", at, 1_000, monkeypatch, after=True)
        assert made.stage.novel.head.run.status is Status.COMPLETED
        assert made.prose == plain.prose, at
        made.stage.close()


def test_a_wake_up_that_comes_twice_asks_for_the_same_work_once(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    first, second = made.driver(), made.driver()
    for _ in range(3):
        first.step()
        second.step()
    units = [unit for unit in made.stage.novel.units.values() if unit.commit]
    assert made.stage.novel.head.commits == len(units) == len({unit.scene for unit in units}) == 5


def test_work_that_was_noted_and_never_sent_is_sent_once(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.stage.turns.prepare()
    host = Odd()
    made.driver(host).run(made.commits(1))
    assert host.turns == ["outline-create", "write-unit"]
    assert made.stage.novel.head.spent.turns == 2


def test_a_unit_that_was_committed_before_its_author_heard_of_it_is_not_written_again(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    with pytest.raises(Crash):
        made.driver(Odd(committed=crash)).run()
    prose = made.prose
    made.driver().run(made.commits(2))
    assert made.prose[: len(prose)] == prose
    assert len(set(made.prose)) == len(made.prose)


def test_what_is_stored_is_looked_at_before_anybody_is_asked(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws", language="zh", cards=True)
    asset = next(iter(made.stage.novel.assets.values()))
    blob = next((tmp_path / "ws").rglob(f"*{asset.content[4:]}*"))
    blob.unlink()
    host = Odd()
    with pytest.raises(NovelStorageCorruption, match="missing"):
        made.driver(host).run()
    pause = made.stage.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.INVALID
    assert host.turns == []


def test_a_paused_novel_is_not_woken_and_what_was_under_way_is_settled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(order: Order) -> None:
        made.stage.ann.pause()
        raise Crash

    made = rig(tmp_path / "ws")
    die(made, monkeypatch, Odd(claimed=gone))
    assert made.stage.novel.head.claimed is not None
    host = Odd()
    made.driver(host).run()
    assert host.turns == []
    novel = made.stage.novel
    assert novel.head.run.status is Status.PAUSED and novel.head.claimed is None


def test_a_turn_of_before_that_may_still_run_pauses_it_and_only_a_person_lets_it_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Far(Odd):
        def running(self, turn: str) -> bool | None:
            return self.runs

        runs: bool | None = True

    made = rig(tmp_path / "ws")
    die(made, monkeypatch, Odd(claimed=crash))
    host = Far()
    made.driver(host).run()
    pause = made.stage.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.RECOVERY_REQUIRED
    assert host.turns == []
    assert [item.operation for item in made.warned] == ["recovery"]
    unit = next(iter(made.stage.novel.units.values()))
    assert unit.attempts[0].end is None
    made.stage.ann.resume()
    host.runs = False
    made.driver(host).run(made.commits(1))
    unit = made.stage.novel.unit(unit.id)
    assert [item.end for item in unit.attempts] == [AttemptEnd.LOST, AttemptEnd.COMMITTED]


def test_planning_that_an_author_left_does_nothing_more_once_it_was_taken_back(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.stage.next()
    late = made.stage.desk
    made.driver().recover()
    with pytest.raises(NovelStaleUnit):
        late.create_outline(outline(), made.stage.settle(), "late")
    assert made.stage.novel.head.outline_revision == 0


def test_projections_of_before_are_brought_up_before_the_next_turn(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.driver().run(made.commits(1))
    projector, host = Projector(), Odd()
    projector.error = ProjectionFailed("no room")
    made.driver(host, projector=projector).run()
    assert host.turns == [] and projector.asked == 1


def test_a_second_driver_of_one_novel_is_refused(tmp_path: Path) -> None:
    made = rig(tmp_path / "ws")
    made.stage.service.authors.release(made.stage.seat)
    seen: list[str] = []

    def other(order: Order) -> None:
        if not seen:
            with pytest.raises(NovelOwnership) as caught:
                made.driver(Odd(2), holder="second").run()
            seen.append(str(caught.value))

    made.driver(Odd(asked=other), holder="first").run(made.commits(1))
    assert seen
    made.driver(Odd(1), holder="second").run(made.commits(2))
    assert made.stage.novel.head.commits == 2


def test_an_instruction_taken_before_the_end_keeps_the_novel_from_it_and_one_after_it_is_refused(
    tmp_path: Path,
) -> None:
    made = rig(tmp_path / "ws", language="zh")

    def late(order: Order) -> None:
        if order.intent.kind.value == "finish" and not said:
            said.append(made.stage.ann.instruct("再来一只白鹭", message="m1")[1].id)

    said: list[str] = []
    assert made.driver(Odd(asked=late)).run().completed
    assert made.stage.novel.instruction(said[0]).settled
    with pytest.raises(Exception, match="completed and takes no more"):
        made.stage.ann.instruct("再来", message="m2", source=InstructionSource.INSTRUCTION)


CHILD = """
import sys
from lantern_kit.novel.driver import Driver
from lantern_kit.workspace import open_workspace
from tests.novel.driving.rig import Odd

def claimed(order):
    print("claimed", flush=True)
    host._stopped.wait(60)

host = Odd(1, claimed=claimed)
with open_workspace(sys.argv[1]) as ws:
    ended = Driver(ws.novel_service, host, sys.argv[2], every=0.02).run()
    print(host.cancelled, ended.moment.novel.head.run.pause.reason.value, flush=True)
"""


@pytest.fixture
def living(tmp_path: Path) -> Iterator[tuple[Rig, subprocess.Popen[str]]]:
    """A novel, and a process of its own that writes a unit of it."""
    made = rig(tmp_path / "ws")
    made.stage.service.authors.release(made.stage.seat)
    command = [sys.executable, "-c", CHILD, str(tmp_path / "ws"), made.stage.novel_id]
    root = Path(__file__).parents[3]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=root) as child:
        assert child.stdout is not None
        assert child.stdout.readline() == "claimed\n"
        yield made, child
        child.kill()


def test_a_stop_reaches_a_turn_that_runs_in_another_process(living: tuple[Rig, subprocess.Popen[str]]) -> None:
    made, child = living
    made.stage.ann.stop()
    assert child.stdout is not None
    assert child.stdout.readline() == "1 stopped\n"
    assert child.wait() == 0
    assert made.stage.service.authors.holder(made.stage.novel_id) == ""
    assert [item.end for unit in made.stage.novel.units.values() for item in unit.attempts] == [AttemptEnd.STOPPED]


def test_a_living_author_is_never_succeeded_and_a_dead_one_is(
    living: tuple[Rig, subprocess.Popen[str]],
) -> None:
    made, child = living
    with pytest.raises(NovelOwnership):
        made.driver(holder="here").run()
    made.stage.ann.pause()  # a person's word goes through all the same
    made.stage.ann.resume()
    child.kill()
    child.wait()
    made.driver(OfflineAuthor(1), holder="here").run(made.commits(1))
    attempts = [item for unit in made.stage.novel.units.values() for item in unit.attempts]
    assert [item.end for item in attempts] == [AttemptEnd.LOST, AttemptEnd.COMMITTED]
    assert [(item.operation, item.attempt) for item in made.warned] == [("recovery", attempts[0].id)]
    assert made.stage.ws.verify().clean


def test_a_seat_that_was_freed_under_a_living_author_pauses_whoever_comes_until_a_person_vouches(
    living: tuple[Rig, subprocess.Popen[str]],
) -> None:
    made, _ = living
    made.stage.ann.free()
    host = Odd(1)
    made.driver(host, holder="here").run()
    pause = made.stage.novel.head.run.pause
    assert pause is not None and pause.reason is Reason.RECOVERY_REQUIRED
    assert host.turns == []
    made.stage.ann.resume()
    made.driver(host, holder="here").run(made.commits(1))
    assert made.stage.novel.head.commits == 1
