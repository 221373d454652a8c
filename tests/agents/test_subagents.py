"""Agents that are sent: they see little, write nothing, and a report that is missing is shown as missing."""

from __future__ import annotations

import json
import logging
import traceback
from collections.abc import Iterator, Mapping
from contextlib import closing
from typing import Any

import pytest
from werkzeug import Response

from lantern_kit import assistant
from lantern_kit.agent import Agent
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.faults import ModelBusy
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.meter import TOOL, Kind, Meter
from lantern_kit.agents.offline import OfflineAssistant
from lantern_kit.agents.subagents import ANALYST, CHECKER, Errand, ReadOnly, Report, send, with_reports
from lantern_kit.agents.tools import Result, ToolsGone
from lantern_kit.agents.turn import Outcome, Request, Seat, Turn
from lantern_kit.assistant import READS, WatchedMeter, carry, open_desk, seat, sent, there, tools_here
from lantern_kit.kernel.errors import BadInput, Busy, LanternError
from lantern_kit.workspace import Workspace
from tests.agents.scripted import Bench, Script, bytes_of, says
from tests.agents.scripted import seat as scripted
from tests.agents.server import KEY, Server, chunk, streamed

ERRANDS = pytest.mark.parametrize("errand", [CHECKER, ANALYST], ids=lambda errand: errand.name)
PAGE = 'Make a page with one panel: a cat says "Here!"'


@pytest.fixture
def desk(ws: Workspace) -> Iterator[Desk]:
    with closing(open_desk(ws)) as made:
        yield made


def receipts(ws: Workspace) -> int:
    with ws.journal.read() as connection:
        return int(connection.exec_driver_sql("SELECT count(*) FROM receipts").scalar_one())


@ERRANDS
def test_one_who_is_sent_cannot_write_even_if_its_model_asks(errand: Errand, ws: Workspace, desk: Desk) -> None:
    chapter = ws.comics.chapters()[0].id
    asked: list[tuple[str, dict[str, Any]]] = [
        ("begin_draft", {"chapter": chapter, "idempotency_key": "mine"}),
        ("edit", {"draft": "d1", "expected_revision": "r2", "operations": [{"op": "unit.add"}]}),
        ("manage_draft", {"action": "discard", "draft": "d1", "expected_revision": "r2"}),
        ("freeze", {"draft": "d1", "expected_revision": "r2", "summary": "mine"}),
        ("apply", {"proposal": "p1"}),
        ("outline", {}),
    ]
    chat = Script([says("", *asked), says("I looked.")])
    before = receipts(ws)
    report = send(errand, "Look.", "t1", scripted(chat, desk), tools_here(ws))  # even of tools that could
    assert report == Report(errand.name, True, "I looked.")
    assert receipts(ws) == before
    assert [message.text.count("not_found") for message in chat.heard[1][0] if message.answers] == [1, 1, 1, 1, 1, 0]
    offered = set(chat.heard[0][1])
    assert offered == set(errand.tools)
    assert not any(tool.writes for tool in tools_here(ws).offered() if tool.name in offered)


@ERRANDS
def test_what_it_calls_is_refused_beneath_its_model_too(errand: Errand, ws: Workspace) -> None:
    chapter = ws.comics.chapters()[0].id
    tools = ReadOnly(tools_here(ws), errand.tools)
    for name in ("begin_draft", "edit", "freeze", "manage_draft", "register_asset", "annotations"):
        assert tools.call(name, {"chapter": chapter}, key="k").code == "not_allowed"
    granted = tools_here(ws, scopes=READS)
    assert granted.call("begin_draft", {"chapter": chapter}, key="k").code == "not_found"
    assert receipts(ws) == 0


@ERRANDS
def test_it_is_told_its_own_words_and_what_it_is_handed_and_nothing_of_the_talk(errand: Errand, desk: Desk) -> None:
    desk.begin("t0", "talk", "An earlier secret")
    desk.end("t0", "answered", "An earlier answer", {})
    chat = Script([says("So.")])
    send(errand, "Look at draft d1.", "t1", scripted(chat, desk), Bench())
    ((messages, _),) = chat.heard
    assert [message.text for message in messages] == [errand.instructions, "Look at draft d1."]


class Failing:
    """A model whose server is busy."""

    model = "busy"
    stand_in = False

    def complete(self, *_: object, **__: object) -> None:
        raise ModelBusy("the model's server has too many requests")


class Gone(Bench):
    """Tools whose server is gone."""

    def offered(self) -> list[Any]:
        raise ToolsGone("the tools' server is gone")

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        raise ToolsGone("the tools' server is gone")


