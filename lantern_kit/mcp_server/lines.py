"""The protocol as lines of text: one message a line, and an answer to a line that is no message.

The SDK's own transport passes over a line that it cannot read, so that a host waits for its answer for ever. Hosts send
such lines: half of an emoji cut in two is an escape that JSON forbids, and nesting is read to a depth only.
"""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterable, AsyncIterator, Iterator
from contextlib import asynccontextmanager
from typing import Any

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp.types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError

from lantern_kit.kernel.errors import BadInput

Streams = tuple[MemoryObjectReceiveStream[SessionMessage | Exception], MemoryObjectSendStream[SessionMessage]]
PATIENCE = 10
"""Seconds that requests have to be answered in after the host closed its end."""
_ID = r'"id"\s*:\s*(?P<id>\d{1,18}|"[^"\\]{1,200}")'
_AHEAD = re.compile(rf'\s*\{{(?:\s*"(?:jsonrpc|method)"\s*:\s*"[^"\\]*"\s*,)*\s*{_ID}\s*[,}}]')
_AT_THE_END = re.compile(rf'"jsonrpc"\s*:\s*"2\.0"\s*,\s*{_ID}\s*\}}\s*\Z')


@asynccontextmanager
async def lines(source: AsyncIterable[str], sink: anyio.AsyncFile[str]) -> AsyncIterator[Streams]:
    """The streams of messages that a server reads and writes, over lines that come and a text file."""
    asked = _Asked()
    incoming, read = anyio.create_memory_object_stream[SessionMessage | Exception](0)
    write, outgoing = anyio.create_memory_object_stream[SessionMessage](0)

    async def listen() -> None:
        async with incoming, answers:
            async for line in source:
                try:
                    message = jsonrpc_message_adapter.validate_json(line, by_name=False)
                except ValidationError as error:
                    for answer in unreadable(line, error):
                        await answers.send(SessionMessage(answer))
                else:
                    if isinstance(message, JSONRPCRequest):
                        asked.add(message.id)
                    elif isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled":
                        asked.discard((message.params or {}).get("requestId"))
                    await incoming.send(SessionMessage(message))
            # The SDK drops what it is about when its stream ends, and a host may close its end after it asked.
            with anyio.move_on_after(PATIENCE):
                await asked.answered()

    async def speak() -> None:
        async with outgoing:
            async for item in outgoing:
                await sink.write(item.message.model_dump_json(by_alias=True, exclude_unset=True) + "\n")
                await sink.flush()
                if isinstance(item.message, JSONRPCResponse | JSONRPCError):
                    asked.discard(item.message.id)

    answers = write.clone()
    async with anyio.create_task_group() as group:
        group.start_soon(listen)
        group.start_soon(speak)
        yield read, write


class _Asked:
    """Requests that have no answer yet."""

    def __init__(self) -> None:
        self._ids: set[int | str | None] = set()
        self._none = anyio.Event()
        self._none.set()

    def add(self, name: int | str) -> None:
        if not self._ids:
            self._none = anyio.Event()
        self._ids.add(name)

    def discard(self, name: int | str | None) -> None:
        self._ids.discard(name)
        if not self._ids:
            self._none.set()

    async def answered(self) -> None:
        """Wait until there is none."""
        await self._none.wait()


def unreadable(line: str, error: ValidationError) -> Iterator[JSONRPCError]:
    """What to answer to a line that is no message: an error for each request that can be told in it."""
    if not line.strip():
        return
    first = error.errors(include_url=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        why, code = f"it is not JSON: {first['ctx']['error']}", PARSE_ERROR
    else:
        why, code = "it is not one JSON-RPC 2.0 request", INVALID_REQUEST
    refused = BadInput(
        f"the message cannot be read; {why}",
        recovery="Nothing was done. Send each request as one line of JSON, its text well-formed Unicode.",
    )
    data = ErrorData(code=code, message=refused.message, data=refused.payload())
    for name in _ids(line):
        yield JSONRPCError(jsonrpc="2.0", id=name, error=data)


def _ids(line: str) -> list[int | str | None]:
    """The ids of the requests in a line; None for one whose id cannot be told."""
    try:
        found = json.loads(line, parse_int=lambda digits: int(digits) if len(digits) < 19 else None)
    except (ValueError, RecursionError):
        told = _AHEAD.match(line) or _AT_THE_END.search(line)
        return [None if told is None else json.loads(told["id"])]
    requests = found if isinstance(found, list) and found else [found]
    return [_id(item) for item in requests if not (isinstance(item, dict) and {"result", "error"} & item.keys())]


def _id(request: Any) -> int | str | None:
    name = request.get("id") if isinstance(request, dict) else None
    return name if type(name) is int or type(name) is str else None
