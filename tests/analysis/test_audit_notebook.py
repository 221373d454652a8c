"""The notebook of history and audit, run from top to bottom: where much happened, and where nothing did."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbclient import NotebookClient

from lantern_kit.workspace import create_workspace, open_workspace
from tests.conftest import Played

NAME = "03-history-and-audit.ipynb"
PICTURES = 7


@pytest.fixture(autouse=True)
def config(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The person's own folders; nothing of the real ones is seen."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("IPYTHONDIR", str(tmp_path / "ipython"))


def played(workspace: Path) -> list[dict[str, Any]]:
    """The code cells of the notebook in a workspace, executed there; a warning would end it."""
    path = workspace / "notebooks" / NAME
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    strict = nbformat.v4.new_code_cell(  # type: ignore[no-untyped-call]
        "import warnings\nwarnings.simplefilter('error')"
    )
    notebook.cells.insert(0, strict)
    NotebookClient(
        notebook,
        timeout=300,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def complaints(cells: list[dict[str, Any]]) -> list[str]:
    """What was printed on any stream: warnings are."""
    return [output["text"] for cell in cells for output in cell["outputs"] if output["output_type"] == "stream"]


def shown(cells: list[dict[str, Any]], kind: str) -> list[str]:
    """Results of one kind."""
    return [output["data"][kind] for cell in cells for output in cell["outputs"] if kind in output.get("data", {})]


def test_every_question_is_answered_where_an_agent_drafted_and_a_person_decided(tmp_path: Path, demo: Played) -> None:
    path = shutil.copytree(demo.path, tmp_path / "demo")
    cells = played(path)
    assert complaints(cells) == []
    assert len(shown(cells, "image/png")) == PICTURES
    questions = [cell for cell in cells if "%%lantern_sql" in cell["source"]]
    assert len(questions) >= 9
    tables = {cell["source"]: shown([cell], "text/html") for cell in questions if "<<" not in cell["source"]}
    assert all(tables.values())
    unanswered = [source for source, html in tables.items() if "<td>" not in html[0]]
    assert len(unanswered) == 2, "in the demo nothing is rejected and no call fails; all else has rows"
    assert "demo-host" in "".join(shown(cells, "text/html"))
    assert "everything is as it was written" in shown(cells, "text/plain")[-2]
    with open_workspace(path) as workspace:
        assert not workspace.verify().problems


def test_where_nothing_happened_it_says_what_is_missing_and_does_not_break(tmp_path: Path) -> None:
    with create_workspace(tmp_path / "ws", title="Empty", owner="mina") as workspace:
        workspace.copy_notebooks()
        path = workspace.path
    cells = played(path)
    assert complaints(cells) == []
    assert len(shown(cells, "image/png")) == PICTURES
    assert any("There is no chapter yet. Begin one" in text for text in shown(cells, "text/plain"))


def test_it_is_kept_without_outputs_and_its_cells_are_short(root: Path) -> None:
    notebook = nbformat.read(root / "notebooks" / NAME, as_version=4)  # type: ignore[no-untyped-call]
    code = [cell for cell in notebook.cells if cell.cell_type == "code"]
    assert all(cell.outputs == [] and cell.execution_count is None for cell in code)
    assert max(len(cell.source.splitlines()) for cell in code) <= 8
