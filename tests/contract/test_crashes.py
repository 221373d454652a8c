"""A server that is killed, a host that waits no longer, two hosts with one key: a write happens once or not at all.

Each writing capability that is registered is called with its example, by the protocol, in a process of its own.
"""

from __future__ import annotations

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from lantern_kit.comic.capabilities import CAPABILITIES
from lantern_kit.kernel.capability import Capability, Dispatcher
from lantern_kit.kernel.errors import IdempotencyConflict, LanternError
from lantern_kit.kernel.squeeze import unsqueeze
from lantern_kit.workspace import open_workspace
from tests.contract.host import Client, Lost, data_of
from tests.contract.server import ANSWERED, ASKED, COMMITTED, WORKED_OUT, WRITTEN, Point, Stops
from tests.contract.stage import AGENT, ALL, Stage, content, counted
from tests.contract.test_refusals import asked_of

WRITES = [item for item in CAPABILITIES if item.writes]
EVERY_WRITE = pytest.mark.parametrize("capability", WRITES, ids=lambda item: item.name)
ALWAYS = {"asset.register", "candidate.adopt", "draft.edit"}
SOME_WRITES = pytest.mark.parametrize(
    "capability",
    [pytest.param(item, marks=() if item.name in ALWAYS else pytest.mark.prove, id=item.name) for item in WRITES],
)
"""A few in the usual run, every one in the proof."""


def events(folder: Path, capability: str) -> list[str]:
    """Outcomes of the calls of a capability that activity tells of, since the stage was made."""
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        rows = journal.execute("SELECT outcome FROM activity WHERE capability = ? ORDER BY id", (capability,))
        return [outcome for (outcome,) in rows]


def stored(folder: Path) -> dict[str, Any]:
    """The answer of the newest receipt."""
    with closing(sqlite3.connect(folder / "journal.sqlite")) as journal:
        (answer,) = journal.execute("SELECT answer FROM receipts ORDER BY rowid DESC LIMIT 1").fetchone()
    found: dict[str, Any] = json.loads(unsqueeze(answer))
    return found


class Clean:
    """What a write comes to when nothing goes wrong."""

    def __init__(self, stage: Stage, folder: Path, capability: Capability) -> None:
        self.example = stage.fill(asked_of(capability.name))
        stops = Stops(Point("nowhere"))
        with pytest.MonkeyPatch.context() as patch:
            stops.install(patch.setattr)
            with open_workspace(stage.copied(folder)) as ws:
                self.reply = ws.dispatcher().dispatch(capability.name, self.example, actor=AGENT, scopes=ALL)
        self.statements = stops.statements
        self.rows = counted(folder)
        self.events = events(folder, capability.name)


def require_once(folder: Path, clean: Clean, capability: Capability) -> None:
    """Hold a workspace to one effect of a write, told once."""
    assert counted(folder) == clean.rows
    assert events(folder, capability.name) == clean.events
    with open_workspace(folder) as ws:
        assert ws.verify().clean


def require_retry(folder: Path, clean: Clean, capability: Capability) -> dict[str, Any]:
    """Make the call again at a new server, twice; both give one answer, which is the stored one."""
    with Client(folder) as client:
        first = client.call(capability.name, clean.example)
        again = client.call(capability.name, clean.example)
    assert data_of(first) == data_of(again)
    assert data_of(first).keys() == clean.reply.data.keys()
    require_once(folder, clean, capability)
    return stored(folder)


