"""The kit's own agent as an author of novels: one turn for one work, with a model of anybody's.

The model is told the work's brief and given the tools that this kind of work opens; whoever acts in a deduction is told
one brief and given none. Nothing of the novel lies here: what was not committed is gone, and asked for again.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, ClassVar

from lantern_kit.agents.chat import Chat, Hear, Message, Said, ToolSpec
from lantern_kit.agents.chat import Usage as Counted
from lantern_kit.agents.meter import INPUT, Kind, Meter
from lantern_kit.agents.react import LoopRunner
from lantern_kit.agents.subagents import Errand, send
from lantern_kit.agents.tools import Result, Tool, Tools
from lantern_kit.agents.turn import Request, Runner, Seat
from lantern_kit.assistant import carry, open_desk, tools_by
from lantern_kit.kernel.errors import Busy, LanternError
from lantern_kit.mcp_server.novel_profile import AUTHOR
from lantern_kit.novel.brief_parts import DEEDS
from lantern_kit.novel.capabilities.seats import HeldSeat
from lantern_kit.novel.capabilities.working import name_of
from lantern_kit.novel.deduction import Answer
from lantern_kit.novel.edit.work import Usage
from lantern_kit.novel.errors import NovelCapability, NovelOwnership, NovelStorageCorruption
from lantern_kit.novel.host import Cancelled, Guarantee, HostFailed, HostReport, Order, Row
from lantern_kit.novel.model import ChapterState, InstructionState, Status, Why, WorkKind

if TYPE_CHECKING:
    from lantern_kit.novel.whole import Novel
    from lantern_kit.workspace import Workspace

NAME = "lantern-author"
"""Whose deeds they are in the journal."""
ROUNDS = 40
"""How often the model may decide in one turn."""
ACTING = "person"
_ENDING = frozenset(
    {"outline_create", "outline_revise", "requirement_block", "body_commit", "chapter_complete", "finish"}
)
_PROMISED = {
    WorkKind.OUTLINE_CREATE: "plan",
    WorkKind.WRITE_UNIT: "commit",
    WorkKind.CHAPTER_COMPLETE: "completed",
    WorkKind.FINISH: "finished",
}
_LEAST, _MOST = 8_192, 65_536
"""Tokens that one answer may have: an outline, or a unit of its longest."""
_ROWS = (
    Row(Guarantee.FOLLOWUP, ok=True, reason="Each work is one turn of the agent's, named by the kit."),
    Row(Guarantee.BARRIER, ok=True, reason="The model hears of instructions through briefs and tools alone."),
    Row(Guarantee.CANCEL, ok=True, reason="It is looked for before each step, and at each piece the model says."),
    Row(Guarantee.SOURCE, ok=True, reason="What the kit asks is a turn of its own; people say nothing in it."),
    Row(Guarantee.PERMISSIONS, ok=True, reason="It has the work's deeds; whoever acts in a deduction has no tools."),
    Row(Guarantee.PERSISTENCE, ok=True, reason="Turns are kept in agents.sqlite; the novel needs none of them."),
)


class HostRefused(HostFailed):
    """The host could not carry its work through, and trying again would not help: a key, a model's name."""

    code: ClassVar[str] = "host_refused"
    retryable: ClassVar[bool] = False
    default_recovery: ClassVar[str] = "Mend what the error names, then let the novel go on."


