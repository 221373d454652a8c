"""Names in a workspace that may be meant, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from lantern_kit.workspace import Workspace

_THINGS = """
    SELECT object FROM (
        SELECT c.object, c.change, max(c.id) FROM changes AS c JOIN revisions AS r ON r.id = c.revision
        WHERE c.object >= ? AND c.object < ? AND r.line IN (SELECT id FROM chapters) GROUP BY c.object
    ) WHERE change <> 'removed' LIMIT ?
"""
"""Objects by the beginning of their id, those left out that were removed last."""
MOST = 300
"""Things that are offered."""
NEWEST = 60
"""Revisions, events and verdicts that are offered."""


def proposals(workspace: Workspace) -> list[str]:
    """Proposals, those that wait for a verdict before the others."""
    found = workspace.proposal_service.all()
    return [item.id for item in sorted(found, key=lambda item: not item.undecided)]


def conflicts(workspace: Workspace) -> list[str]:
    """Conflicts, the open ones first."""
    rows = _column(workspace, "SELECT id FROM conflicts ORDER BY state <> 'open', id")
    return [f"c{row}" for row in rows]


def candidates(workspace: Workspace) -> list[str]:
    """Candidates, those that wait first."""
    rows = _column(workspace, "SELECT id FROM candidates ORDER BY state <> 'waiting', id DESC")
    return [f"cd{row}" for row in rows]


def entries(workspace: Workspace) -> list[str]:
    """Entries of the library, the newest first."""
    return _column(workspace, "SELECT id FROM library ORDER BY rowid DESC")


def chapters(workspace: Workspace) -> list[str]:
    """Chapters by number, then by id."""
    records = workspace.comics.chapters()
    return [*dict.fromkeys(str(item.number) for item in records), *(item.id for item in records)]


def drafts(workspace: Workspace) -> list[str]:
    """Drafts, the open ones first."""
    rows = _column(workspace, "SELECT id FROM drafts ORDER BY state <> 'open', id DESC")
    return [f"d{row}" for row in rows]


def revisions(workspace: Workspace) -> list[str]:
    """The newest revisions."""
    return [f"r{row}" for row in _column(workspace, "SELECT id FROM revisions ORDER BY id DESC LIMIT ?", NEWEST)]


def snapshots(workspace: Workspace) -> list[str]:
    """Saved versions, newest first."""
    return [f"s{row}" for row in _column(workspace, "SELECT id FROM snapshots ORDER BY id DESC")]


def verdicts(workspace: Workspace) -> list[str]:
    """The newest verdicts."""
    return [f"v{row}" for row in _column(workspace, "SELECT id FROM approvals ORDER BY id DESC LIMIT ?", NEWEST)]


def events(workspace: Workspace) -> list[str]:
    """The newest events of agents' activity."""
    return [f"e{row}" for row in _column(workspace, "SELECT id FROM activity ORDER BY id DESC LIMIT ?", NEWEST)]


def notes(workspace: Workspace) -> list[str]:
    """Annotations, those not settled first."""
    query = "SELECT id FROM annotations ORDER BY state IN ('resolved', 'shelved'), created_at"
    return _column(workspace, query)


def keys(workspace: Workspace) -> list[str]:
    """Keys that may decide, then those that might once."""
    return [item.key for item in sorted(workspace.keys.all(), key=lambda item: item.until is not None)]


def things(workspace: Workspace, typed: str = "") -> list[str]:
    """What is in the works as they stand and begins as was typed; where nothing was, chapters and units."""
    records = workspace.comics.chapters()
    if not typed:
        return [name for item in records for name in (item.id, *workspace.comics.head(item.id).book.order)]
    with workspace.journal.read() as connection:
        rows = connection.exec_driver_sql(_THINGS, (typed, typed + "\U0010ffff", MOST)).fetchall()
    return [*(item.id for item in records), *(row[0] for row in rows)]


def assets(workspace: Workspace) -> list[str]:
    """Pictures, newest first."""
    return [item.id for item in workspace.assets.find()]


def actors(workspace: Workspace) -> list[str]:
    """Everybody who made a revision."""
    return _column(workspace, "SELECT DISTINCT actor FROM revisions ORDER BY 1")


def causes(workspace: Workspace) -> list[str]:
    """What made revisions here."""
    return _column(workspace, "SELECT DISTINCT cause FROM revisions ORDER BY 1")


def everything(workspace: Workspace, typed: str) -> Iterator[str]:
    """All of these that may stand in a table, the things that begin as was typed."""
    for kind in (proposals, drafts, revisions, conflicts, candidates, snapshots, actors, causes, notes, assets):
        yield from kind(workspace)
    yield from things(workspace, typed)


def _column(workspace: Workspace, query: str, *values: int) -> list[str]:
    with workspace.journal.read() as connection:
        return [str(row[0]) for row in connection.exec_driver_sql(query, values).fetchall()]
