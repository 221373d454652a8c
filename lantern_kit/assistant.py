"""The kit's own agent at a workspace: its tools, here or over MCP, and what a turn works with."""

from __future__ import annotations

import json
import re
import secrets
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from lantern_kit.agents.capability_tools import CapabilityTools, Offer
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.faults import missing
from lantern_kit.agents.ledger import keep
from lantern_kit.agents.mcp_tools import McpTools, stdio
from lantern_kit.agents.meter import Kind, Meter, Span
from lantern_kit.agents.subagents import ANALYST, BETWEEN, CHECKER, Errand, Report, errand_turn, send, with_reports
from lantern_kit.agents.tools import Fallback, Tool, Tools
from lantern_kit.agents.turn import Outcome, Request, Runner, Seat, Turn
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Scope
from lantern_kit.kernel.errors import BadInput, LanternError, NotFound

if TYPE_CHECKING:
    from lantern_kit.agents.chat import Chat
    from lantern_kit.agents.graph import GraphRunner
    from lantern_kit.kernel.capability import Capabilities, Dispatcher
    from lantern_kit.mcp_server.profile import Profile
    from lantern_kit.workspace import Workspace

NAME = "lantern-agent"
"""The agent's name, in process and as an MCP client: receipts of both are one agent's."""
DESK = "agents.sqlite"
"""The agents' file in a workspace."""
SCOPES = frozenset({Scope.READ, Scope.DRAFT})
READS = frozenset({Scope.READ})
LOST = "What this turn took could not be kept in the journal."
"""Said of a turn whose measures were lost, and nothing else of it."""
_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_CHECK = (
    "Check draft {draft}, which was made for this request: {asked}",
    "检查草稿 {draft}，它是按这个要求做的：{asked}",
)


def open_desk(workspace: Workspace) -> Desk:
    """The workspace's desk, made when it is not there."""
    return Desk(workspace.path / DESK, workspace.clock)


def new_turn() -> str:
    """An id for a turn."""
    return f"t{secrets.token_hex(5)}"


def tools_here(
    workspace: Workspace,
    *,
    profile: str = "comic",
    novel: str = "",
    scopes: frozenset[Scope] = SCOPES,
    name: str = NAME,
) -> CapabilityTools:
    """A profile's tools, carried out in this process.

    Args:
        novel: which one, for the profile of novels; empty: the only one.
        scopes: what the agent is granted; nothing that is a person's alone is among the tools.
        name: the agent's.
    """
    from lantern_kit.mcp_server.bound import dispatcher_for
    from lantern_kit.mcp_server.profiles import PROFILES

    return tools_by(workspace, PROFILES[profile], dispatcher_for(workspace, profile, novel), scopes=scopes, name=name)


def tools_by(
    workspace: Workspace, profile: Profile, dispatcher: Dispatcher, *, scopes: frozenset[Scope] = SCOPES, name: str
) -> CapabilityTools:
    """A profile's tools, carried out by a dispatcher of this process. Further arguments are those of ``tools_here``."""
    offers = _offers(workspace, profile, dispatcher.capabilities, scopes)
    return CapabilityTools(dispatcher, offers, actor=Actor.agent(name), scopes=scopes)


def tools_over_mcp(workspace: Workspace, *, profile: str = "comic", name: str = NAME) -> McpTools:
    """The same tools, carried out by a server of the workspace that is started for them; close it in the end."""
    words = ["-P", "-m", "lantern_kit.mcp_server", str(workspace.path), "--profile", profile]
    return McpTools(stdio(sys.executable, words), name=name, keyless=keyless(workspace, profile))


@contextmanager
def tools_of_server(workspace: Workspace) -> Iterator[Tools]:
    """The tools over MCP for a block; where their server is lost they are carried out here, which is said."""
    with tools_over_mcp(workspace) as far:
        yield Fallback(far, tools_here(workspace))


def graph_at(desk: Desk) -> GraphRunner:
    """The graph, its checkpoints in the desk's file; close it in the end. Raises MissingDependency."""
    try:
        from lantern_kit.agents.graph import GraphRunner
    except ImportError as error:
        raise missing() from error
    return GraphRunner(desk.path)


def keyless(workspace: Workspace, profile: str = "comic") -> Mapping[str, frozenset[str]]:
    """Actions that take no key though their tool does, by tool."""
    from lantern_kit.mcp_server.profiles import PROFILES

    known = workspace.dispatcher().capabilities
    return {
        tool.name: frozenset(action for action, capability in tool.actions.items() if not known.get(capability).writes)
        for tool in PROFILES[profile].tools
    }


def seat(
    workspace: Workspace,
    chat: Chat,
    *,
    desk: Desk,
    tools: Tools | None = None,
    chapter: str = "",
    profile: str = "comic",
    meter: Meter | None = None,
    **options: Any,
) -> Seat:
    """What a turn at a workspace works with.

    Args:
        chat: the model.
        desk: where its turns are kept.
        tools: None carries them out here.
        chapter: the id of the chapter that is meant; empty where the words are to say it.
        meter: None is a new one.
        options: further ones of ``Seat``.
    """
    from lantern_kit.mcp_server.profiles import PROFILES

    told = PROFILES[profile].instructions
    if chapter:
        told += f"\nThe person means the chapter {chapter}."
    given = tools if tools is not None else tools_here(workspace, profile=profile)
    return Seat(
        chat=chat,
        tools=given,
        desk=desk,
        meter=meter or Meter(),
        instructions=told,
        **{"witness": partial(there, workspace), **options},
    )