@EVERY_WRITE
def test_an_answer_that_was_lost_after_the_commit_is_given_to_the_retry(
    capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    folder, lost = stage.copied(tmp_path / "ws"), tmp_path / "lost.json"
    with Client(folder, Point(ANSWERED), lost=lost) as client:
        with pytest.raises(Lost):
            client.call(capability.name, clean.example)
        assert client.killed()
    require_once(folder, clean, capability)
    assert require_retry(folder, clean, capability) == json.loads(lost.read_text())


def kill_and_retry(stage: Stage, tmp_path: Path, capability: Capability, clean: Clean, point: Point) -> None:
    """Kill a server in the middle of a write, and let the retry do it."""
    folder = stage.copied(tmp_path / f"ws {point.place}{point.statement}")
    before = content(folder, blobs=False)
    with Client(folder, point) as client:
        with pytest.raises(Lost):
            client.call(capability.name, clean.example)
        assert client.killed()
    if point.place == COMMITTED:
        require_once(folder, clean, capability)
    else:
        assert content(folder, blobs=False) == before
        assert len(events(folder, capability.name)) == len(clean.events) - 1
    if point.place:
        require_retry(folder, clean, capability)
    else:  # the many points amid a transaction look alike to a server that starts after them
        with open_workspace(folder) as ws:
            ws.dispatcher().dispatch(capability.name, clean.example, actor=AGENT, scopes=ALL)
        require_once(folder, clean, capability)


@SOME_WRITES
@pytest.mark.parametrize("place", [WRITTEN, COMMITTED])
def test_a_server_killed_round_the_commit_leaves_nothing_or_all_and_the_retry_makes_it_once(
    place: str, capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    kill_and_retry(stage, tmp_path, capability, Clean(stage, tmp_path / "clean", capability), Point(place))


@pytest.mark.prove
@EVERY_WRITE
def test_a_server_killed_at_any_point_of_a_write_leaves_all_of_it_or_nothing(
    capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    statements = [Point(statement=number) for number in range(1, clean.statements + 1)]
    for point in (Point(ASKED), Point(WORKED_OUT), *statements, Point(WRITTEN), Point(COMMITTED)):
        kill_and_retry(stage, tmp_path, capability, clean, point)


@SOME_WRITES
@pytest.mark.parametrize("place", [ASKED, WRITTEN, ANSWERED])
def test_a_write_that_its_client_cancels_is_carried_to_its_end_and_the_retry_gets_its_answer(
    place: str, capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    folder = stage.copied(tmp_path / "ws")
    with Client(folder, Point(place), gated=True) as client:
        client.ask(capability.name, clean.example)
        client.wait()
        client.cancel()
        client.go()
        client.ask(capability.name, clean.example)
        client.go()  # the retry passes there too
        first = client.answer()
        client.go()
        assert data_of(client.call(capability.name, clean.example)) == data_of(first)
    require_once(folder, clean, capability)


@EVERY_WRITE
def test_one_key_for_another_request_is_a_conflict_whichever_argument_differs(
    capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    example = stage.fill(asked_of(capability.name))
    folder = stage.copied(tmp_path / "ws")
    with open_workspace(folder) as ws:
        dispatcher = ws.dispatcher()
        first = dispatcher.dispatch(capability.name, example, actor=AGENT, scopes=ALL)
        before = content(folder)
        for name, value in example.items():
            if name not in {"idempotency_key", "expected_revision"}:
                assert conflicts(dispatcher, capability.name, {**example, name: other(value)}), name
        if "expected_revision" in example:  # what was seen is no part of what is asked
            late = {**example, "expected_revision": "r999999"}
            assert dispatcher.dispatch(capability.name, late, actor=AGENT, scopes=ALL).data == first.data
        fields = capability.input.model_fields.items()
        usual = {name: item.get_default(call_default_factory=True) for name, item in fields if not item.is_required()}
        again = dispatcher.dispatch(capability.name, {**usual, **example}, actor=AGENT, scopes=ALL)
        assert again.repeated
        assert again.data == first.data
        assert content(folder) == before


def conflicts(dispatcher: Dispatcher, name: str, arguments: dict[str, Any]) -> bool:
    try:
        dispatcher.dispatch(name, arguments, actor=AGENT, scopes=ALL)
    except IdempotencyConflict:
        return True
    except LanternError as error:  # no value of the field but this one
        return error.code == "bad_input"
    return False


def other(value: Any) -> Any:
    """Another value of the same kind."""
    match value:
        case str():
            return f"{value}1"
        case int() | float():
            return value + 1
        case [first, *rest]:
            return [other(first), *rest]
        case {"op": _}:
            return {**value, "as": "another"}
    raise AssertionError(f"say in other() what another {value!r} is")


def at_once(
    folder: Path, capability: Capability, first: dict[str, Any], second: dict[str, Any]
) -> tuple[dict[str, Any], dict[str, Any]]:
    """What two servers answer, which have both found no receipt and worked out what to write before either goes on."""
    with (
        Client(folder, Point(WORKED_OUT), gated=True) as one,
        Client(folder, Point(WORKED_OUT), gated=True) as other,
    ):
        one.ask(capability.name, first)
        other.ask(capability.name, second)
        for client in (one, other):
            client.wait()
        for client in (one, other):
            client.go()
        return one.answer(), other.answer()


@SOME_WRITES
def test_one_call_made_at_two_servers_at_once_happens_once(
    capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    folder = stage.copied(tmp_path / "ws")
    first, second = at_once(folder, capability, clean.example, clean.example)
    assert data_of(first) == data_of(second)
    require_once(folder, clean, capability)


TOGETHER = {
    *("annotation.claim", "annotation.note", "asset.register", "candidate.propose"),
    *("draft.begin", "layout.propose", "proposal.freeze"),
}
"""Two requests alike may both be carried out: what comes of the second stands beside the first, or is it."""


@SOME_WRITES
def test_of_two_requests_from_one_view_at_once_none_undoes_the_other(
    capability: Capability, stage: Stage, tmp_path: Path
) -> None:
    clean = Clean(stage, tmp_path / "clean", capability)
    folder = stage.copied(tmp_path / "ws")
    results = at_once(folder, capability, *({**clean.example, "idempotency_key": key} for key in ("one", "other")))
    done = [result for result in results if not result.get("isError")]
    assert len(done) == (2 if capability.name in TOGETHER else 1)
    for result in results:
        if result.get("isError"):
            code = json.loads(result["content"][0]["text"])["code"]
            assert code in {"stale_head", "stale_handle", "stale_candidate", "stale_entry", "wrong_state", "bad_input"}
    assert counted(folder)["receipts"] == clean.rows["receipts"] + len(done) - 1
    with open_workspace(folder) as ws:
        assert ws.verify().clean
