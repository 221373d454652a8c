"""Capabilities: what callers may ask for, and the single path on which every call goes.

A call is permitted, answered from its receipt if it was made before, prepared without a lock, carried out in one
transaction together with its receipt and its activity event, and answered. Agents, buttons and the kit's own agent all
enter here.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Literal

from pydantic import BaseModel, ValidationError

from lantern_kit.kernel import activity, receipts
from lantern_kit.kernel.actor import Actor, ActorKind
from lantern_kit.kernel.clock import Clock
from lantern_kit.kernel.engine import Connection, Journal
from lantern_kit.kernel.errors import (
    Busy,
    Corrupt,
    LanternError,
    NotAllowed,
    NotFound,
    WorkspaceProblem,
    nearest,
)
from lantern_kit.kernel.problems import refused, require_modest

_JOURNAL_TROUBLE = frozenset({Busy.code, WorkspaceProblem.code, Corrupt.code})
_NAMES_A_LINE = ("draft", "source", "chapter")
"""Arguments that say where a call belongs, even if it fails."""
_LONGEST_NAME = 40
_COMPACT = json.JSONEncoder(separators=(",", ":"), ensure_ascii=False, default=str)


class Effect(StrEnum):
    """What a capability does to the world (seed 000)."""

    OBSERVE = "observe"
    RESOURCE_MUTATION = "resource_mutation"
    DIRECT_CHANGE = "direct_change"
    CANDIDATE = "candidate"
    COLLABORATION_CHANGE = "collaboration_change"


class Scope(StrEnum):
    """What a caller must have been granted."""

    READ = "read"
    DRAFT = "draft"


class Risk(StrEnum):
    """How much could go wrong, were the call a mistake."""

    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Confirmation(StrEnum):
    """Whose yes the call needs before its effect reaches the real work."""

    NONE = "none"
    VERDICT = "verdict"
    """Nothing reaches the work until a person decides on the frozen proposal."""


class Idempotency(StrEnum):
    """What a repeated call does."""

    NATURAL = "natural"
    """Reads only."""
    KEY = "key"
    """The same key gives the same answer and no second effect."""


class Precondition(StrEnum):
    """What the caller must have seen."""

    NONE = "none"
    REVISION = "expected_revision"


@dataclass(frozen=True)
class Picture:
    """An encoded picture that goes with an answer."""

    data: bytes
    media: str


@dataclass
class Reply:
    """What a handler gives back."""

    data: dict[str, Any]
    """Plain JSON data of the capability's output model."""
    pictures: tuple[Picture, ...] = ()
    scope: str = ""
    """The work concerned, for activity."""
    draft: str = ""
    target: str = ""
    summary: str = ""
    """What came of it, in words of the kit's own, never the caller's, for activity."""
    revision: int | None = None
    action: str = ""
    """What was done, in registered names, for activity; empty: the capability's verb."""
    assets: tuple[str, ...] = ()
    """Fixed asset versions concerned, by id, for activity."""
    link: str = ""
    """What a person would jump to, for activity; empty: the new revision of a change, the target of a look."""
    kind: Literal["call", "frozen"] = "call"
    """What it means for the task, for activity."""
    proposal: str = ""
    """The proposal it made."""
    repeated: bool = False
    """The answer was given before; nothing was done now."""

    @property
    def size(self) -> int:
        """Bytes of the answer: its data as compact JSON, and its pictures as encoded; what a protocol adds is not."""
        said = _COMPACT.encode(self.data).encode(errors="surrogatepass")
        return len(said) + sum(len(picture.data) for picture in self.pictures)


@dataclass
class Call:
    """One call on its way."""

    actor: Actor
    args: Any
    services: Any
    """The workspace's services, known to the kind that registered the capability."""
    connection: Connection | None = None
    """The open write transaction, for handlers that write."""
    prepared: Any = None
    """What ``prepare`` gave."""

    @property
    def transaction(self) -> Connection:
        """The write transaction; only handlers of writing capabilities have one."""
        if self.connection is None:
            raise AssertionError("an observing capability asked for a write transaction")
        return self.connection


Handler = Callable[[Call], Reply]
Prepare = Callable[[Call], Any]


