"""``%%lantern_sql``: questions about everything that happened, answered as data frames."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest
from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.kernel.errors import BadInput, NotAllowed, NotFound
from lantern_kit.workspace import Workspace
from tests.notebook.test_command import run

Capture = pytest.CaptureFixture[str]


def test_a_cell_gives_a_data_frame_that_shows_itself(loaded: InteractiveShell, ws: Workspace, capsys: Capture) -> None:
    done = loaded.run_cell("%%lantern_sql\nselect actor, count(*) as changes\nfrom changes group by all order by 2")
    assert isinstance(done.result, pd.DataFrame)
    assert list(done.result.columns) == ["actor", "changes"]
    assert list(done.result["actor"]) == ["claude-code", "mina"]
    assert pd.api.types.is_integer_dtype(done.result["changes"])
    assert "claude-code" in capsys.readouterr().out


def test_a_named_answer_is_given_to_the_variable_and_not_shown(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture
) -> None:
    done = loaded.run_cell("%%lantern_sql past <<\nselect revision, committed_at from revisions order by seq")
    assert done.result is None
    assert capsys.readouterr().out == ""
    assert pd.api.types.is_datetime64_any_dtype(loaded.user_ns["past"]["committed_at"])
    loaded.run_cell("%lantern_sql one << select 1 as n")
    assert loaded.user_ns["one"]["n"].tolist() == [1]
    loaded.run_cell("two = %lantern_sql select 2 as n")
    assert loaded.user_ns["two"]["n"].tolist() == [2]


def test_variables_come_in_as_values(loaded: InteractiveShell, ws: Workspace) -> None:
    loaded.user_ns["who"] = "mina' or 1=1 --"
    done = loaded.run_cell("%%lantern_sql\nselect count(*) as n from revisions where actor = $who")
    assert done.result["n"].tolist() == [0]
    loaded.user_ns["who"] = "mina"
    assert loaded.run_cell("%lantern_sql select count(*) as n from revisions where actor = $who").result["n"][0] == 2
    error = run(loaded, "%%lantern_sql\nselect $whu")
    assert isinstance(error, BadInput)
    assert error.expected == ["$who"]


@pytest.mark.parametrize(
    ("sql", "words"),
    [
        ("select * from changs", ["nearest: changes", "tables: activity", "line 1, column 15: select * from changs"]),
        ("select 1,\n  actr from changes", ["nearest: actor (", "line 2, column 3: actr from changes"]),
        ("select * form changes", ["the SQL is not right", "line 1"]),
        ("select 1; select 2", ["one SQL statement", "2 statements"]),
        ("delete from changes", ["only questions", "delete"]),
        ("create table mine as select 1", ["only questions"]),
    ],
)
def test_an_error_in_the_sql_is_told_with_its_place_and_what_was_probably_meant(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture, sql: str, words: list[str]
) -> None:
    error = run(loaded, f"%%lantern_sql\n{sql}")
    assert isinstance(error, BadInput | NotAllowed)
    said = capsys.readouterr().out
    assert [word for word in words if word not in said] == []
    assert "Traceback" not in said and ".py" not in said and "get_ipython" not in said


def test_nothing_to_ask_and_no_name_are_refused(loaded: InteractiveShell, ws: Workspace) -> None:
    assert "no question" in str(run(loaded, "%lantern_sql"))
    assert "no question" in str(run(loaded, "%%lantern_sql past <<\n\n"))
    assert "no name of a variable" in str(run(loaded, "%%lantern_sql 2nd <<\nselect 1"))


def test_a_question_sees_what_happened_a_moment_ago(loaded: InteractiveShell, ws: Workspace) -> None:
    count = "%lantern_sql select count(*) as n from snapshots"
    assert loaded.run_cell(count).result["n"][0] == 0
    ws.works()[0].chapter(1).save("now")
    assert loaded.run_cell(count).result["n"][0] == 1


def test_a_question_takes_nothing_from_a_connection_that_is_open(
    loaded: InteractiveShell, ws: Workspace, tmp_path: Path
) -> None:
    """Unlike at the command line, where whoever wrote the statement may be somebody else."""
    with ws.analysis() as mine:
        assert loaded.run_cell("%lantern_sql select 1 as n").result is not None
        assert loaded.run_cell("%lantern sql 'select 1 as n'").success
        mine.execute(f"copy changes to '{tmp_path / 'changes.csv'}'")
    (tmp_path / "prices.csv").write_text("page,price\n1,20\n")
    found = loaded.run_cell(f"%lantern_sql select price from '{tmp_path / 'prices.csv'}'").result
    assert found["price"].tolist() == [20]


def test_a_question_needs_a_workspace(loaded: InteractiveShell) -> None:
    assert isinstance(run(loaded, "%lantern_sql select 1"), NotFound)


def test_what_a_person_should_know_of_the_tables_is_said(
    loaded: InteractiveShell, ws: Workspace, capsys: Capture
) -> None:
    (ws.path / "analysis.duckdb").write_bytes(b"no database" * 2_000)
    assert loaded.run_cell("%lantern_sql select 1 as n").result is not None
    assert "made anew" in capsys.readouterr().out
