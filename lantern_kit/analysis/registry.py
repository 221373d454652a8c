"""What a table of the analysis is, and how its rows come from the journal.

Three ways, by how the journal treats the rows: *appended* ones are written once and numbered, so a watermark says how
far the table is; *mirrored* ones change in place and are few, so the table is replaced when they differ; *followed*
ones are the content of something that moves, a line's head, so the parts that moved are replaced.

This module is light: DuckDB and Arrow are imported when a table is filled.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from itertools import islice
from typing import TYPE_CHECKING, Any, Protocol

from lantern_kit.kernel.canonical import digest
from lantern_kit.kernel.engine import Connection
from lantern_kit.kernel.errors import Corrupt, WrongState

if TYPE_CHECKING:
    import pyarrow as pa

Row = Sequence[Any]


@dataclass(frozen=True)
class Column:
    """One column of a table."""

    name: str
    type: str
    """A type of DuckDB's that ``arrow_type`` knows. TIMESTAMP is in UTC, given as milliseconds since 1970."""
    doc: str
    """What stands in it: unit, meaning, when it is NULL."""


@dataclass(frozen=True, kw_only=True)
class Projector:
    """A table and where its rows come from."""

    name: str
    doc: str
    """What one row is."""
    columns: tuple[Column, ...]
    version: int = 1
    """To be raised when the same journal gives other rows than before: the table is then filled anew."""

    def ddl(self) -> list[str]:
        """The statements that make the table, with its documentation inside the database."""
        columns = ", ".join(f'"{column.name}" {column.type}' for column in self.columns)
        return [
            f'CREATE TABLE "{self.name}" ({columns})',
            f'COMMENT ON TABLE "{self.name}" IS {_quoted(self.doc)}',
            *(f'COMMENT ON COLUMN "{self.name}"."{column.name}" IS {_quoted(column.doc)}' for column in self.columns),
        ]

    @cached_property
    def fingerprint(self) -> str:
        """Changes when a table made by an earlier version of this projector is no longer right."""
        return digest("\n".join([type(self).__name__, str(self.version), *self.ddl()]).encode()).hex()[:16]

    def table(self, rows: Iterable[Row]) -> pa.Table:
        """Rows as an Arrow table. Raises Corrupt when a cell is not of its column's type."""
        return arrow_table(self.columns, rows, self.name)


@dataclass(frozen=True, kw_only=True)
class Appended(Projector):
    """Rows that are written once, under growing numbers, and never changed."""

    source: str
    """The journal's table; ``t`` in SQL."""
    key: str = "id"
    """Its column that numbers the rows."""
    joins: str = ""
    """SQL: what else is joined to it, one row to one."""
    cells: tuple[str, ...]
    """SQL: one expression for each column."""

    def last(self, connection: Connection) -> int:
        """The highest number there is, 0 when there is none."""
        found = connection.exec_driver_sql(f"SELECT max({self.key}) FROM {self.source}").scalar()  # noqa: S608
        return 0 if found is None else int(found)

    def read(self, connection: Connection, after: int, until: int, limit: int) -> tuple[pa.Table, int]:
        """The next rows after one number up to another, and the number of the last of them."""
        rows = connection.exec_driver_sql(
            f"{self._select()} WHERE t.{self.key} > ? AND t.{self.key} <= ? ORDER BY t.{self.key} LIMIT ?",
            (after, until, limit),
        )
        table = arrow_table((_NUMBER, *self.columns), rows, self.name)
        reached = table[_NUMBER.name][-1].as_py() if table.num_rows == limit else until
        return table.drop_columns([_NUMBER.name]), reached

    def anchor(self, connection: Connection, number: int) -> str:
        """What the row under a number is known by; tells whether a table was filled from this very journal."""
        row = connection.exec_driver_sql(f"{self._select()} WHERE t.{self.key} = ?", (number,)).fetchone()
        return digest(repr(row).encode()).hex()[:16]

    def _select(self) -> str:
        return f"SELECT t.{self.key}, {', '.join(self.cells)} FROM {self.source} AS t {self.joins}"  # noqa: S608


@dataclass(frozen=True, kw_only=True)
class Mirrored(Projector):
    """Few rows that change in place."""

    read: Callable[[Connection], Iterable[Row]]
    """All rows there are now."""
    depends: tuple[str, ...] = ()
    """SQL of all that the rows come from, besides what never changes in the journal: they are read again when it gives
    other rows than before. By default they are read each time, which is right where that is quick."""

    def stamp(self, connection: Connection) -> str:
        """What the rows there are now are known by."""
        if self.depends:
            found = [connection.exec_driver_sql(query).fetchall() for query in self.depends]
        else:
            found = [[tuple(row) for row in self.read(connection)]]
        return digest(repr(found).encode()).hex()


