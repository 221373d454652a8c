"""The human touch: what a person changed last on a working line, and a proposal would change again."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

from lantern_kit.comic.change import Change
from lantern_kit.comic.contract import ORDERS, is_order, turns
from lantern_kit.kernel.actor import ActorKind
from lantern_kit.kernel.clock import stamp, to_the_minute
from lantern_kit.kernel.engine import Connection

_LAST = """
    SELECT changes.object, changes.object_kind, changes.unit, changes.property, changes.before, changes.after,
        max(revisions.id), revisions.cause, revisions.actor_kind, revisions.actor, revisions.message, revisions.at
    FROM json_each(?2) AS wanted
    JOIN changes ON changes.object = wanted.value
    JOIN revisions ON revisions.id = changes.revision AND revisions.line = ?1
    GROUP BY changes.object, changes.property
    ORDER BY 1, 7
"""


@dataclass(frozen=True, slots=True)
class Touch:
    """A thing that a person changed directly, and nobody since."""

    unit: str
    object: str
    object_kind: str
    properties: tuple[str, ...]
    """What was changed; empty when the thing was made."""
    actor: str
    revision: int
    message: str
    at: int

    def facts(self) -> dict[str, Any]:
        """As plain data."""
        facts = {
            "object": self.object,
            "kind": self.object_kind,
            "by": self.actor,
            "revision": f"r{self.revision}",
            "at": stamp(self.at),
            "properties": list(self.properties),
        }
        return {name: value for name, value in facts.items() if value}

    def words(self, called: str) -> str:
        """Who changed what and when, in one line; ``called`` is what people call the thing."""
        what = f"changed {', '.join(self.properties)} of" if self.properties else "made"
        why = f" (“{self.message}”)" if self.message else ""
        return f"{self.actor} {what} {called}, {to_the_minute(self.at)}, r{self.revision}{why}"


class _Last(NamedTuple):
    """The last change of one property on the line."""

    object: str
    object_kind: str
    unit: str
    changed: str | None
    before: str | None
    after: str | None
    revision: int
    cause: str
    actor_kind: str
    actor: str
    message: str
    at: int

    @property
    def human(self) -> bool:
        """Whether a person made it directly; an apply is a verdict on somebody else's work."""
        return self.actor_kind == ActorKind.PERSON.value and self.cause != "apply"

    @property
    def order(self) -> Change | None:
        """The change of an order that it is, if it is one."""
        if self.changed not in ORDERS or self.object_kind not in {"unit", "chapter"}:
            return None
        before, after = json.loads(self.before or "[]"), json.loads(self.after or "[]")
        return Change(self.unit, self.object, self.object_kind, "changed", self.changed, before, after)


def touches(connection: Connection, line: str, changes: Iterable[Change]) -> tuple[Touch, ...]:
    """What changes alter that a person changed last on a line: the thing as a whole, or a property that they alter.

    Orders count only where something was turned round, not where things came or went.
    """
    altered: dict[str, set[str | None]] = {}
    for change in changes:
        if change.change != "added" and (not is_order(change) or turns(change)):
            altered.setdefault(change.object, set()).add(change.property)
    if not altered:
        return ()
    rows: dict[str, list[_Last]] = {}
    for cells in connection.exec_driver_sql(_LAST, (line, json.dumps(sorted(altered)))):
        row = _Last(*cells)
        order, wanted = row.order, altered[row.object]
        if (wanted - ORDERS) if order is None else (row.changed in wanted and turns(order)):
            rows.setdefault(row.object, []).append(row)
    return tuple(touch for name, found in rows.items() for touch in _touched(found, altered[name]))


def _touched(rows: list[_Last], altered: set[str | None]) -> Iterator[Touch]:
    newest = max(row.revision for row in rows)
    # Whoever removes a thing alters all of it.
    mine = [row for row in rows if row.human and (row.revision == newest or {row.changed, None} & altered)]
    if mine:
        last = max(mine, key=lambda row: row.revision)
        properties = tuple(str(row.changed) for row in mine if row.changed is not None)
        yield Touch(
            last.unit, last.object, last.object_kind, properties, last.actor, last.revision, last.message, last.at
        )
