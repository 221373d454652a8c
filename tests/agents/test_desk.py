"""The agents' file: broken, busy, gone or from elsewhere; and one turn at a time in it."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import ormsgpack
import pytest

from lantern_kit.agents.desk import Desk
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.react import LoopRunner
from lantern_kit.agents.turn import Outcome, Request, Runner
from lantern_kit.kernel.errors import Busy, Corrupt, LanternError, NotFound, WorkspaceProblem
from tests.agents.scripted import Bench, Script, desk_at, says, seat, settled

MAKE = Request("t1", "talk", "Make a page with two panels")


def maker() -> Script:
    return Script([says("I edit.", ("edit", {"text": "two panels"})), says("Done.")])


def test_a_file_that_is_none_of_the_agents_is_named_as_damaged_and_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "agents.sqlite").write_bytes(b"a shopping list " * 200)
    with pytest.raises(Corrupt, match="damaged") as refused:
        desk_at(tmp_path)
    assert "Move agents.sqlite away" in str(refused.value.recovery)
    assert (tmp_path / "agents.sqlite").read_bytes() == b"a shopping list " * 200


@pytest.mark.parametrize("left", [100, 4_096, 5_000, 20_000])
def test_a_file_that_was_cut_off_is_named_as_damaged(tmp_path: Path, left: int) -> None:
    with closing(desk_at(tmp_path)) as made:
        for number in range(40):
            made.begin(f"t{number}", "talk", "words " * 400)
        settled(made.connection)
        path = made.path
    path.write_bytes(path.read_bytes()[:left])

    def read() -> None:
        with closing(desk_at(tmp_path)) as cut:
            for number in range(40):
                cut.get(f"t{number}")

    with pytest.raises(Corrupt):
        read()


def test_a_folder_in_its_place_and_a_disk_that_is_full_are_said(tmp_path: Path, desk: Desk) -> None:
    (tmp_path / "other" / "agents.sqlite").mkdir(parents=True)
    with pytest.raises(WorkspaceProblem, match="cannot be used"):
        desk_at(tmp_path / "other")
    (pages,) = desk.connection.execute("PRAGMA page_count").fetchone()
    desk.connection.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(WorkspaceProblem, match="full"):
        desk.begin("t1", "talk", "words " * 40_000)


def test_a_disk_that_fills_up_stops_a_turn_which_goes_on_when_there_is_room(desk: Desk, graph: GraphRunner) -> None:
    bench = Bench()
    (pages,) = graph._saver.conn.execute("PRAGMA page_count").fetchone()
    graph._saver.conn.execute(f"PRAGMA max_page_count={pages}")
    with pytest.raises(LanternError, match="full"):
        graph.run(MAKE, seat(maker(), desk, bench))
    graph._saver.conn.execute("PRAGMA max_page_count=1000000")
    assert graph.run(MAKE, seat(maker(), desk, bench)).outcome is Outcome.MADE
    assert len(bench.effects) == 1


def test_a_file_that_stays_locked_is_busy(desk: Desk, tmp_path: Path) -> None:
    with closing(desk_at(tmp_path)) as other:
        other.connection.execute("PRAGMA busy_timeout=0")
        desk.connection.execute("BEGIN IMMEDIATE")
        with pytest.raises(Busy, match="stayed locked"):
            other.begin("t1", "talk", "words")
        desk.connection.execute("ROLLBACK")


def test_a_file_that_was_taken_away_leaves_no_turn_to_go_on_with(tmp_path: Path) -> None:
    with closing(desk_at(tmp_path)) as made, closing(GraphRunner(made.path)) as graph:
        graph.run(MAKE, seat(maker(), made), pause_before=("invoke",))
    for path in tmp_path.glob("agents.sqlite*"):
        path.unlink()
    with closing(desk_at(tmp_path)) as again, pytest.raises(NotFound):
        again.get("t1")


def test_checkpoints_that_came_from_elsewhere_run_nothing(desk: Desk, graph: GraphRunner, tmp_path: Path) -> None:
    place = seat(maker(), desk)
    graph.run(MAKE, place, pause_before=("plan",))
    mark = tmp_path / "ran"
    evil = ormsgpack.Ext(0, ormsgpack.packb(["os", "system", f"touch {mark}"]))
    rows = graph._saver.conn.execute("SELECT rowid, checkpoint FROM checkpoints").fetchall()
    for rowid, kept in rows:
        facts: dict[str, Any] = ormsgpack.unpackb(kept, ext_hook=ormsgpack.Ext)
        facts["channel_values"]["tools"] = evil
        graph._saver.conn.execute(
            "UPDATE checkpoints SET checkpoint = ? WHERE rowid = ?", (ormsgpack.packb(facts), rowid)
        )
    graph._saver.conn.commit()
    graph.seen("t1", place)
    assert not mark.exists()


@pytest.mark.parametrize("kind", ["graph", "loop"])
def test_a_turn_is_carried_out_by_one_at_a_time(desk: Desk, graph: GraphRunner, tmp_path: Path, kind: str) -> None:
    runner: Runner = graph if kind == "graph" else LoopRunner()
    bench, refused, others = Bench(), [], []

    def meanwhile() -> None:
        with closing(desk_at(tmp_path)) as other:
            try:
                runner.run(MAKE, seat(maker(), other, bench))
            except Busy as error:
                refused.append(error.ids)
            others.append(runner.run(Request(f"o{len(others)}", "talk", "What is here?"), seat(asked, other)))

    asked = Script([says("A page.")])
    turn = runner.run(MAKE, seat(Script(maker().lines, before=meanwhile), desk, bench))
    assert turn.outcome is Outcome.MADE
    assert {tuple(ids) for ids in refused} == {("t1",)}
    assert {other.outcome for other in others} == {Outcome.ANSWERED}
    assert len(bench.effects) == 1
    assert sorted(path.name for path in tmp_path.glob("agents.sqlite.*")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="nobody is kept out there")
def test_a_turn_that_a_killed_process_held_is_free(desk: Desk) -> None:
    words = (
        "import sys, os, signal; from pathlib import Path; from tests.agents.scripted import desk_at\n"
        "with desk_at(Path(sys.argv[1])).held('t1'): os.kill(os.getpid(), signal.SIGKILL)"
    )
    ended = subprocess.run([sys.executable, "-c", words, str(desk.path.parent)], check=False, cwd=Path.cwd())
    assert ended.returncode == -signal.SIGKILL
    assert list(desk.path.parent.glob("agents.sqlite.*[0-9a-f]")) != []
    with desk.held("t1"), pytest.raises(Busy), desk.held("t1"):
        pass
    with desk.held("t1"):
        pass


def test_chinese_words_lead_back_to_earlier_turns(desk: Desk, graph: GraphRunner) -> None:
    for number, words in enumerate(["画一页：小猫在屋顶上看月亮", *["画一页：火车开过桥"] * 6]):
        graph.run(Request(f"a{number}", "talk", words), seat(maker(), desk))
    chat = maker()
    graph.run(Request("t9", "talk", "把小猫画大一点"), seat(chat, desk))
    (recalled,) = [message.text for message in chat.heard[0][0] if message.retrieved]
    assert "小猫在屋顶上" in recalled


def test_what_a_model_is_told_of_a_thousand_long_turns_is_bounded(desk: Desk, graph: GraphRunner) -> None:
    with desk.connection:
        for number in range(1_000):
            desk.connection.execute(
                "INSERT INTO turns VALUES (?, 'talk', 1, 2, ?, 'made', ?, '{}')",
                (f"a{number}", "Make lanterns " * 900, "They hang. " * 9_000),
            )
    chat = maker()
    graph.run(Request("t1", "talk", "Make the lanterns taller"), seat(chat, desk))
    assert sum(len(message.text) for message in chat.heard[0][0]) < 40_000


def test_words_of_any_characters_are_kept_and_looked_for(desk: Desk, graph: GraphRunner) -> None:
    words = 'Make a \0 page " OR * NEAR( \ud800 fog \U0001f31d'
    chat = Script([says("I \0 \udfff", ("edit", {"text": "\ud800\0"})), says("Done \udc80.")], note="\ud800\0 there")
    for number in range(3):
        turn = graph.run(Request(f"t{number}", "talk", words), seat(chat, desk))
        assert (turn.outcome, turn.answer) == (Outcome.MADE, "?\0 there")
