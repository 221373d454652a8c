"""``analysis()``: a DuckDB connection to everything that happened, brought up to date first."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Protocol

import duckdb
from duckdb import DuckDBPyConnection

from lantern_kit.analysis import file
from lantern_kit.analysis.history import PROJECTORS as HISTORY
from lantern_kit.analysis.notice import Notice, Notify, log
from lantern_kit.analysis.registry import Projector, Registry
from lantern_kit.analysis.run import Run
from lantern_kit.kernel.engine import Journal
from lantern_kit.kernel.errors import Busy, Corrupt, WorkspaceProblem
from lantern_kit.kernel.progress import PACE, Progress, quiet

_SYNCING = threading.Lock()
_DAMAGE = ("checksum", "corrupt", "Corrupt", "enough bytes", "FATAL", "INTERNAL", "Serialization")


class Place(Protocol):
    """Where a journal lies: a workspace."""

    @property
    def path(self) -> Path:
        """The folder."""
        ...

    @property
    def journal(self) -> Journal:
        """Its journal."""
        ...


def analysis(
    place: Place,
    projectors: Iterable[Projector] = (),
    *,
    progress: Progress | None = None,
    notify: Notify | None = None,
    rebuild: bool = False,
    in_memory: bool = False,
) -> DuckDBPyConnection:
    """A DuckDB connection in which everything that happened so far is plain tables.

    The tables live in ``analysis.duckdb`` beside the journal. It is a projection: deleting it loses nothing. When
    another process has it open, or it cannot be written, the connection is to a copy in memory with the same rows, and
    ``notify`` is told.

    Args:
        place: the workspace.
        projectors: tables besides those of every journal (revisions, changes, activity).
        progress: told (table, rows done, of how many) after each batch.
        notify: told what a person should know; by default the logger ``lantern_kit.analysis`` is.
        rebuild: fill all tables anew.
        in_memory: leave the file alone.

    Raises:
        Corrupt: rows of the journal cannot be read.
        Busy: another connection of this process changes the same tables and has not committed.
        WorkspaceProblem: a connection opened earlier in this process is in the way.
    """
    registry = Registry((*HISTORY, *projectors))
    path = place.path / file.NAME
    tell = notify or log
    with _alone(progress or quiet):
        connection = None if in_memory else file.open_file(path, tell)
        if connection is not None:
            try:
                return _brought_up(connection, place, registry, progress, tell, rebuild=rebuild)
            except file.Unusable as error:
                anew = file.cleared(path, error, tell)
            connection = file.open_file(path, tell) if anew else None
        try:
            return _brought_up(connection or file.memory(), place, registry, progress, tell)
        except file.Unusable as error:
            raise WorkspaceProblem(f"{path.name} cannot be kept: {error}", recovery="Check the disk.") from error


@contextmanager
def _alone(tell: Progress) -> Iterator[None]:
    """Wait until no other thread of this process brings tables up to date, and say so meanwhile."""
    while not _SYNCING.acquire(timeout=PACE):
        tell("waiting for another one", 0, 0)
    try:
        yield
    finally:
        _SYNCING.release()


def _brought_up(
    connection: DuckDBPyConnection,
    place: Place,
    registry: Registry,
    progress: Progress | None,
    notify: Notify,
    *,
    rebuild: bool = False,
) -> DuckDBPyConnection:
    """The connection with its tables up to date; closed when that fails. Raises Unusable besides the kit's errors."""
    path = place.path / file.NAME
    try:
        run = Run(connection, place.journal, registry, progress)
        if rebuild:
            run.forget()
        elif not run.belongs():
            run.forget()
            notify(Notice("rebuilt", f"{path.name} was filled anew: it spoke of another journal than this one."))
        run.finish()
        return connection
    except BaseException as error:
        connection.close()
        if isinstance(error, duckdb.Error):
            raise _translated(error, path) from error
        raise


def _translated(error: duckdb.Error, path: Path) -> Exception:
    said = file.sentence(error, path)
    if isinstance(error, duckdb.ConversionException):
        return Corrupt(f"a row of the journal cannot be kept for analysis: {said}")
    if isinstance(error, duckdb.TransactionException) and "onflict" in str(error):
        return Busy(
            "another connection of this process is changing the analysis",
            recovery="Commit or roll back what it began, then ask again.",
        )
    if isinstance(error, duckdb.IOException) or any(word in str(error) for word in (*file.SYSTEM, *_DAMAGE)):
        return file.judged(error, path)
    return WorkspaceProblem(
        f"{path.name} cannot be brought up to date: {said}",
        recovery="Mend that, or delete the file: nothing is lost, it is made anew.",
    )
