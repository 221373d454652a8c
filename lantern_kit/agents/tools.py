"""The port of tools: what an agent may do, whoever carries it out. Adapters are beside it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Protocol

from lantern_kit.agents.chat import ToolSpec
from lantern_kit.kernel.errors import LanternError


class ToolsGone(LanternError):
    """Whoever carries the tools out cannot be reached; whether the call was carried out is not known."""

    code: ClassVar[str] = "tools_gone"
    retryable: ClassVar[bool] = True
    default_recovery: ClassVar[str] = "Call again with the same key."


@dataclass(frozen=True, slots=True)
class Tool:
    """One tool as it is offered."""

    name: str
    description: str
    parameters: Mapping[str, Any]
    """A JSON schema of an object."""
    writes: bool
    """Whether a call may change anything."""

    @property
    def keyed(self) -> bool:
        """Whether a call takes an idempotency key, which the runner gives."""
        return "idempotency_key" in self.parameters.get("properties", {})

    def spec(self) -> ToolSpec:
        """It, as a model is told of it: the key is the runner's affair."""
        properties = {
            name: part for name, part in self.parameters.get("properties", {}).items() if name != "idempotency_key"
        }
        needed = [name for name in self.parameters.get("required", ()) if name != "idempotency_key"]
        return ToolSpec(self.name, self.description, {**self.parameters, "properties": properties, "required": needed})


@dataclass(frozen=True, slots=True)
class Result:
    """What came of a call."""

    ok: bool
    text: str
    """The answer or the error, as a model reads it."""
    code: str = ""
    """Of an error."""
    made: Mapping[str, str] = field(default_factory=dict)
    """What it made, by what it is: one of ``MADE``."""
    pictures: int = 0
    """How many pictures came with it."""


class Tools(Protocol):
    """Tools that can be called."""

    @property
    def notice(self) -> str:
        """What a person should know of how they were carried out, in a sentence; mostly nothing."""

    def offered(self) -> Sequence[Tool]:
        """All of them. Raises ToolsGone."""

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        """Carry one out; refusals are results.

        Args:
            key: of this request, for tools that take one: the same when it is called again.

        Raises ToolsGone.
        """


class Fallback:
    """Tools somewhere else, and the same ones here for when those are gone; which it was is said.

    A call that may have been carried out before its answer was lost is repeated with its key, so it has one effect.

    Args:
        first: where they are carried out as long as it answers.
        second: what takes over, for good.
    """

    def __init__(self, first: Tools, second: Tools) -> None:
        self._first: Tools | None = first
        self._second = second

    @property
    def notice(self) -> str:
        """That the first are gone, when they are."""
        if self._first is not None:
            return self._first.notice
        return "The tools' server could not be reached: they were carried out here, directly."

    def offered(self) -> Sequence[Tool]:
        """All of them."""
        if self._first is not None:
            try:
                return self._first.offered()
            except ToolsGone:
                self._first = None
        return self._second.offered()

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        """Carry one out, there or here. Raises ToolsGone when both are gone."""
        if self._first is not None:
            try:
                return self._first.call(name, arguments, key=key)
            except ToolsGone:
                self._first = None
        return self._second.call(name, arguments, key=key)


MADE = ("draft", "revision", "proposal", "asset", "plan", "commit", "completed", "finished", "blocked")
"""What answers may say that a call made: of comics, then of novels."""
_ID = re.compile(r"[\w#.:-]{1,80}", re.ASCII)


def made_in(answer: Mapping[str, Any]) -> dict[str, str]:
    """What an answer says it made."""
    found = {}
    for name in MADE:
        value = answer.get(name)
        if isinstance(value, Mapping):
            value = value.get(name)
        if isinstance(value, str) and _ID.fullmatch(value):
            found[name] = value
    return found


def facts_in(text: str) -> dict[str, Any]:
    """An answer's facts, where its text is a JSON object; else none."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