def test_a_report_that_is_missing_is_shown_as_missing(desk: Desk) -> None:
    busy = send(CHECKER, "Look.", "t1", scripted(Failing(), desk), Bench())  # type: ignore[arg-type]
    gone = send(CHECKER, "Look.", "t2", scripted(Script([]), desk), Gone())
    silent = send(CHECKER, "Look.", "t3", scripted(Script([says("")]), desk), Bench())
    assert [report.code for report in (busy, gone, silent)] == ["model_busy", "tools_gone", "nothing"]
    assert not any(report.ok for report in (busy, gone, silent))
    turn = with_reports(Turn("t1", Outcome.MADE, "It is there.", {"proposal": "p1"}), [busy, silent])
    assert turn.outcome is Outcome.MADE
    assert "checker: The checker could not report: the model's server has too many requests." in turn.answer
    assert turn.notices == (busy.text, silent.text)


def test_a_page_that_was_made_ends_with_a_checkers_report(ws: Workspace, desk: Desk) -> None:
    place = seat(ws, OfflineAssistant(), desk=desk)
    with closing(GraphRunner(desk.path)) as graph:
        turn = carry(ws, graph, Request("t1", "talk", PAGE), place)
        assert turn.answer.endswith("checker: The check finds nothing wrong in d1.")
        again = carry(ws, graph, Request("t1", "talk", PAGE), seat(ws, OfflineAssistant(), desk=desk))
        assert again.answer == turn.answer
        alone = carry(ws, graph, Request("t1", "talk", PAGE), place, check=False)
        assert "checker" not in alone.answer
    for dispatcher in ws._dispatchers:
        dispatcher.flush()
    with ws.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT actor, tool, effect FROM activity ORDER BY id").fetchall()
    assert [tuple(row) for row in rows if row[0] == "lantern-agent-checker"] == [
        ("lantern-agent-checker", "check", "observe")
    ]


def test_a_checker_that_fails_leaves_the_proposal_and_is_shown(ws: Workspace, desk: Desk) -> None:
    class Halfway(OfflineAssistant):
        def complete(self, messages: Any, tools: Any = (), **options: Any) -> Any:
            if CHECKER.instructions in messages[0].text:
                raise ModelBusy("the model's server has too many requests")
            return super().complete(messages, tools, **options)

    with closing(GraphRunner(desk.path)) as graph:
        turn = carry(ws, graph, Request("t1", "talk", PAGE), seat(ws, Halfway(), desk=desk))
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")
    assert "The checker could not report" in turn.answer
    assert any("could not report" in notice for notice in turn.notices)


def test_an_analyst_answers_one_question_by_reading(ws: Workspace, desk: Desk) -> None:
    report = sent(ws, ANALYST, "What is in this chapter?", "t1", seat(ws, OfflineAssistant(), desk=desk))
    assert report.ok
    assert "Chelsea Goes Up, chapter 1" in report.text
    other = sent(ws, ANALYST, "What proposals are there?", "t1", seat(ws, OfflineAssistant(), desk=desk))
    assert other.text == "No proposals yet."
    again = sent(ws, ANALYST, "What is in this chapter?", "t1", seat(ws, Failing(), desk=desk))  # type: ignore[arg-type]
    assert again == report  # it is not asked a second time


def test_a_turn_is_gone_on_with_by_the_model_that_began_it_and_no_stand_in(ws: Workspace, desk: Desk) -> None:
    request = Request("t1", "talk", PAGE)
    with closing(GraphRunner(desk.path)) as graph:
        with pytest.raises(ModelBusy):
            carry(ws, graph, request, seat(ws, Failing(), desk=desk))  # type: ignore[arg-type]
        with pytest.raises(BadInput, match="begun with another model") as refused:
            carry(ws, graph, request, seat(ws, OfflineAssistant(), desk=desk))
    assert (refused.value.expected, refused.value.found) == ("busy", "offline-assistant")
    assert receipts(ws) == 0


def test_what_a_turn_took_is_in_the_journal_however_it_ends(ws: Workspace, desk: Desk) -> None:
    busy: Seat = seat(ws, Failing(), desk=desk)  # type: ignore[arg-type]
    with closing(GraphRunner(desk.path)) as graph:
        carry(ws, graph, Request("t1", "talk", PAGE), seat(ws, OfflineAssistant(), desk=desk))
        with pytest.raises(ModelBusy):
            carry(ws, graph, Request("t2", "talk", PAGE), busy)
    with ws.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT turn, name, failed FROM spans").fetchall()
    assert {row[0] for row in rows} == {"t1", "t2"}
    assert ("t2", "plan", "model_busy") in [tuple(row) for row in rows]


