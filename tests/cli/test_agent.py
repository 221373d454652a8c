"""The kit's own agent at the shell."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from lantern_kit.agents import openai_chat
from lantern_kit.assistant import DESK
from lantern_kit.cli import agent, person
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run

PAGE = 'Make a page with two panels: Chelsea says "Hello?"; fog'
KEY = "sk-planted-77b1"
TURN = re.compile(r"--resume (t[0-9a-f]{10})")


def said(text: str = "", *calls: tuple[str, dict[str, object]]) -> Response:
    """What a model's server answers."""
    parts = [
        {"index": place, "id": f"c{place}", "function": {"name": name, "arguments": json.dumps(arguments)}}
        for place, (name, arguments) in enumerate(calls)
    ]
    delta = {"content": text, **({"tool_calls": parts} if parts else {})}
    chunks = [
        {"choices": [{"index": 0, "delta": delta, "finish_reason": None}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls" if parts else "stop"}]},
    ]
    facts = {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "small-1"}
    rows = "".join(f"data: {json.dumps({**facts, **chunk})}\n\n" for chunk in chunks)
    return Response(rows + "data: [DONE]\n\n", content_type="text/event-stream")


def test_a_request_ends_in_a_proposal_and_says_how_to_review_it(run: Run, made: Workspace) -> None:
    shown = run("agent", PAGE, made.path).output
    assert shown.startswith("offline-assistant only stands in for a model")
    assert "Proposal p1 waits for your verdict." in shown
    assert "checker: The check finds 1 in d1:" in shown
    assert "draft d1 · revision" in shown
    assert "route → recall → (plan → invoke) ×6 → plan → assert → reflect → respond" in shown
    assert f"lantern review {made.path} p1" in shown
    assert "A page with 2 panels; laid out offline by a stand-in" in run("show", made.path, "p1", "--text").output
    assert made.comics.head(made.comics.chapters()[0].id).revision.number == 2  # only people change the work


def test_the_nodes_and_tools_are_printed_as_they_go(run: Run, made: Workspace) -> None:
    shown = run("agent", PAGE, made.path, "--watch").output.splitlines()
    nodes = [line for line in shown if line in ("route", "recall", "reflect", "respond", "checker")]
    assert nodes == ["route", "recall", "reflect", "respond", "checker", "respond"]
    assert "  begin_draft  ✓" in shown
    assert not any("checker" in line for line in run("agent", PAGE, made.path, "--no-check").output.splitlines())


@pytest.mark.parametrize("way", [("--runner", "loop"), ("--mcp",), ("--chapter", "1"), ("--seed", "4")])
def test_every_way_makes_the_page(run: Run, made: Workspace, way: tuple[str, ...]) -> None:
    assert f"lantern review {made.path} p1" in run("agent", PAGE, made.path, *way).output


def test_a_question_is_answered_and_nothing_is_proposed(run: Run, made: Workspace) -> None:
    shown = run("agent", "What is in this chapter?", made.path).output
    assert "Chelsea Goes Up, chapter 1" in shown
    assert "lantern review" not in shown


def test_what_nothing_came_of_ends_with_one(run: Run, made: Workspace) -> None:
    shown = run("agent", "Write me a poem", made.path, code=1).output
    assert "Nothing came out this time.\nI only stand in for a model" in shown


def test_turns_are_listed_and_a_workspace_without_any_stays_as_it_is(run: Run, made: Workspace) -> None:
    assert "No turns yet." in run("agent", "--turns", made.path).output
    assert not (made.path / DESK).exists()
    run("agent", PAGE, made.path)
    rows = run("agent", "--turns", made.path).output
    assert rows.count("made") == 1  # the checker's own turn is part of it
    assert PAGE[:60] in rows


@pytest.mark.parametrize("words", [(), ("",), ("  ",)])
def test_without_words_nothing_is_begun(run: Run, made: Workspace, words: tuple[str, ...]) -> None:
    assert "say what is wanted" in run("agent", *words, "-w", made.path, code=2).output
    assert "say what is wanted" in run("agent", made.path, code=2).output
    assert not (made.path / DESK).exists()


def test_a_pause_keeps_what_was_done_and_the_same_turn_goes_on(
    run: Run, made: Workspace, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = made.comics.chapters()[0].id
    operations = [{"op": "unit.add", "target": chapter, "as": "page"}]
    script = [
        said("", ("begin_draft", {"chapter": chapter})),
        said("", ("edit", {"draft": "d1", "expected_revision": "r3", "operations": operations})),
        said("Done."),
        said("A page is drafted."),
    ]
    asked: list[Request] = []

    def answer(request: Request) -> Response:
        asked.append(request)
        if len(asked) == 2:
            os.kill(os.getpid(), signal.SIGINT)
        return script[len(asked) - 1]

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    monkeypatch.setenv("MODEL_KEY", KEY)
    model = ("--model", "small", "--address", httpserver.url_for("/v1"), "--key-env", "MODEL_KEY")
    paused = run("agent", "Make a page", made.path, *model, code=130).output
    assert "Paused. What was carried out is kept." in paused
    found = TURN.search(paused)
    assert found is not None
    assert "--key-env MODEL_KEY" in paused
    assert "stopped" in run("agent", "--turns", made.path).output
    other = run("agent", made.path, "--resume", found.group(1), code=1).output
    assert "was begun with another model" in other
    assert "go on with it" not in other
    resumed = run("agent", made.path, "--resume", found.group(1), *model).output
    assert "A page is drafted." in resumed
    assert "draft d1" in resumed
    assert asked[0].headers["Authorization"] == f"Bearer {KEY}"
    with made.journal.read() as connection:
        rows = connection.exec_driver_sql("SELECT count(*) FROM receipts WHERE scope LIKE 'draft.%/lantern-agent'")
        assert rows.scalar_one() == 2
    assert not any(KEY.encode() in path.read_bytes() for path in made.path.rglob("*") if path.is_file())
    assert KEY not in paused + resumed + other


def test_a_model_that_is_busy_leaves_a_turn_to_go_on_with(
    run: Run, made: Workspace, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    httpserver.expect_request("/v1/chat/completions").respond_with_json({}, status=503)
    monkeypatch.setenv("MODEL_KEY", KEY)
    model = ("--model", "small", "--address", httpserver.url_for("/v1"), "--key-env", "MODEL_KEY")
    shown = run("agent", "Make a page", made.path, *model, code=1).output
    assert "[model_busy]" in shown
    assert TURN.search(shown)


def test_a_key_is_never_taken_from_the_command_line_nor_said(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = ("--model", "small")
    for given in (KEY, "plainkey0123456789"):
        shown = run("agent", "Make a page", made.path, *model, "--key-env", given, code=1).output
        assert given not in shown
    assert "nobody is here to type it" in run("agent", "Make a page", made.path, *model, code=1).output
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(agent, "typed", lambda question: "")
    assert "no key was typed" in run("agent", "Make a page", made.path, *model, code=1).output
    assert "--key-env belong to --model" in run("agent", "Make a page", made.path, "--key-env", "A", code=2).output
    assert not (made.path / DESK).exists()


@pytest.mark.parametrize("address", ["ftp://models.example/v1", "models.example/v1", "https://me:pw@models.example/v1"])
def test_what_is_no_address_is_refused_before_a_key_is_typed(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch, address: str
) -> None:
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(agent, "typed", lambda question: pytest.fail("a key was asked for"))
    shown = run("agent", "Make a page", made.path, "--model", "small", "--address", address, code=1).output
    assert "[bad_input]" in shown
    assert "me:pw" not in shown
    assert not (made.path / DESK).exists()


def test_a_turn_that_is_none_is_refused(run: Run, made: Workspace) -> None:
    assert "[not_found]" in run("agent", made.path, "--resume", "t0", code=1).output


def test_it_speaks_chinese(run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    shown = run("agent", "画一页两格：小猫说“谁？”；雾", made.path).output
    assert "offline-assistant 只是模型的替身" in shown
    assert "提案 p1 等待您的裁决。" in shown
    assert "草稿 d1 · 修订" in shown
    nothing = run("agent", "写一首诗", made.path, code=1).output
    assert "这次什么也没有做出来。" in nothing


def test_the_help_has_an_example(run: Run) -> None:
    shown = " ".join(run("agent", "--help").output.split())
    assert 'Example: lantern agent "Make a page with two panels' in shown
    assert "only you decide" in shown


def test_the_desk_is_for_its_owner_alone(run: Run, path: Path) -> None:
    run("agent", "What is in this chapter?", path)
    assert (path / DESK).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize(("missing", "words"), [("lantern_kit.agents.graph", ()), ("openai", ("--model", "small"))])
def test_what_is_not_installed_is_named_and_no_turn_is_left(
    run: Run, made: Workspace, monkeypatch: pytest.MonkeyPatch, missing: str, words: tuple[str, ...]
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    shown = run("agent", PAGE, made.path, *words, code=1).output
    assert "[missing_dependency]" in shown
    assert "lantern-kit[agents]" in shown
    assert "No turns yet." in run("agent", "--turns", made.path).output
    assert f"lantern review {made.path} p1" in run("agent", PAGE, made.path, "--runner", "loop").output


def test_a_key_that_is_typed_reaches_the_server_and_one_of_this_machine_needs_none(
    run: Run, made: Workspace, httpserver: HTTPServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    keys: list[str] = []

    def answer(request: Request) -> Response:
        keys.append(request.headers["Authorization"])
        return said("Nothing is here.")

    httpserver.expect_request("/v1/chat/completions").respond_with_handler(answer)
    model = ("--model", "small", "--address", httpserver.url_for("/v1"))
    assert "Nothing is here." in run("agent", "What is here?", made.path, *model).output
    monkeypatch.setattr(openai_chat, "on_this_machine", lambda address: False)
    monkeypatch.setattr(person, "is_here", lambda: True)
    monkeypatch.setattr(agent, "typed", lambda question: f" {KEY} ")
    assert KEY not in run("agent", "What is here?", made.path, *model).output
    assert keys == ["Bearer none", f"Bearer {KEY}"]