def there(workspace: Workspace, said: Mapping[str, str]) -> dict[str, str]:
    """Of what calls say that they made, what the journal knows: tools may be anybody's."""
    known: Mapping[str, Callable[[str], object]] = {
        "draft": workspace.drafts.get,
        "revision": lambda revision: workspace.comics.at(_number(revision)),
        "proposal": workspace.proposal_service.get,
        "asset": workspace.assets.get,
    }
    found = {}
    for name, value in said.items():
        try:
            if name in known:
                known[name](value)
                found[name] = value
        except (BadInput, NotFound):
            continue
    return found


def _number(revision: str) -> int:
    if not re.fullmatch(r"r[0-9]{1,18}", revision):
        raise NotFound(f"there is no revision {revision[:40]}")
    return int(revision[1:])


def carry(workspace: Workspace, runner: Runner, request: Request, place: Seat, *, check: bool = True) -> Turn:
    """Carry a turn through, or go on with it, and keep in the journal what it took, however it ends.

    Args:
        check: have a checker look at what is proposed; its report ends the answer.

    Raises BadInput when another model began the turn, or it is that of one who was sent; and what the runner raises.
    """
    if BETWEEN in request.turn:  # it was handed other words than a person's, and no right to write
        raise BadInput(
            f"{request.turn[:60]} is no turn of its own",
            recovery=f"Go on with {request.turn.partition(BETWEEN)[0][:40]}.",
            ids=[request.turn[:60]],
        )
    _same_model(request.turn, place)
    begun = workspace.clock.now()
    try:
        turn = runner.run(request, place)
        turn = checked(workspace, turn, request.text, place) if check else turn
    except BaseException:
        _measured(workspace, request.turn, begun, place)
        raise
    kept = _measured(workspace, request.turn, begun, place)
    return turn if kept else replace(turn, notices=(*turn.notices, LOST))


def _measured(workspace: Workspace, turn: str, begun: int, place: Seat) -> bool:
    """Keep what a turn took, where the journal takes it: what the turn made is not lost with it."""
    try:
        keep(workspace.journal, turn, NAME, begun, place.meter)
    except LanternError:
        return False
    return True


def _same_model(turn: str, place: Seat) -> None:
    """Keep which model a turn was begun with; no other may go on with it, a stand-in least of all."""
    try:
        began = place.desk.read(f"{turn}/model")
    except NotFound:
        place.desk.put(turn, "model", place.chat.model)
        return
    if began != place.chat.model:
        raise BadInput(
            f"turn {turn} was begun with another model",
            expected=began,
            found=place.chat.model,
            recovery="Go on with it with the model that began it.",
            ids=[turn],
        )


def sent(workspace: Workspace, errand: Errand, words: str, turn: str, place: Seat, *, profile: str = "comic") -> Report:
    """Have an errand done at a workspace, once a turn: asked the same again, it gives the report that it gave."""
    own = errand_turn(errand, words, turn)
    try:
        return Report(**json.loads(place.desk.read(f"{own}/report")))
    except NotFound:
        tools = tools_here(workspace, profile=profile, scopes=READS, name=f"{NAME}-{errand.name}")
        report = send(errand, words, turn, place, tools)
        if report.ok:
            facts = {"name": report.name, "ok": True, "text": report.text}
            place.desk.put(own, "report", json.dumps(facts, ensure_ascii=False))
        return report


def analysed(workspace: Workspace, question: str, place: Seat) -> Report:
    """Have an analyst answer one question by reading; it is told nothing else, and cannot write."""
    turn, begun = new_turn(), workspace.clock.now()
    try:
        return sent(workspace, ANALYST, question, turn, place)
    finally:
        _measured(workspace, turn, begun, place)


def checked(workspace: Workspace, turn: Turn, asked: str, place: Seat) -> Turn:
    """A turn, with a checker's report where it made a proposal."""
    if turn.outcome is not Outcome.MADE or "proposal" not in turn.made or "draft" not in turn.made:
        return turn
    words = _CHECK[bool(_CHINESE.search(asked))].format(**{"revision": "its head", **turn.made}, asked=asked)
    return with_reports(turn, [sent(workspace, CHECKER, words, turn.id, place)])


class WatchedMeter(Meter):
    """A meter that tells of each node and each call of a tool as it begins and as it ends.

    Args:
        tell: told the span; its ``end`` is 0 while it goes on.
    """

    def __init__(self, tell: Callable[[Span], None]) -> None:
        super().__init__()
        self._tell = tell

    @contextmanager
    def span(self, kind: Kind, name: str, **facts: Any) -> Iterator[Span]:
        """Measure a block, and tell of it."""
        span: Span | None = None
        try:
            with super().span(kind, name, **facts) as span:
                self._tell(span)
                yield span
        finally:
            if span is not None:
                self._tell(span)


def _offers(
    workspace: Workspace, profile: Profile, capabilities: Capabilities, scopes: frozenset[Scope]
) -> list[Offer]:
    """A profile's tools as the protocol lists them, each with what it calls."""
    from lantern_kit.mcp_server.answers import next_tool, opening
    from lantern_kit.mcp_server.tools import listed_tools

    by_name = {tool.name: tool for tool in profile.tools}
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = partial(
        opening, folder=workspace.path.name, site=workspace.review_site
    )
    made = []
    for listed in listed_tools(profile, capabilities, scopes):
        tool = by_name[listed.name]
        allowed = {name: item for name, item in tool.actions.items() if capabilities.get(item).scope in scopes}
        writes = any(capabilities.get(name).writes for name in allowed.values() or [tool.capability])
        made.append(
            Offer(
                Tool(listed.name, listed.description or "", listed.input_schema, writes),
                tool.capability,
                allowed,
                **({"shown": shown} if tool.opens else {}),
                following=partial(next_tool, profile=profile, tool=tool),
            )
        )
    return made