@dataclass(frozen=True)
class Part:
    """What must change in a followed table for one group."""

    gone: frozenset[str] | None
    """Parts whose rows are taken out before the new ones come in; None: all rows of the group."""
    rows: list[Row]


class Reader(Protocol):
    """Reads a followed table for one run; may remember what it read."""

    def stamps(self, connection: Connection) -> Mapping[str, str]:
        """Each group with what its content is known by; that content never changes."""
        ...

    def read(self, connection: Connection, group: str, old: str | None, new: str) -> Part:
        """What leads from the content under one stamp (None: nothing) to that under another."""
        ...


@dataclass(frozen=True, kw_only=True)
class Followed(Projector):
    """The content of groups that move."""

    group: str
    """The column that names the group."""
    part: str
    """The column that names the part of a group whose rows are replaced together."""
    open: Callable[[dict[str, Any]], Reader]
    """Gives a reader for one run, in which it shares with the others what it puts into the dictionary."""
    keeps: tuple[str, ...] = ()
    """Columns, VARCHAR all, that ``insert`` wants to know of the rows that were taken out."""
    insert: str = "SELECT * FROM incoming"
    """DuckDB: from the rows read, called ``incoming``, and those that were taken out for them, called ``replaced``, to
    rows of the table; other tables are up to date by then."""
    insert_rare: str = ""
    """What is taken instead where some row that was read takes the place of none: ``keeps`` tells, by the columns that
    the rows read have too."""
    read_columns: tuple[Column, ...] = field(default=())
    """The columns of what is read, when ``insert`` adds others."""

    def table(self, rows: Iterable[Row]) -> pa.Table:
        """Rows as they are read."""
        return arrow_table(self.read_columns or self.columns, rows, self.name)

    def rare(self, rows: pa.Table, replaced: Sequence[Row]) -> bool:
        """Whether some of the rows that were read take the place of none."""
        keys = [place for place, name in enumerate(self.keeps) if name in rows.column_names]
        known = {tuple(row[place] for place in keys) for row in replaced}
        if len(known) < rows.num_rows:
            return True
        columns = [rows[self.keeps[place]].to_pylist() for place in keys]
        return any(key not in known for key in zip(*columns, strict=True))


class Registry:
    """Projectors by name, in the order in which their tables are filled. A second one of a name raises WrongState."""

    def __init__(self, projectors: Iterable[Projector] = ()) -> None:
        self._projectors: dict[str, Projector] = {}
        for projector in projectors:
            if projector.name in self._projectors:
                raise WrongState(f"there are two projectors of {projector.name}", ids=[projector.name], recovery="")
            self._projectors[projector.name] = projector

    def __iter__(self) -> Iterator[Projector]:
        return iter(self._projectors.values())

    def __getitem__(self, name: str) -> Projector:
        return self._projectors[name]

    def __contains__(self, name: object) -> bool:
        return name in self._projectors


_SOME = 1_000
"""Rows turned into columns at a time: so few that they are still in the processor's cache."""
_NUMBER = Column("number of the row in the journal", "BIGINT", "")


def arrow_table(columns: Sequence[Column], rows: Iterable[Row], name: str) -> pa.Table:
    """Rows as an Arrow table, typed as DuckDB will keep them. Raises Corrupt."""
    import pyarrow as pa

    schema = pa.schema([(column.name, arrow_type(column.type)) for column in columns])
    batches, rest = [], iter(rows)
    while some := list(islice(rest, _SOME)):
        arrays = []
        for column, values in zip(columns, zip(*some, strict=True), strict=True):
            try:
                arrays.append(pa.array(_converted(column.type, values), type=arrow_type(column.type)))
            except (pa.ArrowInvalid, pa.ArrowTypeError, TypeError, OverflowError, UnicodeEncodeError) as error:
                raise Corrupt(f"a row of the journal does not fit {name}.{column.name}: {error}", ids=[name]) from error
        batches.append(pa.record_batch(arrays, schema=schema))
    return pa.Table.from_batches(batches, schema)


def _converted(kind: str, values: Sequence[Any]) -> Sequence[Any]:
    return [None if value is None else bool(value) for value in values] if kind == "BOOLEAN" else values


@cache
def arrow_type(kind: str) -> Any:
    """What Arrow calls a type of DuckDB's."""
    import pyarrow as pa

    return {
        "BIGINT": pa.int64(),
        "BOOLEAN": pa.bool_(),
        "DOUBLE": pa.float64(),
        "INTEGER": pa.int32(),
        "JSON": pa.string(),
        "TIMESTAMP": pa.timestamp("ms"),
        "VARCHAR": pa.string(),
        "VARCHAR[]": pa.list_(pa.string()),
    }[kind]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"
