"""What a model that means harm, or has lost its way, may say: no turn hangs, breaks or keeps what is not its."""

from __future__ import annotations

import itertools
import json
import logging
from collections.abc import Iterator

import pytest
from pytest_httpserver import HTTPServer
from werkzeug import Response

from lantern_kit.agents import patient
from lantern_kit.agents.chat import Message, Role, read_arguments
from lantern_kit.agents.counting import tokens
from lantern_kit.agents.faults import ModelBusy, ModelGarbled, ModelRefused
from lantern_kit.agents.openai_chat import OpenAIChat
from lantern_kit.kernel.errors import BadInput, LanternError
from tests.agents.server import KEY, PATH, Server, chunk, streamed

ASK = [Message(Role.USER, "Say hello")]


@pytest.mark.parametrize("text", ["a" * 2_000_000, " " * 2_000_000, "雾" * 2_000_000, "fog \ud800" * 300_000])
def test_tokens_of_any_two_million_characters_are_counted_in_bounded_work(text: str) -> None:
    assert 0 < tokens(text) <= 3 * len(text)


def test_a_text_without_long_words_is_counted_exactly() -> None:
    assert tokens("Mira says “Who is there?” 雾里有人。\n" * 50) == 50 * tokens(
        "Mira says “Who is there?” 雾里有人。\n"
    )


@pytest.mark.parametrize(
    ("text", "fault"),
    [
        ('{"a":' * 900 + "1" + "}" * 900, "not flat enough"),
        ('{"a":' + "[" * 40 + "]" * 40 + "}", "not flat enough"),
        ('{"a": "\\ud800"}', "half a character"),
        ('{"\\udfff": 1}', "half a character"),
        ('{"a": 1e999}', "not valid JSON"),
        ('{"a": -1e999}', "not valid JSON"),
        ('{"a": ' + "9" * 5_000 + "}", "not valid JSON"),
    ],
)
def test_arguments_that_could_not_be_kept_are_a_fault_of_the_call(text: str, fault: str) -> None:
    found, told = read_arguments(text)
    assert found == {}
    assert fault in told


@pytest.mark.parametrize("piece", [b": ping\n\n", b"data: " + json.dumps(chunk({})).encode() + b"\n\n", b"x" * 99])
def test_a_stream_that_never_ends_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch, piece: bytes) -> None:
    monkeypatch.setattr(patient, "LARGEST", 50_000)

    def endless() -> Iterator[bytes]:
        yield from itertools.repeat(piece)

    server.answers(Response(endless(), content_type="text/event-stream"))
    with pytest.raises((ModelBusy, ModelGarbled)):
        server.chat().complete(ASK)


