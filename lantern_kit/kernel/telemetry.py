"""Where agents' time and tokens went: rows in the journal, written at the end of each pass of a turn.

Nothing of what was asked, said or called with is kept here: names, numbers and codes only (seed 001, chapter 4).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Column, Index, Integer, Table, Text

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.tables import METADATA

SPANS = Table(
    "spans",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("turn", Text, nullable=False),
    Column("pass", Integer, nullable=False),  # of the turn: 1, and one more each time it is gone on with
    Column("span", Integer, nullable=False),  # within the pass, from 0
    Column("parent", Integer),
    Column("agent", Text, nullable=False),
    Column("kind", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("begun_at", Integer, nullable=False),  # the pass, by the clock
    Column("start_us", Integer, nullable=False),  # since then
    Column("duration_us", Integer, nullable=False),
    Column("failed", Text, nullable=False),  # code of the error that ended it
    Index("spans_turn", "turn"),
)

TOKENS = Table(
    "tokens",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("turn", Text, nullable=False),
    Column("pass", Integer, nullable=False),
    Column("span", Integer, nullable=False),
    Column("agent", Text, nullable=False),
    Column("model", Text, nullable=False),
    Column("input", Integer, nullable=False),
    Column("output", Integer, nullable=False),
    Column("cached", Integer, nullable=False),
    Column("system", Integer, nullable=False),
    Column("tools", Integer, nullable=False),
    Column("history", Integer, nullable=False),
    Column("retrieved", Integer, nullable=False),
    Column("estimated", Text, nullable=False),  # parts: the sums are the server's; all: nobody counted
    Index("tokens_turn", "turn"),
)


@dataclass(frozen=True, slots=True)
class SpanRow:
    """A stretch of time of one pass."""

    span: int
    parent: int | None
    kind: str
    name: str
    """Of a node, a tool or a model."""
    start_us: int
    duration_us: int
    failed: str = ""


@dataclass(frozen=True, slots=True)
class TokenRow:
    """The tokens of one call of a model."""

    span: int
    model: str
    input: int
    output: int
    cached: int
    system: int
    tools: int
    history: int
    retrieved: int
    estimated: str


def record(
    connection: Connection, turn: str, agent: str, begun_at: int, spans: Sequence[SpanRow], tokens: Sequence[TokenRow]
) -> int:
    """Keep a pass of a turn, in a write transaction; gives its number.

    Args:
        begun_at: when it began, by the clock.
    """
    number = int(
        connection.exec_driver_sql("SELECT coalesce(max(pass), 0) + 1 FROM spans WHERE turn = ?", (turn,)).scalar_one()
    )
    connection.exec_driver_sql(
        "INSERT INTO spans (turn, pass, span, parent, agent, kind, name, begun_at, start_us, duration_us, failed)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        [
            (turn, number, s.span, s.parent, agent, s.kind, s.name, begun_at, s.start_us, s.duration_us, s.failed)
            for s in spans
        ],
    )
    if tokens:
        connection.exec_driver_sql(
            "INSERT INTO tokens (turn, pass, span, agent, model, input, output, cached, system, tools, history,"
            " retrieved, estimated) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    turn, number, t.span, agent, t.model, t.input, t.output, t.cached, t.system, t.tools, t.history,
                    t.retrieved, t.estimated,
                )
                for t in tokens
            ],
        )  # fmt: skip
    return number
