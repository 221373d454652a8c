"""The kit's own agent: asked for something, watched, paused and gone on with."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import signal
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lantern_kit.asking import typed
from lantern_kit.cli import person
from lantern_kit.cli.chapter import ComicOption, chosen
from lantern_kit.cli.guard import REFUSED, STOPPED
from lantern_kit.cli.place import Place, WorkspaceArgument, WorkspaceOption, find, is_workspace, opened
from lantern_kit.cli.screen import following, note, say, table, working
from lantern_kit.cli.words import tr
from lantern_kit.kernel.errors import BadInput, LanternError, MissingDependency, NotFound

if TYPE_CHECKING:
    from lantern_kit.agents.chat import Chat
    from lantern_kit.agents.desk import Desk, Kept
    from lantern_kit.agents.meter import Span
    from lantern_kit.agents.tools import Tools
    from lantern_kit.agents.turn import Runner, Turn
    from lantern_kit.workspace import Workspace

SHOWN = 20
"""Turns that are listed."""
Address = Annotated[
    str | None, typer.Option(metavar="URL", help="The model's server (…/v1); it speaks OpenAI's chat completions.")
]
KeyVariable = Annotated[
    str | None,
    typer.Option(metavar="VAR", help="The environment variable with the model's key. Left out: you type it."),
]
_VARIABLE = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_NO_KEY = "none"
"""What servers of this machine, which ask for no key, are sent."""


def agent(
    request: Annotated[
        str | None,
        typer.Argument(metavar='["REQUEST"]', help="What the agent is to do, in your words.", show_default=False),
    ] = None,
    workspace: WorkspaceArgument = None,
    *,
    folder: WorkspaceOption = None,
    chapter: Annotated[
        str | None, typer.Option(metavar="CHAPTER", help="The chapter that is meant, by number or id.")
    ] = None,
    comic: ComicOption = None,
    model: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="A model. Left out: the offline assistant, which only stands in for one."),
    ] = None,
    address: Address = None,
    key_env: KeyVariable = None,
    runner: Annotated[Literal["graph", "loop"], typer.Option(help="Seven nodes, or the plain loop.")] = "graph",
    thread: Annotated[str, typer.Option(metavar="NAME", help="The conversation it belongs to.")] = "talk",
    over_mcp: Annotated[
        bool, typer.Option("--mcp", help="Use the tools through the MCP server; here, if it is gone.")
    ] = False,
    check: Annotated[bool, typer.Option(help="Have a checker read what is proposed.")] = True,
    seed: Annotated[int, typer.Option(help="Of the offline assistant: another number, another layout.")] = 0,
    watch: Annotated[bool, typer.Option("--watch", help="Print each node and each tool as it goes.")] = False,
    resume: Annotated[str | None, typer.Option(metavar="TURN", help="Go on with a turn that stopped.")] = None,
    turns: Annotated[bool, typer.Option("--turns", help="List the turns so far.")] = False,
) -> None:
    """Let the kit's own agent draft something. It reads and drafts; only you decide on what it proposes.

    Ctrl-C pauses it at the next node. Keys are read from the environment or typed, and never kept.

    Example: lantern agent "Make a page with two panels: a cat on a roof says “Hello?”; fog." chelsea
    """
    if request is not None and workspace is None and (resume is not None or turns):
        workspace, request = Path(request), None
    if turns:
        _list(find(workspace, folder))
        return
    asked = None if resume is not None else _asked(request, alone=workspace is None and folder is None)
    place = find(workspace, folder)
    chat = _chat(model, address, key_env, seed)
    again = _again(model, address, key_env, runner, over_mcp=over_mcp)
    with ExitStack() as stack:
        found = stack.enter_context(opened(place))
        from lantern_kit.assistant import new_turn, open_desk, tools_of_server

        desk = stack.enter_context(closing(open_desk(found)))
        carries = _runner(runner, desk, stack)
        if asked is not None:
            meant = chosen(found, chapter, comic, place, "agent").id if chapter or comic else ""
            turn = new_turn()
            desk.begin(turn, thread, asked)
            desk.put(turn, "chapter", meant)
        else:
            turn = str(resume)
            asked, thread, meant = _begun(desk, turn)
        way = " ".join([place.command("agent", "--resume", turn), *again])
        tools = stack.enter_context(tools_of_server(found)) if over_mcp else None
        done = _carried(found, chat, desk, carries, (turn, thread, asked, meant), tools, way, check=check, watch=watch)
        _tell(done, place, chat, tools, way)


# parts


def _asked(request: str | None, *, alone: bool) -> str:
    """What is wanted. Raises a usage error where nothing is, or ``alone`` a workspace is named."""
    if request is None or not request.strip() or (alone and is_workspace(request)):
        raise typer.BadParameter(tr("say what is wanted: {example}", example='lantern agent "Make a page …"'))
    return request


def _chat(model: str | None, address: str | None, key_env: str | None, seed: int) -> Chat:
    """The model that is named, or the offline assistant."""
    if model is None:
        if address is not None or key_env is not None:
            raise typer.BadParameter(tr("--address and --key-env belong to --model"))
        from lantern_kit.agents.offline import OfflineAssistant

        return OfflineAssistant(seed=seed)
    return named_model(model, address, key_env)


def named_model(model: str, address: str | None, key_env: str | None) -> Chat:
    """A model behind a server, its key read from the environment or typed.

    Raises MissingDependency, BadInput, NotFound.
    """
    if importlib.util.find_spec("openai") is None:
        raise _missing()
    from lantern_kit.agents.openai_chat import OpenAIChat, checked_address

    if address is not None:
        checked_address(address)  # before anybody types a key
    return OpenAIChat(model, key=_key(model, address, key_env), address=address)


def _key(model: str, address: str | None, key_env: str | None) -> str:
    """The key that pays. It is in no message: somebody may have put it where its variable's name belongs."""
    if key_env is not None:
        if not _VARIABLE.fullmatch(key_env):
            raise BadInput(
                tr("--key-env takes the name of an environment variable, never a key"),
                recovery=tr("Put the key into a variable and name that, or leave --key-env out and type the key."),
            )
        found = os.environ.get(key_env, "").strip()
        if not found:
            raise NotFound(
                tr("the environment variable that --key-env names is not set"),
                recovery=tr("Put the key into a variable and name that, or leave --key-env out and type the key."),
            )
        return found
    from lantern_kit.agents.openai_chat import on_this_machine

    if address is not None and on_this_machine(address):
        return _NO_KEY
    if not person.is_here():
        raise BadInput(
            tr("a model needs a key, and nobody is here to type it"),
            recovery=tr("Name an environment variable that holds it, with --key-env."),
        )
    found = typed(tr("Key for {model}: ", model=model)).strip()
    if not found:
        raise BadInput(tr("no key was typed"), recovery=tr("Nothing was changed; run it again."))
    return found


