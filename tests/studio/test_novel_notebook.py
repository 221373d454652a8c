"""The notebook of novels: run from top to bottom."""

from __future__ import annotations

import zipfile
from pathlib import Path

from lantern_kit.workspace import open_workspace
from tests.studio.test_notebooks import run, shown, workspace

__all__ = ["workspace"]

NOVEL = "06-novel.ipynb"


def test_it_writes_listens_stops_at_a_contradiction_ends_and_leaves_as_a_book(workspace: Path) -> None:
    begun, desk, first, chapter, _, until, against, conflict, ended, facts, found, rows, ledger, book = run(
        workspace, NOVEL
    )
    assert "What the Tide Keeps" in shown(begun)
    assert "run the cell to have it live" in shown(desk)
    assert "no model" in shown(first)
    assert len(shown(chapter)) > 1_000
    assert "It was asked to end there." in shown(until)
    assert "requirement-conflict" in shown(against)
    assert "Ambrose" in shown(conflict)
    assert "The novel is completed." in shown(ended)
    assert "Mara Quill" in shown(facts)
    assert "tide clock" in shown(found)
    assert "planned_characters" in shown(rows)
    assert "superseded" in shown(ledger)
    assert "completed as of" in shown(book, "text/plain")
    with open_workspace(workspace) as ws:
        (novel,) = ws.novels
        assert novel.status().state == "completed"
        assert novel.moment.novel.config.chapters == len(novel.chapters) == 3
        (file,) = (workspace / "exports").glob("*.epub")
        assert zipfile.ZipFile(file).read("mimetype") == b"application/epub+zip"
        assert ws.verify().clean
