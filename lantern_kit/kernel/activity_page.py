"""Activity as it is read: a page of events, under the groups they belong to.

Events are numbered as they are committed, and never change. So a reader that goes on from the last one it saw misses
none and sees none twice, whatever is written meanwhile and by which process.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from lantern_kit.kernel.activity_event import Event
from lantern_kit.kernel.activity_groups import Group, State, get
from lantern_kit.kernel.clock import stamp
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import BadInput
from lantern_kit.kernel.ids import numbered

MOST = 1_000
"""Events of one page."""
_COLUMNS = (
    "e.id, e.activity_group, e.at, e.actor, e.capability, e.tool, e.effect, e.scope, e.draft, e.target, e.outcome,"
    " e.code, e.summary, e.revision, e.duration_us, e.answer_bytes, e.kind, e.action, e.assets, e.link"
)


@dataclass(frozen=True)
class Kept:
    """An event as it is kept."""

    number: int
    group: int | None
    """None for events older than groups."""
    event: Event

    @property
    def id(self) -> str:
        """As people say it: ``e120``."""
        return f"e{self.number}"

    @property
    def time(self) -> str:
        """When, in UTC, to the second."""
        return stamp(self.event.at)[:19].replace("T", " ")

    @property
    def what(self) -> str:
        """The tool and what was done with it; what befell the task where nothing was called."""
        event = self.event
        way = event.tool or event.capability
        return f"{way}: {event.action}" if way else event.kind.replace("_", " ")


@dataclass(frozen=True)
class Branch:
    """A group with those of its events that are on the page, in the order in which they were committed."""

    group: Group
    events: tuple[Kept, ...]


@dataclass(frozen=True)
class Page:
    """Events that follow each other, as a tree."""

    branches: tuple[Branch, ...]
    """The group with the newest event first."""
    newest: str
    """Go on from here for what comes later: ``after=page.newest``. Never empty but where nothing was ever kept."""
    oldest: str
    """Go on from here for what came earlier: ``before=page.oldest``."""
    later: bool
    """Whether later events are there already."""
    earlier: bool
    """Whether earlier events are there."""

    def __len__(self) -> int:
        return sum(len(branch.events) for branch in self.branches)


def event_number(text: str) -> int:
    """120 from ``e120``. Raises BadInput."""
    return numbered(text, "e120", "an event")


def read_page(
    connection: Connection,
    now: int,
    *,
    scope: str = "",
    actor: str = "",
    after: str = "",
    before: str = "",
    limit: int = 100,
) -> Page:
    """A page of activity: the newest events, those right after one, or those right before one.

    Args:
        now: the time; a window that ran out counts as such, whether or not somebody took note of it.
        scope: only what belongs to this work.
        actor: only this agent's.
        after, before: an event's id, one of them at most.
        limit: how many events, 1 to 1,000.

    Raises:
        BadInput: both are given, or one is no event, or the limit is out of bounds.
    """
    if after and before:
        raise BadInput("a page lies after an event or before one", expected="after or before, not both")
    if not 1 <= limit <= MOST:
        raise BadInput("limit is out of bounds", expected=f"1 to {MOST}", found=limit)
    edge = event_number(after or before) if after or before else None
    kept = _events(connection, scope, actor, edge, limit + 1, forwards=bool(after))
    more = len(kept) > limit
    kept = kept[:limit]
    if not after:
        kept.reverse()
    first, last = (kept[0].number, kept[-1].number) if kept else (edge or 0, edge or 0)
    return Page(
        branches=tuple(_branches(connection, kept, now)),
        newest=f"e{last}" if kept or edge is not None else "",
        oldest=f"e{first}" if kept or edge is not None else "",
        later=more if after else bool(edge) and bool(_events(connection, scope, actor, last, 1, forwards=True)),
        earlier=bool(_events(connection, scope, actor, first, 1, forwards=False)) if after else more,
    )


# parts


def _events(
    connection: Connection, scope: str, actor: str, edge: int | None, limit: int, *, forwards: bool
) -> list[Kept]:
    """Events from one on, that one left out, nearest first; without one from the newest back."""
    tests: list[str] = []
    values: list[Any] = []
    if edge is not None:
        tests.append("e.id > ?" if forwards else "e.id < ?")
        values.append(edge)
    if scope:
        tests.append("coalesce(g.scope, e.scope) = ?")
        values.append(scope)
    if actor:
        tests.append("e.actor = ?")
        values.append(actor)
    where = f" WHERE {' AND '.join(tests)}" if tests else ""
    rows = connection.exec_driver_sql(
        f"SELECT {_COLUMNS} FROM activity AS e LEFT JOIN activity_groups AS g ON g.id = e.activity_group{where}"  # noqa: S608
        f" ORDER BY e.id {'' if forwards else 'DESC'} LIMIT ?",
        (*values, limit),
    ).fetchall()
    return [_kept(row) for row in rows]


def _kept(row: Sequence[Any]) -> Kept:
    number, group, *facts, assets, link = row
    facts += [tuple(assets.split(",")) if assets else (), link]
    return Kept(number, group, Event(*facts))


def _branches(connection: Connection, kept: Sequence[Kept], now: int) -> list[Branch]:
    found: dict[Any, list[Kept]] = {}
    for item in kept:
        event = item.event
        found.setdefault(item.group or (event.actor, event.scope, event.draft), []).append(item)
    branches = []
    for key, events in found.items():
        group = get(connection, key) if isinstance(key, int) else None
        if group is None:
            group = _older(events)
        elif group.state is State.RUNNING and group.window_end <= now:
            group = replace(group, state=State.TIMED_OUT)
        branches.append(Branch(group, tuple(events)))
    return sorted(branches, key=lambda branch: -branch.events[-1].number)


def _older(events: Sequence[Kept]) -> Group:
    """What events older than groups have in common, as if it had been one."""
    event = events[0].event
    times = [item.event.at for item in events]
    first, last = min(times), max(times)
    return Group(0, event.actor, event.scope, event.draft, State.TIMED_OUT, first, last, last, "", "")
