"""A model's server that answers as each test says."""

from __future__ import annotations

import json
from typing import Any

from pytest_httpserver import HTTPServer
from werkzeug import Request, Response

from lantern_kit.agents.openai_chat import OpenAIChat

KEY = "sk-planted-1f0c9a7e"
PATH = "/v1/chat/completions"


def streamed(*chunks: dict[str, Any], end: bool = True) -> Response:
    """Chunks as a server sends them, with its end mark."""
    rows = [f"data: {json.dumps(chunk)}\n\n" for chunk in chunks]
    return Response("".join(rows) + ("data: [DONE]\n\n" if end else ""), content_type="text/event-stream")


def chunk(delta: dict[str, Any] | None = None, finish: str | None = None, **facts: Any) -> dict[str, Any]:
    """One chunk of a stream."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    return {
        "id": "c1",
        "object": "chat.completion.chunk",
        "created": 1,
        "model": "small-1",
        "choices": choices,
        **facts,
    }


class Server:
    """What the server was asked, and what it is to answer."""

    def __init__(self, http: HTTPServer) -> None:
        self.http = http
        self.asked: list[dict[str, Any]] = []
        self.headers: list[dict[str, str]] = []

    def answers(self, *responses: Response) -> None:
        """Answer with these, in turn; the last one goes on."""
        left = list(responses)

        def answer(request: Request) -> Response:
            self.asked.append(request.get_json())
            self.headers.append(dict(request.headers))
            return left.pop(0) if len(left) > 1 else left[0]

        self.http.expect_request(PATH, method="POST").respond_with_handler(answer)

    def chat(self, **options: Any) -> OpenAIChat:
        """A model there."""
        return OpenAIChat("small", key=KEY, address=self.http.url_for("/v1"), **options)