def test_a_stream_that_goes_on_for_too_long_is_ended(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(patient, "LONGEST", -1.0)
    server.answers(streamed(chunk({"content": "Hello"}, "stop")))
    with pytest.raises(ModelBusy, match="in time"):
        server.chat().complete(ASK)


@pytest.mark.parametrize(
    "delta",
    [
        {"content": "a" * 30_000},
        {"tool_calls": [{"index": 0, "id": "c", "function": {"name": "edit", "arguments": "1" * 30_000}}]},
    ],
)
def test_words_far_beyond_what_was_asked_for_are_refused(server: Server, delta: dict[str, object]) -> None:
    server.answers(streamed(chunk(delta), chunk({}, "stop")))
    with pytest.raises(ModelGarbled, match="does not end"):
        server.chat().complete(ASK, most=160)


def test_ten_thousand_calls_at_once_are_refused(server: Server) -> None:
    calls = [{"index": n, "id": "same", "function": {"name": "edit", "arguments": "{}"}} for n in range(10_000)]
    server.answers(streamed(chunk({"tool_calls": calls}, "tool_calls")))
    with pytest.raises(ModelGarbled, match="too many tools"):
        server.chat().complete(ASK)


def test_halves_of_characters_and_endless_names_are_made_harmless(server: Server) -> None:
    calls = [{"index": 0, "id": "c", "function": {"name": "\ud800" + "e" * 9_000, "arguments": '{"a": "\\ud800"}'}}]
    server.answers(streamed(chunk({"content": "fog \udfff", "tool_calls": calls}, "tool_calls")))
    said = server.chat().complete(ASK)
    assert said.text == "fog ?"
    assert said.calls[0].name == "?" + "e" * 127
    assert "half a character" in said.calls[0].fault


@pytest.mark.parametrize(
    "usage",
    [
        {"prompt_tokens": -5, "completion_tokens": 1},
        {"prompt_tokens": 10**30, "completion_tokens": 1},
        {"prompt_tokens": 5, "completion_tokens": -1},
        {"prompt_tokens": 5, "completion_tokens": 1, "prompt_tokens_details": {"cached_tokens": 6}},
    ],
)
def test_a_count_that_cannot_be_true_is_no_count(server: Server, usage: dict[str, object]) -> None:
    server.answers(streamed(chunk({"content": "Hello"}, "stop"), chunk(usage=usage)))
    assert server.chat().complete(ASK).usage is None


@pytest.mark.parametrize("wait", ["\xb2", "9" * 400, "-1", "soon", "1.2.3"])
def test_a_time_to_wait_that_is_none_is_left_out(server: Server, wait: str) -> None:
    server.answers(Response("{}", status=429, headers={"retry-after": wait}))
    with pytest.raises(ModelBusy) as busy:
        server.chat().complete(ASK)
    assert "retry_after_s" not in busy.value.details


def test_a_redirection_is_not_followed(server: Server, httpserver: HTTPServer) -> None:
    server.answers(Response("", status=307, headers={"location": httpserver.url_for("/elsewhere")}))
    with pytest.raises(ModelRefused):
        server.chat().complete(ASK)
    assert [request.path for request, _ in httpserver.log] == [PATH]


def test_the_environment_sends_nothing_elsewhere_and_tells_the_server_nothing(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("ORG_ID", "PROJECT_ID", "API_KEY", "ADMIN_KEY"):
        monkeypatch.setenv(f"OPENAI_{name}", "env-planted")
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", "X-Planted: env-planted\nauthorization: Bearer env-planted")
    for name in ("HTTP_PROXY", "ALL_PROXY", "http_proxy", "OPENAI_BASE_URL"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    server.answers(streamed(chunk({"content": "Hello"}, "stop")))
    assert server.chat().complete(ASK).text == "Hello"
    assert "env-planted" not in str(server.headers)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    client = OpenAIChat("small", key=KEY)._open()
    assert client.base_url.host == "api.openai.com"


@pytest.mark.parametrize(
    "address",
    [
        "ftp://models.example/v1",
        "file:///etc",
        "models.example/v1",
        "http://",
        "http://[",
        "https://me:pw@models.example",
    ],
)
def test_what_is_no_address_is_refused_before_anything_is_sent(address: str) -> None:
    with pytest.raises(BadInput):
        OpenAIChat("small", key=KEY, address=address)


@pytest.mark.parametrize("key", ["", "sk-plänted", "sk-planted\nX: y", "sk planted"])
def test_what_is_no_key_is_refused_without_being_said(key: str) -> None:
    with pytest.raises(BadInput) as refused:
        OpenAIChat("small", key=key)
    assert "planted" not in str(refused.value.payload())


@pytest.mark.parametrize("status", [200, 401, 500])
def test_no_log_and_no_error_has_the_key(server: Server, caplog: pytest.LogCaptureFixture, status: int) -> None:
    caplog.set_level(logging.DEBUG)
    server.answers(Response(f'{{"error": {{"message": "{KEY}"}}}}', status=status, content_type="application/json"))
    with pytest.raises(LanternError) as refused:
        server.chat().complete(ASK)
    assert KEY not in caplog.text
    assert KEY not in repr(refused.value) + str(refused.value.payload())
