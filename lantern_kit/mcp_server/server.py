"""The protocol server: lists the tools of a profile and dispatches calls, one at a time, on a worker thread."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import anyio
from mcp.server import Server
from mcp.shared.exceptions import MCPError
from mcp.types import (
    INTERNAL_ERROR,
    INVALID_PARAMS,
    CallToolRequestParams,
    CallToolResult,
    GetPromptRequestParams,
    GetPromptResult,
    ListPromptsResult,
    ListResourcesResult,
    ListResourceTemplatesResult,
    ListToolsResult,
    PaginatedRequestParams,
    ReadResourceRequestParams,
    ReadResourceResult,
    Resource,
    TextContent,
    ToolAnnotations,
)
from mcp.types import Tool as Listed

from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Dispatcher, Scope
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound, nearest
from lantern_kit.kernel.problems import MOST_KEYS
from lantern_kit.mcp_server.answers import FAULT, Site, answer, failure, log_fault, refusal
from lantern_kit.mcp_server.limits import PICTURE, WRITE, Limits
from lantern_kit.mcp_server.profile import Profile, Shape, Tool
from lantern_kit.mcp_server.prompts import filled, listed_prompts
from lantern_kit.mcp_server.resources import contents, listed_rows, listed_templates, listed_texts, route, text_at
from lantern_kit.mcp_server.skill_list import serve_skills
from lantern_kit.mcp_server.telling import Context, Watch, carried_out, telling_to
from lantern_kit.mcp_server.tools import ACTION, listed_tools

SCOPES = frozenset({Scope.READ, Scope.DRAFT})
GRANTED = "lantern.scopes"
"""Where an HTTP request says what its token grants."""
LONGEST_ADDRESS = 400
"""Characters of a resource's address that an error repeats."""
READS_ONLY = """\
This server only reads: no tool here begins or changes a draft, registers a picture or hands in a proposal. \
What is said of that below is for other servers."""
TRIVIAL = Listed(
    name="trivial",
    title="Trivial",
    description="Does nothing; what a call costs by itself.",
    input_schema={"type": "object", "properties": {}, "additionalProperties": False},
    annotations=ToolAnnotations(
        read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False
    ),
)
_Result = TypeVar("_Result")


def scopes_for(*, read_only: bool) -> frozenset[Scope]:
    """What a server grants at most."""
    return frozenset({Scope.READ}) if read_only else SCOPES


