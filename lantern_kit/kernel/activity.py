"""The audit projection of agents' capability calls: what was done to which objects, never how it was asked.

Seed 000, activity: no prompts, arguments, keys, secrets or local paths; a person's plain edits are no activity.
"""

from __future__ import annotations

from dataclasses import dataclass

from lantern_kit.kernel.engine import Connection

LONGEST = 200
_INSERT = (
    "INSERT INTO activity (at, actor, capability, tool, effect, scope, draft, target, outcome, code, summary,"
    " revision, duration_us, answer_bytes) VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)


@dataclass(frozen=True)
class Event:
    """One call by an agent, as it is kept."""

    at: int
    actor: str
    capability: str
    tool: str
    effect: str
    scope: str = ""
    draft: str = ""
    target: str = ""
    outcome: str = "ok"
    code: str = ""
    summary: str = ""
    revision: int | None = None
    duration_us: int = 0
    answer_bytes: int = 0


def record(connection: Connection, event: Event) -> None:
    """Append an event, its words cut to a bounded length."""
    connection.exec_driver_sql(
        _INSERT,
        (
            event.at,
            event.actor,
            event.capability,
            event.tool,
            event.effect,
            event.scope,
            event.draft,
            event.target[:LONGEST],
            event.outcome,
            event.code,
            event.summary[:LONGEST],
            event.revision,
            event.duration_us,
            event.answer_bytes,
        ),
    )
