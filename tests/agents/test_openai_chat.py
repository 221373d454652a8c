"""The adapter for servers that speak OpenAI's chat completions, against a real HTTP server."""

from __future__ import annotations

import socket

import pytest
from werkzeug import Response

from lantern_kit.agents.chat import Message, Role, ToolCall, ToolSpec, Usage
from lantern_kit.agents.faults import ModelBusy, ModelGarbled, ModelRefused
from lantern_kit.agents.openai_chat import OpenAIChat
from lantern_kit.kernel.errors import LanternError
from tests.agents.server import KEY, Server, chunk, streamed

ASK = [Message(Role.SYSTEM, "Be brief."), Message(Role.USER, "Say hello.")]
LOOK = ToolSpec("look", "See a page", {"type": "object", "properties": {"unit": {"type": "string"}}})
COUNTED = {
    "prompt_tokens": 12,
    "completion_tokens": 3,
    "total_tokens": 15,
    "prompt_tokens_details": {"cached_tokens": 8},
}


def call(index: int, **function: str) -> dict[str, object]:
    return {"index": index, "id": f"call_{index}", "type": "function", "function": function}


def test_text_is_heard_piece_by_piece_and_counted_by_the_server(server: Server) -> None:
    server.answers(
        streamed(chunk({"content": "Hel"}), chunk({"content": "lo 你好"}), chunk({}, "stop"), chunk(usage=COUNTED))
    )
    heard: list[str] = []
    said = server.chat().complete(ASK, hear=heard.append, most=77)
    assert heard == ["Hel", "lo 你好"]
    assert (said.text, said.finish, said.model) == ("Hello 你好", "stop", "small-1")
    assert said.usage == Usage(12, 3, 8)
    (asked,) = server.asked
    assert asked["messages"] == [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Say hello."},
    ]
    assert asked["max_completion_tokens"] == 77
    assert "tools" not in asked


def test_a_server_that_does_not_count_gives_no_usage(server: Server) -> None:
    server.answers(streamed(chunk({"content": "x"}, "stop")))
    assert server.chat().complete(ASK).usage is None


def test_tools_are_offered_and_their_calls_put_together_from_pieces(server: Server) -> None:
    server.answers(
        streamed(
            chunk({"tool_calls": [call(0, name="look", arguments='{"un')]}),
            chunk({"tool_calls": [call(1, name="look", arguments="")]}),
            chunk({"tool_calls": [{"index": 0, "function": {"arguments": 'it": "1"}'}}]}),
            chunk({}, "tool_calls"),
        )
    )
    said = server.chat().complete(ASK, [LOOK])
    assert said.calls == (ToolCall("call_0", "look", {"unit": "1"}), ToolCall("call_1", "look"))
    assert said.finish == "tool_calls"
    (offered,) = server.asked[0]["tools"]
    assert offered["function"] == {"name": "look", "description": "See a page", "parameters": LOOK.parameters}


def test_calls_and_their_answers_are_sent_back_as_they_were(server: Server) -> None:
    server.answers(streamed(chunk({"content": "Seen."}, "stop")))
    asked = Message(Role.ASSISTANT, calls=(ToolCall("call_9", "look", {"unit": "第3页"}),))
    server.chat().complete([*ASK, asked, Message(Role.TOOL, "a page", answers="call_9")])
    told, answer = server.asked[0]["messages"][2:]
    assert told["tool_calls"][0]["function"] == {"name": "look", "arguments": '{"unit":"第3页"}'}
    assert answer == {"role": "tool", "content": "a page", "tool_call_id": "call_9"}


@pytest.mark.parametrize(
    "text", ['{"unit": ', "[1]", '"look"', "{'unit': 1}", '{"unit": NaN}', "[" * 50_000, "nonsense"]
)
def test_arguments_that_cannot_be_read_are_a_fault_of_the_call_and_not_of_the_turn(server: Server, text: str) -> None:
    server.answers(streamed(chunk({"tool_calls": [call(0, name="look", arguments=text)]}, "tool_calls")))
    (asked,) = server.chat().complete(ASK, [LOOK]).calls
    assert asked.arguments == {}
    assert asked.fault.startswith("the arguments are not")