def test_a_watched_meter_tells_of_nodes_and_tools_as_they_begin_and_end() -> None:
    told: list[tuple[str, bool]] = []
    meter: Meter = WatchedMeter(lambda span: told.append((span.facts.get(TOOL, span.name), bool(span.end))))
    node, call = meter.span(Kind.NODE, "invoke"), meter.span(Kind.TOOL, "execute_tool edit", **{TOOL: "edit"})
    with pytest.raises(ValueError, match="no"), node, call:
        raise ValueError("no")
    assert told == [("invoke", False), ("edit", False), ("edit", True), ("invoke", True)]


def test_what_a_turn_made_is_what_the_journal_knows(ws: Workspace, desk: Desk) -> None:
    said = {"draft": "d1", "revision": "r99", "proposal": "p1", "asset": "as_00000000"}
    assert there(ws, said) == {}
    with closing(GraphRunner(desk.path)) as graph:
        made = carry(ws, graph, Request("t1", "talk", PAGE), seat(ws, OfflineAssistant(), desk=desk)).made
    assert there(ws, {**said, **made}) == made
    assert there(ws, {"draft": "d1; p1", "revision": "r1 ", "proposal": "../p1", "asset": "as_"}) == {}


def test_a_journal_that_takes_no_measures_loses_nothing_that_was_made(
    ws: Workspace, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    def busy(*_: object) -> int:
        raise Busy("the workspace stayed locked")

    monkeypatch.setattr(assistant, "keep", busy)
    with closing(GraphRunner(desk.path)) as graph:
        turn = carry(ws, graph, Request("t1", "talk", PAGE), seat(ws, OfflineAssistant(), desk=desk))
        with pytest.raises(ModelBusy):
            carry(ws, graph, Request("t2", "talk", PAGE), seat(ws, Failing(), desk=desk))  # type: ignore[arg-type]
    assert turn.made["proposal"] == "p1"
    assert turn.notices[-1] == assistant.LOST


def test_the_turn_of_one_who_was_sent_is_not_gone_on_with_by_itself(ws: Workspace, desk: Desk) -> None:
    request = Request("t1.checker.0a1b2c3d", "talk", PAGE)
    with closing(GraphRunner(desk.path)) as graph, pytest.raises(BadInput, match="no turn of its own"):
        carry(ws, graph, request, seat(ws, OfflineAssistant(), desk=desk))
    assert receipts(ws) == 0


@pytest.mark.parametrize("status", [200, 401, 500])
def test_a_key_is_in_no_file_no_error_and_nothing_that_shows_itself(
    ws: Workspace, server: Server, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    wrong = Response(f'{{"error": {{"message": "{KEY} is wrong"}}}}', status=status, content_type="application/json")
    server.answers(wrong if status != 200 else streamed(chunk({"content": "Two cats."}, "stop")))
    agent = Agent(ws, server.chat())
    shown = [repr(agent), repr(agent.chat)]
    try:
        turn = agent.ask("What is here?")
        shown += [repr(turn), str(turn._repr_mimebundle_()), str(agent.turns())]
    except LanternError as error:
        assert status != 200
        shown += [repr(error), str(error.payload()), "".join(traceback.format_exception(error))]
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in "".join(shown) + caplog.text
    assert KEY.encode() not in bytes_of(ws.path)


def test_an_analyst_answers_one_question_by_reading_and_is_told_nothing_of_the_talk(
    ws: Workspace, server: Server
) -> None:
    server.answers(streamed(chunk({"content": "Two cats, on page 1 (r2)."}, "stop")))
    agent = Agent(ws, server.chat())
    agent.ask("Remember the word marzipan.")
    report = agent.analyse("What is on page 1?")
    assert (report.name, report.ok, report.text) == ("analyst", True, "Two cats, on page 1 (r2).")
    told = server.asked[-1]
    assert "marzipan" not in json.dumps(told)
    assert {tool["function"]["name"] for tool in told["tools"]} <= set(ANALYST.tools)
    with ws.analysis() as db:
        assert db.execute("SELECT count(DISTINCT turn) FROM tokens").fetchone() == (2,)
    assert receipts(ws) == 0
    with pytest.raises(BadInput, match="nothing was asked"):
        agent.analyse(" ")


def test_an_analyst_that_brings_no_report_says_so(ws: Workspace, server: Server) -> None:
    server.answers(Response("{}", status=500, content_type="application/json"))
    report = Agent(ws, server.chat()).analyse("What is on page 1?")
    assert not report.ok
    assert report.text.startswith("The analyst could not report")
