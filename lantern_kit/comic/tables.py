"""The journal's tables of comics."""

from __future__ import annotations

from sqlalchemy import BLOB, Column, Index, Integer, Table, Text, UniqueConstraint

from lantern_kit.kernel.tables import METADATA

CHAPTERS = Table(
    "chapters",
    METADATA,
    Column("id", Text, primary_key=True),  # also the id of its working line
    Column("comic", Text, nullable=False),
    Column("number", Integer, nullable=False),
    Column("created_at", Integer, nullable=False),
    UniqueConstraint("comic", "number"),
)

DRAFTS = Table(
    "drafts",
    METADATA,
    Column("id", Integer, primary_key=True),  # 7 is d7, and its line is "d7"
    Column("chapter", Text, nullable=False),
    Column("base", Integer, nullable=False),
    Column("state", Text, nullable=False),  # open | applied | discarded
    Column("title", Text, nullable=False),
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("created_at", Integer, nullable=False),
    Index("drafts_chapter", "chapter"),
)

PROPOSALS = Table(
    "proposals",
    METADATA,
    Column("id", Integer, primary_key=True),  # 12 is p12
    Column("chapter", Text, nullable=False),
    Column("draft", Integer, nullable=False),
    Column("base", Integer, nullable=False),
    Column("frozen", Integer, nullable=False),  # the draft revision
    Column("state", Text, nullable=False),  # pending | kept | applied | discarded | superseded
    Column("summary", Text, nullable=False),
    Column("units", Text, nullable=False),  # JSON list of touched units
    Column("changes", Integer, nullable=False),
    Column("new_findings", Text, nullable=False),  # JSON
    Column("healed", Text, nullable=False),  # JSON
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("frozen_at", Integer, nullable=False),
    Column("decided_at", Integer),
    Index("proposals_draft", "draft"),
)

REVIEWERS = Table(
    "reviewers",
    METADATA,
    Column("key", Text, primary_key=True),  # fingerprint of the public half
    Column("name", Text, nullable=False),
    Column("public", BLOB, nullable=False),
    Column("demo", Integer, nullable=False),
    Column("enrolled_at", Integer, nullable=False),
)

APPROVALS = Table(
    "approvals",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("proposal", Integer, nullable=False),
    Column("verdict", Text, nullable=False),  # apply | keep | discard
    Column("mode", Text, nullable=False),  # plain | merge | overwrite | ""
    Column("reviewer", Text, nullable=False),
    Column("key", Text, nullable=False),
    Column("compared", Integer, nullable=False),  # working revision that was looked at
    Column("content", BLOB, nullable=False),  # hash of the resulting document
    Column("result", Integer),  # the working revision an apply made
    Column("reason", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("signature", BLOB, nullable=False),
    Index("approvals_proposal", "proposal"),
)

SNAPSHOTS = Table(
    "snapshots",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("chapter", Text, nullable=False),
    Column("revision", Integer, nullable=False),
    Column("title", Text, nullable=False),
    Column("proposal", Integer),
    Column("actor", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Index("snapshots_chapter", "chapter"),
)
