"""The journal's table of novels; all else is in their documents."""

from __future__ import annotations

from sqlalchemy import Column, Index, Integer, Table, Text

from lantern_kit.kernel.tables import METADATA

NOVELS = Table(
    "novels",
    METADATA,
    Column("id", Text, primary_key=True),  # also the name of its line
    Column("title", Text, nullable=False),  # as it was begun
    Column("created_at", Integer, nullable=False),
    Index("novels_title", "title"),
)
