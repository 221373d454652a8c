"""Turns as OpenTelemetry traces: the OTLP JSON that collectors and viewers read.

Source: the OpenTelemetry protocol (OTLP/JSON), and its semantic conventions for generative AI.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from typing import Any

from lantern_kit.agents.meter import MODEL, NODE, OPERATION, TOOL, Kind
from lantern_kit.kernel.engine import Journal

_SPANS = (
    "SELECT turn, pass, span, parent, agent, kind, name, begun_at, start_us, duration_us, failed FROM spans"
    " WHERE ? = '' OR turn = ? ORDER BY id"
)
_TOKENS = (
    "SELECT turn, pass, span, input, output, cached, system, tools, history, retrieved, estimated FROM tokens"
    " WHERE ? = '' OR turn = ?"
)
_USAGE = (
    "gen_ai.usage.input_tokens",
    "gen_ai.usage.output_tokens",
    "gen_ai.usage.cache_read.input_tokens",
    "lantern.usage.input.system_tokens",
    "lantern.usage.input.tools_tokens",
    "lantern.usage.input.history_tokens",
    "lantern.usage.input.retrieved_tokens",
    "lantern.usage.estimated",
)
_NAMED = {Kind.NODE.value: NODE, Kind.TOOL.value: TOOL, Kind.CHAT.value: MODEL}
_FAILED = 2


def traces(journal: Journal, turn: str = "") -> dict[str, Any]:
    """All turns, or one, as one OTLP JSON document: a trace each turn, a span each stretch of time.

    Ids are made of the turn's, so that the same turn gives the same trace again.
    """
    with journal.read() as connection:
        spans = connection.exec_driver_sql(_SPANS, (turn, turn)).fetchall()
        counted = {tuple(row[:3]): row[3:] for row in connection.exec_driver_sql(_TOKENS, (turn, turn)).fetchall()}
    resource = {"attributes": _attributes({"service.name": "lantern-kit"})}
    scope = {"name": "lantern_kit.agents"}
    made = [_span(row, counted.get(tuple(row[:3]))) for row in spans]
    return {"resourceSpans": [{"resource": resource, "scopeSpans": [{"scope": scope, "spans": made}]}]}


def _span(row: Any, usage: Iterable[Any] | None) -> dict[str, Any]:
    turn, number, span, parent, agent, kind, name, begun_at, start_us, duration_us, failed = row
    start = begun_at * 1_000_000 + start_us * 1_000
    facts: dict[str, Any] = {OPERATION: kind, "gen_ai.agent.name": agent, "gen_ai.conversation.id": turn}
    if kind in _NAMED:
        facts[_NAMED[kind]] = name
    if usage is not None:
        facts.update(zip(_USAGE, usage, strict=True))
    if failed:
        facts["error.type"] = failed
    told: dict[str, Any] = {
        "traceId": _digest(turn, 32),
        "spanId": _digest(f"{turn}/{number}/{span}", 16),
        "name": f"{kind} {name}",
        "kind": 3 if kind in {Kind.CHAT.value, Kind.TOOL.value} else 1,
        "startTimeUnixNano": str(start),
        "endTimeUnixNano": str(start + duration_us * 1_000),
        "attributes": _attributes(facts),
        "status": {"code": _FAILED} if failed else {},
    }
    if parent is not None:
        told["parentSpanId"] = _digest(f"{turn}/{number}/{parent}", 16)
    return told


def _attributes(facts: Mapping[str, Any]) -> list[dict[str, Any]]:
    return [
        {"key": key, "value": {"intValue": str(value)} if isinstance(value, int) else {"stringValue": str(value)}}
        for key, value in facts.items()
    ]


def _digest(text: str, length: int) -> str:
    return hashlib.sha256(text.encode(errors="surrogatepass")).hexdigest()[:length]
