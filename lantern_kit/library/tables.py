"""The journal's tables of the library."""

from __future__ import annotations

from sqlalchemy import BLOB, Column, Integer, Table, Text, UniqueConstraint

from lantern_kit.kernel.tables import METADATA

LIBRARY = Table(
    "library",
    METADATA,
    Column("id", Text, primary_key=True),  # li_…
    Column("kind", Text, nullable=False),  # character | scene | prop | style | layout
    Column("head", Integer, nullable=False),  # number of its newest version
)

LIBRARY_VERSIONS = Table(
    "library_versions",
    METADATA,
    Column("id", Integer, primary_key=True),
    Column("entry", Text, nullable=False),
    Column("number", Integer, nullable=False),  # 1, 2, … of its entry
    Column("cause", Text, nullable=False),  # kept | updated | restored | archived
    Column("content", Text, nullable=False),  # canonical JSON
    Column("actor_kind", Text, nullable=False),
    Column("actor", Text, nullable=False),
    Column("message", Text, nullable=False),
    Column("at", Integer, nullable=False),
    Column("chain", BLOB, nullable=False),
    UniqueConstraint("entry", "number"),
)
