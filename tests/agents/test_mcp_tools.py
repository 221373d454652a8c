"""Tools over a real server of the protocol, the same ones in process, and what happens when the server dies."""

from __future__ import annotations

import json
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.mcp_tools import McpTools, http, stdio
from lantern_kit.agents.tools import Fallback, Result, Tools, ToolsGone
from lantern_kit.agents.turn import Outcome, Request
from lantern_kit.assistant import NAME, READS, keyless, open_desk, seat, tools_here, tools_over_mcp
from lantern_kit.mcp_server.http import run_http
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.tokens import held_tokens
from lantern_kit.workspace import Workspace
from tests.agents.scripted import Script, says

HERE = Path(__file__).parent
PAGE = [{"op": "unit.add", "as": "page"}]


@pytest.fixture
def far(ws: Workspace) -> Iterator[McpTools]:
    with tools_over_mcp(ws) as tools:
        yield tools


def dying(ws: Workspace, when: str, name: str = NAME) -> McpTools:
    words = [str(HERE / "dying.py"), str(ws.path), when]
    return McpTools(stdio(sys.executable, words), name=name, keyless=keyless(ws))


def chapter(ws: Workspace) -> str:
    return ws.comics.chapters()[0].id


def facts(tools: Tools, name: str, /, key: str = "", **arguments: Any) -> dict[str, Any]:
    result = tools.call(name, arguments, key=key)
    assert result.ok, result.text
    found: dict[str, Any] = json.loads(result.text)
    return found


def told(result: Result) -> tuple[Result, Any]:
    """A result, its text as what it says: a receipt's has its keys in another order."""
    text = result.text
    return replace(result, text=""), json.loads(text) if text.startswith("{") else text


def drafted(tools: Tools, ws: Workspace) -> dict[str, Any]:
    made = facts(tools, "begin_draft", "b", chapter=chapter(ws))
    return {"draft": made["draft"], "expected_revision": made["revision"]}


def edits(ws: Workspace) -> int:
    """How many edits took effect, by the journal."""
    with ws.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM receipts WHERE scope LIKE 'draft.edit/%'")
        return int(rows.scalar_one())


def actors(ws: Workspace) -> list[str]:
    with ws.journal.read() as connection:
        return [row[0] for row in connection.exec_driver_sql("SELECT DISTINCT actor FROM activity").fetchall()]


def test_the_tools_here_are_those_of_the_server(ws: Workspace, far: McpTools) -> None:
    here = tools_here(ws).offered()
    assert here == far.offered()
    assert [tool.name for tool in here] == [tool.name for tool in COMIC.tools]
    assert {tool.name for tool in here if not tool.writes} >= {"outline", "read_unit", "look", "find", "check"}
    assert {tool.name for tool in here if tool.writes} >= {"begin_draft", "edit", "freeze", "manage_draft"}


def test_a_call_gives_the_same_here_and_there(ws: Workspace, far: McpTools) -> None:
    here = tools_here(ws)
    at = drafted(far, ws)
    made = facts(far, "edit", "e", operations=PAGE, **at)
    at["expected_revision"] = made["revision"]
    calls: list[tuple[str, dict[str, Any]]] = [
        ("outline", {}),
        ("outline", {"source": at["draft"], "units": None}),
        ("read_unit", {"source": at["draft"], "unit": "1"}),
        ("check", {"source": at["draft"], "notes": None}),
        ("manage_draft", {"action": "status", "draft": at["draft"]}),
        ("annotations", {"action": "list", "chapter": chapter(ws)}),
        ("find", {"source": at["draft"], "text": "page 9"}),
        ("read_unit", {"source": "d9", "unit": "1"}),
        ("edit", {**at, "operations": [{"op": "frame.ad", "target": "1"}]}),
        ("manage_draft", {"action": "discard", "draft": at["draft"], "expected_revision": "r1"}),
        ("freeze", {**at, "summary": "one page"}),
        ("freeze", {**at, "summary": "one page"}),
        ("proposals", {}),
    ]
    for place, (name, arguments) in enumerate(calls):
        there, near = (tools.call(name, arguments, key=f"k{place}") for tools in (far, here))
        assert told(there) == told(near), name
    seen = [tools.call("look", {"source": at["draft"], "unit": "1"}, key="k") for tools in (far, here)]
    assert [result.pictures for result in seen] == [1, 1]
    there, near = (json.loads(result.text) | {"view": ""} for result in seen)  # each look has a name of its own
    assert there == near


