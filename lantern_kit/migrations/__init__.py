"""One chain of schema versions for the journal, whatever document kinds it holds.

Alembic is imported only when a journal is new or of an older version.
"""

from __future__ import annotations

from pathlib import Path

from lantern_kit.kernel.engine import Connection, Journal, translated
from lantern_kit.kernel.errors import NewerWorkspace, WorkspaceProblem

HEAD = "0006"
"""The version this code reads and writes."""
KNOWN = ("0001", "0002", "0003", "0004", "0005", "0006")
"""All versions, oldest first."""


def stored_version(connection: Connection) -> str | None:
    """The journal's version, or None for an empty file."""
    table = connection.exec_driver_sql("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchone()
    if table is None:
        return None
    row = connection.exec_driver_sql("SELECT version_num FROM alembic_version").fetchone()
    return None if row is None else str(row[0])


def bring_up(journal: Journal) -> None:
    """Bring a journal to this version; several processes may do so at once.

    Raises NewerWorkspace, and WorkspaceProblem for a database of something else; nothing is changed then.
    """
    with journal.read() as connection:
        version = stored_version(connection)
        foreign = version is None and connection.exec_driver_sql("SELECT 1 FROM sqlite_master").fetchone() is not None
    if version == HEAD:
        return
    if foreign:
        raise WorkspaceProblem(
            "the journal is a database of something else", recovery="Name the folder of a Lantern workspace."
        )
    if version is not None and version not in KNOWN:
        raise NewerWorkspace(
            "the workspace was written by a newer Lantern Kit", expected=f"version {HEAD} or older", found=version
        )
    _upgrade(journal)


def _upgrade(journal: Journal) -> None:
    import sqlalchemy as sa
    from alembic import command
    from alembic.config import Config

    engine = sa.create_engine("sqlite://", creator=journal.connect, poolclass=sa.NullPool)
    sa.event.listen(engine, "begin", lambda connection: connection.exec_driver_sql("BEGIN IMMEDIATE"))
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    with translated(), engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, HEAD)
