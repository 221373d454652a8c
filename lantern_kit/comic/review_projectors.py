"""The analysis tables of what people keep from agents and what waits for their choice."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.analysis.registry import Column, Mirrored, Row
from lantern_kit.kernel.engine import Connection


def _lock_rows(connection: Connection) -> Iterator[Row]:
    yield from connection.exec_driver_sql("SELECT chapter, object, reason, actor, at FROM locks ORDER BY id")


LOCKS = Mirrored(
    name="locks",
    doc="One row per thing that a person keeps from agents now, with all that lies in it.",
    columns=(
        Column("chapter", "VARCHAR", "the chapter"),
        Column("object", "VARCHAR", "the locked object, unit or chapter"),
        Column("reason", "VARCHAR", "why, in the person's words; empty when none were given"),
        Column("actor", "VARCHAR", "who locked it"),
        Column("locked_at", "TIMESTAMP", "when, in UTC"),
    ),
    read=_lock_rows,
)


def _conflict_rows(connection: Connection) -> Iterator[Row]:
    yield from connection.exec_driver_sql(
        "SELECT 'c' || id, chapter, 'p' || proposal, 'r' || revision, unit, object, property, base, ours, theirs,"
        " state, settled_by, settled_at, 'r' || settled_in FROM conflicts ORDER BY id"
    )


CONFLICTS = Mirrored(
    name="conflicts",
    doc="One row per thing that a merge left as it was in the work, for a person to choose.",
    columns=(
        Column("conflict", "VARCHAR", "its name, c3"),
        Column("chapter", "VARCHAR", "the chapter"),
        Column("proposal", "VARCHAR", "the proposal that was merged"),
        Column("revision", "VARCHAR", "the working revision that kept ours"),
        Column("unit", "VARCHAR", "the unit; the chapter for what lies above units"),
        Column("object", "VARCHAR", "the object, unit or chapter it is about"),
        Column("property", "VARCHAR", "the property; NULL when it is about the whole object"),
        Column("base", "VARCHAR", "what both sides began with, as JSON; null is not there"),
        Column("ours", "VARCHAR", "what the work had, as JSON"),
        Column("theirs", "VARCHAR", "what the proposal had, as JSON"),
        Column("state", "VARCHAR", "open, ours or theirs"),
        Column("chosen_by", "VARCHAR", "who chose; NULL while it is open"),
        Column("chosen_at", "TIMESTAMP", "when, in UTC"),
        Column("chosen_in", "VARCHAR", "the working revision that a choice of theirs made; else NULL"),
    ),
    read=_conflict_rows,
)

PROJECTORS = (LOCKS, CONFLICTS)