@dataclass(frozen=True)
class Capability:
    """One thing that callers may ask for."""

    name: str
    summary: str
    input: type[BaseModel]
    output: type[BaseModel]
    applies_to: tuple[str, ...]
    scope: Scope
    effect: Effect
    risk: Risk
    confirmation: Confirmation
    idempotency: Idempotency
    precondition: Precondition
    handler: Handler
    prepare: Prepare | None = None

    @property
    def writes(self) -> bool:
        """Whether a call may change the journal."""
        return self.effect is not Effect.OBSERVE


class Capabilities:
    """A registry: a dict and a decorator. It refuses a duplicate and a capability that leaves anything undeclared."""

    def __init__(self) -> None:
        self._items: dict[str, Capability] = {}

    def capability(
        self,
        name: str,
        *,
        summary: str,
        input: type[BaseModel],  # noqa: A002  the seed's own word for it
        output: type[BaseModel],
        applies_to: tuple[str, ...],
        scope: Scope,
        effect: Effect,
        risk: Risk,
        confirmation: Confirmation,
        idempotency: Idempotency,
        precondition: Precondition,
        prepare: Prepare | None = None,
    ) -> Callable[[Handler], Handler]:
        """Register the decorated handler."""

        def register(handler: Handler) -> Handler:
            if name in self._items:
                raise ValueError(f"capability {name} is registered twice")
            fields = input.model_fields
            writes = effect is not Effect.OBSERVE
            if not summary or not applies_to or input.model_config.get("extra") != "forbid":
                raise ValueError(f"capability {name} must say what it does, to what, and refuse unknown keys")
            if writes != (idempotency is Idempotency.KEY) or writes != ("idempotency_key" in fields):
                raise ValueError(f"capability {name}: writing and an idempotency key go together")
            if (precondition is Precondition.REVISION) != ("expected_revision" in fields):
                raise ValueError(f"capability {name} must take expected_revision exactly when it needs it")
            self._items[name] = Capability(
                name,
                summary,
                input,
                output,
                applies_to,
                scope,
                effect,
                risk,
                confirmation,
                idempotency,
                precondition,
                handler,
                prepare,
            )
            return handler

        return register

    def __iter__(self) -> Iterator[Capability]:
        return iter(self._items.values())

    def get(self, name: str) -> Capability:
        """The capability of that name. Raises NotFound, naming the nearest."""
        found = self._items.get(name)
        if found is None:
            close = nearest(name, self._items)
            raise NotFound(
                f"{name} is not a capability", recovery=f"nearest: {', '.join(close)}" if close else "list the tools"
            )
        return found


def parse_arguments(model: type[BaseModel], raw: Mapping[str, Any]) -> BaseModel:
    """Arguments through their model, with errors that name fields and never echo values.

    Raises UnknownKey for a key the model does not have, BadInput for anything else that is wrong, or far too much.
    """
    require_modest(raw)
    try:
        return model.model_validate(dict(raw))
    except ValidationError as error:
        raise refused(error, model, noun="an argument") from None


