"""A turn's measures into the journal."""

from __future__ import annotations

from lantern_kit.agents.meter import ESTIMATED, INPUT, MODEL, NODE, OUTPUT, TOOL, Kind, Meter, Span, part_name
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.telemetry import SpanRow, TokenRow, record

_LONGEST = 80


def keep(journal: Journal, turn: str, agent: str, begun_at: int, meter: Meter) -> int:
    """Keep what a meter measured of one pass of a turn; gives the number of the pass.

    Args:
        agent: under which name it acted.
        begun_at: when the pass began: milliseconds since 1970.
    """
    start = min((span.start for span in meter.spans), default=0)
    spans = [
        SpanRow(
            span.id,
            span.parent,
            span.kind.value,
            _name(span),
            (span.start - start) // 1_000,
            max(0, span.duration) // 1_000,
            span.failed[:_LONGEST],
        )
        for span in meter.spans
    ]
    tokens = [_tokens(span) for span in meter.spans if span.kind is Kind.CHAT and INPUT in span.facts]
    with journal.write() as connection:
        return record(connection, turn, agent, begun_at, spans, tokens)


def _name(span: Span) -> str:
    """What it was of: a registered name, never anybody's words."""
    key = {Kind.NODE: NODE, Kind.TOOL: TOOL, Kind.CHAT: MODEL}.get(span.kind)
    return str(span.facts[key] if key is not None else span.name)[:_LONGEST]


def _tokens(span: Span) -> TokenRow:
    facts = span.facts
    return TokenRow(
        span=span.id,
        model=str(facts[MODEL])[:_LONGEST],
        input=facts[INPUT],
        output=facts[OUTPUT],
        cached=facts["gen_ai.usage.cache_read.input_tokens"],
        system=facts[part_name("system")],
        tools=facts[part_name("tools")],
        history=facts[part_name("history")],
        retrieved=facts[part_name("retrieved")],
        estimated=facts[ESTIMATED],
    )
