"""Who last changed a thing, as of any revision: one look at the changes, where blame traces every property."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass

from lantern_kit.comic.keychain import read_keychain
from lantern_kit.comic.service import ComicService
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.revision import Revision

_NEWEST = (
    "SELECT max(c.revision) FROM json_each(?) AS wanted JOIN changes AS c ON c.object = wanted.value"
    " JOIN revisions AS r ON r.id = c.revision WHERE r.line = ? AND c.revision <= ?"
)
_VERDICT = (
    "SELECT p.id, p.actor, p.actor_kind, a.key, a.reviewer FROM approvals AS a JOIN proposals AS p"
    " ON p.id = a.proposal WHERE a.result = ? ORDER BY a.id DESC LIMIT 1"
)


@dataclass(frozen=True, slots=True)
class Latest:
    """The last change of a thing."""

    revision: Revision
    """Of the working line or a draft."""
    actor: str
    """Who made the change: of an apply the agent that proposed it, else who made the revision."""
    actor_kind: str
    proposal: str = ""
    """The proposal that brought it, ``p12``; empty when none did."""
    approved_by: str = ""
    """The reviewer who applied it, as the key's label says."""


def latest_change(connection: Connection, comics: ComicService, revision: int, things: Iterable[str]) -> Latest | None:
    """The last change of any of some things up to a revision, in its line or where that came from.

    Args:
        things: ids of objects or units; of a unit by itself only what is its own counts, its orders among it.

    None when nothing on that way ever changed them. Raises NotFound for a revision that is not there.
    """
    wanted = json.dumps(list(things))
    at = comics.history.revision(connection, revision)
    line, until = at.line, at.number
    while True:
        newest = connection.exec_driver_sql(_NEWEST, (wanted, line, until)).scalar()
        if newest is not None:
            return _told(connection, comics.history.revision(connection, newest))
        base = comics.history.line(connection, line).base
        if base is None:
            return None
        line, until = comics.history.revision(connection, base).line, base


def _told(connection: Connection, found: Revision) -> Latest:
    actor, kind = found.actor.name, found.actor.kind.value
    row = connection.exec_driver_sql(_VERDICT, (found.number,)).fetchone() if found.cause == "apply" else None
    if row is None:
        return Latest(found, actor, kind)
    proposal, agent, agent_kind, key, reviewer = row
    known = read_keychain(connection).get(key)
    return Latest(found, agent, agent_kind, f"p{proposal}", reviewer if known is None else known.label)
