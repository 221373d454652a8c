"""One turn: what is asked, what the nodes share, and what comes of it."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Protocol, TypedDict

from lantern_kit.agents.chat import Chat, Hear
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.meter import Meter
from lantern_kit.agents.tools import Tools


class Outcome(StrEnum):
    """What came of a turn."""

    MADE = "made"
    """What was promised is there."""
    ANSWERED = "answered"
    """Nothing was to be made, and there is an answer."""
    NOTHING = "nothing"
    """Something was to be made, and nothing came out."""
    PAUSED = "paused"
    """It waits at a node."""


class Call(TypedDict):
    """A call as the state holds it: references and summaries."""

    key: str
    tool: str
    """Its name if it was among the tools that were chosen; else empty: what a model makes up is no name."""
    ref: str
    """Where its name and arguments are as the model wrote them; ``…/answer`` is where its answer is."""


class Done(TypedDict):
    """A call that was carried out."""

    key: str
    tool: str
    ok: bool
    code: str
    made: dict[str, str]
    ref: str


class Step(TypedDict):
    """One node's pass."""

    node: str
    told: str
    """What it did, in a few words of the kit's own."""


class State(TypedDict, total=False):
    """What the nodes hand on: ids, references and summaries, never texts, pictures or credentials (seed 001, 2.2)."""

    turn: str
    thread: str
    promise: str
    """What must exist in the end; empty: as the words say."""
    changes: bool
    """Whether something is to be made."""
    tools: list[str]
    recalled: list[str]
    round: int
    asked: list[Call]
    done: Annotated[list[Done], operator.add]
    said: str
    """Reference of what the model said last."""
    outcome: str
    made: dict[str, str]
    """What calls made and is there."""
    missing: list[str]
    """What they say that they made and is not there, by what it is."""
    note: str
    """Reference of the note on what came of it."""
    trace: Annotated[list[Step], operator.add]


@dataclass(frozen=True)
class Request:
    """What a person asks of an agent.

    Attributes:
        turn: id of the turn; the same again goes on with it.
        thread: the conversation.
        text: their words.
        promise: what must exist in the end, one of ``tools.MADE``; empty: what the words say, by route.
    """

    turn: str
    thread: str
    text: str
    promise: str = ""


@dataclass(frozen=True)
class Seat:
    """What a turn works with. It is handed to the nodes beside the state, and never kept.

    Attributes:
        instructions: the system's words.
        rounds: how often the model may decide at most.
        budget: tokens that the tools' descriptions may take.
        hear: told what the model says as it comes.
        witness: of what calls say that they made, what is there.
        alive: called before each node; raises to stop the turn there.
    """

    chat: Chat
    tools: Tools
    desk: Desk
    meter: Meter
    instructions: str
    rounds: int = 24
    budget: int = 6_000
    hear: Hear | None = None
    witness: Callable[[Mapping[str, str]], Mapping[str, str]] = lambda made: made
    alive: Callable[[], None] = lambda: None


@dataclass(frozen=True)
class Turn:
    """What came of a turn."""

    id: str
    outcome: Outcome
    answer: str
    made: Mapping[str, str] = field(default_factory=dict)
    trace: tuple[Step, ...] = ()
    waits: str = ""
    """The node it waits at, when it is paused."""
    notices: tuple[str, ...] = ()
    """What a person should know of how it came about: a stand-in, a lost server."""


class Runner(Protocol):
    """Something that carries a turn through."""

    def run(self, request: Request, seat: Seat) -> Turn:
        """Carry a turn through, or go on with it. Raises ModelRefused, ModelBusy, ModelGarbled, ToolsGone."""


def merged(done: list[Done]) -> dict[str, str]:
    """What calls made, the last of each kind."""
    made: dict[str, str] = {}
    for item in done:
        if item["ok"]:
            made.update(item["made"])
    return made
