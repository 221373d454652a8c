"""Where the time of a turn goes, and its tokens: one vocabulary for every adapter.

Names are those of OpenTelemetry's GenAI conventions for what they cover (``gen_ai.*``) and ``lantern.*`` beside them.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from lantern_kit.agents.chat import Message, Role, Said, ToolSpec
from lantern_kit.agents.counting import shared_out, tokens

INPUT = "gen_ai.usage.input_tokens"
OUTPUT = "gen_ai.usage.output_tokens"
MODEL = "gen_ai.request.model"
OPERATION = "gen_ai.operation.name"
TOOL = "gen_ai.tool.name"
PARTS = ("system", "tools", "history", "retrieved")
ESTIMATED = "lantern.usage.estimated"
NODE = "lantern.node"


class Kind(StrEnum):
    """What a span is of."""

    WORKFLOW = "invoke_workflow"
    NODE = "node"
    CHAT = "chat"
    RETRIEVAL = "retrieval"
    TOOL = "execute_tool"


WAITING = frozenset({Kind.CHAT, Kind.RETRIEVAL, Kind.TOOL})
"""Kinds in which the framework waits for others."""


@dataclass
class Span:
    """A stretch of time."""

    id: int
    parent: int | None
    kind: Kind
    name: str
    start: int
    """Nanoseconds of the meter's clock."""
    end: int = 0
    facts: dict[str, Any] = field(default_factory=dict)
    failed: str = ""
    """The code of the error that ended it."""

    @property
    def duration(self) -> int:
        """Nanoseconds."""
        return self.end - self.start


class Meter:
    """Measures one turn.

    Args:
        clock: nanoseconds that only grow.
    """

    def __init__(self, clock: Callable[[], int] = time.perf_counter_ns) -> None:
        self._clock = clock
        self._open: list[int] = []
        self.spans: list[Span] = []

    @contextmanager
    def span(self, kind: Kind, name: str, **facts: Any) -> Iterator[Span]:
        """Measure a block."""
        parent = self._open[-1] if self._open else None
        span = Span(len(self.spans), parent, kind, name, self._clock(), facts={OPERATION: kind.value, **facts})
        self.spans.append(span)
        self._open.append(span.id)
        try:
            yield span
        except BaseException as error:
            span.failed = str(getattr(error, "code", type(error).__name__))
            raise
        finally:
            self._open.pop()
            span.end = self._clock()

    @property
    def whole(self) -> int:
        """Nanoseconds of the workflows."""
        return sum(span.duration for span in self.spans if span.kind is Kind.WORKFLOW)

    @property
    def waited(self) -> int:
        """Nanoseconds in which others worked: the union of those stretches, none counted twice."""
        stretches = sorted((span.start, span.end) for span in self.spans if span.kind in WAITING)
        total, reached = 0, 0
        for start, end in stretches:
            total += max(0, end - max(start, reached))
            reached = max(reached, end)
        return total

    @property
    def framework(self) -> int:
        """Nanoseconds of our own: the workflows without what they waited for."""
        return self.whole - self.waited

    def used(self) -> dict[str, int]:
        """Tokens of all calls together: ``input``, ``output``, and the parts of the input."""
        chats = [span.facts for span in self.spans if span.kind is Kind.CHAT]
        names = {"input": INPUT, "output": OUTPUT, **{part: part_name(part) for part in PARTS}}
        return {name: sum(facts.get(key, 0) for facts in chats) for name, key in names.items()}


def part_name(part: str) -> str:
    """The attribute of a part of the input."""
    return f"lantern.usage.input.{part}_tokens"


def usage_facts(messages: Sequence[Message], tools: Sequence[ToolSpec], said: Said) -> dict[str, Any]:
    """Tokens of a call: the server's count where it counts, and its input shared out among what was sent.

    The shares are estimates by another tokenizer, brought to the true sum; they are flagged, and so is a whole that no
    server counted.
    """
    parts = dict.fromkeys(PARTS, 0)
    for message in messages:
        part = "system" if message.role is Role.SYSTEM else "retrieved" if message.retrieved else "history"
        calls = "".join(f"{call.name}{call.text}" for call in message.calls)
        parts[part] += tokens(message.text) + tokens(calls)
    parts["tools"] = sum(tokens(f"{tool.name}{tool.description}{dict(tool.parameters)}") for tool in tools)
    usage = said.usage
    whole = sum(parts.values()) if usage is None else usage.input
    written = said.text + "".join(f"{call.name}{call.text}" for call in said.calls)
    shares = shared_out(parts, whole)
    return {
        INPUT: whole,
        OUTPUT: tokens(written) if usage is None else usage.output,
        "gen_ai.usage.cache_read.input_tokens": 0 if usage is None else usage.cached,
        **{part_name(part): count for part, count in shares.items()},
        ESTIMATED: "all" if usage is None else "parts",
    }
