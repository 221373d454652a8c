"""The notebooks of the review and of the agent's session: run from top to bottom, without any front end."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import nbformat
import psutil
import pytest
from nbclient import NotebookClient

from lantern_kit.folders import shipped_notebooks
from lantern_kit.workspace import create_workspace, open_workspace
from tests.cli.conftest import propose

REVIEW, SESSION = "02-review.ipynb", "04-agent-session.ipynb"


@pytest.fixture
def workspace(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A workspace with the notebooks in it, a page, and the demo's key."""
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    with create_workspace(tmp_path / "ws", title="Practice", owner="mina") as made:
        made.copy_notebooks()
        made.enrol("mina", None, demo=True)
        with made.comic("Practice").begin_chapter(0, size="A6").edit("one page") as edit:
            edit.add_page().add_frame(rect=(6, 6, 93, 136)).say("Mine?", at=(50, 30), speaker="C", tail=(40, 60))
    return tmp_path / "ws"


def run(workspace: Path, name: str) -> list[Any]:
    """The executed cells of a notebook that lies in a workspace."""
    path = workspace / "notebooks" / name
    notebook = nbformat.read(path, as_version=4)
    NotebookClient(
        notebook,
        timeout=180,
        kernel_name="python3",
        extra_arguments=["--IPKernelApp.log_level=40"],
        resources={"metadata": {"path": str(path.parent)}},
    ).execute()
    return [cell for cell in notebook.cells if cell.cell_type == "code"]


def shown(cell: Any, media: str = "text/html") -> str:
    """What a cell shows in one form."""
    return "".join(str(output.data.get(media, "")) for output in cell.outputs if "data" in output)


@pytest.mark.parametrize("name", [REVIEW, SESSION])
def test_it_is_shipped_without_outputs_and_names_no_machine(name: str) -> None:
    path = next(item for item in shipped_notebooks() if item.name == name)
    notebook = json.loads(path.read_text())
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert "zh" in cell["metadata"].get("lantern", {"zh": ""}) or cell["metadata"]["lantern"]["only"] == "notebook"


def test_every_word_of_the_review_app_is_there_in_chinese_too() -> None:
    path = next(item for item in shipped_notebooks() if item.name == REVIEW)
    prose = [cell for cell in json.loads(path.read_text())["cells"] if cell["cell_type"] == "markdown"]
    for cell in prose:
        facts = cell["metadata"]["lantern"]
        assert facts.get("only") == "notebook" or any(character >= "\u4e00" for character in facts["zh"])


def test_the_review_shows_the_newest_proposal_before_and_after_and_decides_nothing(workspace: Path) -> None:
    with open_workspace(workspace) as ws:
        propose(ws, "One.", summary="first"), propose(ws, "Two.", summary="second")
    desk, review, decided = run(workspace, REVIEW)
    assert "On the table: p2 (waits for you): second" in shown(desk, "text/plain")
    still = shown(review)
    assert "Two." in still
    assert "data:image/" in still
    assert "p1" in shown(decided)
    with open_workspace(workspace) as ws:
        assert [item.facts.state for item in ws.proposals.all()] == ["pending", "pending"]


def test_the_review_says_what_to_do_when_nothing_waits(workspace: Path) -> None:
    desk, review, _ = run(workspace, REVIEW)
    assert "Nothing waits for a verdict" in shown(desk)
    assert "lantern connect claude-code" in shown(desk)
    assert review.outputs == []


def test_the_session_drafts_proposes_and_ends_its_server(workspace: Path) -> None:
    _, server, panel, _, _, edited, look, mended, again, frozen, refused, proposal, activity, stopped = run(
        workspace, SESSION
    )
    assert "running, http://127.0.0.1:" in shown(server, "text/plain")
    assert shown(panel)
    assert "lettering.overflow" in shown(edited, "text/plain")
    assert "'new faults': [], 'healed': 1" in shown(mended, "text/plain")
    for cell in (look, again):
        assert len(shown(cell, "image/jpeg")) > 20_000
    assert shown(frozen, "text/plain") == "('p1', 'lantern review ws p1')"
    assert refused.outputs[0].text.startswith("refused: apply is not a tool here")
    assert "A second breakfast" in shown(proposal)
    assert "freeze: freeze" in shown(activity, "text/plain")
    assert shown(stopped, "text/plain") == "MCP server of Practice: stopped"
    with open_workspace(workspace) as ws:
        tokens = json.loads((ws.config / "mcp" / f"{ws.id}.json").read_text())
        assert ws.proposals["p1"].facts.state == "pending"
        assert ws.proposals["p1"].facts.actor == "notebook-script"
        assert ws.verify().clean
    said = json.dumps([cell.outputs for cell in (server, panel, edited, frozen, refused, activity, stopped)])
    assert tokens["draft"] not in said
    assert tokens["read"] not in said
    folder = str(workspace)
    assert not [item for item in psutil.process_iter(["cmdline"]) if folder in " ".join(item.info["cmdline"] or ())]