@dataclass
class Dispatcher:
    """The one path of every call.

    Args:
        journal: where receipts and activity are kept.
        clock: the time.
        capabilities: what may be asked for.
        services: handed to handlers as ``call.services``.
        work: the one that all calls are about, where no argument names it; empty: arguments do.
    """

    journal: Journal
    clock: Clock
    capabilities: Capabilities
    services: Any
    work: str = ""
    _outbox: activity.Outbox = field(init=False)

    def __post_init__(self) -> None:
        self._outbox = activity.Outbox(self.journal)

    def dispatch(
        self,
        name: str,
        raw: Mapping[str, Any],
        *,
        actor: Actor,
        scopes: frozenset[Scope],
        tool: str = "",
        action: str = "",
    ) -> Reply:
        """Carry out one call, made through a tool and, if it has several, one of its actions. Raises LanternError."""
        capability = self.capabilities.get(name)
        way = _Way(tool, action, time.perf_counter())
        call = Call(actor, None, self.services)
        try:
            if capability.scope not in scopes:
                raise NotAllowed(
                    f"{name} needs the scope {capability.scope.value}",
                    expected=capability.scope.value,
                    found=sorted(scopes),
                    recovery="Ask the person who started this server to grant it.",
                )
            call.args = parse_arguments(capability.input, raw)
            run = self._write if capability.writes else self._observe
            return run(capability, call, way)
        except LanternError as error:
            self._note_failure(capability, call, raw, way, error.payload(), error.ids)
            raise
        except Exception:
            self._note_failure(capability, call, raw, way, {"code": "internal_error"}, ())
            raise

    def close(self) -> None:
        """Write down what was observed and not yet kept."""
        self.flush()

    def flush(self) -> None:
        """Keep the waiting observations in a transaction of their own."""
        self._outbox.flush()

    def try_flush(self) -> None:
        """The same, if the journal lets us; what could not be kept waits for the next time."""
        self._outbox.try_flush()

    # parts

    def _observe(self, capability: Capability, call: Call, way: _Way) -> Reply:
        reply = capability.handler(call)
        if call.actor.kind is ActorKind.AGENT:
            self._outbox.add(self._event(capability, call.actor, way, reply))
        return reply

    def _write(self, capability: Capability, call: Call, way: _Way) -> Reply:
        key = receipts.check_key(call.args.idempotency_key)
        request = call.args.model_dump(mode="json", exclude={"idempotency_key", "expected_revision"})
        asked = receipts.request_digest(request)
        scope = f"{capability.name}/{call.actor.kind.value}/{call.actor.name}"
        if self.work:  # the same words mean another request at another work
            scope = f"{self.work}/{scope}"
        with self.journal.read() as connection:
            given = receipts.find(connection, scope, key, asked)
        if given is not None:
            return Reply(given, repeated=True)
        if capability.prepare is not None:
            call.prepared = capability.prepare(call)
        waiting: list[activity.Event] = []
        try:
            with self.journal.write() as connection:
                given = receipts.find(connection, scope, key, asked)
                if given is not None:
                    return Reply(given, repeated=True)
                call.connection = connection
                watched = call.actor.kind is ActorKind.AGENT
                if watched:  # what was seen before comes before what the call does to groups
                    waiting = self._outbox.take()
                    for event in waiting:
                        activity.record(connection, event)
                reply = capability.handler(call)
                receipts.keep(connection, scope, key, asked, reply.data, self.clock.now())
                if watched:
                    activity.record(connection, self._event(capability, call.actor, way, reply))
        except BaseException:
            self._outbox.put_back(waiting)
            raise
        return reply

    def _event(self, capability: Capability, actor: Actor, way: _Way, reply: Reply, code: str = "") -> activity.Event:
        made = f"r{reply.revision}" if capability.writes and reply.revision is not None else ""
        return activity.Event(
            at=self.clock.now(),
            actor=actor.name,
            capability=capability.name,
            tool=way.tool,
            effect=capability.effect.value,
            scope=reply.scope,
            draft=reply.draft,
            target=reply.target,
            outcome="failed" if code else "ok",
            code=code,
            summary=reply.summary,
            revision=reply.revision,
            duration_us=int((time.perf_counter() - way.started) * 1e6),
            answer_bytes=reply.size,
            kind=reply.kind,
            action=way.action or reply.action or capability.name.rpartition(".")[2],
            assets=reply.assets,
            link=reply.link or made or reply.target.split(",")[0],
            proposal=reply.proposal,
        )

    def _note_failure(
        self,
        capability: Capability,
        call: Call,
        raw: Mapping[str, Any],
        way: _Way,
        told: dict[str, Any],
        ids: tuple[str, ...],
    ) -> None:
        if call.actor.kind is not ActorKind.AGENT:
            return
        code = str(told["code"])
        named = next((raw[name] for name in _NAMES_A_LINE if isinstance(raw.get(name), str)), "").partition("#")[0]
        line = "" if self.work else named[:_LONGEST_NAME]
        reply = Reply(told, scope=self.work, draft=line, target=",".join(ids))
        self._outbox.add(self._event(capability, call.actor, way, reply, code))
        if capability.writes and code not in _JOURNAL_TROUBLE:
            self._outbox.try_flush()


@dataclass(frozen=True)
class _Way:
    """How a call came in."""

    tool: str
    action: str
    started: float
