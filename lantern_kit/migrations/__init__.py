"""One chain of schema versions for the journal, whatever document kinds it holds.

Alembic is imported only when a journal is new or of an older version.
"""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection

from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import NewerWorkspace

HEAD = "0001"
"""The version this code reads and writes."""
KNOWN = ("0001",)
"""All versions, oldest first."""


def stored_version(connection: Connection) -> str | None:
    """The journal's version, or None for an empty file."""
    table = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    if table is None:
        return None
    row = connection.exec_driver_sql("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def bring_up(journal: Journal) -> None:
    """Bring a journal to this version; several processes may do so at once. Raises NewerWorkspace."""
    with journal.read() as connection:
        version = stored_version(connection)
    if version == HEAD:
        return
    if version is not None and version not in KNOWN:
        raise NewerWorkspace(
            "the workspace was written by a newer Lantern Kit", expected=f"version {HEAD} or older", found=version
        )
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent))
    with journal.write() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