def _begun(desk: Desk, turn: str) -> tuple[str, str, str]:
    """Words, thread and chapter of a turn that is gone on with. Raises NotFound."""
    kept = desk.get(turn)
    try:
        return kept.asked, kept.thread, desk.read(f"{turn}/chapter")
    except NotFound:  # begun in Python
        return kept.asked, kept.thread, ""


def _again(model: str | None, address: str | None, key_env: str | None, runner: str, *, over_mcp: bool) -> list[str]:
    """The options with which a turn is gone on with."""
    named = {"--model": model, "--address": address, "--key-env": key_env}
    words = [word for name, value in named.items() if value is not None for word in (name, value)]
    words += ["--runner", runner] if runner != "graph" else []
    words += ["--mcp"] if over_mcp else []
    return [shlex.quote(word) for word in words]


def _runner(name: str, desk: Desk, stack: ExitStack) -> Runner:
    if name == "loop":
        from lantern_kit.agents.react import LoopRunner

        return LoopRunner()
    from lantern_kit.assistant import graph_at

    try:
        return stack.enter_context(closing(graph_at(desk)))
    except MissingDependency as error:
        raise _missing() from error


def _missing() -> MissingDependency:
    return MissingDependency(
        tr("what agents need is not installed"), recovery=tr("Install it with: pip install 'lantern-kit[agents]'")
    )


def _carried(
    found: Workspace,
    chat: Chat,
    desk: Desk,
    runner: Runner,
    words: tuple[str, str, str, str],
    tools: Tools | None,
    way: str,
    *,
    check: bool,
    watch: bool,
) -> Turn:
    """Carry a turn through, shown as it goes; say how to go on with it where it stops."""
    from lantern_kit.agents.turn import Request
    from lantern_kit.assistant import WatchedMeter, carry, seat

    turn, thread, asked, meant = words
    if chat.stand_in:
        say(tr("{model} only stands in for a model: it follows playbooks, offline.", model=chat.model), style="yellow")
    with _pausing() as alive, _shown(watch=watch) as tell:
        place = seat(
            found,
            chat,
            desk=desk,
            tools=tools,
            chapter=meant,
            meter=WatchedMeter(tell),
            hear=lambda _: alive(),
            alive=alive,
        )
        try:
            return carry(found, runner, Request(turn, thread, asked), place, check=check)
        except KeyboardInterrupt:
            note(tr("Paused. What was carried out is kept."))
            following((way, tr("go on with it")))
            raise typer.Exit(STOPPED) from None
        except LanternError as error:
            if not isinstance(error, BadInput):
                note(tr("The turn stopped here; go on with it: {command}", command=way))
            raise


