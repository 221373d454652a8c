"""Models behind a server that speaks OpenAI's chat completions: the usual ones, and most that run at home."""

from __future__ import annotations

import importlib.util
import ipaddress
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict

from lantern_kit.agents.chat import Hear, Message, Role, Said, ToolCall, ToolSpec, Usage, plain, read_arguments
from lantern_kit.agents.faults import ModelBusy, ModelGarbled, ModelRefused, missing
from lantern_kit.kernel.errors import BadInput

if TYPE_CHECKING:
    from openai import OpenAI

PATIENCE = 120.0
"""Seconds without a sign of the server."""
ADDRESS = "https://api.openai.com/v1"
"""OpenAI's own, whatever the environment says: a key goes where it was meant to go."""
_LONGEST_TEXT = 20_000
_LONGEST_TOKEN = 64
_MOST_CALLS = 128
_LONGEST_NAME = 128
_MOST_TOKENS = 10**9
_WAIT = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")


class OpenAIChat:
    """A model by name, at a server of this kind.

    Args:
        model: the model's name at that server.
        key: the key that pays; it is in no text of this object, and never kept.
        address: the server, with its path (``…/v1``); None is OpenAI's own.
        patience: seconds to wait for a sign of the server.

    A call is made once, at that address and no other: redirections are refused, and a server of this machine is asked
    past every proxy. Whoever retries knows what it costs.

    Raises BadInput for what is no address or no key, the key is in no message; MissingDependency.
    """

    stand_in = False

    def __init__(self, model: str, *, key: str, address: str | None = None, patience: float = PATIENCE) -> None:
        if importlib.util.find_spec("openai") is None:
            raise missing()
        self.model = model
        self._key = _checked_key(key)
        self._address = checked_address(ADDRESS if address is None else address)
        self._patience = patience
        self._client: OpenAI | None = None

    def __repr__(self) -> str:
        return f"<OpenAIChat {self.model}>"

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        """What the model says. Raises ModelRefused, ModelBusy, ModelGarbled."""
        asked: dict[str, Any] = {
            "model": self.model,
            "messages": [_sent(message) for message in messages],
            "max_completion_tokens": most,
        }
        if tools:
            asked["tools"] = [_offered(tool) for tool in tools]
        heard = _Heard(hear, most)
        for chunk in self._chunks(asked):
            heard.add(chunk)
        return heard.said(self.model)

    def _chunks(self, asked: dict[str, Any]) -> Iterator[_Chunk]:
        """The pieces of an answer as they come; what their reader raises passes by unchanged."""
        with _understood():
            stream = self._open().chat.completions.create(**asked, stream=True, stream_options={"include_usage": True})
        with stream:
            pieces = iter(stream)
            while True:
                with _understood():
                    piece = next(pieces, None)
                    if piece is None:
                        return
                    chunk = _Chunk.model_validate(piece, from_attributes=True)
                yield chunk

    def _open(self) -> OpenAI:
        if self._client is None:
            import httpx2
            from openai import OpenAI

            from lantern_kit.agents.patient import bounded

            self._client = OpenAI(
                api_key=self._key,
                base_url=self._address,
                timeout=self._patience,
                max_retries=0,
                default_headers=_headers(self._key),
                http_client=httpx2.Client(
                    follow_redirects=False,
                    trust_env=not on_this_machine(self._address),
                    timeout=self._patience,
                    event_hooks={"response": [bounded]},
                ),
            )
        return self._client

    def close(self) -> None:
        """Let go of the server."""
        if self._client is not None:
            self._client.close()
            self._client = None


class _Piece(BaseModel):
    """What is read of an answer; servers add what they like."""

    model_config = ConfigDict(strict=True, from_attributes=True)


class _Function(_Piece):
    name: str | None = None
    arguments: str | None = None


class _CallPart(_Piece):
    index: int = 0
    id: str | None = None
    function: _Function | None = None


class _Delta(_Piece):
    content: str | None = None
    tool_calls: list[_CallPart] | None = None


class _Choice(_Piece):
    delta: _Delta
    finish_reason: str | None = None


class _Details(_Piece):
    cached_tokens: int | None = None


class _Counted(_Piece):
    prompt_tokens: int
    completion_tokens: int
    prompt_tokens_details: _Details | None = None


class _Chunk(_Piece):
    model: str | None = None
    choices: list[_Choice]
    usage: _Counted | None = None


