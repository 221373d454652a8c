"""A model that says what a test wrote, and tools that do what it counts."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from lantern_kit.agents.chat import Hear, Message, Said, ToolCall, ToolSpec, Usage
from lantern_kit.agents.desk import Desk
from lantern_kit.agents.meter import Meter
from lantern_kit.agents.tools import Result, Tool, ToolsGone
from lantern_kit.agents.turn import Seat
from lantern_kit.kernel.clock import Clock, SystemClock


def says(text: str = "", *calls: tuple[str, dict[str, Any]], usage: Usage | None = None) -> Said:
    """What a model says, with the calls it asks for."""
    asked = tuple(ToolCall(f"c{place}", name, arguments) for place, (name, arguments) in enumerate(calls))
    return Said(text, asked, "tool_calls" if asked else "stop", usage, "scripted")


@dataclass
class Script:
    """A model that says these, one after each round of calls; asked for a note, it gives its note."""

    lines: Sequence[Said]
    note: str = "It is there."
    model: str = "scripted"
    stand_in: bool = False
    heard: list[tuple[list[Message], list[str]]] = field(default_factory=list)
    """What it was told: the messages, and the names of the tools."""
    before: Callable[[], None] = lambda: None
    notes: int = 0

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        self.before()
        self.heard.append((list(messages), [tool.name for tool in tools]))
        if not tools:
            self.notes += 1
            return says(self.note)
        said = self.lines[sum(bool(message.calls) for message in messages)]
        if hear is not None and said.text:
            hear(said.text)
        return said

    @property
    def decided(self) -> int:
        """How often it was asked to decide."""
        return len(self.heard) - self.notes


def tool(name: str, words: str, *, writes: bool = False, **properties: str) -> Tool:
    """A tool with string arguments."""
    schema = {key: {"type": "string", "description": value} for key, value in properties.items()}
    if writes:
        schema["idempotency_key"] = {"type": "string", "description": "key"}
    return Tool(name, words, {"type": "object", "properties": schema, "additionalProperties": False}, writes)


LOOK = tool("look", "See a page as it is drawn.", unit="which page")
EDIT = tool("edit", "Change a page of a draft.", writes=True, text="words")
FREEZE = tool("freeze", "Hand the draft to a person.", writes=True)


@dataclass
class Bench:
    """Tools that keep their effects by key, as the journal does."""

    tools: Sequence[Tool] = (LOOK, EDIT, FREEZE)
    effects: dict[str, str] = field(default_factory=dict)
    calls: list[tuple[str, str]] = field(default_factory=list)
    gone: bool = False
    lose_answer: bool = False
    """Carry the next one out, and be gone before it answers."""
    notice: str = ""

    def offered(self) -> Sequence[Tool]:
        if self.gone:
            raise ToolsGone("the server is gone")
        return self.tools

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        if self.gone:
            raise ToolsGone("the server is gone")
        self.calls.append((name, key))
        if name == "look":
            return Result(True, "a page", pictures=1)
        if arguments.get("text") == "wrong":
            return Result(False, json.dumps({"code": "bad_input", "message": "the words are wrong"}), "bad_input")
        self.effects.setdefault(key, f"r{len(self.effects) + 1}")
        if self.lose_answer:
            self.gone = True
            raise ToolsGone("the server went away")
        made = {"proposal": "p1"} if name == "freeze" else {"draft": "d1", "revision": self.effects[key]}
        return Result(True, json.dumps(made), made=made)


def desk_at(folder: Path, clock: Clock | None = None) -> Desk:
    """A desk in a folder."""
    return Desk(folder / "agents.sqlite", clock or SystemClock())


def seat(chat: Script, desk: Desk, bench: Any = None, **options: Any) -> Seat:
    """A seat with what a test scripted."""
    tools = Bench() if bench is None else bench
    return Seat(chat=chat, tools=tools, desk=desk, meter=Meter(), instructions="You make pages.", **options)


def bytes_of(folder: Path) -> bytes:
    """All that lies in a folder."""
    return b"".join(path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file())


def settled(connection: sqlite3.Connection) -> None:
    """Bring all that was written into the file itself."""
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
