"""Groups of activity: what an agent does on one work and draft, watched through a window that each call renews.

running → timed_out when the window runs out (nothing is cancelled) → running again on the next call; awaiting once the
draft is frozen as a proposal; completed once a person applied it, with the version saved in that very transaction.

A group's key is (actor, work, draft). What an agent only observes of a work is a group of its own until the agent
changes a draft there that has no group yet: that draft then continues it. An event that names no draft, or no work
either, belongs to what the agent is just at: its running group there that was active last.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Literal

from lantern_kit.kernel.activity_event import Event, Kind, append
from lantern_kit.kernel.engine import Connection

WINDOW = 30 * 60 * 1_000
"""Milliseconds for which a call keeps its group running (seed 000)."""
_COLUMNS = "id, actor, scope, draft, state, opened_at, last_at, window_end, proposal, snapshot"
_SELECT = f"SELECT {_COLUMNS} FROM activity_groups"  # noqa: S608
_OBSERVING = "observe"
_CHANGING = frozenset({"direct_change", "candidate"})


class State(StrEnum):
    """How a group stands."""

    RUNNING = "running"
    """An agent was seen within the window."""
    TIMED_OUT = "timed_out"
    """Whether it still works cannot be known; nothing else follows from it."""
    AWAITING = "awaiting"
    """Its draft is frozen: a person's verdict is due. It never times out."""
    COMPLETED = "completed"
    """A person applied what it proposed."""


@dataclass(frozen=True)
class Group:
    """A group as it stands."""

    number: int
    actor: str
    scope: str
    """The work, empty when none."""
    draft: str
    """Empty while only observing."""
    state: State
    opened_at: int
    last_at: int
    """When its newest call ended."""
    window_end: int
    proposal: str
    """The proposal frozen last, empty when none was."""
    snapshot: str
    """The version saved by the apply, empty before."""

    @property
    def id(self) -> str:
        """As people say it: ``g7``; empty for events older than groups."""
        return f"g{self.number}" if self.number else ""


def group_of(row: Any) -> Group:
    """A group from its row."""
    number, actor, scope, draft, state, *rest = row
    return Group(number, actor, scope, draft, State(state), *rest)


def get(connection: Connection, number: int) -> Group | None:
    """A group by its number."""
    row = connection.exec_driver_sql(f"{_SELECT} WHERE id = ?", (number,)).fetchone()
    return None if row is None else group_of(row)


def overdue(connection: Connection, now: int) -> bool:
    """Whether a window ran out of which nobody has taken note yet."""
    query = "SELECT EXISTS(SELECT 1 FROM activity_groups WHERE state = 'running' AND window_end <= ?)"
    return bool(connection.exec_driver_sql(query, (now,)).scalar_one())


def settle(connection: Connection, now: int) -> None:
    """Take note of every window that ran out, in a write transaction: one event each, stamped at the window's end."""
    rows = connection.exec_driver_sql(
        f"{_SELECT} WHERE state = 'running' AND window_end <= ? ORDER BY window_end, id", (now,)
    ).fetchall()
    for group in map(group_of, rows):
        _turn(connection, group, State.TIMED_OUT)
        append(
            connection,
            _aside(
                group, "timed_out", group.window_end, f"not seen for {WINDOW // 60_000} minutes; nothing was cancelled"
            ),
            group.number,
        )


def join(connection: Connection, event: Event) -> int:
    """The number of the group that an event belongs to, its window renewed, in a write transaction."""
    settle(connection, event.at)
    group = _found(connection, event)
    if group is None:
        state = State.AWAITING if event.kind == "frozen" else State.RUNNING
        number = connection.exec_driver_sql(
            "INSERT INTO activity_groups (actor, scope, draft, state, opened_at, last_at, window_end, proposal,"
            " snapshot) VALUES (?,?,?,?,?,?,?,?,'') RETURNING id",
            (event.actor, event.scope, event.draft, state, event.at, event.at, event.at + WINDOW, event.proposal),
        ).scalar_one()
    else:
        number = group.number
        connection.exec_driver_sql(
            "UPDATE activity_groups SET scope = ?, draft = ?, state = ?, last_at = ?, window_end = ?, proposal = ?"
            " WHERE id = ?",
            (
                event.scope or group.scope,
                event.draft or group.draft,
                _after(group.state, event),
                max(group.last_at, event.at),
                max(group.window_end, event.at + WINDOW),
                event.proposal or group.proposal,
                number,
            ),
        )
    if event.kind == "frozen":
        _tell_others(connection, event, int(number))
    return int(number)


