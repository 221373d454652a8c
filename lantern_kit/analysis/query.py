"""One question in SQL: read-only, cut off from files, its errors in plain words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

import duckdb
from duckdb import DuckDBPyConnection, StatementType

from lantern_kit.analysis.file import tables
from lantern_kit.kernel.errors import BadInput, Corrupt, NotAllowed, nearest

if TYPE_CHECKING:
    from pandas import DataFrame

_ALLOWED = {StatementType.SELECT, StatementType.EXPLAIN, StatementType.MULTI}  # MULTI: a pivot over unnamed values
_WHERE = re.compile(r"\n\nLINE (\d+): (.*)\n( *)\^+", re.DOTALL)
_UNKNOWN = re.compile(r'(?:Referenced (?:column|table)|Table with name|Values list) "?([^"\s]+)"?')


class Answer(NamedTuple):
    """What a question gave."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]


def run_sql(connection: DuckDBPyConnection, text: str, *, limit: int | None = None, sealed: bool = True) -> Answer:
    """The answer to one statement that reads.

    Writing is refused twice: by the kind of statement, and by a read-only transaction (DuckDB lets a SELECT carry an
    INSERT inside). From then on the connection's whole database is cut off from files, the network and extensions,
    unless it is not to be sealed.

    Args:
        connection: from ``analysis()``.
        text: one SQL statement, in DuckDB's dialect.
        limit: the most rows to fetch.
        sealed: off where other connections of this process to the same database must keep what they may.

    Raises:
        BadInput: the statement is not right; ``details`` has line, column and the text there.
        NotAllowed: it would write, change settings or reach files.
        Corrupt: the analysis file is damaged.
    """
    with _asked(connection, text, sealed=sealed) as cursor:
        rows = cursor.fetchall() if limit is None else cursor.fetchmany(limit)
        return Answer(tuple(column[0] for column in cursor.description), rows)


def ask_frame(connection: DuckDBPyConnection, text: str, values: Mapping[str, Any] | None = None) -> DataFrame:
    """The answer to one statement that reads, as a data frame, for a person at work in Python.

    Writing is refused as by ``run_sql``; files and the network are left to what the connection allows.

    Args:
        connection: from ``analysis()``.
        text: one SQL statement, in DuckDB's dialect.
        values: what ``$name`` in the statement stands for; only those that it names are taken.

    Raises:
        BadInput, NotAllowed, Corrupt: see ``run_sql``; BadInput also for a ``$name`` that is not among the values.
    """
    with _asked(connection, text, values=values or {}) as cursor:
        return cursor.df()


@contextmanager
def _asked(
    connection: DuckDBPyConnection, text: str, *, sealed: bool = False, values: Mapping[str, Any] | None = None
) -> Iterator[DuckDBPyConnection]:
    """A cursor that has run one statement that reads, inside a transaction that cannot write."""
    try:
        statements = connection.extract_statements(text)
    except duckdb.Error as error:
        raise _explained(connection, error) from error
    if len(statements) != 1:
        raise BadInput(
            "that is not one SQL statement",
            expected="one statement, such as: select * from revisions limit 10",
            found=f"{len(statements)} statements",
        )
    statement = statements[0]
    kind = statement.type if statement.type is not StatementType.EXPLAIN else _told_of(connection, text)
    if kind not in _ALLOWED:
        raise _refused(f"{kind.name.lower().replace('_', ' ')} statements are not allowed here")
    given = _values(statement.named_parameters, values)
    cursor = connection.cursor()
    try:
        if sealed:
            cursor.execute("SET enable_external_access = false")
        cursor.execute("BEGIN TRANSACTION READ ONLY")
        cursor.execute(statement, given)
        yield cursor
    except duckdb.PermissionException as error:
        raise _refused("files, other databases and extensions are out of reach here") from error
    except duckdb.TransactionException as error:
        if "read-only" in str(error):
            raise _refused("the statement would write") from error
        raise _explained(connection, error) from error
    except duckdb.Error as error:
        raise _explained(connection, error) from error
    finally:
        cursor.close()


def _told_of(connection: DuckDBPyConnection, text: str) -> StatementType:
    """The kind of statement that an EXPLAIN is about: with ANALYZE it is carried out, and a COPY writes its file."""
    raw, depth = text.encode(), 0
    tokens = [(place, kind) for place, kind in duckdb.tokenize(text) if kind != duckdb.token_type.comment]
    for place, kind in tokens:
        word = raw[place:]
        if kind == duckdb.token_type.operator and word[:1] in (b"(", b")"):
            depth += 1 if word[:1] == b"(" else -1
        elif depth == 0 and not re.match(rb"(?i)(explain|analyze)\b", word):
            try:
                return connection.extract_statements(word.decode())[0].type
            except duckdb.Error:  # it goes on with what began in parentheses
                break
    return StatementType.SELECT  # nothing but a question may stand in parentheses


def _values(names: Iterable[str], values: Mapping[str, Any] | None) -> dict[str, Any] | None:
    """What the names in a statement stand for. Raises BadInput."""
    wanted = sorted(names)
    if values is None or not wanted:
        return None
    for name in wanted:
        if name not in values:
            near = nearest(name, (known for known in values if not known.startswith("_")))
            raise BadInput(
                f"${name} stands for nothing",
                expected=[f"${known}" for known in near] or None,
                found=f"${name}",
                recovery=f"Give {name} a value first.",
            )
    return {name: values[name] for name in wanted}


def _refused(why: str) -> NotAllowed:
    return NotAllowed(
        f"only questions: {why}",
        expected="a statement that reads the analysis: select, from, with, describe, show, summarize, pivot, explain",
        recovery="For more, use the connection of workspace.analysis() in Python, or copy analysis.duckdb elsewhere.",
    )


def _explained(connection: DuckDBPyConnection, error: duckdb.Error) -> BadInput | Corrupt:
    text = str(error)
    if "checksum" in text or "orrupt" in text:
        return Corrupt(
            "the analysis file is damaged",
            recovery="Delete analysis.duckdb: nothing is lost, it is made anew from the journal.",
        )
    details: dict[str, Any] = {}
    place = _WHERE.search(text)
    if place is not None:
        number, line, before = place.groups()
        details = {"line": int(number), "column": len(before) - len(f"LINE {number}: ") + 1, "text": line}
    said = text.split("\n", 1)[0].split(" Error: ", 1)[-1]
    return BadInput(
        f"the SQL is not right: {said}",
        found=f"line {details['line']}, column {details['column']}: {details['text'].strip()}" if details else None,
        details=details,
        recovery=_hint(connection, said) or "Correct it there; describe TABLE lists a table's columns.",
    )


def _hint(connection: DuckDBPyConnection, said: str) -> str:
    """Names that are like one that is unknown."""
    found = _UNKNOWN.search(said)
    if found is None:
        return ""
    if said.startswith("Table"):
        known = tables(connection)
        close = nearest(found[1], known)
        return (f"nearest: {', '.join(close)}; " if close else "") + f"tables: {', '.join(known)}"
    columns = connection.execute(
        "SELECT column_name, table_name FROM duckdb_columns() WHERE schema_name = 'main' AND NOT internal"
    ).fetchall()
    close = nearest(found[1], {name for name, _ in columns})
    homes = [f"{name} ({', '.join(sorted(table for column, table in columns if column == name))})" for name in close]
    return f"nearest: {'; '.join(homes)}" if homes else ""