class Face:
    """A profile's tools over one dispatcher.

    Args:
        dispatcher: the single path for calls.
        profile: the tools.
        scopes: what the callers were granted.
        trivial: offer a tool that does nothing too, for benchmarks.
        folder: the name of the workspace's folder, for commands that a person types; never its path.
        site: finds the review server that runs for the workspace, for links that a person opens.
        limits: how much each client may ask for.
    """

    def __init__(
        self,
        dispatcher: Dispatcher,
        profile: Profile,
        *,
        scopes: frozenset[Scope] = SCOPES,
        trivial: bool = False,
        folder: str = "",
        site: Site = lambda: None,
        limits: Limits | None = None,
    ) -> None:
        self._dispatcher = dispatcher
        self._profile = profile
        self._scopes = scopes
        self._tools = {tool.name: tool for tool in profile.tools}
        self._trivial = trivial
        self._folder = folder
        self._site = site
        self._limits = limits or Limits()
        self._texts = profile.texts()
        self._prompts = profile.prompts()
        self._lists: dict[frozenset[Scope], ListToolsResult] = {}
        # One call at a time, in the order they came: caches need no locks, and an agent sees what it did before.
        self._lane: anyio.Lock | None = None

    def server(self) -> Server[Any]:
        """The protocol server."""
        server: Server[Any] = Server(
            "lantern-kit",
            version=version("lantern-kit"),
            title=self._profile.title,
            instructions=self._instructions(),
            get_tool_input_schema=self._schemas().get,
            on_list_tools=self.list_tools,
            on_call_tool=self.call_tool,
            on_list_resources=self.list_resources,
            on_list_resource_templates=self.list_templates,
            on_read_resource=self.read_resource,
            on_list_prompts=self.list_prompts if self._prompts else None,
            on_get_prompt=self.get_prompt if self._prompts else None,
        )
        serve_skills(server, self._profile.skills())
        return server

    def _schemas(self) -> dict[str, dict[str, Any]]:
        """What each tool takes: without it the SDK lists all tools before every call over HTTP."""
        return {tool.name: tool.input_schema for tool in self._listed(SCOPES).tools}

    def _instructions(self) -> str:
        said = self._profile.instructions
        return said if Scope.DRAFT in self._scopes else f"{self._profile.reads_only or READS_ONLY}\n{said}"

    async def list_tools(self, context: Context, params: PaginatedRequestParams | None) -> ListToolsResult:
        """The tools that the caller may use, on one page."""
        return self._listed(self._granted(context))

    async def call_tool(self, context: Context, params: CallToolRequestParams) -> CallToolResult:
        """One call. Raises MCPError for a tool that is none, as the protocol has it; all else is told in the result."""
        if self._trivial and params.name == TRIVIAL.name:
            return CallToolResult(content=[TextContent(text="{}")])
        given = params.arguments or {}
        try:
            tool = self._tool(params.name)
        except NotFound as error:
            raise MCPError(INVALID_PARAMS, f"{error.message}. {error.recovery}", error.payload()) from None
        try:
            self._limits.take(client_of(context), self._cost(tool, given))
        except LanternError as error:
            return refusal(error, self._profile)
        work = partial(self.call, params.name, given, agent_of(context), scopes=self._granted(context))
        return await self._in_turn(context, work)

    async def list_resources(self, context: Context, params: PaginatedRequestParams | None) -> ListResourcesResult:
        """Texts that come with the kit, views of pages and pictures, page by page; the rest goes by templates."""
        cursor = "" if params is None else params.cursor or ""
        texts = [] if cursor else listed_texts(self._texts)
        if not self._profile.listing:
            return ListResourcesResult(resources=texts)
        work = partial(self.listing, cursor, agent_of(context), scopes=self._granted(context))
        rows, following = await self._in_turn(context, work)
        return ListResourcesResult(resources=[*texts, *rows], next_cursor=following)

    async def list_templates(
        self, context: Context, params: PaginatedRequestParams | None
    ) -> ListResourceTemplatesResult:
        """The addresses of originals and of pages at full resolution."""
        return ListResourceTemplatesResult(resource_templates=listed_templates(self._profile))

    async def read_resource(self, context: Context, params: ReadResourceRequestParams) -> ReadResourceResult:
        """The bytes at an address. Raises MCPError, its data the payload that a tool would give."""
        kept = text_at(self._texts, params.uri)
        if kept is not None:
            return kept
        with _protocol_errors():
            self._limits.take(client_of(context), PICTURE)
        work = partial(self.read, params.uri, agent_of(context), scopes=self._granted(context))
        return await self._in_turn(context, work)

    async def list_prompts(self, context: Context, params: PaginatedRequestParams | None) -> ListPromptsResult:
        """All prompts, on one page."""
        return ListPromptsResult(prompts=listed_prompts(self._prompts))

    async def get_prompt(self, context: Context, params: GetPromptRequestParams) -> GetPromptResult:
        """One prompt, filled in. Raises MCPError, its data the payload that a tool would give."""
        with _protocol_errors():
            return filled(self._prompts, params.name, params.arguments or {})

    def _listed(self, scopes: frozenset[Scope]) -> ListToolsResult:
        if scopes not in self._lists:
            listed = listed_tools(self._profile, self._dispatcher.capabilities, scopes)
            self._lists[scopes] = ListToolsResult(tools=[*listed, TRIVIAL] if self._trivial else listed)
        return self._lists[scopes]

    def _granted(self, context: Context) -> frozenset[Scope]:
        """What the caller may do: all that this server may over stdio, what its token grants over HTTP."""
        if context.request is None:
            return self._scopes
        granted: frozenset[Scope] = context.request.scope[GRANTED]
        return granted & self._scopes

    async def _in_turn(self, context: Context, work: Callable[[Watch], _Result]) -> _Result:
        """Carry out one call after the other. One whose client lets go before its turn is never begun."""
        if self._lane is None:
            self._lane = anyio.Lock()
        async with self._lane:
            return await carried_out(context, work)

    def _cost(self, tool: Tool, arguments: Mapping[str, Any]) -> int:
        """What a call counts, before anything is known of it but what it asks for."""
        if tool.shape is Shape.PICTURE:
            return PICTURE
        capability = tool.actions.get(str(arguments.get(ACTION)), "") if tool.actions else tool.capability
        return WRITE if capability and self._dispatcher.capabilities.get(capability).writes else 0

    def listing(
        self, cursor: str, actor: Actor, watch: Watch | None = None, *, scopes: frozenset[Scope] = SCOPES
    ) -> tuple[list[Resource], str | None]:
        """A page of what the workspace has, and the cursor of the next one. Raises MCPError."""
        with _protocol_errors(cursor=cursor[:LONGEST_ADDRESS]), telling_to(watch):
            asked = {"after": cursor} if cursor else {}
            reply = self._dispatcher.dispatch(self._profile.listing, asked, actor=actor, scopes=scopes)
            return listed_rows(self._profile, reply.data["resources"]), reply.data.get("next")

    def read(
        self, uri: str, actor: Actor, watch: Watch | None = None, *, scopes: frozenset[Scope] = SCOPES
    ) -> ReadResourceResult:
        """Read one resource. Raises MCPError."""
        with _protocol_errors(uri=uri[:LONGEST_ADDRESS]), telling_to(watch):
            capability, given = route(self._profile, uri)
            return contents(uri, self._dispatcher.dispatch(capability, given, actor=actor, scopes=scopes))

    def call(
        self,
        name: str,
        arguments: Mapping[str, Any],
        actor: Actor,
        watch: Watch | None = None,
        *,
        scopes: frozenset[Scope] = SCOPES,
    ) -> CallToolResult:
        """Carry out one call; every error is a result."""
        tool = None
        try:
            tool = self._tool(name)
            capability, given = self._route(tool, arguments)
            action = str(arguments[ACTION]) if tool.actions else ""
            if watch is not None:
                watch.stops = not self._dispatcher.capabilities.get(capability).writes
            with telling_to(watch):
                reply = self._dispatcher.dispatch(
                    capability, given, actor=actor, scopes=scopes, tool=tool.name, action=action
                )
            return answer(tool, reply, self._folder, self._site)
        except LanternError as error:
            return refusal(error, self._profile, tool)
        except Exception as error:  # noqa: BLE001  the boundary: whatever it is, it must not reach the client
            return failure(error)

    def _tool(self, name: str) -> Tool:
        found = self._tools.get(name)
        if found is None:
            close = nearest(name, self._tools)
            raise NotFound(
                f"{name[:60]} is not a tool here",
                expected=sorted(self._tools),
                recovery=f"nearest: {', '.join(close)}" if close else "List the tools.",
            )
        return found

    def _route(self, tool: Tool, arguments: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        """The capability that a call means, and its arguments; null means that an argument is absent."""
        given = dict(arguments)
        capability = tool.capability
        if tool.actions:
            action = given.pop(ACTION, None)
            if not isinstance(action, str) or action not in tool.actions:
                close = [key for key in list(given)[:MOST_KEYS] if nearest(key, [ACTION])]
                raise BadInput(
                    f"{tool.name} needs an action" if action is None else "that is not an action",
                    expected=list(tool.actions),
                    recovery=f"nearest: {close[0]} is spelt {ACTION}" if action is None and close else None,
                )
            capability = tool.actions[action]
        known = self._dispatcher.capabilities.get(capability).input.model_fields
        return capability, {key: value for key, value in given.items() if value is not None or key not in known}


@contextmanager
def _protocol_errors(**concerned: str) -> Iterator[None]:
    """Turn errors into the protocol's, their data the payload that a tool would give, with what they are about."""
    try:
        yield
    except LanternError as error:
        raise MCPError(INVALID_PARAMS, error.message, {**error.payload(), **concerned}) from None
    except Exception as error:  # noqa: BLE001  the boundary, as in call
        log_fault(error)
        raise MCPError(INTERNAL_ERROR, FAULT["message"], FAULT) from None


def agent_of(context: Context) -> Actor:
    """The agent behind a call, under the name its client gives itself."""
    params = context.session.client_params
    return Actor.agent(clean_name("" if params is None else params.client_info.name))


def client_of(context: Context) -> str:
    """Whose calls are counted together: those of one token, or all that come over the standard streams."""
    if context.request is None:
        return "stdio"
    granted: frozenset[Scope] = context.request.scope[GRANTED]
    return ",".join(sorted(scope.value for scope in granted))


def clean_name(name: str) -> str:
    """A client's name as an actor may bear it: printable, on one line, at most 80 characters; never empty."""
    flat = " ".join(unicodedata.normalize("NFC", name).split())
    return "".join(character for character in flat if character.isprintable())[:80].strip() or "agent"