class _Heard:
    """What came of a stream so far."""

    def __init__(self, hear: Hear | None, most: int) -> None:
        self._hear = hear
        self._longest = max(_LONGEST_TEXT, most * _LONGEST_TOKEN)
        self._text: list[str] = []
        self._length = 0
        self._calls: dict[int, dict[str, str]] = {}
        self._finish = ""
        self._usage: Usage | None = None
        self._model = ""

    def add(self, chunk: _Chunk) -> None:
        """One chunk. Raises ModelGarbled."""
        self._model = chunk.model or self._model
        if chunk.usage is not None:
            cached = chunk.usage.prompt_tokens_details
            self._usage = _counted(
                chunk.usage.prompt_tokens,
                chunk.usage.completion_tokens,
                0 if cached is None else cached.cached_tokens or 0,
            )
        if not chunk.choices:
            return
        choice = chunk.choices[0]
        self._finish = choice.finish_reason or self._finish
        for part in choice.delta.tool_calls or ():
            call = self._calls.setdefault(part.index, {"id": "", "name": "", "arguments": ""})
            if len(self._calls) > _MOST_CALLS:
                raise ModelGarbled("the model asks for too many tools at once", expected=f"at most {_MOST_CALLS}")
            call["id"] = part.id or call["id"]
            if part.function is not None:
                call["name"] = (part.function.name or call["name"])[:_LONGEST_NAME]
                call["arguments"] += self._counted(part.function.arguments or "")
        if choice.delta.content:
            self._text.append(self._counted(choice.delta.content))
            if self._hear is not None:
                self._hear(choice.delta.content)

    def _counted(self, text: str) -> str:
        self._length += len(text)
        if self._length > self._longest:
            raise ModelGarbled("the model does not end", expected=f"at most {self._longest} characters")
        return text

    def said(self, model: str) -> Said:
        """All of it. Raises ModelGarbled when the stream broke off."""
        if not self._finish:
            raise ModelGarbled("the model's answer broke off", expected="a stream with an end")
        calls = []
        for place in sorted(self._calls):
            call = self._calls[place]
            if not call["name"]:
                raise ModelGarbled("the model asks for a tool without a name")
            arguments, fault = read_arguments(call["arguments"])
            calls.append(ToolCall(call["id"] or f"call_{place}", plain(call["name"]), arguments, fault))
        return Said(plain("".join(self._text)), tuple(calls), self._finish, self._usage, self._model or model)


@contextmanager
def _understood() -> Iterator[None]:
    """Errors of the client as errors of the port, which name neither the key nor what was sent."""
    import openai

    try:
        yield
    except openai.APITimeoutError:
        raise ModelBusy("the model's server did not answer in time") from None
    except openai.APIConnectionError:
        raise ModelBusy(
            "the model's server cannot be reached", recovery="Check that it runs; nothing was done."
        ) from None
    except openai.APIStatusError as error:
        raise _status(error) from None
    except (openai.APIResponseValidationError, ValueError):
        raise ModelGarbled("the model's server answered with something that is no answer") from None
    except openai.APIError:  # an error inside a stream
        raise ModelBusy("the model's server broke off with a fault of its own") from None


def _status(error: Any) -> ModelRefused | ModelBusy:
    """The port's error for an answer that refuses."""
    code = error.status_code
    if code == 429 or code == 408 or code >= 500:
        wait = error.response.headers.get("retry-after", "")
        details = {"retry_after_s": float(wait)} if _WAIT.fullmatch(wait) else {}
        words = "has too many requests" if code == 429 else "has a fault of its own"
        return ModelBusy(f"the model's server {words}", found=code, details=details)
    refusals = {401: "does not take the key", 403: "does not allow this", 404: "does not know the model"}
    return ModelRefused(f"the model's server {refusals.get(code, 'refuses the request')}", found=code)


def checked_address(address: str) -> str:
    """An address of a server that may be sent a key. Raises BadInput."""
    try:
        parts = urlsplit(address)
        fits = parts.scheme in {"http", "https"} and bool(parts.hostname) and (parts.port or 1) > 0
    except ValueError:
        fits = False
    if not fits:
        raise BadInput("this is no address of a model's server", expected="http://… or https://…", found=address[:80])
    if "@" in parts.netloc:
        raise BadInput("an address with a name or a password in it is not taken", expected="the key by itself")
    return address


def on_this_machine(address: str) -> bool:
    """Whether an address is of this machine."""
    host = urlsplit(address).hostname or ""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host == "localhost" or host.endswith(".localhost")


def _headers(key: str) -> dict[str, Any]:
    """What keeps the client from telling any server of its environment: organisations, headers for another one."""
    from openai import Omit

    lines = os.environ.get("OPENAI_CUSTOM_HEADERS", "").splitlines()
    names = ["OpenAI-Organization", "OpenAI-Project", *(line.partition(":")[0].strip() for line in lines)]
    return {name: f"Bearer {key}" if name.lower() == "authorization" else Omit() for name in names if name}


def _checked_key(key: str) -> str:
    if not key or not key.isascii() or not key.isprintable() or " " in key:
        raise BadInput("this is no key of a model's server", expected="printable ASCII without spaces, in one line")
    return key


def _counted(given: int, said: int, cached: int) -> Usage | None:
    """Tokens as a server counts them; none where they cannot be true."""
    if 0 <= given <= _MOST_TOKENS and 0 <= said <= _MOST_TOKENS and 0 <= cached <= given:
        return Usage(given, said, cached)
    return None


def _sent(message: Message) -> dict[str, Any]:
    if message.role is Role.TOOL:
        return {"role": "tool", "content": message.text, "tool_call_id": message.answers}
    row: dict[str, Any] = {"role": message.role.value, "content": message.text}
    if message.calls:
        row["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.text}}
            for call in message.calls
        ]
    return row


def _offered(tool: ToolSpec) -> dict[str, Any]:
    parameters: Mapping[str, Any] = tool.parameters
    return {
        "type": "function",
        "function": {"name": tool.name, "description": tool.description, "parameters": dict(parameters)},
    }
