"""The analysis tables of agents' time and tokens."""

from __future__ import annotations

from lantern_kit.analysis.registry import Appended, Column

_TURN = (
    Column("turn", "VARCHAR", "the agent's turn"),
    Column("pass", "INTEGER", "1, and one more each time the turn was gone on with"),
    Column("span", "INTEGER", "its number within the pass, from 0"),
)

SPANS = Appended(
    name="spans",
    doc="One row per stretch of time of the kit's own agents: a turn, a node, a call of a model or a tool.",
    columns=(
        *_TURN,
        Column("parent", "INTEGER", "the span in which it lies; NULL for a turn"),
        Column("agent", "VARCHAR", "the name under which it acted"),
        Column("kind", "VARCHAR", "invoke_workflow, node, chat, retrieval, execute_tool (OpenTelemetry's GenAI names)"),
        Column("name", "VARCHAR", "of the node, model or tool"),
        Column("begun_at", "TIMESTAMP", "when the pass began, in UTC"),
        Column("start_ms", "DOUBLE", "milliseconds since then"),
        Column("duration_ms", "DOUBLE", "milliseconds"),
        Column("failed", "VARCHAR", "code of the error that ended it; empty when none did"),
    ),
    source="spans",
    cells=(
        "t.turn",
        "t.pass",
        "t.span",
        "t.parent",
        "t.agent",
        "t.kind",
        "t.name",
        "t.begun_at",
        "t.start_us / 1000.0",
        "t.duration_us / 1000.0",
        "t.failed",
    ),
)

TOKENS = Appended(
    name="tokens",
    doc="One row per call of a model by the kit's own agents.",
    columns=(
        *_TURN,
        Column("agent", "VARCHAR", "the name under which it acted"),
        Column("model", "VARCHAR", "the model that was asked"),
        Column("input", "INTEGER", "tokens it was told"),
        Column("output", "INTEGER", "tokens it said"),
        Column("cached", "INTEGER", "of the input, those its server had read before"),
        Column("system", "INTEGER", "of the input, an estimated share: instructions"),
        Column("tools", "INTEGER", "of the input, an estimated share: descriptions of tools"),
        Column("history", "INTEGER", "of the input, an estimated share: the talk and this turn's calls"),
        Column("retrieved", "INTEGER", "of the input, an estimated share: what was recalled"),
        Column("estimated", "VARCHAR", "parts: input and output are the server's counts; all: nobody counted"),
    ),
    source="tokens",
    cells=(
        "t.turn",
        "t.pass",
        "t.span",
        "t.agent",
        "t.model",
        "t.input",
        "t.output",
        "t.cached",
        "t.system",
        "t.tools",
        "t.history",
        "t.retrieved",
        "t.estimated",
    ),
)

PROJECTORS = (SPANS, TOKENS)
