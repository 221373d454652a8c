"""One event of activity: which fields are kept, how long they may be, and what never gets in.

An agent's own words never do, whatever a caller hands over: ``target``, ``assets`` and ``link`` keep nothing but ids,
those of a failed call only if they name something here; ``summary`` is one short line that the kit composed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.ids import LENGTH

LONGEST = 200
"""Characters of a summary, a target, an action or a list of assets."""
Kind = Literal["call", "timed_out", "frozen", "applied", "discarded"]
_THING = re.compile(rf"[a-z]{{2}}_[0-9a-z]{{4,{LENGTH}}}")
_NUMBERED = re.compile(r"[a-z]{1,2}[0-9]{1,16}")
_INSERT = (
    "INSERT INTO activity (at, actor, capability, tool, effect, scope, draft, target, outcome, code, summary,"
    " revision, duration_us, answer_bytes, activity_group, kind, action, assets, link)"
    " VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)"
)


@dataclass(frozen=True)
class Event:
    """One thing that was seen of an agent's work: a call of its own, a timeout, or what a person decided on it."""

    at: int
    """Milliseconds since 1970 in UTC."""
    actor: str
    """The agent whose task it belongs to."""
    capability: str
    """Empty for timeouts and verdicts, which are no calls."""
    tool: str
    effect: str
    scope: str = ""
    """The work."""
    draft: str = ""
    target: str = ""
    """Ids, separated by commas."""
    outcome: str = "ok"
    """ok | failed"""
    code: str = ""
    """The error's code."""
    summary: str = ""
    """What came of it, in the kit's words."""
    revision: int | None = None
    duration_us: int = 0
    answer_bytes: int = 0
    kind: Kind = "call"
    action: str = ""
    """What was done: the tool's action, the operations carried out, or the capability's verb."""
    assets: tuple[str, ...] = ()
    """Fixed asset versions, by id."""
    link: str = ""
    """What to jump to: r41, p12, s3, or an object's, a unit's or an asset's id."""
    proposal: str = ""
    """The proposal that a freeze made; kept with the group."""


def append(connection: Connection, event: Event, group: int) -> None:
    """Write an event down as one of its group, in a write transaction."""
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
            _bounded(_ids(event.target.split(","))),
            event.outcome,
            event.code,
            _line(event.summary),
            event.revision,
            event.duration_us,
            event.answer_bytes,
            group,
            event.kind,
            _line(event.action),
            _bounded(_ids(event.assets)),
            next(_ids([event.link]), ""),
        ),
    )


def attributed(connection: Connection, event: Event) -> Event:
    """A failed call with the draft and the work that its arguments truly name, and targets that are truly here.

    What such a call was given may be anything at all; a name that names nothing is dropped.
    """
    given = event.draft if event.draft.isprintable() else ""  # half a character cannot be looked up
    named = connection.exec_driver_sql("SELECT id, root FROM lines WHERE id = ?", (given,)).fetchone()
    line, root = ("", event.scope) if named is None else named
    here = [item for item in _ids(event.target.split(",")) if _is_here(connection, item)]
    return replace(event, draft="" if line == root else line, scope=root, target=",".join(here), link="")


def _is_here(connection: Connection, thing: str) -> bool:
    if not _THING.fullmatch(thing):
        return True  # a number says nothing
    query = "SELECT EXISTS(SELECT 1 FROM changes WHERE object = ?) OR EXISTS(SELECT 1 FROM lines WHERE id = ?)"
    return bool(connection.exec_driver_sql(query, (thing, thing)).scalar_one())


def _ids(texts: Iterable[str]) -> Iterator[str]:
    return (text for text in texts if _THING.fullmatch(text) or _NUMBERED.fullmatch(text))


def _bounded(ids: Iterable[str]) -> str:
    """As many ids, separated by commas, as there is room for."""
    kept = ""
    for item in ids:
        longer = f"{kept},{item}" if kept else item
        if len(longer) > LONGEST:
            break
        kept = longer
    return kept


def _line(text: str) -> str:
    return " ".join(text.split())[:LONGEST] if len(text) > LONGEST or not text.isprintable() else text
