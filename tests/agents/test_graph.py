"""The rules of the seven nodes (seed 001), each a test of its name."""

from __future__ import annotations

import importlib.util
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import langchain_core.tracers.langchain
import langsmith.utils
import pytest
from pytest_httpserver import HTTPServer

from lantern_kit.agents.chat import Said, ToolCall
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.openai_chat import OpenAIChat
from lantern_kit.agents.react import LoopRunner
from lantern_kit.agents.tools import Fallback
from lantern_kit.agents.turn import Outcome, Request, Runner
from lantern_kit.assistant import graph_at
from lantern_kit.kernel.errors import MissingDependency, NotFound
from tests.agents.scripted import Bench, Script, bytes_of, says, seat, settled

MAKE = Request("t1", "talk", "Make a page with two panels")
LOOK = Request("t1", "talk", "What is on page two?")
ALL = ["route", "recall", "plan", "invoke", "plan", "assert", "reflect", "respond"]


def maker(*, text: str = "two panels") -> Script:
    return Script([says("I edit.", ("edit", {"text": text})), says("Done.")])


def test_without_what_agents_need_it_is_said_what_to_install(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "lantern_kit.agents.graph")
    monkeypatch.setitem(sys.modules, "langgraph.graph", None)
    with pytest.raises(MissingDependency, match="not installed") as refused:
        graph_at(desk)
    assert "lantern-kit[agents]" in refused.value.recovery
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingDependency):
        OpenAIChat("small", key="sk-1")


def test_a_turn_passes_the_seven_nodes_in_their_order(graph: GraphRunner, desk: Desk) -> None:
    turn = graph.run(MAKE, seat(maker(), desk))
    assert [step["node"] for step in turn.trace] == ALL
    assert (turn.outcome, turn.answer, turn.made) == (Outcome.MADE, "It is there.", {"draft": "d1", "revision": "r1"})


def test_route_and_recall_ask_no_model(graph: GraphRunner, desk: Desk) -> None:
    chat = maker()
    turn = graph.run(MAKE, seat(chat, desk), pause_before=("plan",))
    assert (turn.outcome, turn.waits) == (Outcome.PAUSED, "plan")
    assert chat.heard == []


def test_plan_is_the_only_node_that_is_told_of_tools_and_reflect_has_none(graph: GraphRunner, desk: Desk) -> None:
    chat = maker()
    graph.run(MAKE, seat(chat, desk))
    assert [bool(tools) for _, tools in chat.heard] == [True, True, False]


def test_tools_are_chosen_before_the_model_sees_them(graph: GraphRunner, desk: Desk) -> None:
    chat = Script([says("Two cats.")])
    turn = graph.run(LOOK, seat(chat, desk))
    ((_, tools),) = chat.heard
    assert tools == ["look"]
    assert (turn.outcome, turn.answer) == (Outcome.ANSWERED, "Two cats.")


def test_a_tool_that_was_not_chosen_cannot_be_called(graph: GraphRunner, desk: Desk) -> None:
    bench = Bench()
    chat = Script([says("", ("edit", {"text": "x"})), says("I may not.")])
    turn = graph.run(LOOK, seat(chat, desk, bench))
    assert bench.calls == []
    assert turn.outcome is Outcome.ANSWERED


def test_nothing_came_out_is_an_edge_of_its_own_and_is_said(graph: GraphRunner, desk: Desk) -> None:
    chat = Script([says("", ("edit", {"text": "wrong"})), says("I made a wonderful page!")])
    turn = graph.run(MAKE, seat(chat, desk))
    assert [step["node"] for step in turn.trace] == ["route", "recall", "plan", "invoke", "plan", "assert", "respond"]
    assert turn.outcome is Outcome.NOTHING
    assert turn.answer.startswith("Nothing came out this time. The last refusal: the words are wrong")
    assert chat.notes == 0


def test_a_promise_is_kept_by_what_was_made_and_not_by_what_is_said(graph: GraphRunner, desk: Desk) -> None:
    request = Request("t1", "talk", "a page", promise="proposal")
    turn = graph.run(request, seat(maker(), desk))
    assert turn.outcome is Outcome.NOTHING
    chat = Script([says("", ("edit", {"text": "x"}), ("freeze", {})), says("Frozen.")])
    turn = graph.run(Request("t2", "talk", "a page", promise="proposal"), seat(chat, desk))
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")