class AgentAuthor:
    """Writes novels with a model. It carries one work at a time.

    Args:
        workspace: where the novel is.
        chat: the model: ``OpenAIChat``, or anything that talks the same way.
        runner: carries turns through; None: the plain loop.
        rounds: how often the model may decide in one turn.
        name: whose deeds they are.
        hear: told each piece of what the model says, as it comes. It is no prose: that comes by commits alone.
    """

    def __init__(
        self,
        workspace: Workspace,
        chat: Chat,
        *,
        runner: Runner | None = None,
        rounds: int = ROUNDS,
        name: str = NAME,
        hear: Hear | None = None,
    ) -> None:
        self._workspace = workspace
        self._chat = chat
        self._runner = runner or LoopRunner()
        self._rounds = rounds
        self._name = name
        self._hear = hear
        self._seats: dict[str, tuple[HeldSeat, _Cast, Tools]] = {}
        self._counts = not chat.stand_in
        self._turn = ""
        self._left = threading.Event()
        self._lock = threading.Lock()

    def report(self) -> HostReport:
        """What it guarantees. That tokens are counted holds until an answer comes without its count."""
        counted = (
            "Requests are measured, those of a deduction's people too; tokens as the model's server counts them."
            if self._counts
            else "The model's server does not count tokens: they are estimates, and hold no limit."
        )
        known = sys.platform != "win32"
        rows = (
            *_ROWS,
            Row(Guarantee.RECOVERY, ok=known, reason="A turn that runs keeps its file locked; a dead process none."),
            Row(Guarantee.USAGE, ok=self._counts, reason=counted),
        )
        return HostReport(self._name, rows, counts_tokens=self._counts, stand_in=self._chat.stand_in, deed=name_of)

    def work(self, order: Order) -> Usage:
        """Carry one work through.

        Raises HostFailed (the model may answer another time), HostRefused (it will not), Cancelled, NovelCapability,
        NovelOwnership, NovelStorageCorruption.
        """
        with self._lock:
            self._left.clear()
            self._turn = order.turn
            try:
                return self._carried(order)
            finally:
                self._turn = ""

    def cancel(self) -> None:
        """End the turn that runs where it next says or does something."""
        self._left.set()

    def running(self, turn: str) -> bool | None:
        """Whether a turn still runs, here or in another process; None where locks of files tell nothing."""
        if turn == self._turn:
            return True
        if sys.platform == "win32":
            return None
        with closing(open_desk(self._workspace)) as desk:
            try:
                with desk.held(turn):
                    return False
            except Busy:
                return True

    def _carried(self, order: Order) -> Usage:
        meter, seat = Meter(), self._seat(order.desk.seat.novel)
        held, cast, tools = seat
        novel = order.desk.novel
        limited = novel.config.limits.tokens is not None
        opened = _Opened(tools, order.intent.kind)
        chat = _Turned(self._chat, _room(novel, order.intent.kind), lambda: opened.ended, self._uncounted, limited)

        def alive() -> None:
            if self._left.is_set():
                raise Cancelled("the work was cancelled")
            order.alive()

        def hear(piece: str) -> None:
            alive()
            if self._hear is not None:
                self._hear(piece)

        with closing(open_desk(self._workspace)) as desk:
            place = Seat(
                chat=chat,
                tools=opened,
                desk=desk,
                meter=meter,
                instructions=AUTHOR.instructions,
                rounds=self._rounds,
                hear=hear,
                witness=lambda made: there(order.desk.novel, made),
                alive=alive,
            )
            held.held, cast.place, cast.turn = order.desk, place, order.turn
            request = Request(order.turn, order.turn, order.brief.text, _promised(order))
            try:
                carry(self._workspace, self._runner, request, place, check=False)
            except Cancelled as error:
                raise Cancelled(error.message, usage=_usage(meter), ids=error.ids) from error
            except (NovelOwnership, NovelStorageCorruption):
                raise
            except LanternError as error:
                kind = HostFailed if error.retryable else HostRefused
                raise kind(
                    error.message,
                    usage=_usage(meter),
                    expected=error.expected,
                    found=error.found,
                    ids=error.ids,
                    recovery=error.recovery,
                    details={"cause": error.code, **error.details},
                ) from error
            finally:
                held.held = cast.place = None
        return _usage(meter)

    def _seat(self, novel: str) -> tuple[HeldSeat, _Cast, Tools]:
        if novel not in self._seats:
            held, cast = HeldSeat(novel), _Cast()
            dispatcher = self._workspace.novel_dispatcher(novel, seats=held, cast=cast)
            self._seats[novel] = held, cast, tools_by(self._workspace, AUTHOR, dispatcher, name=self._name)
        return self._seats[novel]

    def _uncounted(self) -> None:
        self._counts = False


