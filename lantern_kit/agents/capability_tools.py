"""Tools carried out in this process, on the one path of every capability."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from lantern_kit.agents.chat import plain
from lantern_kit.agents.tools import Result, Tool, made_in
from lantern_kit.kernel.actor import Actor
from lantern_kit.kernel.capability import Dispatcher, Scope
from lantern_kit.kernel.errors import LanternError, NotFound, nearest

_CLIPPED = 32_000


@dataclass(frozen=True, slots=True)
class Offer:
    """A tool, and the capabilities it calls."""

    tool: Tool
    capability: str = ""
    """Empty where ``actions`` choose."""
    actions: Mapping[str, str] = field(default_factory=dict)
    """Values of the argument ``action`` and the capabilities that they call."""
    shown: Callable[[Mapping[str, Any]], Mapping[str, Any]] = lambda data: data
    """An answer as the caller is given it."""
    following: Callable[[LanternError], str] = lambda error: ""
    """The tool to call after an error; empty where there is none."""


class CapabilityTools:
    """Capabilities as tools.

    Args:
        dispatcher: the path of every call.
        offers: the tools.
        actor: the agent that calls them.
        scopes: what it was granted.
    """

    notice = ""

    def __init__(
        self, dispatcher: Dispatcher, offers: Sequence[Offer], *, actor: Actor, scopes: frozenset[Scope]
    ) -> None:
        self._dispatcher = dispatcher
        self._offers = {offer.tool.name: offer for offer in offers}
        self._actor = actor
        self._scopes = scopes

    def offered(self) -> Sequence[Tool]:
        """All of them."""
        return [offer.tool for offer in self._offers.values()]

    def call(self, name: str, arguments: Mapping[str, Any], *, key: str) -> Result:
        """Carry one out; refusals are results."""
        offer = self._offers.get(name)
        try:
            return self._called(offer, name, dict(arguments), key)
        except LanternError as error:
            return refused(error, offer.following(error) if offer is not None else "")

    def _called(self, offer: Offer | None, name: str, arguments: dict[str, Any], key: str) -> Result:
        if offer is None:
            close = nearest(name, self._offers)
            raise NotFound(f"{name[:40]} is not a tool", recovery=f"nearest: {', '.join(close)}" if close else None)
        capability, action = offer.capability, ""
        if offer.actions:
            action = str(arguments.pop("action", ""))
            capability = offer.actions.get(action, "")
            if not capability:
                raise NotFound(f"{name} has no such action", expected=list(offer.actions))
        known = self._dispatcher.capabilities.get(capability)
        fields = known.input.model_fields
        given = {key: value for key, value in arguments.items() if value is not None or key not in fields}
        if "idempotency_key" in fields:
            given["idempotency_key"] = key
        reply = self._dispatcher.dispatch(
            capability, given, actor=self._actor, scopes=self._scopes, tool=name, action=action
        )
        data = offer.shown(reply.data)
        made = made_in(data) if known.writes else {}
        return Result(True, told(data), made=made, pictures=len(reply.pictures))


def told(data: Mapping[str, Any]) -> str:
    """An answer as a model reads it: its text, or compact JSON; cut where it is very long."""
    text = data.get("text")
    return clipped(text if isinstance(text, str) else json.dumps(data, ensure_ascii=False, separators=(",", ":")))


def clipped(words: str) -> str:
    """Words of an answer, cut where they are very long."""
    words = plain(words)
    return words if len(words) <= _CLIPPED else f"{words[:_CLIPPED]}… (cut here)"


def refused(error: LanternError, following: str = "") -> Result:
    """A refusal as a result, with the tool that helps on."""
    payload = error.payload() | ({"next_tool": following} if following else {})
    return Result(False, json.dumps(payload, ensure_ascii=False, separators=(",", ":")), error.code)