def test_results_go_to_the_next_decision(graph: GraphRunner, desk: Desk) -> None:
    chat = maker()
    graph.run(MAKE, seat(chat, desk))
    told = chat.heard[1][0]
    assert [message.role.value for message in told] == ["system", "user", "assistant", "tool"]
    assert told[2].calls[0].name == "edit"
    assert '"revision": "r1"' in told[3].text


def test_a_model_that_never_ends_is_ended(graph: GraphRunner, desk: Desk) -> None:
    chat = Script([says("", ("look", {"unit": "1"}))] * 9)
    turn = graph.run(LOOK, seat(chat, desk, rounds=5))
    assert chat.decided == 5
    assert turn.outcome is Outcome.NOTHING


def test_the_state_holds_no_text_and_checkpoints_stay_small(graph: GraphRunner, desk: Desk, tmp_path: Path) -> None:
    words = "an unmistakable sentence about lanterns " * 400
    chat = Script([says(words, ("edit", {"text": words})), says(words)], note=words)
    graph.run(Request("t1", "talk", f"Make a page: {words}"), seat(chat, desk))
    rows = desk.connection.execute("SELECT checkpoint, metadata FROM checkpoints").fetchall()
    rows += desk.connection.execute("SELECT value, '' FROM writes").fetchall()
    kept = [bytes(part) if isinstance(part, bytes) else str(part).encode() for row in rows for part in row]
    assert not any(b"unmistakable" in part for part in kept)
    assert sum(map(len, kept)) < 40_000


def test_a_credential_is_nowhere_on_disk(graph: GraphRunner, desk: Desk, tmp_path: Path) -> None:
    chat = maker()
    chat.key = "sk-planted-0f3b"  # type: ignore[attr-defined]
    graph.run(MAKE, seat(chat, desk))
    settled(desk.connection)
    kept = bytes_of(tmp_path)
    assert b"two panels" in kept
    assert b"sk-planted" not in kept


def test_a_turn_pauses_before_a_node_and_goes_on(graph: GraphRunner, desk: Desk) -> None:
    bench, chat = Bench(), maker()
    place = seat(chat, desk, bench)
    turn = graph.run(MAKE, place, pause_before=("invoke",))
    assert (turn.outcome, turn.waits, bench.effects) == (Outcome.PAUSED, "invoke", {})
    turn = graph.run(MAKE, place)
    assert (turn.outcome, len(bench.effects)) == (Outcome.MADE, 1)
    assert graph.trace("t1", place) == ALL


def test_going_back_runs_a_node_again_without_a_second_effect(graph: GraphRunner, desk: Desk) -> None:
    bench, chat = Bench(), maker()
    place = seat(chat, desk, bench)
    graph.run(MAKE, place)
    turn = graph.back_to("t1", "invoke", place)
    assert turn.outcome is Outcome.MADE
    assert len(bench.effects) == 1
    assert len(bench.calls) == 2
    with pytest.raises(NotFound, match="never came to dream"):
        graph.back_to("t1", "dream", place)


def test_checkpoints_of_ended_turns_stay_for_the_last_twenty_and_of_waiting_ones_for_good(
    graph: GraphRunner, desk: Desk
) -> None:
    waiting = Request("waits", "talk", "Make a page")
    graph.run(waiting, seat(maker(), desk), pause_before=("invoke",))
    for number in range(23):
        graph.run(Request(f"t{number:02}", "talk", "What is here?"), seat(Script([says("A page.")]), desk))
    assert graph.held() == [*(f"t{number:02}" for number in range(3, 23)), "waits"]
    again = graph.run(Request("t00", "talk", "What is here?"), seat(Script([]), desk))
    assert (again.outcome, again.answer) == (Outcome.ANSWERED, "A page.")
    assert graph.run(waiting, seat(maker(), desk)).outcome is Outcome.MADE


def test_a_turn_that_ended_is_not_run_again(graph: GraphRunner, desk: Desk) -> None:
    bench, chat = Bench(), maker()
    place = seat(chat, desk, bench)
    first = graph.run(MAKE, place)
    assert graph.run(MAKE, place) == first
    assert (chat.decided, len(bench.calls)) == (2, 1)


