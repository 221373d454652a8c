"""lantern sql."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from lantern_kit.cli.query import _plain, _unique
from lantern_kit.workspace import Workspace
from tests.cli.conftest import Run, propose


def test_a_question_is_answered_as_a_table(run: Run, path: Path) -> None:
    said = run("sql", path, "select revision, actor, cause from revisions order by revision").output
    assert [line.split() for line in said.splitlines()[:3]] == [
        ["revision", "actor", "cause"],
        ["r1", "mina", "create"],
        ["r2", "mina", "edit"],
    ]
    assert "rows: 2" in said


def test_without_a_question_the_tables_are_listed(run: Run, path: Path) -> None:
    said = run("sql", path).output
    names = {line.split()[0] for line in said.splitlines() if line.strip()}
    assert {"revisions", "changes", "objects", "proposals", "approvals", "assets", "activity"} <= names
    assert not any(name.startswith(("duckdb_", "sqlite_")) for name in names)


def test_json_is_one_array_of_all_rows(run: Run, path: Path) -> None:
    query = "select i, i / 4 as share, {'a': [i]} as nested, null as nothing from range(3) t(i)"
    assert json.loads(run("sql", path, query, "--json").stdout) == [
        {"i": i, "share": i / 4, "nested": {"a": [i]}, "nothing": None} for i in range(3)
    ]
    assert json.loads(run("sql", path, "select 1 where false", "--json").stdout) == []


def test_csv_has_a_head_and_all_rows(run: Run, path: Path) -> None:
    said = run("sql", path, "select i, 'a, \"b\"' as words, null as nothing from range(1000) t(i)", "--csv").stdout
    rows = list(csv.reader(io.StringIO(said)))
    assert rows[0] == ["i", "words", "nothing"]
    assert rows[-1] == ["999", 'a, "b"', ""]
    assert len(rows) == 1001


def test_a_table_shows_the_first_rows_and_says_so(run: Run, path: Path) -> None:
    said = run("sql", path, "select i from range(1000) t(i)").output
    assert "the first 200 rows" in said
    assert "199" in said
    assert "201" not in said


@pytest.mark.parametrize(
    ("query", "code", "said"),
    [
        ("select actr from revisions", "bad_input", "actor"),
        ("delete from revisions", "not_allowed", "only questions"),
        ("select * from read_csv('/etc/passwd')", "not_allowed", "out of reach"),
        ("selct 1", "bad_input", "not right"),
        ("", "bad_input", "one SQL statement"),
    ],
)
def test_what_is_no_question_is_refused(run: Run, path: Path, query: str, code: str, said: str) -> None:
    output = run("sql", path, query, code=1).output
    assert f"[{code}]" in output
    assert said in output


def test_a_query_without_quotes_is_explained(run: Run, path: Path) -> None:
    said = run("sql", path, "select", "1", code=2).output
    assert "put the query in quotes" in " ".join(said.replace("│", " ").split())


def test_both_forms_at_once_are_a_usage_error(run: Run, path: Path) -> None:
    assert "choose one" in run("sql", path, "select 1", "--json", "--csv", code=2).output


def test_an_analysis_that_another_process_has_open_is_copied_and_said(run: Run, made: Workspace) -> None:
    import subprocess
    import sys

    run("sql", made.path, "select 1")
    code = (
        f"import duckdb; c = duckdb.connect({str(made.path / 'analysis.duckdb')!r}); print('open', flush=True); input()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == "open\n"
        propose(made, "It is mine.")
        result = run("sql", made.path, "select count(*) as n from proposals", "--json")
        other.communicate("\n")
    assert json.loads(result.stdout) == [{"n": 1}]
    assert "copy" in result.stderr


def test_values_become_plain() -> None:
    import datetime
    from decimal import Decimal

    assert _plain(b"\x01\xff") == "01ff"
    assert _plain(Decimal(2)) == 2
    assert _plain(Decimal("2.5")) == 2.5
    assert _plain(float("nan")) == "nan"
    assert _plain(datetime.datetime(2026, 1, 2, tzinfo=datetime.UTC)) == "2026-01-02T00:00:00+00:00"
    assert list(_unique(["a", "b", "a"])) == ["a", "b", "a_2"]