@dataclass
class _Turned:
    """A model in one turn: it has room for a unit's prose, and is asked nothing more once the work is done."""

    chat: Chat
    most: int
    ended: Callable[[], bool]
    uncounted: Callable[[], None]
    limited: bool

    @property
    def model(self) -> str:
        return self.chat.model

    @property
    def stand_in(self) -> bool:
        return self.chat.stand_in

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        if self.ended():
            return Said("", usage=Counted(0, 0), model=self.chat.model)
        said = self.chat.complete(messages, tools, most=max(most, self.most), hear=hear)
        if said.usage is None:
            self.uncounted()
            if self.limited:
                raise NovelCapability(
                    "the model's server did not say how many tokens an answer took, and the novel limits them",
                    recovery="Take the limit on tokens away, or use a server that counts them.",
                )
        return said


class _Opened:
    """The tools that a kind of work opens: all that read, and its own deeds."""

    def __init__(self, tools: Tools, kind: WorkKind) -> None:
        self._tools = tools
        self._deeds = {name_of(deed) for deed in DEEDS[kind]} | {"deduce"}
        self.ended = False
        """Whether the deed that ends the work was done."""

    @property
    def notice(self) -> str:
        return self._tools.notice

    def offered(self) -> Sequence[Tool]:
        return [tool for tool in self._tools.offered() if not tool.writes or tool.name in self._deeds]

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        result = self._tools.call(name, arguments, key=key)
        if result.code == NovelStorageCorruption.code:
            raise NovelStorageCorruption("what is stored of the novel cannot be relied on")
        self.ended = self.ended or (result.ok and name in _ENDING)
        return result


class _NoTools:
    """What whoever acts in a deduction has."""

    notice = ""

    def offered(self) -> Sequence[Tool]:
        return ()

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        return Result(False, "", "not_allowed")


@dataclass
class _Cast:
    """People of a deduction, each an agent that is sent with one brief and without tools."""

    place: Seat | None = None
    turn: str = ""
    errand: Errand = field(
        default=Errand(ACTING, "You act one person of a story. Everything you know is in what you are told.", (), 1)
    )

    def play(self, deduction: str, briefs: Mapping[str, str]) -> Sequence[Answer]:
        """What each does."""
        if self.place is None:
            raise NovelOwnership("no work of this novel is on")
        answers = []
        for person, told in briefs.items():
            report = send(self.errand, told, f"{self.turn}-{deduction}", self.place, _NoTools())
            answers.append(Answer(person, report.text, report.ok, report.code))
        return answers


def there(novel: Novel, said: Mapping[str, str]) -> dict[str, str]:
    """Of what calls say that they made, what the novel has."""
    known: Mapping[str, Callable[[str], bool]] = {
        "plan": lambda name: name in novel.plans,
        "commit": lambda name: name in novel.commits,
        "completed": lambda name: name in novel.chapters and novel.chapters[name].state is ChapterState.COMPLETED,
        "finished": lambda name: name == novel.head.id and novel.head.run.status is Status.COMPLETED,
        "blocked": lambda name: (
            name in novel.instructions and novel.instructions[name].state is InstructionState.BLOCKED
        ),
    }
    return {name: value for name, value in said.items() if name in known and known[name](value)}


def _promised(order: Order) -> str:
    """What must be there in the end; for instructions that may be a revision, or one that is blocked."""
    if order.intent.kind is WorkKind.OUTLINE_REVISE:
        return "" if order.intent.why is Why.INSTRUCTIONS else "plan"
    return _PROMISED[order.intent.kind]


def _room(novel: Novel, kind: WorkKind) -> int:
    """Tokens that one answer may have."""
    if kind is not WorkKind.WRITE_UNIT:
        return 2 * _LEAST
    return min(_MOST, max(_LEAST, 3 * novel.config.unit_maximum))


def _usage(meter: Meter) -> Usage:
    """What a turn took, sub-agents included."""
    used = meter.used()
    asked = [span for span in meter.spans if span.kind is Kind.CHAT and span.facts.get(INPUT) != 0]
    took = sum(span.duration for span in meter.spans if span.parent is None)
    return Usage(took // 1_000_000, len(asked), used["input"], used["output"])
