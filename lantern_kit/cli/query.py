"""Questions in SQL about everything that happened."""

from __future__ import annotations

import csv
import json
import math
import sys
from collections.abc import Iterator, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lantern_kit.cli.place import JOURNAL, Place, WorkspaceOption, find, opened
from lantern_kit.cli.screen import clean, fits, following, note, records, say, table, working
from lantern_kit.cli.seat import seat
from lantern_kit.cli.words import tr

if TYPE_CHECKING:
    from lantern_kit.analysis.query import Answer
    from lantern_kit.workspace import Workspace

SHOWN = 200
"""Rows of a table on the screen; the other forms give all."""
MANY = 4
"""Columns from which rows are printed one below the other where they have no room beside each other."""
_TABLES = (
    "select table_name as \"table\", string_agg(column_name, ', ' order by column_index) as columns"
    " from duckdb_columns() where schema_name = 'main' and not internal group by all order by 1"
)


def sql(
    words: Annotated[
        list[str] | None,
        typer.Argument(metavar="[WORKSPACE] [QUERY]", help="One statement that reads. Left out: the tables there are."),
    ] = None,
    *,
    folder: WorkspaceOption = None,
    as_json: Annotated[bool, typer.Option("--json", help="All rows, as a JSON array of objects.")] = False,
    as_csv: Annotated[bool, typer.Option("--csv", help="All rows, as CSV with a head.")] = False,
) -> None:
    """Ask a question in SQL about everything that happened.

    Revisions, changes, objects, proposals, approvals, assets and activity are tables, brought up to date
    first, in analysis.duckdb. It only reads.

    Example: lantern sql chelsea "select actor, count(*) from changes group by all"
    """
    if as_json and as_csv:
        raise typer.BadParameter(tr("--json and --csv are two forms; choose one"))
    place, query = _meant(list(words or ()), folder)
    with opened(place) as found:
        answer = _answer(found, _TABLES if query is None else query, limit=None if as_json or as_csv else SHOWN + 1)
    if as_json:
        _json(answer)
    elif as_csv:
        _csv(answer)
    else:
        _table(answer)
        if query is None:
            following((place.command("sql", "select * from revisions"), tr("ask")))


# parts


def _meant(words: list[str], option: Path | None) -> tuple[Place, str | None]:
    if len(words) > 2:
        raise typer.BadParameter(
            tr("expected {wanted}, got {count} words", wanted="[WORKSPACE] [QUERY]", count=len(words))
            + " · "
            + tr("put the query in quotes")
        )
    if len(words) == 2:
        return find(Path(words[0]), option), words[1]
    if not words:
        return find(None, option), None
    if option is None and (Path(words[0]).expanduser() / JOURNAL).is_file():
        return find(Path(words[0])), None
    return find(None, option), words[0]


def _answer(found: Workspace, query: str, *, limit: int | None) -> Answer:
    from lantern_kit.analysis import Notice, run_sql

    def tell(notice: Notice) -> None:
        note(str(notice))

    with working(tr("Bringing the tables up to date")) as step:
        connection = found.analysis(progress=step, notify=tell)
    try:
        return run_sql(connection, query, limit=limit, sealed=seat() is None)  # a notebook's own must keep its files
    finally:
        connection.close()


def _table(answer: Answer) -> None:
    rows = [[_text(cell) for cell in row] for row in answer.rows[:SHOWN]]
    if not answer.columns:
        say(tr("no rows"))
        return
    if len(answer.columns) < MANY or fits(answer.columns, rows):
        table(answer.columns, rows)
    else:
        records(answer.columns, rows)
    if len(answer.rows) > SHOWN:
        note(tr("the first {count} rows; --csv and --json give all", count=SHOWN))
    else:
        note(tr("rows: {count}", count=len(rows)))


def _json(answer: Answer) -> None:
    names = list(_unique(answer.columns))
    out = sys.stdout
    out.write("[")
    for place, row in enumerate(answer.rows):
        out.write(",\n " if place else "\n ")
        out.write(json.dumps(dict(zip(names, map(_plain, row), strict=True)), ensure_ascii=False))
    out.write("\n]\n" if answer.rows else "]\n")
    out.flush()


def _csv(answer: Answer) -> None:
    show = clean if sys.stdout.isatty() else str
    out = csv.writer(sys.stdout, lineterminator="\n")
    out.writerow(answer.columns)
    out.writerows([show(_text(cell, null="")) for cell in row] for row in answer.rows)
    sys.stdout.flush()


def _unique(names: Sequence[str]) -> Iterator[str]:
    """Names of columns, later ones of the same name numbered: an object holds a key once."""
    seen: dict[str, int] = {}
    for name in names:
        seen[name] = seen.get(name, 0) + 1
        yield name if seen[name] == 1 else f"{name}_{seen[name]}"


def _text(value: Any, *, null: str = "–") -> str:
    if value is None:
        return null
    plain = _plain(value)
    return plain if isinstance(plain, str) else json.dumps(plain, ensure_ascii=False)


def _plain(value: Any) -> Any:
    """A value as JSON has it: bytes in hex, times in ISO 8601, what is no number as a word."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, list | tuple | set):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, bool | int | float | str) else str(value)