@pytest.mark.parametrize("at", range(8))
def test_a_turn_killed_before_any_node_goes_on_without_repeating_a_write(
    desk: Desk, graph: GraphRunner, at: int
) -> None:
    class Killed(BaseException):
        """As if the process ended here."""

    passes = iter(range(99))

    def alive() -> None:
        if next(passes) == at:
            raise Killed

    bench, chat = Bench(), maker()
    with pytest.raises(Killed):
        graph.run(MAKE, seat(chat, desk, bench, alive=alive))
    with closing(GraphRunner(desk.path)) as again:
        turn = again.run(MAKE, seat(chat, desk, bench))
    assert turn.outcome is Outcome.MADE
    assert len(bench.effects) == 1
    assert [step["node"] for step in turn.trace] == ALL


@pytest.mark.parametrize("at", range(2, 10))
def test_a_turn_killed_after_a_node_and_before_its_checkpoint_goes_on(
    desk: Desk, graph: GraphRunner, at: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Killed(BaseException):
        """As if the process ended here."""

    kept, passes = graph._saver.put, iter(range(1, 99))

    def put(*args: object) -> object:
        if next(passes) == at:
            raise Killed
        return kept(*args)

    bench, chat = Bench(), maker()
    monkeypatch.setattr(graph._saver, "put", put)
    with pytest.raises(Killed):
        graph.run(MAKE, seat(chat, desk, bench))
    with closing(GraphRunner(desk.path)) as again:
        place = seat(chat, desk, bench)
        assert again.seen("t1", place).outcome is Outcome.PAUSED
        assert again.run(MAKE, place).outcome is Outcome.MADE
        assert again.trace("t1", place) == ALL
    assert len(bench.effects) == 1


def test_a_lost_answer_is_fetched_directly_with_the_same_key_and_said(graph: GraphRunner, desk: Desk) -> None:
    far, near = Bench(lose_answer=True), Bench()
    near.effects = far.effects  # one journal
    turn = graph.run(MAKE, seat(maker(), desk, Fallback(far, near)))
    assert turn.outcome is Outcome.MADE
    assert len(far.effects) == 1
    assert turn.notices == ("The tools' server could not be reached: they were carried out here, directly.",)


def test_a_stand_in_says_so(graph: GraphRunner, desk: Desk) -> None:
    chat = maker()
    chat.stand_in = True
    assert graph.run(MAKE, seat(chat, desk)).notices == ("scripted is no model: it stands in for one, offline.",)


def test_earlier_turns_of_a_thread_come_back_when_words_lead_to_them(graph: GraphRunner, desk: Desk) -> None:
    for number, words in enumerate(["Make a page about a lighthouse keeper", *["Make a page about trains"] * 5]):
        graph.run(Request(f"a{number}", "talk", words), seat(maker(), desk))
    graph.run(Request("b0", "other", "Make a lighthouse keeper of another talk"), seat(maker(), desk))
    chat = maker()
    graph.run(Request("t9", "talk", "Make the lighthouse taller"), seat(chat, desk))
    recalled = [message.text for message in chat.heard[0][0] if message.retrieved]
    assert len(recalled) == 1
    assert "lighthouse keeper" in recalled[0]
    assert sum(message.role.value == "assistant" for message in chat.heard[0][0]) == 4


@pytest.mark.parametrize("kind", ["graph", "loop"])
def test_the_same_task_through_either_runner_makes_the_same(
    desk: Desk, kind: str, request: pytest.FixtureRequest
) -> None:
    runner: Runner = request.getfixturevalue("graph") if kind == "graph" else LoopRunner()
    bench = Bench()
    chat = Script([says("", ("look", {"unit": "1"})), says("", ("edit", {"text": "x"}), ("freeze", {})), says("So.")])
    turn = runner.run(MAKE, seat(chat, desk, bench))
    assert (turn.outcome, turn.made) == (Outcome.MADE, {"draft": "d1", "revision": "r1", "proposal": "p1"})
    assert [name for name, _ in bench.calls] == ["look", "edit", "freeze"]
    nothing = runner.run(Request("t2", "talk", "Make a page"), seat(Script([says("Done!")]), desk))
    assert nothing.outcome is (Outcome.NOTHING if kind == "graph" else Outcome.ANSWERED)


def test_no_environment_makes_a_turn_leave_the_machine(
    graph: GraphRunner, desk: Desk, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("LANGSMITH_TRACING", "LANGSMITH_TRACING_V2", "LANGCHAIN_TRACING_V2"):
        monkeypatch.setenv(name, "true")
    for name in ("LANGSMITH", "LANGCHAIN"):
        monkeypatch.setenv(f"{name}_ENDPOINT", httpserver.url_for(""))
        monkeypatch.setenv(f"{name}_API_KEY", "ls-planted")
    langsmith.utils.get_env_var.cache_clear()
    traced = langchain_core.tracers.langchain.wait_for_all_tracers
    graph.run(MAKE, seat(maker(), desk))
    traced()
    assert httpserver.log == []


def test_a_tool_that_claims_what_is_not_there_made_nothing(graph: GraphRunner, desk: Desk) -> None:
    chat = Script([says("", ("edit", {"text": "x"}), ("freeze", {})), says("Proposed.")])
    place = seat(chat, desk, witness=lambda made: {})
    turn = graph.run(MAKE, place)
    assert (turn.outcome, turn.made, chat.notes) == (Outcome.NOTHING, {}, 0)
    assert turn.trace[-2]["told"] == "nothing, not there: draft, revision, proposal"
    assert "it is not there: draft, revision, proposal" in turn.answer


def test_a_tools_name_that_a_model_made_up_is_in_no_state_and_no_measure(graph: GraphRunner, desk: Desk) -> None:
    name = "approve p1; the key is sk-planted-77"
    chat = Script([says("", (name, {"text": "x"})), says("I may not.")])
    place = seat(chat, desk)
    assert graph.run(MAKE, place).outcome is Outcome.NOTHING
    assert chat.heard[1][0][2].calls[0].name == name  # the model is told what it said
    rows = desk.connection.execute("SELECT checkpoint, metadata FROM checkpoints").fetchall()
    assert not any(b"sk-planted" in bytes(part) for row in rows for part in row)
    assert "sk-planted" not in str(place.meter.spans)


def test_calls_in_a_note_are_not_carried_out(graph: GraphRunner, desk: Desk) -> None:
    class Eager(Script):
        def complete(self, messages: Any, tools: Any = (), **options: Any) -> Said:
            said = super().complete(messages, tools, **options)
            return said if tools else says("", ("freeze", {}))

    bench = Bench()
    turn = graph.run(MAKE, seat(Eager(maker().lines), desk, bench))
    assert [name for name, _ in bench.calls] == ["edit"]
    assert (turn.outcome, turn.answer) == (Outcome.MADE, "Done.")


def test_an_empty_answer_is_nothing_and_is_said(graph: GraphRunner, desk: Desk) -> None:
    turn = graph.run(LOOK, seat(Script([says("  ")]), desk))
    assert (turn.outcome, turn.answer) == (Outcome.NOTHING, "Nothing came out this time.")


def test_calls_with_one_id_are_each_carried_out_and_answered(graph: GraphRunner, desk: Desk) -> None:
    bench = Bench()
    calls = tuple(ToolCall("same", "edit", {"text": text}) for text in "abc")
    chat = Script([Said("", calls, "tool_calls"), says("Done.")])
    graph.run(MAKE, seat(chat, desk, bench))
    assert len(bench.effects) == 3
    told = chat.heard[1][0]
    assert [call.id for call in told[2].calls] == [message.answers for message in told[3:]]
    assert len({call.id for call in told[2].calls}) == 3


def test_the_seat_is_each_turns_own_and_not_the_graphs(graph: GraphRunner, desk: Desk) -> None:
    first, second = maker(), maker()
    graph.run(MAKE, seat(first, desk), pause_before=("plan",))
    graph.run(MAKE, seat(second, desk))
    graph.run(Request("t2", "talk", "Make a page"), seat(first, desk))
    assert (second.decided, first.decided) == (2, 2)  # a key that was changed is the one that pays


def test_nothing_is_tried_a_second_time_behind_ones_back(graph: GraphRunner, desk: Desk) -> None:
    bench = Bench()
    chat = Script([says("", ("edit", {"text": "wrong"})), says("It did not work.")])
    turn = graph.run(MAKE, seat(chat, desk, bench))
    assert (turn.outcome, chat.decided, len(bench.calls), bench.effects) == (Outcome.NOTHING, 2, 1, {})
