"""The file analysis.duckdb: opened, found in use, damaged, foreign or of another version, and made anew.

DuckDB lets one process at a time have a file open. Nothing here reads the file by itself: closing it again would
release the lock that DuckDB holds on it for this process (POSIX locks belong to the process, not to the descriptor).
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from itertools import count
from pathlib import Path

import duckdb
from duckdb import DuckDBPyConnection

from lantern_kit.analysis.notice import Notice, Notify
from lantern_kit.kernel.errors import WorkspaceProblem

NAME = "analysis.duckdb"
FORMAT = "1"
"""Version of the bookkeeping in the schema ``lantern``."""
PATIENCE = 0.3
"""Seconds to wait for another process that is just finishing."""
_LOCKED = "lock on file"
SYSTEM = ("Permission denied", "Read-only", "No space left", "Too many open files", "Could not write", "quota")
"""Complaints of the operating system, for which the file is not to blame."""
_HEADERS = 3 * 4096
"""Bytes before the first block of a DuckDB file."""
_CONFIG: dict[str, str | bool | int | float | list[str]] = {
    "autoinstall_known_extensions": False,  # a foreign file must not make DuckDB fetch an extension to read it
    "autoload_known_extensions": False,
}
_BOOKKEEPING = (
    "CREATE SCHEMA lantern",
    "CREATE TABLE lantern.meta (key VARCHAR, value VARCHAR)",
    "CREATE TABLE lantern.marks (name VARCHAR, fingerprint VARCHAR, watermark BIGINT, anchor VARCHAR)",
    "CREATE TABLE lantern.stamps (name VARCHAR, part VARCHAR, stamp VARCHAR)",
    "CREATE MACRO number(id) AS CAST(substr(id, 2) AS BIGINT)",
)


class Unusable(Exception):
    """The file cannot be used now, through no fault of its own."""


class Damaged(Unusable):
    """The file cannot be used as it is."""


class OtherVersion(Damaged):
    """The kit made it, but not this version of the kit."""


def memory() -> DuckDBPyConnection:
    """An empty database of this process alone, ready for tables."""
    connection = duckdb.connect(":memory:", config=_CONFIG)
    _prepare(connection)
    return connection


def open_file(path: Path, notify: Notify) -> DuckDBPyConnection | None:
    """The database in a file, ready for tables, made if it is missing; None when it can only be copied in memory."""
    try:
        return _open(path)
    except Unusable as error:
        if not cleared(path, error, notify):
            return None
    try:
        return _open(path)
    except Unusable as error:
        notify(_only_copy(str(error)))
        return None


def tables(connection: DuckDBPyConnection) -> list[str]:
    """Names of the tables a person sees."""
    rows = connection.execute(
        "SELECT table_name FROM duckdb_tables() WHERE database_name = current_database() AND schema_name = 'main'"
        " ORDER BY table_name"
    ).fetchall()
    return [name for (name,) in rows]


def cleared(path: Path, reason: Unusable, notify: Notify) -> bool:
    """Say why the file could not be used; whether it is out of the way now, so that it can be made anew."""
    if not isinstance(reason, Damaged):
        notify(_only_copy(str(reason)))
        return False
    log = path.with_name(path.name + ".wal")
    aside = next(name for name in _asides(path) if not name.exists())
    try:
        if isinstance(reason, OtherVersion):
            path.unlink()
            log.unlink(missing_ok=True)
        else:
            path.rename(aside)
            if log.exists():
                log.rename(aside.with_name(aside.name + ".wal"))
    except OSError:
        notify(_only_copy(f"{path.name} cannot be used, nor moved out of the way ({reason})"))
        return False
    if isinstance(reason, OtherVersion):
        notify(Notice("rebuilt", f"{path.name} was made anew from the journal: {reason}."))
    else:
        notify(
            Notice(
                "moved_aside",
                f"{path.name} could not be used ({reason}); it was moved to {aside.name} and made anew.",
                f"Nothing is lost. Delete {aside.name} when you do not need it.",
            )
        )
    return True


def _asides(path: Path) -> Iterator[Path]:
    return (path.with_name(f"{path.name}.aside-{number}") for number in count(1))


def judged(error: duckdb.Error, path: Path) -> Unusable:
    """Whether DuckDB's complaint is the file's fault."""
    said = sentence(error, path)
    return Unusable(said) if any(word in str(error) for word in (_LOCKED, *SYSTEM)) else Damaged(said)


def _open(path: Path) -> DuckDBPyConnection:
    """Raises Unusable."""
    settled = not path.with_name(path.name + ".wal").exists()
    connection = _connect(path)
    if not path.exists():
        connection.close()
        raise WorkspaceProblem(
            f"{path.name} was deleted while this process still had it open",
            recovery="Close the connections that were opened before, then ask again.",
        )
    try:
        if settled:
            _measure(connection, path)
        _prepare(connection)
    except duckdb.Error as error:
        connection.close()
        raise judged(error, path) from error
    except Damaged:
        connection.close()
        raise
    return connection


def _connect(path: Path) -> DuckDBPyConnection:
    until = time.monotonic() + PATIENCE
    while True:
        try:
            return duckdb.connect(path, config=_CONFIG)
        except duckdb.ConnectionException as error:
            raise WorkspaceProblem(
                f"{path.name} is open in this process with other settings",
                recovery="Close the connection that was opened by hand, then ask again.",
            ) from error
        except duckdb.Error as error:
            if _LOCKED in str(error) and time.monotonic() < until:
                time.sleep(0.02)
                continue
            raise judged(error, path) from error


def _measure(connection: DuckDBPyConnection, path: Path) -> None:
    """Find a file that was cut short, which DuckDB itself notices only when it comes to the missing part."""
    row = connection.execute(
        "SELECT block_size, used_blocks FROM pragma_database_size() WHERE database_name = current_database()"
    ).fetchone()
    if row is None:
        raise AssertionError("a database has a size")
    size, used = row
    body = path.stat().st_size - _HEADERS
    if body % size or body < used * size:  # free blocks at the end may be missing in a sound file
        raise Damaged("it was cut short")


def _prepare(connection: DuckDBPyConnection) -> None:
    """Make the bookkeeping in an empty database; leave one that is the kit's. Raises Damaged for any other."""
    try:  # so it nearly always is, and looking through a catalogue takes longer
        found = connection.execute("SELECT value FROM lantern.meta WHERE key = 'format'").fetchall()
    except duckdb.CatalogException:
        found = []
    if found == [(FORMAT,)]:
        return
    known = connection.execute(
        "SELECT count(*) FILTER (schema_name = 'lantern' AND table_name = 'meta'), count(*) FROM duckdb_tables()"
        " WHERE NOT internal AND database_name = current_database()"
    ).fetchone()
    if known is None:
        raise AssertionError("a count gives one row")
    if known[0]:
        raise OtherVersion("another version of the kit wrote it")
    if known[1]:
        raise Damaged("it is a database of somebody else's")
    connection.begin()
    for statement in _BOOKKEEPING:
        connection.execute(statement)
    connection.execute("INSERT INTO lantern.meta VALUES ('format', ?)", [FORMAT])
    connection.commit()


def _only_copy(reason: str) -> Notice:
    return Notice(
        "in_memory",
        f"This is a copy in memory, made from the journal just now: {reason}.",
        "The rows are the same; the file is kept again once that is over.",
    )


def sentence(error: Exception, path: Path) -> str:
    """The first sentence of what is wrong, without this machine's folders."""
    text = str(error).split("\n", 1)[0]
    if _LOCKED in text:
        return f"another program has {path.name} open"
    if isinstance(error, duckdb.Error):
        text = text.split(" Error: ", 1)[-1]
    return text.replace(f"{path.parent}/", "").rstrip(".!")