@pytest.mark.parametrize(
    ("status", "kind", "retryable"),
    [
        (400, ModelRefused, False),
        (401, ModelRefused, False),
        (403, ModelRefused, False),
        (404, ModelRefused, False),
        (408, ModelBusy, True),
        (422, ModelRefused, False),
        (429, ModelBusy, True),
        (500, ModelBusy, True),
        (503, ModelBusy, True),
    ],
)
def test_a_refusal_is_told_apart_from_a_passing_fault_and_asked_once(
    server: Server, status: int, kind: type[LanternError], retryable: bool
) -> None:
    body = f'{{"error": {{"message": "no, {KEY} is wrong", "type": "x"}}}}'
    server.answers(Response(body, status=status, headers={"retry-after": "7"}, content_type="application/json"))
    with pytest.raises(kind) as refused:
        server.chat().complete(ASK)
    assert len(server.asked) == 1
    assert refused.value.retryable is retryable
    assert refused.value.found == status
    told = str(refused.value.payload())
    assert KEY not in told
    assert "Say hello" not in told
    assert ("retry_after_s" in told) is retryable


def test_a_server_that_cannot_be_reached_is_busy() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
        with pytest.raises(ModelBusy, match="cannot be reached"):
            OpenAIChat("small", key=KEY, address=f"http://127.0.0.1:{port}/v1").complete(ASK)


def test_a_server_that_says_nothing_in_time_is_busy() -> None:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        listener.listen()
        port = listener.getsockname()[1]
        with pytest.raises(ModelBusy, match="in time"):
            OpenAIChat("small", key=KEY, address=f"http://127.0.0.1:{port}/v1", patience=0.05).complete(ASK)


def test_an_answer_that_breaks_off_is_no_answer(server: Server) -> None:
    server.answers(streamed(chunk({"content": "Once upon a"}), end=False))
    with pytest.raises(ModelGarbled, match="broke off"):
        server.chat().complete(ASK)


@pytest.mark.parametrize(
    "response",
    [
        Response("data: {not json\n\ndata: [DONE]\n\n", content_type="text/event-stream"),
        Response("<html>welcome</html>", content_type="text/html"),
        Response("data: [1, 2]\n\ndata: [DONE]\n\n", content_type="text/event-stream"),
        Response('data: {"choices": "none"}\n\ndata: [DONE]\n\n', content_type="text/event-stream"),
        Response('data: {"choices": [{"delta": null}]}\n\ndata: [DONE]\n\n', content_type="text/event-stream"),
        Response("", content_type="text/event-stream"),
        streamed(chunk({"tool_calls": [{"index": 0, "function": {"arguments": "{}"}}]}, "tool_calls")),
    ],
)
def test_what_is_no_answer_is_refused_in_words(server: Server, response: Response) -> None:
    server.answers(response)
    with pytest.raises(ModelGarbled):
        server.chat().complete(ASK)


def test_a_fault_inside_a_stream_is_a_passing_one(server: Server) -> None:
    body = 'data: {"error": {"message": "overloaded", "type": "server_error"}}\n\n'
    server.answers(Response(body, content_type="text/event-stream"))
    with pytest.raises(ModelBusy, match="broke off"):
        server.chat().complete(ASK)


def test_a_listener_may_end_the_call(server: Server) -> None:
    class Enough(ValueError):
        """What only this listener raises."""

    def hear(_: str) -> None:
        raise Enough

    server.answers(streamed(chunk({"content": "a"}), chunk({"content": "b"}, "stop")))
    with pytest.raises(Enough):
        server.chat().complete(ASK, hear=hear)


def test_the_key_goes_to_the_server_and_nowhere_else(server: Server) -> None:
    server.answers(streamed(chunk({"content": "x"}, "stop")))
    chat = server.chat()
    chat.complete(ASK)
    assert server.headers[0]["Authorization"] == f"Bearer {KEY}"
    assert KEY not in repr(chat)
