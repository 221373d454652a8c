"""The agent that writes, with a model at a server that speaks OpenAI's chat completions."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from lantern_kit.agents.chat import Message, Role, ToolSpec
from lantern_kit.agents.openai_chat import OpenAIChat
from lantern_kit.author_host import AgentAuthor
from lantern_kit.novel.driver import Driver
from lantern_kit.novel.model import Status
from tests.agents.server import KEY, PATH, chunk, streamed
from tests.novel.authoring.playing import Playing
from tests.novel.capabilities.conftest import Place


def test_a_novel_is_written_by_a_model_behind_chat_completions_within_a_limit_on_tokens(
    tmp_path: Path, httpserver: HTTPServer
) -> None:
    playing, lock = Playing(), threading.Lock()
    asked: list[dict[str, Any]] = []

    def answer(request: Request) -> Response:
        given = request.get_json()
        asked.append(given)
        last = given["messages"][-1]
        messages = [Message(Role(last["role"]), last["content"] or "")]
        tools = [ToolSpec(item["function"]["name"], "", {}) for item in given.get("tools", [])]
        with lock:
            said = playing.complete(messages, tools)
        calls = [
            {
                "index": 0,
                "id": f"c{len(asked)}",
                "type": "function",
                "function": {"name": call.name, "arguments": call.text},
            }
            for call in said.calls
        ]
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "total_tokens": 110}
        delta = {"role": "assistant", "content": said.text, **({"tool_calls": calls} if calls else {})}
        return streamed(chunk(delta, said.finish), chunk(None, usage=usage))

    httpserver.expect_request(PATH, method="POST").respond_with_handler(answer)
    place = Place(tmp_path / "ws")
    place.ann.configure(limits={**place.novel.config.limits.model_dump(), "tokens": 1_000_000})
    author = AgentAuthor(place.ws, OpenAIChat("small", key=KEY, address=httpserver.url_for("/v1")))
    Driver(place.ws.novel_service, author, place.id).run()
    spent = place.novel.head.spent
    assert place.novel.head.run.status is Status.COMPLETED
    assert (spent.requests, spent.input_tokens) == (len(asked), 100 * len(asked))
    brief = asked[0]["messages"][1]["content"]
    assert "Write of a lamp." in brief and "outline_create" in brief
    assert KEY not in json.dumps(asked)
    place.ws.close()
    assert not [path for path in place.ws.path.rglob("*") if path.is_file() and KEY.encode() in path.read_bytes()]
