"""What a playbook knows at one decision: the request, the tools, and what they answered in this turn."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from lantern_kit.agents.chat import Message, Role, Said, ToolCall, ToolSpec
from lantern_kit.agents.tools import facts_in

_CHINESE = re.compile(r"[\u4e00-\u9fff]")
_QUOTED = re.compile(r"“[^”]*”|\"[^\"]*\"|「[^」]*」|『[^』]*』|«[^»]*»")
_CHAPTER = re.compile(r"\bch_[0-9a-z]{8}\b")


@dataclass(frozen=True)
class Answered:
    """A call of this turn, and what came back."""

    tool: str
    arguments: Mapping[str, Any]
    text: str
    data: Mapping[str, Any]
    """The answer where it is JSON; else empty."""

    @property
    def refused(self) -> bool:
        """Whether it is a refusal."""
        return "code" in self.data and "message" in self.data


@dataclass(frozen=True)
class Talk:
    """One decision to be made."""

    request: str
    told: str
    """The system's words."""
    passed: tuple[Answered, ...]
    tools: frozenset[str]
    seed: int = 0

    @property
    def chinese(self) -> bool:
        """Whether the person writes Chinese; what they quote does not count."""
        return bool(_CHINESE.search(_QUOTED.sub("", self.request)))

    @property
    def chapter(self) -> str:
        """The chapter that is named; empty where none is."""
        found = _CHAPTER.search(self.request) or _CHAPTER.search(self.told)
        return found.group() if found else ""

    def given(self, tool: str, **arguments: Any) -> Answered | None:
        """The last answer of a tool, to a call with these arguments among its own; no refusals."""
        for item in reversed(self.passed):
            if item.tool == tool and not item.refused and arguments.items() <= dict(item.arguments).items():
                return item
        return None

    def first(self, tool: str) -> Answered | None:
        """The first answer of a tool; no refusals."""
        return next((item for item in self.passed if item.tool == tool and not item.refused), None)

    def calls(self, tool: str, **arguments: Any) -> Said:
        """Ask for a tool."""
        call = ToolCall(f"call_{len(self.passed) + 1}", tool, arguments)
        return Said("", (call,), "tool_calls")


Playbook = Callable[[Talk], Said | None]
"""What comes next; None where this is nothing for it."""


def read(messages: Sequence[Message], tools: Sequence[ToolSpec], seed: int) -> Talk:
    """A conversation as a playbook looks at it."""
    place = max(
        (number for number, item in enumerate(messages) if item.role is Role.USER and not item.retrieved), default=-1
    )
    calls = {call.id: call for message in messages[place + 1 :] for call in message.calls}
    passed = tuple(
        Answered(calls[item.answers].name, calls[item.answers].arguments, item.text, facts_in(item.text))
        for item in messages[place + 1 :]
        if item.role is Role.TOOL and item.answers in calls
    )
    told = "\n".join(item.text for item in messages if item.role is Role.SYSTEM)
    request = messages[place].text if place >= 0 else ""
    return Talk(request, told, passed, frozenset(tool.name for tool in tools), seed)


def bare(handle: str) -> str:
    """An id without its fingerprint."""
    return handle.partition("#")[0]