def decided(
    connection: Connection,
    kind: Literal["applied", "discarded"],
    *,
    at: int,
    scope: str,
    draft: str,
    summary: str,
    link: str,
    snapshot: str = "",
    revision: int | None = None,
) -> None:
    """Tell the groups that worked on a draft what a person decided, in the verdict's own transaction.

    An apply completes them and links the version it saved. A discard opens them again: the draft stays, and what the
    agent does next is watched through a fresh window.
    """
    settle(connection, at)
    for group in _workers(connection, scope, draft):
        if kind == "applied":
            _turn(connection, group, State.COMPLETED, snapshot=snapshot)
        elif group.state is State.AWAITING:
            _turn(connection, group, State.RUNNING, window_end=at + WINDOW)
        append(connection, _aside(group, kind, at, summary, link=link, revision=revision), group.number)


# parts


def _found(connection: Connection, event: Event) -> Group | None:
    """The group an event continues."""
    actor, scope = event.actor, event.scope
    if event.draft:
        found = _keyed(connection, actor, scope, event.draft)
        if found is None and event.outcome == "ok" and event.effect != _OBSERVING:
            found = _keyed(connection, actor, scope, "") or _keyed(connection, actor, "", "")
        return found
    if scope:
        return (
            _latest(connection, actor, scope)
            or _keyed(connection, actor, scope, "")
            or _keyed(connection, actor, "", "")
        )
    return _latest(connection, actor) or _keyed(connection, actor, "", "")


def _keyed(connection: Connection, actor: str, scope: str, draft: str) -> Group | None:
    row = connection.exec_driver_sql(
        f"{_SELECT} WHERE draft = ? AND scope = ? AND actor = ? ORDER BY id DESC LIMIT 1", (draft, scope, actor)
    ).fetchone()
    return None if row is None else group_of(row)


def _latest(connection: Connection, actor: str, scope: str | None = None) -> Group | None:
    """An agent's running group that was active last; only of one work when that is given."""
    row = connection.exec_driver_sql(
        f"{_SELECT} WHERE state = 'running' AND actor = ? AND (? IS NULL OR scope = ?)"
        " ORDER BY last_at DESC, id DESC LIMIT 1",
        (actor, scope, scope),
    ).fetchone()
    return None if row is None else group_of(row)


def _after(state: State, event: Event) -> State:
    """Where an event leads. What is awaited stays so until the agent changes the draft again or gives it up."""
    if state is State.COMPLETED:
        return state
    if event.kind == "frozen":
        return State.AWAITING
    changes = event.outcome == "ok" and event.effect in _CHANGING
    return state if state is State.AWAITING and not changes else State.RUNNING


def _workers(connection: Connection, scope: str, draft: str) -> list[Group]:
    """The open groups that changed a draft, not only looked at it."""
    rows = connection.exec_driver_sql(
        f"{_SELECT} AS g WHERE g.draft = ? AND g.scope = ? AND g.state <> 'completed' AND EXISTS ("  # noqa: S608
        " SELECT 1 FROM activity AS e WHERE e.activity_group = g.id AND e.draft = g.draft AND e.outcome = 'ok'"
        " AND e.effect NOT IN ('', 'observe')) ORDER BY g.id",
        (draft, scope),
    ).fetchall()
    return [group_of(row) for row in rows]


def _tell_others(connection: Connection, event: Event, number: int) -> None:
    """A freeze concerns every agent that worked on the draft."""
    for group in _workers(connection, event.scope, event.draft):
        if group.number != number:
            _turn(connection, group, State.AWAITING, proposal=event.proposal)
            told = _aside(group, "frozen", event.at, event.summary, link=event.link, revision=event.revision)
            append(connection, told, group.number)


def _aside(group: Group, kind: Kind, at: int, summary: str, *, link: str = "", revision: int | None = None) -> Event:
    """An event of a group that is no call of its agent."""
    return Event(
        at=at,
        actor=group.actor,
        capability="",
        tool="",
        effect="",
        scope=group.scope,
        draft=group.draft,
        summary=summary,
        kind=kind,
        link=link,
        revision=revision,
    )


def _turn(
    connection: Connection,
    group: Group,
    state: State,
    *,
    proposal: str | None = None,
    snapshot: str | None = None,
    window_end: int | None = None,
) -> None:
    connection.exec_driver_sql(
        "UPDATE activity_groups SET state = ?, proposal = ?, snapshot = ?, window_end = ? WHERE id = ?",
        (
            state,
            group.proposal if proposal is None else proposal,
            group.snapshot if snapshot is None else snapshot,
            group.window_end if window_end is None else window_end,
            group.number,
        ),
    )
