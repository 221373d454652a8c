"""What a Tab offers in the magic words."""

from __future__ import annotations

import pytest
from IPython.core.interactiveshell import InteractiveShell

from lantern_kit.cli.app import app
from lantern_kit.comic.book import Book
from lantern_kit.notebook.command import ELSEWHERE
from lantern_kit.workspace import Workspace
from tests.notebook.conftest import Complete, balloon


def test_commands_are_offered_and_those_left_out_that_have_no_place_in_a_cell(complete: Complete) -> None:
    offered = complete("%lantern ")
    assert {"outline", "show", "apply", "annotations", "use"} <= set(offered)
    assert not {"mcp", "lab", "review", "demo"} & set(offered)
    assert complete("%lantern sh") == ["show"]
    assert complete("%lantern approvals ") == ["list", "export", "check"]
    assert complete("%lantern approvals ex") == ["export"]
    assert complete("found = %lantern us") == ["use"]


def test_options_are_offered_with_their_values(complete: Complete, ws: Workspace) -> None:
    assert complete("%lantern history --dr") == ["--drafts"]
    assert "--help" in complete("%lantern verify --")
    assert complete("%lantern export 1 --to ") == ["cbz", "pdf", "png", "tiff", "webp"]
    assert complete("%lantern history --cause ed") == ["edit"]
    assert complete("%lantern history --actor ") == ["claude-code", "mina"]
    assert complete("%lantern apply p1 --reject bl_") == [balloon(ws).id]


def test_ids_are_offered_where_a_command_takes_them(complete: Complete, ws: Workspace) -> None:
    page = ws.works()[0].chapter(1)[0]
    assert complete("%lantern show ") == ["p1"]
    assert complete("%lantern show --text p") == ["p1"]
    assert complete("%lantern show p1 ") != ["p1"]
    assert complete("%lantern check ") == ["1", page.moment.book.chapter.id]
    assert complete("%lantern lock ") == [page.moment.book.chapter.id, page.id]
    assert complete("%lantern lock bl") == [balloon(ws).id]
    assert complete("%lantern pick ")[:2] == ["r4", "r3"]
    assert complete("%lantern pick r2 fr")[0].startswith("fr_")
    (key,) = ws.reviewers()
    assert complete("%lantern keys revoke ") == [key.key]
    note = ws.works()[0].chapter(1).annotate("Softer.")
    assert complete("%lantern annotations show ") == [note.id]
    lamp, mira = ws.library.keep("prop", "Lamp"), ws.library.keep("character", "Mira")
    assert complete("%lantern library show ") == [mira.id, lamp.id]


def test_what_was_removed_is_not_offered(complete: Complete, ws: Workspace) -> None:
    chapter = ws.works()[0].chapter(1)
    assert complete("%lantern lock bl") == [balloon(ws).id]
    gone = balloon(ws).id
    with chapter.edit("away") as edit:
        edit[gone].remove()
    assert gone not in complete("%lantern lock bl")


def test_workspaces_are_offered_after_use(complete: Complete, ws: Workspace) -> None:
    assert complete("%lantern use ") == ["ws", "chelsea"]
    assert complete("%lantern use ch") == ["chelsea"]


def test_tables_are_offered_after_from(complete: Complete) -> None:
    offered = complete("%%lantern_sql\nselect * from ")
    assert {"changes", "revisions", "proposals", "approvals", "activity", "assets", "annotations"} <= set(offered)
    assert complete("%%lantern_sql past <<\nselect * from chan") == ["changes"]
    assert complete("%lantern_sql select * from revisions join chan") == ["changes"]
    assert complete("x = %lantern_sql describe prop") == ["proposals"]


def test_columns_are_offered_of_the_tables_that_are_named_also_after_the_cursor(complete: Complete) -> None:
    assert complete("%%lantern_sql\nselect * from changes as c where c.un") == ["unit"]
    assert complete("%%lantern_sql\nselect * from changes as c where c.")[:3] == ["revision", "unit", "object"]
    assert complete("%%lantern_sql\nselect committed", after="\nfrom revisions") == ["committed_at"]
    assert complete("%%lantern_sql\nselect\n  obj", after=", count(*)\nfrom changes\ngroup by all")[:2] == [
        "object",
        "object_kind",
    ]
    assert "frozen_at" in complete("%%lantern_sql\nselect fro")  # of no table yet: of any
    assert complete("%%lantern_sql\nselect revisions.comm", after=" from changes, revisions") == ["committed_at"]


def test_every_table_and_column_that_is_offered_is_there(ws: Workspace) -> None:
    from lantern_kit.notebook.completion.questions import known

    with ws.analysis() as connection:
        rows = connection.execute(
            "select table_name, column_name from duckdb_columns() where schema_name = 'main' and not internal"
        ).fetchall()
    assert {(table, column) for table, columns in known().items() for column in columns} == set(rows)


def test_words_of_sql_are_offered(complete: Complete) -> None:
    assert "group by all" in complete("%%lantern_sql\nselect actor, count(*) from changes gro")
    assert complete("%%lantern_sql\nsel") == ["select"]


def test_values_are_offered_inside_quotes_and_variables_after_a_dollar(
    complete: Complete, ws: Workspace, loaded: InteractiveShell
) -> None:
    assert complete("%%lantern_sql\nselect * from changes where actor = 'cl") == ["claude-code"]
    assert complete("%%lantern_sql\nselect * from revisions where line = 'd") == ["d1"]
    assert complete("%%lantern_sql\nfrom objects where object = 'bl_") == [balloon(ws).id]
    assert "p1" in complete("%%lantern_sql\nfrom proposals where proposal = '")
    loaded.user_ns["whoever"] = "mina"
    assert complete("%%lantern_sql\nfrom changes where actor = $whoe") == ["whoever"]


def test_outside_the_magic_words_python_is_completed_as_ever(complete: Complete, loaded: InteractiveShell) -> None:
    loaded.run_cell("import os.path")
    assert "path" in complete("os.pa")
    assert "%lantern" in complete("%lant")
    assert "show" not in complete("print('%lantern sh")
    assert complete("changes = 1\nchan") == ["changes"]


def test_a_tab_says_nothing_where_no_workspace_is_meant(complete: Complete, capsys: pytest.CaptureFixture[str]) -> None:
    assert "p1" not in complete("%lantern show ")
    assert complete("%%lantern_sql\nselect * from revisions where line = 'zzzz") == []
    said = capsys.readouterr()
    assert said.out == said.err == ""


def test_a_tab_reads_no_page_to_offer_what_is_on_it(
    complete: Complete, ws: Workspace, monkeypatch: pytest.MonkeyPatch
) -> None:
    chapter = ws.works()[0].chapter(1)
    with chapter.edit("many") as edit:
        for _ in range(200):
            edit.add_page().add_frame(rect=(6, 6, 50, 50))

    def unread(*_: object) -> None:
        raise AssertionError("a page was read")

    monkeypatch.setattr(Book, "unit", unread)
    monkeypatch.setattr(Book, "units", unread)
    assert len(complete("%lantern lock fr_")) == 201
    assert len(complete("%lantern lock ")) == 202


def test_completion_knows_every_command_of_the_command_line(complete: Complete) -> None:
    from typer.main import get_command

    commands = set(get_command(app).commands)  # type: ignore[attr-defined]
    assert commands - set(complete("%lantern ")) == ELSEWHERE.keys() & commands != set()
