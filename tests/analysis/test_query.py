"""Questions in SQL: answered, or refused in words a person can act on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from duckdb import DuckDBPyConnection

from lantern_kit.analysis import ask_frame, run_sql
from lantern_kit.kernel.errors import BadInput, NotAllowed
from tests.analysis.world import World, contents


@pytest.fixture(scope="module")
def asked(lived: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[World]:
    """One world for all questions, since none of them may change it."""
    made = World(tmp_path_factory.mktemp("asked") / "world", seed=700_000, like=lived)
    yield made
    made.close()


@pytest.fixture(scope="module")
def db(asked: World) -> Iterator[DuckDBPyConnection]:
    with asked.analysis() as connection:
        yield connection


def test_a_question_is_answered_with_columns_and_rows(db: DuckDBPyConnection) -> None:
    columns, rows = run_sql(db, "select revision, seq from revisions order by number(revision) limit 2")
    assert columns == ("revision", "seq")
    assert rows == [("r1", 0), ("r2", rows[1][1])]
    assert len(run_sql(db, "from changes", limit=3).rows) == 3


@pytest.mark.parametrize(
    "text",
    [
        "select actor, count(*) from revisions group by all order by 2 desc",
        "from proposals",
        "with busy as (select unit, count(*) as n from changes group by 1) select max(n) from busy",
        "describe objects",
        "show tables",
        "summarize approvals",
        "explain select * from changes",
        "explain analyze (format json) select * from changes",
        "explain (select 1) union (select 2)",
        "values (1), (2)",
        "pivot changes on change using count(*) group by object_kind",
        "select 1;",
        "select after->>'$.kind' from changes where change = 'added'",
    ],
)
def test_whatever_only_reads_is_answered(db: DuckDBPyConnection, text: str) -> None:
    assert run_sql(db, text).rows


@pytest.mark.parametrize(
    "text",
    [
        "delete from changes",
        "insert into changes (unit) values ('x')",
        "update objects set x = 0",
        "drop table changes",
        "create table mine as select 1",
        "create or replace view changes as select 1",
        "alter table changes add column x int",
        "with gone as (delete from changes returning *) select * from gone",
        "explain analyze delete from changes",
        "copy changes to 'out.csv'",
        "copy (select 1) to 'out.parquet'",
        "copy changes from 'in.csv'",
        "export database 'out'",
        "attach 'other.duckdb'",
        "attach ':memory:' as other",
        "set memory_limit = '1GB'",
        "reset memory_limit",
        "pragma memory_limit = '1GB'",
        "install httpfs",
        "load httpfs",
        "call force_checkpoint()",
        "checkpoint",
        "vacuum",
        "begin",
        "use memory",
        "prepare q as delete from changes",
        "comment on table changes is 'x'",
        "create macro f(x) as x",
        "create temp table t as select 1",
    ],
)
def test_whatever_writes_sets_or_loads_is_refused_and_changes_nothing(
    asked: World, db: DuckDBPyConnection, text: str
) -> None:
    before, files = contents(db), sorted(path.name for path in asked.ws.path.iterdir())
    with pytest.raises(NotAllowed) as raised:
        run_sql(db, text)
    assert raised.value.recovery
    assert contents(db) == before
    assert sorted(path.name for path in asked.ws.path.iterdir()) == files


@pytest.mark.parametrize(
    "text",
    [
        "explain analyze copy changes to '{}'",
        "explain (analyze, format json) copy changes to '{}'",
        "/* é ( */ explain -- (\n analyze /**/ copy (select 1) to '{}'",
    ],
)
def test_what_would_only_be_explained_writes_no_file_either(db: DuckDBPyConnection, text: str, tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    for ask in (run_sql, ask_frame):
        with pytest.raises(NotAllowed, match="copy statements"):
            ask(db, text.format(out))
    with pytest.raises(NotAllowed, match="copy statements"):
        run_sql(db, text.format(out), sealed=False)
    assert not out.exists()


@pytest.mark.parametrize(
    "text",
    [
        "select * from read_csv('{file}')",
        "select * from read_text('{file}')",
        "select * from read_blob('{file}')",
        "select * from read_json('{file}')",
        "select * from read_parquet('{file}')",
        "select * from '{file}'",
        "select * from glob('{folder}/*')",
        "select * from sniff_csv('{file}')",
        "from query('select * from read_text(''{file}'')')",
        "select (select content from read_text('{file}'))",
        "select * from read_text('https://example.org/')",
    ],
)
def test_files_and_the_network_are_out_of_reach(db: DuckDBPyConnection, text: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.csv"
    secret.write_text("word\nsesame\n")
    with pytest.raises((NotAllowed, BadInput)) as raised:
        run_sql(db, text.format(file=secret, folder=tmp_path))
    assert "sesame" not in str(raised.value.payload())


def test_python_variables_are_out_of_reach(db: DuckDBPyConnection) -> None:
    with pytest.raises(BadInput):
        run_sql(db, "select * from PROJECTORS")


def test_the_tables_go_on_growing_after_questions_were_asked(world: World) -> None:
    with world.analysis() as db:
        run_sql(db, "select 1")
        world.live(10)
        with world.analysis() as later, world.analysis(in_memory=True) as fresh:
            assert contents(later) == contents(db) == contents(fresh)


def test_a_misspelt_table_names_the_nearest_and_all(db: DuckDBPyConnection) -> None:
    with pytest.raises(BadInput, match="revision_s") as raised:
        run_sql(db, "select *\nfrom revision_s")
    assert raised.value.recovery.startswith(
        "nearest: revisions, rejections; tables: activity, activity_groups, annotation_references, "
    )
    assert raised.value.details == {"line": 2, "column": 6, "text": "from revision_s"}


def test_a_misspelt_column_names_the_nearest_and_their_tables(db: DuckDBPyConnection) -> None:
    with pytest.raises(BadInput, match="comitted_at") as raised:
        run_sql(db, "select comitted_at from revisions")
    assert raised.value.recovery == "nearest: committed_at (novel_units, revisions); completed_at (novel_chapters)"
    assert raised.value.details == {"line": 1, "column": 8, "text": "select comitted_at from revisions"}


@pytest.mark.parametrize(
    ("text", "column"),
    [("selec 1", 1), ("select revision at from revisions", 20), ("select 1 where (", 16), ("select nope(1)", 8)],
)
def test_wrong_sql_says_where_it_is_wrong(db: DuckDBPyConnection, text: str, column: int) -> None:
    with pytest.raises(BadInput) as raised:
        run_sql(db, text)
    assert raised.value.details["column"] == column
    assert raised.value.details["text"] == text
    assert "\n" not in str(raised.value)


def test_a_value_that_does_not_fit_is_an_error_of_the_question(db: DuckDBPyConnection) -> None:
    with pytest.raises(BadInput, match="Could not convert"):
        run_sql(db, "select cast(message as int) from revisions")


@pytest.mark.parametrize("text", ["", "  -- nothing", "select 1; select 2"])
def test_one_statement_at_a_time(db: DuckDBPyConnection, text: str) -> None:
    with pytest.raises(BadInput, match="one SQL statement"):
        run_sql(db, text)
