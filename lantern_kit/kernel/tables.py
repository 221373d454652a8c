"""The journal's tables that every document kind shares. Kinds add their own to the same metadata."""

from __future__ import annotations

from sqlalchemy import BLOB, Column, Index, Integer, MetaData, Table, Text, UniqueConstraint, text

METADATA = MetaData()

WORKSPACE = Table(
    "workspace",
    METADATA,
    Column("key", Text, primary_key=True),
    Column("value", Text, nullable=False),
)

DOCUMENTS = Table(
    "documents",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("hash", BLOB, nullable=False, unique=True),
    Column("codec", Integer, nullable=False),  # 0 as it is, 1 zstd
    Column("crc", Integer, nullable=False),  # CRC-32 of body
    Column("body", BLOB, nullable=False),
)

LINES = Table(
    "lines",
    METADATA,
    Column("id", Text, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("mode", Text, nullable=False),
    Column("root", Text, nullable=False),  # the work this line is a line of
    Column("base", Integer),  # the revision it was forked from
    Column("head", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    Index("lines_root", "root"),
)

REVISIONS = Table(
    "revisions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("seq", Integer, nullable=False),
    Column("parent", Integer),
    Column("document", BLOB, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("cause", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("changes_from", Integer, nullable=False),  # id of its first change row
    Column("changes_count", Integer, nullable=False),
    Column("changes_digest", BLOB, nullable=False),
    Column("chain", BLOB, nullable=False),
    UniqueConstraint("line", "seq"),
)

CHANGES = Table(
    "changes",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("revision", Integer, nullable=False),
    Column("unit", Text, nullable=False),
    Column("object", Text, nullable=False),
    Column("object_kind", Text, nullable=False),
    Column("change", Text, nullable=False),
    Column("property", Text),
    Column("before", Text),  # canonical JSON
    Column("after", Text),
    Index("changes_object", "object"),
)

RECEIPTS = Table(
    "receipts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("scope", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("digest", BLOB, nullable=False),
    Column("answer", BLOB, nullable=False),  # zstd of sorted JSON, which may hold millimetres
    Column("at", Integer, nullable=False),
    UniqueConstraint("scope", "key"),
)

CHECKOUTS = Table(
    "checkouts",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("line", Text, nullable=False),
    Column("newest", Integer, nullable=False),  # the line's newest revision then
    Column("from_revision", Integer, nullable=False),
    Column("to_revision", Integer, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Index("checkouts_line", "line"),
)

LEASES = Table(
    "leases",
    METADATA,
    Column("name", Text, primary_key=True),
    Column("holder", Text, nullable=False),
    Column("process", Text, nullable=False),
    Column("fence", Integer, nullable=False),
    Column("expires_at", Integer, nullable=False),
)

ACTIVITY = Table(
    "activity",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("at", Integer, nullable=False),
    Column("actor", Text, nullable=False),
    Column("capability", Text, nullable=False),
    Column("tool", Text, nullable=False),
    Column("effect", Text, nullable=False),
    Column("scope", Text, nullable=False),  # the work, "" when none
    Column("draft", Text, nullable=False),
    Column("target", Text, nullable=False),
    Column("outcome", Text, nullable=False),  # ok | failed
    Column("code", Text, nullable=False),  # the error's code, "" when ok
    Column("summary", Text, nullable=False),
    Column("revision", Integer),
    Column("duration_us", Integer, nullable=False),
    Column("answer_bytes", Integer, nullable=False),
    Column("activity_group", Integer),  # NULL only for events older than groups
    Column("kind", Text, nullable=False, server_default="call"),  # call | timed_out | frozen | applied | discarded
    Column("action", Text, nullable=False, server_default=""),  # the tool's action, the operations, or the verb
    Column("assets", Text, nullable=False, server_default=""),  # fixed asset versions, by id, separated by commas
    Column("link", Text, nullable=False, server_default=""),  # what to jump to: r41, p12, s3, an object …
    Index("activity_by_group", "activity_group"),
)

ACTIVITY_GROUPS = Table(
    "activity_groups",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("actor", Text, nullable=False),
    Column("scope", Text, nullable=False),  # the work, "" when none
    Column("draft", Text, nullable=False),  # "" while only observing
    Column("state", Text, nullable=False),  # running | timed_out | awaiting | completed
    Column("opened_at", Integer, nullable=False),
    Column("last_at", Integer, nullable=False),
    Column("window_end", Integer, nullable=False),
    Column("proposal", Text, nullable=False),  # p12, "" when none is frozen
    Column("snapshot", Text, nullable=False),  # s3, "" when none was applied
    Index("activity_groups_key", "draft", "scope", "actor"),
    Index("activity_groups_running", "window_end", sqlite_where=text("state = 'running'")),
)