@contextmanager
def _pausing() -> Iterator[Callable[[], None]]:
    """Ctrl-C pauses at the next node, or with the model's next word; a second one stops at once."""
    asked = threading.Event()

    def ask(*_: object) -> None:
        if asked.is_set():
            raise KeyboardInterrupt
        asked.set()
        note(tr("Pausing; Ctrl-C again stops at once."))

    def alive() -> None:
        if asked.is_set():
            raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield alive
        return
    before = signal.signal(signal.SIGINT, ask)
    try:
        yield alive
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _shown(*, watch: bool) -> Iterator[Callable[[Span], None]]:
    """Nodes and tools as they go: a line each, or what goes on now, on a terminal."""
    from lantern_kit.agents.meter import NODE, TOOL, Kind

    def words(span: Span) -> str:
        return str(span.facts[NODE]) if span.kind is Kind.NODE else f"  {span.facts[TOOL]}"

    if watch:
        begun = 0

        def line(span: Span) -> None:
            nonlocal begun
            if span.kind is Kind.WORKFLOW and not span.end:
                begun += 1
                if begun > 1:
                    note(tr("checker"))
            elif span.kind is Kind.NODE and not span.end:
                note(words(span))
            elif span.kind is Kind.TOOL and span.end:
                note(f"{words(span)}  {span.failed or '✓'}")

        yield line
        return
    with working(tr("The agent is at work")) as step:
        passed = 0

        def now(span: Span) -> None:
            nonlocal passed
            if span.kind in (Kind.NODE, Kind.TOOL) and not span.end:
                passed += span.kind is Kind.NODE
                step(words(span).strip(), passed, 0)

        yield now


def _tell(turn: Turn, place: Place, chat: Chat, tools: Tools | None, way: str) -> None:
    """Say what came of a turn. A turn of which nothing came out ends with 1."""
    from lantern_kit.agents.nodes import NOTHING
    from lantern_kit.agents.turn import Outcome
    from lantern_kit.assistant import LOST

    answer = turn.answer
    if turn.outcome is Outcome.NOTHING:
        answer = tr("Nothing came out this time.") + answer.removeprefix(NOTHING)
    say(answer)
    if turn.made:
        say("  " + " · ".join(f"{tr(name)} {value}" for name, value in turn.made.items()), style="green")
    if tools is not None and tools.notice:
        note(tr("The tools' server could not be reached: they were carried out here, directly."), style="yellow")
    if LOST in turn.notices:
        note(tr("What this turn took could not be kept in the journal."), style="yellow")
    note(_trace([step["node"] for step in turn.trace]))
    if turn.outcome is Outcome.PAUSED:
        following((way, tr("go on with it")))
    elif "proposal" in turn.made:
        proposal = turn.made["proposal"]
        following(
            (place.command("review", proposal), tr("look at it in the browser, and decide")),
            (place.command("show", proposal), tr("read it, and see it before and after")),
        )
    if turn.outcome is Outcome.NOTHING:
        raise typer.Exit(REFUSED)


def _trace(nodes: Sequence[str]) -> str:
    """The nodes that were passed, rounds of plan and invoke as one: ``route → recall → (plan → invoke) ×3 → …``."""
    pairs = [
        f"{node} → invoke" if node == "plan" and nodes[place + 1 : place + 2] == ["invoke"] else node
        for place, node in enumerate(nodes)
        if not (node == "invoke" and nodes[place - 1 : place] == ["plan"])
    ]
    parts = []
    for words, same in groupby(pairs):
        count = len(list(same))
        parts.append(words if count == 1 else f"({words}) ×{count}" if " " in words else f"{words} ×{count}")
    return " → ".join(parts)


def _list(place: Place) -> None:
    """Say which turns there are, the newest first; those of agents that were sent are part of theirs."""
    from lantern_kit.agents.subagents import BETWEEN
    from lantern_kit.assistant import DESK, open_desk

    with opened(place) as found:
        kept: list[Kept] = []
        if (found.path / DESK).is_file():
            with closing(open_desk(found)) as desk:
                kept = [item for item in desk.newest(4 * SHOWN) if BETWEEN not in item.turn][:SHOWN]
    if not kept:
        say(tr("No turns yet."))
        following((place.command("agent", before='"…"'), tr("ask the agent for something")))
        return
    from lantern_kit.kernel.clock import to_the_minute

    heads = (tr("turn"), tr("begun"), tr("outcome"), tr("asked"))
    table(
        heads, [(item.turn, to_the_minute(item.begun), tr(item.outcome or "stopped"), item.asked[:80]) for item in kept]
    )
    waiting = next((item.turn for item in kept if item.ended is None), None)
    if waiting is not None:
        following((place.command("agent", "--resume", waiting), tr("go on with it")))