def test_a_receipt_given_there_answers_here(ws: Workspace, far: McpTools) -> None:
    at = drafted(far, ws)
    there = facts(far, "edit", "e", operations=PAGE, **at)
    assert facts(tools_here(ws), "edit", "e", operations=PAGE, **at) == there
    assert edits(ws) == 1
    assert facts(tools_here(ws, name="somebody-else"), "begin_draft", "b", chapter=chapter(ws))["draft"] != at["draft"]


def test_what_a_call_made_is_read_from_its_answer_and_never_from_a_look(ws: Workspace, far: McpTools) -> None:
    begun = far.call("begin_draft", {"chapter": chapter(ws)}, key="b")
    assert begun.made == {"draft": "d1", "revision": "r2"}
    assert far.call("manage_draft", {"action": "status", "draft": "d1"}, key="s").made == {}
    assert far.call("check", {"source": "d1"}, key="c").made == {}
    frozen = far.call("freeze", {"draft": "d1", "expected_revision": "r2", "summary": "nothing"}, key="f")
    assert (frozen.ok, frozen.made) == (False, {})


def test_refusals_are_results_and_say_what_to_call_next(ws: Workspace, far: McpTools) -> None:
    result = far.call("read_unit", {"source": chapter(ws), "unit": "7"}, key="k")
    assert (result.ok, result.code) == (False, "not_found")
    assert json.loads(result.text)["next_tool"] == "outline"
    assert far.call("apply", {"proposal": "p1"}, key="k").code == "not_found"


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_server_killed_in_an_edit_is_taken_over_here_with_one_effect(ws: Workspace, when: str) -> None:
    with dying(ws, when) as far:
        tools = Fallback(far, tools_here(ws))
        at = drafted(tools, ws)
        assert tools.notice == ""
        made = facts(tools, "edit", "e", operations=PAGE, **at)
        assert made["revision"] == "r3"
        assert "could not be reached" in tools.notice
    assert edits(ws) == 1
    status = facts(tools, "manage_draft", action="status", draft=at["draft"])
    assert [row["revision"] for row in status["log"]] == ["r3", "r2"]
    assert actors(ws) == [NAME]
    assert ws.verify().clean


def test_a_turn_whose_server_dies_ends_and_says_so(ws: Workspace) -> None:
    desk = open_desk(ws)
    graph = GraphRunner(desk.path)
    chat = Script(
        [
            says("", ("begin_draft", {"chapter": chapter(ws)})),
            says("", ("edit", {"draft": "d1", "expected_revision": "r2", "operations": PAGE})),
            says("", ("freeze", {"draft": "d1", "expected_revision": "r3", "summary": "a page"})),
            says("Done."),
        ]
    )
    with dying(ws, "after") as far:
        turn = graph.run(
            Request("t1", "talk", "Make a page"), seat(ws, chat, desk=desk, tools=Fallback(far, tools_here(ws)))
        )
    assert (turn.outcome, turn.made["proposal"]) == (Outcome.MADE, "p1")
    assert turn.notices == ("The tools' server could not be reached: they were carried out here, directly.",)
    assert edits(ws) == 1
    graph.close()
    desk.close()


@pytest.mark.parametrize(
    "server",
    [
        stdio("/no/such/program", []),
        stdio(sys.executable, ["-c", "raise SystemExit(3)"]),
        stdio(sys.executable, ["-c", "print('this is no message')"]),
        http("http://127.0.0.1:9/mcp"),
    ],
    ids=["no program", "ends at once", "speaks otherwise", "nobody listens"],
)
def test_a_server_that_is_not_there_is_gone_and_not_a_refusal(server: Callable[[], Any], ws: Workspace) -> None:
    with McpTools(server, name=NAME, patience=30) as far:
        with pytest.raises(ToolsGone):
            far.offered()
        with pytest.raises(ToolsGone):
            far.call("outline", {}, key="k")
        assert Fallback(far, tools_here(ws)).call("outline", {}, key="k").ok


