"""The tables of what every document kind shares: revisions, changes and agents' activity."""

from __future__ import annotations

from collections.abc import Iterator

from lantern_kit.analysis.registry import Appended, Column, Mirrored, Row
from lantern_kit.kernel.engine import Connection

REVISIONS = Appended(
    name="revisions",
    doc="One row per revision of any line: an immutable point of a history.",
    columns=(
        Column("revision", "VARCHAR", "its name, r41; number(revision) is 41 and grows with time over all lines"),
        Column("line", "VARCHAR", "the history it belongs to: a chapter's working line, a draft such as d7"),
        Column("kind", "VARCHAR", "kind of the line: chapter, draft …"),
        Column("seq", "BIGINT", "its place in its line, from 0"),
        Column("parent", "VARCHAR", "the revision it was made from; of a fork one of another line; NULL for the first"),
        Column("actor_kind", "VARCHAR", "person, agent or kit"),
        Column("actor", "VARCHAR", "who made it, by name"),
        Column("cause", "VARCHAR", "create, edit, fork, changeset, apply, restore, undo, redo …"),
        Column("message", "VARCHAR", "what the actor said it does"),
        Column("committed_at", "TIMESTAMP", "when, in UTC"),
        Column("document", "VARCHAR", "SHA-256 of the content, in hex; equal content has equal hashes"),
        Column("chain", "VARCHAR", "SHA-256 over its facts and its parent's chain, in hex"),
        Column("changes", "BIGINT", "how many rows of changes it has"),
    ),
    source="revisions",
    joins="CROSS JOIN lines AS l ON l.id = t.line",  # cross: the numbered table stays the outer loop
    cells=(
        "'r' || t.id",
        "t.line",
        "l.kind",
        "t.seq",
        "'r' || t.parent",
        "t.actor_kind",
        "t.actor",
        "t.cause",
        "t.message",
        "t.at",
        "lower(hex(t.document))",
        "lower(hex(t.chain))",
        "t.changes_count",
    ),
)

CHANGES = Appended(
    name="changes",
    doc="One row per changed property of a revision; added and removed objects have one row each.",
    columns=(
        Column("revision", "VARCHAR", "the revision that made the change"),
        Column("unit", "VARCHAR", "the unit the object is on; the document's own id for what lies above units"),
        Column("object", "VARCHAR", "the object, unit or document that changed"),
        Column("object_kind", "VARCHAR", "frame, balloon …, unit, chapter"),
        Column("change", "VARCHAR", "added, removed or changed"),
        Column("property", "VARCHAR", "the property that changed; NULL when the object was added or removed"),
        Column("before", "JSON", "the value before, in micrometres and the like as the document keeps it"),
        Column("after", "JSON", "the value after; of an added object all its own fields"),
        Column("actor", "VARCHAR", "who made the revision, so that the commonest question needs no join"),
    ),
    source="changes",
    joins="CROSS JOIN revisions AS r ON r.id = t.revision",
    cells=(
        "'r' || t.revision",
        "t.unit",
        "t.object",
        "t.object_kind",
        "t.change",
        "t.property",
        "t.before",
        "t.after",
        "r.actor",
    ),
)

ACTIVITY = Appended(
    name="activity",
    doc="One row per event of an agent's work: what was done, never how it was asked.",
    columns=(
        Column("event", "VARCHAR", "its name, e7; number(event) is 7"),
        Column("activity_group", "VARCHAR", "the task it belongs to, g3; NULL for events older than tasks"),
        Column("occurred_at", "TIMESTAMP", "when the call ended, in UTC"),
        Column("actor", "VARCHAR", "the agent whose task it is, under its client's name"),
        Column("capability", "VARCHAR", "the capability that was called; empty when it is no call of the agent's"),
        Column("tool", "VARCHAR", "the tool it was reached through"),
        Column("effect", "VARCHAR", "observe, resource_mutation, direct_change, candidate or collaboration_change"),
        Column("target", "VARCHAR", "the objects, units or work it was aimed at; empty when none"),
        Column("outcome", "VARCHAR", "ok or failed"),
        Column("code", "VARCHAR", "the error's code; empty when ok"),
        Column("summary", "VARCHAR", "what came of it, in the kit's own words"),
        Column("duration_ms", "DOUBLE", "how long it took, in milliseconds"),
        Column("answer_bytes", "BIGINT", "size of the answer in bytes: its data as JSON, and its pictures as encoded"),
        Column("kind", "VARCHAR", "call, frozen (a call too); timed_out, applied, discarded: no call of the agent's"),
        Column("action", "VARCHAR", "the tool's action, the operations carried out, or the capability's verb"),
        Column("draft", "VARCHAR", "the draft, d7; empty when none"),
        Column("assets", "VARCHAR", "the fixed asset versions concerned, separated by commas"),
        Column("link", "VARCHAR", "what to look at: a revision, proposal, snapshot, object, unit or asset"),
    ),
    source="activity",
    cells=(
        "'e' || t.id",
        "'g' || t.activity_group",
        "t.at",
        "t.actor",
        "t.capability",
        "t.tool",
        "t.effect",
        "t.target",
        "t.outcome",
        "t.code",
        "t.summary",
        "t.duration_us / 1000.0",
        "t.answer_bytes",
        "t.kind",
        "t.action",
        "t.draft",
        "t.assets",
        "t.link",
    ),
)


def _group_rows(connection: Connection) -> Iterator[Row]:
    yield from connection.exec_driver_sql(
        "SELECT 'g' || id, actor, scope, draft, state, opened_at, last_at, window_end, nullif(proposal, ''),"
        " nullif(snapshot, '') FROM activity_groups ORDER BY id"
    )


ACTIVITY_GROUPS = Mirrored(
    name="activity_groups",
    doc="One row per task of an agent: what it did on one work and draft.",
    columns=(
        Column("activity_group", "VARCHAR", "its name, g3; number(activity_group) is 3"),
        Column("actor", "VARCHAR", "the agent, under its client's name"),
        Column("work", "VARCHAR", "the work; empty while none was named"),
        Column("draft", "VARCHAR", "the draft, d7; empty while it only observes"),
        Column("state", "VARCHAR", "running, timed_out, awaiting (a person's verdict) or completed"),
        Column("opened_at", "TIMESTAMP", "when its first call ended, in UTC"),
        Column("last_at", "TIMESTAMP", "when its newest call ended, in UTC"),
        Column("window_end", "TIMESTAMP", "when it times out, or did, unless it is called again, in UTC"),
        Column("proposal", "VARCHAR", "the proposal frozen last; NULL when none was"),
        Column("snapshot", "VARCHAR", "the version that its apply saved; NULL when none was"),
    ),
    read=_group_rows,
)

PROJECTORS = (REVISIONS, CHANGES, ACTIVITY, ACTIVITY_GROUPS)
