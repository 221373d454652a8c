"""The kit's own agent, as people hold it: ask it something, see how it went, stop it, go back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from lantern_kit.agents.meter import Meter, Span
from lantern_kit.agents.tools import MADE, Tools
from lantern_kit.agents.turn import Outcome, Request, Runner, Seat, Turn
from lantern_kit.assistant import (
    WatchedMeter,
    analysed,
    carry,
    graph_at,
    new_turn,
    open_desk,
    seat,
    tools_here,
    tools_of_server,
)
from lantern_kit.comic.work import show
from lantern_kit.kernel.errors import BadInput, WrongState

if TYPE_CHECKING:
    from lantern_kit.agents.chat import Chat
    from lantern_kit.agents.desk import Desk, Kept
    from lantern_kit.agents.graph import GraphRunner
    from lantern_kit.agents.subagents import Report
    from lantern_kit.comic.work.chapter import ChapterWork
    from lantern_kit.comic.work.proposal import ProposalWork
    from lantern_kit.workspace import Workspace

_TONES = {
    Outcome.MADE: "#15803d",
    Outcome.ANSWERED: "#15803d",
    Outcome.NOTHING: "#b3261e",
    Outcome.PAUSED: "#d97706",
}
Tell = Callable[[Span], None]


class Agent:
    """An agent at a workspace. It reads and drafts; what it proposes, you decide.

    Args:
        workspace: where it works.
        chat: its model; None is the offline assistant, which only stands in for one.
        chapter: the chapter that is meant; None where your words say it.
        thread: the conversation: what was said in it comes back where words lead to it.
        over_mcp: have a server of its own carry the tools out; where that is lost they are carried out here, and
            the turn says so.
        runner: ``graph``, seven nodes that can be stopped and gone back in, or ``loop``, a plain one.
        watch: told each node and each call of a tool as it begins and as it ends.
    """

    def __init__(
        self,
        workspace: Workspace,
        chat: Chat | None = None,
        *,
        chapter: ChapterWork | str | None = None,
        thread: str = "notebook",
        over_mcp: bool = False,
        runner: str = "graph",
        watch: Tell | None = None,
    ) -> None:
        if runner not in {"graph", "loop"}:
            raise BadInput(f"{runner[:20]} is no runner", expected=["graph", "loop"])
        if chat is None:
            from lantern_kit.agents.offline import OfflineAssistant

            chat = OfflineAssistant()
        self.workspace = workspace
        self.chat = chat
        self.thread = thread
        self._chapter = "" if chapter is None else chapter if isinstance(chapter, str) else chapter.id
        self._over_mcp = over_mcp
        self._runner = runner
        self._watch = watch

    def __repr__(self) -> str:
        stand_in = ", which stands in for a model" if self.chat.stand_in else ""
        return f"<Agent at {self.workspace.title!r} with {self.chat.model}{stand_in}>"

    def ask(self, words: str, *, promise: str = "", pause_before: Sequence[str] = ()) -> AgentTurn:
        """Ask for something: a turn, from your words to what came of them.

        Args:
            words: what you want.
            promise: what must exist in the end (draft, revision, proposal, asset); empty: as the words say.
            pause_before: nodes of the graph to pause before: ``plan``, ``invoke``, ``assert`` …

        Raises ModelRefused, ModelBusy, ModelGarbled; BadInput for a node that is none.
        """
        if not words.strip():
            raise BadInput("nothing was asked", expected="words that say what you want")
        if promise and promise not in MADE:
            raise BadInput(f"{promise[:20]} is nothing that a turn can promise", expected=list(MADE))
        self._nodes(pause_before)
        return self._carried(Request(new_turn(), self.thread, words, promise), pause_before)

    def analyse(self, question: str) -> Report:
        """Send an analyst for the answer to one question: it reads, cannot write, and is told nothing of this talk.

        A report that could not be had says so. Raises BadInput for no question.
        """
        if not question.strip():
            raise BadInput("nothing was asked", expected="a question about the work")
        with closing(open_desk(self.workspace)) as desk:
            place = seat(self.workspace, self.chat, desk=desk, chapter=self._chapter)
            return analysed(self.workspace, question, place)

    def go_on(self, turn: AgentTurn | str, *, pause_before: Sequence[str] = ()) -> AgentTurn:
        """Go on with a turn that paused or broke off; what was carried out is not carried out again.

        Raises NotFound.
        """
        kept = self._kept(turn)
        self._nodes(pause_before)
        return self._carried(Request(kept.turn, kept.thread, kept.asked), pause_before)

    def back_to(self, turn: AgentTurn | str, node: str, *, pause_before: Sequence[str] = ()) -> AgentTurn:
        """Go back to before a node's last pass, and on from there. What was made stays made; drafts have ``undo``.

        Raises NotFound; WrongState for a plain loop, which keeps no steps.
        """
        kept = self._kept(turn)
        self._nodes((node, *pause_before))
        request = Request(kept.turn, kept.thread, kept.asked)
        return self._carried(request, pause_before, back_to=node)

    def turns(self, last: int = 20) -> list[AgentTurn]:
        """The last turns of this conversation, the newest first."""
        with closing(open_desk(self.workspace)) as desk:
            kept = desk.last(self.thread, last)
        return [
            AgentTurn(self.workspace, Turn(item.turn, Outcome(item.outcome), item.answer, item.made), item.asked, None)
            for item in reversed(kept)
        ]

    def traces(self, turn: AgentTurn | str | None = None) -> dict[str, Any]:
        """What turns took, as OpenTelemetry traces (OTLP JSON): of one, or of all that agents had in this workspace.

        ``json.dump`` writes a file that collectors read; nothing of what was said is in it. Raises NotFound.
        """
        from lantern_kit.agents.otlp import traces

        return traces(self.workspace.journal, "" if turn is None else self._kept(turn).turn)

    # parts

    def _kept(self, turn: AgentTurn | str) -> Kept:
        with closing(open_desk(self.workspace)) as desk:
            return desk.get(turn if isinstance(turn, str) else turn.id)

    @staticmethod
    def _nodes(names: Sequence[str]) -> None:
        from lantern_kit.agents.nodes import NODES

        for name in names:
            if name not in NODES:
                raise BadInput(f"{name[:20]} is no node", expected=list(NODES))

    def _carried(self, request: Request, pause_before: Sequence[str], *, back_to: str = "") -> AgentTurn:
        meter = Meter() if self._watch is None else WatchedMeter(self._watch)
        with ExitStack() as stack:
            desk = stack.enter_context(closing(open_desk(self.workspace)))
            place = seat(
                self.workspace, self.chat, desk=desk, tools=self._tools(stack), chapter=self._chapter, meter=meter
            )
            turn = carry(self.workspace, self._steps(stack, desk, pause_before, back_to), request, place)
        return AgentTurn(self.workspace, turn, request.text, meter)

    def _tools(self, stack: ExitStack) -> Tools:
        return stack.enter_context(tools_of_server(self.workspace)) if self._over_mcp else tools_here(self.workspace)

    def _steps(self, stack: ExitStack, desk: Desk, pause_before: Sequence[str], back_to: str) -> Runner:
        if self._runner == "loop":
            from lantern_kit.agents.react import LoopRunner

            if pause_before or back_to:
                raise WrongState("a plain loop keeps no steps", recovery='Use an Agent with runner="graph".')
            return LoopRunner()
        return _Steps(stack.enter_context(closing(graph_at(desk))), tuple(pause_before), back_to)


@dataclass(frozen=True)
class _Steps:
    """A graph, to be paused at nodes, or gone back in."""

    graph: GraphRunner
    pause_before: tuple[str, ...]
    back_to: str

    def run(self, request: Request, seat: Seat) -> Turn:
        """Carry the turn through so."""
        if self.back_to:
            return self.graph.back_to(request.turn, self.back_to, seat, pause_before=self.pause_before)
        return self.graph.run(request, seat, pause_before=self.pause_before)


class AgentTurn:
    """A turn of an agent, as people see it: how it went, what came of it, and what it took."""

    def __init__(self, workspace: Workspace, turn: Turn, asked: str, meter: Meter | None) -> None:
        self._workspace = workspace
        self._turn = turn
        self.asked = asked
        """Your words."""
        self.meter = meter
        """What this pass took; None for one of earlier, whose rows are in the tables ``spans`` and ``tokens``."""

    @property
    def id(self) -> str:
        """Its id, to go on with it or back in it."""
        return self._turn.id

    @property
    def outcome(self) -> Outcome:
        """made, answered, nothing, or paused."""
        return self._turn.outcome

    @property
    def answer(self) -> str:
        """What you are told."""
        return self._turn.answer

    @property
    def made(self) -> Mapping[str, str]:
        """What was made, by what it is: draft, revision, proposal, asset."""
        return self._turn.made

    @property
    def nodes(self) -> tuple[str, ...]:
        """The nodes that were passed, in their order."""
        return tuple(step["node"] for step in self._turn.trace)

    @property
    def waits(self) -> str:
        """The node that it waits at; empty when it ended."""
        return self._turn.waits

    @property
    def notices(self) -> tuple[str, ...]:
        """What to know of how it came about."""
        return self._turn.notices

    @property
    def proposal(self) -> ProposalWork | None:
        """What it proposed, to be decided on; None when it proposed nothing."""
        name = self.made.get("proposal")
        return None if name is None else self._workspace.proposals[name]

    def __repr__(self) -> str:
        waits = f" at {self.waits}" if self.waits else ""
        words = " ".join(self.answer.split())
        notices = "".join(f" [{notice}]" for notice in self.notices)
        told = f": {words[:200]}" if words else ""
        return f"<Turn {self.id} {self.outcome.value}{waits}{told}{notices}>"

    def _repr_mimebundle_(self, **_: Any) -> dict[str, str]:
        return show.bundle(repr(self), self._html())

    def _html(self) -> str:
        parts = [show.heading(self.asked), *(show.warning(notice) for notice in self.notices)]
        if self._turn.trace:
            steps = " → ".join(
                f'<b>{escape(step["node"])}</b> <small style="opacity:.75">{escape(step["told"])}</small>'
                for step in self._turn.trace
            )
            parts.append(show.Markup(f'<p style="margin:.2em 0">{steps}</p>'))
        tone, word = _TONES[self.outcome], self.outcome.value + (f" at {self.waits}" if self.waits else "")
        parts.append(show.Markup(f'<p style="margin:.2em 0;color:{tone}"><b>{escape(word)}</b></p>'))
        parts.append(show.paragraph(self.answer))
        made = ", ".join(f"{kind} {name}" for kind, name in self.made.items())
        parts.append(show.small(f"made: {made}" if made else ""))
        parts.append(show.small(self._took()))
        return "".join(parts)

    def _took(self) -> str:
        """Time and tokens, in a line."""
        if self.meter is None or not self.meter.spans:
            return ""
        used, meter = self.meter.used(), self.meter
        own = f"{meter.framework / 1e6:,.0f} ms of the graph's own, {meter.waited / 1e6:,.0f} ms of model and tools"
        return f"{own}; {used['input']:,} tokens in, {used['output']:,} out"
