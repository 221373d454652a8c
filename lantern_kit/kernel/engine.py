"""The journal: one SQLite file in WAL mode, opened by several processes at once.

Reads begin deferred, writes begin immediate, so that a writer waits for its turn at the start and never fails half way.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import Connection, Engine, event
from sqlalchemy.exc import DatabaseError, OperationalError

from lantern_kit.kernel.errors import Busy, Corrupt, LanternError, WorkspaceProblem

BUSY_SECONDS = 30
_WRITE = "lantern_write"


class Journal:
    """The workspace's SQL database.

    Args:
        path: the SQLite file; its folder exists.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.longest_wait = 0.0
        """Seconds the slowest writer of this process waited for its turn."""
        self.engine = _engine(path)
        self._writers = self.engine.execution_options(**{_WRITE: True})

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one moment of the journal."""
        with translated(), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that holds the write lock: committed durably at the end, rolled back if the block raises."""
        asked = time.perf_counter()
        with translated(), self._writers.begin() as connection:
            self.longest_wait = max(self.longest_wait, time.perf_counter() - asked)
            yield connection

    def close(self) -> None:
        """Close all connections of this process."""
        self.engine.dispose()


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's errors into the kit's."""
    try:
        yield
    except LanternError:
        raise
    except OperationalError as error:
        text = str(error.orig)
        if "locked" in text or "busy" in text:
            raise Busy(f"the workspace stayed locked for {BUSY_SECONDS} s") from error
        raise WorkspaceProblem(
            f"the journal cannot be used: {text}",
            recovery="Check the disk and the folder's permissions, then try again.",
        ) from error
    except DatabaseError as error:
        text = str(error.orig)
        if "malformed" in text or "not a database" in text:
            raise Corrupt(f"the journal is damaged: {text}") from error
        raise


def _engine(path: Path) -> Engine:
    engine = sa.create_engine(f"sqlite:///{path}", connect_args={"check_same_thread": False, "timeout": BUSY_SECONDS})

    @event.listens_for(engine, "connect")
    def on_connect(connection: Any, record: object) -> None:
        driver: sqlite3.Connection = connection
        driver.isolation_level = None
        for pragma in (
            "journal_mode=WAL",
            "synchronous=FULL",
            "foreign_keys=ON",
            "wal_autocheckpoint=1000",
            "cache_size=-32000",
            "temp_store=MEMORY",
        ):
            driver.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def on_begin(connection: Connection) -> None:
        write = connection.get_execution_options().get(_WRITE, False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")

    return engine
