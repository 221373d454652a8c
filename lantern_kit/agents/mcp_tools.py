"""Tools carried out by a server of the model context protocol, over the SDK's own client.

The client lives on an event loop of its own thread; whoever calls waits for it. It is connected when it is first
needed, and again after it was lost.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import CancelledError
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager, contextmanager, suppress
from importlib.metadata import version
from typing import TYPE_CHECKING, Any, TypeVar

from lantern_kit.agents.capability_tools import clipped
from lantern_kit.agents.tools import Result, Tool, ToolsGone, facts_in, made_in

if TYPE_CHECKING:
    from anyio.from_thread import BlockingPortal
    from mcp import Client
    from mcp.types import CallToolResult

PATIENCE = 120.0
"""Seconds to wait for one answer."""
KEY = "idempotency_key"
_CODE = re.compile(r"[a-z][a-z0-9_]{0,39}")
_PAGES = 50
"""Pages of a list of tools that are read."""
_Given = TypeVar("_Given")
Transport = AbstractAsyncContextManager[Any]
Connect = Callable[[], Transport]
"""Makes a transport anew for each connection."""


class McpTools:
    """A server's tools.

    Args:
        connect: how the server is reached, such as ``stdio`` or ``http`` give.
        name: what the client calls itself; the kit's own server takes it for the agent's name.
        keyless: actions that take no key though their tool does, by tool.
        patience: seconds to wait for one answer.
    """

    notice = ""

    def __init__(
        self,
        connect: Connect,
        *,
        name: str,
        keyless: Mapping[str, Collection[str]] | None = None,
        patience: float = PATIENCE,
    ) -> None:
        self._connect = connect
        self._name = name
        self._keyless = keyless or {}
        self._patience = patience
        self._tools: list[Tool] | None = None
        self._stack: ExitStack | None = None
        self._held: tuple[BlockingPortal, Client] | None = None

    def offered(self) -> Sequence[Tool]:
        """All of them, read once. Raises ToolsGone."""
        if self._tools is None:
            self._tools = self._ask(_listed)
        return self._tools

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        """Carry one out; refusals are results. Raises ToolsGone when it is not known whether it was carried out."""
        tool = next((tool for tool in self.offered() if tool.name == name), None)
        given = dict(arguments)
        reads = given.get("action") in self._keyless.get(name, ())
        if tool is not None and tool.keyed and not reads:
            given[KEY] = key

        async def work(client: Client) -> Result:
            from mcp import MCPError
            from mcp.types import CONNECTION_CLOSED, REQUEST_TIMEOUT

            try:
                answer = await client.call_tool(name, given, read_timeout_seconds=self._patience)
            except MCPError as error:
                if error.code in (CONNECTION_CLOSED, REQUEST_TIMEOUT):
                    raise
                known = error.data if isinstance(error.data, dict) and "code" in error.data else None
                told = known or {"code": "refused", "message": error.message}
                return Result(False, clipped(json.dumps(told, ensure_ascii=False)), _code(told["code"]))
            return _result(answer, writes=(tool is None or tool.writes) and not reads)

        return self._ask(work)

    def close(self) -> None:
        """Let go of the server; one that was started for this ends."""
        stack, self._stack, self._held = self._stack, None, None
        if stack is not None:
            with suppress(Exception):  # what is left of a lost connection
                stack.close()

    def __enter__(self) -> McpTools:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _ask(self, work: Callable[[Client], Awaitable[_Given]]) -> _Given:
        """Have the loop's thread do something with the client. Raises ToolsGone."""
        try:
            with _understood():
                portal, client = self._held or self._connected()
                return portal.call(work, client)
        except ToolsGone:
            self.close()
            raise

    def _connected(self) -> tuple[BlockingPortal, Client]:
        from anyio.from_thread import start_blocking_portal
        from mcp import Client
        from mcp.types import Implementation

        info = Implementation(name=self._name, version=version("lantern-kit"))

        async def made() -> Client:
            return Client(self._connect(), client_info=info, read_timeout_seconds=self._patience)

        with ExitStack() as stack:
            portal = stack.enter_context(start_blocking_portal())
            client = stack.enter_context(portal.wrap_async_context_manager(portal.call(made)))
            self._stack, self._held = stack.pop_all(), (portal, client)
        return portal, client


def stdio(command: str, arguments: Sequence[str], log: str = os.devnull) -> Connect:
    """A server that is started for the connection, and ends with it.

    Args:
        log: the file that takes what the server says of itself.
    """

    @asynccontextmanager
    async def started() -> AsyncIterator[Any]:
        from mcp import StdioServerParameters
        from mcp.client.stdio import stdio_client

        parameters = StdioServerParameters(command=command, args=list(arguments))
        with open(log, "a", encoding="utf-8") as kept:  # noqa: ASYNC230, PTH123  opened once, for a process
            async with stdio_client(parameters, errlog=kept) as streams:
                yield streams

    return started


def http(address: str, headers: Mapping[str, str] | None = None) -> Connect:
    """A server that runs, over streamable HTTP.

    Args:
        headers: what lets the client in. It is in no text of any object here, and never kept.
    """

    @asynccontextmanager
    async def reached() -> AsyncIterator[Any]:
        from mcp.client.streamable_http import streamable_http_client
        from mcp.shared._httpx_utils import create_mcp_http_client

        async with (
            create_mcp_http_client(dict(headers or {})) as web,
            streamable_http_client(address, http_client=web) as streams,
        ):
            yield streams

    return reached


@contextmanager
def _understood() -> Iterator[None]:
    """Faults of the way to the server as ToolsGone: its process ended, a line broke off, no answer, or what is none."""
    import anyio
    import httpx2
    from mcp import MCPError
    from pydantic import ValidationError

    faults = (
        MCPError,
        OSError,
        TimeoutError,
        CancelledError,
        RuntimeError,
        httpx2.HTTPError,
        anyio.BrokenResourceError,
        anyio.ClosedResourceError,
        anyio.EndOfStream,
        ValidationError,  # an answer that is none
    )
    try:
        yield
    except faults:
        raise ToolsGone("the tools' server is gone, or did not answer in time") from None
    except BaseExceptionGroup as group:
        _, others = group.split(faults)
        if others is not None:
            raise
        raise ToolsGone("the tools' server could not be reached") from None


async def _listed(client: Client) -> list[Tool]:
    tools: list[Tool] = []
    cursor: str | None = None
    for _ in range(_PAGES):
        page = await client.list_tools(cursor=cursor)
        for item in page.tools:
            reads = item.annotations is not None and item.annotations.read_only_hint is True
            tools.append(Tool(item.name, item.description or "", item.input_schema, writes=not reads))
        cursor = page.next_cursor
        if not cursor:
            return tools
    raise TimeoutError("the list of tools does not end")


def _result(answer: CallToolResult, *, writes: bool) -> Result:
    from mcp.types import ImageContent, TextContent

    text = "".join(block.text for block in answer.content if isinstance(block, TextContent))
    facts = answer.structured_content if isinstance(answer.structured_content, dict) else facts_in(text)
    if answer.is_error:
        return Result(False, clipped(text), _code(facts.get("code")))
    pictures = sum(isinstance(block, ImageContent) for block in answer.content)
    return Result(True, clipped(text), made=made_in(facts) if writes else {}, pictures=pictures)


def _code(found: Any) -> str:
    """An error's code where it is one: codes go where no words may go."""
    return found if isinstance(found, str) and _CODE.fullmatch(found) else "refused"
