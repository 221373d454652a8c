"""One run that brings the tables to a moment of the journal: what is missing, in batches, each with its watermark.

One short read of the journal settles the moment: how far numbered rows go, what lines stand at, and the few rows that
change in place. Everything behind that moment is immutable, so the rest is read in pieces, between which writers and
checkpoints of the journal go on; whatever a kill leaves behind is a state to go on from.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import duckdb
import pyarrow as pa
from duckdb import DuckDBPyConnection

from lantern_kit.analysis import file
from lantern_kit.analysis.registry import Appended, Followed, Mirrored, Part, Reader, Registry, Row
from lantern_kit.kernel.engine import Journal

if TYPE_CHECKING:
    from lantern_kit.kernel.progress import Progress

BATCH = 50_000
"""Rows read from the journal at a time, and about as many written in one transaction."""


@dataclass
class _Mark:
    """How far a table is."""

    fingerprint: str
    watermark: int
    anchor: str


@dataclass(frozen=True)
class _Moment:
    """The state of the journal that is aimed at."""

    last: Mapping[str, int]
    """Appended tables: the highest number."""
    stamps: Mapping[str, Mapping[str, str]]
    """Followed tables: group → stamp."""
    mirrors: Mapping[str, tuple[str, pa.Table]]
    """Mirrored tables that differ: what their rows are known by, and the rows."""


class Run:
    """Brings one database up to date with one journal."""

    def __init__(
        self, connection: DuckDBPyConnection, journal: Journal, registry: Registry, progress: Progress | None
    ) -> None:
        self._db = connection
        self._journal = journal
        self._registry = registry
        self._progress = progress
        self._open = False
        self._pending = 0
        self._views: set[str] = set()
        self._moved: set[str] = set()
        self._stamped: dict[tuple[str, str], str | None] = {}
        self._marks = {row[0]: _Mark(*row[1:]) for row in connection.execute("FROM lantern.marks").fetchall()}

    # whether, and from where

    def belongs(self) -> bool:
        """Whether the tables were filled from this journal; one of another version says nothing of that."""
        with self._journal.read() as connection:
            return all(
                mark.anchor == projector.anchor(connection, mark.watermark)
                for projector in self._registry
                if isinstance(projector, Appended)
                and (mark := self._marks.get(projector.name)) is not None
                and mark.fingerprint == projector.fingerprint
                and mark.watermark
            )

    def forget(self) -> None:
        """Take every table out, so that a run fills them anew."""
        self._begin()
        for name in self._marks:
            self._db.execute(f'DROP TABLE IF EXISTS "{name}"')
        self._db.execute("DELETE FROM lantern.marks")
        self._db.execute("DELETE FROM lantern.stamps")
        self._marks.clear()
        self._commit()

    # the run

    def finish(self) -> None:
        """Bring all tables to one moment of the journal."""
        try:
            self._tables()
            shared: dict[str, Any] = {}
            readers = {item.name: item.open(shared) for item in self._registry if isinstance(item, Followed)}
            moment = self._moment(readers)
            for projector in self._registry:
                if isinstance(projector, Appended):
                    self._append(projector, moment.last[projector.name])
            for name, (stamp, rows) in moment.mirrors.items():
                self._mirror(name, stamp, rows)
            before = self._stamps()
            for projector in self._registry:
                if isinstance(projector, Followed):
                    now = moment.stamps[projector.name]
                    self._follow(projector, readers[projector.name], before.get(projector.name, {}), now)
            self._commit()
            for name in self._views:
                self._db.unregister(name)
        except BaseException:
            if self._open:
                try:
                    self._db.rollback()
                except duckdb.Error:  # the database is beyond that; the first error says why
                    self._open = False
            raise

    def _tables(self) -> None:
        """Make the tables that are missing or not as they should be, and take out what nobody registers any more."""
        there = set(file.tables(self._db))
        for projector in self._registry:
            mark = self._marks.get(projector.name)
            fingerprint = projector.fingerprint
            if mark is not None and mark.fingerprint == fingerprint and projector.name in there:
                continue
            self._begin()
            self._drop(projector.name)
            for statement in projector.ddl():
                self._db.execute(statement)
            self._db.execute("INSERT INTO lantern.marks VALUES (?, ?, 0, '')", [projector.name, fingerprint])
            self._marks[projector.name] = _Mark(fingerprint, 0, "")
        for name in [name for name in self._marks if name not in self._registry]:
            self._begin()
            self._drop(name)
            del self._marks[name]

    def _drop(self, name: str) -> None:
        self._db.execute(f'DROP TABLE IF EXISTS "{name}"')
        self._db.execute("DELETE FROM lantern.marks WHERE name = ?", [name])
        self._db.execute("DELETE FROM lantern.stamps WHERE name = ?", [name])

    def _moment(self, readers: Mapping[str, Reader]) -> _Moment:
        mirrors: dict[str, tuple[str, pa.Table]] = {}
        with self._journal.read() as connection:
            for item in self._registry:
                if isinstance(item, Mirrored):
                    stamp = item.stamp(connection)
                    if stamp != self._marks[item.name].anchor:
                        mirrors[item.name] = stamp, item.table(item.read(connection))
            return _Moment(
                {item.name: item.last(connection) for item in self._registry if isinstance(item, Appended)},
                {name: dict(reader.stamps(connection)) for name, reader in readers.items()},
                mirrors,
            )

    def _append(self, projector: Appended, last: int) -> None:
        """Copy what is new in batches: while one is written, the next is read."""
        first = reached = self._marks[projector.name].watermark
        written: Future[int] | None = None
        with ThreadPoolExecutor(1) as writer:  # starts no thread before something is submitted
            while reached < last:
                with self._journal.read() as connection:
                    rows, reached = projector.read(connection, reached, last, BATCH)
                    anchor = projector.anchor(connection, reached)
                if written is not None:
                    self._say(projector.name, written.result() - first, last - first)
                if written is None and reached == last:
                    self._keep(projector, rows, reached, anchor)
                    self._say(projector.name, reached - first, last - first)
                else:
                    written = writer.submit(self._keep, projector, rows, reached, anchor)
        if written is not None:
            self._say(projector.name, written.result() - first, last - first)

    def _keep(self, projector: Appended, rows: pa.Table, reached: int, anchor: str) -> int:
        self._begin()
        self._insert(projector.name, rows)
        self._mark(projector.name, reached, anchor)
        self._wrote(rows.num_rows)
        return reached

    def _mirror(self, name: str, stamp: str, rows: pa.Table) -> None:
        self._begin()
        self._db.execute(f'DELETE FROM "{name}"')  # noqa: S608
        self._insert(name, rows)
        self._mark(name, 0, stamp)
        self._wrote(rows.num_rows)
        self._say(name, rows.num_rows, rows.num_rows)

    def _stamps(self) -> dict[str, dict[str, str]]:
        """What the groups of each followed table are known by in it."""
        found: dict[str, dict[str, str]] = {}
        for name, group, stamp in self._db.execute("SELECT name, part, stamp FROM lantern.stamps").fetchall():
            found.setdefault(name, {})[group] = stamp
        return found

    def _follow(self, projector: Followed, reader: Reader, before: Mapping[str, str], now: Mapping[str, str]) -> None:
        moved = [group for group, stamp in now.items() if before.get(group) != stamp]
        parts = {group: Part(None, []) for group in before if group not in now}
        for done, group in enumerate(moved, 1):
            with self._journal.read() as connection:
                parts[group] = reader.read(connection, group, before.get(group), now[group])
            if sum(len(part.rows) for part in parts.values()) >= BATCH or done == len(moved):
                self._replace(projector, parts, now)
                parts = {}
            self._say(projector.name, done, len(moved))
        if parts:
            self._replace(projector, parts, now)

    def _replace(self, projector: Followed, parts: Mapping[str, Part], now: Mapping[str, str]) -> None:
        """Put what was read of some groups in the place of what it replaces, with their stamps."""
        self._begin()
        whole = [(group,) for group, part in parts.items() if part.gone is None]
        some = [(group, name) for group, part in parts.items() for name in sorted(part.gone or ())]
        keeps = projector.keeps
        replaced = self._delete(projector.name, [projector.group], whole, keeps)
        replaced += self._delete(projector.name, [projector.group, projector.part], some, keeps)
        rows = projector.table(row for part in parts.values() for row in part.rows)
        select = projector.insert
        if keeps:
            self._register("replaced", _texts(keeps, replaced))
            if projector.rare(rows, replaced):
                select = projector.insert_rare
        self._insert(projector.name, rows, select)
        self._stamped.update({(projector.name, group): now.get(group) for group in parts})
        self._wrote(rows.num_rows)

    # writing

    def _register(self, name: str, rows: pa.Table) -> None:
        """Let statements read rows under a name, until the run is over."""
        self._db.register(name, rows)
        self._views.add(name)

    def _insert(self, table: str, rows: pa.Table, select: str = "SELECT * FROM incoming") -> None:
        if rows.num_rows:
            self._register("incoming", rows)
            self._db.execute(f'INSERT INTO "{table}" BY NAME {select}')

    def _delete(
        self, table: str, columns: Sequence[str], keys: Sequence[tuple[str, ...]], keeps: Sequence[str] = ()
    ) -> list[Row]:
        """Take out rows by what stands in some columns; gives what some others held in them."""
        if not keys:
            return []
        gone = ", ".join(f"unnest(${place}) AS {name}" for place, name in enumerate(columns, 1))
        test = " AND ".join(f"t.{name} = gone.{name}" for name in columns)
        back = f" RETURNING {', '.join(f't.{name}' for name in keeps)}" if keeps else ""
        done = self._db.execute(
            f"DELETE FROM {table} AS t USING (SELECT {gone}) AS gone WHERE {test}{back}",  # noqa: S608
            _columns(keys),
        )
        return list(done.fetchall()) if keeps else []

    def _mark(self, name: str, watermark: int, anchor: str) -> None:
        self._marks[name].watermark, self._marks[name].anchor = watermark, anchor
        self._moved.add(name)

    def _begin(self) -> None:
        if not self._open:
            self._db.begin()
            self._open = True

    def _wrote(self, rows: int) -> None:
        self._pending += rows
        if self._pending >= BATCH:
            self._commit()

    def _commit(self) -> None:
        self._note()
        if self._open:
            self._db.commit()
        self._open, self._pending = False, 0

    def _note(self) -> None:
        """Write down how far the tables are, together with their rows."""
        if self._moved:
            marks = [(name, self._marks[name].watermark, self._marks[name].anchor) for name in self._moved]
            self._db.execute(
                "UPDATE lantern.marks AS m SET watermark = now.watermark, anchor = now.anchor FROM"
                " (SELECT unnest($1) AS name, unnest($2) AS watermark, unnest($3) AS anchor) AS now"
                " WHERE m.name = now.name",
                _columns(marks),
            )
        if self._stamped:
            self._delete("lantern.stamps", ["name", "part"], list(self._stamped))
            kept = [(*key, stamp) for key, stamp in self._stamped.items() if stamp is not None]
            if kept:
                self._db.execute("INSERT INTO lantern.stamps SELECT unnest($1), unnest($2), unnest($3)", _columns(kept))
        self._moved.clear()
        self._stamped.clear()

    def _say(self, what: str, done: int, total: int) -> None:
        if self._progress is not None:
            self._progress(what, done, total)


def _columns(rows: Iterable[Row]) -> list[list[Any]]:
    return [list(values) for values in zip(*rows, strict=True)]


def _texts(columns: Sequence[str], rows: Iterable[Row]) -> pa.Table:
    cells = list(zip(*rows, strict=True)) or [()] * len(columns)
    return pa.table([pa.array(values, pa.string()) for values in cells], names=list(columns))