def test_an_answer_that_does_not_come_is_gone_and_the_next_call_connects_anew(ws: Workspace, tmp_path: Path) -> None:
    gate = tmp_path / "gate"
    slow = stdio(sys.executable, [str(HERE.parent / "mcp_server" / "slow.py"), str(ws.path), str(gate)])
    with McpTools(slow, name=NAME, keyless=keyless(ws), patience=30) as far:
        at = drafted(far, ws)
        far._patience = 1.0
        edit = {**at, "operations": PAGE}
        with pytest.raises(ToolsGone):
            far.call("edit", edit, key="e")
        gate.touch()
        far._patience = 30.0
        assert facts(far, "edit", "e", **edit)["revision"] == "r3"
    assert edits(ws) == 1


def test_over_http_the_token_decides_what_is_offered(ws: Workspace, tmp_path: Path) -> None:
    ready, over = threading.Event(), threading.Event()
    found: dict[str, str] = {}

    def announce(url: str, tokens: Path) -> None:
        held = held_tokens(tokens)
        found.update(url=url, draft=held.draft, read=held.read)
        ready.set()

    serving = threading.Thread(
        target=run_http,
        args=(ws.path, "127.0.0.1:0"),
        kwargs={"announce": announce, "config": tmp_path / "config", "until": over.wait},
    )
    serving.start()
    try:
        assert ready.wait(60)
        for token, scopes in (("draft", None), ("read", READS)):
            headers = {"Authorization": f"Bearer {found[token]}"}
            with McpTools(http(found["url"], headers), name=NAME) as far:
                here = tools_here(ws) if scopes is None else tools_here(ws, scopes=scopes)
                assert far.offered() == here.offered()
                assert far.call("outline", {}, key="k") == here.call("outline", {}, key="k")
        wrong = McpTools(http(found["url"], {"Authorization": "Bearer wrong"}), name=NAME)
        with wrong, pytest.raises(ToolsGone):
            wrong.offered()
    finally:
        over.set()
        serving.join()


def test_nothing_that_is_a_persons_is_offered(ws: Workspace) -> None:
    names = {offer.tool.name for offer in tools_here(ws)._offers.values()}
    assert not names & {"apply", "keep", "discard", "lock", "unlock", "enrol", "resolve", "annotate"}
    reading = tools_here(ws, scopes=READS)
    assert not any(tool.writes for tool in reading.offered())
    assert reading.call("begin_draft", {"chapter": chapter(ws)}, key="b").code == "not_found"
    assert reading.call("manage_draft", {"action": "discard", "draft": "d1"}, key="b").code == "not_found"


def lying(mode: str) -> McpTools:
    return McpTools(stdio(sys.executable, [str(HERE / "liar.py"), mode]), name=NAME, patience=20)


@pytest.mark.parametrize("mode", ["endless list", "no list", "no tool", "no schema", "no answer"])
def test_a_server_that_makes_no_sense_is_gone_and_the_same_goes_on_here(ws: Workspace, mode: str) -> None:
    with lying(mode) as far:
        tools = Fallback(far, tools_here(ws))
        tools.offered()
        refused = tools.call("edit", {}, key="k")
    assert refused.code == "bad_input"  # of the kit's own tool
    assert "directly" in tools.notice


def test_a_servers_word_that_it_made_something_is_not_taken_for_it(ws: Workspace) -> None:
    chat = Script([says("", ("edit", {})), says("Proposed.")])
    with lying("claims") as far, closing(open_desk(ws)) as desk, closing(GraphRunner(desk.path)) as graph:
        assert far.call("edit", {}, key="k").made == {"proposal": "p99"}
        turn = graph.run(Request("t1", "talk", "Make a page"), seat(ws, chat, desk=desk, tools=far))
    assert (turn.outcome, turn.made) == (Outcome.NOTHING, {})
    assert "it is not there: proposal" in turn.answer


def test_a_servers_words_are_no_code() -> None:
    with lying("code") as far:
        assert far.call("edit", {}, key="k").code == "refused"
