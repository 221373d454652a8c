"""The port of models: what is said to one, and what it says. Adapters are beside it.

Shapes follow the chat completions that most servers speak; no adapter's own types come through.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Protocol

_DEEPEST = 32


class Role(StrEnum):
    """Whose words a message holds."""

    SYSTEM = "system"
    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"


@dataclass(frozen=True, slots=True)
class ToolCall:
    """A tool that a model asks for."""

    id: str
    name: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    fault: str = ""
    """Why the arguments could not be read, in words for the model; they are empty then."""

    @property
    def text(self) -> str:
        """The arguments as compact JSON."""
        return json.dumps(self.arguments, ensure_ascii=False, separators=(",", ":"))


@dataclass(frozen=True, slots=True)
class Message:
    """One message of a conversation."""

    role: Role
    text: str = ""
    calls: tuple[ToolCall, ...] = ()
    """Of an assistant's message: the tools it asks for."""
    answers: str = ""
    """Of a tool's message: the id of the call that it answers."""
    retrieved: bool = False
    """It was recalled for this turn, and is no part of the talk so far."""


@dataclass(frozen=True, slots=True)
class ToolSpec:
    """A tool as it is described to a model."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON schema of an object."""


@dataclass(frozen=True, slots=True)
class Usage:
    """Tokens as the model's server counted them."""

    input: int
    output: int
    cached: int = 0
    """Of the input, those it had read before."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a model said."""

    text: str
    calls: tuple[ToolCall, ...] = ()
    finish: str = "stop"
    """stop, tool_calls, length or content_filter."""
    usage: Usage | None = None
    """None where the server does not count."""
    model: str = ""
    """The model that answered, as its server names it."""


Hear = Callable[[str], None]
"""Told each piece of text as it comes."""


class Chat(Protocol):
    """A model that talks, and may ask for tools."""

    @property
    def model(self) -> str:
        """Its name."""

    @property
    def stand_in(self) -> bool:
        """Whether it only stands in for a model; every place that shows its words says so."""

    def complete(
        self,
        messages: Sequence[Message],
        tools: Sequence[ToolSpec] = (),
        *,
        most: int = 1_024,
        hear: Hear | None = None,
    ) -> Said:
        """What it says to a conversation.

        Args:
            tools: those it may ask for.
            most: tokens it may say at most.
            hear: told each piece of text as it comes.

        Raises ModelRefused, ModelBusy, ModelGarbled; and whatever ``hear`` raises, which ends the call.
        """


def read_arguments(text: str) -> tuple[dict[str, Any], str]:
    """Arguments from a model's JSON, and what is wrong with them in words for the model: one of both is empty."""
    if not text.strip():
        return {}, ""
    try:
        found = json.loads(text, parse_constant=_no_number, parse_float=_number)
    except (ValueError, RecursionError):
        return {}, "the arguments are not valid JSON"
    if not isinstance(found, dict):
        return {}, "the arguments are not a JSON object"
    if _deep(found):
        return {}, f"the arguments are not flat enough: at most {_DEEPEST} levels"
    if plain(said := json.dumps(found, ensure_ascii=False)) != said:
        return {}, "the arguments are not text throughout: they hold half a character"
    return found, ""


def plain(text: str) -> str:
    """A text without halves of characters, which no file and no server takes; a question mark stands for each."""
    return text.encode(errors="replace").decode()


def _deep(value: Any) -> bool:
    """Whether containers lie in one another further than anything here needs."""
    level = [value]
    for _ in range(_DEEPEST):
        level = [
            part
            for item in level
            if isinstance(item, dict | list)
            for part in (item.values() if isinstance(item, dict) else item)
        ]
        if not level:
            return False
    return True


def _number(text: str) -> float:
    found = float(text)
    if not math.isfinite(found):
        raise ValueError(f"{text[:20]} is no number that can be kept")
    return found


def _no_number(name: str) -> float:
    raise ValueError(f"{name} is not JSON")
