"""What a turn measured, in the journal and as OpenTelemetry traces."""

from __future__ import annotations

import base64
import json
from contextlib import closing
from pathlib import Path

import pytest
from google.protobuf import json_format
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

from lantern_kit.agent import Agent
from lantern_kit.agents.chat import Usage
from lantern_kit.agents.faults import ModelBusy
from lantern_kit.agents.graph import GraphRunner
from lantern_kit.agents.ledger import keep
from lantern_kit.agents.otlp import traces
from lantern_kit.agents.turn import Request
from lantern_kit.kernel.errors import NotFound
from lantern_kit.workspace import Workspace, create_workspace
from tests.agents.scripted import Script, bytes_of, desk_at, says, seat, settled

SECRET = "sk-planted-77aa"
WORDS = "an unmistakable lantern"


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return create_workspace(tmp_path / "ws", title="Turns", owner="Mira")


def played(workspace: Workspace, turn: str = "t1", *, pause_before: tuple[str, ...] = ()) -> None:
    """A turn, measured and kept."""
    lines = [says(WORDS, ("edit", {"text": WORDS}), usage=Usage(900, 40, 512)), says(WORDS, usage=Usage(950, 12))]
    with closing(desk_at(workspace.path)) as desk, closing(GraphRunner(desk.path)) as graph:
        place = seat(Script(lines, note=WORDS), desk)
        graph.run(Request(turn, "talk", f"Make a page: {WORDS}"), place, pause_before=pause_before)
        keep(workspace.journal, turn, "lantern", workspace.clock.now(), place.meter)


def test_every_span_and_every_call_is_a_row_and_the_parts_add_up(workspace: Workspace) -> None:
    played(workspace)
    with workspace.analysis() as db:
        kinds = dict(db.execute("SELECT kind, count(*) FROM spans GROUP BY 1").fetchall())
        assert kinds == {"invoke_workflow": 1, "node": 8, "chat": 3, "retrieval": 1, "execute_tool": 1}
        rows = db.execute(
            "SELECT input, system + tools + history + retrieved, output, cached, estimated FROM tokens ORDER BY span"
        ).fetchall()
        assert rows[0] == (900, 900, 40, 512, "parts")
        assert rows[1] == (950, 950, 12, 0, "parts")
        assert rows[2][0] == rows[2][1] > 0
        assert rows[2][4] == "all"
        assert db.execute("SELECT count(*) FROM spans WHERE duration_ms > 0 AND kind = 'node'").fetchone() == (8,)


def test_going_on_with_a_turn_is_another_pass(workspace: Workspace) -> None:
    played(workspace, pause_before=("invoke",))
    played(workspace)
    played(workspace)  # it has ended: nothing more is done
    with workspace.analysis() as db:
        rows = db.execute("SELECT pass, list(name ORDER BY span) FROM spans WHERE kind = 'node' GROUP BY 1 ORDER BY 1")
        assert rows.fetchall() == [
            (1, ["route", "recall", "plan"]),
            (2, ["invoke", "plan", "assert", "reflect", "respond"]),
        ]


def test_nothing_that_was_said_is_in_the_journal(workspace: Workspace) -> None:
    played(workspace)
    workspace.journal.close()
    journal = b"".join(path.read_bytes() for path in workspace.path.glob("journal.sqlite*"))
    assert b"execute_tool" in journal
    assert WORDS.encode() not in journal


def test_a_call_that_failed_leaves_its_code_and_no_tokens(workspace: Workspace) -> None:
    def fail() -> None:
        raise ModelBusy(f"the server said {SECRET}")

    with closing(desk_at(workspace.path)) as desk, closing(GraphRunner(desk.path)) as graph:
        place = seat(Script([], before=fail), desk)
        with pytest.raises(ModelBusy):
            graph.run(Request("t1", "talk", "Make a page"), place)
        keep(workspace.journal, "t1", "lantern", workspace.clock.now(), place.meter)
        settled(desk.connection)
    with workspace.analysis() as db:
        failed = db.execute("SELECT kind, failed FROM spans WHERE failed <> '' ORDER BY span").fetchall()
        assert failed == [("invoke_workflow", "model_busy"), ("node", "model_busy"), ("chat", "model_busy")]
        assert db.execute("SELECT count(*) FROM tokens").fetchone() == (0,)
    assert SECRET.encode() not in bytes_of(workspace.path)


def test_traces_are_read_by_opentelemetrys_own_schema(workspace: Workspace) -> None:
    played(workspace, "t1")
    played(workspace, "t2")
    text = json.dumps(traces(workspace.journal))
    (resource,) = json_format.Parse(_hex_to_base64(text), TracesData()).resource_spans
    spans = resource.scope_spans[0].spans
    assert len({span.trace_id for span in spans}) == 2
    by_id = {span.span_id: span for span in spans}
    assert len(by_id) == len(spans) == 28
    for span in spans:
        assert (len(span.trace_id), len(span.span_id)) == (16, 8)
        assert span.end_time_unix_nano >= span.start_time_unix_nano > 0
        if span.parent_span_id:
            parent = by_id[span.parent_span_id]
            assert parent.trace_id == span.trace_id
            assert parent.start_time_unix_nano <= span.start_time_unix_nano
    chat = next(span for span in spans if span.name == "chat scripted")
    facts = {item.key: item.value for item in chat.attributes}
    assert facts["gen_ai.operation.name"].string_value == "chat"
    assert facts["gen_ai.usage.input_tokens"].int_value == 900
    assert facts["gen_ai.request.model"].string_value == "scripted"
    assert len(traces(workspace.journal, "t2")["resourceSpans"][0]["scopeSpans"][0]["spans"]) == 14
    assert traces(workspace.journal) == json.loads(text)
    assert WORDS not in text


def test_people_get_the_traces_of_one_turn_or_of_all(workspace: Workspace) -> None:
    agent = Agent(workspace)
    first, second = agent.ask("What waits for my verdict?"), agent.ask("What waits for my verdict?")
    (one,) = agent.traces(first)["resourceSpans"][0]["scopeSpans"]
    (both,) = agent.traces()["resourceSpans"][0]["scopeSpans"]
    assert 0 < len(one["spans"]) < len(both["spans"])
    assert len({span["traceId"] for span in both["spans"]}) == 2
    assert first.id != second.id
    with pytest.raises(NotFound):
        agent.traces("t0")


def _hex_to_base64(text: str) -> str:
    """OTLP's JSON writes ids in hex, where protobuf's own mapping wants base64."""
    document = json.loads(text)
    for span in document["resourceSpans"][0]["scopeSpans"][0]["spans"]:
        for key in ("traceId", "spanId", "parentSpanId"):
            if key in span:
                span[key] = base64.b64encode(bytes.fromhex(span[key])).decode()
    return json.dumps(document)
