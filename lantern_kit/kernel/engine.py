"""The journal: one SQLite file in WAL mode, opened by several processes at once.

Reads begin deferred, writes begin immediate, so that a writer waits for its turn at the start and never fails half way.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from lantern_kit.kernel.errors import Busy, Corrupt, WorkspaceProblem
from lantern_kit.kernel.progress import PACE, Progress
from lantern_kit.kernel.turn import Turn

BUSY_SECONDS = 30
IDLE_KEPT = 5
LOOK_EVERY = 10_000
"""Steps of SQLite's machine, some tenths of a millisecond, between two looks at whether a report is due."""
PRAGMAS = (
    "synchronous=FULL",
    "foreign_keys=ON",
    "wal_autocheckpoint=1000",
    "cache_size=-32000",
    "temp_store=MEMORY",
)
_BUSY = {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


class Rows(sqlite3.Cursor):
    """The rows of a statement, as tuples."""

    def one(self) -> Any:
        """The row of a statement that always gives one."""
        row = self.fetchone()
        if row is None:
            raise AssertionError("a statement that always gives a row gave none")
        return row

    def scalar_one(self) -> Any:
        """The first value of that row."""
        return self.one()[0]

    def scalar(self) -> Any:
        """The first value of the first row, or None when there is none."""
        row = self.fetchone()
        return None if row is None else row[0]


class Connection:
    """An open connection to the journal. SQLAlchemy's would cost more than the statements of an edit together."""

    __slots__ = ("_turn", "driver")

    def __init__(self, driver: sqlite3.Connection) -> None:
        self.driver = driver
        self._turn: Turn | None = None

    def exec_driver_sql(self, statement: str, parameters: Sequence[Any] | list[Sequence[Any]] = (), /) -> Rows:
        """Run a statement with ``?`` parameters; a list of them runs it once for each."""
        cursor = self.driver.cursor(Rows)
        if type(parameters) is list:
            return cursor.executemany(statement, parameters)
        return cursor.execute(statement, parameters)

    @contextmanager
    def lenient(self) -> Iterator[None]:
        """Give damaged text as strings that cannot be encoded, instead of failing: for those who look for damage."""
        usual = self.driver.text_factory
        self.driver.text_factory = _escaped
        try:
            yield
        finally:
            self.driver.text_factory = usual

    @contextmanager
    def told(self, report: Progress, what: str, done: int = 0, total: int = 0) -> Iterator[None]:
        """Report before and while statements run that take long; whoever is told can end one in its middle.

        ``done`` and ``total`` are told all the while.
        """
        report(what, done, total)
        raised: list[BaseException] = []
        due = time.monotonic() + PACE

        def look() -> int:
            nonlocal due
            if time.monotonic() < due:
                return 0
            due = time.monotonic() + PACE
            try:
                report(what, done, total)
            except BaseException as error:  # noqa: BLE001  the driver would only print it; it is raised below
                raised.append(error)
                return 1
            return 0

        self.driver.set_progress_handler(look, LOOK_EVERY)
        try:
            yield
        except sqlite3.OperationalError:
            if raised:
                raise raised[0] from None
            raise
        finally:
            self.driver.set_progress_handler(None, 0)

    def turn(self, path: Path, seconds: float) -> Turn:
        """This connection's seat in the queue of writers."""
        if self._turn is None:
            self._turn = Turn(path, seconds)
        return self._turn

    def close(self) -> None:
        """Close it for good."""
        self.driver.close()
        if self._turn is not None:
            self._turn.close()


class Journal:
    """The workspace's SQL database.

    Args:
        path: the SQLite file; its folder exists.
        busy_seconds: how long a writer waits for its turn.
    """

    def __init__(self, path: Path, *, busy_seconds: float = BUSY_SECONDS) -> None:
        self.path = path
        self.longest_wait = 0.0
        """Seconds the slowest writer of this process waited for its turn."""
        self._seconds = busy_seconds
        self._name = os.fspath(path)
        self._file: tuple[int, int] | None = None
        self._idle: list[Connection] = []
        self._process = os.getpid()
        self._left: list[Connection] = []

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection that sees one moment of the journal."""
        with translated(), self._borrowed() as connection:
            connection.driver.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.driver.rollback()

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction that holds the write lock: committed durably at the end, rolled back if the block raises."""
        asked = time.perf_counter()
        with (
            translated(),
            self._borrowed() as connection,
            connection.turn(self.path, self._seconds).held(),
        ):
            connection.driver.execute("BEGIN IMMEDIATE")
            self.longest_wait = max(self.longest_wait, time.perf_counter() - asked)
            try:
                yield connection
                connection.driver.commit()
            except BaseException:
                connection.driver.rollback()
                raise

    def connect(self) -> sqlite3.Connection:
        """A new driver connection, set up as all are; statements run as they are given, in no implied transaction."""
        driver = sqlite3.connect(self.path, timeout=self._seconds, isolation_level=None, check_same_thread=False)
        try:
            _use_wal(driver, self._seconds)
            for pragma in PRAGMAS:
                driver.execute(f"PRAGMA {pragma}")
        except BaseException:
            driver.close()
            raise
        return driver

    def close(self) -> None:
        """Close all idle connections of this process; used again, it opens the file that is there then."""
        while self._idle:
            self._idle.pop().close()
        self._file = None

    @contextmanager
    def _borrowed(self) -> Iterator[Connection]:
        if self._process != os.getpid():  # a forked child must neither use nor close its parent's connections
            self._left, self._idle, self._process = self._idle, [], os.getpid()
        if self._file is not None:
            self._require_same()
        try:
            connection = self._idle.pop()
        except IndexError:
            connection = Connection(self.connect())
            if self._file is None:
                self._file = _identity(self._name)
        try:
            yield connection
        finally:
            if connection.driver.in_transaction or len(self._idle) >= IDLE_KEPT:
                connection.close()
            else:
                self._idle.append(connection)

    def _require_same(self) -> None:
        """Refuse a file that was deleted or put back from a copy: open connections would go on in one nobody sees."""
        if _identity(self._name) != self._file:
            raise WorkspaceProblem(
                "the workspace's journal is gone, or another file took its place",
                recovery="Open the workspace again; in a notebook restart the kernel first.",
            )


def _identity(path: str) -> tuple[int, int] | None:
    """What tells a file from others of its name; None where there is none."""
    try:
        facts = os.stat(path)  # noqa: PTH116  at every transaction, where a Path costs three times as much
    except OSError:
        return None
    return facts.st_dev, facts.st_ino


def _use_wal(driver: sqlite3.Connection, seconds: float) -> None:
    """SQLite waits for others at every statement but this one, where processes that open a fresh file meet."""
    end = time.monotonic() + seconds
    while True:
        try:
            driver.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF not in _BUSY or time.monotonic() > end:
                raise
        time.sleep(0.002)


def _escaped(text: bytes) -> str:
    return text.decode(errors="surrogateescape")


@contextmanager
def translated() -> Iterator[None]:
    """Turn the driver's errors, and the file system's, into the kit's."""
    try:
        yield
    except UnicodeDecodeError as error:  # the driver's, when its message would quote damaged text
        raise Corrupt("the journal is damaged: it holds text that cannot be read") from error
    except sqlite3.DatabaseError as error:
        code = getattr(error, "sqlite_errorcode", None)
        kind = None if code is None else code & 0xFF
        if kind in _BUSY:
            raise Busy("the workspace stayed locked") from error
        if kind in _DAMAGED or (kind is None and "decode" in str(error)):
            raise Corrupt(f"the journal is damaged: {error}") from error
        if isinstance(error, sqlite3.OperationalError):
            raise WorkspaceProblem(
                f"the journal cannot be used: {error}",
                recovery="Check the disk and the folder's permissions, then try again.",
            ) from error
        raise
